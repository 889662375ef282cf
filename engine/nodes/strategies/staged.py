"""``staged``: pools of equal size, those that fail cut in a few stages, then each suspect with a
good node of its own.

Few stages cost tests and save time: with s of them about s d (N/d)^(1/s) tests are needed (and that
is tight where no node is in two tests of a stage), but nobody waits for more than s tests in a row.
The sizes are those of ``stages``, worked out anew from what is known whenever a lane is free: the
first wave goes by the prior, the next ones by what it has shown. No stage waits for the last test
of the one before.

Where lanes are short, the last part of a set is put off: if its other parts pass, it has failed
without a test; if one fails, it is as good as untested, and goes back into the pools.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import GOOD, UNKNOWN
from batchtui.engine.nodes.posterior import Posterior
from batchtui.engine.nodes.probe import MIN_SIZE, Verdict
from batchtui.engine.nodes.strategies.pair_hunt import PairHunt
from batchtui.engine.nodes.strategies.stages import MAX_STAGES, Stages
from batchtui.engine.nodes.strategies.strategy import Estimate, Proposal

POOL, PART = "a pool of untested nodes", "a part of a set that failed"
SUSPECT, HUNT = "a suspect with a good node of its own", "no test has passed yet: pairs"


class Staged:
    """Pools, parts of those that fail, suspects."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._posterior = Posterior(board.priors)
        self._depth = bytearray(board.num_nodes)  # the stage of a node's last test; 0 before it
        self._unproven: list[frozenset[int]] = []  # sets that were inconclusive: as if failed
        self._hunt: PairHunt | None = None

    def propose(self, room: int) -> list[Proposal]:
        """Parts of what failed first, then new pools, then the parts that were put off."""
        if room < 1:
            return []
        if self._board.has_anchor:
            self._hunt = None
        elif self._hunt:
            return self._pairs(self._hunt, room)
        filling = _Filling(self._board, room)
        sets = self._sets()
        in_sets = {node for each in sets for node in each}
        free = [node for node in self._board.free_of(UNKNOWN) if node not in in_sets]
        stages = self._stages()
        put_off = self._cut(sets, stages, filling)
        self._pool(free, stages, filling)
        for part in put_off:
            filling.add(part, PART)
        if not (filling.proposals or self._board.has_anchor or self._board.num_running):
            self._hunt = PairHunt(self._board, self._unproven)
            return self._pairs(self._hunt, room)
        for proposal in filling.proposals:
            self._deepen(proposal)
        return filling.proposals

    def heard(self, test: int, nodes: tuple[int, ...], verdict: Verdict) -> None:
        """Keep a set that proved nothing, to be searched as if it had failed."""
        if verdict == "inconclusive":
            self._unproven.append(frozenset(nodes))

    def left(self) -> Estimate:
        """The tests of the plans for what is untested and for what failed."""
        if self._hunt:
            left = self._hunt.num_left
            return Estimate(left, math.ceil(left / self._board.max_parallel))
        sets, stages, board = self._sets(), self._stages(), self._board
        in_sets = {node for each in sets for node in each}
        count = sum(board.is_open(n) and n not in in_sets for n in board.candidates())
        plans = [stages.pools(count)] if count else []
        if sets:
            total = sum(map(len, sets))
            plans.append(stages.parts(max(2.0, total / len(sets)), total, MAX_STAGES - 1))
        return Estimate(
            sum(plan.tests for plan in plans), max((plan.stages for plan in plans), default=0)
        )

    def _stages(self) -> Stages:
        board = self._board
        weights = self._posterior.weights(board)
        return Stages(self._posterior.grid, weights, board.max_parallel, board.config.fail_ratio)

    def _is_next(self, node: int) -> bool:
        return self._board.is_open(node) and not self._board.busy[node]

    def _sets(self) -> list[list[int]]:
        """Disjoint sets to be searched: the clauses, and what proved nothing, the small first."""
        board, seen, sets = self._board, set[int](), list[list[int]]()
        self._unproven = [s for s in self._unproven if any(map(board.is_open, s))]
        for clause in sorted([*board.ledger.clauses.all(), *self._unproven], key=len):
            nodes = [n for n in sorted(clause) if n not in seen and board.is_open(n)]
            seen.update(nodes)
            if nodes:
                sets.append(nodes)
        return sets

    def _cut(self, sets: Sequence[list[int]], stages: Stages, filling: _Filling) -> list[list[int]]:
        """Test the parts of the sets but the last ones, which are returned."""
        put_off, sizes = list[list[int]](), dict[tuple[float, int], int]()
        total = sum(map(self._weight, sets))
        for nodes in sets:
            depth = max(self._depth[node] for node in nodes) or 1
            key = (self._weight(nodes), depth)
            if key not in sizes:
                sizes[key] = stages.parts(max(2.0, key[0]), total, MAX_STAGES - depth).size
            now = [node for node in nodes if self._is_next(node)]
            parts = list(self._parted(now, sizes[key], 1 + (len(now) == len(nodes))))
            if parts and len(parts[0]) == len(nodes) > 1:
                continue  # it has failed as it is, and without a good node cannot be cut
            put_off += parts[-1:]
            for part in parts[:-1]:
                filling.add(part, PART)
        return put_off

    def _pool(self, free: list[int], stages: Stages, filling: _Filling) -> None:
        if not free or filling.room < 1:
            return
        priors = self._board.priors
        free.sort(key=lambda node: -priors[node])
        for part in self._parted(free, stages.pools(self._weight(free)).size):
            for node in part:
                self._depth[node] = 0
            filling.add(part, POOL)
            if filling.room < 1:
                break

    def _weight(self, nodes: Iterable[int]) -> float:
        return sum(self._board.priors[node] for node in nodes)

    def _parted(self, nodes: list[int], size: int, fewest: int = 1) -> Iterator[list[int]]:
        """Cut nodes into parts that weigh about as much as so many ordinary ones, all about the
        same; while nobody is good no part is left alone."""
        priors, total = self._board.priors, self._weight(nodes)
        least = 1 if self._board.has_anchor else MIN_SIZE
        count = max(1, min(max(fewest, math.ceil(total / size)), len(nodes) // least))
        part, passed = list[int](), 0.0
        for place, node in enumerate(nodes, 1):
            part.append(node)
            passed += priors[node]
            spare = len(nodes) - place - (count - 1) * least  # more than the other parts need
            if count > 1 and len(part) >= least and (passed >= total / count or spare < 1):
                yield part
                part, total, count, passed = [], total - passed, count - 1, 0.0
        if part:
            yield part

    def _pairs(self, hunt: PairHunt, room: int) -> list[Proposal]:
        return [Proposal(pair, HUNT, self._board.rounds) for pair in hunt.next_pairs(room)]

    def _deepen(self, proposal: Proposal) -> None:
        for node in proposal.nodes:
            self._depth[node] = min(MAX_STAGES, self._depth[node] + 1)


class _Filling:
    """Proposals as they come, and the good nodes that are still free to go with one alone."""

    def __init__(self, board: Board, room: int) -> None:
        self.proposals: list[Proposal] = []
        self.room = room
        self._board = board
        self._good: Iterator[int] | None = None

    def add(self, part: Sequence[int], why: str) -> None:
        """A part, if there is room; one node alone takes a good one with it, if one is free."""
        if self.room < 1:
            return
        if len(part) >= MIN_SIZE:
            self.take(part, why)
            return
        if self._good is None:
            self._good = iter(self._board.free_of(GOOD))
        good = next(self._good, None)
        if good is not None:
            self.take((part[0], good), SUSPECT)

    def take(self, nodes: Sequence[int], why: str) -> None:
        """Propose a set."""
        self.room -= 1
        # How large a set is follows from everything that was found out so far.
        self.proposals.append(Proposal(tuple(sorted(nodes)), why, self._board.rounds))
