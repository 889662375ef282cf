"""The demo sessions: a bundled workload, and a script of keys with captions.

The same script is the guided tour, a test, and the picture in the docs.
"""

from __future__ import annotations

import difflib
from pathlib import Path

import msgspec

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import printable

DEMOS = Path(__file__).parent.parent / "assets" / "demos"


class Stage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Keys that are pressed, and what is said of what stands on the screen then.

    ``pictured`` stages are those of which the docs have a picture.
    """

    say: str
    press: tuple[str, ...] = ()
    pictured: bool = False


class Demo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A demo session."""

    title: str
    workload: str
    script: tuple[Stage, ...]


def demo_names() -> list[str]:
    """The names of the demos that come with the package."""
    return sorted(path.stem for path in DEMOS.glob("*.json"))


def open_demo(name: str) -> Demo:
    """Read a demo by its name.

    Raises:
        InputError: there is none of that name.
    """
    known = demo_names()
    if name not in known:
        near = difflib.get_close_matches(name, known, 1)
        hint = f"did you mean {near[0]}? " if near else ""
        raise InputError(f'no demo "{printable(name)}": {hint}want one of {", ".join(known)}')
    return msgspec.json.decode((DEMOS / f"{name}.json").read_bytes(), type=Demo)
