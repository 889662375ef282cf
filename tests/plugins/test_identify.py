"""``identify``, as a caller sees it: his nodes, his callable, and proofs that he can check."""

from __future__ import annotations

import asyncio
import inspect
import os
import re
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from threading import Barrier, Event, get_ident
from typing import Any

import anyio
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.plugins.cluster import Cluster

import batchtui
from batchtui.engine.errors import InputError, WorkError
from batchtui.engine.machine import Event as Decision
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.probe import ProbeResult
from batchtui.engine.nodes.strategies.named import STRATEGIES
from batchtui.plugins.identified import Identified
from batchtui.plugins.identify import identify, identify_async

PATIENCE_S = 20

EACH_STRATEGY = pytest.mark.parametrize("strategy", STRATEGIES)
REPEATABLE = settings(
    derandomize=True,
    database=None,
    deadline=None,
    max_examples=60,
    suppress_health_check=[HealthCheck.too_slow],
)
SOME_BAD = st.integers(2, 9).flatmap(
    lambda count: st.tuples(st.just(count), st.sets(st.integers(0, count - 1)))
)


def check(found: Identified[int], count: int, bad: set[int]) -> None:
    """What is said is true and complete, and each proof holds by the raw tests alone."""
    if count - len(bad) >= 2:
        assert (found.bad, found.undetermined) == (sorted(bad), [])
        assert found.good == sorted(set(range(count)) - bad)
        assert found.ended == "identified"
    else:
        assert (found.good, found.bad, found.undetermined) == ([], [], [*range(count)])
        assert found.at_most_one_good
        assert (found.ended, found.pairs_left) == ("at_most_one_good", 0)
    assert (found.first_error, found.contradictions) == (None, [])
    assert (found.bound_tests or 0) <= found.tests == len(found.trials)
    assert (found.bound_rounds or 0) <= found.rounds
    for node in range(count):
        check_proof(found, node, bad)


def check_proof(found: Identified[int], node: int, bad: set[int]) -> None:
    proof = found.proof(node)
    if node in found.undetermined:
        assert (proof.verdict, proof.test, proof.cleared_by) == ("undetermined", None, {})
        return
    assert proof.test is not None
    assert node in proof.test.nodes
    assert proof.test == next(trial for trial in found.trials if trial.id == proof.test.id)
    assert proof.test.verdict == ("pass" if bad.isdisjoint(proof.test.nodes) else "fail")
    assert proof.verdict == ("good" if proof.test.verdict == "pass" else "bad")
    assert (node in found.bad) == (proof.verdict == "bad")
    others = set(proof.test.nodes) - {node} if proof.verdict == "bad" else set()
    assert set(proof.cleared_by) == others
    for other, trial in proof.cleared_by.items():
        assert (other in trial.nodes, trial.verdict) == (True, "pass")


def test_a_broken_rule_would_be_seen() -> None:
    cluster = Cluster([])
    cluster.begin([1, 2])
    with pytest.raises(WorkError) as seen:
        identify([1, 2], cluster, max_parallel=1)
    assert isinstance(seen.value.__cause__, AssertionError)


# What is found, in every way of running.


@EACH_STRATEGY
@REPEATABLE
@given(cluster=SOME_BAD)
def test_every_bad_node_is_found_and_proven_in_the_callers_thread(
    strategy: str, cluster: tuple[int, set[int]]
) -> None:
    count, bad = cluster
    test = Cluster(bad)
    found = identify(range(count), test, strategy=strategy, max_parallel=1)
    check(found, count, bad)
    assert test.threads == {get_ident()}
    assert len(test.asked) == found.tests


@EACH_STRATEGY
@REPEATABLE
@given(cluster=SOME_BAD)
def test_every_bad_node_is_found_and_proven_in_tasks(
    strategy: str, cluster: tuple[int, set[int]]
) -> None:
    count, bad = cluster
    test = Cluster(bad)
    check(identify(range(count), test.asynchronously, strategy=strategy), count, bad)
    assert test.threads == {get_ident()}


