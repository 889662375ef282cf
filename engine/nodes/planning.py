"""Phase plan: which sets are tested next. What is proposed is held against the rules here."""

from __future__ import annotations

from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.journal import Journal
from batchtui.engine.nodes.options import NodesOptions
from batchtui.engine.nodes.overruling import go_through
from batchtui.engine.nodes.rules import breach_of
from batchtui.engine.nodes.running import Running
from batchtui.engine.nodes.state import SearchState
from batchtui.engine.nodes.strategies.planned_rounds import PLAN
from batchtui.engine.nodes.strategies.strategy import Choosing, Proposal
from batchtui.engine.nodes.trial import ENOUGH


def plan(state: SearchState, journal: Journal) -> None:
    """Plan the tests that there is room for; where none runs and none is planned, end."""
    if not state.num_tests:
        _tell_choice(state, journal)
    is_hopeless = state.is_barren and state.trial.is_hopeless and not _is_laid_down(state)
    proposals = [] if is_hopeless else _chosen(state, journal)
    while not (proposals or state.planned or state.running or is_hopeless):
        if not go_through(state, journal):
            break
        proposals = _chosen(state, journal)
    if state.planned or state.running:
        return
    reason = state.outcome
    if is_hopeless:
        reason = "inconclusive"
    elif proposals:
        reason = "refused"
    state.ended = reason
    journal.say(said.SearchEnded, reason=reason)


def change(options: NodesOptions, state: SearchState, journal: Journal) -> None:
    """Go on under other options."""
    board = state.board
    named = dict.fromkeys(options.exclude)  # whoever names a node twice excludes it once
    shut = tuple(n for n in named if 0 <= n < board.num_nodes and not board.closed[n])
    for node in shut:
        board.closed[node] = 1
    if shut:
        journal.say(said.NodesExcluded, nodes=shut)
    if options.strategy is not None or options.max_parallel is not None:
        state.strategy_name = options.strategy or state.strategy_name
        board.max_parallel = options.max_parallel or board.max_parallel
        state.strategy = state.named(state.strategy_name)(board)
        journal.say(
            said.OptionsChanged, strategy=state.strategy_name, max_parallel=board.max_parallel
        )
        _tell_choice(state, journal)


def _tell_choice(state: SearchState, journal: Journal) -> None:
    strategy = state.strategy
    if isinstance(strategy, Choosing):
        journal.say(said.StrategyChosen, chosen=strategy.chosen, why=str(strategy))


def _chosen(state: SearchState, journal: Journal) -> list[Proposal]:
    """Plan what is to be made again, then what is proposed; returns all that was proposed."""
    room = state.room
    if state.is_barren and state.num_made:  # do not try thousands again to learn that none can be
        room = min(room, ENOUGH - len(state.running))
    room -= _again(room, state, journal)
    board = state.board
    board.num_running = len(state.running) + len(state.planned)
    if room < 1:
        return []
    proposals = _wanted(room, state)[:room]
    for proposal in proposals:
        if _is_allowed(proposal, state, journal):
            _plan_new(proposal, state, journal)
    return proposals


def _wanted(room: int, state: SearchState) -> list[Proposal]:
    """What the strategy wants; the trial comes before it, a confirmation after."""
    if state.is_barren and state.trial.has_begun and not _is_laid_down(state):
        proposals = state.trial.propose(room)
        if proposals or state.board.num_running:
            return proposals
    return (state.confirmation or state.strategy).propose(room)


def _is_laid_down(state: SearchState) -> bool:
    """Whether somebody else has said what is to be tested: that, and nothing more."""
    return state.strategy_name == PLAN


def _again(room: int, state: SearchState, journal: Journal) -> int:
    """Tests that proved nothing, where their nodes are free; returns how many are planned."""
    board, count = state.board, 0
    for _ in range(len(state.again)):
        test = state.again.popleft()
        if any(board.closed[node] for node in test.nodes):
            if state.confirmation is not None:
                state.confirmation.dropped(test.nodes)
            continue
        if count < room and all(map(board.is_free, test.nodes)):
            count += 1
            _plan(test, "once more: it proved nothing", state, journal)
        else:
            state.again.append(test)
    return count


def _is_allowed(proposal: Proposal, state: SearchState, journal: Journal) -> bool:
    board = state.board
    breach = breach_of(
        proposal.nodes,
        board.num_nodes,
        is_busy=board.busy.__getitem__,
        is_excluded=board.closed.__getitem__,
    )
    if breach is not None:
        nodes = tuple(proposal.nodes)
        journal.say(said.TestRefused, nodes=nodes, rule=breach.rule, node=breach.node)
    return breach is None


def _plan_new(proposal: Proposal, state: SearchState, journal: Journal) -> None:
    before = max(state.board.last_round[node] for node in proposal.nodes)
    state.num_tests += 1
    number = 1 + max(proposal.after, before)
    test = Running(state.num_tests, tuple(proposal.nodes), number)
    _plan(test, proposal.why, state, journal)


def _plan(test: Running, why: str, state: SearchState, journal: Journal) -> None:
    for node in test.nodes:
        state.board.busy[node] = 1
    state.planned.append(test)
    journal.say(
        said.TestPlanned,
        test=test.id,
        nodes=test.nodes,
        round=test.round,
        why=why,
        attempt=test.attempt,
    )
