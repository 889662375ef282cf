"""What cannot be told of nodes, and what contradicts itself, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from batchtui.engine.nodes.inventory import Inventory
from batchtui.engine.nodes.report import Findings
from batchtui.plugins.hostlists import folded

_SPELLED = 3
"""Up to so many nodes a clause is spelled out."""


def doubts(found: Findings, inventory: Inventory) -> Iterator[str]:
    """Every sentence there is to say of findings."""
    if found.at_most_one_good:
        yield at_most_one_words(found, inventory)
    else:
        yield from (clause_words(clause, inventory) for clause in found.clauses)
    yield from (contradiction_words(nodes, inventory) for nodes in found.contradictions)


def at_most_one_words(found: Findings, inventory: Inventory) -> str:
    """Every pair has failed."""
    nodes, count = list_words(found.undetermined, inventory), len(found.undetermined)
    return f"at most one of these {count} is good: every pair failed: {nodes}"


def clause_words(clause: Sequence[int], inventory: Inventory) -> str:
    """At least one of them is bad."""
    if len(clause) > _SPELLED:
        return f"cannot tell: at least one of {list_words(clause, inventory)} is bad"
    *names, last = inventory.names(clause)
    return f"cannot tell: {', '.join(names)} or {last}"


def contradiction_words(nodes: Sequence[int], inventory: Inventory) -> str:
    """They failed together, and each passed elsewhere."""
    where = "the link between them" if len(nodes) == 2 else "a link between two of them"
    return (
        f"contradiction: {list_words(nodes, inventory)} failed together, and each passed "
        f"elsewhere: a flaky node, {where}, or a fault of scale; nobody is accused"
    )


def given_up_words(nodes: Sequence[int], inventory: Inventory) -> str:
    """Every test with one of them proved nothing."""
    listed = list_words(nodes, inventory)
    return f"given up: {listed}: could not be tested, even with known good nodes alone"


def list_words(nodes: Sequence[int], inventory: Inventory) -> str:
    """Nodes as a hostlist."""
    return folded(inventory.names(nodes))
