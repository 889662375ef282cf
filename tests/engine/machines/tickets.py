"""A small pipeline: a ticket passes the quota, which a store knows, and then a model answers it.

Each stage asks its question through ``Work`` and decides on the answer: pass, hold until a time, or
refuse with a reason.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from batchtui.engine.machine import (
    Aborted,
    Event,
    Failure,
    Input,
    Replied,
    Status,
    Submitted,
    Turn,
    Work,
)

STAGES = ("quota", "model")


class Decision(NamedTuple):
    kind: Literal["pass", "hold", "refuse"]
    reason: str
    until: int = 0


class Question(NamedTuple):
    """The spec of a stage's work."""

    stage: str
    ticket: str
    num_tries: int
    asked_at: int


class TicketDecided(Event, frozen=True, kw_only=True):
    """A stage decided on a ticket."""

    ticket: str
    stage: str
    decision: str
    reason: str


@dataclass
class Ticket:
    name: str
    stage: int = 0
    num_tries: int = 0
    held_until: int = 0
    asked: bool = False


@dataclass
class Tickets:
    """Tickets on their way; ``answers`` holds what the model said to those that came through."""

    unit: str = "tickets"
    phases: tuple[str, ...] = ("ask", "decide")
    step: int = 0
    answers: dict[str, str] = field(default_factory=dict)
    tickets: dict[str, Ticket] = field(default_factory=dict)
    open: dict[int, str] = field(default_factory=dict)
    most_open: int = 0
    num_discarded: int = 0
    _phase: int = 0
    _inbox: list[Input] = field(default_factory=list)
    _num_works: int = 0
    _num_events: int = 0

    @property
    def status(self) -> Status:
        if self._inbox or self._phase:
            return "ready"
        is_free = any(not each.asked and not each.held_until for each in self.tickets.values())
        return "ready" if is_free else "waiting" if self.tickets else "done"

    def take(self, input: Input) -> None:
        self._inbox.append(input)

    def wake_at(self) -> int | None:
        held = [each.held_until for each in self.tickets.values() if each.held_until]
        return min(held, default=None)

    def turn(self, now: int) -> Turn:
        turn = Turn(phase=self.phases[self._phase], events=[], start=[], cancel=[])
        inbox, self._inbox = self._inbox, []
        for input in inbox:
            self._heed(input, turn, now)
        if turn.phase == "ask":
            turn.start = [self._ask(each, now) for each in self.tickets.values() if free(each, now)]
            self.most_open = max(self.most_open, len(self.open))
        self._phase = 1 - self._phase
        self.step += self._phase == 0
        return turn

    def _heed(self, input: Input, turn: Turn, now: int) -> None:
        if isinstance(input, Submitted):
            self.tickets[input.body] = Ticket(input.body)
        elif isinstance(input, Aborted) and input.target in self.tickets:
            del self.tickets[input.target]
            turn.cancel += [work for work, name in self.open.items() if name == input.target]
        elif isinstance(input, Replied):
            ticket = self.tickets.get(self.open.pop(input.work, ""))
            if ticket is None or input.late:
                self.num_discarded += 1
            else:
                self._follow(ticket, input.body, turn, now)

    def _ask(self, ticket: Ticket, now: int) -> Work:
        ticket.asked, ticket.held_until, ticket.num_tries = True, 0, ticket.num_tries + 1
        self._num_works += 1
        self.open[self._num_works] = ticket.name
        question = Question(STAGES[ticket.stage], ticket.name, ticket.num_tries, now)
        return Work(id=self._num_works, spec=question)

    def _follow(self, ticket: Ticket, answer: object, turn: Turn, now: int) -> None:
        stage = STAGES[ticket.stage]
        decision = decide_quota(answer) if stage == "quota" else decide_model(answer, ticket, now)
        ticket.asked = False
        if decision.kind == "hold":
            ticket.held_until = decision.until
        elif decision.kind == "pass":
            ticket.stage, ticket.num_tries = ticket.stage + 1, 0
        if ticket.stage == len(STAGES):
            self.answers[ticket.name] = str(answer)
        if decision.kind == "refuse" or ticket.stage == len(STAGES):
            del self.tickets[ticket.name]
        self._num_events += 1
        turn.events.append(
            TicketDecided(
                seq=self._num_events,
                step=self.step,
                phase=turn.phase,
                at=now,
                unit=self.unit,
                ticket=ticket.name,
                stage=stage,
                decision=decision.kind,
                reason=decision.reason,
            )
        )


def free(ticket: Ticket, now: int) -> bool:
    return not ticket.asked and ticket.held_until <= now


def decide_quota(answer: object) -> Decision:
    """``answer`` is the time at which there is quota again, 0 for now; None for never."""
    if not isinstance(answer, int):
        return Decision("refuse", "no quota at all")
    if answer:
        return Decision("hold", f"quota refills at {answer}", answer)
    return Decision("pass", "within quota")


def decide_model(answer: object, ticket: Ticket, now: int) -> Decision:
    if not isinstance(answer, Failure):
        return Decision("pass", "answered")
    if answer.retryable and ticket.num_tries < 3:
        return Decision("hold", f"{answer.kind}: again later", now + 1_000 * ticket.num_tries)
    return Decision("refuse", answer.kind)
