"""What a person does to a run: add a request, abort one, inject a fault, change options, fork.

Each is a recorded input, taken in by the next phase. Given in the past it acts in a fork.
"""

from __future__ import annotations

from typing import Any

from batchtui.engine.batching.options import Options
from batchtui.engine.machine import Aborted, Configured, Injected, Submitted
from batchtui.plugins.formats.workload import Fault
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.by_hand import FIELDS, option_fields, options_now, options_of, request_of
from batchtui.tui.screens.choose import Choice, ChooseScreen
from batchtui.tui.screens.form import FormScreen
from batchtui.tui.screens.rows import RowsScreen
from batchtui.tui.session import Session

FAULTS = {
    "raise": "the call raises",
    "short": "the reply lacks its last row",
    "swap": "two rows of the reply change places",
    "duplicate": "the reply comes twice",
    "late": "the call is given up, and its reply comes with a later one",
    "empty": "no tokens for anyone",
}


class HandsScreen(RowsScreen):
    """The panels, and what can be done to the run in them."""

    def action_add(self) -> None:
        """Add a request that is typed."""
        if not self.may_act():
            return
        form = FormScreen("Add a request", FIELDS, self._wrong_request, ascii=self.ascii)
        self.app.push_screen(form, self._add)

    def _add(self, answers: dict[str, str] | None) -> None:
        if answers is None:
            return
        request = request_of(answers, index=self._next_index(), now=self.batching.view.now)
        name = request.request_id
        self.act(Submitted(body=request, by_hand=True), f"{name} is added")

    def _wrong_request(self, answers: dict[str, str]) -> str:
        try:
            request_of(answers, index=self._next_index(), now=0)
        except ValueError as error:
            return str(error)
        return ""

    def _next_index(self) -> int:
        """A number that no request of the workload has, nor one that was added before."""
        return self.batching.next_index

    def action_abort(self) -> None:
        """Abort the picked request."""
        target = self.choice.request_id
        if not target:
            self.paint("pick a request first: up and down in the slots or the queue")
        elif self.may_act():
            self.act(Aborted(target=target, by_hand=True), f"{target} is aborted")

    def action_inject(self) -> None:
        """Let the next model call fail."""
        if self.batching.title.real:
            self.paint("faults are injected into simulated backends only")
        elif self.may_act():
            kinds = [Choice(kind, kind, FAULTS[kind]) for kind in Fault.KINDS]
            screen = ChooseScreen("Inject a fault", kinds, ascii=self.ascii)
            self.app.push_screen(screen, self._inject)

    def _inject(self, kind: str | None) -> None:
        if kind is not None:
            self.act(Injected(body=kind, by_hand=True), f"the next call has a fault: {kind}")

    def action_options(self) -> None:
        """Change slots or policy, here or in a fork."""
        if not self.may_act():
            return
        title = "Options from here on" if self.can_act_here else "Options of a fork from here"
        fields = option_fields(self.batching, here=self.can_act_here)
        form = FormScreen(title, fields, self._wrong_options, ascii=self.ascii)
        self.app.push_screen(form, self._change)

    def _wrong_options(self, answers: dict[str, str]) -> str:
        try:
            options_of(answers, self.batching.most_slots)
        except ValueError as error:
            return str(error)
        return ""

    def _change(self, answers: dict[str, str] | None) -> None:
        if answers is None:
            return
        options = options_of(answers)
        if options == options_now(self.batching):
            self.paint("nothing is changed")
            return
        change = Configured(body=options, by_hand=True)
        if self.can_act_here and answers.get("where", "here") == "here":
            self.act(change, "options are changed")
        else:
            self.fork_then(lambda: self._change_fork(change, answers))

    def _change_fork(self, change: Configured[Options], answers: dict[str, str]) -> None:
        """A fork of a recording has a model of its own, and room for as many slots as that has."""
        wrong = self._wrong_options(answers)
        if wrong:
            self.paint(wrong)
        else:
            self.act(change, "the fork has other options")

    @property
    def acted(self) -> BatchSession:
        """The batching one."""
        return self.batching

    def show_instead(self, old: Session[Any], fork: Session[Any]) -> None:
        """Show a fork in the place of the batch."""
        assert isinstance(fork, BatchSession)
        self.batching = fork

    @property
    def busy_words(self) -> str:
        """A fork wants to know what a real model has answered."""
        if self.is_calling:
            return "the model is being called: a fork can begin when it has answered"
        is_now = self.batching.title.real and not self.batching.in_past
        if is_now and self.batching.view.phase == "call":
            return "a call was made whose reply is not taken in yet: s first"
        return ""
