"""Draws the pictures of README.md and docs/: the dashboard by itself, on the bundled demo, and on
the tours, whose scripts press the keys.

python assets/pictures/make.py      (or: just pictures)
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual.pilot import Pilot

from batchtui.tui.app import BatchtuiApp
from batchtui.tui.demo_sessions import (
    DEFAULT_NODES,
    DEFAULT_STEP,
    bundled_search,
    default_sessions,
    session_of_demo,
)
from batchtui.tui.demos import demo_names, open_demo
from batchtui.tui.screens.painting import PaintingScreen

HERE = Path(__file__).parent
PICTURES: dict[str, tuple[int, int, Sequence[str]]] = {
    "dashboard.svg": (120, 27, ()),
    "small.svg": (80, 24, ()),
    "past.svg": (160, 42, ("N", "N", "3", "j", "w")),
}
"""Of the bundled demo at its step 12: the size, and the keys that are pressed."""

SEARCHES: dict[str, tuple[int, int, Sequence[str]]] = {
    "nodes.svg": (144, 32, (*("n",) * 10, "home", *("right",) * 17, "w")),
}
"""Of the bundled search: the same."""

TOUR_SIZE = (100, 26)


async def press(pilot: Pilot[None], keys: Sequence[str]) -> None:
    """Press keys, each when the one before has done its work."""
    for key in keys:
        await pilot.press(key)
        await pilot.pause()
        screen = pilot.app.screen_stack[0]
        while isinstance(screen, PaintingScreen) and screen.is_moving:
            await pilot.pause(0.01)


async def draw(name: str, width: int, height: int, keys: Sequence[str]) -> None:
    """Draw the bundled demo into a file."""
    session, search = default_sessions()
    app = BatchtuiApp(session, start_step=DEFAULT_STEP, beside=search)
    app.animation_level = "none"
    async with app.run_test(size=(width, height)) as pilot:
        await press(pilot, keys)
        (HERE / name).write_text(app.export_screenshot(title="batchtui"), encoding="utf-8")
    session.close()
    search.close()


async def draw_search(name: str, width: int, height: int, keys: Sequence[str]) -> None:
    """Draw the bundled search into a file."""
    session = bundled_search(DEFAULT_NODES)
    app = BatchtuiApp(session)
    app.animation_level = "none"
    async with app.run_test(size=(width, height)) as pilot:
        await press(pilot, keys)
        (HERE / name).write_text(app.export_screenshot(title="batchtui"), encoding="utf-8")
    session.close()


async def draw_tour(name: str) -> None:
    """Draw the pictured stages of a tour, each into a file of its own."""
    demo = open_demo(name)
    session = session_of_demo(demo)
    app = BatchtuiApp(session)
    app.animation_level = "none"
    async with app.run_test(size=TOUR_SIZE) as pilot:
        for number, stage in enumerate(demo.script, 1):
            await press(pilot, stage.press)
            if stage.pictured:
                picture = app.export_screenshot(title=f"batchtui demo {name}")
                (HERE / f"{name}-{number}.svg").write_text(picture, encoding="utf-8")
    session.close()


def main() -> None:
    """Draw them all."""
    for name, (width, height, keys) in PICTURES.items():
        asyncio.run(draw(name, width, height, keys))
    for name, (width, height, keys) in SEARCHES.items():
        asyncio.run(draw_search(name, width, height, keys))
    for name in demo_names():
        asyncio.run(draw_tour(name))


if __name__ == "__main__":
    main()
