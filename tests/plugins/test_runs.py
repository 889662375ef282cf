from __future__ import annotations

import pytest

from batchtui.engine.batching.options import Options
from batchtui.engine.batching.policies import Priority
from batchtui.engine.errors import PluginError
from batchtui.engine.machine import Configured
from batchtui.plugins.runs import Run, RunOptions, policy_named, prepare
from batchtui.plugins.workloads import open_workload


@pytest.fixture
def demo() -> Run:
    return prepare(open_workload("demo"), RunOptions(), recorded=True)


def test_policies_are_found_by_the_names_of_their_plugins() -> None:
    assert isinstance(policy_named("priority"), Priority)
    with pytest.raises(PluginError, match="no policy is called 'prioriti': did you mean"):
        policy_named("prioriti")


def test_the_options_of_a_run_can_be_changed_while_it_goes_on(demo: Run) -> None:
    assert demo.recorder is not None
    for _ in range(6):
        demo.simulation.advance()
    demo.recorder.take(Configured(body=Options(max_num_seqs=3, policy="priority")))
    for _ in demo.simulation:
        pass
    assert isinstance(demo.decoder.scheduler.queue.policy, Priority)
    assert len(demo.decoder.scheduler.slots) == demo.decoder.config.max_num_seqs == 3
    assert demo.decoder.status == "done"


def test_a_fault_can_be_injected_into_a_run_of_any_workload(demo: Run) -> None:
    plain = prepare(open_workload("demo"), RunOptions(), recorded=True)
    demo.caller.inject("raise")
    for run in (demo, plain):
        for _ in run.simulation:
            pass
    assert demo.decoder.counters.retried == plain.decoder.counters.retried + 1
