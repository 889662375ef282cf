"""The floor: the least that any Python loop must do for a token, timed in the same run as ours.

256 objects with ``__slots__`` and a reply of 256 one-token lists; for each pair, for each token:
append it to the object's list, add one to its count, compare the token with EOS and the count with
the limit.
"""

from __future__ import annotations

import time

NUM_ROWS = 256
EOS = 0


class _Row:
    __slots__ = ("count", "limit", "token_ids")

    def __init__(self) -> None:
        self.token_ids: list[int] = []
        self.count = 0
        self.limit = 1 << 30


def one_token_reply() -> list[list[int]]:
    """A reply of one token a row, no two rows alike."""
    return [[1 + place] for place in range(NUM_ROWS)]


def floor_us(num_steps: int) -> float:
    """Microseconds a sequence and step."""
    rows, reply = [_Row() for _ in range(NUM_ROWS)], one_token_reply()
    began = time.perf_counter()
    for _ in range(num_steps):
        for row, new in zip(rows, reply, strict=True):
            for token in new:
                row.token_ids.append(token)
                row.count += 1
                if token == EOS or row.count >= row.limit:
                    break
    return (time.perf_counter() - began) * 1e6 / (num_steps * NUM_ROWS)
