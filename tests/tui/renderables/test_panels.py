"""The panels as text, and what they must never do."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from batchtui.tui.actions import footer_actions
from batchtui.tui.renderables.changed import changed_panel
from batchtui.tui.renderables.ended import ended_panel
from batchtui.tui.renderables.footer import action_at, footer
from batchtui.tui.renderables.glyphs import ASCII
from batchtui.tui.renderables.help import help_lines
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.queue import queue_panel
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.slots import divider, slots_panel
from batchtui.tui.renderables.table import Place
from batchtui.tui.renderables.topline import top_line
from batchtui.tui.session import Session

Draw = Callable[..., Scene]
CheckGolden = Callable[[str, list[Line]], None]
OpenCase = Callable[..., Session]


def screen(scene: Scene, width: int, slots: int, queue: int) -> list[Line]:
    place = Place(joint=divider(scene, width))
    return [
        *top_line(scene, width),
        *changed_panel(scene, width, 5),
        *slots_panel(scene, width, slots, 0, focused=False),
        *queue_panel(scene, width, queue, place, focused=False),
        *ended_panel(scene, width, 6, Place(), focused=False),
        *footer(scene, width),
    ]


@pytest.mark.parametrize("width", [80, 120, 160])
def test_the_demo_at_step_12(
    demo_at_12: Session, draw: Draw, golden: CheckGolden, width: int
) -> None:
    golden(f"dashboard-{width}-step-12", screen(draw(demo_at_12), width, 10, 9))


def test_the_demo_before_its_first_decision(demo: Session, draw: Draw, golden: CheckGolden) -> None:
    golden("dashboard-80-step-0", screen(draw(demo), 80, 10, 6))


def test_ascii_draws_nothing_else(demo_at_12: Session, draw: Draw, golden: CheckGolden) -> None:
    lines = screen(draw(demo_at_12, glyphs=ASCII), 80, 10, 9)
    golden("dashboard-80-ascii", lines)
    assert all(text_of(line).isascii() for line in lines)


@pytest.mark.parametrize("mode", list(Mode))
def test_every_line_has_the_width_of_the_screen(
    demo_at_12: Session, draw: Draw, mode: Mode
) -> None:
    for width in [*range(1, 100), 120, 160, 240]:
        scene = draw(demo_at_12, mode=mode, speed="max")
        widths = {width_of(line) for line in screen(scene, width, 10, 8)}
        assert widths == {width}


def test_a_panel_has_the_lines_it_was_given(demo_at_12: Session, draw: Draw) -> None:
    scene = draw(demo_at_12)
    for height in range(1, 30):
        assert len(changed_panel(scene, 80, height)) == height
        assert len(ended_panel(scene, 80, height, Place(), focused=False)) == height
        assert len(queue_panel(scene, 80, height, Place(), focused=False)) == height
        assert len(slots_panel(scene, 80, height, 0, focused=False)) == min(height, 10)


@pytest.mark.parametrize("mode", list(Mode))
def test_the_footer_fits_80_columns_with_at_most_eight_keys(
    demo: Session, draw: Draw, mode: Mode
) -> None:
    line = footer(draw(demo, mode=mode), 80)[-1]
    actions = footer_actions(mode)
    assert len(actions) <= 8
    assert all(f"{action.shown} " in text_of(line) for action in actions)
    assert "q quit" in text_of(line)


def test_a_click_on_the_footer_means_the_key_under_it(demo: Session, draw: Draw) -> None:
    scene = draw(demo)
    text = text_of(footer(scene, 80)[-1])
    assert action_at(scene, 80, text.index("phase")) == "phase"
    assert action_at(scene, 80, 79) is None


def test_the_head_says_why_it_waits_and_the_others_whether_they_would_fit(
    demo_at_12: Session, draw: Draw
) -> None:
    lines = [text_of(line) for line in queue_panel(draw(demo_at_12), 80, 9, Place(), focused=False)]
    assert "r12" in lines[2]
    assert "kv: 14 > 8 free" in lines[2]
    assert "behind r12  would fit" in lines[3]


def test_marks_are_for_a_paused_screen(demo_at_12: Session, draw: Draw) -> None:
    def gutter(mode: Mode) -> str:
        lines = slots_panel(draw(demo_at_12, mode=mode), 80, 10, 0, focused=False)
        return "".join(text_of(line)[1] for line in lines[2:])

    assert gutter(Mode.RUNNING).strip() == ""
    assert set(gutter(Mode.PAUSED)) >= {"-", "X", "!"}


def test_held_back_text_stands_in_brackets_after_what_was_delivered(
    demo_at_12: Session, draw: Draw
) -> None:
    lines = slots_panel(draw(demo_at_12), 80, 10, 0, focused=False)
    assert "forty-two.\\n╎ [EN]" in text_of(lines[7])


def test_markup_and_escapes_of_a_model_stay_text(open_case: OpenCase, draw: Draw) -> None:
    hostile = "[red]x[/red]\x1b[2J\u202e"
    session = open_case([{"request_id": "r[b]\x1b", "prompt": "p", "calls": [[hostile], ["y"]]}])
    session.advance_step()
    text = "\n".join(text_of(line) for line in screen(draw(session), 120, 4, 4))
    assert "[red]x[/red]\\x1b[2J\\u202e" in text
    assert "r[b]\\x1b" in text
    assert "\x1b" not in text


def test_a_failed_call_is_told_first(open_case: OpenCase, draw: Draw) -> None:
    session = open_case(
        [{"request_id": "r1", "prompt": "p", "calls": [["a"], ["b"]]}],
        faults=[{"call": 1, "kind": "raise"}],
    )
    session.advance_step()
    lines = [text_of(line) for line in changed_panel(draw(session), 100, 2)]
    assert "call 1 failed: raise" in lines[1]


def test_more_than_fits_is_counted(demo_at_12: Session, draw: Draw) -> None:
    lines = changed_panel(draw(demo_at_12), 80, 3)
    assert "+5 lines" in text_of(lines[0])
    assert "dropped" in text_of(lines[-1])


def test_the_end_of_a_run_says_what_it_came_to(demo: Session, draw: Draw) -> None:
    while demo.advance_step():
        pass
    text = text_of(changed_panel(draw(demo), 100, 6)[1])
    assert "20 requests done in" in text
    assert "abort 1" in text
    assert re.search(r"stop \d+", text)


def test_many_that_end_as_they_should_share_a_sentence(open_case: OpenCase, draw: Draw) -> None:
    requests = [{"request_id": f"r{n}", "prompt": "p", "calls": [["a"]]} for n in range(9)]
    session = open_case(requests, slots=9)
    session.advance_step()
    session.advance_step()
    text = "\n".join(text_of(line) for line in changed_panel(draw(session), 120, 6))
    assert "slots 0 1 2 3 4 5 +3 ended: 9 stop" in text
    assert "slot 8" not in text


def test_a_title_drops_what_it_has_no_room_for(demo_at_12: Session, draw: Draw) -> None:
    lines = screen(draw(demo_at_12), 20, 10, 6)
    titles = [text_of(line) for line in lines if any(style == "digit" for _, style in line)]
    assert titles[0] == "├1 SLOTS ┬2 STREAMS┤"
    assert not any(".." in title for title in titles)


def test_panels_that_stand_side_by_side_share_a_border(demo_at_12: Session, draw: Draw) -> None:
    scene, place = draw(demo_at_12), Place(beside=True)
    left = queue_panel(scene, 70, 8, place, focused=False)
    right = ended_panel(scene, 50, 8, place, focused=False)
    rows = [text_of([*ours, *theirs]) for ours, theirs in zip(left, right, strict=True)]
    assert all(len(row) == 120 for row in rows)
    assert [row[69:71] for row in rows[:2]] == ["┬4", "│ "]
    assert not any("││" in row for row in rows)
    assert text_of(footer(scene, 120, joint=69)[0])[69] == "┴"


def test_the_help_lists_every_key_it_is_given() -> None:
    text = "\n".join(text_of(line) for line in help_lines([("n", "one step"), ("q", "leave")]))
    assert "n  one step" in text
    assert "held" in text
