"""Plays searches on the virtual clock with an oracle, and watches that no node is in two tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from batchtui.engine.machine import Configured, Event, Failure, Input, Replied, Work
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import Inventory, Node, numbered
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import GroupTest, ProbeResult, Verdict
from batchtui.engine.nodes.report import Report, report_of
from batchtui.engine.nodes.search import Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.nodes.strategies.strategy import MakeStrategy
from batchtui.engine.simulate import Simulation, TimedFeed

SECOND = 1_000_000
TEST = 40 * SECOND

Oracle = Callable[[GroupTest], Verdict | Failure]
Duration = Callable[[GroupTest, bool], int]


@dataclass
class Played:
    """A search that is over: its report, its events, and when each test was begun."""

    search: Search
    events: list[Event]
    begun: list[tuple[int, GroupTest]] = field(default_factory=list)
    most_at_once: int = 0

    @property
    def report(self) -> Report:
        return report_of(self.search.state)

    @property
    def launches(self) -> int:
        """At how many moments tests were begun."""
        return len({at for at, _ in self.begun})

    def said(self, kind: type[Event]) -> list[Any]:  # of that kind, whatever its fields
        return [event for event in self.events if isinstance(event, kind)]


def truth(bad: Iterable[int]) -> Oracle:
    """What a perfect probe says."""
    known = frozenset(bad)
    return lambda test: "fail" if known & {*test.nodes} else "pass"


def lying(
    bad: Iterable[int], alarms: float, misses: float, seed: int, link: Iterable[int] = ()
) -> Oracle:
    """A probe that errs: a healthy set fails with one chance, one with a bad node passes with the
    other. Two nodes of a ``link`` never pass together."""
    known, broken, rng = frozenset(bad), frozenset(link), Random(seed)

    def answer(test: GroupTest) -> Verdict:
        nodes = {*test.nodes}
        is_bad = bool(known & nodes or (broken and broken <= nodes))
        lies = rng.random() < (misses if is_bad else alarms)
        return "fail" if is_bad != lies else "pass"

    return answer


def scripted(verdicts: Sequence[Verdict]) -> Oracle:
    """These answers in turn and over again, whatever is asked."""
    asked = iter(range(1 << 62))
    return lambda test: verdicts[next(asked) % len(verdicts)]


def inventory(priors: Sequence[float], excluded: Iterable[int] = ()) -> Inventory:
    nodes = tuple(Node(name=f"n{i}", prior=prior) for i, prior in enumerate(priors))
    return Inventory(nodes=nodes, excluded=frozenset(excluded))


def play(
    nodes: int | Inventory,
    oracle: Oracle | Iterable[int],
    strategy: str = "fewest-tests",
    *,
    make: MakeStrategy | None = None,
    duration: Duration = lambda test, passed: TEST,
    options: Iterable[tuple[int, NodesOptions]] = (),
    most_tests: int = 20_000,
    observed: bool = True,
    **config: Any,  # of NodesConfig
) -> Played:
    """Search to the end; ``options`` are changes with their times.

    The oracle is asked when a test begins; every rule is watched on the way.
    """
    asks = oracle if callable(oracle) else truth(oracle)
    stock = numbered(nodes) if isinstance(nodes, int) else nodes
    setup = NodesConfig(inventory=stock, strategy=strategy, **config)
    search = Search(setup, (lambda name: make) if make else strategy_named, observed=observed)
    played = Played(search, [])
    running: list[tuple[int, GroupTest]] = []  # with the time at which each ends

    def perform(work: Work) -> list[tuple[int, Input]]:
        now, spec = simulation.now, work.spec
        running[:] = [each for each in running if each[0] > now]
        busy = {node for _, test in running for node in test.nodes}
        assert busy.isdisjoint(spec.nodes), f"{busy & {*spec.nodes}} would be in two tests"
        assert len({*spec.nodes}) == len(spec.nodes) >= 2
        assert len(played.begun) < most_tests, "it does not end"
        answer = asks(spec)
        lasts = duration(spec, answer == "pass")
        running.append((now + lasts, spec))
        played.begun.append((now, spec))
        played.most_at_once = max(played.most_at_once, len(running))
        body = answer if isinstance(answer, Failure) else ProbeResult(verdict=answer)
        return [(lasts, Replied(work=work.id, body=body))]

    changes = [Configured(at=at, body=body) for at, body in options]
    simulation = Simulation(search, perform, TimedFeed(changes))
    for turn in simulation:
        played.events += turn.events
    assert search.status == "done"
    return played


def assert_right(played: Played, num_nodes: int, bad: set[int]) -> None:
    """No wrong verdict; all named where two or more are good; else as much as can be known."""
    findings = played.report.findings
    assert not {*findings.good} & bad
    assert {*findings.bad} <= bad
    if num_nodes - len(bad) >= 2:
        assert {*findings.bad} == bad
        assert not findings.undetermined
        assert played.report.tests > len(bad)  # a failing one for each, and one that passed
    elif num_nodes > 1:
        assert findings.at_most_one_good
