"""What a person has picked of a search: a node or a test; and what is known about it."""

from __future__ import annotations

from dataclasses import replace

from batchtui.engine.nodes import shown
from batchtui.plugins.hostlists import folded
from batchtui.tui.renderables.nodes.grid import Grid
from batchtui.tui.renderables.nodes.map import grid_in
from batchtui.tui.renderables.nodes.tests import test_ids
from batchtui.tui.screens.nodes.panels import NodesPanelsScreen
from batchtui.tui.widgets.nodes.map import MapPanel
from batchtui.tui.widgets.nodes.tests import TestsPanel

_STATES = {
    shown.UNKNOWN: "untested",
    shown.SUSPECT: "suspect",
    shown.GOOD: "good",
    shown.BAD: "bad",
    shown.CONTRADICTED: "good, in a contradiction",
    shown.EXCLUDED: "excluded",
    shown.ABANDONED: "given up",
}


class NodesPickingScreen(NodesPanelsScreen):
    """The panels of a search, and what is picked in them."""

    # Move.

    def action_row_down(self) -> None:
        """Pick the node below, or the next test."""
        self._move_by(1)

    def action_row_up(self) -> None:
        """Pick the node above, or the test before."""
        self._move_by(-1)

    def action_page_down(self) -> None:
        """Move down by a page."""
        self._move_by(self.panel(self.choice.panel).page)

    def action_page_up(self) -> None:
        """Move up by a page."""
        self._move_by(-self.panel(self.choice.panel).page)

    def action_panel_right(self) -> None:
        """Pick the next node."""
        self._pick_beside(1)

    def action_panel_left(self) -> None:
        """Pick the node before."""
        self._pick_beside(-1)

    def action_first_row(self) -> None:
        """Pick the first node, or the first test."""
        if self.choice.panel == "map":
            self.pick_node(0)
        else:
            self._pick_row(0)

    def action_last_row(self) -> None:
        """Pick the last node, or the last test."""
        if self.choice.panel == "map":
            self.pick_node(self.session.view.num_nodes - 1)
        else:
            self._pick_row(len(test_ids(self.scene)) - 1)

    def _move_by(self, count: int) -> None:
        if self.choice.panel == "tests":
            ids = test_ids(self.scene)
            here = ids.index(self.choice.test) if self.choice.test in ids else None
            self._pick_row((0 if count > 0 else len(ids) - 1) if here is None else here + count)
        elif self.choice.node is None:
            self.pick_node(0)
        else:
            self.pick_node(self._grid.beside(self.choice.node, count))

    def _pick_beside(self, count: int) -> None:
        if self.choice.panel == "tests":
            self.action_next_panel()
        elif self.choice.node is None:
            self.pick_node(0)
        else:
            last = self.session.view.num_nodes - 1
            self.pick_node(min(max(0, self.choice.node + count), last))

    @property
    def _grid(self) -> Grid:
        panel = self.query_one(MapPanel)
        return grid_in(self.scene, panel.bordered(*panel.size))

    def pick_node(self, node: int) -> None:
        """Pick a node."""
        self.choice = replace(self.choice, node=node)
        self.paint()

    def _pick_row(self, row: int) -> None:
        ids = test_ids(self.scene)
        if ids:
            row = min(max(0, row), len(ids) - 1)
            self.choice = replace(self.choice, test=ids[row])
            self.panel("tests").reveal(row)
        self.paint()

    def on_map_panel_picked(self, event: MapPanel.Picked) -> None:
        """Pick the node under the mouse; twice shows all of it."""
        self.choice = replace(self.choice, panel="map")
        self.pick_node(event.node)
        if event.again:
            self.call_later(self.run_action, "detail")

    def on_tests_panel_picked(self, event: TestsPanel.Picked) -> None:
        """Pick the test under the mouse; twice shows all of it."""
        self.choice = replace(self.choice, panel="tests", test=event.test)
        self.paint()
        if event.again:
            self.call_later(self.run_action, "detail")

    # What is picked.

    @property
    def picked_condition(self) -> str:
        """When something happens to the picked node or test, in the words of a breakpoint."""
        choice = self.choice
        if choice.panel == "tests" and choice.test is not None:
            return f"test {choice.test}"
        if choice.node is None:
            return ""
        name = self.session.inventory.nodes[choice.node].name
        is_word = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
        return f"node {name}" if is_word else f'node "{name}"'

    def picked_text(self) -> str:
        """The host list of the bad ones; where there is none the name of the picked node."""
        view, nodes = self.session.view, self.session.inventory.nodes
        bad = [node.name for node, letter in zip(nodes, view.letters, strict=True) if letter == 35]
        if bad:
            return folded(bad)
        return "" if self.choice.node is None else nodes[self.choice.node].name

    def rows(self) -> list[list[str]]:
        """Every test, or every node, its heads first."""
        return self._test_table() if self.choice.panel == "tests" else self._node_table()

    def _node_table(self) -> list[list[str]]:
        view, ledger = self.session.view, self.session.history.ledger(self._turn)
        table = [["node", "rack", "state", "by test", "prior"]]
        for index, node in enumerate(self.session.inventory.nodes):
            proof = ledger.proof(index)
            by = f"T{proof.test}" if proof is not None else ""
            state = _STATES[view.letter(index)]
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

    @property
    def _turn(self) -> int:
        return self.session.debugger.cursor.turn

    def find_place(self, text: str) -> int | None:
        """The moment at which a node's verdict came, or a test was planned."""
        history = self.session.history
        if text[:1] in "Tt" and text[1:].isdigit():
            story = history.test(int(text[1:]))
            return story.moments[0].turn if story is not None and story.moments else None
        node = self.session.view.names.find(text)
        moments = history.node(node).moments if node is not None else []
        return moments[-1].turn if moments else None

    def show_place(self, text: str) -> None:
        """Pick what was gone to by its name."""
        node = self.session.view.names.find(text)
        if node is not None:
            self.choice = replace(self.choice, panel="map", node=node)
        elif text[1:].isdigit():
            self.choice = replace(self.choice, panel="tests", test=int(text[1:]))

    def leave(self) -> bool:
        """Clear what lies nearest: why, zoom, pick. False if there was nothing."""
        if self.asks_why:
            self.asks_why = False
        elif self.zoomed:
            self.zoomed = ""
        elif self.choice.node is not None or self.choice.test is not None:
            self.choice = replace(self.choice, node=None, test=None)
        else:
            return False
        self.paint()
        return True
