"""The top line: the units, what is run and on what, and where it stands."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.tui.renderables.line import Line, ends, width_of
from batchtui.tui.renderables.scene import Head, Mode, Moment
from batchtui.tui.renderables.units import clock, counted

_FULL = 60
"""From this width on the clock is shown, and a long call beside the speed."""

WIDE = 120
"""From this width on figures have their room between the facts."""


def top_line(scene: Moment, facts: Sequence[Line], width: int) -> list[Line]:
    """One line: units and facts about the run at the left, state and time at the right."""
    chip: Line = [(f" {_state(scene, width)} ", f"chip-{_style(scene)}")]
    left, right = (chip, []) if scene.head is not None else ([], chip)
    if width >= _FULL:
        right = [*right, *_clock(scene, width)]
    room = width - width_of(right)
    return [ends(_left(scene, left, facts, room, width), right, width)]


def _left(scene: Moment, left: Line, facts: Sequence[Line], room: int, width: int) -> Line:
    """As many of the facts as there is room for, the most telling first."""
    gap = "   " if width >= WIDE else "  "
    line: Line = [(" ", ""), *([*left, (" ", "")] if left else []), (_unit(scene), "unit")]
    for fact in (*_others(scene, width), *facts):
        if width_of(line) + width_of(fact) + len(gap) + 1 > room:
            break
        line += [(gap, ""), *fact]
    return line


def _unit(scene: Moment) -> str:
    """The unit that the step keys move stands in brackets."""
    if not scene.started:
        return f"[{scene.unit.upper()}]"
    of = f" of {scene.head.step}" if scene.head is not None else ""
    return f"[{scene.unit.upper()} {scene.view.step}{of}]"


def _others(scene: Moment, width: int) -> list[Line]:
    """The units that the step keys do not move."""
    if not scene.others and scene.unit == "batch" and width >= WIDE:
        return [[("nodes -", "dim")]]
    steps = [(unit.name, str(unit.step) if unit.step >= 0 else "-") for unit in scene.others]
    return [[(f"{name} {step}", "dim")] for name, step in steps]


def _clock(scene: Moment, width: int) -> Line:
    """The time, and in the past that of NOW."""
    now = clock(scene.view.now)
    if scene.head is not None and width >= 72:
        now += f" of {clock(scene.head.now)}"
    if width < WIDE:
        return [(f"  {now} ", "")]
    paused: Line = [(" PAUSED", "dim")] if scene.mode is Mode.PAST and not scene.calling else []
    return [*paused, (f"   t {now} ", "")]


def _state(scene: Moment, width: int) -> str:
    if scene.fault:
        return "STOPPED"
    calling = f"CALLING {scene.calling_s} s" if scene.calling_s else "CALLING"
    if scene.mode is not Mode.RUNNING:
        return calling if scene.calling and scene.head is None else _still(scene, width)
    running = f"RUNNING {scene.speed}"
    if not scene.calling_s:
        return running
    return f"{running}, {calling}" if width >= _FULL else calling


def _still(scene: Moment, width: int) -> str:
    if scene.head is not None:
        return f"PAST {_back(scene.head)}" if width >= 40 else "PAST"
    return "PAUSED at NOW" if scene.mode is Mode.PAUSED and width >= 72 else scene.mode.name


def _back(head: Head) -> str:
    """How far away NOW is: in steps, or in phases within its step."""
    return f"{head.steps_back:,} back" if head.steps_back else counted(head.turns_back, "phase")


def _style(scene: Moment) -> str:
    if scene.fault:
        return "fault"
    is_calling = scene.calling and scene.head is None
    return Mode.RUNNING.value if is_calling else scene.mode.value
