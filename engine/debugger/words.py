"""Numbers and names as the engine itself puts them in words: plain text, names as they are.

Whoever shows it makes it harmless: a name may hold anything.
"""

from __future__ import annotations

from collections.abc import Sequence

NAMED = 5
"""How many names a list has before it only counts."""

LONGEST = 40
"""Characters of a name that are shown in the middle of a sentence."""


def counted(number: int, noun: str) -> str:
    """``1 step``, ``2 steps``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def named(name: str) -> str:
    """A name, unless it is so long that nothing else would be seen."""
    return name if len(name) <= LONGEST else f"{name[: LONGEST - 2]}.."


def listed(names: Sequence[str], count: int | None = None) -> str:
    """The first names, and how many more there are of ``count``."""
    total = len(names) if count is None else count
    shown = " ".join(map(named, names[:NAMED]))
    more = total - min(NAMED, len(names))
    return f"{shown} and {more:,} more" if more else shown


def span(us: int) -> str:
    """A length of time: ``93ms``, ``1.28s``, ``2m05s``."""
    if us < 1_000_000:
        return f"{us // 1000}ms"
    if us < 100_000_000:
        return f"{us / 1_000_000:.3g}s"
    minutes, seconds = divmod(us // 1_000_000, 60)
    return f"{minutes}m{seconds:02}s"


def moment(us: int) -> str:
    """A point on the run's clock."""
    return f"{us // 1_000_000:,}.{us // 1000 % 1000:03} s"


def quoted(text: str) -> str:
    """A text of somebody else in quotes."""
    return f'"{text}"'
