"""The screen of a search: its keys beyond those that move it, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from batchtui.engine.machine import Configured, Injected
from batchtui.engine.nodes.options import NodesOptions
from batchtui.plugins.probes.performer import FAULTS
from batchtui.tui.actions import Action
from batchtui.tui.nodes_by_hand import option_fields, options_of
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.nodes.detail import node_lines, test_lines
from batchtui.tui.renderables.nodes.help import DESCRIPTIONS, nodes_help
from batchtui.tui.renderables.text import plain
from batchtui.tui.screens.choose import Choice, ChooseScreen
from batchtui.tui.screens.detail import DetailScreen
from batchtui.tui.screens.findings import FindingsScreen
from batchtui.tui.screens.form import FormScreen
from batchtui.tui.screens.nodes.picking import NodesPickingScreen
from batchtui.tui.screens.nodes.words import NODES_WORDS
from batchtui.tui.screens.stopping import Words

FAULT_WORDS = {
    "fail": "it fails, whoever is in it",
    "pass": "it passes, whoever is in it",
    "hang": "it hangs until its timeout",
    "inconclusive": "it could not be started",
    "raise": "the probe itself breaks",
    "late": "it is given up, and its reply comes late",
    "duplicate": "its reply comes twice",
}


class NodesScreen(NodesPickingScreen):
    """The map, the tests and the verdict of a search."""

    BINDINGS: ClassVar[list[BindingType]] = [  # the tests are the second panel here
        Binding("2", "focus_queue", "tests", id="focus_tests"),
    ]
    WORDS: ClassVar[Words] = NODES_WORDS

    def describe(self, action: Action) -> str:
        """What an action does here."""
        return DESCRIPTIONS.get(action.name, action.description)

    def help_lines(self, keys: Sequence[tuple[str, str]], width: int) -> list[Line]:
        """All of the help."""
        return nodes_help(keys, width, self.choice.panel)

    # Ask.

    def action_why(self) -> None:
        """Say which tests prove what the picked node is; once more, no longer."""
        self.stop()
        self.picks.ask_why()
        self.paint()

    def action_lints(self) -> None:
        """List what cannot be told, and what contradicts itself."""
        self.run_freely(False)
        told = [plain(words, ascii_only=self.ascii) for words in self.session.told()]
        lines: list[Line] = [[(words, "held")] for words in told]
        empty = "nothing is left to be told, and nothing contradicts itself"
        screen = FindingsScreen("What cannot be told", lines, empty=empty, ascii=self.ascii)
        self.app.push_screen(screen, lambda _: self.paint())

    def action_detail(self) -> None:
        """Show all of the picked node, or of the picked test."""
        self.run_freely(False)
        scene, choice = self.scene, self.choice
        if choice.panel == "tests" and choice.test is not None:
            story = self.session.history.test(choice.test)
            if story is not None:
                turn = self.session.debugger.cursor.turn
                title = f"T{choice.test} as of step {scene.view.step}"
                self._show_all(lambda width: test_lines(scene, story, turn, width), title)
                return
        if choice.node is None:
            self.paint(self.words.pick)
            return
        why, node = self.session.why(choice.node), choice.node
        tests = self.session.history.tests_of(node, self.session.debugger.cursor.turn)
        name = plain(self.session.inventory.nodes[node].name, ascii_only=self.ascii)
        title = f"{name} as of step {scene.view.step}"
        self._show_all(lambda width: node_lines(scene, node, why, tests, width), title)

    def _show_all(self, lines: object, title: str) -> None:
        self.app.push_screen(DetailScreen(lines, title, ascii=self.ascii))  # type: ignore[arg-type]

    # Do.

    def action_abort(self) -> None:
        """Exclude the picked node: it is not touched any more."""
        node = self.choice.node
        if node is None:
            self.paint(self.words.pick)
        elif self.may_act():
            name = self.session.inventory.nodes[node].name
            change = Configured(body=NodesOptions(exclude=(node,)), by_hand=True)
            self.act(change, f"{name} is excluded")

    def action_inject(self) -> None:
        """Let the next test have a fault."""
        if self.session.title.real:
            self.paint("faults are injected into simulated probes only")
        elif self.may_act():
            kinds = [Choice(kind, kind, FAULT_WORDS[kind]) for kind in FAULTS]
            self.app.push_screen(
                ChooseScreen("The next test", kinds, ascii=self.ascii), self._inject
            )

    def _inject(self, kind: str | None) -> None:
        if kind is not None:
            self.act(Injected(body=kind, by_hand=True), f"the next test has a fault: {kind}")

    def action_options(self) -> None:
        """Change the strategy, or how many tests may run at once."""
        if not self.may_act():
            return
        title = "Options from here on" if self.can_act_here else "Options of a fork from here"
        form = FormScreen(title, option_fields(self.session), _wrong, ascii=self.ascii)
        self.app.push_screen(form, self._change)

    def _change(self, answers: dict[str, str] | None) -> None:
        if answers is not None:
            change = Configured(body=options_of(answers), by_hand=True)
            self.act(change, "options are changed")

    # Leave.

    def action_leave(self) -> None:
        """Clear what lies nearest; with nothing to clear, go back to the dashboard if there is
        one."""
        if not self.leave():
            if len(self.app.screen_stack) > 1:
                self.stop()
                self.dismiss(None)
            else:
                self.paint("nothing to leave: q quits")


def _wrong(answers: dict[str, str]) -> str:
    try:
        options_of(answers)
    except ValueError as error:
        return str(error)
    return ""
