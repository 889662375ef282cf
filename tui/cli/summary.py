"""What a recording came to, in the words of its system: a ``Summary`` for each."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batchtui.plugins.recordings.batching.system import BatchRecording
    from batchtui.plugins.recordings.nodes.system import NodesRecording
    from batchtui.plugins.recordings.recording import AnyRecording


@dataclass(frozen=True)
class Summary:
    """What is told of a system's recordings.

    Attributes:
        lines: for a person.
        document: the same as JSON.
        counted: what its run was about, and how many of them there were.
    """

    lines: Callable[[AnyRecording], Iterator[str]]
    document: Callable[[AnyRecording], dict[str, object]]
    counted: Callable[[AnyRecording], tuple[str, int]]


def _lines_of_batching(opened: BatchRecording) -> Iterator[str]:
    view, header = opened.timeline.view, opened.header
    totals = view.totals
    reasons = ", ".join(f"{count:,} {reason}" for reason, count in sorted(totals.reasons.items()))
    num_living = len(view.waiting) + view.num_resident
    living = f", {num_living:,} not ended" if num_living else ""
    kind = "REAL" if header.real else "SIM"
    yield f"workload   {header.workload} on {header.backend} ({kind}), policy {header.policy}"
    if header.command:
        yield f"asked by   {header.command}"
    yield f"requests   {totals.arrived:,} ({reasons or 'none ended'}{living})"
    yield (
        f"tokens     {totals.returned:,} returned, {totals.kept:,} kept, "
        f"{totals.discarded:,} discarded"
    )
    yield (
        f"steps      {opened.timeline.step + 1:,} in {view.now / 1e6:,.3f} s, "
        f"{opened.timeline.num_turns:,} turns, {totals.calls:,} calls"
    )
    yield (
        f"faults     {totals.refused:,} refused, {totals.failed_calls:,} calls failed, "
        f"{totals.dropped_rows:,} rows discarded"
    )
    if header.texts != "full":
        yield f"texts      {header.texts}: it can be looked at, not run again"


def _document_of_batching(opened: BatchRecording) -> dict[str, object]:
    view, header = opened.timeline.view, opened.header
    return {
        "workload": header.workload,
        "command": header.command,
        "backend": header.backend,
        "policy": header.policy,
        "texts": header.texts,
        "turns": opened.timeline.num_turns,
        "steps": opened.timeline.step + 1,
        "time_s": view.now / 1e6,
        "totals": view.totals,
        "torn": opened.torn or None,
    }


def _counted_of_batching(opened: BatchRecording) -> tuple[str, int]:
    return "requests", opened.timeline.view.totals.arrived


def _lines_of_nodes(opened: NodesRecording) -> Iterator[str]:
    view, header = opened.timeline.view, opened.header
    totals, kind = view.totals, "REAL" if header.real else "SIM"
    yield f"workload   {header.workload} by {header.backend} ({kind}), strategy {view.strategy}"
    if header.command:
        yield f"asked by   {header.command}"
    yield (
        f"nodes      {view.num_nodes:,} ({view.num_bad:,} bad, {view.num_good:,} good, "
        f"{view.num_open:,} undetermined, {view.num_excluded:,} excluded)"
    )
    yield (
        f"tests      {totals.done:,} of {totals.planned:,} planned in {totals.rounds:,} rounds "
        f"({totals.passed:,} passed, {totals.failed:,} failed, "
        f"{totals.inconclusive:,} inconclusive, {totals.repeated:,} made again)"
    )
    yield (
        f"steps      {opened.timeline.step + 1:,} in {view.now / 1e6:,.3f} s, "
        f"{opened.timeline.num_turns:,} turns, {totals.node_us / 1e6:,.0f} node-seconds"
    )
    yield (
        f"faults     {totals.contradictions:,} contradictions, {totals.refused:,} sets refused, "
        f"{totals.discarded:,} replies discarded"
    )


def _document_of_nodes(opened: NodesRecording) -> dict[str, object]:
    view, header = opened.timeline.view, opened.header
    return {
        "workload": header.workload,
        "command": header.command,
        "probe": header.backend,
        "strategy": view.strategy,
        "turns": opened.timeline.num_turns,
        "steps": opened.timeline.step + 1,
        "time_s": view.now / 1e6,
        "nodes": view.num_nodes,
        "bad": view.num_bad,
        "good": view.num_good,
        "undetermined": view.num_open,
        "excluded": view.num_excluded,
        "ended": view.over,
        "totals": view.totals,
        "torn": opened.torn or None,
    }


def _counted_of_nodes(opened: NodesRecording) -> tuple[str, int]:
    return "tests", opened.timeline.view.totals.done


SUMMARIES = {
    "batching": Summary(_lines_of_batching, _document_of_batching, _counted_of_batching),
    "nodes": Summary(_lines_of_nodes, _document_of_nodes, _counted_of_nodes),
}
"""By the names of the systems; there is one for each that recordings know."""
