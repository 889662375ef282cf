"""Why a request waits, runs or has ended, as of a moment: from recorded events and the policy."""

from __future__ import annotations

import msgspec


class Reason(msgspec.Struct, frozen=True):
    """One line of an explanation: a label of one word and what is to be said."""

    label: str
    words: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to *why*: ``title`` says what is so, ``reasons`` why, ``later`` what the recording
    knows of the time after, by step.

    ``state`` is ``waits``, ``runs``, ``ended``, ``refused`` or ``not yet``; ``step`` that of the
    moment.
    """

    request_id: str
    state: str
    title: str
    step: int
    reasons: list[Reason]
    later: list[Reason] = []
