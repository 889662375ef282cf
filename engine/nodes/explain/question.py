"""What an explanation of a node is asked about, and how it speaks of nodes and tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from batchtui.engine.debugger import explanation
from batchtui.engine.debugger.words import NAMED, listed, moment
from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.history import NodesHistory
from batchtui.engine.nodes.ledger import GOOD, Ledger
from batchtui.engine.nodes.story import NodeStory
from batchtui.engine.nodes.view import NodesView


class Explanation(explanation.Explanation, frozen=True, kw_only=True):
    """Why a node is in its state: ``good``, ``bad``, ``undetermined``, ``excluded`` or
    ``abandoned``."""

    node: str


class Question(NamedTuple):
    """A node at a moment: its story, what was known then, and the view."""

    node: int
    turn: int
    view: NodesView
    history: NodesHistory
    ledger: Ledger
    story: NodeStory

    @property
    def name(self) -> str:
        """Who is asked about."""
        return self.history.names.of(self.node)

    @property
    def over(self) -> said.Ended | None:
        """Why the search had ended, if it had."""
        return self.view.over

    def listed(self, nodes: Iterable[int]) -> str:
        """Some nodes by their names; of many, the first ones."""
        some = list(nodes)
        return listed(self.history.names.all(some[:NAMED]), len(some))

    def others(self, nodes: Iterable[int]) -> list[int]:
        """The other members of a set."""
        return [node for node in nodes if node != self.node]

    def clauses(self) -> list[tuple[int, tuple[int, ...]]]:
        """The failing tests that somebody has to answer for, and it may be this node: each with
        those who may."""
        found = []
        for clause in self.ledger.clauses.of(self.node):
            test = next(t for t in self.ledger.fails_of(self.node) if self.left(t) == clause)
            found.append((test, tuple(sorted(clause))))
        return found

    def left(self, test: int) -> frozenset[int]:
        """The members of a test that are not known to be good."""
        status = self.ledger.status
        return frozenset(node for node in self.ledger.tests[test] if status[node] != GOOD)

    def when(self, test: int) -> str:
        """When a test had ended."""
        story = self.history.test(test)
        event = story.ended(self.turn) if story is not None else None
        return f"step {event.step}" if event is not None else "before"


def either(names: list[str]) -> str:
    """``016 or 017``, ``a, b or c``; of many, the first ones and how many more."""
    if len(names) > NAMED:
        return f"{', '.join(names[:NAMED])} or {len(names) - NAMED:,} more"
    return " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))


def at(event: Event) -> str:
    """When something was decided."""
    return f"step {event.step}, {moment(event.at)}"
