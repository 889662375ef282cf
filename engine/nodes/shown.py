"""What a view holds: plain structs, so that two views are equal when their encoded bytes are.

Nothing here decides anything; ``view.py`` fills it from events, renderables read it.
"""

from __future__ import annotations

import string
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.probe import Reason, Verdict

UNKNOWN, SUSPECT, GOOD, BAD, CONTRADICTED, EXCLUDED, ABANDONED = ".?+#!-x"
"""The letter of a node: nothing is known; it stands in a clause that somebody has to answer for;
good; bad; good, but in a set that failed though each of its members is good; not to be touched,
and nothing known; given up, and nothing known.

What is known of a node beats that it is excluded: it was found out, and stays in the report.
"""

LANES = string.ascii_lowercase.replace(ABANDONED, "") + string.ascii_uppercase
"""The letters of running tests, by lane; beyond the last they begin anew."""


def lane_letter(lane: int) -> str:
    """The letter of a test that runs in a lane."""
    return LANES[lane % len(LANES)]


class ShownTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test that is planned, or runs: ``lane`` is -1 before it has begun."""

    id: int
    nodes: tuple[int, ...]
    round: int
    attempt: int
    why: str
    lane: int = -1
    started_at: int = 0

    @property
    def letter(self) -> str:
        """Its letter on the map, once it runs."""
        return lane_letter(self.lane)


class EndedTest(msgspec.Struct, frozen=True, kw_only=True):
    """A test that has ended, and what followed from it.

    Attributes:
        at, step: when it ended.
        again: whether it is made once more.
        cleared: how many nodes are known to be good by it.
        condemned: the nodes that are known to be bad since.
        contradictions: the failing tests that nobody is left to blame for since.
        why: what it was for.
        counts: whether it was believed at once; the votes of a confirmation are not.
        confirmed, reopened: nodes that were confirmed by it, and those that are open again.
        overruled: the tests that are not believed any more since.
    """

    id: int
    nodes: tuple[int, ...]
    round: int
    attempt: int
    verdict: Verdict
    reason: Reason
    duration_us: int
    busbw_gbs: float | None
    at: int
    step: int
    again: bool
    cleared: int = 0
    condemned: tuple[int, ...] = ()
    contradictions: tuple[int, ...] = ()
    why: str = ""
    counts: bool = True
    confirmed: tuple[int, ...] = ()
    reopened: tuple[int, ...] = ()
    overruled: tuple[int, ...] = ()


class Change(msgspec.Struct, frozen=True, kw_only=True):
    """One line of what a step has decided: a verb, its object, and a reason.

    ``test`` and ``nodes`` are the object, as far as it has any.
    """

    phase: str
    verb: str
    test: int | None = None
    nodes: tuple[int, ...] = ()
    reason: str = ""


class ShownRate(msgspec.Struct, frozen=True, kw_only=True):
    """How likely a node is bad: the mean, the 5th and the 95th percentile, and how many are
    expected to be bad in all."""

    mean: float
    low: float
    high: float
    num_bad: float


class RunTotals(msgspec.Struct, kw_only=True):
    """What has been counted since the search began.

    Attributes:
        planned: different sets; a test that is made again is counted once.
        done: those of them that have ended for good.
        made: tests that have ended, repetitions included.
        repeated: tests that were planned once more.
        passed, failed, inconclusive: of those made.
        refused: sets that broke a rule.
        discarded: replies that nobody waited for.
        contradictions: failing sets that nobody is to blame for, as things stand.
        votes: tests of confirmations that have ended: what they say counts later, if at all.
        confirmations: how often it was begun to confirm what the search came to.
        confirmed: nodes that are confirmed, by the last of these.
        overruled: results that are not believed any more.
        rounds: the highest round in which a test has ended.
        node_us: how long nodes were in tests, all of them together.
    """

    planned: int = 0
    done: int = 0
    made: int = 0
    repeated: int = 0
    passed: int = 0
    failed: int = 0
    inconclusive: int = 0
    refused: int = 0
    discarded: int = 0
    contradictions: int = 0
    votes: int = 0
    confirmations: int = 0
    confirmed: int = 0
    overruled: int = 0
    rounds: int = 0
    node_us: int = 0


def planned_of(event: said.TestPlanned) -> ShownTest:
    """The test that an event plans."""
    return ShownTest(
        id=event.test,
        nodes=event.nodes,
        round=event.round,
        attempt=event.attempt,
        why=event.why,
    )


def ended_of(event: said.TestEnded, test: ShownTest) -> EndedTest:
    """The end of a test that an event says."""
    return EndedTest(
        id=event.test,
        nodes=test.nodes,
        round=test.round,
        attempt=test.attempt,
        verdict=event.verdict,
        reason=event.reason,
        duration_us=event.duration_us,
        busbw_gbs=None if event.busbw_gbs is None else float(event.busbw_gbs),
        at=event.at,
        step=event.step,
        again=event.again,
        why=test.why,
        counts=event.counts,
    )


def rate_of(event: said.RateEstimated) -> ShownRate:
    """The rate that an event says: in figures that are written alike, read again or not."""
    return ShownRate(
        mean=float(event.mean),
        low=float(event.low),
        high=float(event.high),
        num_bad=float(event.num_bad),
    )


def with_consequence(ended: EndedTest, event: Event) -> EndedTest:
    """A test of which an event followed."""
    if isinstance(event, said.NodesCleared):
        return replace(ended, cleared=ended.cleared + len(event.nodes))
    if type(event) not in _CONSEQUENCES:
        return ended
    field, what = _CONSEQUENCES[type(event)]
    more: tuple[int, ...] = (*getattr(ended, field), *what(event))
    return replace(ended, **{field: more})


_CONSEQUENCES: dict[type[Event], tuple[str, Callable[[Any], tuple[int, ...]]]] = {
    said.NodeCondemned: ("condemned", lambda event: (event.node,)),
    said.ContradictionFound: ("contradictions", lambda event: (event.test,)),
    said.NodeConfirmed: ("confirmed", lambda event: (event.node,)),
    said.NodesReopened: ("reopened", lambda event: event.nodes),
    said.ResultsOverruled: ("overruled", lambda event: event.tests),
}
"""What an event adds to which field; it is of the kind it stands under, hence ``Any``."""
