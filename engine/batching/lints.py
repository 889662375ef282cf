"""What looks wrong in a run though nothing failed: found in the view and the history."""

from __future__ import annotations

import msgspec


class Lint(msgspec.Struct, frozen=True, kw_only=True):
    """One finding.

    ``kind`` is ``idle-slot``, ``head-of-line``, ``starvation`` or ``dead-stop``; ``since`` the step
    from which on it has been so. ``slots`` and ``request_id`` say where to look.
    """

    kind: str
    words: str
    since: int
    request_id: str = ""
    slots: tuple[int, ...] = ()
