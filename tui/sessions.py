"""Makes sessions of batching: of a run that has not begun, and of a recording."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.decoder import PHASES
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recordings.batching.header import config_of, header_of, never_blocks
from batchtui.plugins.recordings.batching.system import BatchRecording
from batchtui.plugins.recordings.batching.workload import workload_of
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.runs import Run, RunOptions, policy_named, prepare
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.copied_log import CopiedLog
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
        log=CopiedLog(path, recording),
        history=recording.history,
        refork=refork if header.texts == "full" else None,
        turns=recording.turns,
        most_slots=config_of(header, "line 1").max_num_seqs if header.real else None,
        torn=recording.torn,
    )
