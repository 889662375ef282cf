"""What a search has come to, ready to be printed or handed on."""

from __future__ import annotations

from typing import NamedTuple

from batchtui.engine.nodes.bounds import least_rounds, least_tests
from batchtui.engine.nodes.events import Ended
from batchtui.engine.nodes.ledger import BAD, GOOD, Ledger
from batchtui.engine.nodes.state import SearchState


class Findings(NamedTuple):
    """What is known of every node: indices into the inventory.

    ``undetermined`` are those neither proven good nor bad that may be tested; ``clauses`` say of
    which at least one is bad; ``contradictions`` are the failing sets whose members all passed
    elsewhere. ``at_most_one_good`` is all that can ever be known where every pair has failed;
    ``pairs_left`` says how many pairs that still takes, while nobody is known to be good.
    """

    good: list[int]
    bad: list[int]
    undetermined: list[int]
    clauses: list[list[int]]
    contradictions: list[list[int]]
    at_most_one_good: bool
    pairs_left: int | None


class Report(NamedTuple):
    """Findings, and what they have cost. ``ended`` is None while the search goes on."""

    findings: Findings
    tests: int
    rounds: int
    node_seconds: float
    makespan_s: float
    bound_tests: int
    bound_rounds: int
    ended: Ended | None


def findings_of(ledger: Ledger, excluded: frozenset[int] | set[int] = frozenset()) -> Findings:
    """What a ledger says."""
    unknown = [
        node
        for node, status in enumerate(ledger.status)
        if status not in (GOOD, BAD) and node not in excluded
    ]
    pairs_left = None
    if not ledger.num_good and unknown:
        count = len(unknown)
        pairs_left = count * (count - 1) // 2 - ledger.failed_pairs(unknown)
    return Findings(
        ledger.nodes_of(GOOD),
        ledger.nodes_of(BAD),
        unknown,
        [list(clause) for clause in ledger.unanswered()],
        [sorted(ledger.tests[test]) for test in ledger.contradictions],
        pairs_left == 0 and len(unknown) > 1,
        pairs_left,
    )


def report_of(state: SearchState) -> Report:
    """What a search has come to so far."""
    board = state.board
    excluded = {n for n, shut in enumerate(board.closed) if shut} - set(board.abandoned)
    findings = findings_of(board.ledger, excluded)
    count = board.num_nodes - len(excluded)
    # The undetermined may all be bad for all that is known; where any is known, few are.
    num_bad = len(findings.bad) + (len(findings.undetermined) if not findings.good else 0)
    return Report(
        findings,
        state.num_tests,
        board.rounds,
        state.node_us / 1e6,
        state.now / 1e6,
        least_tests(count, num_bad),
        least_rounds(count, num_bad),
        state.ended,
    )
