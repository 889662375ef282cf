"""A ballot: tests of one node with known good ones, until they say enough about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from batchtui.engine.nodes.ledger import BAD, GOOD
from batchtui.engine.nodes.probe import Verdict

FAILS, PASSES = 3, 2
"""Votes by which a node is bad, and by which it is good."""

MOST_BLANK = 6
"""Inconclusive votes after which a ballot is given up: the verdict stays as it was."""


class Ballot:
    """The votes on one node: the tests in which it failed, and passed, with a known good one.

    Args:
        node: who is voted on.
        met: the nodes that it was tested with before, which are asked last.
        failed: a test in which it failed already.
    """

    def __init__(self, node: int, met: Iterable[int], failed: Iterable[int] = ()) -> None:
        self.node = node
        self.failed = list(failed)
        self.passed: list[int] = []
        self._num_blank = 0
        self._met = Counter(each for each in met if each != node)

    @property
    def num_votes(self) -> int:
        """Those that said something."""
        return len(self.failed) + len(self.passed)

    @property
    def verdict(self) -> int | None:
        """What the votes say, once there are enough."""
        if len(self.failed) >= FAILS:
            return BAD
        return GOOD if len(self.passed) >= PASSES else None

    @property
    def is_over(self) -> bool:
        """Whether there is no vote to come."""
        return self.verdict is not None or self._num_blank >= MOST_BLANK

    def winners(self) -> list[int]:
        """The votes of the side that has won."""
        return self.failed if self.verdict == BAD else self.passed

    def left(self, status: int) -> int:
        """How many votes are to come, where all of them say that the node is what it is said to
        be."""
        return FAILS - len(self.failed) if status == BAD else PASSES - len(self.passed)

    def count(self, test: int, verdict: Verdict) -> None:
        """A vote has come in."""
        if verdict == "inconclusive":
            self._num_blank += 1
        else:
            (self.passed if verdict == "pass" else self.failed).append(test)

    def anchor_of(self, good: Sequence[int], free: Iterable[int]) -> int | None:
        """Whom to test the node with next: of the good ones that it met least, one that is free.

        A link between two nodes fails each time, so another one is asked each time; who was asked
        already is asked once more only where there is nobody else.
        """
        met = self._met
        fewest = 0
        if len(met) >= len(good):
            fewest = min(met[node] for node in good)
        anchor = next((node for node in free if met[node] == fewest), None)
        if anchor is not None:
            met[anchor] += 1
        return anchor
