"""Numbers as a person reads them: durations, times, ordinals, blocks."""

from __future__ import annotations


def duration(us: int) -> str:
    """A span of time in at most six characters: ``93ms``, ``1.28s``, ``2m05s``, ``3h07m``."""
    if us < 1_000_000:
        return f"{us // 1000}ms"
    seconds = us / 1_000_000
    if seconds < 100:
        return f"{seconds:.2f}s" if seconds < 10 else f"{seconds:.1f}s"
    minutes, seconds_left = divmod(us // 1_000_000, 60)
    if minutes < 100:
        return f"{minutes}m{seconds_left:02}s"
    return f"{minutes // 60}h{minutes % 60:02}m"


def clock(us: int) -> str:
    """A point on the run's clock, in seconds to the millisecond."""
    return f"{us // 1_000_000:,}.{us // 1000 % 1000:03} s"


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``3rd``, ``11th``."""
    endings = {1: "st", 2: "nd", 3: "rd"}
    return f"{number}{'th' if number // 10 % 10 == 1 else endings.get(number % 10, 'th')}"


def counted(number: int, noun: str) -> str:
    """``1 row``, ``2 rows``."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"
