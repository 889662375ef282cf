"""Runs a recording again, on the machine that its system makes anew."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from batchtui.engine.debugger.replay import Difference, Replayed
from batchtui.engine.errors import IncomparableError
from batchtui.plugins.recordings.recording import AnyRecording


def verify(recording: AnyRecording) -> Replayed:
    """Run a recording again, and say how far it came out the same.

    Raises:
        IncomparableError: it keeps no texts.
        InputError: its chunks cannot be read.
    """
    return deque(verifying(recording), maxlen=1).pop()


def verifying(recording: AnyRecording) -> Iterator[Replayed]:
    """The same, turn by turn, for whoever shows how far it is."""
    header = recording.header
    if header.texts != "full":
        raise IncomparableError("this recording keeps no texts: it can be looked at, not run again")
    replay = recording.system.replay(header)
    yield Replayed(0, 0)
    for difference in replay.differences(recording.turns()):
        yield Replayed(replay.num_turns, replay.num_events, _unless_cut(difference, recording))


def _unless_cut(difference: Difference | None, recording: AnyRecording) -> Difference | None:
    """A file may end between two events of its last turn: what is not there, differs from
    nothing."""
    if difference is None or difference.turn < recording.timeline.num_turns:
        return difference
    is_cut = not difference.why and difference.recorded is None
    return None if is_cut else difference
