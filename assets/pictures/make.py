"""Draws the pictures of README.md and docs/: the dashboard on the bundled demo, by itself.

python assets/pictures/make.py      (or: just pictures)
"""

from __future__ import annotations

import asyncio
from pathlib import Path

from batchtui.plugins.runs import RunOptions
from batchtui.plugins.workloads import open_workload
from batchtui.tui.app import BatchtuiApp
from batchtui.tui.sessions import open_session

HERE = Path(__file__).parent
PICTURES = {"dashboard.svg": (120, 27, 12), "small.svg": (80, 24, 12)}


async def draw(name: str, width: int, height: int, step: int) -> None:
    """Draw the demo at a step into a file."""
    session = open_session(open_workload("demo"), RunOptions())
    app = BatchtuiApp(session, start_step=step)
    app.animation_level = "none"
    async with app.run_test(size=(width, height)) as pilot:
        await pilot.pause()
        (HERE / name).write_text(app.export_screenshot(title="batchtui"), encoding="utf-8")


def main() -> None:
    """Draw them all."""
    for name, (width, height, step) in PICTURES.items():
        asyncio.run(draw(name, width, height, step))


if __name__ == "__main__":
    main()
