"""What breaks a rule is refused before anything is launched, with the rule's name."""

from __future__ import annotations

import pytest

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.rules import breach_of, check_plan


@pytest.mark.parametrize(
    ("nodes", "rule", "node"),
    [
        ((), "set_too_small", -1),
        ((4,), "set_too_small", 4),
        ((0, 9), "unknown_node", 9),
        ((0, -1), "unknown_node", -1),
        ((0, 0), "overlapping_tests", 0),
        ((0, 1), "overlapping_tests", 1),
        ((0, 2), "node_busy", 2),
        ((0, 3), "node_excluded", 3),
    ],
)
def test_the_first_breach_is_named(nodes: tuple[int, ...], rule: str, node: int) -> None:
    breach = breach_of(
        nodes, 5, is_taken={1}.__contains__, is_busy={2}.__contains__, is_excluded={3}.__contains__
    )
    assert breach == (rule, node)


def test_a_set_of_two_free_nodes_breaks_none() -> None:
    assert breach_of((0, 4), 5) is None


@pytest.mark.parametrize(
    ("plan", "code", "words"),
    [
        ([[[4]]], "set_too_small", r"plan round 1: \[4\]: a test needs 2 nodes or more"),
        ([[[0, 1], [2, 3]], [[0, 1], [1, 2]]], "overlapping_tests", "plan round 2: .*node 1 would"),
        ([[[0, 5]]], "unknown_node", "there is no node 5"),
        ([[[0, 3]]], "node_excluded", "node 3 is excluded"),
    ],
)
def test_a_plan_is_refused_whole(plan: list[list[list[int]]], code: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as refused:
        check_plan(plan, 5, {3} if code == "node_excluded" else ())
    assert refused.value.code == code


def test_a_node_may_be_in_a_test_of_each_round() -> None:
    check_plan([[[0, 1], [2, 3]], [[0, 2], [1, 3]]], 4)
