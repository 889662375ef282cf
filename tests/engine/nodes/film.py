"""Searches on the virtual clock, their timelines in memory, and what there was to see in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

import msgspec
from hypothesis import strategies as st

from batchtui.engine.debugger.cursor import Cursor
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.engine.machine import Configured, Failure, Input, Replied, Work
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.entries import CODEC
from batchtui.engine.nodes.explain.why import Explanation, explain
from batchtui.engine.nodes.history import NodesHistory
from batchtui.engine.nodes.inventory import Inventory, Node
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import GroupTest, ProbeResult, Verdict
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.nodes.view import NodesView
from batchtui.engine.simulate import Simulation, TimedFeed

MOST = 12
"""What a chunk weighs in tests: so that short searches have several."""

PASS_US, FAIL_US = 40_000_000, 100_000_000

NOTHING: tuple[Verdict, ...] = ("inconclusive",) * 20
"""More tests that prove nothing than a small search makes."""

Answer = Callable[[GroupTest], ProbeResult | Failure]


def named(count: int) -> Inventory:
    """Nodes a, b, c ..."""
    return Inventory(nodes=tuple(Node(name=chr(97 + i)) for i in range(count)))


def config(count: int, strategy: str = "fewest-rounds", **options: object) -> NodesConfig:
    made = {"inventory": named(count), "strategy": strategy, **options}
    return msgspec.convert(made, NodesConfig)


def faultless(bad: Iterable[int]) -> Answer:
    """A probe that always tells the truth about these bad nodes."""
    wrong = set(bad)

    def answer(test: GroupTest) -> ProbeResult:
        return verdict("fail" if wrong & set(test.nodes) else "pass")

    return answer


def scripted(*verdicts: Verdict) -> Answer:
    """A probe that answers so, one after the other; then everything passes."""
    rest = iter(verdicts)
    return lambda test: verdict(next(rest, "pass"))


def verdict(said: Verdict) -> ProbeResult:
    if said == "pass":
        return ProbeResult(verdict=said, seconds=PASS_US / 1e6, busbw_gbs=300.0)
    return ProbeResult(verdict=said, seconds=FAIL_US / 1e6, reason="timeout")


def unreliable(bad: Iterable[int], seed: int) -> Answer:
    """A probe that sometimes lies, breaks, or says nothing."""
    truth, rng = faultless(bad), Random(seed)

    def answer(test: GroupTest) -> ProbeResult | Failure:
        luck = rng.random()
        if luck < 0.15:
            return Failure(kind="raise")
        if luck < 0.3:
            return verdict(rng.choice(("pass", "fail")))
        return truth(test)

    return answer


def liar(bad: Iterable[int], seed: int, alarms: float = 0.2, misses: float = 0.2) -> Answer:
    """A probe that always says something, and now and then the opposite of what is so."""
    truth, rng = frozenset(bad), Random(seed)

    def answer(test: GroupTest) -> ProbeResult:
        is_bad, luck = bool(truth & {*test.nodes}), rng.random()
        lies = luck < (misses if is_bad else alarms)
        return verdict("fail" if is_bad != lies else "pass")

    return answer


class Lines:
    """A log that keeps its chunks as lines."""

    def __init__(self, history: NodesHistory) -> None:
        self._chunker = Chunker(MOST)
        self._history = history
        self._chunks: list[list[Entry]] = [[]]

    def add(self, record: TurnRecord) -> None:
        self._chunks[-1] += record.entries
        if self._chunker.add(self._history.weigh(record)):
            self._chunks.append([])

    def read(self, chunk: int) -> Iterable[Entry]:
        entries = msgspec.json.Encoder().encode_lines(self._chunks[chunk])
        return CODEC.whole.decode_lines(entries)


@dataclass
class Film:
    """A search and its timeline; ``seen`` are the view's bytes by moment."""

    config: NodesConfig
    answer: Answer
    inputs: Sequence[Input] = ()
    late: bool = False
    checks: list[Callable[[Film], None]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.history = NodesHistory(self.config)
        self._log = Lines(self.history)
        self.timeline: Timeline[NodesView] = Timeline(self.history, self._log, Chunker(MOST))
        self.seen = [encoded(self.timeline.view)]
        self.records: list[TurnRecord] = []
        self.search = Search(self.config, strategy_named)
        self.recorder = Recorder(self.search, watch=self._watch)
        self.simulation = Simulation(self.recorder, self._perform, TimedFeed(self.inputs))

    def _perform(self, work: Work) -> Iterable[tuple[int, Input]]:
        body = self.answer(work.spec)
        took = round(body.seconds * 1e6) if isinstance(body, ProbeResult) else 1_000
        yield took, Replied(work=work.id, body=body)
        if self.late:
            yield 2 * took, Replied(work=work.id, body=body, final=False, late=True)

    def _watch(self, record: TurnRecord) -> None:
        self.records.append(record)
        self._log.add(record)
        self.timeline.add(record)
        self.seen.append(encoded(self.view))

    def run(self, turns: int = 1 << 30) -> Film:
        """Go on by so many turns, or to the end."""
        for _ in range(turns):
            if self.simulation.advance() is None:
                break
            for check in self.checks:
                check(self)
        return self

    @property
    def view(self) -> NodesView:
        return self.timeline.view

    @property
    def turn(self) -> int:
        return self.timeline.num_turns

    def check_walks(self) -> None:
        """Every moment, gone back to and forward again, shows what it showed."""
        cursor = Cursor(self.timeline)
        while cursor.back_phase():
            assert encoded(cursor.view) == self.seen[cursor.turn]
        assert cursor.turn == 0
        while cursor.forward_phase():
            assert encoded(cursor.view) == self.seen[cursor.turn]

    def why(self, node: int, turn: int | None = None) -> Explanation:
        """The explanation of a moment; of a past one with what came later."""
        at = self.turn if turn is None else turn
        head = None if turn is None else self.view
        told = explain(node, at, self.timeline.view_at(at), self.history, head=head)
        assert told is not None
        return told

    def words(self, node: int, label: str, turn: int | None = None) -> str:
        """What one label of an explanation says."""
        reasons = self.why(node, turn).reasons
        return " | ".join(reason.words for reason in reasons if reason.label == label)


def encoded(view: NodesView) -> bytes:
    return msgspec.json.encode(view)


def configured(at: int, **options: object) -> Configured[NodesOptions]:
    return Configured(at=at, body=msgspec.convert(options, NodesOptions), by_hand=True)


@st.composite
def films(draw: st.DrawFn) -> Film:
    """Any search: few lanes or many, a probe that may lie or break, options that change."""
    count = draw(st.integers(1, 12))
    nodes = st.integers(0, count - 1)
    bad = draw(st.sets(nodes))
    strategies = st.sampled_from(("fewest-tests", "fewest-rounds", "anchor"))
    inventory = msgspec.structs.replace(
        named(count), excluded=frozenset(draw(st.sets(nodes, max_size=2)))
    )
    made = NodesConfig(
        inventory=inventory,
        strategy=draw(strategies),
        confirms=draw(st.booleans()),
        seed=draw(st.integers(0, 9)),
        max_parallel=draw(st.sampled_from((None, 1, 2))),
        timeout_us=200_000_000,
        time_budget_us=draw(st.sampled_from((None, 600_000_000, 4_000_000_000))),
    )
    lies, seed = draw(st.sampled_from((None, liar, unreliable))), draw(st.integers(0, 99))
    answer = faultless(bad) if lies is None else lies(bad, seed)
    changes = [
        configured(
            at,
            exclude=draw(st.lists(nodes, max_size=2)),
            strategy=draw(st.none() | strategies),
            max_parallel=draw(st.none() | st.integers(1, 3)),
        )
        for at in sorted(draw(st.lists(st.integers(0, 400_000_000), max_size=2)))
    ]
    return Film(made, answer, changes, late=draw(st.booleans()))
