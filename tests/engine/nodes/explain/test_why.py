"""Why a node is good, bad or neither: as of any moment, and in the past what came later."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest
from hypothesis import given
from tests.engine.nodes.film import (
    NOTHING,
    Film,
    config,
    configured,
    faultless,
    films,
    liar,
    scripted,
)

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.explain.why import explain
from batchtui.engine.nodes.ledger import BAD, GOOD

A, B, C, D = range(4)
STATES = {GOOD: "good", BAD: "bad"}
OPEN = {".": "undetermined", "?": "undetermined", "-": "excluded", "x": "abandoned"}


@pytest.fixture
def found() -> Film:
    """T1 (a, b) passes, T2 (c, d) fails; then d passes with b, so T2 condemns c."""
    return Film(config(4), faultless({C})).run()


@given(films())
def test_every_node_has_an_answer_at_every_moment(film: Film) -> None:
    film.run()
    for turn in range(film.turn + 1):
        view, status = film.timeline.view_at(turn), film.history.ledger(turn).status
        for node in range(view.num_nodes):
            told = explain(node, turn, view, film.history, head=film.view)
            assert told is not None
            assert told.node in told.title
            assert told.step == view.step
            assert told.reasons
            assert all(reason.label and reason.words for reason in told.reasons + told.later)
            assert told.state == (STATES.get(status[node]) or OPEN[view.letter(node)])


def test_a_good_node_has_the_test_that_cleared_it(found: Film) -> None:
    told = found.why(A)
    assert (told.state, told.title) == ("good", "a is good")
    assert found.words(A, "proof") == "T1 passed: a b"
    assert found.words(A, "since") == "step 0, 40.000 s"


def test_a_bad_node_has_its_failing_test_and_where_the_others_passed(found: Film) -> None:
    told = found.why(C)
    assert (told.state, told.title) == ("bad", "c is bad")
    assert found.words(C, "proof") == "T2 failed (timeout): c + d"
    assert found.words(C, "alibi") == "d passed in T4 (step 2)"
    assert found.words(C, "so") == "only c is left to blame: d passed elsewhere"
    assert found.words(C, "also") == "failed in T3"


def test_in_the_past_it_says_what_was_known_then_and_what_came_later(found: Film) -> None:
    before = next(turn for turn in range(found.turn) if found.timeline.view_at(turn).num_suspects)
    told = found.why(C, before)
    assert (told.state, told.title) == ("undetermined", "c may be bad")
    assert found.words(C, "clause", before) == "cannot tell: c or d (T2 failed)"
    assert found.words(C, "tests", before).startswith("T2 failed (timeout) at step 1, with d")
    assert found.words(C, "to settle", before) == "one test with a node that is known to be good"
    later = [(reason.label, reason.words) for reason in told.later]
    assert ("step 2", "condemned by T2") in later
    assert found.why(C).later == []


def test_before_the_first_test_nothing_is_known(found: Film) -> None:
    told = found.why(C, 0)
    assert told.title == "nothing is known of c"
    assert found.words(C, "tests", 0) == "it was in none that has ended"
    assert found.words(C, "pairs", 0).startswith("6 of 6 pairs are left to try")


def test_in_a_test_that_runs_it_says_since_when_and_what_follows(found: Film) -> None:
    assert found.words(C, "next", 1) == "T2 is about to begin, with d"
    assert found.words(C, "in test", 2) == "T2 (b) for 0ms of at most 2m00s, with d"
    assert found.words(C, "in test", 3) == "T2 (b) for 40s of at most 2m00s, with d"
    assert found.words(C, "planned", 2) == "round 1: neighbours"
    assert found.words(C, "if passed", 2) == "it is good"
    assert found.words(C, "if failed", 2) == "one is bad at least: c or d"


def test_with_good_ones_alone_a_failure_would_condemn_it(found: Film) -> None:
    last = max(turn for turn in range(found.turn) if found.words(C, "if failed", turn))
    before = max(turn for turn in range(last + 1) if found.why(C, turn).state == "undetermined")
    assert (
        found.words(C, "if failed", before) == "it is bad: every other member is known to be good"
    )
    assert found.words(A, "serves", before) == "as a node that is known to be good"


def test_of_a_test_with_a_bad_node_in_it_a_failure_would_say_nothing() -> None:
    film = Film(config(4), faultless({A}))
    film.run()
    told = [film.words(node, "if failed", turn) for node in range(4) for turn in range(film.turn)]
    assert "one is bad at least: a or b" in told


def test_what_two_bad_nodes_explain_is_cleared_up() -> None:
    film = Film(config(3, strategy="anchor"), faultless({A, B})).run()
    assert film.view.over == "at_most_one_good"
    assert film.words(C, "never") == (
        "every pair has failed: at most one of these 3 is good, and no test tells"
    )
    assert "the search is over" in film.words(C, "but")


def test_a_single_node_can_never_be_told() -> None:
    film = Film(config(1), faultless(())).run()
    assert film.words(0, "never") == "a test takes two nodes, and there are not two to be tested"


def test_a_contradiction_says_which_set_and_what_it_may_be() -> None:
    film = Film(config(4), scripted("pass", "fail", "pass", "pass")).run()
    assert film.view.letters.decode() == "++!!"
    told = film.why(C)
    assert (told.state, told.title) == ("good", "c is good, but a set of good nodes failed")
    assert film.words(C, "but") == ("T2 failed (timeout) though each member passed elsewhere: c d")
    assert film.words(C, "may be") == "the link between c and d"
    assert film.words(A, "but") == ""


def test_an_excluded_node_says_since_when() -> None:
    film = Film(config(4), faultless(()), [configured(0, exclude=[D])]).run()
    assert film.why(D).title == "d is excluded"
    assert film.words(D, "excluded") == "by hand at step 0, 0.000 s"
    inventory = {"nodes": [{"name": name} for name in "abc"], "excluded": [1]}
    film = Film(config(3, inventory=inventory), faultless(())).run()
    assert film.words(B, "excluded") == "it was excluded from the start"


def test_a_node_that_was_given_up_says_which_test_could_not_be_made() -> None:
    film = Film(config(3), scripted("pass", *NOTHING)).run()
    told = film.why(C)
    assert (told.state, told.title) == ("abandoned", "c was given up")
    assert film.words(C, "proof") == "T2 was inconclusive (timeout), 2 times"
    assert film.words(C, "alibi") == (
        "whoever was with it (a) is known to be good: it is this one that cannot be tested"
    )


def test_one_that_was_called_bad_and_passed_since_says_so() -> None:
    plan = [[[A, B]], [[B, C]], [[C, D]]]
    film = Film(config(4, strategy="plan", plan=plan), scripted("pass", "fail", "pass")).run()
    assert film.view.letters.decode() == "+!!+"
    assert film.words(C, "before") == "called bad by T2 at step 1; it passed since"
    bad = next(turn for turn in range(film.turn) if film.timeline.view_at(turn).num_bad)
    assert film.why(C, bad).state == "bad"
    assert [reason.words for reason in film.why(C, bad).later] == [
        "T3 passed",
        "cleared by T3",
        "T2 has nobody left to blame",
    ]


def test_there_is_no_answer_for_a_node_that_there_is_not(found: Film) -> None:
    assert explain(4, found.turn, found.view, found.history) is None
    assert explain(-1, found.turn, found.view, found.history) is None


def test_the_answer_can_be_written_down(found: Film) -> None:
    document: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(found.why(C)))
    assert (document["node"], document["state"]) == ("c", "bad")


def test_of_a_large_set_the_first_are_named_and_the_others_counted() -> None:
    nodes = [{"name": f"n{i:02}"} for i in range(40)]
    film = Film(config(40, strategy="fewest-tests", inventory={"nodes": nodes}), faultless({3}))
    film.run()
    first = next(turn for turn in range(film.turn) if film.timeline.view_at(turn).num_suspects)
    assert film.words(3, "clause", first).startswith(
        "cannot tell: n00, n01, n02, n03, n04 or 35 more"
    )
    assert film.why(3).state == "bad"


def alarmed() -> Film:
    """T3 (a, e) fails by chance and condemns e; T4 and T5 say that it is good."""
    plan = [[[A, B], [C, D]], [[A, 4]]]
    verdicts = scripted("pass", "pass", "fail")
    return Film(config(5, strategy="plan", plan=plan, confirms=True), verdicts).run()


def test_a_node_that_votes_acquitted_says_which_test_was_overruled() -> None:
    film = alarmed()
    assert film.why(4).state == "good"
    votes = film.words(4, "votes")
    assert votes.startswith("T3 said otherwise and was overruled: 2 of 3 votes | confirmed by T")
    condemned = next(turn for turn in range(film.turn) if film.timeline.view_at(turn).num_bad)
    assert film.words(4, "votes", condemned) == ""
    later = [reason.words for reason in film.why(4, condemned).later]
    assert "T3 was overruled: 2 of 3 votes" in later
    assert len(later) == len({*later})
    assert any(words.startswith("confirmed as good by T") for words in later)


def test_a_bad_node_says_which_votes_confirm_it() -> None:
    film = Film(config(8, "anchor", confirms=True), faultless({C})).run()
    failed = [e.id for e in reversed(film.view.ended) if C in e.nodes and e.verdict == "fail"]
    assert film.words(C, "votes") == f"confirmed by {', '.join(f'T{t}' for t in sorted(failed))}"


def test_in_a_vote_it_says_when_votes_count() -> None:
    film = Film(config(8, "anchor", confirms=True), faultless({C}))
    while not (film.view.confirming and film.view.running):
        film.run(1)
    assert film.words(C, "planned").endswith(": vote 2 on c")
    assert "a node is bad by 3 failures" in film.words(C, "then")


def test_one_that_is_open_again_says_so_and_which_test_is_not_believed() -> None:
    film, turn, node = opened_again()
    assert film.why(node, turn).state == "undetermined"
    assert film.words(node, "open again", turn).endswith("results that were overruled")
    assert "; overruled" in film.words(node, "tests", turn)
    assert "open again" in [reason.words for reason in film.why(node, turn - 1).later]


def opened_again() -> tuple[Film, int, int]:
    """The first of some searches in which a node of few tests is open again after a turn; which,
    and who."""
    for seed in range(200):
        lies = liar({1, 7, 13, 25}, seed, 0.02, 0.2)
        film = Film(config(26, "fewest-tests", confirms=True, seed=seed), lies).run()
        for turn, record in enumerate(film.records, 1):
            for event in record.events:
                if isinstance(event, said.NodesReopened):
                    status = film.history.ledger(turn).status
                    left = [node for node in event.nodes if not status[node]]
                    left = [node for node in left if len(film.history.tests_of(node, turn)) <= 5]
                    if left:
                        return film, turn, left[0]
    raise AssertionError("nothing was open again in any of the searches")
