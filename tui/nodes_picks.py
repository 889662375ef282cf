"""What a person has picked of a search, wherever it is shown, and what is known about it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from batchtui.engine.debugger.explanation import Explanation
from batchtui.engine.nodes import shown
from batchtui.plugins.hostlists import folded
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.nodes.grid import Grid
from batchtui.tui.renderables.scene import NodesChoice
from batchtui.tui.session import Session

_STATES = {
    shown.UNKNOWN: "untested",
    shown.SUSPECT: "suspect",
    shown.GOOD: "good",
    shown.BAD: "bad",
    shown.CONTRADICTED: "good, in a contradiction",
    shown.EXCLUDED: "excluded",
    shown.ABANDONED: "given up",
}


class NodesPicks:
    """A node, a test, and whether it is asked why. The dashboard and the search's own screen share
    one."""

    def __init__(self, session: NodesSession) -> None:
        self.session = session
        self.choice = NodesChoice()
        self.asks_why = False
        self.explanation: Explanation | None = None
        self._explained: tuple[object, ...] | None = None

    @property
    def looks(self) -> tuple[object, ...]:
        """What a picture depends on."""
        return self.session, self.session.version, self.choice, self.asks_why

    def look_again(self) -> None:
        """Explain the picked node at this moment, if anything has changed."""
        if self.looks == self._explained:
            return
        self._explained, node = self.looks, self.choice.node
        self.explanation = self.session.why(node) if self.asks_why and node is not None else None

    def ask_why(self) -> None:
        """Explain the picked node from now on, or no longer."""
        if self.choice.node is None:
            self.choice = self.session.first_choice(self.choice)
        self.asks_why = not self.asks_why

    def show(self, fork: Session[Any]) -> None:
        """A fork takes the place of the search."""
        assert isinstance(fork, NodesSession)
        self.session = fork

    @property
    def parts(self) -> dict[str, Any]:
        """What of a scene is known of a search alone, wherever it is shown; by the names of the
        fields, hence ``Any``."""
        session, outlook = self.session, self.session.outlook
        return {
            "view": session.view,
            "title": session.title,
            "phases": session.phases,
            "started": session.started,
            "fault": session.fault,
            "head": outlook.head,
            "ribbon": outlook.ribbon,
            "why": self.explanation,
            "turn": session.debugger.cursor.turn,
            "inventory": session.inventory,
            "racks": session.racks,
            "choice": self.choice,
            "told": session.told(),
        }

    # The node.

    def pick(self, node: int) -> None:
        """Pick a node; the nearest there is."""
        last = self.session.view.num_nodes - 1
        self.choice = replace(self.choice, node=min(max(0, node), last))

    def pick_last(self) -> None:
        """Pick the last node."""
        self.pick(self.session.view.num_nodes)

    def move_down(self, grid: Grid, rows: int) -> None:
        """Pick the node so many rows of the map below."""
        node = self.choice.node
        self.pick(0 if node is None else grid.beside(node, rows))

    def move_aside(self, count: int) -> None:
        """Pick the node so many places on."""
        self.pick(0 if self.choice.node is None else self.choice.node + count)

    def clear(self) -> bool:
        """Pick nothing. False if nothing was picked."""
        is_any = self.choice.node is not None or self.choice.test is not None
        self.choice = replace(self.choice, node=None, test=None)
        return is_any

    # What follows from it.

    @property
    def condition(self) -> str:
        """When something happens to what is picked, in the words of a breakpoint; "" if nothing
        is."""
        choice = self.choice
        if choice.panel == "tests" and choice.test is not None:
            return f"test {choice.test}"
        if choice.node is None:
            return ""
        name = self.session.inventory.nodes[choice.node].name
        is_word = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        return f"node {name}" if is_word else f'node "{name}"'

    def copied(self) -> str:
        """The host list of the bad ones; "" where there is none: whatever else it gave would be
        pasted as one."""
        view, nodes = self.session.view, self.session.inventory.nodes
        return folded(node.name for i, node in enumerate(nodes) if view.letter(i) == shown.BAD)

    def table(self) -> list[list[str]]:
        """Every test that is remembered, or every node; the heads first."""
        return self._test_table() if self.choice.panel == "tests" else self._node_table()

    def _node_table(self) -> list[list[str]]:
        session = self.session
        ledger = session.history.ledger(session.debugger.cursor.turn)
        table = [["node", "rack", "state", "by test", "prior"]]
        for index, node in enumerate(session.inventory.nodes):
            proof = ledger.proof(index)
            by = f"T{proof.test}" if proof is not None else ""
            state = _STATES[session.view.letter(index)]
            table.append([node.name, node.rack, state, by, f"{node.prior:g}"])
        return table

    def _test_table(self) -> list[list[str]]:
        names = self.session.inventory.names
        table = [["test", "round", "verdict", "reason", "seconds", "busbw GB/s", "nodes"]]
        for test in self.session.view.ended:
            bandwidth = "" if test.busbw_gbs is None else f"{test.busbw_gbs:g}"
            seconds = f"{test.duration_us / 1e6:g}"
            about = [f"T{test.id}", str(test.round), test.verdict, test.reason, seconds, bandwidth]
            table.append([*about, folded(names(test.nodes))])
        return table

    # Places.

    def find_place(self, text: str) -> int | None:
        """The moment at which the last thing happened to a node, or a test was planned."""
        history = self.session.history
        test = test_named(text)
        if test is not None:
            story = history.test(test)
            return story.moments[0].turn if story is not None and story.moments else None
        node = self.session.view.names.find(text)
        moments = history.node(node).moments if node is not None else []
        return moments[-1].turn if moments else None

    def show_place(self, text: str) -> None:
        """Pick what was gone to by its name."""
        test, node = test_named(text), self.session.view.names.find(text)
        if test is not None:
            self.choice = replace(self.choice, panel="tests", test=test)
        elif node is not None:
            self.choice = replace(self.choice, panel="map", node=node)


def test_named(text: str) -> int | None:
    """The number of a test, as in ``T12``."""
    number = text[1:]
    is_one = text[:1] in ("T", "t") and number.isascii() and number.isdigit() and len(number) < 10
    return int(number) if is_one else None
