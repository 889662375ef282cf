"""The characters that the screen draws with, once for Unicode and once for ``--ascii``."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Glyphs:
    """One set of characters; ``ascii`` says that text, too, must stay within ASCII."""

    ascii: bool
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
    fresh: str


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
    fresh="╎",
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
    fresh="^",
)
