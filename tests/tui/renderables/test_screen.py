"""Whole screens: how they look, that every cell is drawn once, and what never gets out."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from tests.tui.renderables.composed import composed
from tests.tui.renderables.looking import back_to, seen

from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.glyphs import ASCII
from batchtui.tui.renderables.layout import Wish
from batchtui.tui.renderables.line import Line, text_of
from batchtui.tui.renderables.scene import Choice, Mode, Scene, Sort
from batchtui.tui.widgets.panel import STYLES

CheckGolden = Callable[[str, list[Line]], None]
OpenCase = Callable[..., BatchSession]

SIZES = {80: 24, 120: 40, 160: 50}


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_now(demo_at_12: BatchSession, golden: CheckGolden, width: int, height: int) -> None:
    golden(f"screen-{width}-now", composed(seen(demo_at_12), width, height))


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_the_past(demo_at_12: BatchSession, golden: CheckGolden, width: int, height: int) -> None:
    scene = seen(back_to(demo_at_12, 10), choice=Choice(slot=5, request_id="r6"))
    golden(f"screen-{width}-past", composed(scene, width, height))


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_why(demo_at_12: BatchSession, golden: CheckGolden, width: int, height: int) -> None:
    """Docked at 160, over the panels below at the others."""
    scene = seen(demo_at_12, asks=True, choice=Choice(panel="queue", request_id="r13"))
    golden(f"screen-{width}-why", composed(scene, width, height))


def test_a_filter_and_an_order(demo_at_12: BatchSession, golden: CheckGolden) -> None:
    choice = Choice("queue", None, "r14", filter="r1", queue_sort=Sort("kv", reverse=True))
    golden("screen-120-sorted", composed(seen(demo_at_12, choice=choice), 120, 40))


def test_those_who_have_ended(demo_at_12: BatchSession, golden: CheckGolden) -> None:
    scene = seen(demo_at_12, choice=Choice(panel="ended", request_id="r8"))
    golden("screen-120-ended", composed(scene, 120, 40))


def test_before_the_first_decision(demo: BatchSession, golden: CheckGolden) -> None:
    golden("screen-80-begin", composed(seen(demo), 80, 24))


@pytest.mark.parametrize("step", [12, 10])
def test_ascii_draws_nothing_else(demo_at_12: BatchSession, golden: CheckGolden, step: int) -> None:
    scene = seen(back_to(demo_at_12, step), glyphs=ASCII, choice=Choice(request_id="r13"))
    lines = composed(scene, 80, 24)
    golden(f"screen-80-ascii-{step}", lines)
    assert all(text_of(line).isascii() for line in lines)
    assert all(text_of(line).isascii() for line in composed(scene, 160, 50))


def many(demo: BatchSession) -> list[Scene]:
    picked = Choice("queue", 3, "r13", filter="1", queue_sort=Sort("waited"))
    return [
        seen(demo, choice=picked, asks=True),
        seen(demo, mode=Mode.RUNNING, speed="max", calling=True, calling_s=9),
        seen(back_to(demo, 10), choice=Choice("ended", None, "r8")),
        seen(back_to(demo, -1), choice=Choice("nodes")),
    ]


@pytest.mark.parametrize("wish", [None, Wish(zoomed="queue"), Wish(zoomed="slots")], ids=str)
def test_every_cell_is_drawn_once_at_any_size(demo_at_12: BatchSession, wish: Wish | None) -> None:
    """``composed`` asserts the width of every line of every panel."""
    widths = [20, 33, 40, 56, 71, 72, 80, 103, 120, 139, 140, 160, 200]
    heights = [5, 6, 8, 10, 16, 24, 30, 36, 50, 70]
    for scene in many(demo_at_12):
        for width, height in itertools.product(widths, heights):
            assert len(composed(scene, width, height, wish)) == height


def test_every_style_has_a_colour(demo_at_12: BatchSession) -> None:
    for scene in many(demo_at_12):
        used = {style for line in composed(scene, 160, 50) for _, style in line}
        assert used - {""} <= set(STYLES)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)])
def test_markup_and_escapes_of_a_model_stay_text(
    open_case: OpenCase, size: tuple[int, int]
) -> None:
    hostile, name = "[red]x[/red]\x1b[2J\u202e", "r[b]\x1b"
    request = {"request_id": name, "prompt": hostile, "tenant": hostile, "stop": [hostile + "!"]}
    rest = [{**request, "request_id": f"{name}{n}", "calls": [["y"]] * 3} for n in range(4)]
    session = open_case([{**request, "calls": [["z" + hostile], ["y"]]}, *rest])
    session.advance_step()
    for asked in (name, f"{name}3"):
        scene = seen(session, asks=True, choice=Choice(request_id=asked))
        text = "\n".join(text_of(line) for line in composed(scene, *size))
        assert "r[b]\\x1b" in text
        assert not set(text) & set("\x1b\u202e")


def test_the_past_has_another_outline(demo_at_12: BatchSession) -> None:
    now = [text_of(line) for line in composed(seen(demo_at_12), 80, 24)]
    past = [text_of(line) for line in composed(seen(back_to(demo_at_12, 10)), 80, 24)]
    assert (now[5][0], now[6][0], now[-2][-1]) == ("┌", "│", "┘")
    assert (past[5][0], past[6][0], past[-2][-1]) == ("╔", "║", "╝")


def test_borders_meet_where_panels_do(demo_at_12: BatchSession) -> None:
    """Every crossing is drawn as one: what a border says of its neighbours, they say of it."""
    for (width, height), asks in itertools.product(SIZES.items(), (False, True)):
        scene = seen(demo_at_12, asks=asks, choice=Choice(request_id="r13"))
        rows = [text_of(line) for line in composed(scene, width, height)]
        for y, x in itertools.product(range(1, height - 1), range(width)):
            mark = rows[y][x : x + 1]
            if mark in "├┼┤┬┴" and mark and len(rows[y]) == len(rows[y + 1]) == width:
                if mark in "├┼┤┬":
                    assert rows[y + 1][x] in "│├┤┼┴└┘", (width, y, x)
                if mark in "├┼┤┴":
                    assert rows[y - 1][x] in "│├┤┼┬┌┐", (width, y, x)
