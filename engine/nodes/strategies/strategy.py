"""The strategy: which sets to test next, given what is known."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple, Protocol, runtime_checkable

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.probe import Verdict


class Proposal(NamedTuple):
    """A set to be tested now.

    ``why`` is for the person who watches, in a few words. ``after`` is the round whose results it
    waited for besides those of its members: its own is one more than the highest of all of these.
    """

    nodes: tuple[int, ...]
    why: str
    after: int = 0


class Estimate(NamedTuple):
    """What is still to come, as far as can be told: the mean over what is thought likely."""

    tests: float
    rounds: float


class Strategy(Protocol):
    """Chooses tests. It reads the board it was made with, and is told of every test that ended.

    It must go on from any board: somebody may change to it in the middle of a search.
    """

    def propose(self, room: int) -> list[Proposal]:
        """Sets of free nodes that share none, ``room`` of them at the most, the most wanted first.

        Where nothing is proposed while nothing runs, the search is over.
        """

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """A test has ended for good and the ledger knows it. One that is inconclusive now stays so,
        and its set is to be searched as if it had failed, though it proves nothing."""

    def left(self) -> Estimate:
        """What is still to come."""


@runtime_checkable
class Choosing(Protocol):
    """A strategy that goes on as another one; ``str`` of it says why."""

    @property
    def chosen(self) -> str:
        """The name of that one."""


MakeStrategy = Callable[[Board], Strategy]


def taken(proposals: Iterable[Proposal]) -> set[int]:
    """The nodes of some proposals."""
    return {node for proposal in proposals for node in proposal.nodes}
