"""Every probe that comes with the package holds to what ``plugins/probes/contract.py`` asks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from batchtui.engine.nodes.probe import GroupTest, ProbeResult
from batchtui.plugins.probes import contract
from batchtui.plugins.probes.contract import Check, Subject
from batchtui.plugins.probes.simulated import SimulatedProbe
from batchtui.plugins.probes.simulated_config import SimulatedConfig

GOOD, BAD = ("h1", "h2", "h3", "h4", "h5", "h6"), ("h7", "h8")


def simulated(**said: Any) -> Subject:
    return Subject(SimulatedProbe(SimulatedConfig(**said)), GOOD, BAD)


# A probe that is added to the package is added here.
SUBJECTS: dict[str, Callable[[], Subject]] = {
    "simulated": lambda: simulated(bad=(6, 7)),
    "simulated-crashes": lambda: simulated(bad=(6,), slow=(7,), fail_s=20, jitter=0.3),
    "simulated-hangs": lambda: simulated(hangs=(6, 7)),
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", SUBJECTS)
def test_the_probe_holds_to_the_contract(name: str, check: Check) -> None:
    check(SUBJECTS[name]())


class Broken(SimulatedProbe):
    """Wrong in one way at a time."""

    def __init__(self, way: str) -> None:
        super().__init__(SimulatedConfig(bad=(6, 7), fail_s=20))
        self.way = way
        self.num_asked = 0
        if way == "nameless":
            self.name = ""
        if way == "perhaps":
            self.real = None  # type: ignore[assignment]

    def test(self, test: GroupTest) -> ProbeResult:
        self.num_asked += 1
        result = super().test(test)
        is_repeated, is_many = test.attempt > 1, len(test.nodes) > 3
        inconclusive = ProbeResult(verdict="inconclusive", reason="startup", seconds=1)
        wrong: dict[str, Any] = {
            "None": None,
            "silent": msgspec.structs.replace(result, reason=""),
            "blind": ProbeResult(verdict="pass", seconds=1),
            "afraid": ProbeResult(verdict="fail", reason="exit_code", seconds=1),
            "once": inconclusive if is_repeated else result,
            "pairs only": inconclusive if is_many else result,
            "counts": msgspec.structs.replace(result, seconds=float(self.num_asked)),
            "in order": msgspec.structs.replace(result, seconds=1.0 + test.nodes[0]),
            "timeless": msgspec.structs.replace(result, seconds=0.0),
            "first only": result if test.nodes[0] < 6 else ProbeResult(verdict="pass", seconds=1),
            "one at a time": result if test.id == 1 else inconclusive,
        }
        found: ProbeResult = wrong.get(self.way, result)
        return found


@pytest.mark.parametrize(
    ("way", "check"),
    [
        ("nameless", contract.check_says_what_it_is),
        ("perhaps", contract.check_says_what_it_is),
        ("None", contract.check_results_are_well_formed),
        ("silent", contract.check_reasons_are_for_what_did_not_pass),
        ("blind", contract.check_one_bad_node_fails_a_set),
        ("first only", contract.check_one_bad_node_fails_a_set),
        ("afraid", contract.check_good_sets_pass),
        ("pairs only", contract.check_good_sets_pass),
        ("once", contract.check_it_can_be_repeated),
        ("one at a time", contract.check_disjoint_sets_can_be_tested_at_once),
        ("counts", contract.check_same_test_same_result),
        ("in order", contract.check_order_changes_nothing),
        ("timeless", contract.check_it_says_how_long_it_would_have_taken),
    ],
)
def test_a_broken_probe_fails_the_check_that_is_for_it(way: str, check: Check) -> None:
    with pytest.raises(AssertionError, match=r"\w"):
        check(Subject(Broken(way), GOOD, BAD))


def test_every_check_finds_somebody_who_breaks_it() -> None:
    marks = test_a_broken_probe_fails_the_check_that_is_for_it.pytestmark  # type: ignore[attr-defined]
    assert {check for _, check in marks[0].args[1]} == set(contract.CHECKS)
