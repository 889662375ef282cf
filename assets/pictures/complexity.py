"""Measures every strategy, draws the picture of docs/complexity.md and writes its tables.

python assets/pictures/complexity.py      (or: just pictures; some two minutes)

Each figure is a mean over searches on the virtual clock, in which the bad nodes are drawn with the
seeds 0, 1, 2, ...
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.bounds import least_rounds, log2_choose, unknown_d
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.rehearsal import Begun, rehearse
from batchtui.engine.nodes.strategies.named import strategy_named

HERE = Path(__file__).parent
PICTURE = HERE / "complexity.svg"
DOCS = HERE.parent.parent / "docs" / "complexity.md"

STRATEGIES = ("fewest-tests", "fewest-rounds", "staged", "anchor")
SIZES = {64: 24, 256: 12, 1024: 4}
"""How many nodes, and how many seeds."""

FEW = 16
"""Tests at once, where they are limited."""

PASS_US, FAIL_US = 40_000_000, 120_000_000


class Measured(NamedTuple):
    """Means over some searches."""

    tests: float
    rounds: float
    minutes: float


def measure(strategy: str, count: int, num_bad: int, lanes: int | None, seeds: int) -> Measured:
    """Search with this many bad nodes, once a seed. With a lane for every pair all tests take as
    long; with fewer a failing one takes three times as long as a passing one."""
    fail_us = PASS_US if lanes is None else FAIL_US
    config = NodesConfig(
        inventory=numbered(count), max_parallel=lanes, pass_us=PASS_US, fail_us=fail_us
    )
    make, begun = strategy_named(strategy), Begun(Board(config))
    ends = [
        rehearse(config, begun, make, frozenset(random.Random(seed).sample(range(count), num_bad)))
        for seed in range(seeds)
    ]
    return Measured(
        sum(end.num_tests for end in ends) / seeds,
        sum(end.board.rounds for end in ends) / seeds,
        sum(end.now for end in ends) / seeds / 60e6,
    )


# The tables.


def numbers_of_bad(count: int) -> tuple[int, ...]:
    """None, a few, 5 %, 20 % and half of them."""
    return tuple(sorted({0, 1, 2, 3, count // 20, count // 5, count // 2}))


def tests_row(count: int, num_bad: int, seeds: int) -> str:
    """Tests and rounds beside the bounds, with a lane for every pair."""
    cells = [
        f"{count}",
        f"{num_bad}",
        f"{log2_choose(count, num_bad):.1f}",
        f"{unknown_d(count, num_bad):.1f}",
        f"{least_rounds(count, num_bad)}",
    ]
    for strategy in STRATEGIES:
        found = measure(strategy, count, num_bad, None, seeds)
        cells.append(f"{found.tests:.1f} / {found.rounds:.1f}")
    return "| " + " | ".join(cells) + " |"


def minutes_row(count: int, num_bad: int, seeds: int) -> str:
    """The minutes a search takes with few lanes."""
    cells = [f"{count}", f"{num_bad}"]
    for strategy in ("fewest-tests", "fewest-rounds", "staged", "fastest"):
        cells.append(f"{measure(strategy, count, num_bad, FEW, seeds).minutes:.1f}")
    return "| " + " | ".join(cells) + " |"


TESTS_HEAD = [
    "| N | bad | log2 C | LBu | rounds, at least | " + " | ".join(STRATEGIES) + " |",
    "|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
]
MINUTES_HEAD = [
    "| N | bad | fewest-tests | fewest-rounds | staged | fastest |",
    "|---:|---:|---:|---:|---:|---:|",
]


def tables() -> dict[str, list[str]]:
    """The lines of each table by its name."""
    every = [(n, bad, seeds) for n, seeds in SIZES.items() for bad in numbers_of_bad(n)]
    return {
        "tests": TESTS_HEAD + [tests_row(*each) for each in every],
        "minutes": MINUTES_HEAD + [minutes_row(*each) for each in every if each[0] > 64],
    }


def written(text: str, name: str, lines: Sequence[str]) -> str:
    """A text with the lines between the two marks of that name replaced."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    return "\n".join([before + begin, "", *lines, "", end + after])


# The picture.

COUNT, SEEDS = 256, 10
BADS = (0, 1, 2, 3, 4, 6, 8, 11, 16, 23, 32, 45, 64, 90, 128)
WIDTH, LEFT, RIGHT, GAP = 720, 56, 150, 58
HEIGHTS = (300, 170, 190)
MOST = 512

# Greys in the middle, since nobody knows whether the page is light or dark.
STYLE = """
text { font: 12px system-ui, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #808080 }
.title { font-weight: 600; font-size: 13px } .axis { font-size: 11px }
.grid { stroke: #8884; stroke-width: 1 }
.line { fill: none; stroke-width: 2.2; stroke-linejoin: round; stroke-linecap: round }
"""

COLOURS = {
    "fewest-tests": ("#2f8f6b", ""),
    "fewest-rounds": ("#3a7fd0", ""),
    "staged": ("#c9772b", ""),
    "anchor": ("#a05fb8", ""),
    "log2 C(N, d)": ("#888888", "6 4"),
    "LBu": ("#888888", "1.5 4"),
}

