"""What ``batchtui nodes`` came to: the findings, what they cost, and the document that says so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from batchtui.engine.nodes.bounds import least_rounds, least_tests
from batchtui.engine.nodes.inventory import Inventory
from batchtui.engine.nodes.ledger import BAD, Ledger
from batchtui.engine.nodes.report import Findings, Report, findings_of, report_of
from batchtui.plugins.searches import SearchRun

FOUND_BAD, UNSURE = 4, 5
"""The statuses of the process where bad nodes were found, and where none was but some could not be
told or results contradict each other."""


class Outcome(NamedTuple):
    """What was found; ``run`` and ``report`` are None where results were only thought about."""

    inventory: Inventory
    ledger: Ledger
    findings: Findings
    num_tests: int
    abandoned: Sequence[int] = ()
    excluded: Sequence[int] = ()
    run: SearchRun | None = None
    report: Report | None = None

    @classmethod
    def deduced(cls, inventory: Inventory, ledger: Ledger, num_tests: int) -> Outcome:
        """What follows from results that were made elsewhere."""
        excluded = sorted(inventory.excluded)
        findings = findings_of(ledger, inventory.excluded)
        return cls(inventory, ledger, findings, num_tests, (), excluded)

    @classmethod
    def searched(cls, run: SearchRun) -> Outcome:
        """What a search has come to."""
        state = run.search.state
        report, abandoned = report_of(state), state.board.abandoned
        shut = {node for node, closed in enumerate(state.board.closed) if closed}
        return cls(
            run.config.inventory,
            state.board.ledger,
            report.findings,
            report.tests,
            tuple(abandoned),
            sorted(shut.difference(abandoned)),
            run,
            report,
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
    def bounds(self) -> tuple[int, int]:
        """The tests and rounds without which these findings cannot be had."""
        if self.report is not None:
            return self.report.bound_tests, self.report.bound_rounds
        num_bad = len(self.findings.bad)
        return least_tests(self.num_nodes, num_bad), least_rounds(self.num_nodes, num_bad)


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
        "abandoned": named(outcome.abandoned),
        "excluded": named(outcome.excluded),
        "tests": outcome.num_tests,
        "rounds": report and report.rounds,
        "node_seconds": report and report.node_seconds,
        "makespan_s": report and report.makespan_s,
        "bound_tests": bound_tests,
        "bound_rounds": bound_rounds,
        "ended": report and report.ended,
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
