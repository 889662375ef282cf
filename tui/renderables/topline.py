"""The top line: what is run, on what, and where it stands."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line, ends, width_of
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import clock, counted

_FULL = 60
"""From this width on the clock is shown, and a long call beside the speed."""


def top_line(scene: Scene, width: int) -> list[Line]:
    """One line: unit, workload, backend and policy at the left, state and time at the right."""
    right: Line = [(f" {_state(scene, width)} ", f"chip-{_style(scene)}")]
    if width >= _FULL:
        right = [*right, (f"  {clock(scene.view.now)} ", "")]
    room = width - width_of(right)
    return [ends(_left(scene, room), right, width)]


def _left(scene: Scene, room: int) -> Line:
    """As many of the facts as there is room for, the most telling first."""
    title = scene.title
    step = f"[BATCH {scene.view.step}]" if scene.started else "[BATCH]"
    left: Line = [(" ", ""), (step, "unit")]
    facts: list[Line] = [
        [(plain(title.workload), "name")],
        [("REAL" if title.real else "SIM", "real" if title.real else "dim"), (" ", "")],
        [(plain(title.backend), "dim")],
        [(plain(title.policy), "dim")],
        _totals(scene),
    ]
    facts[1:3] = [[*facts[1], *facts[2]]]
    for fact in facts:
        if width_of(left) + width_of(fact) + 3 > room:
            break
        left += [("  ", ""), *fact]
    return left


def _totals(scene: Scene) -> Line:
    totals = scene.view.totals
    dropped = f"  {totals.discarded:,} dropped" if totals.discarded else ""
    done = f"{totals.finished:,} of {counted(totals.arrived, 'request')} done"
    return [(f"{done}  {counted(totals.kept, 'token')}{dropped}", "dim")]


def _state(scene: Scene, width: int) -> str:
    if scene.fault:
        return "STOPPED"
    calling = f"CALLING {scene.calling_s} s" if scene.calling_s else "CALLING"
    if scene.mode is not Mode.RUNNING:
        return calling if scene.calling else scene.mode.name
    running = f"RUNNING {scene.speed}"
    if not scene.calling_s:
        return running
    return f"{running}, {calling}" if width >= _FULL else calling


def _style(scene: Scene) -> str:
    if scene.fault:
        return "fault"
    return Mode.RUNNING.value if scene.calling else scene.mode.value
