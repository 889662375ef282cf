"""The ledger against enumeration: what is said follows from the results, and all that does."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchtui.engine.nodes.ledger import BAD, GOOD, UNKNOWN, Ledger
from batchtui.engine.nodes.probe import Verdict

VERDICTS: tuple[Verdict, ...] = ("pass", "fail", "fail", "inconclusive")

Results = list[tuple[tuple[int, ...], Verdict]]


def ledger_of(num_nodes: int, results: Results) -> Ledger:
    ledger = Ledger(num_nodes)
    for number, (nodes, verdict) in enumerate(results):
        ledger.add(number, nodes, verdict)
    return ledger


def configurations(num_nodes: int, results: Results) -> list[set[int]]:
    """Every set of bad nodes under which these results are what a faultless probe says."""
    return [
        bad
        for wrong in itertools.product((False, True), repeat=num_nodes)
        if all(
            verdict == "inconclusive" or (verdict == "fail") == bool(bad & {*nodes})
            for bad in [{node for node in range(num_nodes) if wrong[node]}]
            for nodes, verdict in results
        )
        for bad in [{node for node in range(num_nodes) if wrong[node]}]
    ]


@st.composite
def sets_of(draw: st.DrawFn, num_nodes: int) -> list[tuple[int, ...]]:
    sets = st.sets(st.integers(0, num_nodes - 1), min_size=2).map(sorted).map(tuple)
    return draw(st.lists(sets, max_size=8))


@given(data=st.data())
@settings(max_examples=200)
def test_of_true_results_it_says_what_every_configuration_agrees_on(data: st.DataObject) -> None:
    num_nodes = data.draw(st.integers(2, 6))
    bad = data.draw(st.sets(st.integers(0, num_nodes - 1)))
    sets = data.draw(sets_of(num_nodes))
    results: Results = [(nodes, "fail" if bad & {*nodes} else "pass") for nodes in sets]
    ledger = ledger_of(num_nodes, results)
    possible = configurations(num_nodes, results)
    for node in range(num_nodes):
        seen = {node in each for each in possible}
        expected = UNKNOWN if len(seen) == 2 else BAD if seen == {True} else GOOD
        assert ledger.status[node] == expected
    assert not ledger.contradictions


@given(data=st.data())
@settings(max_examples=200)
def test_of_any_results_it_says_what_the_passing_ones_and_then_the_failing_ones_force(
    data: st.DataObject,
) -> None:
    num_nodes = data.draw(st.integers(2, 6))
    verdicts = st.sampled_from(VERDICTS)
    results: Results = [(n, data.draw(verdicts)) for n in data.draw(sets_of(num_nodes))]
    ledger = ledger_of(num_nodes, results)
    good = {node for nodes, verdict in results if verdict == "pass" for node in nodes}
    left = [{*nodes} - good for nodes, verdict in results if verdict == "fail"]
    bad = {node for nodes in left if len(nodes) == 1 for node in nodes}
    assert {*ledger.nodes_of(GOOD)} == good
    assert {*ledger.nodes_of(BAD)} == bad
    assert (ledger.num_good, ledger.num_bad) == (len(good), len(bad))
    assert len(ledger.contradictions) == sum(not nodes for nodes in left)
    assert {frozenset(clause) for clause in ledger.unanswered()} == _smallest(left, bad)


def _smallest(left: Sequence[set[int]], bad: set[int]) -> set[frozenset[int]]:
    open = {frozenset(nodes) for nodes in left if len(nodes) > 1 and not nodes & bad}
    return {nodes for nodes in open if not any(other < nodes for other in open)}


@given(data=st.data())
def test_the_order_of_the_results_changes_nothing(data: st.DataObject) -> None:
    sets = data.draw(sets_of(6))
    verdicts = st.sampled_from(VERDICTS[:2])
    results: Results = [(nodes, data.draw(verdicts)) for nodes in sets]
    again = data.draw(st.permutations(results))
    one, other = ledger_of(6, results), ledger_of(6, [*again])
    assert one.status == other.status
    assert {*one.unanswered()} == {*other.unanswered()}


@given(data=st.data())
def test_every_proof_can_be_checked_from_the_results_alone(data: st.DataObject) -> None:
    bad = data.draw(st.sets(st.integers(0, 5)))
    sets = data.draw(sets_of(6))
    results: Results = [(nodes, "fail" if bad & {*nodes} else "pass") for nodes in sets]
    ledger = ledger_of(6, results)
    for node in range(6):
        proof = ledger.proof(node)
        if proof is None:
            assert ledger.status[node] == UNKNOWN
            continue
        nodes, verdict = results[proof.test]
        assert node in nodes
        assert verdict == ("pass" if ledger.status[node] == GOOD else "fail")
        assert {*proof.others} == ({*nodes} - {node} if verdict == "fail" else set())
        for other, cleared in proof.others.items():
            assert other in results[cleared][0]
            assert results[cleared][1] == "pass"


def test_a_pair_of_which_one_passed_elsewhere_condemns_the_other() -> None:
    ledger = ledger_of(3, [((0, 1), "fail"), ((0, 2), "pass")])
    assert ledger.nodes_of(GOOD) == [0, 2]
    assert ledger.nodes_of(BAD) == [1]
    assert list(ledger.unanswered()) == []


def test_two_that_are_left_of_a_failing_set_stay_a_clause() -> None:
    ledger = ledger_of(4, [((0, 1, 2), "fail"), ((0, 3), "pass")])
    assert ledger.nodes_of(GOOD) == [0, 3]
    assert ledger.nodes_of(BAD) == []
    assert list(ledger.unanswered()) == [(1, 2)]


def test_a_set_that_fails_though_all_its_members_passed_accuses_nobody() -> None:
    ledger = Ledger(4)
    ledger.add(1, (0, 1), "pass")
    ledger.add(2, (2, 3), "pass")
    assert ledger.add(3, (0, 1, 2, 3), "fail").contradictions == [3]
    assert ledger.nodes_of(BAD) == []
    assert ledger.contradictions == [3]


def test_who_was_called_bad_and_then_passes_is_acquitted() -> None:
    ledger = ledger_of(3, [((0, 2), "pass"), ((0, 1), "fail")])
    assert ledger.nodes_of(BAD) == [1]
    deduced = ledger.add(9, (1, 2), "pass")
    assert deduced.acquitted == deduced.good == [1]
    assert deduced.contradictions == [1]
    assert ledger.num_bad == 0


def test_an_inconclusive_test_proves_nothing() -> None:
    ledger = ledger_of(2, [((0, 1), "inconclusive")])
    assert ledger.nodes_of(UNKNOWN) == [0, 1]
    assert not ledger.tests


@pytest.mark.parametrize(("among", "count"), [((0, 1, 2), 2), ((0, 1), 1), ((0, 2), 0)])
def test_failed_pairs_are_counted_once_and_only_among_those_asked_for(
    among: tuple[int, ...], count: int
) -> None:
    results: Results = [((0, 1), "fail"), ((1, 0), "fail"), ((1, 2), "fail"), ((0, 1, 2), "fail")]
    assert ledger_of(3, results).failed_pairs(among) == count


def test_who_failed_together_alone_is_known_until_that_is_overruled() -> None:
    ledger = ledger_of(4, [((0, 1), "fail"), ((1, 2, 3), "fail")])
    assert ledger.has_failed(0, 1) and ledger.has_failed(1, 0)
    assert not ledger.has_failed(1, 2)
    ledger.overrule([1, 0])
    assert not ledger.has_failed(0, 1) and ledger.failed_pairs(range(4)) == 0
