"""The machine: replies late and twice, timeouts, what proves nothing, lanes, the time budget."""

from __future__ import annotations

import msgspec
import pytest
from tests.engine.nodes.play import SECOND, TEST, inventory, play

from batchtui.engine.machine import Configured, Failure, Replied, Work
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.probe import GroupTest, ProbeResult, Verdict
from batchtui.engine.nodes.search import PHASES, Search
from batchtui.engine.nodes.strategies.named import strategy_named
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal


class _Stepped:
    """A search that is moved by hand."""

    def __init__(self, num_nodes: int, strategy: str = "fewest-rounds", **config: object) -> None:
        made = {"inventory": numbered(num_nodes), "strategy": strategy, **config}
        self.search = Search(msgspec.convert(made, NodesConfig), strategy_named)
        self.now = 0

    def step(self) -> list[Work]:
        """Go on until tests are begun, or nothing can be done."""
        while self.search.status == "ready":
            turn = self.search.turn(self.now)
            if turn.start:
                return turn.start
        return []

    def is_done(self) -> bool:
        return self.search.status == "done"

    def reply(self, work: int, verdict: Verdict = "pass", *, late: bool = False) -> None:
        self.search.take(Replied(work=work, body=ProbeResult(verdict=verdict), late=late))


def test_the_phases_follow_one_another_and_a_step_is_one_of_each() -> None:
    stepped = _Stepped(4)
    search = stepped.search
    phases = [search.turn(0).phase, search.turn(0).phase]
    assert search.status == "waiting"
    stepped.reply(1)
    phases.append(search.turn(1).phase)
    assert tuple(phases) == PHASES == search.phases
    assert search.step == 1


def test_a_reply_that_comes_twice_is_discarded_visibly() -> None:
    stepped = _Stepped(4)
    stepped.step()
    stepped.reply(1, "pass")
    stepped.reply(1, "fail")
    events = stepped.search.turn(0).events
    assert [event.test for event in events if isinstance(event, said.ReplyDiscarded)] == [1]
    assert stepped.search.state.num_discarded == 1
    assert stepped.search.state.board.ledger.nodes_of(1) == [0, 1]


def test_a_late_reply_to_a_test_that_timed_out_changes_nothing() -> None:
    stepped = _Stepped(4)
    stepped.step()
    stepped.search.take(Replied(work=1, body=Failure(kind="timeout")))
    stepped.search.turn(0)
    stepped.reply(1, "pass", late=True)
    stepped.reply(2, "pass")
    stepped.step()
    assert stepped.search.state.num_discarded == 1
    assert list(stepped.search.state.board.ledger.unanswered()) == [(0, 1)]


def test_a_reply_to_a_test_that_never_was_is_discarded() -> None:
    stepped = _Stepped(4)
    stepped.step()
    stepped.reply(99)
    stepped.search.turn(0)
    assert stepped.search.state.num_discarded == 1


def test_replies_that_come_when_the_search_is_over_are_still_counted() -> None:
    stepped = _Stepped(2)
    stepped.step()
    stepped.reply(1)
    stepped.step()
    assert stepped.is_done()
    stepped.reply(1, late=True)
    assert not stepped.is_done()
    stepped.step()
    assert stepped.is_done()
    assert stepped.search.state.num_discarded == 1


def test_a_timeout_is_a_failure_and_a_broken_probe_proves_nothing() -> None:
    hung = play(4, lambda test: Failure(kind="timeout") if 0 in test.nodes else "pass")
    assert hung.report.findings.bad == [0]
    assert any(each.reason == "timeout" for each in hung.said(said.TestEnded))
    broken = play(4, lambda test: Failure(kind="raise"))
    assert broken.report.ended == "inconclusive"
    assert broken.report.findings.undetermined == [0, 1, 2, 3]
    assert broken.report.findings.bad == []


def test_what_proved_nothing_is_made_again_and_counted_once() -> None:
    answers = iter(["inconclusive", "pass"])
    played = play(2, lambda test: next(answers))  # type: ignore[arg-type]
    assert [test.attempt for _, test in played.begun] == [1, 2]
    assert [each.again for each in played.said(said.TestEnded)] == [True, False]
    assert played.report.tests == 1
    assert played.search.state.num_made == 2
    assert played.report.findings.good == [0, 1]


def test_it_is_made_so_often_and_no_more() -> None:
    def oracle(test: GroupTest) -> Verdict:
        return "inconclusive" if 2 in test.nodes else "pass"

    played = play(4, oracle, "anchor", max_attempts=4)
    attempts = [test.attempt for _, test in played.begun if 2 in test.nodes]
    assert attempts == [1, 2, 3, 4]
    assert [each.node for each in played.said(said.NodeAbandoned)] == [2]
    assert played.report.findings.good == [0, 1, 3]


