"""A search is put together from a case or an inventory, the user's word before the case's."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.errors import InputError, PluginError
from batchtui.engine.machine import Event, Replied
from batchtui.engine.nodes import events as said_by
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.ledger import BAD
from batchtui.engine.nodes.report import Report, report_of
from batchtui.plugins.formats.nodes_case import NodesCase, Result
from batchtui.plugins.probes.simulated import SimulatedProbe
from batchtui.plugins.searches import SearchOptions, SearchRun, ledger_of, prepare_search


def options(**said: Any) -> SearchOptions:
    return SearchOptions(**{"strategy": "fewest-rounds", **said})


def case(count: int = 8, **said: Any) -> NodesCase:
    return NodesCase("case.json", numbered(count), **said)


def events_of(run: SearchRun) -> list[Event]:
    return [event for turn in run.simulation for event in turn.events]


def report(run: SearchRun) -> Report:
    events_of(run)
    return report_of(run.search.state)


def test_an_inventory_is_searched_with_what_the_user_said_is_bad() -> None:
    found = report(prepare_search(numbered(8), options(simulated={"bad": (2, 5)})))
    assert (found.findings.bad, found.tests, found.rounds) == ([2, 5], 8, 2)


def test_the_user_comes_before_the_case_and_the_case_before_the_default() -> None:
    written = case(strategy="anchor", max_parallel=2, timeout_s=60.0, seed=5)
    config = prepare_search(written, SearchOptions()).config
    assert (config.strategy, config.max_parallel, config.timeout_us, config.seed) == (
        "anchor",
        2,
        60_000_000,
        5,
    )
    said = options(max_parallel=3, timeout_s=50.0, seed=6, time_budget_s=600.0)
    config = prepare_search(written, said).config
    assert (config.strategy, config.max_parallel, config.timeout_us, config.seed) == (
        "fewest-rounds",
        3,
        50_000_000,
        6,
    )
    assert config.time_budget_us == 600_000_000


def test_times_are_those_of_the_probe_and_what_the_search_expects() -> None:
    run = prepare_search(case(simulated={"pass_s": 9.0}), options(fail_s=20.0))
    assert isinstance(run.probe, SimulatedProbe)
    assert (run.probe.config.pass_s, run.probe.config.fail_s) == (9, 20)
    assert (run.config.pass_us, run.config.fail_us) == (9_000_000, 20_000_000)
    assert report(run).makespan_s == 9


def test_times_that_the_probe_is_told_of_are_what_the_search_expects() -> None:
    config = prepare_search(case(), options(probe="simulated:pass_s=7,fail_s=9")).config
    assert (config.pass_us, config.fail_us) == (7_000_000, 9_000_000)


def test_slow_nodes_may_run_into_the_timeout() -> None:
    slow = {"slow": (2,), "slow_factor": 9.0}
    found = report(prepare_search(case(simulated=slow), options())).findings
    assert (found.bad, found.undetermined) == ([2], [])


def test_excluded_nodes_of_case_and_user_are_never_touched() -> None:
    shut = case(simulated={"bad": (2,)})
    run = prepare_search(shut, options(exclude=(2, 3)))
    planned = [event for event in events_of(run) if isinstance(event, said_by.TestPlanned)]
    assert {node for event in planned for node in event.nodes} == {0, 1, 4, 5, 6, 7}
    assert report_of(run.search.state).findings.undetermined == []


def test_a_plan_is_run_as_it_is_with_a_barrier_between_its_rounds() -> None:
    plan = (((0, 1), (2, 3, 4)), ((1, 2),))
    run = prepare_search(case(plan=plan, simulated={"bad": (4,), "fail_s": 90.0}), SearchOptions())
    planned = [event for event in events_of(run) if isinstance(event, said_by.TestPlanned)]
    assert [(each.nodes, each.round, each.at) for each in planned] == [
        ((0, 1), 1, 0),
        ((2, 3, 4), 1, 0),
        ((1, 2), 2, 90_000_000),
    ]
    assert report_of(run.search.state).findings.undetermined == [3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        (((4,),), "set_too_small"),
        (((0, 1), (1, 2)), "overlapping_tests"),
        (((0, 0),), "overlapping_tests"),
        (((0, 8),), "unknown_node"),
        (((0, 3),), "node_excluded"),
    ],
)
def test_a_plan_that_breaks_a_rule_is_refused_before_launch(plan: Any, code: str) -> None:
    with pytest.raises(InputError, match=r"^plan round 2: ") as raised:
        prepare_search(case(plan=((), plan)), SearchOptions(exclude=(3,)))
    assert raised.value.code == code


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"strategy": "fewest"}, "no strategy 'fewest': did you mean"),
        ({"strategy": "plan"}, "'plan' without a plan"),
        ({"time_budget_s": 5.0}, "the time budget of 5 s is shorter"),
        ({"probe": "nobody"}, "no probe is called 'nobody': installed: simulated"),
        ({"probe": "gloo", "simulated": {"bad": (1,)}}, "bad are for the simulated probe"),
        ({"probe": "simulated:bed"}, "no option bed: did you mean bad"),
        (
            {"exclude": tuple(range(8))},
            "nothing is left to be tested: every one of 8 nodes is excluded",
        ),
        ({"timeout_s": 30.0}, "takes 40 s, and one of 30 s has failed: healthy nodes would be"),
        ({"timeout_s": 40.0}, "takes 40 s, and one of 40 s has failed"),
        ({"pass_s": 200.0}, "takes 200 s, and one of 120 s has failed: .* want a longer timeout"),
        ({"simulated": {"jitter": 0.5}, "pass_s": 90.0}, "90 s, 135 s with a jitter of 0.5, and"),
        ({"probe": "simulated:pass_s=121"}, "takes 121 s, and one of 120 s"),
        ({"fail_s": 121.0}, "a test that fails takes 121 s, and its timeout is 120 s: want"),
        ({"simulated": {"fail_s": 90.0}, "timeout_s": 60.0}, "fails takes 90 s"),
    ],
)
def test_options_that_make_no_sense_are_refused(said: dict[str, Any], words: str) -> None:
    with pytest.raises((InputError, PluginError), match=words):
        prepare_search(case(), options(**said))


def test_a_plan_and_a_strategy_of_the_user_are_refused() -> None:
    with pytest.raises(InputError, match="leaves no room for a strategy"):
        prepare_search(case(plan=(((0, 1),),)), options())


class Real(SimulatedProbe):
    real = True


def test_a_probe_of_real_hosts_does_not_run_on_the_virtual_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("batchtui.plugins.searches.open_probe", lambda spec, options: Real())
    with pytest.raises(InputError, match="tests real hosts"):
        prepare_search(case(), options(probe="real"))


def test_a_ledger_is_thought_about() -> None:
    ledger = ledger_of(case(3, ledger=(Result((0, 1), "fail"), Result((0, 2), "pass"))))
    assert ledger.nodes_of(BAD) == [1]
    assert (ledger.proof(1) or 0) == (1, {0: 2})


def test_a_late_reply_is_not_taken_for_that_of_the_next_attempt() -> None:
    run = prepare_search(numbered(2), options(timeout_s=50.0), observed=True)
    run.performer.inject("inconclusive")
    run.performer.inject("hang")
    again = run.performer
    kinds: list[bool] = []

    def perform(work: Any) -> Any:
        kinds.append(True)
        outcome = list(again(work))
        if len(kinds) == 1:  # the first attempt says later, once more, that it passed
            passed = run.probe.test(work.spec)
            delay = outcome[0][0]
            late = Replied(work=work.id, body=passed, final=False, late=True)
            outcome.append((delay + 1_000, late))
        return outcome

    run.simulation._perform = perform
    events = events_of(run)
    assert [type(event) for event in events].count(said_by.ReplyDiscarded) == 1
    assert report_of(run.search.state).findings.good == []


@settings(deadline=None, max_examples=25)
@given(
    st.frozensets(st.integers(0, 7)),
    st.lists(st.sampled_from(["fail", "late", "duplicate", "inconclusive", "raise", "hang"])),
    st.integers(0, 40),
)
def test_a_past_is_repeated_to_the_letter_by_another_probe(
    bad: frozenset[int], faults: list[str], kept: int
) -> None:
    said = options(simulated={"bad": tuple(bad), "jitter": 0.5}, max_parallel=2)
    first, records = prepare_search(numbered(8), said, recorded=True), list[TurnRecord]()
    for kind in faults:
        first.performer.inject(kind)
    assert first.recorder is not None
    first.recorder.watch = records.append
    turns = list(first.simulation)
    again = prepare_search(numbered(8), said, recorded=True, past=records, probe=SimulatedProbe())
    for kind in faults:
        again.performer.inject(kind)
    assert list(again.simulation) == turns
    half = prepare_search(
        numbered(8), said, recorded=True, past=records[:kept], probe=SimulatedProbe()
    )
    for kind in faults:
        half.performer.inject(kind)
    repeated = [turn for turn, _ in zip(half.simulation, range(kept), strict=False)]
    assert repeated == turns[: len(repeated)]
    assert len(repeated) == min(kept, len(turns))
