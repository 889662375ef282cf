"""What is drawn at one moment: the view, what the screen is doing, and how to draw."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from batchtui.engine.batching.view import BatchView
from batchtui.tui.renderables.glyphs import UNICODE, Glyphs


class Mode(Enum):
    """What the screen is doing; decides the chip and the footer."""

    PAUSED = "paused"
    RUNNING = "running"
    ENDED = "ended"


@dataclass(frozen=True)
class Title:
    """What is run, and with what: the fixed part of the top line."""

    workload: str
    backend: str
    policy: str
    real: bool = False


@dataclass(frozen=True)
class Scene:
    """One moment.

    ``started`` is False before the first decision. ``speed`` is what a free run is asked for,
    ``hint`` takes the footer's place for once, ``fault`` says where the engine itself failed,
    ``calling`` that an answer of the model is awaited, ``calling_s`` for how many whole seconds.
    """

    view: BatchView
    title: Title
    phases: tuple[str, ...]
    mode: Mode = Mode.PAUSED
    started: bool = True
    speed: str = ""
    hint: str = ""
    fault: str = ""
    calling: bool = False
    calling_s: int = 0
    glyphs: Glyphs = UNICODE

    @property
    def marks(self) -> bool:
        """Whether the gutter marks what the last step did: not while the rows fly by."""
        return self.mode is not Mode.RUNNING