@pytest.mark.parametrize("strategy", ["fewest-tests", "fewest-rounds", "anchor"])
def test_nothing_is_begun_that_might_outlast_the_time_budget(strategy: str) -> None:
    budget = 300 * SECOND
    played = play(
        64,
        {*range(0, 64, 3)},
        strategy,
        max_parallel=3,
        time_budget_us=budget,
        timeout_us=100 * SECOND,
    )
    assert played.report.ended == "time_budget"
    assert max(at for at, _ in played.begun) + 100 * SECOND <= budget
    assert played.report.makespan_s * SECOND <= budget
    assert played.report.findings.undetermined


def test_a_node_is_used_again_as_soon_as_its_test_has_ended() -> None:
    def duration(test: GroupTest, passed: bool) -> int:
        return 500 * SECOND if 7 in test.nodes else TEST

    played = play(8, {2}, "fewest-rounds", duration=duration)
    first = [test.nodes for at, test in played.begun if at == 0]
    assert first == [(0, 1), (2, 3), (4, 5), (6, 7)]
    # The pair of the bad one failed: both are tested again while the slow pair still runs.
    again = [at for at, test in played.begun if at and {2, 3} & {*test.nodes}]
    assert again == [TEST, TEST]


def test_lanes_are_the_lowest_free_ones() -> None:
    played = play(16, {1}, "fewest-rounds", max_parallel=3)
    assert played.most_at_once == 3
    assert {each.lane for each in played.said(said.TestStarted)} == {0, 1, 2}


def test_fewer_lanes_hold_from_the_next_test_on() -> None:
    played = play(
        32,
        {*range(0, 32, 5)},
        "fewest-rounds",
        max_parallel=8,
        options=[(1, NodesOptions(max_parallel=2))],
    )
    starts = [at for at, _ in played.begun]
    assert starts.count(0) == 8
    assert max(starts.count(at) for at in {*starts} - {0}) == 2


def test_who_is_excluded_while_it_is_tested_is_not_tested_again() -> None:
    played = play(8, {0}, options=[(1, NodesOptions(exclude=(0, 5)))])
    assert all({0, 5}.isdisjoint(test.nodes) for at, test in played.begun if at > 1)
    assert [each.nodes for each in played.said(said.NodesExcluded)] == [(0, 5)]
    assert {*played.report.findings.good} == {1, 2, 3, 4, 6, 7}


def test_a_change_at_the_same_time_as_a_reply_is_taken_in_before_the_next_plan() -> None:
    stepped = _Stepped(8)
    stepped.step()
    stepped.search.take(Configured(at=0, body=NodesOptions(strategy="anchor")))
    for work in range(1, 5):
        stepped.reply(work, "fail" if work == 1 else "pass")
    assert len(stepped.step()) == 1
    assert stepped.search.state.strategy_name == "anchor"


class _Stubborn:
    """Proposes the same sets whatever is known."""

    def __init__(self, sets: list[tuple[int, ...]]) -> None:
        self._sets = sets

    def propose(self, room: int) -> list[Proposal]:
        return [Proposal(nodes, "I say so") for nodes in self._sets]

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        self._sets = []

    def left(self) -> Estimate:
        return Estimate(0, 0)


@pytest.mark.parametrize(
    ("nodes", "rule"),
    [
        ((4,), "set_too_small"),
        ((0, 99), "unknown_node"),
        ((0, 0), "overlapping_tests"),
        ((0, 5), "node_excluded"),
    ],
)
def test_a_set_that_breaks_a_rule_is_never_begun(nodes: tuple[int, ...], rule: str) -> None:
    played = play(inventory([1.0] * 6, {5}), set(), make=lambda board: _Stubborn([nodes]))
    assert played.begun == []
    assert [each.rule for each in played.said(said.TestRefused)] == [rule]
    assert played.report.ended == "refused"


def test_of_two_sets_that_share_a_node_only_the_first_is_begun() -> None:
    def make(board: Board) -> _Stubborn:
        return _Stubborn([(0, 1), (1, 2), (2, 3)])

    played = play(6, set(), make=make)
    assert [test.nodes for _, test in played.begun] == [(0, 1), (2, 3)]
    assert [each.rule for each in played.said(said.TestRefused)] == ["node_busy"]


def test_more_than_there_is_room_for_is_not_begun() -> None:
    played = play(6, set(), make=lambda board: _Stubborn([(0, 1), (2, 3)]), max_parallel=1)
    assert played.most_at_once == 1


def test_unobserved_it_decides_the_same_and_says_nothing() -> None:
    seen, unseen = play(20, {3, 4}), play(20, {3, 4}, observed=False)
    assert unseen.events == []
    assert unseen.report == seen.report
