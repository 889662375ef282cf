"""Makes a fork: a session that goes the same way as another up to a moment, then its own."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeVar

from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.errors import WorkError
from batchtui.engine.machine import Input
from batchtui.tui.session import Session

SessionT = TypeVar("SessionT", bound=Session[Any])


def forked(session: SessionT) -> SessionT:
    """Make a session that goes the same way as another up to where one looks there.

    It is not there yet: ``rehearsal`` takes it there, a turn at a time. What was done by hand is
    done again in the turns in which it was.

    Raises:
        InputError, PluginError: it cannot be run again.
    """
    assert session.refork is not None
    turn = session.debugger.cursor.turn
    fork = session.refork(session.answered(turn))
    past = session.debugger.timeline.records(0, turn)
    pending = [] if session.in_past else session.pending
    fork.rehearsal = _rehearse(fork, past, pending, shares=session.shares_backend(fork))
    return fork


def _rehearse(
    fork: Session[Any], past: Iterable[TurnRecord], pending: Iterable[Input], *, shares: bool
) -> Generator[None, None, None]:
    """Whoever closes it on the way, or sees it fail, gives the fork up."""
    try:
        for record in past:
            for input in record.inputs:
                if input.by_hand:
                    fork.do(input)
            if not fork.advance_phase():
                raise WorkError(f"the fork ends at step {fork.step}, before it is there")
            yield
        for input in pending:
            fork.do(input)
    except BaseException:  # GeneratorExit too
        fork.close(and_backend=not shares)
        raise
