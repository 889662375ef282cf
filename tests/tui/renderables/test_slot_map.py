"""Where there are more slots than rows, a map has a letter for each of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.slot_map import slot_map
from batchtui.tui.renderables.slots import frame_lines, slots_panel

OpenCase = Callable[..., BatchSession]
Draw = Callable[..., Scene]


@pytest.fixture
def crowded(open_case: OpenCase) -> BatchSession:
    """Forty slots in step 1: r7 ends in it, the others go on."""

    def calls(number: int) -> list[Any]:  # Any: JSON
        return [["a"], ["<eos>"] if number == 7 else ["b"], ["c"]]

    requests = [{"request_id": f"r{n}", "prompt": "p", "calls": calls(n)} for n in range(30)]
    session = open_case(requests, slots=40)
    session.advance_step()
    session.advance_step()
    return session


def test_there_is_none_where_every_slot_has_a_row(crowded: BatchSession, draw: Draw) -> None:
    assert slot_map(draw(crowded), 80, 42) == []
    assert slot_map(draw(crowded), 80, 41) != []


def test_it_has_a_letter_for_every_slot(crowded: BatchSession, draw: Draw) -> None:
    lines = slot_map(draw(crowded), 80, 20)
    letters = "".join(text_of(line)[5:] for line in lines).replace(" ", "")
    assert letters == "DDDDDDDF" + "D" * 22 + "." * 10
    assert max(width_of(line) for line in lines) <= 78


def test_none_is_better_than_one_without_the_last_slots(open_case: OpenCase, draw: Draw) -> None:
    session = open_case([{"request_id": "r", "prompt": "p", "calls": [["a"]]}], slots=2000)
    assert slot_map(draw(session), 80, 20) == []
    assert slot_map(draw(session), 80, 80) != []


def test_the_rows_begin_with_what_the_last_step_did(crowded: BatchSession, draw: Draw) -> None:
    def first_row(mode: Mode) -> str:
        scene = draw(crowded, mode=mode)
        lines = slots_panel(scene, Frame(80, 20), 0, focused=False)
        return text_of(lines[frame_lines(scene, 80, 20)])

    assert "r7" in first_row(Mode.PAUSED)
    assert " r0 " in first_row(Mode.RUNNING)


@pytest.mark.parametrize("width", [*range(1, 100, 7), 160])
def test_every_line_has_the_width_and_the_panel_its_height(
    crowded: BatchSession, draw: Draw, width: int
) -> None:
    for height in range(1, 45):
        lines = slots_panel(draw(crowded), Frame(width, height), 0, focused=False)
        assert {width_of(line) for line in lines} == {width}
        assert len(lines) == height
