"""All of a node, and all of a test."""

from __future__ import annotations

from tests.tui.searching import at_step, scene_of, to_end

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.nodes.detail import node_lines, test_lines

test_lines.__test__ = False  # type: ignore[attr-defined]  # no test of ours


def test_a_node_has_its_proof_and_every_test_it_was_in(gpus: NodesSession) -> None:
    scene = scene_of(to_end(gpus))
    tests = gpus.history.tests_of(17, scene.turn)
    lines = [text_of(line) for line in node_lines(scene, 17, gpus.why(17), tests, 70)]
    assert lines[0].startswith("#  node 17 in rack B")
    assert "gpu-017 is bad" in lines
    assert any("T10 failed" in line for line in lines)
    assert f"TESTS {len(tests)}" in lines
    assert sum(line.startswith("T") and "node" in line for line in lines) == len(tests) == 4


def test_a_node_of_the_past_has_only_what_was_known_then(gpus: NodesSession) -> None:
    scene = scene_of(at_step(to_end(gpus), 2))
    tests = gpus.history.tests_of(17, scene.turn)
    lines = [text_of(line) for line in node_lines(scene, 17, gpus.why(17), tests, 70)]
    assert lines[0].startswith("?  node 17")
    assert len(tests) == 2
    assert any("LATER" in line for line in lines)


def test_a_test_has_its_story_and_its_members(gpus: NodesSession) -> None:
    scene = scene_of(to_end(gpus))
    story = gpus.history.test(10)
    assert story is not None
    lines = [text_of(line) for line in test_lines(scene, story, scene.turn, 60)]
    assert lines[0].startswith("T10   failed")
    assert any("planned for round" in line for line in lines)
    assert any("failed after 2m00s timeout" in line for line in lines)
    assert "2 nodes" in lines
    assert "+gpu-000 #gpu-017" in lines[-1]


def test_as_of_a_moment_in_which_it_ran_it_has_not_ended(gpus: NodesSession) -> None:
    scene = scene_of(at_step(to_end(gpus), 8))
    story = gpus.history.test(10)
    assert story is not None
    lines = [text_of(line) for line in test_lines(scene, story, scene.turn, 60)]
    assert "not ended" in lines[0]
    assert not any("failed" in line for line in lines)


def test_no_line_is_wider_than_asked(gpus: NodesSession) -> None:
    scene = scene_of(to_end(gpus))
    story = gpus.history.test(1)
    assert story is not None
    for width in (50, 60, 76):
        lines = test_lines(scene, story, scene.turn, width)
        lines += node_lines(scene, 17, gpus.why(17), gpus.history.tests_of(17, scene.turn), width)
        assert max(width_of(line) for line in lines) <= width
