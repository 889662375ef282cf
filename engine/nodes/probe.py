"""The probe: what tests a set of nodes, and what it says.

A test of a set passes if every member is good, and fails if any is bad. That is all the search
relies on; how a probe finds out (an all-reduce, a matrix product on each) is its own affair. What
could not be tested is ``inconclusive``: a launcher that is missing, ranks that never came together.
To call that a failure would accuse whoever happened to be in the set.
"""

from __future__ import annotations

from typing import Literal, Protocol, runtime_checkable

import msgspec

Verdict = Literal["pass", "fail", "inconclusive"]

Reason = Literal[
    "", "exit_code", "timeout", "below_floor", "wrong_result", "startup", "raised", "type"
]
"""Why a test did not pass; "" for one that did. The last two are of a probe that is broken."""

MIN_SIZE = 2
"""Nodes of a test: a collective over one node says nothing about what is between nodes."""


class GroupTest(msgspec.Struct, frozen=True, kw_only=True):
    """What a probe is asked: the ``spec`` of a ``Work``.

    Attributes:
        id: of the test; a repeated one has the same, and another ``attempt``, from 1.
        nodes: indices into the inventory.
        names: of the same nodes.
        timeout_us: after which whoever performs it gives it up.
    """

    id: int
    nodes: tuple[int, ...]
    names: tuple[str, ...]
    attempt: int = 1
    timeout_us: int | None = None


class ProbeResult(msgspec.Struct, frozen=True, kw_only=True, tag=True, omit_defaults=True):
    """What came of a test.

    Attributes:
        verdict: whether it passed, failed, or could not be made.
        reason: why not.
        seconds: how long it took, startup included.
        busbw_gbs: the bus bandwidth that was measured, in 10^9 bytes a second.
        exit_codes: of the ranks, where there are processes.
        log: where more is to be read.
    """

    verdict: Verdict
    reason: Reason = ""
    seconds: float = 0.0
    busbw_gbs: float | None = None
    exit_codes: tuple[int, ...] = ()
    log: str = ""


@runtime_checkable
class Probe(Protocol):
    """Tests sets of nodes. ``test`` may take real time, and is called from several threads at once
    for disjoint sets."""

    @property
    def name(self) -> str:
        """What it is called on the screen and in reports."""

    @property
    def real(self) -> bool:
        """Whether it touches real hosts and takes real time. One that does not says in
        ``seconds`` how long it would have taken."""

    def test(self, test: GroupTest) -> ProbeResult:
        """Test a set once."""
