"""What is remembered of a search: every moment can be looked at again, and asked what was known."""

from __future__ import annotations

from copy import deepcopy

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.engine.nodes.film import (
    NOTHING,
    Film,
    config,
    configured,
    encoded,
    faultless,
    films,
    scripted,
)

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.history import NodesHistory
from batchtui.engine.nodes.ledger import Ledger
from batchtui.engine.nodes.marks import mark_of


@given(films())
def test_every_moment_shows_what_it_showed(film: Film) -> None:
    film.run()
    for turn in range(film.turn + 1):
        assert encoded(film.timeline.view_at(turn)) == film.seen[turn]
    film.check_walks()


@given(films(), st.data())
def test_a_view_that_is_thawed_goes_on_as_the_one_that_was_not(
    film: Film, data: st.DataObject
) -> None:
    film.run()
    turn = data.draw(st.integers(0, film.turn))
    view = film.timeline.view_at(turn)
    again = film.history.thaw(film.history.freeze(view), turn)
    assert encoded(again) == film.seen[turn]
    for later, record in enumerate(film.records[turn:], turn + 1):
        for event in record.events:
            again.fold(event)
        again.reach(record.step, record.phase, record.at)
        assert encoded(again) == film.seen[later]


@given(films())
def test_what_was_known_at_any_moment_is_found_again_in_any_order(film: Film) -> None:
    known: dict[int, Ledger] = {}

    def check(film: Film) -> None:
        known[film.turn] = deepcopy(film.search.state.board.ledger)
        same(film.history.ledger(film.turn), known[film.turn])

    def same(found: Ledger, own: Ledger) -> None:
        assert found.status == own.status
        assert found.tests == own.tests
        assert found.contradictions == own.contradictions
        assert list(found.unanswered()) == list(own.unanswered())
        assert found.clauses.suspects == own.clauses.suspects
        nodes = range(len(film.config.inventory))
        assert [found.proof(node) for node in nodes] == [own.proof(node) for node in nodes]

    film.checks.append(check)
    film.run()
    for turn in [*known, *reversed(known)]:
        same(film.history.ledger(turn), known[turn])


@given(films())
def test_a_keyframe_leaves_the_view_as_it_is(film: Film) -> None:
    film.run()
    film.history.freeze(film.view)
    assert encoded(film.view) == film.seen[-1]


@given(films())
def test_the_mark_of_a_step_is_the_one_that_its_view_has_at_its_end(film: Film) -> None:
    film.run()
    for step in range(film.timeline.step + 1):
        view = film.timeline.view_at(film.timeline.turn_at_step(step))
        assert film.history.ribbon(slice(step, step + 1)) == mark_of(view)
        assert film.history.open_counts[step] == view.num_open


def test_a_mark_beats_those_before_it() -> None:
    film = Film(config(4), faultless({2})).run()
    # T1 passes; T2 fails; T3 passes, so that T2 condemns somebody.
    assert film.history.ribbon(slice(0, 3)) == "cf#"
    changes = [configured(150_000_000, max_parallel=1)]
    film = Film(config(4), faultless({2}), changes).run()
    assert "*" in film.history.ribbon(slice(None))


def test_the_story_of_a_test_has_its_end_once_it_has_ended() -> None:
    film = Film(config(4), faultless({2})).run()
    story = film.history.test(2)
    assert story is not None
    assert story.nodes == (2, 3)
    kinds = [type(moment.event) for moment in story.moments]
    assert kinds == [said.TestPlanned, said.TestStarted, said.TestEnded]
    ended = story.moments[-1].turn
    assert story.ended(ended - 1) is None
    assert story.ended(ended) is story.moments[-1].event
    assert [moment.turn for moment in story.after(2)] == [ended]
    assert film.history.test(99) is None


def test_a_node_knows_the_tests_that_it_was_in_by_a_moment() -> None:
    film = Film(config(4), faultless({2})).run()
    assert [story.id for story in film.history.tests_of(2, 1)] == [1 + 1]
    assert [story.id for story in film.history.tests_of(2)] == [2, 3]
    kinds = [type(moment.event) for moment in film.history.node(2).moments]
    assert kinds == [said.SuspectsChanged, said.NodeCondemned, said.SuspectsChanged]


def test_a_test_that_proved_nothing_is_in_its_story_twice_and_ends_once() -> None:
    film = Film(config(2), scripted("inconclusive", "pass")).run()
    story = film.history.test(1)
    assert story is not None
    ends = [moment.turn for moment in story.moments if isinstance(moment.event, said.TestEnded)]
    assert len(ends) == 2
    assert story.ended(ends[0]) is None
    assert story.ended() is not None
    assert [each.attempt for each in film.history.endings(film.turn)] == [2, 1]


def test_nodes_are_closed_from_when_they_are_excluded_or_given_up() -> None:
    changes = [configured(0, exclude=[3])]
    broken = scripted("pass", *NOTHING)
    film = Film(config(4), broken, changes).run()
    assert film.history.closed(0) == set()
    assert film.history.closed(1) == {3}
    assert film.history.closed(film.turn) == {2, 3}
    assert film.view.letters.decode() == "++x-"


def test_a_keyframe_of_another_search_is_none() -> None:
    history = NodesHistory(config(4))
    with pytest.raises(ValueError, match="a map of another number of nodes than 4"):
        history.check(NodesHistory(config(5)).freeze(NodesHistory(config(5)).empty()))
    with pytest.raises(msgspec.DecodeError):
        history.check(b"\x00\x01")
    history.check(history.freeze(history.empty()))


def test_a_test_ends_once() -> None:
    film = Film(config(2), faultless(())).run()
    ended = film.records[2]
    again = [film.records[0], film.records[1], ended]
    view = film.history.empty()
    with pytest.raises(ValueError, match="test 1 has ended already"):
        for turn, record in enumerate(again, film.turn + 1):
            film.history.note(record, turn, view)
