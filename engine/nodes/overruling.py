"""What a confirmation's tests do to the ledger, and when a search is confirmed."""

from __future__ import annotations

from random import Random

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.confirm import MOST_TIMES, Ballot, Confirmation
from batchtui.engine.nodes.journal import Journal
from batchtui.engine.nodes.ledger import BAD, GOOD, UNKNOWN
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.running import Running
from batchtui.engine.nodes.state import SearchState


def go_through(state: SearchState) -> bool:
    """The search has nothing more to propose: begin to confirm it, or search on after that.

    Returns:
        False where it has been confirmed, or has nothing that can be.
    """
    if state.confirmation is not None:
        state.confirmation = None
        if state.is_overruled:  # something is open again: search it, then confirm once more
            state.strategy = state.named(state.strategy_name)(state.board)
        return state.is_overruled
    is_wanted = state.config.confirms and (state.is_overruled or not state.num_confirmations)
    if not is_wanted or state.num_confirmations == MOST_TIMES or not state.board.ledger.num_good:
        return False
    state.num_confirmations += 1
    state.is_overruled = False
    rng = Random(f"{state.config.seed} {state.num_confirmations}")
    state.confirmation = Confirmation(state.board, rng)
    return True


def conclude(test: Running, verdict: Verdict, state: SearchState, journal: Journal) -> None:
    """A test of the confirmation has ended: the ledger learns of it when its ballot is over."""
    assert state.confirmation is not None
    ledger = state.board.ledger
    state.votes[test.id] = test.nodes
    outcome = state.confirmation.heard(test.id, test.nodes, verdict)
    if outcome.is_fine:
        ledger.add(test.id, test.nodes, "pass")
        journal.say(said.ResultsBelieved, tests=(test.id,))
    if outcome.ballot is not None:
        _count(outcome.ballot, state, journal)


def _count(ballot: Ballot, state: SearchState, journal: Journal) -> None:
    ledger, node = state.board.ledger, ballot.node
    before = bytes(ledger.status)
    if ballot.verdict is None:
        return
    if ballot.verdict != ledger.status[node] != UNKNOWN:
        state.is_overruled = True
        is_bad = ballot.verdict == BAD
        wrong = ledger.passes_of(node) if is_bad else _accusers(node, state)
        journal.say(said.ResultsOverruled, node=node, tests=tuple(wrong))
        ledger.overrule(wrong)
    _take_votes(ballot, state, journal)
    _tell_changes(before, state, journal)
    tests = ballot.failed if ballot.verdict == BAD else ballot.passed
    is_so = ledger.status[node] == ballot.verdict
    if is_so:
        bad = ballot.verdict == BAD
        journal.say(said.NodeConfirmed, node=node, bad=bad, tests=tuple(tests))


def _accusers(node: int, state: SearchState) -> list[int]:
    """The failing tests in which a node stands alone."""
    ledger = state.board.ledger
    status = ledger.status
    return [
        test
        for test in ledger.fails_of(node)
        if all(status[other] == GOOD for other in ledger.tests[test] if other != node)
    ]


def _take_votes(ballot: Ballot, state: SearchState, journal: Journal) -> None:
    """Those of the winning side: the others are outvoted."""
    ledger, is_bad = state.board.ledger, ballot.verdict == BAD
    votes = ballot.failed if is_bad else ballot.passed
    taken = tuple(test for test in votes if test not in ledger.tests)
    for test in taken:
        ledger.add(test, state.votes[test], "fail" if is_bad else "pass")
    if taken:
        journal.say(said.ResultsBelieved, tests=taken)


def _tell_changes(before: bytes, state: SearchState, journal: Journal) -> None:
    ledger = state.board.ledger
    changed = [n for n, was in enumerate(before) if ledger.status[n] != was]
    reopened = tuple(n for n in changed if ledger.status[n] == UNKNOWN)
    if reopened:
        journal.say(said.NodesReopened, nodes=reopened)
    for node in changed:
        proof = ledger.proof(node)
        if proof is not None and ledger.status[node] == GOOD:
            acquitted = (node,) if before[node] == BAD else ()
            journal.say(said.NodesCleared, test=proof.test, nodes=(node,), acquitted=acquitted)
        elif proof is not None:
            journal.say(said.NodeCondemned, test=proof.test, node=node)
