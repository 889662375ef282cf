"""What ``batchtui nodes`` prints for a person: what was found, why, and what that took."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from batchtui.engine.nodes.probe import MIN_SIZE
from batchtui.engine.nodes.strategies.planned_rounds import PLAN
from batchtui.engine.nodes.strategies.strategy import Choosing
from batchtui.plugins.searches import SearchRun
from batchtui.tui.cli.amounts import time_of
from batchtui.tui.cli.outcome import Outcome
from batchtui.tui.cli.output import aligned, one_line
from batchtui.tui.doubts import (
    at_most_one_words,
    clause_words,
    contradiction_words,
    given_up_words,
    list_words,
)

MOST_LINES = 20
"""Clauses or contradictions that are listed; the rest are counted."""

_ENDED: dict[str, str] = {
    "time_budget": "stopped by the time budget",
    "inconclusive": "stopped: no test could be made",
    "refused": "stopped: every set that was proposed breaks a rule",
    "exhausted": "stopped: no test is left that would tell more",
}


def lines_of(outcome: Outcome) -> Iterator[str]:
    """The findings for a person; the first line is what an operator pastes."""
    so_far = "INTERRUPTED, so far " * outcome.is_interrupted
    yield f"{so_far}{_verdict(outcome)}"
    yield from _shortened(list(_doubts(outcome)))
    contradictions = outcome.findings.contradictions
    words = [contradiction_words(nodes, outcome.inventory) for nodes in contradictions]
    yield from _shortened(words)
    if outcome.abandoned:
        yield given_up_words(outcome.abandoned, outcome.inventory)
    if outcome.excluded:
        yield f"excluded: {_list(outcome, outcome.excluded)}"
    yield ""
    yield from aligned(list(_costs(outcome)))


def _verdict(outcome: Outcome) -> str:
    found, count = outcome.findings, outcome.num_nodes
    if found.bad:
        return f"BAD {_list(outcome, found.bad)}"
    if not outcome.status:
        return f"ALL GOOD {count} node{'s' * (count != 1)}"
    doubts = []
    if found.undetermined:
        doubts.append(f"{len(found.undetermined)} of {count} nodes undetermined")
    if found.contradictions:
        number = len(found.contradictions)
        doubts.append(f"{number} contradiction{'s' * (number != 1)}")
    return f"NONE FOUND BAD, {', '.join(doubts)}"


def _doubts(outcome: Outcome) -> Iterator[str]:
    """What could not be told, and why not."""
    found = outcome.findings
    if not found.undetermined:
        return
    if outcome.num_nodes < MIN_SIZE:
        yield f"a test needs {MIN_SIZE} nodes or more: of one alone nothing can be known"
        return
    if found.at_most_one_good:
        yield at_most_one_words(found, outcome.inventory)
        return
    open = [node for node in found.undetermined if node not in outcome.abandoned]
    if open and (why := _why_ended(outcome)):
        yield f"{why}, {_left(outcome, open)}"
    for clause in found.clauses:
        yield clause_words(clause, outcome.inventory)
    spoken_for = {node for clause in found.clauses for node in clause}
    silent = [node for node in open if node not in spoken_for]
    if silent:
        yield f"nothing is known of {_list(outcome, silent)}"


def _why_ended(outcome: Outcome) -> str:
    """Why there was no more testing, "" where there was none at all."""
    if outcome.report is None or outcome.run is None:
        return ""
    if outcome.is_interrupted:
        return "interrupted"
    ended = outcome.report.ended
    if ended == "exhausted" and outcome.run.config.strategy == PLAN:
        return "the plan is over"
    return _ENDED.get(ended, "") if ended else "stopped before the end"


def _left(outcome: Outcome, open: Sequence[int]) -> str:
    """How much there is to do: pairs, where it is pairs that were tried."""
    found = outcome.findings
    if found.pairs_left is None or not found.pairs_tried:
        return f"{len(open):,} node{'s' * (len(open) != 1)} left to find out about"
    count = len(found.undetermined)
    return f"{found.pairs_left:,} of {count * (count - 1) // 2:,} pairs left to try"


def _shortened(lines: list[str]) -> Iterator[str]:
    yield from lines[:MOST_LINES]
    if len(lines) > MOST_LINES:
        yield f"and {len(lines) - MOST_LINES} more: see --json"


def _list(outcome: Outcome, nodes: Sequence[int]) -> str:
    return list_words(nodes, outcome.inventory)


def _costs(outcome: Outcome) -> Iterator[tuple[str, ...]]:
    found, bounds = outcome.findings, outcome.bounds
    counts = {"good": found.good, "bad": found.bad, "undetermined": found.undetermined}
    for word, nodes in counts.items():
        yield word, f"{len(nodes):,}", ""
    why = "" if bounds.tests is None else f": {_why_so_many(outcome)}"
    yield "tests", f"{outcome.num_tests:,}", f"bound {_count(bounds.tests)}{why}"
    report, run = outcome.report, outcome.run
    if report is None or run is None:
        return
    yield "rounds", f"{report.rounds:,}", f"bound {_count(bounds.rounds)}"
    yield "node-seconds", f"{report.node_seconds:,.0f}", "in tests, all nodes together"
    yield "makespan", time_of(report.makespan_s), _least_time(bounds.rounds, run)
    yield "strategy", run.search.state.strategy_name, _choice(run)
    is_real = "REAL" if run.probe.real else "SIM: no host was touched"
    yield "probe", one_line(run.probe.name), is_real


def _count(figure: int | None) -> str:
    return "-" if figure is None else f"{figure:,}"


def _least_time(rounds: int | None, run: SearchRun) -> str:
    if rounds is None:
        return "bound -"
    return f"bound {time_of(rounds * run.config.pass_us / 1e6)}: so many rounds that pass"


def _why_so_many(outcome: Outcome) -> str:
    count, found = f"{outcome.num_nodes:,}", outcome.findings
    if found.undetermined and not found.good:
        return f"every pair of {count}"
    return f"to tell {len(found.bad):,} bad of {count}"


def _choice(run: SearchRun) -> str:
    """Which one it has chosen, where it chooses among others, and why."""
    strategy = run.search.state.strategy
    return str(strategy) if isinstance(strategy, Choosing) else ""
