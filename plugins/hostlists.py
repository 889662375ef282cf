"""Hostlists: ``gpu-[000-255]`` for many names, as schedulers write them, and back.

Numbers in brackets are read and folded by ClusterShell's ``RangeSet``, which needs nothing else.
Its ``NodeSet`` is left alone: on import it reads the settings of the whole machine, and it obeys
operators (``@group``, ``!``, ``&``, ``^``, ``*``) that nobody who pastes a list of hosts means.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Iterable, Iterator

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import MAX_NODES
from batchtui.plugins.formats.lines import printable

_PART = r"(?:[^,\[\]]|\[[^\[\]]*\])+"
_LIST = re.compile(rf"{_PART}(?:,{_PART})*")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(r"(\d{1,9})(?:-(\d{1,9})(?:/([1-9]\d{0,8}))?)?")
_HOST = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9._-]{0,251}[A-Za-z0-9])?")


def is_host(name: str) -> bool:
    """Whether it can be the name of a host: letters, digits, dots, hyphens and underscores, the
    first and the last of which is a letter or a digit."""
    return _HOST.fullmatch(name) is not None


def parts_of(text: str) -> list[str]:
    """What stands between the commas, those in brackets left alone.

    Raises:
        InputError: there is nothing in one place, or brackets do not match.
    """
    bare = re.sub(r"\s*,\s*", ",", text.strip())
    if any(map(str.isspace, bare)):
        raise InputError(f'"{printable(text)}" has a space in it: want names with commas between')
    if not _LIST.fullmatch(bare):
        raise InputError(f'"{printable(text)}" is no hostlist: want gpu-[000-255] or a,b,c')
    return re.findall(_PART, bare)


def expanded(text: str) -> list[str]:
    """The names of a hostlist, in its order.

    Raises:
        InputError: it is none, or has too many names.
    """
    names = list[str]()
    for part in parts_of(text):
        if len(names) + _size(part) > MAX_NODES:
            raise InputError(f'"{printable(text)}" has too many hosts: want {MAX_NODES:,} at most')
        names.extend(_names(part))
    return names


def folded(names: Iterable[str]) -> str:
    """The shortest hostlist of some names; of those that differ in more than their numbers, each
    kind for itself, in the order in which they come."""
    kinds: dict[tuple[str, ...], list[list[str]]] = {}
    for name in names:
        pieces = re.split(r"(\d+)", name)
        kinds.setdefault(tuple(pieces[::2]), []).append(pieces[1::2])
    return ",".join(itertools.chain.from_iterable(map(_folded, kinds, kinds.values())))


def _folded(words: tuple[str, ...], numbers: list[list[str]]) -> Iterator[str]:
    from ClusterShell.RangeSet import RangeSet, RangeSetND  # noqa: PLC0415 - few ever fold

    if len(words) == 1:
        yield words[0]
        return
    if len(words) == 2:
        vectors = [(RangeSet.fromlist([number for (number,) in numbers]),)]
    else:
        vectors = list(RangeSetND(numbers).vectors())
    for vector in vectors:
        ranges = [str(each) if len(each) == 1 else f"[{each}]" for each in vector]
        yield "".join(word + number for word, number in zip(words, [*ranges, ""], strict=True))


def _size(part: str) -> int:
    """How many names there are in a part, found without making them."""
    return math.prod(_count(part, inner) for inner in _BRACKETS.findall(part))


def _count(part: str, inner: str) -> int:
    count = 0
    for each in inner.split(","):
        found = _RANGE.fullmatch(each)
        low, high = (int(found[1]), int(found[2] or found[1])) if found else (1, 0)
        if found is None or low > high:
            raise InputError(_no_range(part))
        count += (high - low) // int(found[3] or 1) + 1
    return count


def _names(part: str) -> list[str]:
    from ClusterShell.RangeSet import RangeSet, RangeSetParseError  # noqa: PLC0415

    words = _BRACKETS.sub("\0", part).split("\0")
    try:
        ranges = [list(RangeSet(inner)) for inner in _BRACKETS.findall(part)]
    except RangeSetParseError as error:
        raise InputError(_no_range(part)) from error
    names = [
        "".join(word + number for word, number in zip(words, [*chosen, ""], strict=True))
        for chosen in itertools.product(*ranges)
    ]
    if not all(map(is_host, names)):
        raise InputError(no_host(part))
    return names


def no_host(name: str) -> str:
    """What is said of a name that no host can have."""
    return (
        f'"{printable(name)}" is no host: want letters, digits, dots, hyphens and underscores, '
        "a letter or a digit first and last"
    )


def _no_range(part: str) -> str:
    return f'"{printable(part)}" has a range that is none: want [000-255], [1,3-5] or [0-8/2]'
