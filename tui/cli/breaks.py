"""``--break``: where a run is to stop, and the command that opens it there."""

from __future__ import annotations

import shlex
from collections.abc import Iterable, Sequence

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.phrase import parse
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import fold
from batchtui.plugins.runs import Run

STOPPED = 3


def checked(texts: Sequence[str] | None) -> tuple[str, ...]:
    """The conditions as they were written.

    Raises:
        InputError: one of them makes no sense.
    """
    for text in texts or ():
        parse(text, BATCHING)
    return tuple(texts or ())


def open_again(recording: str) -> str:
    """What a person types to open a recording."""
    return shlex.join(["batchtui", "open", recording])


class Watcher:
    """Asks the breakpoints after every turn of a run.

    ``hit`` says which one was hit first, and where; ``step`` is the number of that step.

    Raises:
        InputError: a condition makes no sense.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.hit = ""
        self.step = -1
        self._breakpoints: Breakpoints[BatchView] = Breakpoints(BATCHING)
        for text in texts:
            self._breakpoints.add(text)

    @property
    def is_wanted(self) -> bool:
        """Whether there is anything to watch for."""
        return len(self._breakpoints) > 0

    def watch(self, run: Run) -> None:
        """Watch a run that has not begun."""
        if not self.is_wanted or run.recorder is None:
            return
        config = run.decoder.config
        self._view = BatchView.empty(config.max_num_seqs, config.num_gpu_blocks, run.policy)
        self._breakpoints.start(self._view)
        run.recorder.watch = self._turned

    def _turned(self, record: TurnRecord) -> None:
        fold(self._view, record)
        hit = self._breakpoints.check(record, self._view)
        if hit is not None and not self.hit:
            self.hit, self.step = hit.where(record), record.step
