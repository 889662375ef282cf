"""The panels as text, and what they must never do."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from batchtui.tui.actions import footer_actions
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.batch_teller import BatchTeller
from batchtui.tui.renderables.changed import changed_lines, changed_panel
from batchtui.tui.renderables.empty import evals_panel, nodes_panel
from batchtui.tui.renderables.ended import ended_panel
from batchtui.tui.renderables.footer import action_at, footer
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.help import help_lines
from batchtui.tui.renderables.line import Line, text_of
from batchtui.tui.renderables.queue import queue_panel
from batchtui.tui.renderables.scene import Choice, Mode, Scene
from batchtui.tui.renderables.slots import slots_panel

Draw = Callable[..., Scene]
OpenCase = Callable[..., BatchSession]


def told(scene: Scene, frame: Frame) -> list[Line]:
    return changed_panel(scene, BatchTeller(scene), frame)


def told_bare(scene: Scene, width: int, height: int) -> list[Line]:
    return changed_lines(scene, BatchTeller(scene), width, height)


def text(lines: list[Line]) -> str:
    return "\n".join(text_of(line) for line in lines)


def test_a_panel_has_the_lines_it_was_given(demo_at_12: BatchSession, draw: Draw) -> None:
    scene = draw(demo_at_12)
    for height in range(1, 30):
        frame = Frame(80, height)
        assert len(told(scene, frame)) == height
        assert len(told_bare(scene, 80, height)) == height
        assert len(ended_panel(scene, frame, 0, focused=False)) == height
        assert len(queue_panel(scene, frame, 0, focused=False)) == height
        assert len(slots_panel(scene, frame, 0, focused=False)) == height
        assert len(nodes_panel(scene, frame, focused=False)) == height
        assert len(evals_panel(scene, frame, focused=False)) == height


@pytest.mark.parametrize("mode", list(Mode))
def test_the_footer_fits_80_columns_with_at_most_eight_keys(
    demo: BatchSession, draw: Draw, mode: Mode
) -> None:
    line = footer(draw(demo, mode=mode), 80)[-1]
    actions = footer_actions(mode)
    assert len(actions) <= 8
    assert all(f"{action.shown} " in text_of(line) for action in actions)
    assert "? help" in text_of(line)


def test_a_click_on_the_footer_means_the_key_under_it(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo)
    line = text_of(footer(scene, 80)[-1])
    assert action_at(scene, 80, line.index("phase")) == "phase"
    assert action_at(scene, 80, 79) is None


def test_the_head_says_why_it_waits_and_the_others_whether_they_would_fit(
    demo_at_12: BatchSession, draw: Draw
) -> None:
    panel = queue_panel(draw(demo_at_12), Frame(80, 9), 0, focused=False)
    lines = [text_of(line) for line in panel]
    assert "r12" in lines[2]
    assert "kv: 14 > 8 free" in lines[2]
    assert "behind r12  would fit" in lines[3]


def test_marks_are_for_a_paused_screen(demo_at_12: BatchSession, draw: Draw) -> None:
    def gutter(mode: Mode) -> str:
        lines = slots_panel(draw(demo_at_12, mode=mode), Frame(80, 10), 0, focused=False)
        return "".join(text_of(line)[1] for line in lines[2:])

    assert gutter(Mode.RUNNING).strip() == ""
    assert set(gutter(Mode.PAUSED)) >= {"-", "X", "!"}


def test_held_back_text_stands_in_brackets_after_what_was_delivered(
    demo_at_12: BatchSession, draw: Draw
) -> None:
    lines = slots_panel(draw(demo_at_12), Frame(80, 10), 0, focused=False)
    assert "forty-two.\\n╎ [EN]" in text_of(lines[7])


def test_a_failed_call_is_told_first(open_case: OpenCase, draw: Draw) -> None:
    session = open_case(
        [{"request_id": "r1", "prompt": "p", "calls": [["a"], ["b"]]}],
        faults=[{"call": 1, "kind": "raise"}],
    )
    session.advance_step()
    lines = [text_of(line) for line in told(draw(session), Frame(100, 2))]
    assert "call 1 failed: raise" in lines[1]


def test_more_than_fits_is_counted(demo_at_12: BatchSession, draw: Draw) -> None:
    lines = told(draw(demo_at_12), Frame(80, 3))
    assert "+7 lines" in text_of(lines[0])
    assert "dropped" in text_of(lines[-1])
    bare = told_bare(draw(demo_at_12), 80, 3)
    assert text_of(bare[-1]).endswith(" +6 ")


def test_the_end_of_a_run_says_what_it_came_to(demo: BatchSession, draw: Draw) -> None:
    while demo.advance_step():
        pass
    said = text_of(told(draw(demo), Frame(100, 6))[1])
    assert "20 requests done in" in said
    assert "abort 1" in said
    assert re.search(r"stop \d+", said)


def test_many_that_end_as_they_should_share_a_sentence(open_case: OpenCase, draw: Draw) -> None:
    requests = [{"request_id": f"r{n}", "prompt": "p", "calls": [["a"]]} for n in range(9)]
    session = open_case(requests, slots=9)
    session.advance_step()
    session.advance_step()
    said = text(told(draw(session), Frame(120, 6)))
    assert "slots 0 1 2 3 4 5 +3 ended: 9 stop" in said
    assert "slot 8" not in said


def test_a_title_drops_what_it_has_no_room_for(demo_at_12: BatchSession, draw: Draw) -> None:
    scene, frame = draw(demo_at_12), Frame(20, 10)
    slots = text_of(slots_panel(scene, frame, 0, focused=False)[0])
    queue = text_of(queue_panel(scene, frame, 0, focused=False)[0])
    assert slots == "├1 SLOTS ┬2 STREAMS┤"
    assert queue == "├3 QUEUE 6 ────────┤"


def test_the_tokens_of_a_run_are_balanced(demo: BatchSession, draw: Draw) -> None:
    while demo.advance_step():
        said = text(told(draw(demo), Frame(140, 12)))
        assert "balance ok" in said
        assert "missing" not in said


def test_a_wide_screen_says_which_slots_a_line_is_about(
    demo_at_12: BatchSession, draw: Draw
) -> None:
    wide = text(told(draw(demo_at_12), Frame(140, 12)))
    narrow = text(told(draw(demo_at_12), Frame(100, 12)))
    assert re.search(r"slot 4 r5 ended.* slot 4 ", wide)
    assert "queue 1-6" in wide
    assert "queue 1-6" not in narrow


def test_the_picked_row_is_pointed_at_beside_its_mark(demo_at_12: BatchSession, draw: Draw) -> None:
    scene = draw(demo_at_12, choice=Choice(slot=4, request_id="r14"))
    slots = [text_of(line) for line in slots_panel(scene, Frame(80, 10), 0, focused=False)]
    assert [line[1:3] for line in slots[2:]].count("->") == 1
    assert slots[6].startswith("│-> 4 F")
    queue = [text_of(line) for line in queue_panel(scene, Frame(80, 9), 0, focused=False)]
    assert [line[2] for line in queue[2:]] == list("  >    ")


def test_queue_and_ended_say_of_each_other(demo_at_12: BatchSession, draw: Draw) -> None:
    scene = draw(demo_at_12)
    queue = queue_panel(scene, Frame(80, 9), 0, focused=False)
    ended = ended_panel(scene, Frame(80, 9), 0, focused=False)
    assert "3 QUEUE 6 | ended 5" in text_of(queue[0])
    assert "3 ENDED 5 of 17 | queue 6" in text_of(ended[0])


def test_a_prompt_that_is_being_read_has_a_bar(open_case: OpenCase, draw: Draw) -> None:
    session = open_case([{"request_id": "r1", "prompt_tokens": 300, "calls": [["a"]]}])
    session.advance_phase()
    admitted = text(slots_panel(draw(session), Frame(80, 5), 0, focused=False))
    session.advance_phase()
    called = text(slots_panel(draw(session), Frame(80, 5), 0, focused=False))
    assert "prompt .............................. 0/300" in admitted
    assert "0/300 in this call" in called


def test_empty_panels_say_what_would_fill_them(demo: BatchSession, draw: Draw) -> None:
    scene = draw(demo)
    assert "node tests will be shown here" in text(nodes_panel(scene, Frame(80, 5), focused=False))
    assert "eval metrics will be shown" in text(evals_panel(scene, Frame(80, 5), focused=False))


def test_the_help_lists_every_key_it_is_given() -> None:
    said = text(help_lines([("n", "one step"), ("q", "leave")]))
    assert "n  one step" in said
    assert "held" in said
    assert "the row that is picked" in said


def test_a_long_description_in_the_help_goes_on_below_itself() -> None:
    lines = [text_of(line) for line in help_lines([("n", "word " * 12)], 40)]
    lines = lines[lines.index("KEYS") :]
    assert lines[1] == "  n  " + " ".join(["word"] * 7)
    assert lines[2].startswith("     word")
    assert all(len(line) <= 40 for line in lines[:3])


def test_a_slot_that_is_to_go_says_so(demo_at_12: BatchSession, draw: Draw) -> None:
    slots = [replace(slot, retiring=slot.index >= 6) for slot in demo_at_12.view.slots]
    view = replace(demo_at_12.view, slots=slots)
    lines = slots_panel(draw(demo_at_12, view=view), Frame(100, 10), 0, focused=False)
    assert "Hr" in text_of(lines[8])
    assert text_of(lines[8]).rstrip("│ ").endswith("retires when it ends")
    assert "retires: takes nobody new" in text_of(lines[9])
    assert text_of(lines[9])[1] == " "


def test_how_many_passed_by_is_a_column_where_somebody_has_counted(
    demo_at_12: BatchSession, draw: Draw
) -> None:
    plain = queue_panel(draw(demo_at_12), Frame(111, 9), 0, focused=False)
    counted = draw(demo_at_12, passed_by={"r12": 4})
    lines = [text_of(line) for line in queue_panel(counted, Frame(111, 9), 0, focused=False)]
    assert "passed by" not in text_of(plain[1])
    column = lines[1].index("passed by") + 8
    assert (lines[2][column], lines[3][column]) == ("4", "-")


@pytest.mark.parametrize("panel", ["slots", "queue", "ended", "nodes", "evals"])
def test_the_help_begins_with_the_panel_that_has_the_keys(panel: str) -> None:
    lines = [text_of(line) for line in help_lines([("n", "one step")], 60, panel)]
    assert lines[0] == f"{panel.upper()} has the keys"
    assert lines.index("KEYS") > 1
    assert all(len(line) <= 60 for line in lines[: lines.index("KEYS")])
