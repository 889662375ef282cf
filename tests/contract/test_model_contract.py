"""Every model that comes with the package holds to what ``plugins/models/contract.py`` asks."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

import pytest

from batchtui.engine.model import Model, Reply, Row
from batchtui.plugins.formats.workload import Script, ScriptToken
from batchtui.plugins.models import contract
from batchtui.plugins.models.contract import Check
from batchtui.plugins.models.function import FunctionModel
from batchtui.plugins.models.scripted import ScriptedModel
from batchtui.plugins.models.simulated import SimulatedConfig, SimulatedModel


def next_tokens(prefixes: list[list[int]]) -> list[list[int]]:
    """None to two bytes that depend on the whole prefix."""
    digests = [hashlib.blake2b(repr(prefix).encode()).digest() for prefix in prefixes]
    return [list(digest[1 : 1 + digest[0] % 3]) for digest in digests]


# As many scripts as the suite has rows; the last two run out before the suite does.
SCRIPTS = [
    Script(calls=tuple((ScriptToken(data=b"w%d" % call),) * (call % 3) for call in range(length)))
    for length in (9, 8, 7, 2, 0)
]

# A model that is added to the package is added here.
MODELS: dict[str, Callable[[], Model]] = {
    "simulated": lambda: SimulatedModel(seed=3),
    "simulated-bursts": lambda: SimulatedModel(config=SimulatedConfig(tokens_per_call=4)),
    "function": lambda: FunctionModel(next_tokens),
    "scripted": lambda: ScriptedModel(dict(enumerate(SCRIPTS))),
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_the_model_holds_to_the_contract(name: str, check: Check) -> None:
    check(MODELS[name]())


class Broken(SimulatedModel):
    """Wrong in one way at a time."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        self.num_calls = 0
        self.eos_token_ids = frozenset({256, 65} if way == "loud eos" else {256})

    def forward(self, rows: Sequence[Row]) -> Reply:
        self.num_calls += 1
        reply = super().forward(rows)
        wrong = {
            "short": Reply(reply.keys[1:], reply.tokens[1:]),
            "floats": Reply(reply.keys, [[1.0] for _ in rows]),  # type: ignore[list-item]
            "counts": Reply(reply.keys, [[self.num_calls] for _ in rows]),
            "crowded": Reply(reply.keys, [[len(rows)] for _ in rows]),
            "in place": Reply(reply.keys, [[place] for place in range(len(rows))]),
            "never empty": Reply([(0, 1, "x")], [[1]]),
        }
        return wrong.get(self.way, reply)


@pytest.mark.parametrize(
    ("way", "check"),
    [
        ("loud eos", contract.check_eos_is_silent),
        ("short", contract.check_keys_are_the_rows),
        ("floats", contract.check_tokens_are_ints),
        ("counts", contract.check_a_call_can_be_repeated),
        ("crowded", contract.check_neighbours_change_nothing),
        ("in place", contract.check_order_changes_nothing),
        ("never empty", contract.check_no_rows_give_no_tokens),
    ],
)
def test_a_check_finds_the_model_that_breaks_it(way: str, check: Check) -> None:
    with pytest.raises(AssertionError):
        check(Broken(way))