@EACH_STRATEGY
@settings(REPEATABLE, max_examples=15)
@given(cluster=SOME_BAD)
def test_every_bad_node_is_found_and_proven_in_threads(
    strategy: str, cluster: tuple[int, set[int]]
) -> None:
    count, bad = cluster
    test = Cluster(bad)
    check(identify(range(count), test, strategy=strategy), count, bad)
    assert get_ident() not in test.threads


def test_nodes_are_any_hashables_and_come_back_in_order() -> None:
    nodes = [("rack", number) for number in (7, 3, 5, 1, 9)]
    found = identify(nodes, Cluster([("rack", 3), ("rack", 1)]), max_parallel=1)
    assert found.bad == [("rack", 3), ("rack", 1)]
    assert found.good == [("rack", 7), ("rack", 5), ("rack", 9)]


def test_plain_tests_overlap() -> None:
    together = Barrier(4)

    def test(nodes: list[int]) -> bool:
        together.wait(PATIENCE_S)
        return True

    found = identify(range(8), test, strategy="fewest-rounds")
    assert (found.good, found.tests, found.rounds) == ([*range(8)], 4, 1)


def test_asynchronous_tests_overlap() -> None:
    begun, all_begun = list[Sequence[int]](), anyio.Event()

    async def test(nodes: list[int]) -> bool:
        begun.append(nodes)
        if len(begun) == 4:
            all_begun.set()
        await all_begun.wait()
        return True

    assert identify(range(8), test, strategy="fewest-rounds").rounds == 1


@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_more_run_at_once_than_may(most: int) -> None:
    running, highest = list[int](), list[int]()

    async def test(nodes: list[int]) -> bool:
        running.append(1)
        highest.append(len(running))
        await anyio.lowlevel.checkpoint()
        running.pop()
        return 3 not in nodes

    found = identify(range(12), test, strategy="fewest-rounds", max_parallel=most)
    assert (found.bad, max(highest)) == ([3], most)


def test_a_test_may_return_an_awaitable_without_being_a_coroutine_function() -> None:
    cluster = Cluster({4})

    def test(nodes: list[int]) -> Awaitable[bool]:
        return cluster.asynchronously(nodes)

    for most in (None, 1):
        found = identify(range(6), test, max_parallel=most)
        assert found.bad == [4]


def test_a_result_tells_why() -> None:
    def test(nodes: list[int]) -> ProbeResult:
        is_slow = 2 in nodes
        return ProbeResult(
            verdict="fail" if is_slow else "pass", reason="below_floor" if is_slow else ""
        )

    proof = identify(range(6), test, max_parallel=1).proof(2)
    assert proof.test is not None
    assert proof.test.reason == "below_floor"


# What goes wrong.


def raising(bad: set[int], error: Exception) -> Callable[[list[int]], bool]:
    """Raises where a node is bad."""

    def test(nodes: list[int]) -> bool:
        if not bad.isdisjoint(nodes):
            raise error
        return True

    return test


@pytest.mark.parametrize("most", [1, None])
def test_an_exception_accuses_nobody_and_is_kept(most: int | None) -> None:
    error = ValueError("no such host")
    found = identify(range(6), raising({4}, error), max_parallel=most, strategy="fewest-rounds")
    assert (found.good, found.bad, found.undetermined) == ([0, 1, 2, 3, 5], [], [4])
    assert found.first_error is error
    assert "no test that it was in proves anything" in found.why(4)


def test_a_test_that_raised_once_is_made_again() -> None:
    raised = list[int]()

    async def test(nodes: list[int]) -> bool:
        if not raised:
            raised.append(1)
            raise OSError("flaky")
        return 2 not in nodes

    found = identify(range(6), test)
    assert found.bad == [2]
    assert isinstance(found.first_error, OSError)


@pytest.mark.parametrize("count", [2, 3, 20])
@pytest.mark.parametrize("most", [1, None])
@EACH_STRATEGY
def test_where_nothing_can_be_tested_the_first_exception_is_the_cause(
    count: int, most: int | None, strategy: str
) -> None:
    error = FileNotFoundError("secret")
    test = raising({*range(count)}, error)
    with pytest.raises(WorkError, match=r"none of \d+ tests could be made; .*FileNotFound") as seen:
        identify(range(count), test, max_parallel=most, strategy=strategy)
    assert seen.value.__cause__ is error
    assert "secret" not in str(seen.value)


