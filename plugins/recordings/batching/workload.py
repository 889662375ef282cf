"""Makes of a recording the workload that it was recorded of, so that a fork can go on from it.

What comes after the recording's end is not known: a fork has the requests that had come by then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from batchtui.engine.batching.decoder import PHASES
from batchtui.engine.batching.request import Request
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.errors import IncomparableError
from batchtui.engine.machine import Aborted, Input, Submitted
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recordings.batching.header import World, config_of, world_of
from batchtui.plugins.recordings.batching.system import BatchRecording
from batchtui.plugins.runs import RunOptions

Steps = list[tuple[int, Callable[[int], Input]]]


def workload_of(recording: BatchRecording) -> tuple[Workload, RunOptions]:
    """The workload of a recording, and the options that it was run with.

    Raises:
        IncomparableError: it keeps no texts.
    """
    header = recording.header
    if header.texts != "full":
        raise IncomparableError("this recording keeps no texts: it can be looked at, not run again")
    world = world_of(header, "line 1")
    requests, steps = _come(recording.turns(), world)
    config = config_of(header, "line 1")
    workload = Workload(
        name=header.workload,
        format="recording",
        # A script of one that had not come yet is not for somebody who is added by hand.
        num_requests=1 + max([-1, *(each.index for each in requests), *world.scripts]),
        requests=lambda: iter(requests),
        backend=header.backend,
        scripts=world.scripts,
        faults=world.faults,
        steps=steps if world.by_steps else None,
    )
    options = RunOptions(
        slots=config.max_num_seqs,
        policy=header.policy,
        seed=header.seed,
        kv_blocks=config.num_gpu_blocks,
        block_size=config.block_size,
        max_model_len=config.max_model_len,
        retries=config.max_retries,
        empty_replies=config.max_empty_replies,
    )
    return workload, options


def _come(turns: Iterable[TurnRecord], world: World) -> tuple[list[Request], Steps]:
    """What came from outside, but for what a person did: requests, and everything by its step."""
    requests: list[Request] = []
    steps: Steps = []
    # A script that says so aborts its request itself, in the flight of a call; before a step's
    # first phase it was somebody else.
    by_script = {index for index, each in world.scripts.items() if each.abort_in_call is not None}
    left_alone: set[str] = set()
    for record in turns:
        for input in record.inputs:
            if input.by_hand:
                continue
            if isinstance(input, Submitted):
                requests.append(input.body)
                steps.append((record.step, _at(input)))
                if input.body.index in by_script:
                    left_alone.add(input.body.request_id)
            elif isinstance(input, Aborted) and (
                record.phase == PHASES[0] or input.target not in left_alone
            ):
                steps.append((record.step, _at(input)))
    return requests, steps


def _at(input: Input) -> Callable[[int], Input]:
    """As a case does it: a request arrives when its step begins, whatever the time is then."""

    def come(now: int) -> Input:
        if isinstance(input, Submitted):
            return replace(input, body=replace(input.body, arrival_us=now))
        return input

    return come
