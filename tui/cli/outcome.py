"""What ``batchtui nodes`` came to: the findings, what they cost, and the document that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from batchtui.engine.nodes.inventory import Inventory
from batchtui.engine.nodes.ledger import BAD, Ledger
from batchtui.engine.nodes.report import Bounds, Findings, Report, bounds_of, findings_of, report_of
from batchtui.plugins.searches import SearchRun

FOUND_BAD, UNSURE = 4, 5
"""The statuses of the process where bad nodes were found, and where none was but some could not be
told or results contradict each other."""


class Outcome(NamedTuple):
    """What was found; ``run`` and ``report`` are None where results were only thought about.

    ``num_tests`` have ended, those that were repeated counted once.
    """

    inventory: Inventory
    ledger: Ledger
    findings: Findings
    num_tests: int
    abandoned: Sequence[int] = ()
    excluded: Sequence[int] = ()
    run: SearchRun | None = None
    report: Report | None = None
    is_interrupted: bool = False

    @classmethod
    def deduced(cls, inventory: Inventory, ledger: Ledger, num_tests: int) -> Outcome:
        """What follows from results that were made elsewhere."""
        return cls(inventory, ledger, findings_of(ledger), num_tests)

    @classmethod
    def searched(cls, run: SearchRun, *, is_interrupted: bool = False) -> Outcome:
        """What a search has come to, or so far."""
        state = run.search.state
        report = report_of(state)
        return cls(
            run.config.inventory,
            state.board.ledger,
            report.findings,
            report.tests - len(state.running) - len(state.planned) - len(state.again),
            tuple(state.board.abandoned),
            state.board.excluded,
            run,
            report,
            is_interrupted,
        )

    @property
    def status(self) -> int:
        """The status that the process leaves with."""
        if self.findings.bad:
            return FOUND_BAD
        return UNSURE if self.findings.undetermined or self.findings.contradictions else 0

    @property
    def num_nodes(self) -> int:
        """How many may be tested."""
        return len(self.inventory) - len(self.excluded)

    @property
    def bounds(self) -> Bounds:
        """The tests and rounds below which no search stays for every choice of so many bad nodes;
        None where not everybody was told."""
        return bounds_of(self.findings)


def document_of(outcome: Outcome) -> dict[str, object]:
    """The findings as one JSON document; nodes are numbers where nobody gave them names."""
    found, report, run = outcome.findings, outcome.report, outcome.run
    bound_tests, bound_rounds = outcome.bounds

    def named(nodes: Sequence[int]) -> Sequence[int | str]:
        return nodes if outcome.inventory.numbered else outcome.inventory.names(nodes)

    return {
        "good": named(found.good),
        "bad": named(found.bad),
        "undetermined": named(found.undetermined),
        "clauses": [named(clause) for clause in found.clauses],
        "contradictions": [named(nodes) for nodes in found.contradictions],
        "at_most_one_good": found.at_most_one_good,
        "pairs_left": found.pairs_left,
        "pairs_tried": found.pairs_tried,
        "abandoned": named(outcome.abandoned),
        "excluded": named(outcome.excluded),
        "tests": outcome.num_tests,
        "rounds": report and report.rounds,
        "node_seconds": report and report.node_seconds,
        "makespan_s": report and report.makespan_s,
        "bound_tests": bound_tests,
        "bound_rounds": bound_rounds,
        "ended": "interrupted" if outcome.is_interrupted else report and report.ended,
        "strategy": run and run.search.state.strategy_name,
        "probe": run and run.probe.name,
        "real": run is not None and run.probe.real,
        **_proofs(outcome),
    }


def _proofs(outcome: Outcome) -> dict[str, object]:
    """Why each node is what it is said to be: the test that says so, and of a bad one the tests
    that cleared everybody else in it. The sets are told once each, since many a node is cleared
    with thousands of others."""
    ledger, inventory = outcome.ledger, outcome.inventory

    def named(node: int) -> int | str:
        return node if inventory.numbered else inventory.nodes[node].name

    proofs, cited = list[dict[str, object]](), dict[int, None]()
    for node in [*outcome.findings.bad, *outcome.findings.good]:
        if (proof := ledger.proof(node)) is None:
            continue
        is_bad = ledger.status[node] == BAD
        said: dict[str, object] = {
            "node": named(node),
            "verdict": "bad" if is_bad else "good",
            "test": proof.test,
        }
        if is_bad:
            cleared = proof.others.items()
            said["cleared"] = [{"node": named(each), "test": test} for each, test in cleared]
        proofs.append(said)
        cited |= dict.fromkeys([proof.test, *proof.others.values()])
    sets = [
        {"test": test, "nodes": [named(n) for n in ledger.tests[test]]}
        for test in cited
        if test in ledger.tests
    ]
    return {"proofs": proofs, "proof_tests": sets}
