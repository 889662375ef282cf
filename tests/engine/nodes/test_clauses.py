"""The clauses that are left: the smallest only, and who has become a suspect since last time."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.nodes.clauses import Clauses


def test_a_clause_that_holds_another_is_dropped_and_its_other_members_are_released() -> None:
    clauses = Clauses()
    clauses.put(1, {0, 1, 2, 3})
    assert clauses.take() == ([0, 1, 2, 3], [])
    clauses.put(2, {0, 1})
    assert list(clauses.all()) == [frozenset({0, 1})]
    assert clauses.take() == ([], [2, 3])


def test_a_clause_that_says_no_more_than_another_is_not_kept() -> None:
    clauses = Clauses()
    clauses.put(1, {0, 1})
    clauses.put(2, {0, 1, 2})
    clauses.put(3, {0, 1})
    assert list(clauses.all()) == [frozenset({0, 1})]
    assert clauses.suspects == {0: 1, 1: 1}


def test_who_comes_and_goes_between_two_looks_has_not_changed() -> None:
    clauses = Clauses()
    clauses.put(1, {4, 5})
    clauses.drop(1)
    assert clauses.take() == ([], [])
    clauses.drop(7)
    assert clauses.take() == ([], [])


def test_a_node_knows_its_clauses() -> None:
    clauses = Clauses()
    clauses.put(2, {1, 2})
    clauses.put(1, {0, 1})
    assert list(clauses.of(1)) == [frozenset({0, 1}), frozenset({1, 2})]
    assert list(clauses.of(9)) == []


@given(
    st.lists(
        st.tuples(st.integers(0, 4), st.sets(st.integers(0, 6), min_size=2), st.booleans()),
        max_size=20,
    )
)
def test_none_ever_holds_another_and_suspects_are_counted(
    changes: list[tuple[int, set[int], bool]],
) -> None:
    clauses, named = Clauses(), set[int]()
    for test, nodes, is_put in changes:
        if is_put:
            clauses.put(test, nodes)
        else:
            clauses.drop(test)
        kept = list(clauses.all())
        assert not any(one < other for one in kept for other in kept)
        assert len({*kept}) == len(kept)
        counts = {node: sum(node in each for each in kept) for each in kept for node in each}
        assert clauses.suspects == counts
        more, fewer = clauses.take()
        assert named.isdisjoint(more) and named.issuperset(fewer)
        named = named - {*fewer} | {*more}
        assert named == {*counts}


def test_clauses_are_counted_by_size() -> None:
    clauses = Clauses()
    clauses.put(1, {0, 1, 2})
    clauses.put(2, {2, 3})
    clauses.put(3, {0, 1})
    assert +clauses.sizes == {2: 2}
    clauses.drop(2)
    assert +clauses.sizes == {2: 1}


def test_the_same_clause_may_come_back_by_another_test() -> None:
    clauses = Clauses()
    clauses.put(1, {0, 1})
    clauses.put(2, {0, 1})
    clauses.drop(1)
    clauses.put(2, {0, 1})
    assert list(clauses.all()) == [frozenset({0, 1})]
    assert clauses.suspects == {0: 1, 1: 1}
