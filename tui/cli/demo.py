"""``batchtui demo``: guided tours of the dashboard."""

from __future__ import annotations

from typing import Annotated

import typer

from batchtui.tui.cli.open import Ascii, show_tour
from batchtui.tui.cli.output import our_stdout
from batchtui.tui.demos import demo_names, open_demo

Name = Annotated[
    str | None, typer.Argument(metavar="[NAME]", help="A demo; without one they are listed.")
]


def demo(name: Name = None, ascii: Ascii = False) -> None:
    """Show a guided tour, or list those there are."""
    if name is not None:
        show_tour(open_demo(name), ascii=ascii)
        return
    with our_stdout() as output:
        for known in demo_names():
            output.line(f"{known:8} {open_demo(known).title}")
