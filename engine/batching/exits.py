"""How requests leave: every end goes through here, once, and frees what the request held."""

from __future__ import annotations

from batchtui.engine.batching.applier import Applier
from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.delivery import Delivery
from batchtui.engine.batching.intake import Intake, Refusal
from batchtui.engine.batching.journal import Journal
from batchtui.engine.batching.request import Request, Result
from batchtui.engine.batching.scheduler import Scheduler
from batchtui.engine.batching.sequence import Sequence, unrun_result
from batchtui.engine.batching.state import RequestState, advance
from batchtui.engine.batching.stops import Verdict

_END_STATES = {
    "stop": RequestState.STOPPED,
    "length": RequestState.LENGTH,
    "abort": RequestState.ABORTED,
    "error": RequestState.FAILED,
}


class Exits:
    """Ends requests wherever they are: in a slot, in the queue, at the door."""

    def __init__(
        self,
        intake: Intake,
        scheduler: Scheduler,
        applier: Applier,
        delivery: Delivery,
        counters: Counters,
        journal: Journal,
    ) -> None:
        self._intake = intake
        self._scheduler = scheduler
        self._applier = applier
        self._delivery = delivery
        self._counters = counters
        self._journal = journal

    def refuse(self, request: Request, refusal: Refusal, now: int) -> None:
        """Turn a request away unrun."""
        self._counters.refused += 1
        self._journal.refused(request, refusal.code, refusal.message)
        verdict = Verdict("error", None, refusal.message)
        self._delivery.end(unrun_result(request, refusal.num_prompt_tokens, now, verdict))

    def abort(self, request_id: str, stop_reason: str | None, now: int) -> None:
        """End a living request, in a slot or in the queue; others of that id are left alone."""
        living = self._intake.living.get(request_id)
        verdict = Verdict("abort", stop_reason)
        if isinstance(living, Sequence):
            self.end_between_calls(living, verdict, now)
        elif living is not None:
            self._scheduler.queue.remove(living)
            del self._intake.living[request_id]
            advance(RequestState.WAITING, RequestState.ABORTED)
            prompt = living.num_prompt_tokens
            self._report(unrun_result(living.request, prompt, now, verdict), 0)

    def end_between_calls(self, row: Sequence, verdict: Verdict, now: int) -> None:
        """End a resident outside a reply: what it held back goes out."""
        self._delivery.flush(row, self._scheduler.batch.state(row).flush)
        self.end(row, verdict, now)

    def end(self, row: Sequence, verdict: Verdict, now: int) -> None:
        """End a resident; its slot and blocks are free."""
        row.status = advance(row.status, _END_STATES[verdict.finish_reason])
        self._scheduler.release(row)
        self._applier.left(row)
        self._counters.kept += len(row.token_ids)
        del self._intake.living[row.request_id]
        if self._delivery.wanted:
            self._report(row.result(now, verdict), row.entry.num_blocks)

    def _report(self, result: Result, num_blocks: int) -> None:
        self._delivery.end(result)
        if self._journal.observed:
            self._journal.finished(result, num_blocks)
