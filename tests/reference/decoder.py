"""A batching decoder that is slow and plain, to compare the real one with.

It takes a *case* as its JSON says it and works everything out from the rules: the queue by sorting,
the blocks by adding up, the text as ``row.py`` does. It imports nothing of batchtui, so that no
mistake is made twice.
"""

from __future__ import annotations

from collections import deque

from tests.reference.row import Case, Row, num_prompt_tokens


class ReferenceDecoder:
    """Runs a case; ``rows`` and the totals say what came of it."""

    def __init__(self, case: Case, *, max_retries: int = 1) -> None:
        self.case = case
        self.max_retries = max_retries
        kv = case.get("kv") or {}
        self.block_size, self.num_blocks = kv.get("block_size", 16), kv.get("num_gpu_blocks")
        self.rows = [
            Row(said, index, num_prompt_tokens(said)) for index, said in enumerate(case["requests"])
        ]
        self.slots: list[Row | None] = [None] * case.get("slots", 16)
        self.generations = [0] * len(self.slots)
        self.faults = [dict(fault) for fault in case.get("faults", [])]
        self.aborts_due = {row.index for row in self.rows if row.said.get("abort_in_call")}
        self.waiting: list[Row] = []
        self.admission_order: list[str] = []
        self.refused = self.stale_discarded = self.model_retried = self.max_resident = 0
        self.num_calls = 0

    @property
    def residents(self) -> list[Row]:
        return [row for row in self.slots if row is not None]

    def run(self) -> ReferenceDecoder:
        for step in range(self.num_steps()):
            self.arrive(step)
            self.admit()
            if self.residents:
                self.decode()
        while self.residents or self.waiting:
            self.admit()
            self.decode()
        return self

    def num_steps(self) -> int:
        asked = [
            row.said.get(name) for row in self.rows for name in ("arrive_at_step", "abort_at_step")
        ]
        return 1 + max(step or 0 for step in asked)

    def arrive(self, step: int) -> None:
        for row in self.rows:
            if row.said.get("arrive_at_step", 0) == step:
                self.submit(row, step)
        for row in self.rows:
            if row.said.get("abort_at_step") == step:
                self.abort(row.request_id)

    def submit(self, row: Row, step: int) -> None:
        row.arrived, row.limit = step, row.said.get("max_tokens", 16)
        if self.num_blocks is not None:
            row.limit = min(row.limit, self.num_blocks * self.block_size - row.prompt_tokens)
        row.blocks = -(-(row.prompt_tokens + row.limit) // self.block_size)
        living = {other.request_id for other in self.residents + self.waiting}
        if row.request_id in living or row.limit < 1:
            self.refused += 1
            row.finish_reason = "error"
        else:
            self.waiting.append(row)

    def abort(self, request_id: str) -> None:
        for row in [*self.waiting, *self.residents]:
            if row.request_id == request_id:
                self.leave(row, "abort")

    def leave(self, row: Row, reason: str | None = None) -> None:
        if reason is not None:
            row.end(reason)
        if row in self.waiting:
            self.waiting.remove(row)
        else:
            assert row.slot is not None
            self.slots[row.slot] = None

    def admit(self) -> None:
        by_priority = self.case.get("policy") == "priority"
        self.waiting.sort(
            key=lambda row: (row.said.get("priority", 0) * by_priority, row.arrived, row.index)
        )
        while self.waiting and None in self.slots:
            used = sum(row.blocks for row in self.residents)
            if self.num_blocks is not None and used + self.waiting[0].blocks > self.num_blocks:
                break
            row = self.waiting.pop(0)
            row.slot = self.slots.index(None)
            self.generations[row.slot] += 1
            row.generation = self.generations[row.slot]
            self.slots[row.slot] = row
            self.admission_order.append(row.request_id)
        self.max_resident = max(self.max_resident, len(self.residents))

    def decode(self) -> None:
        """One step's calls: the whole, and what a failure makes of it."""
        groups, is_first = deque([self.residents]), True
        while groups:
            group = [row for row in groups.popleft() if row.finish_reason is None]
            if group:
                self.model_retried += not is_first
                is_first = False
                groups.extendleft(reversed(self.call(group)))

    def call(self, group: list[Row]) -> list[list[Row]]:
        """Call for a group; returns the groups in which it must be called again."""
        self.num_calls += 1
        for row in group:
            if row.index in self.aborts_due and row.said["abort_in_call"] == row.num_answered + 1:
                self.aborts_due.remove(row.index)
                self.leave(row, "abort")
        kind = self.fault(group)
        living = [row for row in group if row.finish_reason is None]
        self.stale_discarded += len(group) * (kind in ("late", "duplicate"))
        if kind in ("raise", "late", "short"):
            return self.failed(living, is_alone=len(group) == 1)
        self.stale_discarded += len(group) - len(living)
        for row in living:
            row.take([] if kind == "empty" else row.answer())
            row.num_answered += kind != "empty"
            row.num_failures = 0
            if row.finish_reason is not None:
                self.leave(row)
        return []

    def failed(self, living: list[Row], *, is_alone: bool) -> list[list[Row]]:
        for row in living:
            row.num_failures += 1
        if not living:
            return []
        may_repeat = all(row.num_failures <= self.max_retries for row in living)
        if not may_repeat and is_alone:
            self.leave(living[0], "error")
            return []
        for row in living:
            row.retries += 1
        middle = len(living) // 2
        if may_repeat or not middle:
            return [living]
        return [living[:middle], living[middle:]]

    def fault(self, group: list[Row]) -> str:
        ids = [row.request_id for row in group]
        for fault in self.faults:
            first = fault.get("call", self.num_calls + 1)
            is_due = first == self.num_calls or (fault.get("always") and first < self.num_calls)
            if is_due or fault.get("request_id") in ids:
                if not fault.get("always"):
                    self.faults.remove(fault)
                return str(fault["kind"])
        return ""
