from __future__ import annotations

from dataclasses import dataclass

import pytest

from batchtui.engine.batching.policies import (
    Fcfs,
    Policy,
    Priority,
    known_policy,
    known_with,
    name_of,
)
from batchtui.engine.errors import PluginError


@dataclass(frozen=True)
class Asking:
    index: int
    arrival_us: int = 0
    priority: int = 0
    tenant: str = ""
    num_prompt_tokens: int = 0


ALL = [
    Asking(0, arrival_us=20),
    Asking(1, arrival_us=10, priority=5),
    Asking(2, arrival_us=10, priority=-1),
    Asking(3, arrival_us=10, priority=-1),
    Asking(4, arrival_us=30, priority=-1),
]


def order(policy: Policy) -> list[int]:
    return [asking.index for asking in sorted(ALL, key=policy.key)]


def test_first_come_first_served_looks_at_arrival_then_place_alone() -> None:
    assert order(Fcfs()) == [1, 2, 3, 0, 4]


def test_priority_puts_lower_values_first_then_arrival_then_place() -> None:
    assert order(Priority()) == [2, 3, 4, 0, 1]


def test_keys_are_unique() -> None:
    for policy in (Fcfs(), Priority()):
        assert len({policy.key(asking) for asking in ALL}) == len(ALL)


def test_the_policies_of_the_engine_are_known_by_their_names() -> None:
    for kind in (Fcfs, Priority):
        assert isinstance(known_policy(kind.name), kind)
    with pytest.raises(PluginError, match="no policy is called 'lifo': known are fcfs, priority"):
        known_policy("lifo")


def test_a_policy_is_made_once_and_the_one_that_is_there_never() -> None:
    asked: list[str] = []

    def make(name: str) -> Policy:
        asked.append(name)
        return known_policy(name)

    own = Fcfs()
    find = known_with(own, make)
    assert find("fcfs") is own
    assert find("priority") is find("priority")
    assert asked == ["priority"]


def test_a_policy_that_forgot_its_name_is_called_by_its_class() -> None:
    class Nameless:
        newcomers_last = False
        key = Fcfs.key

    assert name_of(Nameless()) == "Nameless"  # type: ignore[arg-type]
    assert name_of(Priority()) == "priority"
