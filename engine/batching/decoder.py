"""The batching machine: continuous batching in four phases.

``admit`` takes what has arrived and refills every free slot; ``call`` sends the rows to the model;
``apply`` takes the reply in; ``deliver`` hands out deltas and results. A step is one round; a call
that fails goes back from ``apply`` to ``call`` within the step.

Invariants: a slot has at most one resident; a reply is applied only to rows that still match by
slot, generation and id; every token returned is delivered, held or discarded; every request
submitted ends exactly once. The cost of a step does not depend on how many wait or have ended.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress, repeat

from msgspec.structs import replace

from batchtui.engine.batching.applier import Applier
from batchtui.engine.batching.batch import Snapshot
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.counters import Counters
from batchtui.engine.batching.delivery import Delivery, Listener
from batchtui.engine.batching.exits import Exits
from batchtui.engine.batching.intake import Intake, Refusal
from batchtui.engine.batching.journal import Journal
from batchtui.engine.batching.options import Options
from batchtui.engine.batching.policies import Policy, known_policy, known_with, name_of
from batchtui.engine.batching.replies import (
    logprobs_by_key,
    num_tokens,
    one_token_each,
    tokens_in_order,
)
from batchtui.engine.batching.request import Request, TokenLogprob
from batchtui.engine.batching.retries import Attempts
from batchtui.engine.batching.scheduler import Scheduler
from batchtui.engine.batching.sequence import Sequence
from batchtui.engine.batching.stops import Automata, Verdict
from batchtui.engine.errors import InvariantError
from batchtui.engine.machine import (
    Aborted,
    Configured,
    Failure,
    Injected,
    Input,
    Replied,
    Status,
    Submitted,
    Turn,
    Woken,
    Work,
)
from batchtui.engine.model import Call, Key, Reply, Vocabulary

PHASES = ("admit", "call", "apply", "deliver")


class Decoder:
    """A dynamic batching decoder over a black-box model.

    Args:
        config: slots, KV blocks, limits.
        vocabulary: how prompts become tokens and tokens bytes.
        policy: the order of the queue.
        policies: makes the policy of a name, for who changes the order while it runs.
        listener: is given each text delta and each result in the deliver phase.
        observed: whether events are made. With neither events nor a listener nobody can see a text,
            so requests without stop strings are not decoded to text at all.
        unit: the name that its events carry.
    """

    phases = PHASES

    def __init__(
        self,
        config: BatchingConfig,
        vocabulary: Vocabulary,
        policy: Policy,
        *,
        policies: Callable[[str], Policy] = known_policy,
        listener: Listener | None = None,
        observed: bool = True,
        unit: str = "batch",
    ) -> None:
        self.config = config
        self.unit = unit
        self.step = 0
        self.counters = Counters()
        self._policies, self._policy = known_with(policy, policies), name_of(policy)
        mute = listener is None and not observed
        self.scheduler = Scheduler(config, policy, Automata(vocabulary, mute=mute))
        self.intake = Intake(config, vocabulary)
        self.delivery = Delivery(listener, observed=observed)
        self._journal = Journal(unit, observed=observed)
        self._applier = Applier(config, self.scheduler.batch)
        self._exits = Exits(
            self.intake, self.scheduler, self._applier, self.delivery, self.counters, self._journal
        )
        self._attempts = Attempts(config.max_retries)
        self._inbox: list[Input] = []
        self._phase = "admit"
        self._turns = {
            "admit": self._admit,
            "call": self._call,
            "apply": self._apply,
            "deliver": self._deliver,
        }
        self._now = self._attempt = 0
        self._start: list[Work] = []
        self._open: Work | None = None
        self._reply: Replied[Reply | Failure] | None = None
        # The rows of the open call, and the batch's version then; None where only some were called.
        self._who = Snapshot.of([])
        self._version: int | None = None

    # What a machine is.

    @property
    def status(self) -> Status:
        """Ready, waiting for the model, or done with all that was submitted."""
        if self._open is not None:
            return "waiting" if self._reply is None else "ready"
        if self._inbox or self._phase != "admit" or self.scheduler.num_resident:
            return "ready"
        return "ready" if len(self.scheduler.queue) else "done"

    def take(self, input: Input) -> None:
        """Enqueue an input. Never decides."""
        if (
            isinstance(input, Replied)
            and self._open is not None
            and self._reply is None
            and input.work == self._open.id
            and input.final
            and not input.late
        ):
            self._reply = input
        else:
            self._inbox.append(input)

    def turn(self, now: int) -> Turn:
        """Do one phase, after whatever has come in."""
        self._now, self._start, phase = now, [], self._phase
        self._journal.open(self.step, phase, now)
        if self._inbox:
            self._drain()
        if self.intake.deadlines:
            for request_id in self.intake.expired(now):
                self._exits.abort(request_id, "deadline", now)
        self._turns[phase]()
        return Turn(phase=phase, events=self._journal.events, start=self._start, cancel=[])

    def wake_at(self) -> int | None:
        """The nearest deadline; nothing can be done about it while a call is out."""
        return None if self._open is not None else self.intake.next_deadline()

    # What has come in.

    def _drain(self) -> None:
        inbox, self._inbox = self._inbox, []
        for input in inbox:
            if isinstance(input, Submitted):
                self._submit(input.body)
            elif isinstance(input, Aborted):
                self._exits.abort(input.target, None, self._now)
            elif isinstance(input, Replied):
                if isinstance(input.body, Reply):
                    self._discard(input.work, "late", input.body)
            elif isinstance(input, Configured):
                self._configure(input.body)
            elif isinstance(input, Injected):
                self._journal.fault_injected(input.body)
            elif not isinstance(input, Woken):
                raise InvariantError(f"a decoder does not take {type(input).__name__}")

    def _submit(self, request: Request) -> None:
        entry = self.intake.accept(request)
        if isinstance(entry, Refusal):
            self._exits.refuse(request, entry, self._now)
            return
        self.scheduler.queue.push(entry)
        if self._journal.observed:
            self._journal.queued(entry)

    def _configure(self, options: Options) -> None:
        """Change the number of slots or the order of the queue; what stays the same is not said."""
        before = self.config.max_num_seqs, self._policy
        num_slots = before[0] if options.max_num_seqs is None else options.max_num_seqs
        name = self._policy if options.policy is None else options.policy
        if (num_slots, name) == before:
            return
        if name != self._policy:
            self.scheduler.queue.order_by(self._policies(name))
        self.scheduler.resize(num_slots)
        self.config = replace(self.config, max_num_seqs=num_slots)
        self._policy = name
        self._journal.options_changed(num_slots, name, self.scheduler.retiring)

    def _discard(self, work: int, reason: str, reply: Reply) -> None:
        """Count rows that came back for nobody."""
        count = num_tokens(reply)
        self.counters.stale_rows += len(reply.keys)
        self.counters.returned += count
        self.counters.discarded += count
        self._journal.discarded(work, reason, reply)

    # The four phases.

    def _admit(self) -> None:
        for row in self.scheduler.refill(self._now):
            self.intake.living[row.request_id] = row
            self._applier.joined(row)
            self.counters.admitted += 1
            if self._journal.observed:
                self._journal.admitted(row)
        if self._journal.observed:
            self._journal.blocked(self.scheduler.blockage())
        self._attempt = 0
        if self.scheduler.num_resident:
            self.counters.steps += 1
            self._phase = "call"
        elif self.delivery:
            self._phase = "deliver"

    def _call(self) -> None:
        if self._attempts:
            self._who, self._version = self._next_group(), None
        else:
            batch = self.scheduler.batch
            self._who, self._version = batch.snapshot(), batch.version
        if self._who.rows:
            self._start_call()
        else:
            self._phase = "deliver"

    def _next_group(self) -> Snapshot:
        """The next group of which somebody is left: no two turns in a row are a call's."""
        rows: list[Sequence] = []
        while self._attempts and not rows:
            group = self._attempts.next_group()
            rows = [row for row in group if self.scheduler.is_resident(row)]
        return Snapshot.of(rows)

    def _start_call(self) -> None:
        self.counters.calls += 1
        self.counters.retried += self._attempt > 0
        self._attempt += 1
        call = Call(rows=self._who.rows, keys=self._who.keys)
        timeout_us = self.config.call_timeout_us
        self._open = Work(id=self.counters.calls, spec=call, timeout_us=timeout_us)
        self._start.append(self._open)
        self._phase = "apply"
        if self._journal.observed:
            fresh = self._applier.prefilling(self._who.rows)
            self._journal.called(self._open.id, self._who, fresh, self._attempt)

    def _apply(self) -> None:
        work, replied = self._open, self._reply
        assert work is not None and replied is not None
        self._open = self._reply = None
        tokens = tokens_in_order(replied.body, self._who.keys)
        if isinstance(tokens, Failure):
            refused = num_tokens(replied.body)
            self.counters.returned += refused
            self.counters.discarded += refused
            self._fail(work.id, tokens, refused)
        else:
            self._absorb(work.id, self._who, tokens, logprobs_by_key(replied.body))
        self._phase = "call" if self._attempts else "deliver"

    def _fail(self, work: int, failure: Failure, num_refused: int) -> None:
        rows = [row for row in self._who.rows if self.scheduler.is_resident(row)]
        if not rows:
            self._journal.failed(work, failure, "drop", rows, num_refused)
            return
        action = self._attempts.failed(
            rows, num_called=len(self._who.rows), retryable=failure.retryable
        )
        self._journal.failed(work, failure, action, rows, num_refused)
        if action == "condemn":
            reason = f"the model call failed ({failure.kind}): {failure.detail}".removesuffix(": ")
            self._exits.end_between_calls(rows[0], Verdict("error", None, reason), self._now)

    def _absorb(
        self,
        work: int,
        who: Snapshot,
        tokens: list[list[int]],
        logprobs: dict[Key, list[TokenLogprob]],
    ) -> None:
        """Apply a reply of the right shape to the rows that are still here."""
        whole = self._version == self.scheduler.batch.version
        flat = one_token_each(tokens) if whole else None
        if flat is not None:
            applied = self._applier.apply_columns(flat, self._now)
        else:
            who, tokens = self._still_resident(work, who, tokens)
            applied = self._applier.apply_rows(who.rows, tokens, self._now)
        if logprobs:
            for row, count in zip(who.rows, applied.counts or repeat(1), strict=False):
                row.keep_logprobs(logprobs.get(row.key, []), count)
        self.counters.returned += len(applied.tokens) + applied.surplus
        self.counters.discarded += applied.surplus
        if self._attempt > 1:
            self._attempts.succeeded(who.rows)
        self.delivery.text(who, applied.texts)
        if self._journal.observed and who.rows:
            self._journal.applied(work, who.slots, applied)
        for row, verdict in applied.endings.items():
            self._exits.end(row, verdict, self._now)

    def _still_resident(
        self, work: int, who: Snapshot, tokens: list[list[int]]
    ) -> tuple[Snapshot, list[list[int]]]:
        """Drop the rows whose request has left its slot since the call began."""
        here = [self.scheduler.is_resident(row) for row in who.rows]
        if all(here):
            return who, tokens
        gone = [not is_here for is_here in here]
        lost = Reply(list(compress(who.keys, gone)), list(compress(tokens, gone)))
        self._discard(work, "stale", lost)
        return Snapshot.of(list(compress(who.rows, here))), list(compress(tokens, here))

    def _deliver(self) -> None:
        if self.delivery:
            self._journal.delivered(self.delivery.hand_out())
        self.step += 1
        self._phase = "admit"
