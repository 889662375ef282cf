"""What the view holds is what the search decided, step by step, and bounded."""

from __future__ import annotations

import time
from typing import Any

import msgspec
import pytest
from hypothesis import given
from tests.engine.nodes.film import Film, config, configured, faultless, films, scripted

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes import shown
from batchtui.engine.nodes.folds import MAX_ENDED
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.report import report_of
from batchtui.engine.nodes.view import MAX_OF_A_KIND, NodesView


def say(kind: type[Event], step: int = 0, phase: str = "deduce", **fields: Any) -> Event:
    return kind(seq=0, step=step, phase=phase, at=step * 1000, unit="nodes", **fields)


def made(
    view: NodesView, test: int, nodes: tuple[int, ...], verdict: str = "pass", step: int = 0
) -> None:
    view.fold(say(said.TestPlanned, step, "plan", test=test, nodes=nodes, round=1, why="so"))
    view.fold(say(said.TestStarted, step, "run", test=test, lane=0))
    view.fold(say(said.TestEnded, step, test=test, verdict=verdict, duration_us=5))


def letters(view: NodesView) -> str:
    return view.letters.decode()


def expected_letter(film: Film, node: int) -> str:
    board = film.search.state.board
    if board.status[node] == GOOD:
        contradicted = any(node in board.ledger.tests[t] for t in board.ledger.contradictions)
        return "!" if contradicted else "+"
    if board.status[node] == BAD:
        return "#"
    if board.closed[node]:
        return "x" if node in board.abandoned else "-"
    return "?" if node in board.ledger.clauses.suspects else "."


def agrees(film: Film) -> None:
    view, state = film.view, film.search.state
    count = film.config.inventory.nodes
    assert letters(view) == "".join(expected_letter(film, node) for node in range(len(count)))
    assert view.num_good == state.board.ledger.num_good
    assert view.num_bad == state.board.ledger.num_bad
    assert view.num_open == state.board.num_open
    report = report_of(state)
    assert view.totals.planned == report.tests
    assert view.totals.made == state.num_made
    assert view.totals.rounds == report.rounds
    assert view.totals.node_us == state.node_us
    assert view.totals.discarded == state.num_discarded
    assert view.totals.contradictions == len(report.findings.contradictions)
    assert view.totals.confirmations == state.num_confirmations
    assert view.confirming == (state.confirmation is not None)
    assert {i: (t.lane, t.nodes) for i, t in view.running.items()} == {
        i: (t.lane, t.nodes) for i, t in state.running.items()
    }
    assert set(view.planned) == {test.id for test in state.planned}
    assert (view.strategy, view.max_parallel) == (state.strategy_name, state.board.max_parallel)
    assert view.over == state.ended


@given(films())
def test_letters_and_counts_agree_with_the_search_after_every_turn(film: Film) -> None:
    film.checks.append(agrees)
    film.run()
    assert film.turn > 0


@given(films())
def test_fresh_nodes_are_those_whose_letter_the_step_has_changed(film: Film) -> None:
    before = {-1: letters(film.view)}

    def check(film: Film) -> None:
        step, view = film.view.step, film.view
        old = before[max(at for at in before if at < step)]
        changed = {n for n in range(view.num_nodes) if view.letter(n) != old[n]}
        assert changed <= set(view.fresh)
        assert {node: old[node] for node in view.fresh} == view.fresh
        before[step] = letters(view)

    film.checks.append(check)
    film.run()


@given(films())
def test_at_the_end_the_bounds_are_those_of_the_report(film: Film) -> None:
    film.run()
    report = report_of(film.search.state)
    assert film.view.bound_tests == report.bound_tests
    assert film.view.bound_rounds == report.bound_rounds
    assert film.view.expected_tests == film.view.totals.planned


def test_a_bad_node_among_eight_is_found_step_by_step() -> None:
    film = Film(config(8), faultless({2}))
    assert letters(film.view) == "........"
    film.run(2)
    assert film.view.drawn() == "aabbccdd"
    film.run(2)  # the pass comes back before the failure
    assert letters(film.view) == "++..++++"
    film.run()
    assert letters(film.view) == "++#+++++"
    assert film.view.over == "identified"


def test_the_map_shows_a_letter_for_each_test_that_runs() -> None:
    film = Film(config(6), scripted("fail", "pass", "pass")).run(2)
    assert film.view.drawn() == "aabbcc"
    test = film.view.test_of(3)
    assert test is not None
    assert (test.id, test.letter, test.nodes) == (2, "b", (2, 3))


def test_lanes_have_letters_that_no_node_has() -> None:
    assert shown.lane_letter(0) == "a"
    assert shown.lane_letter(len(shown.LANES)) == "a"
    assert len(set(shown.LANES)) == len(shown.LANES)
    assert not set(shown.LANES) & set(".?+#!-x")


def test_a_test_that_ended_says_what_followed_from_it() -> None:
    view = NodesView.empty(config(4))
    made(view, 1, (0, 1), "fail")
    view.fold(say(said.SuspectsChanged, named=(0, 1)))
    made(view, 2, (1, 2), "pass", 1)
    view.fold(say(said.NodesCleared, 1, test=2, nodes=(1, 2)))
    view.fold(say(said.NodeCondemned, 1, test=1, node=0))
    view.fold(say(said.ContradictionFound, 1, test=7, nodes=(1, 2)))
    last = view.ended[-1]
    assert (last.cleared, last.condemned, last.contradictions) == (2, (0,), (7,))
    assert letters(view) == "#!!."


