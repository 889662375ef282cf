from __future__ import annotations

from typing import cast

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.explain.test_why import short_of_blocks
from tests.engine.batching.play import ACTS, OPTIONS, Act, Play, filmed
from tests.engine.batching.table import Letters
from tests.engine.batching.told import Told

from batchtui.engine.batching.explain import starvation
from batchtui.engine.batching.explain.dead_stops import Tokens
from batchtui.engine.batching.explain.finding import Lint
from batchtui.engine.batching.explain.idleness import LOOK
from batchtui.engine.batching.explain.lints import lints_of, run_lints
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.policies import Candidate, Fcfs, Key, Priority
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.timeline import Timeline
from batchtui.engine.errors import InvariantError


def found(told: Told) -> list[Lint]:
    return lints_of(told.view, told.history)


def one(told: Told) -> Lint:
    (lint,) = found(told)
    return lint


def test_a_run_without_faults_has_no_lints() -> None:
    told = Told(max_num_seqs=2, num_gpu_blocks=8)
    for index in range(4):
        told.submit(f"r{index}", index=index, max_tokens=3)
    while told.recorder.status == "ready":
        told.step()
        assert found(told) == []
    assert run_lints(told.timeline) == []


def test_idle_slots_behind_a_head_that_does_not_fit_are_one_finding() -> None:
    told = short_of_blocks()
    told.step()
    lint = one(told)
    assert (lint.kind, lint.request_id, lint.slots) == ("head-of-line", "r2", (1, 2, 3))
    assert (lint.since, lint.steps, lint.others) == (0, 2, ("r3",))
    assert lint.words == (
        "slots 1-3 idle 2 steps while 3 wait: head r2 needs 4 kv, 2 free; r3 would fit"
    )


def test_where_nobody_behind_would_fit_the_slots_are_only_idle() -> None:
    told = Told(max_num_seqs=2, num_gpu_blocks=8)
    told.submit("r0", index=0, prompt=80, max_tokens=16)
    told.submit("r1", index=1, prompt=80, max_tokens=16)
    told.step()
    lint = one(told)
    assert (lint.kind, lint.others) == ("idle-slot", ())
    assert lint.words == "slot 1 idle 1 step while 1 wait: head r1 needs 6 kv, 2 free"


def test_slots_count_from_when_somebody_waited_for_them() -> None:
    told = Told(max_num_seqs=3, num_gpu_blocks=8)
    told.submit("r0", index=0, prompt=80, max_tokens=16)
    for _ in range(4):
        told.step()
    told.submit("r1", index=1, prompt=80, max_tokens=16)
    told.step()
    told.step()
    assert one(told).words.startswith("slots 1-2 idle 2 steps while 1 wait")


def test_slots_that_have_been_idle_for_unequal_times_are_told_apart() -> None:
    told = Told(max_num_seqs=3, num_gpu_blocks=8)
    told.submit("r0", index=0, prompt=64, max_tokens=16)
    told.submit("r1", index=1, prompt=8, max_tokens=8)
    told.submit("r2", index=2, prompt=80, max_tokens=16)
    told.step({"r1": "."})
    told.step()
    assert one(told).words.startswith("slot 2 idle 2 steps, slot 1 idle 1 step while 1 wait")


def test_full_slots_are_how_batching_works() -> None:
    told = Told(max_num_seqs=1)
    for index in range(3):
        told.submit(f"r{index}", index=index)
    told.step()
    assert found(told) == []


def test_only_the_first_behind_the_head_are_looked_at() -> None:
    class Counting(Fcfs):
        asked = 0

        def key(self, candidate: Candidate) -> Key:
            self.asked += 1
            return super().key(candidate)

    policy = Counting()
    told = Told(max_num_seqs=2, num_gpu_blocks=8, policy=policy)
    told.submit("r0", index=0, prompt=64, max_tokens=16)
    told.submit("big", index=1, prompt=80, max_tokens=16)
    for index in range(2, 2 * LOOK):
        told.submit(f"r{index}", index=index, prompt=8, max_tokens=8)
    told.step()
    told.view.first_waiting(1)
    policy.asked = 0
    assert len(one(told).others) == LOOK
    assert policy.asked == 0


def passing_by(count: int) -> Told:
    told = Told(max_num_seqs=1, policy=Priority())
    told.submit("r0", index=0, max_tokens=1)
    told.submit("late", index=1, priority=9)
    told.step()
    for index in range(count):
        told.submit(f"n{index}", index=index + 2, max_tokens=1)
        told.step()
    return told


def test_one_that_many_have_passed_starves() -> None:
    assert found(passing_by(starvation.MANY_PASSES - 1)) == []
    lint = one(passing_by(starvation.MANY_PASSES))
    assert (lint.kind, lint.request_id, lint.since) == ("starvation", "late", 0)
    assert lint.words == "late has waited 0ms: 16 that arrived later were admitted before it"