def test_where_every_test_is_inconclusive_that_is_said() -> None:
    with pytest.raises(WorkError, match="each was inconclusive"):
        identify(range(4), lambda nodes: "inconclusive", max_parallel=1)


@pytest.mark.parametrize("most", [1, None])
def test_an_answer_that_is_none_is_the_callers_mistake(most: int | None) -> None:
    with pytest.raises(WorkError, match="a test returned NoneType: want True, False") as seen:
        identify(range(4), lambda nodes: None, max_parallel=most)  # type: ignore[arg-type,return-value]
    assert isinstance(seen.value.__cause__, TypeError)


def test_an_asynchronous_test_that_hangs_is_cancelled_and_has_failed() -> None:
    cancelled = list[list[int]]()

    async def test(nodes: list[int]) -> bool:
        if 3 in nodes:
            try:
                await anyio.sleep_forever()
            finally:
                cancelled.append(nodes)
        return True

    found = identify(range(6), test, timeout_s=0.2)
    assert (found.bad, found.undetermined) == ([3], [])
    proof = found.proof(3)
    assert proof.test is not None
    assert (proof.test.reason, proof.test.duration_s >= 0.2) == ("timeout", True)
    assert "failed (timeout)" in found.why(3)
    assert len(cancelled) == sum(3 in trial.nodes for trial in found.trials)


def test_a_plain_test_that_hangs_is_left_behind_and_has_failed() -> None:
    release = Event()
    try:
        found = identify(
            range(6), lambda nodes: 3 not in nodes or release.wait(PATIENCE_S), timeout_s=0.8
        )
        assert not release.is_set()
        assert found.bad == [3]
    finally:
        release.set()


def test_no_test_begins_that_might_outlast_the_time_budget() -> None:
    asked = list[list[int]]()

    async def test(nodes: list[int]) -> bool:
        asked.append(nodes)
        await anyio.sleep_forever()
        raise AssertionError

    found = identify(
        range(6), test, strategy="anchor", timeout_s=0.05, time_budget_s=0.12, max_parallel=1
    )
    assert (found.ended, found.good, found.bad) == ("time_budget", [], [])
    assert 1 <= len(asked) <= 2
    assert found.pairs_left == 15 - len(asked)
    assert "time budget" in str(found)


def test_what_the_listener_raises_comes_out() -> None:
    def listen(event: Decision) -> None:
        raise LookupError("mine")

    for most in (1, None):
        with pytest.raises(LookupError, match="mine"):
            identify(range(4), Cluster([]), on_event=listen, max_parallel=most)


def test_ctrl_c_does_not_wait_for_plain_tests_that_hang() -> None:
    release = Event()

    def test(nodes: list[int]) -> bool:
        os.kill(os.getpid(), signal.SIGINT)
        return release.wait(PATIENCE_S)

    try:
        with pytest.raises(KeyboardInterrupt):
            identify(range(2), test)
        assert not release.is_set()
    finally:
        release.set()


@pytest.mark.parametrize("most", [1, None])
@pytest.mark.parametrize("way", ["plain", "coroutine", "awaitable"])
def test_ctrl_c_in_a_test_comes_out_as_it_is(way: str, most: int | None) -> None:
    def plain(nodes: list[int]) -> bool:
        raise KeyboardInterrupt

    async def coroutine(nodes: list[int]) -> bool:
        await anyio.lowlevel.checkpoint()
        raise KeyboardInterrupt

    def awaitable(nodes: list[int]) -> Awaitable[bool]:
        return coroutine(nodes)

    tests: dict[str, Any] = {"plain": plain, "coroutine": coroutine, "awaitable": awaitable}
    with pytest.raises(KeyboardInterrupt):
        identify(range(6), tests[way], max_parallel=most)


# What else may be given.


