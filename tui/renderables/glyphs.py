"""The characters that the screen draws with, once for Unicode and once for ``--ascii``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outline:
    """The border round all panels; ``from_*`` are where an inner border meets it."""

    across: str
    down: str
    top_left: str
    top_right: str
    bottom_left: str
    bottom_right: str
    from_left: str
    from_right: str
    from_top: str
    from_bottom: str


@dataclass(frozen=True)
class Glyphs(Outline):
    """One set of characters; ``ascii`` says that text, too, must stay within ASCII.

    Itself it is the outline of a screen at NOW and of every inner border; ``past`` is that of one
    that looks back. ``bars`` are eight heights, the lowest first.
    """

    ascii: bool
    cross: str
    fresh: str
    bars: str
    past: Outline


UNICODE = Glyphs(
    ascii=False,
    across="─",
    down="│",
    top_left="┌",
    top_right="┐",
    bottom_left="└",
    bottom_right="┘",
    from_left="├",
    from_right="┤",
    from_top="┬",
    from_bottom="┴",
    cross="┼",
    fresh="╎",
    bars="▁▂▃▄▅▆▇█",
    past=Outline(*"═║╔╗╚╝╟╢╤╧"),
)

ASCII = Glyphs(
    ascii=True,
    across="-",
    down="|",
    top_left="+",
    top_right="+",
    bottom_left="+",
    bottom_right="+",
    from_left="+",
    from_right="+",
    from_top="+",
    from_bottom="+",
    cross="+",
    fresh="^",
    bars="01234567",
    past=Outline(*"=#########"),
)
