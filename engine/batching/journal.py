"""What a decoder says of itself: each decision becomes an event with its number, step, phase and
time.

Nothing is written when nobody reads (``observed`` False). Columns are shared, not copied: whoever
gives a list here never changes it again. The five fields that every event has are spelled out each
time: handed on through ``**`` they would make an event three times as dear.
"""

from __future__ import annotations

from batchtui.engine.batching import events as said
from batchtui.engine.batching.applier import Applied
from batchtui.engine.batching.batch import Snapshot
from batchtui.engine.batching.delivery import Delivered
from batchtui.engine.batching.request import Request, Result
from batchtui.engine.batching.scheduler import Blockage
from batchtui.engine.batching.sequence import Entry, Sequence
from batchtui.engine.machine import Event, Failure
from batchtui.engine.model import Reply


class Journal:
    """The events of the turn at hand."""

    def __init__(self, unit: str, *, observed: bool) -> None:
        self.observed = observed
        self.unit = unit
        self.events: list[Event] = []
        self._seq = 1
        self._step = self._now = 0
        self._phase = ""
        self._blockage: Blockage | None = None

    def open(self, step: int, phase: str, now: int) -> None:
        """Begin a turn."""
        self.events = []
        self._step, self._phase, self._now = step, phase, now

    def _add(self, event: Event) -> None:
        if self.observed:
            self._seq += 1
            self.events.append(event)

    def queued(self, entry: Entry) -> None:
        """A request waits."""
        self._add(
            said.RequestQueued(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                request_id=entry.request.request_id,
                index=entry.index,
                prompt_tokens=entry.num_prompt_tokens,
                limit=entry.limit,
                blocks=entry.num_blocks,
                arrival_us=entry.arrival_us,
                priority=entry.priority,
                tenant=entry.tenant,
            )
        )

    def refused(self, request: Request, code: str, message: str) -> None:
        """A request was turned away unrun."""
        self._add(
            said.RequestRefused(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                request_id=request.request_id,
                index=request.index,
                code=code,
                message=message,
            )
        )

    def blocked(self, blockage: Blockage | None) -> None:
        """The head of the queue does not run; said only when the reason changes."""
        if blockage is not None and blockage != self._blockage:
            self._add(
                said.RequestBlocked(
                    seq=self._seq,
                    step=self._step,
                    phase=self._phase,
                    at=self._now,
                    unit=self.unit,
                    request_id=blockage.request_id,
                    index=blockage.index,
                    rule=blockage.rule,
                    blocker=blockage.blocker,
                    needed=blockage.needed,
                    available=blockage.available,
                )
            )
        self._blockage = blockage

    def admitted(self, row: Sequence) -> None:
        """A request got a slot."""
        self._add(
            said.RequestAdmitted(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                request_id=row.request_id,
                index=row.index,
                slot=row.slot,
                generation=row.generation,
                blocks=row.entry.num_blocks,
                waited_us=self._now - row.entry.arrival_us,
            )
        )

    def called(self, work: int, who: Snapshot, fresh: list[Sequence], attempt: int) -> None:
        """A model call began; ``fresh`` are the rows whose prompts it reads."""
        self._add(
            said.CallStarted(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                work=work,
                slots=who.slots,
                attempt=attempt,
                num_prefills=len(fresh),
                prefill_tokens=sum(row.num_prompt_tokens for row in fresh),
            )
        )

    def applied(self, work: int, slots: list[int], applied: Applied) -> None:
        """A reply was applied."""
        self._add(
            said.TokensApplied(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                work=work,
                slots=slots,
                counts=applied.counts,
                tokens=applied.tokens,
                held=applied.held,
                surplus=applied.surplus,
            )
        )

    def failed(
        self, work: int, failure: Failure, action: str, rows: list[Sequence], num_tokens: int
    ) -> None:
        """A call failed; so many tokens of its reply are refused."""
        self._add(
            said.CallFailed(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                work=work,
                fault=failure.kind,
                detail=failure.detail,
                action=action,
                slots=[row.slot for row in rows],
                num_tokens=num_tokens,
            )
        )

    def discarded(self, work: int, reason: str, reply: Reply) -> None:
        """Rows came back for nobody."""
        self._add(
            said.RowsDiscarded(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                work=work,
                reason=reason,
                slots=[slot for slot, _, _ in reply.keys],
                generations=[generation for _, generation, _ in reply.keys],
                request_ids=[request_id for _, _, request_id in reply.keys],
                num_tokens=[len(new) for new in reply.tokens],
            )
        )

    def finished(self, result: Result, num_blocks: int) -> None:
        """A request ended, and ``num_blocks`` are free again."""
        self._add(
            said.RequestFinished(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                request_id=result.request_id,
                index=result.index,
                slot=result.slot,
                generation=result.generation,
                finish_reason=result.finish_reason,
                stop_reason=result.stop_reason,
                error=result.error,
                output_tokens=result.output_tokens,
                blocks=num_blocks,
                arrival_us=result.arrival_us,
            )
        )

    def options_changed(self, max_num_seqs: int, policy: str, retiring: list[int]) -> None:
        """The slots are more or fewer, or the queue has another order."""
        self._add(
            said.OptionsChanged(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                max_num_seqs=max_num_seqs,
                policy=policy,
                retiring=retiring,
            )
        )

    def fault_injected(self, kind: str) -> None:
        """Somebody breaks a call on purpose."""
        self._add(
            said.FaultInjected(
                seq=self._seq,
                step=self._step,
                phase=self._phase,
                at=self._now,
                unit=self.unit,
                kind=kind,
            )
        )

    def delivered(self, out: Delivered) -> None:
        """Output was handed over."""
        if out.texts:
            self._add(
                said.TextDelivered(
                    seq=self._seq,
                    step=self._step,
                    phase=self._phase,
                    at=self._now,
                    unit=self.unit,
                    keys=out.keys,
                    texts=out.texts,
                )
            )
        if out.results:
            ids = [result.request_id for result in out.results]
            self._add(
                said.ResultsDelivered(
                    seq=self._seq,
                    step=self._step,
                    phase=self._phase,
                    at=self._now,
                    unit=self.unit,
                    request_ids=ids,
                )
            )
        for request_id, error in out.failures:
            self._add(
                said.ListenerFailed(
                    seq=self._seq,
                    step=self._step,
                    phase=self._phase,
                    at=self._now,
                    unit=self.unit,
                    request_id=request_id,
                    error=error,
                )
            )
