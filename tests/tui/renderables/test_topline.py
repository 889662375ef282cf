"""The top line in every state of the screen."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.batch_facts import batch_facts
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.scene import Head, Mode, Scene
from batchtui.tui.renderables.topline import top_line

Draw = Callable[..., Scene]

PAST = {"mode": Mode.PAST, "head": Head(57, 1_790_000, 16, 64)}


def topped(scene: Scene, width: int) -> Line:
    (line,) = top_line(scene, batch_facts(scene, width), width)
    return line


def said(scene: Scene, width: int) -> str:
    return text_of(topped(scene, width))


def test_now_and_the_past_are_told_apart_by_words(demo_at_12: BatchSession, draw: Draw) -> None:
    assert "[BATCH 12]" in said(draw(demo_at_12), 80)
    assert "PAUSED at NOW   0.300 s" in said(draw(demo_at_12), 80)
    past = said(draw(demo_at_12, **PAST), 80)
    assert past.startswith("  PAST 16 back  [BATCH 12 of 57]")
    assert past.endswith("0.300 s of 1.790 s ")


def test_within_a_step_the_past_counts_phases(demo_at_12: BatchSession, draw: Draw) -> None:
    scene = draw(demo_at_12, mode=Mode.PAST, head=Head(12, 300_000, 0, 1))
    assert "PAST 1 phase" in said(scene, 80)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"mode": Mode.RUNNING, "speed": "5/s"}, "RUNNING 5/s"),
        ({"mode": Mode.ENDED}, "ENDED"),
        ({"fault": "a bug"}, "STOPPED"),
        ({"calling": True}, "CALLING"),
        ({"calling": True, "calling_s": 7}, "CALLING 7 s"),
    ],
)
def test_the_chip_says_what_goes_on(
    demo_at_12: BatchSession, draw: Draw, fields: dict[str, object], words: str
) -> None:
    assert words in said(draw(demo_at_12, **fields), 80)


def test_a_wide_one_has_figures(demo_at_12: BatchSession, draw: Draw) -> None:
    line = said(draw(demo_at_12, **PAST), 160)
    assert "slots 6/8   kv 36/48   queue 6" in line
    assert "PAUSED   t 0.300 s of 1.790 s" in line


def test_while_it_runs_it_says_at_what_rate(demo_at_12: BatchSession, draw: Draw) -> None:
    running = draw(demo_at_12, mode=Mode.RUNNING, speed="5/s")
    assert "463 tokens/s" in said(running, 100)
    assert "tokens/s" not in said(draw(demo_at_12), 100)


def test_it_is_as_wide_as_asked(demo_at_12: BatchSession, draw: Draw) -> None:
    for width in range(1, 201):
        for fields in ({}, PAST, {"mode": Mode.RUNNING, "speed": "max"}):
            assert width_of(topped(draw(demo_at_12, **fields), width)) == width
