"""A row for each test: what it is of, what came of it, what follows."""

from __future__ import annotations

from collections.abc import Callable

from tests.tui.searching import at_step, scene_of, to_end

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.nodes.tests import num_tests, test_ids, test_rows, tests_panel
from batchtui.tui.renderables.scene import NodesChoice, NodesScene

Find = Callable[..., NodesSession]

test_ids.__test__ = test_rows.__test__ = tests_panel.__test__ = False  # type: ignore[attr-defined]


def said(scene: NodesScene, width: int = 100) -> list[str]:
    return [" ".join(text_of(line).split()) for line in test_rows(scene, width)]


def test_those_that_run_come_first_then_the_last_that_ended(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 3))
    rows = said(scene)
    assert rows[0] == "a gpu-012..018 7 nodes 41.9s so far if it passes 7 are good"
    assert rows[2] == "T5 PASS gpu-028..048 41.9s > 21 good"
    assert rows[3] == "T3 FAIL gpu-012..027 2m00s timeout > one is bad at least"
    assert test_ids(scene) == [4, 6, 5, 3, 2, 1]
    assert num_tests(scene) == len(rows) == 6


def test_one_that_is_planned_stands_between(gpus: NodesSession) -> None:
    at_step(gpus, 2).advance_phase()
    scene = scene_of(gpus)
    assert said(scene)[0].startswith(". gpu-012..018 7 nodes planned")
    assert test_ids(scene)[:3] == [4, 5, 6]
    assert num_tests(scene) == 6


def test_a_row_says_whom_a_failure_would_condemn(gpus: NodesSession) -> None:
    rows = said(scene_of(at_step(gpus, 8)))
    assert rows[0].endswith("if it fails gpu-017 is bad")
    assert said(scene_of(at_step(gpus, 9)))[1].endswith("> gpu-017 bad")


def test_a_contradiction_is_named(link: NodesSession) -> None:
    rows = said(scene_of(to_end(link)))
    assert any("T10 PASS gpu-001+005" in row and "contradiction" in row for row in rows)


def test_a_note_stands_whole_or_not_at_all(gpus: NodesSession) -> None:
    for step in (3, 9, 14):
        scene = scene_of(at_step(gpus, step))
        for width in range(10, 120):
            for line in test_rows(scene, width):
                words = text_of(line)
                assert width_of(line) <= width or " > " not in words
                assert "> 1+ bad" in words or not words.rstrip().endswith("> 1")


def test_without_room_for_all_of_it_the_worst_that_followed_is_said(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 12))
    assert said(scene, 100)[0].endswith("> 1 good, gpu-051 bad")
    assert said(scene, 60)[0].endswith("> 1 good, 1 bad")
    assert said(scene, 43)[0].endswith("> 1 bad")
    assert said(scene, 36)[0].endswith("gpu-000+050")


def test_the_picked_test_is_pointed_at(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 3), NodesChoice(panel="tests", test=5))
    pointed = [row for row in test_rows(scene, 80) if text_of(row).startswith(">")]
    assert len(pointed) == 1
    assert "T5" in text_of(pointed[0])


def test_the_panel_counts_lanes_and_has_the_lines_it_was_given(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 3))
    for height in range(1, 20):
        for width in (20, 44, 105):
            lines = tests_panel(scene, Frame(width, height), focused=True)
            assert [width_of(line) for line in lines] == [width] * height
    title = text_of(tests_panel(scene, Frame(60, 5), focused=True)[0])
    assert "2 TESTS ─ 2 of 8 lanes ─ 4 ended" in title


def test_an_empty_one_says_why(gpus: NodesSession) -> None:
    assert "no test has begun" in text_of(
        tests_panel(scene_of(gpus), Frame(40, 5), focused=True)[1]
    )
