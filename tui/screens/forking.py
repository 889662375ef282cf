"""Acts upon a run: here at NOW, and in a fork where one looks back."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import msgspec

from batchtui.engine.errors import BatchtuiError
from batchtui.engine.machine import Input
from batchtui.tui.forking import forked
from batchtui.tui.screens.moving import MovingScreen
from batchtui.tui.session import Session

NO_RUN = "a recording cannot be changed, and this one cannot be run again"
ENDED_HINT = "nothing runs any more that could be changed"
TAKEN_IN = "the next phase takes it in"


class ForkingScreen(MovingScreen):
    """Panels on a session that can be acted upon."""

    @property
    def acted(self) -> Session[Any]:
        """The session that is acted upon."""
        return self.session

    @abstractmethod
    def show_instead(self, old: Session[Any], fork: Session[Any]) -> None:
        """Show a fork in the place of another session."""
        raise NotImplementedError

    @property
    def busy_words(self) -> str:
        """Why no fork can begin now; "" if one can."""
        return ""

    def action_fork(self) -> None:
        """Begin another run that is the same up to this moment."""
        if self.acted.refork is None:
            self.paint(NO_RUN)
        else:
            self.fork_then(lambda: self.paint("a fork: what follows is another run"))

    @property
    def can_act_here(self) -> bool:
        """Whether something can be done without a fork."""
        return self.acted.can_move and not self.acted.in_past

    def may_act(self) -> bool:
        """Whether something can be done here or in a fork; says so if not."""
        self.run_freely(False)
        if self.acted.fault:
            self.paint(ENDED_HINT)
            return False
        if self.can_act_here or self.acted.refork is not None:
            return True
        self.paint(NO_RUN)
        return False

    def act(self, input: Input, words: str) -> None:
        """Do something now; in the past, in a fork."""
        if not self.can_act_here:
            self.fork_then(lambda: self.act(input, words))
            return
        self.acted.do(input)
        self.paint(f"{words}: {TAKEN_IN}")

    def fork_then(self, then: Callable[[], None]) -> None:
        """Go on in a fork, once it is where we look now."""
        if words := self.busy_words:
            self.paint(words)
            return
        old = self.acted
        try:
            fork = forked(old)
        except BatchtuiError as error:
            self.paint(f"no fork: {error}")
            return
        wanted = msgspec.json.encode(old.view)

        def arrived() -> None:
            if msgspec.json.encode(fork.view) == wanted:
                self._change_to(fork)
                then()
            else:
                fork.close(and_backend=not old.shares_backend(fork))
                self.paint("no fork: the run does not come out the same again")

        assert fork.rehearsal is not None
        self.work_on(fork.rehearsal, "to the fork", arrived)

    def _change_to(self, fork: Session[Any]) -> None:
        """Show a fork from here on; what it was forked from is closed."""
        old = self.acted
        for each in old.debugger.breakpoints:
            fork.debugger.breakpoints.add(each.text).enabled = each.enabled
        self.show_instead(old, fork)
        self.turn_to(fork)
        self.app.sessions[:] = [  # type: ignore[attr-defined]  # BatchtuiApp closes what it has
            fork if each is old else each
            for each in self.app.sessions  # type: ignore[attr-defined]
        ]
        try:
            old.close(and_backend=not old.shares_backend(fork))
        except BatchtuiError as error:
            self.paint(str(error))
