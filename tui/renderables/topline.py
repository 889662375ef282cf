"""The top line: the units, what is run and on what, and where it stands."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line, ends, width_of
from batchtui.tui.renderables.scene import Head, Mode, Scene
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import clock, counted

_FULL = 60
"""From this width on the clock is shown, and a long call beside the speed."""

_WIDE = 120
"""From this width on figures have their room between the facts."""


def top_line(scene: Scene, width: int) -> list[Line]:
    """One line: units, workload, backend and policy at the left, state and time at the right."""
    chip: Line = [(f" {_state(scene, width)} ", f"chip-{_style(scene)}")]
    left, right = (chip, []) if scene.head is not None else ([], chip)
    if width >= _FULL:
        right = [*right, *_clock(scene, width)]
    room = width - width_of(right)
    return [ends(_left(scene, left, room, width), right, width)]


def _left(scene: Scene, left: Line, room: int, width: int) -> Line:
    """As many of the facts as there is room for, the most telling first."""
    gap = "   " if width >= _WIDE else "  "
    line: Line = [(" ", ""), *([*left, (" ", "")] if left else []), (_unit(scene), "unit")]
    for fact in _facts(scene, width):
        if width_of(line) + width_of(fact) + len(gap) + 1 > room:
            break
        line += [(gap, ""), *fact]
    return line


def _unit(scene: Scene) -> str:
    """The unit that the step keys move stands in brackets."""
    if not scene.started:
        return "[BATCH]"
    of = f" of {scene.head.step}" if scene.head is not None else ""
    return f"[BATCH {scene.view.step}{of}]"


def _facts(scene: Scene, width: int) -> list[Line]:
    title, ascii_only = scene.title, scene.glyphs.ascii
    real = ("REAL", "real") if title.real else ("SIM", "dim")
    backend = plain(title.backend, ascii_only=ascii_only)
    policy = scene.view.policy or title.policy
    facts: list[Line] = [
        [(plain(title.workload, ascii_only=ascii_only), "name")],
        [real, (" ", ""), (backend, "dim")],
        [(plain(policy, ascii_only=ascii_only), "dim")],
        *_rate(scene),
    ]
    return [[("nodes -", "dim")], *facts, *_figures(scene)] if width >= _WIDE else facts


def _rate(scene: Scene) -> list[Line]:
    """While the rows fly by: tokens a second of the run's own clock, on the average so far."""
    view = scene.view
    if scene.mode is not Mode.RUNNING or not view.now:
        return []
    return [[(f"{view.totals.kept * 1_000_000 / view.now:,.0f} tokens/s", "")]]


def _figures(scene: Scene) -> list[Line]:
    view, totals = scene.view, scene.view.totals
    figures = [f"slots {view.num_resident}/{len(view.slots)}"]
    figures += [f"kv {view.kv_used}/{view.kv_total}"] if view.kv_total is not None else []
    figures.append(f"queue {len(view.waiting):,}")
    figures.append(f"{totals.finished:,} of {totals.arrived:,} done")
    return [[(figure, "dim")] for figure in figures]


def _clock(scene: Scene, width: int) -> Line:
    """The time, and in the past that of NOW."""
    now = clock(scene.view.now)
    if scene.head is not None and width >= 72:
        now += f" of {clock(scene.head.now)}"
    if width < _WIDE:
        return [(f"  {now} ", "")]
    paused: Line = [(" PAUSED", "dim")] if scene.mode is Mode.PAST and not scene.calling else []
    return [*paused, (f"   t {now} ", "")]


def _state(scene: Scene, width: int) -> str:
    if scene.fault:
        return "STOPPED"
    calling = f"CALLING {scene.calling_s} s" if scene.calling_s else "CALLING"
    if scene.mode is not Mode.RUNNING:
        return calling if scene.calling and scene.head is None else _still(scene, width)
    running = f"RUNNING {scene.speed}"
    if not scene.calling_s:
        return running
    return f"{running}, {calling}" if width >= _FULL else calling


def _still(scene: Scene, width: int) -> str:
    if scene.head is not None:
        return f"PAST {_back(scene.head)}" if width >= 40 else "PAST"
    return "PAUSED at NOW" if scene.mode is Mode.PAUSED and width >= 72 else scene.mode.name


def _back(head: Head) -> str:
    """How far away NOW is: in steps, or in phases within its step."""
    return f"{head.steps_back:,} back" if head.steps_back else counted(head.turns_back, "phase")


def _style(scene: Scene) -> str:
    if scene.fault:
        return "fault"
    is_calling = scene.calling and scene.head is None
    return Mode.RUNNING.value if is_calling else scene.mode.value
