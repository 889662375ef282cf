"""The dock: an explanation, the picked request, or how to pick one."""

from __future__ import annotations

from tests.tui.renderables.looking import seen

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.dock import dock_panel, num_rows
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.scene import Choice, Scene

FRAME = Frame(49, 28, is_left=False)


def said(scene: Scene, frame: Frame = FRAME, top: int = 0) -> list[str]:
    return [text_of(line) for line in dock_panel(scene, frame, top)]


def test_where_nobody_is_picked_it_says_how(demo_at_12: BatchSession) -> None:
    assert "Pick a slot or a request" in said(seen(demo_at_12))[1]


def test_the_picked_request_is_there_before_anybody_asks(demo_at_12: BatchSession) -> None:
    text = "\n".join(said(seen(demo_at_12, choice=Choice(request_id="r13"))))
    assert "── r13 ──" in text
    assert "tenant travel" in text
    assert "WHY ─ w asks" in text


def test_the_answer_stands_above_the_request(demo_at_12: BatchSession) -> None:
    scene = seen(demo_at_12, asks=True, choice=Choice(request_id="r13"))
    lines = said(scene)
    assert "WHY r13 waits" in lines[0]
    assert "place" in lines[1]
    place = next(row for row, line in enumerate(lines) if "── r13 ──" in line)
    assert place > 10
    assert "prompt" in lines[place + 1]


def test_a_low_one_has_the_answer_alone_and_scrolls(demo_at_12: BatchSession) -> None:
    scene, frame = seen(demo_at_12, asks=True, choice=Choice(request_id="r13")), Frame(49, 7)
    lines = said(scene, frame)
    assert not any("── r13 ──" in line for line in lines)
    assert num_rows(scene, frame) > frame.room
    assert said(scene, frame, 2)[1] == lines[3]


def test_it_is_as_large_as_asked(demo_at_12: BatchSession) -> None:
    for scene in (
        seen(demo_at_12),
        seen(demo_at_12, choice=Choice(request_id="r6")),
        seen(demo_at_12, asks=True, choice=Choice(request_id="r6")),
    ):
        for width, height in ((20, 3), (49, 28), (80, 7), (2, 2), (49, 1)):
            lines = dock_panel(scene, Frame(width, height))
            assert [width_of(line) for line in lines] == [width] * height
