"""The rows of a table, filtered and sorted as a person has asked, and the words that say so."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias, TypeVar

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Sort
from batchtui.tui.renderables.text import plain

RowT = TypeVar("RowT")

Sorted: TypeAlias = Callable[[RowT], int | str]
"""What a row is sorted by."""


def matches(words: str, wanted: str) -> bool:
    """Whether a row of these words stays: they hold ``wanted``, or do not after a ``!``."""
    needle = wanted.removeprefix("!").casefold()
    return not needle or (needle in words.casefold()) is not wanted.startswith("!")


def arranged(
    rows: Iterable[tuple[int, RowT]],
    sorts: Mapping[str, Sorted[RowT]],
    sort: Sort,
    wanted: str,
    words: Callable[[RowT], str],
    *,
    flipped: bool = False,
) -> list[tuple[int, RowT]]:
    """The numbered rows that stay, in the order asked for; equals keep their order.

    ``words`` is what a filter looks at in a row.
    ``flipped`` says that the key runs against its column, as an arrival does against a wait.
    """
    kept = [row for row in rows if matches(words(row[1]), wanted)] if wanted else list(rows)
    key = sorts.get(sort.column)
    if key is None:
        return kept[::-1] if sort.reverse else kept
    return sorted(kept, key=lambda row: key(row[1]), reverse=sort.reverse is not flipped)


def order_words(wanted: str, sort: Sort, total: int, ascii_only: bool) -> list[Line]:
    """What a title says of a filter and a sort."""
    pieces: list[Line] = []
    if wanted:
        shown = plain(wanted, ascii_only=ascii_only)
        pieces.append([(f"/{shown}", "hint"), (f" {total:,} match", "dim")])
    if sort.column or sort.reverse:
        backwards = ", backwards" if sort.reverse else ""
        pieces.append([(f"sorted by {sort.column or 'place'}{backwards}", "hint")])
    return pieces
