"""The report: the bounds of what was told, none of what was not, and how far the pairs are."""

from __future__ import annotations

from tests.engine.nodes.play import SECOND, TEST, inventory, play

from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.report import findings_of, report_of


def test_a_search_that_has_not_told_everybody_has_no_bound() -> None:
    played = play(64, {*range(64)}, time_budget_us=200 * SECOND)
    report = played.report
    assert report.ended == "time_budget"
    assert report.findings.undetermined
    assert (report.bound_tests, report.bound_rounds) == (None, None)


def test_where_every_pair_has_failed_it_is_every_pair() -> None:
    report = play(5, {*range(5)}).report
    assert report.findings.at_most_one_good
    assert (report.bound_tests, report.bound_rounds) == (10, 5)


def test_one_node_alone_takes_no_test() -> None:
    report = play(1, set()).report
    assert (report.bound_tests, report.bound_rounds) == (0, 0)


def test_a_node_that_was_given_up_leaves_it_without_a_bound() -> None:
    played = play(9, lambda test: "inconclusive" if 3 in test.nodes else "pass")
    assert played.search.state.board.abandoned == [3]
    assert played.search.state.board.excluded == []
    assert played.report.bound_tests is None


def test_who_was_told_counts_though_it_was_excluded_then() -> None:
    options = [(TEST + 1, NodesOptions(exclude=(0, 1)))]
    played = play(4, {2, 3}, "fewest-rounds", options=options)
    board = played.search.state.board
    assert board.excluded == [0, 1]
    findings = played.report.findings
    assert {*findings.good} == {0, 1}
    assert not board.has_anchor


def test_it_is_told_that_no_pair_was_tried() -> None:
    played = play(64, {*range(64)}, time_budget_us=170 * SECOND)
    findings = played.report.findings
    assert (findings.pairs_tried, findings.pairs_left) == (0, 2016)


def test_pairs_that_failed_are_counted_while_nobody_is_good() -> None:
    played = play(6, {*range(6)}, "anchor", time_budget_us=320 * SECOND)
    findings = played.report.findings
    assert findings.pairs_left is not None and findings.pairs_tried == played.report.tests
    assert findings.pairs_tried + findings.pairs_left == 15
    assert play(6, {2}).report.findings.pairs_tried is None


def test_the_excluded_are_no_part_of_the_findings() -> None:
    played = play(inventory([1.0] * 6, {5}), {0})
    ledger = played.search.state.board.ledger
    assert findings_of(ledger, [5]) == report_of(played.search.state).findings
    assert played.report.findings.undetermined == []
