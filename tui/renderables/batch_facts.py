"""What the top line says of a batching run: the workload, the backend, the policy, figures."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.topline import WIDE


def batch_facts(scene: Scene, width: int) -> list[Line]:
    """What is run and on what, the most telling first."""
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
    return [*facts, *_figures(scene)] if width >= WIDE else facts


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
