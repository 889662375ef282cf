"""The states of a request and the moves between them: one table, walked whole by a test."""

from __future__ import annotations

from enum import StrEnum

from batchtui.engine.errors import InvariantError


class RequestState(StrEnum):
    """Where a request is. The last four are ends."""

    SUBMITTED = "submitted"
    WAITING = "waiting"
    PREFILL = "prefill"
    DECODE = "decode"
    STOPPED = "stop"
    LENGTH = "length"
    ABORTED = "abort"
    FAILED = "error"

    @property
    def finished(self) -> bool:
        """Whether nothing can follow."""
        return not TRANSITIONS[self]


_ENDS = frozenset(
    {RequestState.STOPPED, RequestState.LENGTH, RequestState.ABORTED, RequestState.FAILED}
)

TRANSITIONS: dict[RequestState, frozenset[RequestState]] = {
    # Refused at the door, or gone before anybody looked.
    RequestState.SUBMITTED: frozenset({RequestState.WAITING, RequestState.FAILED}),
    RequestState.WAITING: frozenset({RequestState.PREFILL, RequestState.ABORTED}),
    # The first token may be the last.
    RequestState.PREFILL: frozenset({RequestState.DECODE}) | _ENDS,
    RequestState.DECODE: _ENDS,
    **{end: frozenset() for end in _ENDS},
}


def advance(old: RequestState, new: RequestState) -> RequestState:
    """Return ``new`` if a request may go there from ``old``.

    Raises:
        InvariantError: the table does not have that move.
    """
    if new not in TRANSITIONS[old]:
        raise InvariantError(f"a request cannot go from {old.value} to {new.value}")
    return new
