"""Inputs of every kind at any moment: nothing may raise, be lost, or happen twice."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.matcher import Rules
from tests.engine.batching.table import EOS, Letters, letters, request, table_of

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.policies import Fcfs, Priority
from batchtui.engine.batching.request import Request, Result, TokenLogprob
from batchtui.engine.batching.view import BatchView
from batchtui.engine.machine import Failure, Input, Replied, Submitted, Work
from batchtui.engine.model import Key, Reply

EXTRA = {30: b"\xc3", 31: b"\xa9", 32: b"\xff"}
Act = tuple[str, int, str]

_RARER = ["submit", "submit", "abort", "fail", "late", "again", "swap", "short", "odd"]
_acts: st.SearchStrategy[list[Act]] = st.lists(
    st.tuples(
        st.sampled_from([*["turn"] * 6, *_RARER]),
        st.integers(0, 7),
        st.text("abc.", max_size=3),
    ),
    min_size=10,
    max_size=90,
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

    def act(self, act: Act) -> None:
        kind, number, text = act
        self.now += number
        if kind == "submit":
            self.submit(number, text)
        elif kind == "abort":
            self.desk.abort(f"r{number % 4}")
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
        self.desk.decoder.take(input)

    def turn(self) -> None:
        turn = self.desk.turn(self.now)
        self.unanswered += turn.start
        for event in turn.events:
            self.view.fold(event)

    def finish(self) -> None:
        for _ in range(5_000):
            if self.unanswered:
                self.answer("whole", 3, ".")
            elif self.desk.decoder.status == "ready":
                self.turn()
            else:
                return
        raise AssertionError("it does not come to an end")


def told(keys: list[Key], tokens: list[list[int]]) -> Reply:
    """A reply that says whose each token is: its figure is the slot and the generation."""
    logprobs: list[list[TokenLogprob] | None] = [
        [TokenLogprob(token, -float(slot), ((generation, 0.0),)) for token in new]
        for (slot, generation, _), new in zip(keys, tokens, strict=True)
    ]
    return Reply(keys, tokens, logprobs=logprobs)


def check_logprobs(asked: Request, result: Result) -> None:
    """Whoever asked has those of the tokens that were kept, and all are its own."""
    if asked.params.logprobs is None:
        assert result.logprobs is None
        return
    assert result.logprobs is not None
    assert [entry.token_id for entry in result.logprobs] == result.token_ids
    for entry in result.logprobs:
        assert (entry.logprob, entry.top[0][0]) == (-(result.slot or 0), result.generation)


def expected_text(asked: Request, result: Result) -> str:
    """What a plain matcher shows of the tokens that were kept."""
    params = asked.params
    include = params.include_stop_str_in_output
    rules = Rules(params.stops, frozenset(), frozenset({EOS}), params.min_tokens, include)
    known = [token for token in result.token_ids if token != 99]
    data = [(token, Letters(EXTRA).token_bytes(token)) for token in known]
    seen = rules.watch(data)
    if seen and seen[-1].ended:
        assert result.finish_reason == "stop"
        return "".join(each.text for each in seen)
    assert result.finish_reason != "stop"
    return b"".join(each for _, each in data).decode("utf-8", "replace")


def check_ends(play: Play) -> None:
    desk = play.desk
    ended = Counter(result.index for result in desk.heard.results)
    assert ended == Counter(range(len(play.requests)))
    shown: dict[str, str] = dict.fromkeys((asked.request_id for asked in play.requests), "")
    for result in desk.heard.results:
        assert result.text == expected_text(play.requests[result.index], result)
        check_logprobs(play.requests[result.index], result)
        assert "".join(result.deltas) == result.text
        shown[result.request_id] += result.text
    heard: Counter[str] = Counter()
    for request_id, delta in desk.heard.texts:
        assert delta
        heard[request_id] += len(delta)
    assert heard == {name: len(text) for name, text in shown.items() if text}


def play_out(acts: list[Act], *, by_priority: bool, options: dict[str, int]) -> None:
    play = Play(by_priority=by_priority, **options)
    for act in acts:
        play.act(act)
    play.finish()
    check_ends(play)
    assert play.desk.decoder.intake.living == {}
    assert (play.view.num_resident, len(play.view.waiting), play.view.kv_used) == (0, 0, 0)
    assert play.view.totals.dropped_rows == play.desk.decoder.counters.stale_rows


_options = st.fixed_dictionaries(
    {
        "max_num_seqs": st.integers(1, 4),
        "max_retries": st.integers(0, 2),
        "max_empty_replies": st.integers(1, 3),
    },
    optional={"num_gpu_blocks": st.integers(2, 5), "block_size": st.integers(3, 9)},
)


@settings(max_examples=300)
@given(acts=_acts, by_priority=st.booleans(), options=_options)
def test_every_request_ends_once_with_the_text_of_its_own_tokens(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    play_out(acts, by_priority=by_priority, options=options)


@pytest.mark.soak
@settings(max_examples=20_000, derandomize=False)
@given(acts=_acts, by_priority=st.booleans(), options=_options)
def test_thousands_of_random_runs_end_every_request_once(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    play_out(acts, by_priority=by_priority, options=options)
