"""What the top line says of a search: what is searched, by which probe, how, and how far it is."""

from __future__ import annotations

from batchtui.tui.renderables.line import Line
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.text import plain


def nodes_facts(scene: NodesScene) -> list[Line]:
    """The facts, the most telling first."""
    view, title, ascii_only = scene.view, scene.title, scene.glyphs.ascii
    strategy = f"{view.strategy}: {view.chosen}" if view.chosen else view.strategy or title.policy
    real = ("REAL", "real") if title.real else ("SIM", "dim")
    return [
        [(plain(title.workload, ascii_only=ascii_only), "name")],
        [real, (" ", ""), (plain(title.backend, ascii_only=ascii_only), "dim")],
        [(plain(strategy, ascii_only=ascii_only), "dim")],
        [(f"bad {view.num_bad:,}", "alarm" if view.num_bad else "dim")],
        [(f"good {view.num_good:,}", "dim")],
        [(f"open {view.num_open:,}", "dim")],
        [(f"{len(view.running):,} of {view.max_parallel:,} lanes", "dim")],
        [(f"{view.totals.done:,} tests", "dim")],
    ]
