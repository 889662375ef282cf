"""A step of a search in words."""

from __future__ import annotations

from collections.abc import Callable

from tests.tui.searching import at_step, scene_of, search_of, to_end

from batchtui.engine.machine import Configured
from batchtui.engine.nodes.options import NodesOptions
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.changed import changed_lines
from batchtui.tui.renderables.line import text_of
from batchtui.tui.renderables.nodes.teller import NodesTeller
from batchtui.tui.renderables.scene import Mode, NodesScene
from batchtui.tui.renderables.sentence import EXCEPTION

Find = Callable[..., NodesSession]


def said(scene: NodesScene, *, terse: bool = False) -> list[str]:
    return [text_of(each.words) for each in NodesTeller(scene).sentences(terse=terse)]


def drawn(scene: NodesScene) -> list[str]:
    lines = changed_lines(scene, NodesTeller(scene), 80, 3)
    return [text_of(line).rstrip() for line in lines]


def test_what_lies_ahead_is_told_before_the_first_step(gpus: NodesSession) -> None:
    lines = drawn(scene_of(gpus))
    assert lines[0] == " nothing has been decided yet: n makes the first step, space runs"
    assert lines[1] == " 64 nodes to be told apart by tests of two or more, 8 at once"


def test_a_step_is_told_by_phase(gpus: NodesSession) -> None:
    assert said(scene_of(at_step(gpus, 0))) == [
        "planned T1 gpu-000..063: round 1: all of them",
        "started T1 gpu-000..063 as a",
        "failed T1 gpu-000..063: timeout",
        "suspected gpu-000..063: in a set that failed",
    ]
    assert drawn(scene_of(gpus)) == [
        " plan    planned T1 gpu-000..063: round 1: all of them",
        " run     started T1 gpu-000..063",
        " deduce  failed T1 gpu-000..063: timeout   suspected gpu-000..063",
    ]


def test_many_plans_are_counted(gpus: NodesSession) -> None:
    lines = said(scene_of(at_step(gpus, 3)))
    assert lines[0] == "planned 3 tests, the first gpu-012..018"
    assert lines[1] == "started 3 tests, the first gpu-012..018"


def test_more_of_a_verb_than_three_are_counted(find: Find) -> None:
    scene = scene_of(at_step(find(32, (), "fewest-rounds"), 0))
    lines = said(scene)
    told = scene.view.told["passed"]
    assert told > 3
    assert sum(line.startswith("passed") for line in lines) == 2
    assert f"{told - 2} more passed" in lines


def test_a_contradiction_goes_before_what_is_routine(link: NodesSession) -> None:
    told = NodesTeller(scene_of(at_step(link, 2))).sentences(terse=True)
    ranks = {text_of(each.words): each.rank for each in told}
    assert ranks["contradicted T3 gpu-004+005: each passed elsewhere"] == EXCEPTION
    assert min(ranks.values()) == EXCEPTION < max(ranks.values())
    assert all(".." not in line.split(" +")[0][-4:] for line in drawn(scene_of(link)))


def test_the_end_is_told_once(gpus: NodesSession) -> None:
    scene = scene_of(to_end(gpus))
    assert " ".join(drawn(scene)).count("every node is known") == 1
    outcome = [text_of(each.words) for each in NodesTeller(scene).outcome()]
    assert outcome == [
        "gpu-[017,051]",
        "every node is known",
        "15 tests in 10 rounds, 12m37s",
    ]
    assert "ended: every node is known" in said(scene_of(gpus, mode=Mode.RUNNING))


def test_options_by_hand_are_told(gpus: NodesSession) -> None:
    options = NodesOptions(strategy="anchor", max_parallel=3)
    at_step(gpus, 1).do(Configured(body=options, by_hand=True))
    gpus.advance_phase()
    assert "options anchor, 3 at once" in said(scene_of(gpus))


def test_a_recording_that_ends_early_says_so() -> None:
    session = at_step(search_of(8, (2,)), 0)
    outcome = NodesTeller(scene_of(session, mode=Mode.ENDED)).outcome()
    assert "the recording ends here" in [text_of(each.words) for each in outcome]
    session.close()
