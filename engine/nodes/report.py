"""What a search has come to, ready to be printed or handed on."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import NamedTuple

from batchtui.engine.nodes.bounds import least_rounds, least_tests
from batchtui.engine.nodes.events import Ended
from batchtui.engine.nodes.ledger import BAD, GOOD, Ledger
from batchtui.engine.nodes.state import SearchState


class Findings(NamedTuple):
    """What is known of every node: indices into the inventory.

    ``undetermined`` are those neither proven good nor bad that may be tested; ``clauses`` say of
    which at least one is bad; ``contradictions`` are the failing sets whose members all passed
    elsewhere. ``at_most_one_good`` is all that can ever be known where every pair has failed.
    While nobody is known to be good, ``pairs_left`` says how many pairs that still takes, and
    ``pairs_tried`` how many have failed: none, where no pair was tested by itself.
    """

    good: list[int]
    bad: list[int]
    undetermined: list[int]
    clauses: list[list[int]]
    contradictions: list[list[int]]
    at_most_one_good: bool
    pairs_left: int | None
    pairs_tried: int | None


class Bounds(NamedTuple):
    """The tests and rounds below which no search stays for every choice of so many bad nodes; a
    lucky run may. None where nobody can say: not everybody was told."""

    tests: int | None
    rounds: int | None


class Report(NamedTuple):
    """Findings, and what they have cost. ``ended`` is None while the search goes on; the bounds are
    as in ``Bounds``."""

    findings: Findings
    tests: int
    rounds: int
    node_seconds: float
    makespan_s: float
    bound_tests: int | None
    bound_rounds: int | None
    ended: Ended | None


def findings_of(ledger: Ledger, excluded: Collection[int] = frozenset()) -> Findings:
    """What a ledger says."""
    excluded = frozenset(excluded)
    unknown = [
        node
        for node, status in enumerate(ledger.status)
        if status not in (GOOD, BAD) and node not in excluded
    ]
    pairs_left = pairs_tried = None
    if not ledger.num_good and unknown:
        count = len(unknown)
        pairs_tried = ledger.failed_pairs(unknown)
        pairs_left = math.comb(count, 2) - pairs_tried
    return Findings(
        ledger.nodes_of(GOOD),
        ledger.nodes_of(BAD),
        unknown,
        [list(clause) for clause in ledger.unanswered()],
        [sorted(ledger.tests[test]) for test in ledger.contradictions],
        pairs_left == 0 and len(unknown) > 1,
        pairs_left,
        pairs_tried,
    )


def bounds_of(findings: Findings) -> Bounds:
    """What it takes to find that out, of those who were told: all of them, or, where every pair has
    failed, that at most one is good."""
    if findings.undetermined and findings.pairs_left != 0:
        return Bounds(None, None)
    num_bad = len(findings.bad) + len(findings.undetermined)
    count = len(findings.good) + num_bad
    return Bounds(least_tests(count, num_bad), least_rounds(count, num_bad))


def report_of(state: SearchState) -> Report:
    """What a search has come to so far."""
    board = state.board
    findings = findings_of(board.ledger, board.excluded)
    return Report(
        findings,
        state.num_tests,
        board.rounds,
        state.node_us / 1e6,
        state.now / 1e6,
        *bounds_of(findings),
        state.ended,
    )
