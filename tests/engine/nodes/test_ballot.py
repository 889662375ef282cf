"""A ballot takes three failures or two passes, with another good node each time."""

from __future__ import annotations

import pytest

from batchtui.engine.nodes.ballot import MOST_BLANK, Ballot
from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.probe import Verdict

GOODS = [0, 1, 2, 3]


def voted(*verdicts: Verdict, failed: tuple[int, ...] = ()) -> Ballot:
    ballot = Ballot(9, (), failed)
    for test, verdict in enumerate(verdicts, 10):
        ballot.count(test, verdict)
    return ballot


@pytest.mark.parametrize(
    ("votes", "verdict"),
    [
        ("", None),
        ("pf", None),
        ("ff", None),
        ("fff", BAD),
        ("pp", GOOD),
        ("fpfp", GOOD),
        ("pfff", BAD),
    ],
)
def test_it_is_decided_by_three_failures_or_two_passes(votes: str, verdict: int | None) -> None:
    ballot = voted(*("pass" if vote == "p" else "fail" for vote in votes))
    assert ballot.verdict == verdict
    assert ballot.is_over == (verdict is not None)
    assert ballot.num_votes == len(votes)


def test_the_failure_that_accuses_counts_as_the_first() -> None:
    assert voted("fail", failed=(3,)).verdict is None
    ballot = voted("fail", "pass", "fail", failed=(3,))
    assert ballot.verdict == BAD
    assert ballot.winners() == [3, 10, 12]


def test_what_proves_nothing_is_no_vote_and_is_given_up_in_the_end() -> None:
    blank: list[Verdict] = ["inconclusive"] * MOST_BLANK
    assert not voted(*blank[1:]).is_over
    ballot = voted(*blank)
    assert ballot.is_over
    assert (ballot.verdict, ballot.num_votes) == (None, 0)


def test_another_good_node_is_asked_each_time() -> None:
    ballot = Ballot(9, met=(9, 2))
    assert [ballot.anchor_of(GOODS, GOODS) for _ in range(3)] == [0, 1, 3]


def test_it_waits_for_one_that_was_not_asked_rather_than_ask_twice() -> None:
    ballot = Ballot(9, met=(0, 1, 2))
    assert ballot.anchor_of(GOODS, [0, 1, 2]) is None
    assert ballot.anchor_of(GOODS, GOODS) == 3


def test_where_all_were_asked_those_that_were_asked_least_are_asked_again() -> None:
    ballot = Ballot(9, met=(0, 1, 2, 3, 3))
    assert [ballot.anchor_of(GOODS, GOODS) for _ in range(4)] == [0, 1, 2, 0]


def test_what_is_left_is_what_its_verdict_still_takes() -> None:
    ballot = voted("fail", "pass")
    assert (ballot.left(BAD), ballot.left(GOOD)) == (2, 1)
