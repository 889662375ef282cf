"""What a test must keep to before it is launched; what breaks a rule is refused, never mended."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.probe import MIN_SIZE

Rule = Literal["set_too_small", "overlapping_tests", "node_busy", "unknown_node", "node_excluded"]


class Breach(NamedTuple):
    """A rule that a set breaks, and the node that it is broken by (-1: by none in particular)."""

    rule: Rule
    node: int


def breach_of(
    nodes: Sequence[int],
    num_nodes: int,
    *,
    is_taken: Callable[[int], object] = lambda node: False,
    is_busy: Callable[[int], object] = lambda node: False,
    is_excluded: Callable[[int], object] = lambda node: False,
) -> Breach | None:
    """The first rule that a set breaks, if any.

    Args:
        nodes: the set.
        num_nodes: how many there are.
        is_taken: whether another test that is about to be launched has the node.
        is_busy: whether a test that runs has it.
        is_excluded: whether it must not be touched.
    """
    if len(nodes) < MIN_SIZE:
        return Breach("set_too_small", nodes[0] if nodes else -1)
    seen: set[int] = set()
    for node in nodes:
        if not 0 <= node < num_nodes:
            return Breach("unknown_node", node)
        if node in seen or is_taken(node):
            return Breach("overlapping_tests", node)
        if is_busy(node):
            return Breach("node_busy", node)
        if is_excluded(node):
            return Breach("node_excluded", node)
        seen.add(node)
    return None


def words_of(breach: Breach, name: str) -> str:
    """A breach as a clause, for messages; ``name`` is that of its node."""
    return {
        "set_too_small": f"a test needs {MIN_SIZE} nodes or more",
        "overlapping_tests": f"node {name} would be in two tests at once",
        "node_busy": f"node {name} is still in a test that runs",
        "unknown_node": f"there is no node {name}",
        "node_excluded": f"node {name} is excluded",
    }[breach.rule]


def check_plan(
    plan: Sequence[Sequence[Sequence[int]]], num_nodes: int, excluded: Collection[int] = ()
) -> None:
    """See that rounds of sets keep to the rules, before anything is launched.

    Raises:
        InputError: one does not; its ``code`` is the rule.
    """
    for number, sets in enumerate(plan, 1):
        taken: set[int] = set()
        for nodes in sets:
            breach = breach_of(
                nodes,
                num_nodes,
                is_taken=taken.__contains__,
                is_excluded=lambda node: node in excluded,
            )
            if breach is not None:
                words = words_of(breach, str(breach.node))
                raise InputError(f"plan round {number}: {list(nodes)}: {words}", code=breach.rule)
            taken.update(nodes)
