"""What every probe must hold to, as plain functions: the suite that a plugin's author runs.

Each check takes a ``Subject``, a probe with nodes of which the answer is known, and raises
``AssertionError`` with what was seen. With pytest:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_contract(check: Check) -> None:
        check(Subject(MyProbe(), good=("h1", "h2", "h3", "h4"), bad=("h5",)))

A search relies on one thing: a test passes if every node in it is good, and fails if any is bad.
``PURE`` is for probes that touch no real host: what they say must depend on the test alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from batchtui.engine.nodes.probe import GroupTest, Probe, ProbeResult
from batchtui.plugins.probes.performer import wrong_with

TIMEOUT_US = 120_000_000


class Subject(NamedTuple):
    """A probe and the names of its nodes: four or more that are good, and perhaps some that are
    bad. The good ones come first in the inventory, then the bad."""

    probe: Probe
    good: tuple[str, ...]
    bad: tuple[str, ...] = ()
    timeout_us: int = TIMEOUT_US

    def asked(self, places: Sequence[int], test: int = 1, attempt: int = 1) -> GroupTest:
        """A test of the nodes at some places."""
        names = self.good + self.bad
        return GroupTest(
            id=test,
            nodes=tuple(places),
            names=tuple(names[place] for place in places),
            attempt=attempt,
            timeout_us=self.timeout_us,
        )

    def tested(self, places: Sequence[int], test: int = 1, attempt: int = 1) -> ProbeResult:
        """What the probe says of the nodes at some places."""
        return self.probe.test(self.asked(places, test, attempt))

    @property
    def sets(self) -> list[list[int]]:
        """Sets of every kind: a good pair, all the good ones, each bad one with a good one."""
        good = list(range(len(self.good)))
        return [good[:2], good, *([0, len(good) + place] for place in range(len(self.bad)))]


Check = Callable[[Subject], None]


def check_says_what_it_is(subject: Subject) -> None:
    """It has a name of one printable line, and says whether it touches real hosts."""
    name: object = subject.probe.name
    _require(isinstance(name, str) and name != "" and name.isprintable(), f"the name is {name!r}")
    real: object = subject.probe.real
    _require(type(real) is bool, f"real is {real!r}: want True or False")


def check_results_are_well_formed(subject: Subject) -> None:
    """A result has a verdict and a reason that there are, and numbers from 0 up; it can be written
    down and read again."""
    for places in subject.sets:
        wrong = wrong_with(subject.tested(places))
        _require(not wrong, f"of {_names(subject, places)}: {wrong}")


def check_reasons_are_for_what_did_not_pass(subject: Subject) -> None:
    """Who passes has no reason not to; who does not has one."""
    for places in subject.sets:
        result = subject.tested(places)
        has_reason = result.reason != ""
        _require(
            has_reason == (result.verdict != "pass"),
            f"{_names(subject, places)}: {result.verdict} with the reason {result.reason!r}",
        )


def check_good_sets_pass(subject: Subject) -> None:
    """A set of good nodes passes, whatever its size."""
    for size in range(2, len(subject.good) + 1):
        result = subject.tested(range(size))
        _require(result.verdict == "pass", f"{size} good nodes: {result.verdict} ({result.reason})")


def check_one_bad_node_fails_a_set(subject: Subject) -> None:
    """A set with a bad node fails, in whatever company and wherever it stands."""
    good = list(range(len(subject.good)))
    for place in range(len(good), len(good) + len(subject.bad)):
        for places in ([0, place], [place, 1], [*good, place], [*good[:2], place, *good[2:]]):
            result = subject.tested(places)
            _require(
                result.verdict == "fail",
                f"{_names(subject, places)}: {result.verdict}: want it to fail",
            )


def check_it_can_be_repeated(subject: Subject) -> None:
    """A test can be made again, under the same id."""
    results = [subject.tested([0, 1], attempt=attempt) for attempt in (1, 2, 3)]
    verdicts = [result.verdict for result in results]
    _require(verdicts == ["pass"] * 3, f"one good pair three times: {verdicts}")


def check_disjoint_sets_can_be_tested_at_once(subject: Subject) -> None:
    """It is called from several threads at once, for sets that share no node."""
    pairs = [[place, place + 1] for place in range(0, len(subject.good) - 1, 2)]
    with ThreadPoolExecutor(len(pairs)) as threads:
        results = list(threads.map(subject.tested, pairs, range(1, len(pairs) + 1)))
    verdicts = [result.verdict for result in results]
    _require(verdicts == ["pass"] * len(pairs), f"good pairs at once: {verdicts}")


def check_same_test_same_result(subject: Subject) -> None:
    """Who is asked the same again says the same, whatever was asked between."""
    before = [subject.tested(places, test) for test, places in enumerate(subject.sets)]
    subject.tested([1, 0], 77, 3)
    again = [subject.tested(places, test) for test, places in enumerate(subject.sets)]
    _require(before == again, f"{before} at first, then {again}")


def check_order_changes_nothing(subject: Subject) -> None:
    """The nodes of a set have no order."""
    for places in subject.sets:
        one, other = subject.tested(places), subject.tested(places[::-1])
        _require(one == other, f"{one} of {_names(subject, places)}, {other} the other way round")


def check_it_says_how_long_it_would_have_taken(subject: Subject) -> None:
    """Where no real time goes by, ``seconds`` says how much would have."""
    for places in subject.sets:
        seconds = subject.tested(places).seconds
        _require(seconds > 0, f"{_names(subject, places)} took {seconds} s: want more than 0")


ANY: tuple[Check, ...] = (
    check_says_what_it_is,
    check_results_are_well_formed,
    check_reasons_are_for_what_did_not_pass,
    check_good_sets_pass,
    check_one_bad_node_fails_a_set,
    check_it_can_be_repeated,
    check_disjoint_sets_can_be_tested_at_once,
)
PURE: tuple[Check, ...] = (
    check_same_test_same_result,
    check_order_changes_nothing,
    check_it_says_how_long_it_would_have_taken,
)
CHECKS = ANY + PURE


def _names(subject: Subject, places: Sequence[int]) -> str:
    return " + ".join(subject.asked(places).names)


def _require(condition: bool, message: str) -> None:
    # Not ``assert``: that is gone under ``python -O``, and rewritten by pytest in tests only.
    if not condition:
        raise AssertionError(message)
