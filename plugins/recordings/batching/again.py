"""Makes of a recording's header the decoder that was recorded, to be run again."""

from __future__ import annotations

from collections import deque

from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.events import ListenerFailed
from batchtui.engine.batching.request import Result
from batchtui.engine.batching.vocabulary import RecalledVocabulary
from batchtui.engine.debugger.recording import Header, TurnRecord
from batchtui.engine.debugger.replay import Replay
from batchtui.plugins.recordings.batching.header import config_of
from batchtui.plugins.runs import UNIT, policy_named


class _Failing:
    """A listener that raises where the one of the recorded run did."""

    def __init__(self) -> None:
        self.due: deque[ListenerFailed] = deque()

    def forewarn(self, record: TurnRecord) -> None:
        """This turn is the next."""
        self.due.extend(each for each in record.entries if isinstance(each, ListenerFailed))

    def text(self, request_id: str, delta: str) -> None:
        """A delta came."""
        if self.due and self.due[0].request_id == request_id:
            raise type(self.due.popleft().error, (Exception,), {})()

    def finished(self, result: Result) -> None:
        """A request ended."""
        self.text(result.request_id, "")


def replay_of(header: Header) -> Replay:
    """A new decoder, set up as the header says.

    Raises:
        InputError: the header makes no sense.
    """
    vocabulary, listener = RecalledVocabulary(header.eos_token_ids), _Failing()
    decoder = Decoder(
        config_of(header, "line 1"),
        vocabulary,
        policy_named(header.policy),
        policies=policy_named,
        listener=listener,
        unit=UNIT,
    )
    return Replay(decoder, vocabulary, listener.forewarn)