def test_every_decision_is_told_in_order() -> None:
    told = list[Decision]()
    found = identify(range(6), Cluster({1}), on_event=told.append)
    assert [event.seq for event in told] == [*range(1, len(told) + 1)]
    assert isinstance(told[-1], said.SearchEnded)
    assert sum(isinstance(event, said.TestEnded) for event in told) == found.tests


def test_excluded_nodes_are_never_touched() -> None:
    cluster = Cluster({3})
    found = identify("abcdef", cluster, exclude="ce", max_parallel=1)
    assert (found.excluded, found.good) == (["c", "e"], ["a", "b", "d", "f"])
    assert not {"c", "e"} & {node for nodes in cluster.asked for node in nodes}
    assert found.proof("c").verdict == "excluded"
    assert found.why("c") == "c is excluded: it was not to be tested"


def test_a_suspicious_node_is_singled_out_sooner() -> None:
    def tests(priors: dict[int, float]) -> int:
        return identify(range(64), Cluster({21}), priors=priors, max_parallel=1).tests

    assert tests({21: 200.0}) < tests({40: 200.0})


def test_the_same_seed_asks_the_same() -> None:
    first, again = Cluster({5, 6}), Cluster({5, 6})
    for cluster in (first, again):
        identify(range(40), cluster, seed=3, max_parallel=1, confirm=True)
    assert first.asked == again.asked


def test_a_confirmation_tests_again_what_was_found() -> None:
    plain, confirmed = Cluster({5}), Cluster({5})
    identify(range(16), plain, max_parallel=1)
    found = identify(range(16), confirmed, max_parallel=1, confirm=True)
    assert (found.bad, len(found.good)) == ([5], 15)
    assert len(confirmed.asked) > len(plain.asked)
    assert found.proof(5).verdict == "bad"


def test_a_confirmation_acquits_whom_a_false_alarm_accused() -> None:
    cluster, alarms = Cluster({5}), list[list[int]]()

    def test(nodes: list[int]) -> bool:
        if 2 in nodes and not alarms:
            alarms.append(nodes)
            return cluster(nodes) and False
        return cluster(nodes)

    found = identify(range(16), test, max_parallel=1, confirm=True, strategy="anchor")
    assert (found.bad, alarms[0] != []) == ([5], True)
    for node in range(16):
        assert found.proof(node).verdict == ("bad" if node == 5 else "good")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"nodes": "aba"}, "node a is given twice"),
        ({"nodes": [1, "1"]}, "two nodes are called 1"),
        ({"nodes": [1, []]}, "a node is a list: want something hashable"),
        ({"nodes": ["a", ""]}, "a node without a name"),
        ({"exclude": ["z"]}, "exclude has z, which is not among the 4 nodes"),
        ({"priors": {"z": 2.0}}, "priors has z, which is not among the 4 nodes"),
        ({"priors": {"a": 0.0}}, "prior of a is 0: want above 0"),
        ({"max_parallel": 0}, "max_parallel is 0: want 1 or more"),
        ({"timeout_s": 0}, "timeout_s is 0: want seconds, above 0"),
        ({"timeout_s": float("nan")}, "timeout_s is nan"),
        ({"time_budget_s": 5.0}, "time_budget_s needs timeout_s"),
        ({"time_budget_s": 5.0, "timeout_s": 6.0}, "budget of 5 s is shorter than one test"),
        ({"strategy": "fewest-test"}, "did you mean fewest-tests?"),
        ({"strategy": "plan"}, "strategy 'plan' needs a plan: want one of fewest-tests, "),
        ({"nodes": []}, "there are no nodes: want two or more"),
        ({"exclude": "abcd"}, "all 4 nodes are excluded: leave two or more to be tested"),
    ],
)
def test_what_is_wrong_is_said_in_a_line(arguments: dict[str, Any], message: str) -> None:
    given: dict[str, Any] = {"nodes": "abcd", "test": Cluster([])}
    with pytest.raises(InputError, match=re.escape(message)) as seen:
        identify(**given | arguments)
    assert "\n" not in str(seen.value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"test": 5}, "test is a int: want a callable that takes a list of nodes"),
        ({"test": lambda: True}, "test cannot be called with one list of nodes: too many"),
        ({"test": lambda a, b: True}, "with one list of nodes: missing a required argument: 'b'"),
        ({"max_parallel": "2"}, "max_parallel is a str: want a whole number"),
        ({"max_parallel": 1.5}, "max_parallel is a float: want a whole number"),
        ({"seed": "x"}, "seed is a str: want a whole number"),
        ({"timeout_s": "3"}, "timeout_s is a str: want seconds, as a number"),
        ({"time_budget_s": "3", "timeout_s": 1}, "time_budget_s is a str: want seconds"),
        ({"strategy": None}, "strategy is a NoneType: want one of fewest-tests"),
    ],
)
def test_what_is_of_a_wrong_type_is_said_before_anything_is_tested(
    arguments: dict[str, Any], message: str
) -> None:
    cluster = Cluster([])
    given: dict[str, Any] = {"nodes": "abcd", "test": cluster}
    with pytest.raises(TypeError, match=re.escape(message)):
        identify(**given | arguments)
    assert cluster.asked == []


