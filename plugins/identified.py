"""What ``identify`` has found out, in the caller's own nodes, with the tests that prove it."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.events import Ended
from batchtui.engine.nodes.probe import Reason, Verdict

NodeT = TypeVar("NodeT", bound=Hashable)

Standing = Literal["good", "bad", "undetermined", "excluded"]

MOST_NAMED = 8
"""Nodes that a sentence names; the others are counted."""

ENDS: Mapping[Ended, str] = {
    "identified": "every node is known",
    "at_most_one_good": "no two nodes pass together",
    "time_budget": "the time budget was used up",
    "inconclusive": "nothing could be tested",
    "refused": "every set that was proposed breaks a rule",
    "exhausted": "no test that is left would tell more",
}


ALONE = "a test needs two nodes, and there is nobody to test it with"


@dataclass(frozen=True)
class Trial(Generic[NodeT]):
    """A test that was made; of one that was repeated, the last time.

    Attributes:
        id: counts from 1, in the order in which sets were chosen.
        nodes: the set, two or more.
        verdict: ``pass``, ``fail`` or ``inconclusive``.
        reason: why it did not pass, where that is known: ``timeout``, ``raised``, or what the
            callable said; else "".
        duration_s: from its start to its end, in seconds.
        round: 1 for tests that waited for no other, else one more than those it waited for.
    """

    id: int
    nodes: tuple[NodeT, ...]
    verdict: Verdict
    reason: Reason
    duration_s: float
    round: int


@dataclass(frozen=True)
class Proof(Generic[NodeT]):
    """Why a node is said to be what it is.

    Attributes:
        node: the node.
        verdict: ``good``, ``bad``, ``undetermined`` or ``excluded``.
        test: the test that says so: one that passed, or one that failed and has nobody else to
            blame. None where the node is neither good nor bad.
        cleared_by: for a bad node, each other member of that test with one that passed with it.
    """

    node: NodeT
    verdict: Standing
    test: Trial[NodeT] | None = None
    cleared_by: Mapping[NodeT, Trial[NodeT]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Identified(Generic[NodeT]):
    """The answer of ``identify``. All nodes are the caller's, in the caller's order.

    Attributes:
        good, bad: those that a test proves to be so.
        undetermined: those that no test proves to be either.
        excluded: those that were not to be touched.
        cannot_tell: sets of undetermined nodes; at least one of each is bad.
        contradictions: sets that failed although each member passed elsewhere: a link, a fault of
            scale or chance. They accuse nobody.
        at_most_one_good: every pair failed. Nothing more can be known then: a good node passes only
            together with another good one.
        pairs_left: while nobody is known to be good, pairs still to fail until that is certain;
            else None.
        pairs_tried: in the same case, pairs that have failed.
        tests: how many different sets were tested.
        rounds: the longest chain of tests that waited for each other.
        node_seconds: seconds that nodes were in tests, all nodes together.
        makespan_s: seconds from beginning to end.
        bound_tests, bound_rounds: no search goes below on the average over which nodes are bad. A
            lucky one may, but none finds them with fewer tests than one more than there are. None
            where not everybody was told.
        ended: ``identified``, ``at_most_one_good``, ``time_budget``, ``exhausted``, ...
        trials: every test in the order of ids.
        first_error: the first exception of the callable, if any; such a test proves nothing.
    """

    good: list[NodeT]
    bad: list[NodeT]
    undetermined: list[NodeT]
    excluded: list[NodeT]
    cannot_tell: list[list[NodeT]]
    contradictions: list[list[NodeT]]
    at_most_one_good: bool
    pairs_left: int | None
    pairs_tried: int | None
    tests: int
    rounds: int
    node_seconds: float
    makespan_s: float
    bound_tests: int | None
    bound_rounds: int | None
    ended: Ended
    trials: list[Trial[NodeT]] = field(repr=False)
    first_error: BaseException | None = None
    proofs: Mapping[NodeT, Proof[NodeT]] = field(repr=False)

    def proof(self, node: NodeT) -> Proof[NodeT]:
        """The tests that prove what is said of a node.

        Raises:
            InputError: it was not among the nodes.
        """
        proof = self.proofs.get(node)
        if proof is None:
            raise InputError(f"{node} is not among the {len(self.proofs)} nodes that were given")
        return proof

    def why(self, node: NodeT) -> str:
        """The same, as a sentence.

        Raises:
            InputError: it was not among the nodes.
        """
        proof = self.proof(node)
        if proof.test is None:
            return f"{node} is {proof.verdict}: {self._why_open(proof)}"
        if proof.verdict == "good":
            return f"{node} is good: {_set(proof.test)} passed"
        others = [f"{other} by test {trial.id}" for other, trial in proof.cleared_by.items()]
        failed = f"{_set(proof.test)} failed" + (" (timeout)" * (proof.test.reason == "timeout"))
        return f"{node} is bad: {failed}, and the others in it are good: {_names(others)}"

    def __str__(self) -> str:
        """A short report; what an operator pastes comes first."""
        lines = [self._headline()]
        if self.at_most_one_good:
            lines.append(f"at most one of {_names(self.undetermined)} is good: every pair failed")
        lines += [f"cannot tell: at least one of {_names(c)} is bad" for c in self._clauses()]
        lines += [
            f"contradiction: {_names(nodes)} failed together, though each passed elsewhere"
            for nodes in self.contradictions
        ]
        return "\n".join([*lines, self._counts(), self._costs()])

    def _headline(self) -> str:
        if self.bad:
            return f"BAD {', '.join(map(str, self.bad))}"
        if self.undetermined or not self.good:
            return "NONE FOUND BAD"
        return f"ALL GOOD {len(self.good)} nodes"

    def _clauses(self) -> list[list[NodeT]]:
        return [] if self.at_most_one_good else self.cannot_tell

    def _end(self) -> str:
        if self._is_alone:
            return ALONE
        is_hunt = self.pairs_left and self.pairs_tried
        left = f", {self.pairs_left} pairs left to try" if is_hunt else ""
        return f"{ENDS[self.ended]}{left}"

    @property
    def _is_alone(self) -> bool:
        return len(self.undetermined) == 1 and not self.trials

    def _counts(self) -> str:
        counts = (
            f"{len(self.good)} good, {len(self.bad)} bad, {len(self.undetermined)} undetermined"
        )
        excluded = f", {len(self.excluded)} excluded" if self.excluded else ""
        return f"{counts}{excluded}: {self._end()}"

    def _costs(self) -> str:
        return (
            f"{self.tests} tests (bound {_bound(self.bound_tests)}), "
            f"{self.rounds} rounds (bound {_bound(self.bound_rounds)}), "
            f"{self.node_seconds:,.1f} node-seconds, {self.makespan_s:,.1f} s"
        )

    def _why_open(self, proof: Proof[NodeT]) -> str:
        if proof.verdict == "excluded":
            return "it was not to be tested"
        if self._is_alone:
            return ALONE
        if self.at_most_one_good:
            return f"every pair of {len(self.undetermined)} failed, so at most one of them is good"
        clause = next((each for each in self.cannot_tell if proof.node in each), None)
        if clause is not None:
            return f"at least one of {_names(clause)} is bad, and no test tells them apart"
        if any(proof.node in trial.nodes for trial in self.trials):
            return "no test that it was in proves anything about it"
        return "it was in no test"


def _bound(figure: int | None) -> str:
    return "-" if figure is None else str(figure)


def _set(trial: Trial[NodeT]) -> str:
    return f"test {trial.id} of {{{_names(trial.nodes)}}}"


def _names(nodes: Sequence[object]) -> str:
    named = ", ".join(map(str, nodes[:MOST_NAMED]))
    return named if len(nodes) <= MOST_NAMED else f"{named} and {len(nodes) - MOST_NAMED} more"
