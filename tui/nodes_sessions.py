"""Makes sessions of searches: of one that has not begun, and of a recording."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.engine.nodes.conditions import vocabulary_of
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.history import NodesHistory
from batchtui.engine.nodes.names import Names
from batchtui.engine.nodes.probe import Probe
from batchtui.engine.nodes.search import PHASES
from batchtui.engine.nodes.view import NodesView
from batchtui.plugins.formats.nodes_case import NodesCase
from batchtui.plugins.recordings.log import FileLog
from batchtui.plugins.recordings.nodes.run import header_of, setup_of
from batchtui.plugins.recordings.nodes.system import NodesRecording
from batchtui.plugins.searches import SearchOptions, SearchRun, prepare_search, search_run
from batchtui.tui.copied_log import CopiedLog
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.scene import Title


def open_search(
    case: NodesCase, options: SearchOptions, *, command: str = "", record: Path | None = None
) -> NodesSession:
    """Make a session of a search that has not begun.

    Args:
        case: what is searched.
        options: how.
        command: what a person would type to have the same, which the header of a recording says.
        record: the file to record it in; a temporary one unless said.
    """
    run = prepare_search(case, options, recorded=True)
    return session_of_search(run, case.name, command=command, record=record)


def session_of_search(
    run: SearchRun, name: str, *, command: str = "", record: Path | None = None
) -> NodesSession:
    """Make a session of a search that is recorded and has not begun."""
    recorder = run.recorder
    assert recorder is not None, "a session wants a search that is recorded"
    header = header_of(run, name, command)
    log = FileLog.temporary(header) if record is None else FileLog.create(record, header)
    history = NodesHistory(run.config)
    timeline = Timeline(history, log, Chunker(), log.index)
    breakpoints = Breakpoints[NodesView](vocabulary_of(Names(run.config.inventory)))
    debugger = Debugger(timeline, Driver(run.simulation), breakpoints)
    recorder.log, recorder.watch = log, debugger.watch
    return NodesSession(
        debugger,
        Title(header.workload, run.probe.name, run.config.strategy, run.probe.real),
        PHASES,
        log=log,
        turns=timeline.records,
        refork=_refork(run.config, run.probe, name, command),
        history=history,
        inventory=run.config.inventory,
        run=run,
    )


def _refork(
    config: NodesConfig, probe: Probe, name: str, command: str
) -> Callable[[Iterable[TurnRecord]], NodesSession]:
    """The same search once more: its probe answers the same test the same way."""

    def refork(past: Iterable[TurnRecord]) -> NodesSession:
        run = search_run(config, probe, recorded=True, past=past)
        return session_of_search(run, name, command=command)

    return refork


def session_of_nodes_recording(recording: NodesRecording, path: Path) -> NodesSession:
    """Make a session of a recording: its head is its end."""
    header = recording.header
    config, probe = setup_of(header, "line 1")
    breakpoints = Breakpoints[NodesView](vocabulary_of(Names(config.inventory)))
    debugger = Debugger(recording.timeline, None, breakpoints)
    return NodesSession(
        debugger,
        Title(header.workload, header.backend, header.policy, header.real),
        PHASES,
        log=CopiedLog(path, recording),
        turns=recording.turns,
        refork=_refork(config, probe, header.workload, header.command),
        history=recording.history,
        inventory=config.inventory,
        torn=recording.torn,
    )