def test_one_node_alone_is_not_tested() -> None:
    found = identify(["a"], Cluster([]))
    assert (found.tests, found.good, found.undetermined) == (0, [], ["a"])
    assert str(found).startswith("NONE FOUND BAD\n")
    assert "1 undetermined: a test needs two nodes" in str(found)
    assert found.why("a").startswith("a is undetermined: a test needs two nodes")


# In an event loop.


def test_in_a_running_loop_it_names_the_one_to_be_awaited() -> None:
    async def main() -> None:
        identify(range(4), Cluster([]))

    with pytest.raises(InputError, match=r"await identify_async\(\)"):
        asyncio.run(main())


@pytest.mark.parametrize("most", [1, None])
def test_it_can_be_awaited(most: int | None) -> None:
    async def main() -> tuple[Identified[int], Identified[int]]:
        plain = await identify_async(range(6), Cluster({2}), max_parallel=most)
        return plain, await identify_async(range(6), Cluster({2}).asynchronously, max_parallel=most)

    assert [found.bad for found in asyncio.run(main())] == [[2], [2]]


def test_whoever_awaits_it_can_cancel_it() -> None:
    ends = list[str]()

    async def test(nodes: list[int]) -> bool:
        try:
            begun.set()
            await anyio.sleep_forever()
        finally:
            ends.append("out")
        raise AssertionError

    async def main() -> None:
        task = asyncio.create_task(identify_async(range(4), test, strategy="fewest-rounds"))
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ends == ["out", "out"]

    begun = anyio.Event()
    asyncio.run(main())


def test_both_take_the_same_and_the_page_has_all_of_it() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "nodes.md").read_text(encoding="utf-8")
    taken = inspect.signature(identify).parameters
    assert inspect.signature(identify_async).parameters == taken
    assert [name for name in taken if f"`{name}`" not in page] == []


def test_the_docstring_and_the_page_name_every_strategy() -> None:
    page = Path(__file__).parents[2].joinpath("docs", "nodes.md").read_text(encoding="utf-8")
    row = next(line for line in page.splitlines() if line.startswith("| `strategy` |"))
    assert [name for name in STRATEGIES if f"`{name}`" not in row] == []
    assert [name for name in STRATEGIES if f"``{name}``" not in (identify.__doc__ or "")] == []


# The package root.


def test_the_root_offers_it_and_loads_it_when_it_is_asked_for() -> None:
    script = (
        "import sys, batchtui\n"
        "assert not [name for name in sys.modules if name.startswith('batchtui.')]\n"
        "assert not {'anyio', 'msgspec', 'asyncio'} & {*sys.modules}\n"
        "print(batchtui.identify(range(4), lambda nodes: 2 not in nodes).bad)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (ran.stdout, ran.stderr) == ("[2]\n", "")


@pytest.mark.parametrize("name", batchtui.__all__)
def test_the_root_has_what_it_says_it_has(name: str) -> None:
    assert getattr(batchtui, name).__name__ == name


def test_the_root_has_nothing_else() -> None:
    with pytest.raises(AttributeError, match="no attribute 'identity'"):
        batchtui.__getattr__("identity")
