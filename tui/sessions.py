"""Makes sessions: of a run that has not begun, of a recording, and of a fork."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterable
from pathlib import Path

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.decoder import PHASES
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recordings.header import header_of, never_blocks
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.recording import Recording
from batchtui.plugins.recordings.workload import workload_of
from batchtui.plugins.runs import Run, RunOptions, policy_named, prepare
from batchtui.tui.renderables.scene import Title
from batchtui.tui.session import Session


def open_session(
    workload: Workload, options: RunOptions, *, asked: str = "", record: Path | None = None
) -> Session:
    """Make a session of a workload.

    Args:
        workload: what is run.
        options: how.
        asked: what it was asked for by, which the header of a recording says.
        record: the file to record it in; a temporary one unless said.
    """
    return session_of(
        prepare(workload, options, recorded=True), options, asked=asked, record=record
    )


def session_of(
    run: Run, options: RunOptions, *, asked: str = "", record: Path | None = None
) -> Session:
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

    def refork(past: Iterable[TurnRecord]) -> Session:
        """A real model is neither opened twice nor asked again what it has answered."""
        model, said = (run.model, past) if real else (None, ())
        fork = prepare(run.workload, options, recorded=True, model=model, past=said)
        return session_of(fork, options, asked=asked)

    return Session(
        debugger,
        history,
        title,
        PHASES,
        log=log,
        run=run,
        refork=refork,
    )


class _Copied:
    """The file that a recording was opened from."""

    def __init__(self, path: Path, recording: Recording) -> None:
        self._path = path
        self._recording = recording

    def save_as(self, path: Path) -> None:
        """Copy it."""
        if path.exists():
            raise InputError(f"{path} is there already: choose another name")
        shutil.copyfile(self._path, path)

    def close(self) -> None:
        """Close it."""
        self._recording.close()


def session_of_recording(recording: Recording, path: Path) -> Session:
    """Make a session of a recording: its head is its end."""
    header = recording.header
    debugger = Debugger(recording.timeline, None, Breakpoints(BATCHING))
    title = Title(header.workload, header.backend, header.policy, header.real)

    def refork(past: Iterable[TurnRecord]) -> Session:
        workload, options = workload_of(recording)
        run = prepare(workload, options, recorded=True, past=past if header.real else ())
        return session_of(run, options, asked=header.workload)

    return Session(
        debugger,
        recording.history,
        title,
        PHASES,
        log=_Copied(path, recording),
        refork=refork if header.texts == "full" else None,
        torn=recording.torn,
    )


def forked(session: Session) -> Session:
    """Make a session that goes the same way as another up to where one looks there.

    It is not there yet: ``rehearsal`` takes it there, a turn at a time. What was done by hand is
    done again in the turns in which it was.

    Raises:
        InputError, PluginError: it cannot be run again.
    """
    assert session.refork is not None
    past = list(session.debugger.timeline.records(0, session.debugger.cursor.turn))
    fork = session.refork(past)
    fork.rehearsal = _rehearse(fork, past, shares=shares_model(session, fork))
    return fork


def shares_model(one: Session, other: Session) -> bool:
    """Whether two sessions call the same model, which only one of them may close."""
    return one.run is not None and other.run is not None and one.run.model is other.run.model


def _rehearse(
    fork: Session, past: Iterable[TurnRecord], *, shares: bool
) -> Generator[None, None, None]:
    """Whoever closes it on the way gives the fork up."""
    try:
        for record in past:
            for input in record.inputs:
                if input.by_hand:
                    fork.do(input)
            if not fork.advance_phase():
                return
            yield
    except GeneratorExit:
        fork.close(and_model=not shares)
        raise
