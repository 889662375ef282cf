"""Worlds: who may be bad, drawn from what is known, to try out on them what is to be done next."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from random import Random

from batchtui.engine.nodes.board import Board
from batchtui.engine.nodes.ledger import BAD, UNKNOWN
from batchtui.engine.nodes.posterior import Posterior

World = frozenset[int]
"""The bad nodes."""


def worlds(board: Board, count: int, rng: Random) -> Iterator[World]:
    """Draw so many worlds that agree with every result.

    The rates come from as many slices of the posterior of the same weight, one from each: so a few
    worlds already hold what is likely and what is not. The nodes of a failing set are drawn given
    that one of them is bad, set after set, which is exact where no two sets share a node.
    """
    posterior = Posterior(board.priors)
    weights = posterior.weights(board)
    for slice in range(count):
        share = (slice + rng.random()) / count
        yield _world(board, _at(posterior.grid, weights, share), rng)


def _at(rates: Sequence[float], weights: Sequence[float], share: float) -> float:
    for rate, weight in zip(rates, weights, strict=True):
        share -= weight
        if share < 0:
            return rate
    return rates[-1]


def _world(board: Board, rate: float, rng: Random) -> World:
    log_good = math.log1p(-rate)
    good = [math.exp(prior * log_good) for prior in board.priors]
    bad = set(board.ledger.nodes_of(BAD))
    drawn = set[int]()
    for clause in board.ledger.unanswered():
        undecided = [node for node in clause if node not in drawn]
        drawn.update(undecided)
        if bad.isdisjoint(clause):
            bad |= _one_at_least(undecided or clause, good, rng)
        else:
            bad.update(node for node in undecided if rng.random() >= good[node])
    for node, status in enumerate(board.status):
        if status == UNKNOWN and node not in drawn and rng.random() >= good[node]:
            bad.add(node)
    return frozenset(bad)


def _one_at_least(nodes: Sequence[int], good: Sequence[float], rng: Random) -> set[int]:
    """Draw nodes, given that one of them is bad.

    Each in turn is bad with its probability given that, until one is; the others then follow as if
    nothing were known.
    """
    passes = [1.0]  # of the last 0, 1, 2, ... nodes: that all of them are good
    for node in reversed(nodes):
        passes.append(passes[-1] * good[node])
    bad = set[int]()
    for place, node in enumerate(nodes):
        chance = 1 - good[node]
        if not bad:
            some = 1 - passes[len(nodes) - place]
            is_last = place == len(nodes) - 1
            chance = 1.0 if is_last or some <= 0 else chance / some
        if rng.random() < chance:
            bad.add(node)
    return bad