BESIDE = {"log2 C(N, d)": (4, 10, 16), "LBu": (1, -34, -8)}
"""Where the bounds have their names: at which point, and how far to the right and down from it."""

Points = Sequence[tuple[int, float]]


class Panel:
    """One plot: places on the paper for numbers of bad nodes and figures, both on logarithms."""

    def __init__(self, title: str, top: float, height: float, least: float) -> None:
        self.title, self._top, self._height, self._least = title, top, height, least
        self._doublings = math.log2(MOST / least)

    def x(self, num_bad: int) -> float:
        """Where so many bad nodes are."""
        share = math.log2(1 + num_bad) / math.log2(1 + BADS[-1])
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(self, figure: float) -> float:
        """Where a figure is; what is below the least stands on the ground."""
        share = math.log2(max(self._least, figure) / self._least) / self._doublings
        return self._top + self._height * (1 - share)

    def frame(self) -> Iterator[str]:
        """The title, and a line and a number for each fourfold."""
        yield _text(LEFT, self._top - 14, self.title, "title")
        for power in range(0, math.floor(math.log2(MOST)) + 1, 2):
            y = self.y(2**power)
            yield (
                f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'
            )
            yield _text(LEFT - 8, y + 4, f"{2**power}", "axis", "end")
        for num_bad in (0, 1, 2, 4, 8, 16, 32, 64, 128):
            yield _text(
                self.x(num_bad), self._top + self._height + 16, f"{num_bad}", "axis", "middle"
            )

    def curves(self, series: dict[str, Points]) -> Iterator[str]:
        """A curve each, with its name at its end; names keep out of each other's way."""
        ends = sorted(series, key=lambda name: -series[name][-1][1])
        below = -math.inf
        for name in ends:
            colour, dash = COLOURS[name]
            path = " ".join(f"{self.x(d):.1f},{self.y(figure):.1f}" for d, figure in series[name])
            yield (
                f'<polyline class="line" stroke="{colour}" stroke-dasharray="{dash}" '
                f'points="{path}"/>'
            )
            if dash:
                yield self._beside(series[name], name, colour)
                continue
            yield from self._dots(series[name], colour)
            below = max(below + 15, self.y(series[name][-1][1]) + 4)
            yield _text(WIDTH - RIGHT + 10, below, name, "", "start", colour)

    def _beside(self, points: Points, name: str, colour: str) -> str:
        d, figure = points[BESIDE[name][0]]
        right, down = BESIDE[name][1:]
        return _text(self.x(d) + right, self.y(figure) + down, name, "", "start", colour)

    def _dots(self, points: Points, colour: str) -> Iterator[str]:
        for d, figure in points:
            x, y = self.x(d), self.y(figure)
            yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.6" fill="{colour}"/>'


def _text(
    x: float, y: float, words: str, kind: str, anchor: str = "start", colour: str = ""
) -> str:
    style = f' style="fill: {colour}"' if colour else ""
    return (
        f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{style}>{words}</text>'
    )


def picture() -> str:
    """Tests, rounds and minutes over the number of bad nodes, below each other."""
    free = _series(None)
    few = _series(FEW)
    bounds: dict[str, Points] = {
        "log2 C(N, d)": [(d, log2_choose(COUNT, d)) for d in BADS],
        "LBu": [(d, unknown_d(COUNT, d)) for d in BADS],
    }
    top, parts = 40.0, list[str]()
    for title, series, least, height in zip(
        (
            f"tests, N = {COUNT}, a lane for every pair",
            "rounds of the same searches",
            f"minutes, {FEW} tests at once, 40 s one that passes, 120 s one that fails",
        ),
        (
            {**_of(free, lambda each: each.tests), **bounds},
            _of(free, lambda each: each.rounds),
            _of(few, lambda each: each.minutes),
        ),
        (1, 1, 0.5),
        HEIGHTS,
        strict=True,
    ):
        panel = Panel(title, top, height, least)
        parts += [*panel.frame(), *panel.curves(series)]
        top += height + GAP
    parts.append(_text((LEFT + WIDTH - RIGHT) / 2, top - GAP + 36, "bad nodes", "axis", "middle"))
    return _svg(parts, top)


def _svg(parts: Sequence[str], height: float) -> str:
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:.0f}" '
        f'width="{WIDTH}" height="{height:.0f}" role="img">'
    )
    title = "<title>Tests, rounds and minutes of each strategy over the number of bad nodes</title>"
    return "\n".join([head, title, f"<style>{STYLE}</style>", *parts, "</svg>", ""])


def _series(lanes: int | None) -> dict[str, list[tuple[int, Measured]]]:
    return {
        strategy: [(d, measure(strategy, COUNT, d, lanes, SEEDS)) for d in BADS]
        for strategy in STRATEGIES
    }


def _of(
    series: dict[str, list[tuple[int, Measured]]], figure: Callable[[Measured], float]
) -> dict[str, Points]:
    return {name: [(d, figure(found)) for d, found in points] for name, points in series.items()}


def main() -> None:
    """Write the tables and the picture."""
    text = DOCS.read_text(encoding="utf-8")
    for name, lines in tables().items():
        text = written(text, name, lines)
    DOCS.write_text(text, encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
