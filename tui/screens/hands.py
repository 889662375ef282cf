"""What a person does to a run: add a request, abort one, inject a fault, change options, fork.

Each is a recorded input, taken in by the next phase. Given in the past it acts in a fork.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from batchtui.engine.batching.options import Options
from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Aborted, Configured, Injected, Input, Submitted
from batchtui.plugins.formats.workload import Fault
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.by_hand import FIELDS, option_fields, options_now, options_of, request_of
from batchtui.tui.screens.choose import Choice, ChooseScreen
from batchtui.tui.screens.form import FormScreen
from batchtui.tui.screens.rows import RowsScreen
from batchtui.tui.sessions import forked, shares_model

NO_RUN = "a recording cannot be changed, and this one cannot be run again"
ENDED_HINT = "nothing runs any more that could be changed"
TAKEN_IN = "the next phase takes it in"

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
        if not self._may_act():
            return
        form = FormScreen("Add a request", FIELDS, self._wrong_request, ascii=self.ascii)
        self.app.push_screen(form, self._add)

    def _add(self, answers: dict[str, str] | None) -> None:
        if answers is None:
            return
        request = request_of(answers, index=self._next_index(), now=self.batching.view.now)
        name = request.request_id
        self._act(Submitted(body=request, by_hand=True), f"{name} is added")

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
        elif self._may_act():
            self._act(Aborted(target=target, by_hand=True), f"{target} is aborted")

    def action_inject(self) -> None:
        """Let the next model call fail."""
        if self.batching.title.real:
            self.paint("faults are injected into simulated backends only")
        elif self._may_act():
            kinds = [Choice(kind, kind, FAULTS[kind]) for kind in Fault.KINDS]
            screen = ChooseScreen("Inject a fault", kinds, ascii=self.ascii)
            self.app.push_screen(screen, self._inject)

    def _inject(self, kind: str | None) -> None:
        if kind is not None:
            self._act(Injected(body=kind, by_hand=True), f"the next call has a fault: {kind}")

    def action_options(self) -> None:
        """Change slots or policy, here or in a fork."""
        if not self._may_act():
            return
        title = "Options from here on" if self._can_act_here else "Options of a fork from here"
        fields = option_fields(self.batching, here=self._can_act_here)
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
        if self._can_act_here and answers.get("where", "here") == "here":
            self._act(change, "options are changed")
        else:
            self._fork(lambda: self._change_fork(change, answers))

    def _change_fork(self, change: Configured[Options], answers: dict[str, str]) -> None:
        """A fork of a recording has a model of its own, and room for as many slots as that has."""
        wrong = self._wrong_options(answers)
        if wrong:
            self.paint(wrong)
        else:
            self._act(change, "the fork has other options")

    def action_fork(self) -> None:
        """Begin another run that is the same up to this moment."""
        if self.batching.refork is None:
            self.paint(NO_RUN)
        else:
            self._fork(lambda: self.paint("a fork: what follows is another run"))

    @property
    def _can_act_here(self) -> bool:
        return self.batching.run is not None and not self.batching.in_past

    def _may_act(self) -> bool:
        """Whether something can be done here or in a fork; says so if not."""
        self.run_freely(False)
        if self.batching.fault:
            self.paint(ENDED_HINT)
            return False
        if self._can_act_here or self.batching.refork is not None:
            return True
        self.paint(NO_RUN)
        return False

    def _act(self, input: Input, words: str) -> None:
        """Do something now; in the past, in a fork."""
        if not self._can_act_here:
            self._fork(lambda: self._act(input, words))
            return
        self.batching.do(input)
        self.paint(f"{words}: {TAKEN_IN}")

    def _fork(self, then: Callable[[], None]) -> None:
        """Go on in a fork, once it is where we look now."""
        if self.is_calling:
            self.paint("the model is being called: a fork can begin when it has answered")
            return
        if self._is_in_call:
            self.paint("a call was made whose reply is not taken in yet: s first")
            return
        try:
            fork = forked(self.batching)
        except BatchtuiError as error:
            self.paint(f"no fork: {error}")
            return
        wanted = msgspec.json.encode(self.batching.view)

        def arrived() -> None:
            if msgspec.json.encode(fork.view) == wanted:
                self._change_to(fork)
                then()
            else:
                fork.close(and_backend=not shares_model(self.batching, fork))
                self.paint("no fork: the run does not come out the same again")

        assert fork.rehearsal is not None
        self.work_on(fork.rehearsal, "to the fork", arrived)

    @property
    def _is_in_call(self) -> bool:
        """Whether a real model has answered, and nothing says yet what."""
        is_now = self.batching.title.real and not self.batching.in_past
        return is_now and self.batching.view.phase == "call"

    def _change_to(self, fork: BatchSession) -> None:
        """Show a fork from here on; what it was forked from is closed."""
        old, self.batching = self.batching, fork
        for each in old.debugger.breakpoints:
            fork.debugger.breakpoints.add(each.text).enabled = each.enabled
        self.turn_to(fork)
        self.app.session = fork  # type: ignore[attr-defined]  # BatchtuiApp closes what it has
        try:
            old.close(and_backend=not shares_model(old, fork))
        except BatchtuiError as error:
            self.paint(str(error))
