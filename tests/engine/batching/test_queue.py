from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchtui.engine.batching.policies import Candidate, Fcfs, Key, Policy, Priority
from batchtui.engine.batching.queue import Queue
from batchtui.engine.errors import PluginError


@dataclass(eq=False)
class Waits:
    index: int
    arrival_us: int
    priority: int
    tenant: str = ""
    num_prompt_tokens: int = 0
    key_in_queue: Key | None = None


_MOVES = st.lists(
    st.one_of(
        st.tuples(st.just("push"), st.integers(0, 9), st.integers(-2, 2)),
        st.tuples(st.just("take"), st.just(0), st.just(0)),
        st.tuples(st.just("remove"), st.integers(0, 100), st.just(0)),
    ),
    max_size=120,
)


@settings(max_examples=200)
@given(moves=_MOVES, policy=st.sampled_from([Fcfs(), Priority()]), count=st.integers(0, 12))
def test_its_order_is_that_of_sorting_by_key(
    moves: list[tuple[str, int, int]], policy: Policy, count: int
) -> None:
    queue: Queue[Waits] = Queue(policy)
    waiting: list[Waits] = []
    for number, (move, value, priority) in enumerate(moves):
        if move == "push":
            entry = Waits(number, value, priority)
            queue.push(entry)
            waiting.append(entry)
        elif waiting:
            gone = queue.head() if move == "take" else waiting[value % len(waiting)]
            assert gone is not None
            queue.remove(gone)
            waiting.remove(gone)
        waiting.sort(key=policy.key)
        assert queue.head() is (waiting[0] if waiting else None)
        assert len(queue) == len(waiting)
        assert queue.first(count) == waiting[:count]
        assert sorted(queue, key=policy.key) == waiting


@settings(max_examples=200)
@given(moves=_MOVES, priorities=st.lists(st.booleans(), min_size=1, max_size=8))
def test_another_policy_puts_those_who_wait_into_its_own_order(
    moves: list[tuple[str, int, int]], priorities: list[bool]
) -> None:
    queue: Queue[Waits] = Queue(Fcfs())
    waiting: list[Waits] = []
    for number, (move, value, priority) in enumerate(moves):
        if move == "push":
            waiting.append(Waits(number, value, priority))
            queue.push(waiting[-1])
        elif move == "remove" and waiting:
            queue.remove(waiting.pop(value % len(waiting)))
        else:
            by_priority = priorities[number % len(priorities)]
            queue.order_by(Priority() if by_priority else Fcfs())
        waiting.sort(key=queue.policy.key)
        assert [entry.key_in_queue for entry in waiting] == list(map(queue.policy.key, waiting))
        assert queue.first(9) == waiting[:9]
        assert queue.head() is (waiting[0] if waiting else None)
        assert len(queue) == len(waiting)


def test_a_policy_without_a_key_leaves_the_order_as_it_was() -> None:
    queue: Queue[Waits] = Queue(Fcfs())
    for number in (2, 1):
        queue.push(Waits(number, number, 0))
    with pytest.raises(PluginError, match="policy odd has no key: KeyError"):
        queue.order_by(Odd(KeyError("secret")))
    assert [entry.index for entry in queue.first(9)] == [1, 2]
    assert queue.policy.name == "fcfs"


def test_equal_keys_of_another_policy_go_in_the_order_of_their_coming() -> None:
    queue: Queue[Waits] = Queue(Priority())
    for number in (3, 1, 2):
        queue.push(Waits(number, 0, number))
    queue.order_by(Odd(()))
    assert [entry.index for entry in queue.first(9)] == [3, 1, 2]


def test_requests_that_leave_from_the_middle_do_not_pile_up() -> None:
    queue: Queue[Waits] = Queue(Priority())
    head = Waits(0, 0, -99)
    queue.push(head)
    for number in range(1, 20_000):
        passing = Waits(number, number, number % 7 - 3)
        queue.push(passing)
        queue.remove(passing)
    assert len(queue) == 1
    assert len(queue._run) + len(queue._heap) <= 2 * len(queue) + 65
    assert queue.head() is head


def test_an_entry_knows_its_key_only_while_it_waits() -> None:
    queue, entry = Queue[Waits](Fcfs()), Waits(3, 7, 0)
    queue.push(entry)
    assert entry.key_in_queue == (7, 3)
    queue.remove(entry)
    assert entry.key_in_queue is None


def test_arrivals_in_order_cost_no_heap() -> None:
    queue: Queue[Waits] = Queue(Fcfs())
    for number in range(1000):
        queue.push(Waits(number, number, 0))
    assert not queue._heap


class Odd:
    """A policy that is wrong in one way."""

    name = "odd"
    newcomers_last = False

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def key(self, candidate: Candidate) -> Any:  # Any: it answers what a policy must not
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer


@pytest.mark.parametrize("answer", [None, 3, KeyError("secret")])
def test_a_policy_without_a_key_is_named(answer: Any) -> None:
    queue: Queue[Waits] = Queue(Odd(answer))
    with pytest.raises(PluginError, match="policy odd has ") as raised:
        queue.push(Waits(0, 0, 0))
    assert "secret" not in str(raised.value)


def test_equal_keys_go_in_the_order_of_their_coming() -> None:
    queue: Queue[Waits] = Queue(Odd(()))
    entries = [Waits(index, 0, 0) for index in range(100)]
    for each in entries:
        queue.push(each)
    for each in entries[:70]:
        queue.remove(each)
    assert queue.first(3) == entries[70:73]
    assert queue.head() is entries[70]
    assert len(list(queue)) == 30
