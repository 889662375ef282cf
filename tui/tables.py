"""The rows of a panel as plain cells, to be taken away: figures as they are, texts in full."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.engine.batching.view import BatchView

Table = list[list[str]]


def table_of(view: BatchView, panel: str, request_ids: Sequence[str]) -> Table:
    """The table of a panel, heads first; ``request_ids`` are its rows in their order."""
    if panel == "queue":
        return _queue(view, request_ids)
    if panel == "ended":
        return _ended(view, request_ids)
    return _slots(view)


def _slots(view: BatchView) -> Table:
    heads = ["slot", "state", "generation", "request_id", "tokens", "limit", "blocks", "text"]
    return [
        heads,
        *(
            [
                str(slot.index),
                slot.state,
                str(slot.generation),
                slot.request_id,
                str(slot.num_tokens),
                str(slot.limit),
                str(slot.blocks),
                slot.text,
            ]
            for slot in view.slots
        ),
    ]


def _queue(view: BatchView, request_ids: Sequence[str]) -> Table:
    heads = ["request_id", "tenant", "priority", "arrival_s", "waited_s", "prompt_tokens"]
    table = [[*heads, "limit", "blocks"]]
    for waiting in (view.waiting[each] for each in request_ids if each in view.waiting):
        arrival, waited = waiting.arrival_us / 1e6, (view.now - waiting.arrival_us) / 1e6
        times = [f"{arrival:.6f}", f"{waited:.6f}"]
        sizes = [str(waiting.num_prompt_tokens), str(waiting.limit), str(waiting.blocks)]
        name = [waiting.request_id, waiting.tenant, str(waiting.priority)]
        table.append([*name, *times, *sizes])
    return table


def _ended(view: BatchView, request_ids: Sequence[str]) -> Table:
    heads = ["request_id", "step", "slot", "output_tokens", "e2e_s", "finish_reason", "stop_reason"]
    endings = {ending.request_id: ending for ending in view.ended}
    table = [[*heads, "error"]]
    for ending in (endings[each] for each in request_ids if each in endings):
        slot = "" if ending.slot is None else str(ending.slot)
        took = f"{(ending.at - ending.arrival_us) / 1e6:.6f}"
        reason = "" if ending.stop_reason is None else str(ending.stop_reason)
        figures = [str(ending.step), slot, str(ending.output_tokens), took]
        row = [ending.request_id, *figures, ending.finish_reason, reason, ending.error or ""]
        table.append(row)
    return table
