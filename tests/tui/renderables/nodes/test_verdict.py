"""The verdict: who is bad, what that has cost, and what cannot be told."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace
from tests.tui.searching import at_step, scene_of, search_of, to_end

from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.shown import ShownRate
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.searches import SearchOptions
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.nodes_sessions import open_search
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import text_of, width_of
from batchtui.tui.renderables.nodes.verdict import (
    gauge,
    rate_words,
    time_left,
    verdict_lines,
    verdict_panel,
)
from batchtui.tui.renderables.scene import NodesScene

Find = Callable[..., NodesSession]


def said(scene: NodesScene, width: int = 60) -> list[str]:
    return [text_of(line).rstrip() for line in verdict_lines(scene, width)]


def test_before_the_first_test_it_says_only_what_there_is(gpus: NodesSession) -> None:
    assert said(scene_of(gpus)) == [
        "bad       none found yet",
        "verdict   0 good  0 bad  64 open",
        "tests     0",
    ]


def test_under_way_it_says_what_is_expected_and_the_bounds(gpus: NodesSession) -> None:
    lines = said(scene_of(at_step(gpus, 9)))
    assert lines[0] == "bad       gpu-017"
    assert lines[1] == "verdict   56 good  1 bad  7 open"
    assert re.fullmatch(r"tests     11 of ~\d+, 1 running, bound 6 if 1 bad", lines[2])
    assert re.fullmatch(r"          \[#+\|#+\++\.+\]", lines[3])
    assert re.fullmatch(r"rounds    7 of ~\d+, bound 2", lines[4])
    assert re.fullmatch(r"rate      [\d.]+ % bad \(90 %: [\d.]+-[\d.]+\), ~[\d.]+ in all", lines[5])
    assert re.fullmatch(r"time      10m03s, ~\w+ left, 4\.29 node hours", lines[6])


def test_beside_the_tests_at_80_columns_each_row_has_room(gpus: NodesSession) -> None:
    for step in range(15):
        lines = said(scene_of(at_step(gpus, step)), 32)
        assert all(len(line) <= 32 for line in lines)
        assert [line.split()[0] for line in lines if line[0] != " "] == [
            *("bad", "verdict", "tests", "rounds", "rate", "time")
        ]
        assert len(lines) == 7


def test_at_the_end_it_says_what_it_came_to(gpus: NodesSession) -> None:
    lines = said(scene_of(to_end(gpus)))
    assert lines[:2] == ["bad       gpu-[017,051]", "verdict   62 good  2 bad  0 open"]
    assert lines[2] == "tests     15, bound 11 if 2 bad"
    assert " of " not in "".join(lines)
    assert "left" not in "".join(lines)


def test_where_all_are_good_it_says_so(find: Find) -> None:
    assert said(scene_of(to_end(find(8))))[0] == "bad       none: all are good"


def test_a_contradiction_is_counted_and_told(link: NodesSession) -> None:
    lines = said(scene_of(to_end(link)))
    assert lines[1].endswith("0 open  1 contradiction")
    assert any(line.startswith("note      contradiction: gpu-[004-005] failed") for line in lines)
    short = said(scene_of(link), 32)
    assert short[1:3] == ["verdict 15 good 1 bad 0 open", "        1 contradiction"]


def test_what_has_no_room_is_in_a_list(link: NodesSession) -> None:
    scene = scene_of(to_end(link))
    lines = [text_of(line) for line in verdict_panel(scene, Frame(36, 10))]
    assert "! lists the rest" in lines[-1]
    assert "lists" not in "".join(text_of(line) for line in verdict_panel(scene, Frame(60, 30)))


def test_the_panel_has_the_lines_it_was_given(link: NodesSession) -> None:
    scene = scene_of(to_end(link))
    for height in range(1, 30):
        for width in (2, 12, 20, 36, 54, 80):
            lines = verdict_panel(scene, Frame(width, height))
            assert [width_of(line) for line in lines] == [width] * height


def test_what_is_excluded_is_counted_where_there_is_any(find: Find) -> None:
    session = find(replace(numbered(8), excluded=frozenset({2, 5})))
    assert said(scene_of(session))[1] == "verdict   0 good  0 bad  6 open  2 excluded"


@pytest.mark.parametrize(
    ("share", "words"),
    [(1.0, "100"), (0.999, "100"), (0.336, "34"), (0.0312, "3.1"), (0.0003, "0.03"), (0, "<0.01")],
)
def test_a_rate_has_two_digits_and_no_exponent(
    gpus: NodesSession, share: float, words: str
) -> None:
    rate = ShownRate(mean=share, low=share, high=share, num_bad=1)
    scene = scene_of(gpus, view=replace(gpus.view, rate=rate))
    assert text_of(rate_words(scene, is_short=True)) == f"{words} % bad ({words}-{words})"


def test_the_gauge_is_as_wide_as_asked_and_ends_full(gpus: NodesSession) -> None:
    for step in range(15):
        scene = scene_of(at_step(gpus, step))
        for width in range(12, 60):
            assert width_of(gauge(scene, width)) in (0, min(width, 48))
    assert "." not in text_of(gauge(scene_of(to_end(gpus)), 40))


def test_the_time_that_is_left_is_open_before_a_test_has_ended(gpus: NodesSession) -> None:
    assert time_left(scene_of(gpus)) is None
    left = time_left(scene_of(at_step(gpus, 3)))
    assert left is not None and left > 0
    assert time_left(scene_of(to_end(gpus))) is None


def test_what_is_confirmed_has_a_row_of_its_own() -> None:
    case = NodesCase("cluster", numbered(16), simulated={"bad": (3,)}, strategy="fewest-rounds")
    session = open_search(case, SearchOptions(confirms=True))
    try:
        lines = said(scene_of(to_end(session)))
        assert any(line.startswith("stage     ") and "confirmed" in line for line in lines)
        other = search_of(16, (3,), "fewest-rounds")
        assert not any(line.startswith("stage") for line in said(scene_of(to_end(other))))
        other.close()
    finally:
        session.close()
