"""What the answer to *why* is made of, whatever is asked about."""

from __future__ import annotations

import msgspec


class Reason(msgspec.Struct, frozen=True):
    """One line of an explanation: a label of a word or two and what is to be said."""

    label: str
    words: str


class Explanation(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to *why*: ``title`` says what is so, ``reasons`` why, ``later`` what the recording
    knows of the time after, by step.

    ``state`` is a word of the system for what is so; ``step`` that of the moment.
    """

    state: str
    title: str
    step: int
    reasons: list[Reason]
    later: list[Reason] = []


MAX_LATER = 12
"""Lines about the time after; a thing may happen a thousand times."""


def shortened(told: list[Reason]) -> list[Reason]:
    """The first and the last of what came later, and how many stand between them."""
    hidden = len(told) - MAX_LATER
    if hidden <= 0:
        return told
    gap = Reason("..", f"{hidden} more between")
    return [*told[: MAX_LATER // 2], gap, *told[-MAX_LATER // 2 :]]