def test_the_changes_of_a_step_are_gone_with_the_next() -> None:
    view = NodesView.empty(config(4))
    made(view, 1, (0, 1))
    assert [(c.phase, c.verb, c.test, c.nodes) for c in view.changed] == [
        ("plan", "planned", 1, (0, 1)),
        ("run", "started", 1, (0, 1)),
        ("deduce", "passed", 1, (0, 1)),
    ]
    view.reach(1, "plan", 9)
    assert (view.changed, view.told, view.fresh) == ([], {}, {})
    assert (view.step, view.phase, view.now) == (1, "plan", 9)


def test_of_many_of_a_verb_some_are_listed_and_all_are_counted() -> None:
    view = NodesView.empty(config(4))
    for test in range(1, 201):
        made(view, test, (0, 1))
    assert view.told["passed"] == 200
    assert sum(change.verb == "passed" for change in view.changed) == MAX_OF_A_KIND
    assert [each.id for each in view.ended] == list(range(201 - MAX_ENDED, 201))
    assert view.nodes_of(5) == (0, 1)  # whoever asks in this turn knows all of them


def test_what_is_known_of_a_node_beats_that_it_is_excluded() -> None:
    changes = [configured(0, exclude=[0, 4])]
    film = Film(config(6), faultless({4}), changes).run()
    assert film.view.letter(4) == "-"
    view = NodesView.empty(config(4))
    made(view, 1, (0, 1))
    view.fold(say(said.NodesCleared, test=1, nodes=(0, 1)))
    view.fold(say(said.NodesExcluded, 1, "plan", nodes=(0, 2)))
    assert letters(view) == "++-."
    assert view.num_excluded == 2


def test_a_node_is_found_by_its_name_or_its_number() -> None:
    names = NodesView.empty(config(4)).names
    assert [names.find(text) for text in ("c", "2", "9", "z", "-1", "²")] == [2, 2, *[None] * 4]


def test_a_test_of_a_node_that_there_is_not_is_refused() -> None:
    view = NodesView.empty(config(4))
    with pytest.raises(IndexError, match="a test of node 4"):
        made(view, 1, (0, 4))


def test_equal_views_have_equal_bytes_and_come_back_from_them() -> None:
    film = Film(config(6), faultless({1})).run(5)
    again = msgspec.msgpack.decode(msgspec.msgpack.encode(film.view), type=NodesView)
    assert again == film.view
    assert msgspec.msgpack.encode(again) == msgspec.msgpack.encode(film.view)


def test_an_event_costs_as_much_in_a_large_cluster_as_in_a_small_one() -> None:
    def cost(count: int) -> float:
        large = msgspec.structs.replace(config(4), inventory=numbered(count))
        view, best = NodesView.empty(large), 1e9
        for _ in range(5):
            begin = time.perf_counter()
            for test in range(300):
                made(view, test, (0, 1))
            best = min(best, time.perf_counter() - begin)
        return best

    assert cost(20_000) < 5 * cost(4)


def test_the_stage_says_what_the_search_is_about() -> None:
    plan = [[[0, 1], [2, 3]], [[0, 4]]]
    verdicts = scripted("pass", "pass", "fail")
    film = Film(config(5, strategy="plan", plan=plan, confirms=True), verdicts)
    stages = [film.view.stage]
    while film.view.over is None:
        film.run(1)
        stages += [film.view.stage] if film.view.stage != stages[-1] else []
    assert stages == ["searching", "confirming", "searching, time 2", "confirming, time 2", "over"]


def test_a_vote_that_has_ended_says_whom_it_is_on_and_what_followed() -> None:
    plan = [[[0, 1], [2, 3]], [[0, 4]]]
    verdicts = scripted("pass", "pass", "fail")
    film = Film(config(5, strategy="plan", plan=plan, confirms=True), verdicts)
    while not film.view.totals.overruled:
        film.run(1)
    last = next(ended for ended in film.view.ended if ended.overruled)
    assert (last.why, last.counts) == ("vote 3 on e", False)
    assert (last.cleared, last.overruled, last.confirmed) == (1, (3,), (4,))
    passed = [change.reason for change in film.view.changed if change.verb == "passed"]
    assert any(reason.endswith("vote 3 on e") for reason in passed)
    told = {change.verb: change.reason for change in film.view.changed}
    assert told["overruled"] == "2 of 3 votes say otherwise than T3"
    assert told["confirmed"] == "good in 2 of 3 votes"
    assert film.view.letters.decode() == "+++++"
    assert film.view.totals.confirmed == 1


def test_who_is_open_again_has_the_letter_of_one_of_whom_nothing_is_known() -> None:
    """That is another one where it must not be touched any more."""
    view = NodesView.empty(config(5))
    made(view, 1, (0, 1, 2))
    view.fold(say(said.NodesCleared, test=1, nodes=(0, 1, 2)))
    view.fold(say(said.NodesExcluded, 1, "plan", nodes=(1, 3)))
    view.fold(say(said.NodesReopened, 1, nodes=(0, 1)))
    assert letters(view) == ".-+-."
    assert view.closed == {}
    assert [(change.verb, change.nodes) for change in view.changed][-1] == ("reopened", (0, 1))
    view.fold(say(said.NodeCondemned, 1, test=1, node=1))
    view.fold(say(said.NodesReopened, 1, nodes=(1,)))
    assert letters(view) == ".-+-."


def test_a_name_that_cannot_be_printed_is_not_in_the_reason_of_a_vote() -> None:
    inventory = {"nodes": [{"name": name} for name in ("a", "b", "\x1b[2J", "d")]}
    film = Film(config(4, "anchor", inventory=inventory, confirms=True), faultless({2})).run()
    votes = [each.why for each in film.view.ended if not each.counts and 2 in each.nodes]
    assert votes
    assert all(why.endswith("on node 2") for why in votes)
