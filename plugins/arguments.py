"""What ``identify`` is given, seen to before anything is tested: a mistake costs no node-second.

A wrong type is a ``TypeError``, as of any function; a wrong value an ``InputError``.
"""

from __future__ import annotations

import inspect
import math
import operator
from numbers import Real
from typing import Any

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.strategies.named import STRATEGIES, strategy_named

MOST_US = 1 << 60


def check_test(test: Any) -> None:  # Any: a caller may give anything
    """See that a test can be called with a list of nodes.

    Raises:
        TypeError: it cannot.
    """
    if not callable(test):
        raise TypeError(
            f"test is a {type(test).__name__}: want a callable that takes a list of nodes"
        )
    try:
        signature = inspect.signature(test)
    except (TypeError, ValueError):  # not every callable says what it takes
        return
    try:
        signature.bind([])
    except TypeError as error:
        raise TypeError(
            f"test cannot be called with one list of nodes: {error}: want test(nodes)"
        ) from None


def check_strategy(name: Any) -> None:
    """See that a strategy can be chosen by its name.

    Raises:
        TypeError: it is no name.
        InputError: there is none, or it runs a plan, which nobody has given.
    """
    if not isinstance(name, str):
        raise TypeError(f"strategy is a {type(name).__name__}: want one of {', '.join(STRATEGIES)}")
    strategy_named(name)
    if name not in STRATEGIES:
        raise InputError(f"strategy {name!r} needs a plan: want one of {', '.join(STRATEGIES)}")


def whole(name: str, value: Any) -> int:
    """A whole number.

    Raises:
        TypeError: it is none.
    """
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name} is a {type(value).__name__}: want a whole number") from None


def microseconds(name: str, seconds: Any) -> int | None:
    """Seconds in microseconds; None stays so.

    Raises:
        TypeError: it is no number.
        InputError: it is out of range.
    """
    if seconds is None:
        return None
    if not isinstance(seconds, Real):
        raise TypeError(f"{name} is a {type(seconds).__name__}: want seconds, as a number")
    number = float(seconds)
    if not 1e-6 <= number <= MOST_US / 1e6 or math.isnan(number):
        raise InputError(f"{name} is {number:g}: want seconds, above 0")
    return int(number * 1e6)
