"""What a confirmation's tests do to the ledger, and when a search is confirmed."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.ballot import Ballot
from batchtui.engine.nodes.confirm import MOST_TIMES, Confirmation, to_confirm
from batchtui.engine.nodes.journal import Journal
from batchtui.engine.nodes.ledger import BAD, GOOD, UNKNOWN, Ledger
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.running import Running
from batchtui.engine.nodes.state import SearchState
from batchtui.engine.nodes.strategies.strategy import Estimate


class _Before(NamedTuple):
    """What was known before a result was taken in."""

    status: bytes
    contradictions: tuple[int, ...]
    in_them: frozenset[int]

    @classmethod
    def of(cls, ledger: Ledger) -> _Before:
        contradictions = tuple(ledger.contradictions)
        return cls(bytes(ledger.status), contradictions, _members(ledger))


def go_through(state: SearchState, journal: Journal) -> bool:
    """The search has nothing more to propose: begin to confirm it, or search on after that.

    Returns:
        False where it has been confirmed, or has nothing that can be.
    """
    if state.confirmation is not None:
        state.confirmation = None
        journal.say(said.ConfirmationEnded, overruled=state.is_overruled)
        if state.is_overruled:  # something is open again: search it, then confirm once more
            state.strategy = state.named(state.strategy_name)(state.board)
        return state.is_overruled
    if not _is_wanted(state) or state.is_late or not state.board.ledger.num_good:
        return False
    state.num_confirmations += 1
    state.is_overruled = False
    journal.say(said.ConfirmationBegan, time=state.num_confirmations)
    rng = Random(f"{state.config.seed} {state.num_confirmations}")
    state.confirmation = Confirmation(state.board, rng)
    for ballot in state.confirmation.settled():
        _tell_confirmed(ballot, journal)
    return True


def still_to_come(state: SearchState, num_bad: float) -> Estimate:
    """What is to be tested yet, confirming included, where so many are bad in the end."""
    if state.confirmation is not None:
        return state.confirmation.left()
    left = state.strategy.left()
    if not _is_wanted(state):
        return left
    more = to_confirm(len(state.board.candidates()) - num_bad, num_bad)
    return Estimate(left.tests + more.tests, left.rounds + more.rounds)


def conclude(test: Running, verdict: Verdict, state: SearchState, journal: Journal) -> None:
    """A test of the confirmation has ended: the ledger learns of it when its ballot is over."""
    assert state.confirmation is not None
    ledger = state.board.ledger
    state.votes[test.id] = test.nodes
    outcome = state.confirmation.heard(test.id, test.nodes, verdict)
    ballot = outcome.ballot
    has_verdict = ballot is not None and ballot.verdict is not None
    if not (outcome.is_fine or has_verdict):
        return
    before = _Before.of(ledger)
    if outcome.is_fine:
        _believe((test.id,), "pass", state, journal)
    elif ballot is not None:
        _count(ballot, state, journal)
    _tell_changes(before, ledger, journal)
    if ballot is not None and ledger.status[ballot.node] == ballot.verdict:
        _tell_confirmed(ballot, journal)


def _is_wanted(state: SearchState) -> bool:
    """Whether what the search comes to is to be confirmed, once more if need be."""
    is_left = state.num_confirmations < MOST_TIMES
    return state.config.confirms and is_left and (state.is_overruled or not state.num_confirmations)


def _count(ballot: Ballot, state: SearchState, journal: Journal) -> None:
    """Overrule what says the opposite of a ballot, and believe the votes that won."""
    ledger, node, is_bad = state.board.ledger, ballot.node, ballot.verdict == BAD
    if ballot.verdict != ledger.status[node] != UNKNOWN:
        _overrule(ballot, state, journal)
    taken = tuple(t for t in ballot.winners() if t in state.votes and t not in ledger.tests)
    _believe(taken, "fail" if is_bad else "pass", state, journal)


def _overrule(ballot: Ballot, state: SearchState, journal: Journal) -> None:
    ledger, is_bad = state.board.ledger, ballot.verdict == BAD
    wrong = ledger.passes_of(ballot.node) if is_bad else ledger.accusers(ballot.node)
    journal.say(
        said.ResultsOverruled,
        node=ballot.node,
        bad=is_bad,
        tests=tuple(wrong),
        won=len(ballot.winners()),
        votes=ballot.num_votes,
    )
    state.is_overruled = True
    ledger.overrule(wrong)


def _believe(
    tests: tuple[int, ...], verdict: Verdict, state: SearchState, journal: Journal
) -> None:
    for test in tests:
        state.board.ledger.add(test, state.votes[test], verdict)
    if tests:
        journal.say(said.ResultsBelieved, tests=tests)


def _tell_changes(before: _Before, ledger: Ledger, journal: Journal) -> None:
    """Say of whom something else is known than before, and which sets nobody is to blame for."""
    if before.status != ledger.status:
        changed = [n for n, was in enumerate(before.status) if ledger.status[n] != was]
        _tell_nodes(changed, before.status, ledger, journal)
    _tell_contradictions(before, ledger, journal)


def _tell_nodes(changed: list[int], before: bytes, ledger: Ledger, journal: Journal) -> None:
    reopened = tuple(n for n in changed if ledger.status[n] == UNKNOWN)
    if reopened:
        journal.say(said.NodesReopened, nodes=reopened)
    cleared: dict[int, list[int]] = {}
    for node in changed:
        proof = ledger.proof(node)
        if proof is not None and ledger.status[node] == GOOD:
            cleared.setdefault(proof.test, []).append(node)
        elif proof is not None:
            journal.say(said.NodeCondemned, test=proof.test, node=node)
    for test, nodes in cleared.items():
        acquitted = tuple(n for n in nodes if before[n] == BAD)
        journal.say(said.NodesCleared, test=test, nodes=tuple(nodes), acquitted=acquitted)


def _tell_contradictions(before: _Before, ledger: Ledger, journal: Journal) -> None:
    now, were = set(ledger.contradictions), set(before.contradictions)
    gone = tuple(test for test in before.contradictions if test not in now)
    if gone:
        nodes = tuple(sorted(before.in_them - _members(ledger)))
        journal.say(said.ContradictionsResolved, tests=gone, nodes=nodes)
    for test in ledger.contradictions:
        if test not in were:
            journal.say(said.ContradictionFound, test=test, nodes=ledger.tests[test])


def _tell_confirmed(ballot: Ballot, journal: Journal) -> None:
    journal.say(
        said.NodeConfirmed,
        node=ballot.node,
        bad=ballot.verdict == BAD,
        tests=tuple(ballot.winners()),
        votes=ballot.num_votes,
    )


def _members(ledger: Ledger) -> frozenset[int]:
    """Everybody who is in a contradiction."""
    return frozenset(node for test in ledger.contradictions for node in ledger.tests[test])
