"""Phase deduce: what has ended, and all that follows from it."""

from __future__ import annotations

from batchtui.engine.machine import Failure, Replied
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.journal import Journal
from batchtui.engine.nodes.ledger import GOOD
from batchtui.engine.nodes.overruling import conclude, still_to_come
from batchtui.engine.nodes.probe import ProbeResult
from batchtui.engine.nodes.running import Running
from batchtui.engine.nodes.state import SearchState


def deduce(replied: Replied[ProbeResult | Failure], state: SearchState, journal: Journal) -> None:
    """Take in what came back for one test."""
    # A late one is of an attempt that was given up; its test may be running once more.
    test = None if replied.late else state.running.pop(replied.work, None)
    if test is None:
        state.num_discarded += 1
        journal.say(said.ReplyDiscarded, test=replied.work)
        return
    result = result_of(replied.body)
    _free(test, state)
    is_open = result.verdict == "inconclusive"
    state.num_inconclusive += is_open
    again = is_open and test.attempt < state.config.max_attempts
    journal.say(
        said.TestEnded,
        test=test.id,
        verdict=result.verdict,
        duration_us=state.now - test.started_at,
        reason=result.reason,
        busbw_gbs=result.busbw_gbs,
        again=again,
        counts=state.confirmation is None,
    )
    if again:
        state.again.append(Running(test.id, test.nodes, test.round, test.attempt + 1))
        return
    _conclude(test, result, state, journal)


def estimate(state: SearchState, journal: Journal) -> None:
    """Say how likely a node is bad, after everything that has ended."""
    if not journal.observed:
        return
    board = state.board
    rate = state.posterior.rate(board)
    left = still_to_come(state, rate.num_bad)
    journal.say(
        said.RateEstimated,
        mean=rate.mean,
        low=rate.low,
        high=rate.high,
        num_bad=rate.num_bad,
        tests=left.tests,
        rounds=left.rounds,
    )


def result_of(body: object) -> ProbeResult:
    """What a probe's answer means; one that hung has failed, one that broke has proved nothing."""
    if isinstance(body, ProbeResult):
        return body
    if isinstance(body, Failure) and body.kind == "timeout":
        return ProbeResult(verdict="fail", reason="timeout")
    reason = "raised" if isinstance(body, Failure) else "type"
    return ProbeResult(verdict="inconclusive", reason=reason)  # type: ignore[arg-type]


def _free(test: Running, state: SearchState) -> None:
    board = state.board
    state.lanes.leave(test.lane)
    state.num_made += 1
    state.node_us += len(test.nodes) * (state.now - test.started_at)
    board.rounds = max(board.rounds, test.round)
    for node in test.nodes:
        board.busy[node] = 0
        board.last_round[node] = max(board.last_round[node], test.round)


def _conclude(test: Running, result: ProbeResult, state: SearchState, journal: Journal) -> None:
    board = state.board
    if state.confirmation is not None:
        conclude(test, result.verdict, state, journal)
        _tell_suspects(state, journal)
        return
    deduced = board.ledger.add(test.id, test.nodes, result.verdict)
    if deduced.good:
        journal.say(
            said.NodesCleared,
            test=test.id,
            nodes=tuple(deduced.good),
            acquitted=tuple(deduced.acquitted),
        )
    for node, failing in deduced.bad:
        journal.say(said.NodeCondemned, test=failing, node=node)
    for failing in deduced.contradictions:
        nodes = board.ledger.tests[failing]
        journal.say(said.ContradictionFound, test=failing, nodes=nodes)
    if result.verdict == "inconclusive":
        state.trial.add(test.nodes)
        _abandon(test, state, journal)
    state.strategy.heard(test.id, test.nodes, result.verdict)
    _tell_suspects(state, journal)


def _tell_suspects(state: SearchState, journal: Journal) -> None:
    named, released = state.board.ledger.clauses.take()
    if named or released:
        journal.say(said.SuspectsChanged, named=tuple(named), released=tuple(released))


def _abandon(test: Running, state: SearchState, journal: Journal) -> None:
    """Give up a node that cannot be tested even with good ones alone."""
    board = state.board
    unknown = [node for node in test.nodes if board.status[node] != GOOD]
    if len(unknown) == 1 and board.is_open(unknown[0]):
        board.closed[unknown[0]] = 1
        board.abandoned.append(unknown[0])
        journal.say(said.NodeAbandoned, node=unknown[0], test=test.id)
