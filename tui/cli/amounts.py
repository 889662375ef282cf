"""Times and shares as a person types them: ``10m``, ``1h30m``, ``40s``, ``1%``."""

from __future__ import annotations

import re

import typer

from batchtui.plugins.formats.lines import printable

_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_NUMBER = r"\d+(?:\.\d+)?"
_PART = re.compile(rf"({_NUMBER})(ms|s|m|h|d)")
_TIME = re.compile(rf"{_NUMBER}|(?:{_NUMBER}(?:ms|s|m|h|d))+")
_SHARE = re.compile(rf"({_NUMBER})(%?)")
MOST_S = 1e7


def seconds(text: str) -> float:
    """A length of time, in seconds.

    Raises:
        typer.BadParameter: it is none, or out of range.
    """
    bare = text.strip().lower()
    total = -1.0
    if _TIME.fullmatch(bare):
        parts = _PART.findall(bare)
        total = sum(float(number) * _UNITS[unit] for number, unit in parts) or float(
            0 if parts else bare
        )
    if not 0 < total <= MOST_S:
        raise typer.BadParameter(f"{printable(text)} is no time: want 40s, 10m or 1h30m, above 0")
    return total


def share(text: str) -> float:
    """A probability, as ``1%`` or ``0.01``.

    Raises:
        typer.BadParameter: it is none.
    """
    found = _SHARE.fullmatch(text.strip())
    value = float(found[1]) / (100 if found[2] else 1) if found else -1.0
    if not 0 <= value <= 1:
        raise typer.BadParameter(f"{printable(text)} is no share: want 1% or 0.01")
    return value


def time_of(total: float) -> str:
    """A length of time for a person: ``160 s``, ``12 min 30 s``, ``3 h 20 min``."""
    if total < 10:
        return f"{total:.3g} s"
    whole = round(total)
    if whole < 600:
        return f"{whole} s"
    minutes, left = divmod(whole, 60)
    if minutes < 600:
        return f"{minutes} min {left} s" if left else f"{minutes} min"
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if minutes else f"{hours} h"
