"""Inputs of every kind at any moment, played at a table."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.engine.batching.film import Film, order
from tests.engine.batching.table import letters, request, table_of

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.policies import Fcfs, Priority
from batchtui.engine.batching.request import Request, TokenLogprob
from batchtui.engine.batching.shown import ENDED
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.machine import (
    Aborted,
    Configured,
    Failure,
    Input,
    Replied,
    Submitted,
    Work,
)
from batchtui.engine.model import Key, Reply

EXTRA = {30: b"\xc3", 31: b"\xa9", 32: b"\xff"}
Act = tuple[str, int, str]

_RARER = ["submit", "submit", "abort", "fail", "late", "again", "swap", "short", "odd"]
_CHANGES = ["slots", "slots", "order"]
ACTS: st.SearchStrategy[list[Act]] = st.lists(
    st.tuples(
        st.sampled_from([*["turn"] * 6, *_RARER, *_CHANGES]),
        st.integers(0, 7),
        st.text("abc.", max_size=3),
    ),
    min_size=10,
    max_size=90,
)

OPTIONS = st.fixed_dictionaries(
    {
        "max_num_seqs": st.integers(1, 4),
        "max_retries": st.integers(0, 2),
        "max_empty_replies": st.integers(1, 3),
    },
    optional={"num_gpu_blocks": st.integers(2, 5), "block_size": st.integers(3, 9)},
)


class Play:
    """Plays acts at a table, answers every call in the end, and keeps what was submitted."""

    def __init__(self, *, by_priority: bool, **options: int) -> None:
        policy = Priority() if by_priority else Fcfs()
        self.desk = table_of(BatchingConfig(**options), policy=policy, extra=EXTRA)
        config = self.desk.decoder.config
        self.view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, policy)
        self.requests: list[Request] = []
        self.unanswered: list[Work] = []
        self.given_up: list[Work] = []
        self.now = 0
        self.recorder = Recorder(self.desk.decoder)

    def act(self, act: Act) -> None:
        kind, number, text = act
        self.now += number
        if kind == "submit":
            self.submit(number, text)
        elif kind == "abort":
            self.take(Aborted(target=f"r{number % 4}"))
        elif kind == "slots":
            self.take(Configured(body=Options(max_num_seqs=1 + number % 6)))
        elif kind == "order":
            self.take(Configured(body=Options(policy=["fcfs", "priority"][number % 2])))
        elif kind == "again" and self.given_up:
            work = self.given_up[number % len(self.given_up)]
            body = self.body(work.spec.keys, number, text)
            self.take(Replied(work=work.id, body=body, final=False, late=True))
        elif self.unanswered and kind != "turn":
            self.answer(kind, number, text)
        elif self.desk.decoder.status == "ready":
            self.turn()
        elif self.unanswered:
            self.answer("whole", number, text)

    def submit(self, number: int, text: str) -> None:
        stops = tuple(filter(None, {text.replace(".", ""), "é"[: number % 2]}))
        asked = request(
            f"r{number % 4}",
            index=len(self.requests),
            prompt=number,
            stop=stops,
            min_tokens=number % 3,
            max_tokens=3 + number,
            include_stop_str_in_output=number == 5,
            deadline_us=[None, None, 3, 40][number % 4],
            arrival_us=self.now,
            priority=-number,
            logprobs=[None, 0][number % 2],
        )
        self.requests.append(asked)
        self.take(Submitted(body=asked))

    def answer(self, kind: str, number: int, text: str) -> None:
        work = self.unanswered.pop()
        body: Reply | Failure = self.body(work.spec.keys, number, text)
        assert isinstance(body, Reply)
        if kind in ("fail", "late"):
            self.given_up.append(work)
            body = Failure(kind="timeout")
        elif kind == "short":
            body = Reply(body.keys[1:], body.tokens[1:], logprobs=(body.logprobs or [])[1:])
        elif kind == "swap":
            swapped = (body.logprobs or [])[::-1]
            body = Reply(body.keys[::-1], body.tokens[::-1], logprobs=swapped)
        elif kind == "odd":
            body = told(body.keys, [[99], *body.tokens[1:]])
        else:
            self.given_up.append(work)
        self.take(Replied(work=work.id, body=body))

    @staticmethod
    def body(keys: list[Key], number: int, text: str) -> Reply:
        """The same tokens for all, or others for every second row."""
        new = letters(text) + [30 + number % 3] * (number > 4)
        tokens = [new if slot % 2 or number % 2 else letters("a") for slot, _, _ in keys]
        return told(list(keys), [list(each) for each in tokens])

    def take(self, input: Input) -> None:
        self.recorder.take(input)

    def turn(self) -> None:
        turn = self.recorder.turn(self.now)
        self.desk.invariants.check()
        self.unanswered += turn.start
        for event in turn.events:
            self.view.fold(event)
        check_view(self.view, self.desk.decoder)

    def finish(self) -> None:
        for _ in range(5_000):
            if self.unanswered:
                self.answer("whole", 3, ".")
            elif self.desk.decoder.status == "ready":
                self.turn()
            else:
                return
        raise AssertionError("it does not come to an end")


def filmed(play: Play, acts: list[Act]) -> Film:
    """Play to the end and remember every moment."""
    config, policy = play.desk.decoder.config, play.desk.decoder.scheduler.queue.policy
    film = Film(BatchHistory(config.max_num_seqs, config.num_gpu_blocks, policy))
    play.recorder.watch = film.watch
    for act in acts:
        play.act(act)
    play.finish()
    return film


def check_view(view: BatchView, decoder: Decoder) -> None:
    """The view agrees with the decoder; a slot that has emptied may be shown for longer."""
    slots, config = decoder.scheduler.slots, decoder.config
    assert len(view.slots) >= len(slots)
    for slot, shown in zip(slots, view.slots, strict=False):
        assert (slot.index, slot.generation) == (shown.index, shown.generation)
        assert shown.is_resident == (slot.resident is not None)
    for place, shown in enumerate(view.slots):
        assert shown.retiring == (place >= config.max_num_seqs)
        assert place < len(slots) or shown.state == ENDED
    waiting = [entry.request.request_id for entry in decoder.scheduler.queue.first(99)]
    assert order(view) == waiting


def told(keys: list[Key], tokens: list[list[int]]) -> Reply:
    """A reply that says whose each token is: its figure is the slot and the generation."""
    logprobs: list[list[TokenLogprob] | None] = [
        [TokenLogprob(token, -float(slot), ((generation, 0.0),)) for token in new]
        for (slot, generation, _), new in zip(keys, tokens, strict=True)
    ]
    return Reply(keys, tokens, logprobs=logprobs)
