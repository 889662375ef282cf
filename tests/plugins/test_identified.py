"""What ``identify`` answers, in words."""

from __future__ import annotations

import anyio
import pytest
from tests.plugins.cluster import Cluster

from batchtui.engine.errors import InputError
from batchtui.plugins.identified import Trial
from batchtui.plugins.identify import identify


def test_a_bad_node_is_explained_by_its_tests() -> None:
    found = identify(range(4), Cluster({2}), strategy="fewest-rounds", max_parallel=1)
    proof = found.proof(2)
    assert proof.test is not None
    (other,) = proof.cleared_by
    sentence = f"2 is bad: test {proof.test.id} of {{{other}, 2}} failed, and the others in it are"
    assert found.why(2) == f"{sentence} good: {other} by test {proof.cleared_by[other].id}"
    assert found.why(0) == "0 is good: test 1 of {0, 1} passed"


def test_a_pair_that_failed_cannot_be_told_apart() -> None:
    found = identify("ab", Cluster("a"), max_parallel=1)
    assert (found.cannot_tell, found.at_most_one_good) == ([["a", "b"]], True)
    sentence = "every pair of 2 failed, so at most one of them is good"
    assert found.why("a") == f"a is undetermined: {sentence}"


def test_a_set_that_failed_though_its_members_are_good_accuses_nobody() -> None:
    async def test(nodes: list[int]) -> bool:
        return not {0, 1} <= set(nodes)  # the link between them is broken

    found = identify(range(4), test, strategy="fewest-rounds")
    assert (found.good, found.contradictions) == ([0, 1, 2, 3], [[0, 1]])
    assert "contradiction: 0, 1 failed together, though each passed elsewhere" in str(found)


def test_the_report_says_who_is_bad_first() -> None:
    found = identify(["n7", "n8", "n9", "n10"], Cluster({"n8", "n10"}), max_parallel=1)
    headline, counts, costs = str(found).splitlines()
    assert headline == "BAD n8, n10"
    assert counts == "2 good, 2 bad, 0 undetermined: every node is known"
    assert costs.startswith(f"{found.tests} tests (bound {found.bound_tests}), ")


def test_the_report_of_good_nodes_says_how_many() -> None:
    found = identify(range(9), Cluster([]), max_parallel=1)
    assert str(found).startswith("ALL GOOD 9 nodes\n")


def test_the_report_names_what_cannot_be_told() -> None:
    found = identify(range(3), Cluster({0, 1}), max_parallel=1)
    assert "at most one of 0, 1, 2 is good: every pair failed" in str(found)


def test_a_node_that_was_not_given_has_no_proof() -> None:
    found = identify(range(4), Cluster([]), max_parallel=1)
    with pytest.raises(InputError, match="9 is not among the 4 nodes"):
        found.why(9)


def test_a_trial_says_how_long_it_took() -> None:
    found = identify(range(4), Cluster([]), max_parallel=1)
    assert all(isinstance(trial, Trial) and trial.duration_s >= 0 for trial in found.trials)
    spent = sum(trial.duration_s * len(trial.nodes) for trial in found.trials)
    assert found.node_seconds == pytest.approx(spent)


def test_pairs_are_counted_only_where_pairs_were_hunted() -> None:
    async def fail(nodes: list[int]) -> bool:
        await anyio.sleep_forever()
        raise AssertionError

    def left(strategy: str) -> str:
        found = identify(
            range(8), fail, strategy=strategy, timeout_s=0.05, time_budget_s=0.08, max_parallel=1
        )
        assert found.ended == "time_budget"
        return str(found).splitlines()[-2]

    assert left("anchor").endswith("budget was used up, 27 pairs left to try")
    assert left("staged").endswith("the time budget was used up")
