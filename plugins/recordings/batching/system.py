"""Batching, as recordings know it."""

from __future__ import annotations

from batchtui.engine.batching.decoder import PHASES
from batchtui.engine.batching.entries import CODEC, SYSTEM
from batchtui.engine.batching.history import BatchHistory, weigh
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.recording import Header
from batchtui.engine.errors import InputError
from batchtui.plugins.recordings.batching.again import replay_of
from batchtui.plugins.recordings.batching.header import config_of
from batchtui.plugins.recordings.recording import AnyRecording, Recording
from batchtui.plugins.recordings.system import System
from batchtui.plugins.runs import policy_named

BatchRecording = Recording[BatchView, BatchHistory]


def batching_of(recording: AnyRecording, name: str, verb: str) -> BatchRecording:
    """A recording, for a verb that can do something with batching alone.

    Raises:
        InputError: it is one of another system; ``name`` is what the message calls it.
    """
    if recording.header.system != SYSTEM:
        raise InputError(
            f"{name} is a recording of {recording.header.system}: `{verb}` looks into recordings "
            f"of {SYSTEM} alone; see what it came to with `batchtui replay`"
        )
    return recording


def _begun(header: Header, where: str) -> BatchHistory:
    config = config_of(header, where)
    policy = policy_named(header.policy)
    return BatchHistory(config.max_num_seqs, config.num_gpu_blocks, policy, policies=policy_named)


BATCHING = System(
    name=SYSTEM,
    phases=PHASES,
    codec=CODEC,
    begun=_begun,
    replay=replay_of,
    weigh=weigh,
)
