"""Whole screens of a search: how they look, that every cell is drawn once, what never gets out."""

from __future__ import annotations

import itertools
import unicodedata
from collections.abc import Callable

import pytest
from tests.tui.renderables.nodes.composed_nodes import nodes_composed
from tests.tui.searching import at_step, hostile_inventory, scene_of, to_end

from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.glyphs import ASCII
from batchtui.tui.renderables.line import Line, text_of
from batchtui.tui.renderables.nodes.detail import node_lines
from batchtui.tui.renderables.nodes.layout import NodesWish
from batchtui.tui.renderables.nodes.panel import nodes_panel
from batchtui.tui.renderables.scene import Mode, NodesChoice, NodesScene
from batchtui.tui.widgets.panel import STYLES

Find = Callable[..., NodesSession]
CheckGolden = Callable[[str, list[Line]], None]

SIZES = {80: 24, 160: 50}


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_running(gpus: NodesSession, golden: CheckGolden, width: int, height: int) -> None:
    scene = scene_of(at_step(gpus, 3), NodesChoice(panel="tests", test=5))
    golden(f"nodes-{width}-running", nodes_composed(scene, width, height))


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_why(gpus: NodesSession, golden: CheckGolden, width: int, height: int) -> None:
    scene = scene_of(at_step(gpus, 9), NodesChoice(node=17), asks=True)
    golden(f"nodes-{width}-why", nodes_composed(scene, width, height))


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_the_past(gpus: NodesSession, golden: CheckGolden, width: int, height: int) -> None:
    scene = scene_of(at_step(to_end(gpus), 12), NodesChoice(node=51), asks=width > 80)
    golden(f"nodes-{width}-past", nodes_composed(scene, width, height))


@pytest.mark.parametrize(("width", "height"), SIZES.items())
def test_a_contradiction(link: NodesSession, golden: CheckGolden, width: int, height: int) -> None:
    golden(f"nodes-{width}-link", nodes_composed(scene_of(to_end(link)), width, height))


def test_before_the_first_decision(gpus: NodesSession, golden: CheckGolden) -> None:
    golden("nodes-80-begin", nodes_composed(scene_of(gpus), 80, 24))


def test_4096_nodes_squeezed(find: Find, golden: CheckGolden) -> None:
    scene = scene_of(at_step(find(4096, (17, 44, 4076)), 4))
    golden("nodes-80-squeezed", nodes_composed(scene, 80, 24))


def test_ascii_draws_nothing_else(gpus: NodesSession, golden: CheckGolden) -> None:
    scene = scene_of(at_step(to_end(gpus), 9), NodesChoice(node=17), glyphs=ASCII)
    lines = nodes_composed(scene, 80, 24)
    golden("nodes-80-ascii", lines)
    assert all(text_of(line).isascii() for line in lines)
    assert all(text_of(line).isascii() for line in nodes_composed(scene, 160, 50))


def many(session: NodesSession) -> list[NodesScene]:
    begin = scene_of(session)
    running = scene_of(at_step(session, 3), mode=Mode.RUNNING, speed="max")
    asked = scene_of(session, NodesChoice("map", 5), asks=True)
    ended = scene_of(to_end(session), NodesChoice("tests", 5, 3))
    return [begin, running, asked, ended, scene_of(at_step(session, 2), NodesChoice(node=3))]


@pytest.mark.parametrize(
    "wish", [None, NodesWish(zoomed="map"), NodesWish(zoomed="tests"), NodesWish(below="verdict")]
)
def test_every_cell_is_drawn_once_at_any_size(link: NodesSession, wish: NodesWish | None) -> None:
    """``nodes_composed`` asserts the width of every line of every panel."""
    widths = [20, 33, 40, 56, 71, 72, 80, 103, 120, 139, 140, 160, 240]
    heights = [5, 6, 8, 10, 16, 24, 30, 36, 50, 100]
    for scene in many(link):
        for width, height in itertools.product(widths, heights):
            assert len(nodes_composed(scene, width, height, wish)) == height


def test_every_style_has_a_colour(gpus: NodesSession) -> None:
    for scene in many(gpus):
        used = {style for line in nodes_composed(scene, 160, 50) for _, style in line}
        assert used - {""} <= set(STYLES)


@pytest.mark.parametrize("size", [(40, 16), (80, 24), (160, 50)])
@pytest.mark.parametrize("ascii_only", [False, True])
def test_names_that_a_terminal_would_obey_stay_text(
    find: Find, size: tuple[int, int], ascii_only: bool
) -> None:
    session = find(hostile_inventory(), (1, 2, 9), "fewest-rounds")
    glyphs = {"glyphs": ASCII} if ascii_only else {}
    for step in range(4):
        at_step(session, step)
        for node in range(6):
            scene = scene_of(session, NodesChoice(node=node), asks=True, **glyphs)
            lines = nodes_composed(scene, *size)
            lines += nodes_composed(scene, *size, NodesWish())
            lines += nodes_panel(scene, Frame(size[0], 9), focused=True)
            lines += node_lines(
                scene, node, session.why(node), session.history.tests_of(node, scene.turn), size[0]
            )
            text = "".join(text_of(line) for line in lines)
            assert not any(unicodedata.category(character)[0] == "C" for character in text)
            assert text.isascii() or not ascii_only
    assert "[bold]a[/]" in text


def test_the_past_has_another_outline(gpus: NodesSession) -> None:
    now = [text_of(line) for line in nodes_composed(scene_of(to_end(gpus)), 80, 24)]
    past = [text_of(line) for line in nodes_composed(scene_of(at_step(gpus, 9)), 80, 24)]
    assert (now[5][0], now[6][0], now[-2][-1]) == ("┌", "│", "┘")
    assert (past[5][0], past[6][0], past[-2][-1]) == ("╔", "║", "╝")


def test_borders_meet_where_panels_do(gpus: NodesSession) -> None:
    """Every crossing is drawn as one: what a border says of its neighbours, they say of it."""
    at_step(gpus, 9)
    for (width, height), asks in itertools.product(SIZES.items(), (False, True)):
        scene = scene_of(gpus, NodesChoice(node=17), asks=asks)
        rows = [text_of(line) for line in nodes_composed(scene, width, height)]
        for y, x in itertools.product(range(1, height - 1), range(width)):
            mark = rows[y][x]
            if mark in "├┼┤┬":
                assert rows[y + 1][x] in "│├┤┼┴└┘", (width, y, x)
            if mark in "├┼┤┴":
                assert rows[y - 1][x] in "│├┤┼┬┌┐", (width, y, x)
