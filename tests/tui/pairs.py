"""A session and a screen of a system that is nothing like batching: tests of pairs of nodes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import msgspec
from tests.engine.machines.pairs import NodeJudged, PairTests
from textual.app import ComposeResult

from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.conditions import Happens
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline
from batchtui.engine.machine import Event, Input, Replied, Submitted, Work
from batchtui.engine.simulate import Simulation, TimedFeed
from batchtui.tui.outlook import Outlook
from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Mode, Ribbon, Title
from batchtui.tui.screens.moving import MovingScreen
from batchtui.tui.screens.stopping import Words
from batchtui.tui.session import Session
from batchtui.tui.widgets.panel import Panel

TEST_US = 100


class PairsView(msgspec.Struct):
    """Who was judged, and where the run is."""

    verdicts: dict[str, str] = {}
    step: int = -1
    phase: str = ""
    now: int = 0

    def fold(self, event: Event) -> None:
        assert isinstance(event, NodeJudged)
        self.verdicts[event.node] = event.verdict
        self.reach(event.step, event.phase, event.at)

    def reach(self, step: int, phase: str, now: int) -> None:
        self.step, self.phase, self.now = step, phase, now


class PairsHistory:
    """When each node was judged; a mark for each step: whether anybody was."""

    def __init__(self) -> None:
        self.judged: dict[str, int] = {}
        self.marks: list[str] = []

    def empty(self) -> PairsView:
        return PairsView()

    def note(self, record: TurnRecord, turn: int, view: PairsView) -> None:
        if record.step == len(self.marks):
            self.marks.append(".")
        for entry in record.entries:
            if isinstance(entry, NodeJudged):
                self.judged[entry.node] = turn
                self.marks[record.step] = "f"

    def weigh(self, record: TurnRecord) -> int:
        return 1

    def ribbon(self, steps: slice) -> str:
        return "".join(self.marks[steps])

    def freeze(self, view: PairsView) -> bytes:
        return msgspec.json.encode(view)

    def thaw(self, keyframe: bytes, turn: int) -> PairsView:
        return msgspec.json.decode(keyframe, type=PairsView)


class PairsOutlook(Outlook[PairsView]):
    def mark(self) -> str:
        return "f" if self._debugger.view.phase == "deduce" else "."

    def queue_lengths(self, steps: slice) -> tuple[int, ...]:
        return ()


@dataclass
class PairsSession(Session[PairsView]):
    @property
    def outlook(self) -> PairsOutlook:
        return PairsOutlook(self.debugger)


class _NoLog:
    def read(self, chunk: int) -> Iterable[Entry]:
        raise AssertionError("the run is shorter than a chunk")


def _about(event: NodeJudged, view: PairsView, subject: str | None) -> bool:
    return subject in (None, event.node)


def pairs_session(count: int, bad: set[str]) -> PairsSession:
    """A run over so many nodes, that has not begun."""

    def perform(work: Work) -> list[tuple[int, Input]]:
        return [(TEST_US, Replied(work=work.id, body=bad.isdisjoint(work.spec)))]

    recorder = Recorder(PairTests())
    nodes = Submitted(body=[f"n{number}" for number in range(count)])
    timeline = Timeline(PairsHistory(), _NoLog(), Chunker())
    breakpoints: Breakpoints[PairsView] = Breakpoints({"judge": Happens({NodeJudged: _about})})
    driver = Driver(Simulation(recorder, perform, TimedFeed([nodes])))
    debugger = Debugger(timeline, driver, breakpoints)
    recorder.watch = debugger.watch
    return PairsSession(debugger, Title("cluster", "pairs", ""), PairTests.phases)


class PairsScene(NamedTuple):
    view: PairsView
    mode: Mode
    hint: str
    ribbon: Ribbon


class PairsPanel(Panel):
    def draw(self, scene: PairsScene, width: int, height: int) -> list[Line]:
        judged = " ".join(f"{node}={verdict}" for node, verdict in scene.view.verdicts.items())
        place = f"step {scene.view.step} {scene.view.phase} {scene.mode.value}"
        return [[(place, "")], [(judged, "")], [(scene.ribbon.marks, "")], [(scene.hint, "hint")]]


class PairsScreen(MovingScreen):
    """All that a screen of another system must say."""

    WORDS: ClassVar[Words] = Words("judge n3", "a step, or a node", "no node", "pick", "pick one")

    picked = ""

    def compose(self) -> ComposeResult:
        yield PairsPanel()

    @property
    def scene(self) -> PairsScene:
        session: Session[Any] = self.session
        return PairsScene(session.view, self.mode, self._hint, session.outlook.ribbon)

    def share_out(self, scene: PairsScene) -> None:
        self.query_one(PairsPanel).styles.width = self.size.width
        self.query_one(PairsPanel).styles.height = self.size.height

    @property
    def picked_condition(self) -> str:
        return f"judge {self.picked}" if self.picked else ""

    def picked_text(self) -> str:
        return self.picked

    def rows(self) -> list[list[str]]:
        return [["node"], *([node] for node in self.session.view.verdicts)]

    def find_place(self, text: str) -> int | None:
        history = self.session.debugger.timeline.history
        assert isinstance(history, PairsHistory)
        return history.judged.get(text)

    def show_place(self, text: str) -> None:
        self.picked = text

    def help_lines(self, keys: Sequence[tuple[str, str]], width: int) -> list[Line]:
        return [[(f"{shown} {does}"[:width], "")] for shown, does in keys]
