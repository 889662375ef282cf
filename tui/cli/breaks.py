"""``--break``: where a run is to stop, and the command that opens it there."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence
from typing import Generic

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.conditions import Vocabulary
from batchtui.engine.debugger.phrase import parse
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import ViewT, fold

STOPPED = 3


def checked(texts: Sequence[str] | None, vocabulary: Vocabulary = BATCHING) -> tuple[str, ...]:
    """The conditions as they were written, in the words of a system.

    Raises:
        InputError: one of them makes no sense.
    """
    for text in texts or ():
        parse(text, vocabulary)
    return tuple(texts or ())


def open_again(recording: str) -> str:
    """What a person types to open a recording."""
    return shlex.join(["batchtui", "open", recording])


class Watcher(Generic[ViewT]):
    """Asks the breakpoints after every turn of a run.

    ``hit`` says which one was hit first, and where; ``step`` is the number of that step.

    Args:
        texts: the conditions.
        vocabulary: the words of the system that is run.

    Raises:
        InputError: a condition makes no sense.
    """

    def __init__(self, texts: Iterable[str], vocabulary: Vocabulary) -> None:
        self.hit = ""
        self.step = -1
        self._breakpoints: Breakpoints[ViewT] = Breakpoints(vocabulary)
        for text in texts:
            self._breakpoints.add(text)

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to watch for."""
        return len(self._breakpoints) > 0

    def watch(self, recorder: Recorder | None, view: ViewT) -> None:
        """Watch a run that has not begun; ``view`` is what it looks like then."""
        if not self.is_wanted or recorder is None:
            return
        self._view = view
        self._breakpoints.start(view)
        recorder.watch = self._turned

    def _turned(self, record: TurnRecord) -> None:
        fold(self._view, record)
        hit = self._breakpoints.check(record, self._view)
        if hit is not None and not self.hit:
            self.hit, self.step = hit.where(record), record.step
