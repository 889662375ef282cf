"""Makes sessions: of a run that has not begun, of a recording, and of a fork."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from pathlib import Path

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.decoder import PHASES
from batchtui.engine.batching.events import CallStarted
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.engine.errors import WorkError
from batchtui.engine.machine import Input, Replied
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recordings.batching.header import config_of, header_of, never_blocks
from batchtui.plugins.recordings.batching.system import BatchRecording
from batchtui.plugins.recordings.batching.workload import workload_of
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.recording import AnyRecording
from batchtui.plugins.recordings.target import COPY_BYTES, Target
from batchtui.plugins.runs import Run, RunOptions, policy_named, prepare
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.scene import Title


def open_session(
    workload: Workload, options: RunOptions, *, asked: str = "", record: Path | None = None
) -> BatchSession:
    """Make a session of a workload.

    Args:
        workload: what is run.
        options: how.
        asked: what it was asked for by, which the header of a recording says.
        record: the file to record it in; a temporary one unless said.
    """
    run = prepare(workload, options, recorded=True)
    try:
        return session_of(run, options, asked=asked, record=record)
    except BaseException:
        run.close()
        raise


def session_of(
    run: Run, options: RunOptions, *, asked: str = "", record: Path | None = None
) -> BatchSession:
    """Make a session of a run that is recorded and has not begun."""
    recorder, config = run.recorder, run.decoder.config
    assert recorder is not None, "a session wants a run that is recorded"
    header = header_of(run, options, asked=asked)
    log = FileLog.temporary(header) if record is None else FileLog.create(record, header)
    history = BatchHistory(
        config.max_num_seqs, config.num_gpu_blocks, run.policy, policies=policy_named
    )
    timeline = Timeline(history, log, Chunker(), log.index)
    debugger = Debugger(timeline, Driver(run.simulation), Breakpoints(BATCHING))
    # Whether a foreign model blocks, or crashes, is known only once it has; these two never do.
    real = not never_blocks(run)
    recorder.log, recorder.watch, recorder.flushes = log, debugger.watch, real
    title = Title(run.workload.name, run.model.name, run.policy.name, real)

    def refork(past: Iterable[TurnRecord]) -> BatchSession:
        """A real model is neither opened twice nor asked again what it has answered."""
        model, said = (run.model, past) if real else (None, ())
        fork = prepare(run.workload, options, recorded=True, model=model, past=said)
        return session_of(fork, options, asked=asked)

    return BatchSession(
        debugger,
        title,
        PHASES,
        log=log,
        history=history,
        run=run,
        refork=refork,
        turns=timeline.records,
        most_slots=config.max_num_seqs if real else None,
    )


class _Copied:
    """The file that a recording was opened from."""

    def __init__(self, path: Path, recording: AnyRecording) -> None:
        self._path = path
        self._recording = recording

    def save_as(self, path: Path) -> None:
        """Copy it."""
        with Target.claim(path) as target, self._path.open("rb") as file:
            at = 0
            while data := file.read(COPY_BYTES):
                target.write(data, at)
                at += len(data)

    def close(self) -> None:
        """Close it."""
        self._recording.close()


def session_of_recording(recording: BatchRecording, path: Path) -> BatchSession:
    """Make a session of a recording: its head is its end."""
    header = recording.header
    debugger = Debugger(recording.timeline, None, Breakpoints(BATCHING))
    title = Title(header.workload, header.backend, header.policy, header.real)

    def refork(past: Iterable[TurnRecord]) -> BatchSession:
        workload, options = workload_of(recording)
        run = prepare(workload, options, recorded=True, past=past if header.real else ())
        return session_of(run, options, asked=header.workload)

    return BatchSession(
        debugger,
        title,
        PHASES,
        log=_Copied(path, recording),
        history=recording.history,
        refork=refork if header.texts == "full" else None,
        turns=recording.turns,
        most_slots=config_of(header, "line 1").max_num_seqs if header.real else None,
        torn=recording.torn,
    )


def forked(session: BatchSession) -> BatchSession:
    """Make a session that goes the same way as another up to where one looks there.

    It is not there yet: ``rehearsal`` takes it there, a turn at a time. What was done by hand is
    done again in the turns in which it was.

    Raises:
        InputError, PluginError: it cannot be run again.
    """
    assert session.refork is not None
    turn = session.debugger.cursor.turn
    fork = session.refork(_answered(session.turns(), turn))
    past = session.debugger.timeline.records(0, turn)
    pending = [] if session.in_past else session.pending
    fork.rehearsal = _rehearse(fork, past, pending, shares=shares_model(session, fork))
    return fork


def _answered(turns: Iterable[TurnRecord], turn: int) -> Iterator[TurnRecord]:
    """The turns up to a moment, and on to the reply of a call that was out then."""
    is_out = False
    for number, record in enumerate(turns, 1):
        if number > turn and not is_out:
            return
        yield record
        for entry in record.entries:
            if isinstance(entry, CallStarted):
                is_out = number <= turn
            elif isinstance(entry, Replied) and entry.final:
                is_out = False


def shares_model(one: BatchSession, other: BatchSession) -> bool:
    """Whether two sessions call the same model, which only one of them may close."""
    return one.run is not None and other.run is not None and one.run.model is other.run.model


def _rehearse(
    fork: BatchSession, past: Iterable[TurnRecord], pending: Iterable[Input], *, shares: bool
) -> Generator[None, None, None]:
    """Whoever closes it on the way, or sees it fail, gives the fork up."""
    try:
        for record in past:
            for input in record.inputs:
                if input.by_hand:
                    fork.do(input)
            if not fork.advance_phase():
                raise WorkError(f"the fork ends at step {fork.step}, before it is there")
            yield
        for input in pending:
            fork.do(input)
    except BaseException:  # GeneratorExit too
        fork.close(and_backend=not shares)
        raise
