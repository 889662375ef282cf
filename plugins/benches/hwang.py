"""Hwang's generalised binary splitting, counted: the classical search, told how many are bad.

It may test a node alone and knows when it is done, so it is a mark to compare with and not a
strategy: serial, and of no use where nobody says how many there are. From two bad ones on it takes
log2 C(N,d) + d - 1 tests at the most. (F. K. Hwang, A method for detecting all defective members in
a population by group testing, 1972.)
"""

from __future__ import annotations

from collections.abc import Sequence


def hwang_tests(is_bad: Sequence[bool]) -> int:
    """How many tests it takes to find these bad ones, in this order."""
    left, num_bad, count = list(is_bad), sum(is_bad), 0
    while 0 < num_bad < len(left):
        size = _group(len(left), num_bad)
        found, tests, cleared = _search(left[:size])
        count += tests
        num_bad -= found
        left = left[cleared + found :]
    return count


def _group(num_left: int, num_bad: int) -> int:
    """A power of two, about ln 2 over the rate; one where half or more are bad."""
    if num_left <= 2 * num_bad - 2:
        return 1
    return 1 << ((num_left - num_bad + 1) // num_bad).bit_length() - 1


def _search(group: Sequence[bool]) -> tuple[int, int, int]:
    """Test a group, and halve it down to a bad one if it fails.

    Returns whether there is a bad one, the tests that took, and how many good ones were before it.
    """
    if not any(group):
        return 0, 1, len(group)
    tests, begin, size = 1, 0, len(group)
    while size > 1:
        size //= 2
        tests += 1
        if not any(group[begin : begin + size]):
            begin += size
    return 1, tests, begin