def waiting_long(us: int) -> Told:
    """Ten that waited for 50 ms each, then one that waits behind a full table."""
    told = Told(max_num_seqs=1)
    for index in range(starvation.LEAST_SAMPLE):
        told.submit(f"r{index}", index=index, arrival_us=0, max_tokens=1)
        told.step(now=50_000)
    told.submit("long", index=90, max_tokens=99, arrival_us=50_000)
    told.submit("late", index=91, arrival_us=50_000)
    told.step(now=50_000)
    told.step(now=50_000 + us)
    return told


def test_one_that_waits_far_longer_than_is_typical_starves() -> None:
    assert found(waiting_long(999_000)) == []
    lint = one(waiting_long(1_000_000))
    assert lint.words == "late has waited 1s: the median of the last waits is 50ms"


def test_few_waits_have_no_median() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0)
    told.submit("r1", index=1)
    told.step()
    told.step(now=60_000_000)
    assert found(told) == []


def test_a_head_that_leaves_slots_idle_is_not_told_of_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(starvation, "MANY_PASSES", 0)
    assert [lint.kind for lint in found(short_of_blocks())] == ["head-of-line"]


def test_dead_stops_of_whoever_runs_and_waits_are_found() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0, stop=("a", "ab"))
    told.submit("r1", index=1, stop=("a", "ab"))
    told.submit("r2", index=2, stop_token_ids=(0,))
    told.step({"r0": "c"})
    first, second = lints_of(told.view, told.history, Tokens.of(Letters()))
    assert (first.request_id, first.others) == ("r0", ("r1",))
    assert second.words == "stop token 0 is EOS, which ends the output anyway (r2)"


def test_an_id_that_is_used_again_has_its_own_stops() -> None:
    told = Told(max_num_seqs=1)
    told.submit("r0", index=0, stop=("a", "ab"))
    told.step({"r0": "."})
    told.submit("r0", index=1)
    told.step()
    assert found(told) == []


def test_a_whole_run_has_each_finding_once_with_its_span() -> None:
    told = short_of_blocks()
    told.submit("r9", index=9, stop=("b", "bb"), prompt=8, max_tokens=8, arrival_us=9_000)
    for _ in range(3):
        told.step()
    told.step({"r1": "."})
    while told.recorder.status == "ready":
        told.step()
    costliest, first, last = run_lints(told.timeline)
    assert (costliest.kind, costliest.request_id) == ("head-of-line", "r4")
    assert (first.kind, first.request_id) == ("head-of-line", "r2")
    assert (first.since, first.until, first.steps, first.cost) == (0, 4, 5, 15)
    assert first.words == (
        "slots 1-3 idle 5 steps while 4 wait: head r2 needs 4 kv, 2 free; r3 r9 would fit"
    )
    assert costliest.cost > first.cost > last.cost == 0
    assert (last.kind, last.request_id, last.until) == ("dead-stop", "r9", told.timeline.step)


def test_one_that_starved_is_found_after_it_has_run() -> None:
    told = passing_by(starvation.MANY_PASSES + 4)
    while told.recorder.status == "ready":
        told.step()
    assert found(told) == []
    (lint,) = run_lints(told.timeline)
    assert (lint.kind, lint.since, lint.until) == ("starvation", 0, 20)
    assert "20 that arrived later" in lint.words


def test_a_run_that_has_not_begun_has_no_lints() -> None:
    assert run_lints(Told(max_num_seqs=1).timeline) == []


def test_lints_of_another_system_are_refused() -> None:
    class Other:
        history = None

    with pytest.raises(InvariantError, match="NoneType"):
        run_lints(cast(Timeline[BatchView], Other()))


@settings(max_examples=60)
@given(acts=ACTS, by_priority=st.booleans(), options=OPTIONS)
def test_a_whole_run_costs_what_its_steps_cost(
    acts: list[Act], by_priority: bool, options: dict[str, int]
) -> None:
    timeline = filmed(Play(by_priority=by_priority, **options), acts).timeline
    history = timeline.history
    assert isinstance(history, BatchHistory)
    cost, heads = 0, set()
    for turn in range(1, timeline.num_turns + 1):
        idle = [lint for lint in lints_of(timeline.view_at(turn), history) if lint.slots]
        assert len(idle) <= 1
        if idle and timeline.record(turn).phase == "admit":
            cost += len(idle[0].slots)
            heads.add(idle[0].request_id)
    found = [lint for lint in run_lints(timeline) if lint.slots]
    assert sum(lint.cost for lint in found) == cost
    assert {lint.request_id for lint in found} == heads
