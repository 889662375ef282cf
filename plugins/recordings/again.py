"""Makes of a recording the machine that it was recorded of, to be run again."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.events import ListenerFailed
from batchtui.engine.batching.request import Result
from batchtui.engine.batching.vocabulary import RecalledVocabulary
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.replay import Difference, Replay, Replayed
from batchtui.engine.errors import IncomparableError
from batchtui.plugins.recordings.header import config_of
from batchtui.plugins.recordings.recording import Recording
from batchtui.plugins.runs import UNIT, policy_named


class _Failing:
    """A listener that raises where the one of the recorded run did."""

    def __init__(self) -> None:
        self.due: deque[ListenerFailed] = deque()

    def text(self, request_id: str, delta: str) -> None:
        """A delta came."""
        if self.due and self.due[0].request_id == request_id:
            raise type(self.due.popleft().error, (Exception,), {})()

    def finished(self, result: Result) -> None:
        """A request ended."""
        self.text(result.request_id, "")


def verify(recording: Recording) -> Replayed:
    """Run a recording again, and say how far it came out the same.

    Raises:
        IncomparableError: it keeps no texts.
        InputError: its chunks cannot be read.
    """
    return deque(verifying(recording), maxlen=1).pop()


def verifying(recording: Recording) -> Iterator[Replayed]:
    """The same, turn by turn, for whoever shows how far it is."""
    header = recording.header
    if header.texts != "full":
        raise IncomparableError("this recording keeps no texts: it can be looked at, not run again")
    vocabulary, listener = RecalledVocabulary(header.eos_token_ids), _Failing()
    decoder = Decoder(
        config_of(header, "line 1"),
        vocabulary,
        policy_named(header.policy),
        policies=policy_named,
        listener=listener,
        unit=UNIT,
    )
    replay = Replay(decoder, vocabulary)
    yield Replayed(0, 0)
    for difference in replay.differences(_armed(recording, listener)):
        yield Replayed(replay.num_turns, replay.num_events, _unless_cut(difference, recording))


def _armed(recording: Recording, listener: _Failing) -> Iterator[TurnRecord]:
    for record in recording.turns():
        listener.due.extend(each for each in record.entries if isinstance(each, ListenerFailed))
        yield record


def _unless_cut(difference: Difference | None, recording: Recording) -> Difference | None:
    """A file may end between two events of its last turn: what is not there, differs from
    nothing."""
    if difference is None or difference.turn < recording.timeline.num_turns:
        return difference
    is_cut = not difference.why and difference.recorded is None
    return None if is_cut else difference
