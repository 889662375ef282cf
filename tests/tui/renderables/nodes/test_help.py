"""The help of a search, its facts, and its dock."""

from __future__ import annotations

import pytest
from tests.tui.searching import at_step, scene_of

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.nodes.dock import nodes_dock, num_reasons
from batchtui.tui.renderables.nodes.facts import nodes_facts
from batchtui.tui.renderables.nodes.help import nodes_help
from batchtui.tui.renderables.nodes.letters import NODES_MARKS, WORDS
from batchtui.tui.renderables.scene import NodesChoice, Title


@pytest.mark.parametrize("panel", ["map", "tests"])
def test_the_help_begins_with_the_panel_and_explains_every_letter_and_mark(panel: str) -> None:
    lines = [text_of(line) for line in nodes_help([("n", "one step"), ("q", "leave")], 60, panel)]
    assert lines[0] == f"{panel.upper()} has the keys"
    assert "  n  one step" in lines
    letters = lines[lines.index("MAP") + 1 :]
    assert all(any(line.strip().startswith(letter) for line in letters) for letter in WORDS)
    marks = lines[lines.index("RIBBON a mark for each step") + 1 :]
    assert len(marks) == len(NODES_MARKS)
    assert all(len(line) <= 60 for line in lines)


def test_the_facts_say_what_how_and_how_far(gpus: NodesSession) -> None:
    facts = [text_of(line) for line in nodes_facts(scene_of(at_step(gpus, 3)))]
    assert facts == [
        *("gpus.json", "SIM simulated", "fewest-tests", "bad 0", "good 33", "open 31"),
        *("2 of 8 lanes", "4 tests"),
    ]


def test_a_real_probe_is_said_loudly(gpus: NodesSession) -> None:
    scene = scene_of(gpus, title=Title("c\x1b", "torch", "p", real=True))
    facts = nodes_facts(scene)
    assert facts[0] == [("c\\x1b", "name")]
    assert facts[1][0] == ("REAL", "real")


def test_the_dock_says_why_or_how_to_ask(gpus: NodesSession) -> None:
    at_step(gpus, 9)
    unasked = [text_of(line) for line in nodes_dock(scene_of(gpus), Frame(54, 10))]
    assert "WHY ─ w asks" in unasked[0]
    scene = scene_of(gpus, NodesChoice(node=17), asks=True)
    asked = [text_of(line) for line in nodes_dock(scene, Frame(54, 10))]
    assert "WHY gpu-017 is bad ── as of step 9" in asked[0]
    assert "T10 failed" in asked[1]


def test_the_dock_scrolls_through_all_there_is(gpus: NodesSession) -> None:
    scene = scene_of(at_step(gpus, 9), NodesChoice(node=17), asks=True)
    frame = Frame(54, 4)
    total = num_reasons(scene, frame)
    assert total > frame.room
    last = [text_of(line) for line in nodes_dock(scene, frame, total - frame.room)]
    first = [text_of(line) for line in nodes_dock(scene, frame)]
    assert last[1:] != first[1:]
    assert all(width_of(line) == 54 for line in nodes_dock(scene, frame))
    assert num_reasons(scene_of(gpus), frame) == 0
