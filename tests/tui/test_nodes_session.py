"""A session of a search: stepped both ways, asked, acted upon, recorded."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.tui.saved import assert_replays, encoded, run_on, save, walk_back
from tests.tui.searching import at_step, reopened, search_of, to_end

from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.machine import Configured, Injected
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.view import NodesView
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.scene import NodesChoice

Find = Callable[..., NodesSession]
Walk = list[tuple[int, int]]

MOVES: list[Callable[[Debugger[NodesView], int], object]] = [
    lambda debugger, number: debugger.advance_phase(),
    lambda debugger, number: debugger.advance_step(),
    lambda debugger, number: debugger.back_phase(),
    lambda debugger, number: debugger.back_step(),
    lambda debugger, number: debugger.back_step(10),
    lambda debugger, number: debugger.to_turn(number),
    lambda debugger, number: debugger.to_step(number),
    lambda debugger, number: debugger.to_head(),
]

REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=25,
    # tmp_path is only written to, and the same file each time.
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@st.composite
def cases(draw: st.DrawFn) -> tuple[int, list[int], str, dict[str, object]]:
    count = draw(st.integers(2, 24))
    bad = draw(st.lists(st.integers(0, count - 1), unique=True, max_size=count))
    strategy = draw(st.sampled_from(["fewest-tests", "fewest-rounds", "anchor"]))
    says: dict[str, object] = {"jitter": 0.3, "startup_failures": 0.1}
    if draw(st.booleans()):
        says["links"] = [[0, 1]]
    return count, bad, strategy, says


@REPEATABLE
@given(
    case=cases(),
    walk=st.lists(st.tuples(st.integers(0, len(MOVES) - 1), st.integers(0, 40)), max_size=30),
)
def test_any_walk_over_any_search_sees_what_there_was(
    case: tuple[int, list[int], str, dict[str, object]], walk: Walk, tmp_path: Path
) -> None:
    count, bad, strategy, says = case
    saved = tmp_path / "saved.jsonl"
    saved.unlink(missing_ok=True)
    with closing(search_of(count, bad, strategy, **says)) as straight:
        seen = run_on(straight)
        told = straight.told()
        save(straight, saved)
    with closing(search_of(count, bad, strategy, **says)) as session:
        for move, number in walk:
            MOVES[move](session.debugger, number)
            assert encoded(session.view) == seen[session.debugger.cursor.turn]
    assert_replays(saved)
    again = tmp_path / "again.jsonl"
    again.unlink(missing_ok=True)
    with closing(search_of(count, bad, strategy, **says)) as same:
        run_on(same)
        with closing(reopened(same, again)) as opened:
            assert opened.told() == told
            assert walk_back(opened) == seen


def test_to_the_end_and_back_every_view_is_found_again(gpus: NodesSession) -> None:
    seen = run_on(gpus)
    assert walk_back(gpus) == seen
    assert len(seen) == gpus.debugger.timeline.num_turns + 1


def test_the_ribbon_has_a_mark_and_the_open_nodes_of_each_step(gpus: NodesSession) -> None:
    ribbon = to_end(gpus).outlook.ribbon
    assert ribbon.marks == "fcfcfccfc#fc#c."
    assert ribbon.queue_lengths[0] == 64
    assert ribbon.queue_lengths[-1] == 0
    assert list(ribbon.queue_lengths) == sorted(ribbon.queue_lengths, reverse=True)
    assert at_step(gpus, 9).outlook.mark() == "#"


def test_why_is_of_the_moment_and_in_the_past_also_of_what_came_later(gpus: NodesSession) -> None:
    to_end(gpus)
    now = gpus.why(17)
    assert now is not None
    assert now.title == "gpu-017 is bad"
    assert not now.later
    then = at_step(gpus, 3).why(17)
    assert then is not None
    assert then.title != now.title
    assert then.later


def test_what_is_told_at_the_end_and_a_contradiction_at_once(
    gpus: NodesSession, link: NodesSession, find: Find
) -> None:
    assert to_end(gpus).told() == ()
    assert at_step(link, 1).told() == ()
    assert len(at_step(link, 2).told()) == 1
    assert len(at_step(link, 1).told()) == 0
    pairs = to_end(find(4, (0, 1, 2)))
    assert pairs.told() == ("at most one of these 4 is good: every pair failed: gpu-[000-003]",)


def test_the_first_choice_is_worth_asking_about(gpus: NodesSession, link: NodesSession) -> None:
    assert gpus.first_choice(NodesChoice()).node == 0
    assert at_step(gpus, 2).first_choice(NodesChoice()).node == 12  # a suspect
    assert at_step(gpus, 9).first_choice(NodesChoice(panel="tests")) == NodesChoice("map", 17)
    assert to_end(link).first_choice(NodesChoice()).node == 11  # bad before in doubt


def test_a_fault_is_taken_in_by_the_next_test_and_recorded(
    gpus: NodesSession, tmp_path: Path
) -> None:
    gpus.do(Injected(body="hang", by_hand=True))
    assert len(gpus.pending) == 1
    gpus.advance_step()
    assert gpus.view.ended[0].reason == "timeout"
    assert gpus.pending == []
    to_end(gpus)
    assert_replays(save(gpus, tmp_path / "s.jsonl"))


def test_options_reach_the_search(gpus: NodesSession) -> None:
    gpus.do(Configured(body=NodesOptions(exclude=(5,)), by_hand=True))
    gpus.advance_step()
    assert gpus.view.letter(5) == "-"
    assert gpus.view.num_excluded == 1


def test_its_log_is_of_nodes(gpus: NodesSession, tmp_path: Path) -> None:
    path = save(to_end(gpus), tmp_path / "s.jsonl")
    header = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert header["system"] == "nodes"
    assert header["command"] == "batchtui nodes gpus"
