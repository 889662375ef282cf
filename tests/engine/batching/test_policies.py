from __future__ import annotations

from dataclasses import dataclass

from batchtui.engine.batching.policies import Fcfs, Policy, Priority


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
