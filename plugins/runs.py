"""Puts a run together: a workload, a model and the options make a decoder on the virtual clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, cast

import msgspec

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.delivery import Listener
from batchtui.engine.batching.policies import Policy
from batchtui.engine.batching.vocabulary import HeardVocabulary
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.errors import InputError, PluginError
from batchtui.engine.machine import Input, Submitted
from batchtui.engine.model import Interruptible, Model
from batchtui.engine.simulate import Feed, Simulation, StepFeed, TimedFeed
from batchtui.plugins.faults import FaultyCaller
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.recall import RecallingCaller
from batchtui.plugins.registry import POLICIES, load, reason

UNIT = "batch"
DEFAULT_SLOTS = 16
DEFAULT_POLICY = "fcfs"
DEFAULT_BACKEND = "simulated"
MAX_WAITING = 4096


class RunOptions(msgspec.Struct, frozen=True, kw_only=True):
    """What the user said of a run; None where the workload or the default decides."""

    backend: str | None = None
    slots: int | None = None
    policy: str | None = None
    seed: int = 0
    kv_blocks: int | None = None
    block_size: int | None = None
    max_model_len: int | None = None
    retries: int | None = None
    empty_replies: int | None = None


class Run(NamedTuple):
    """A run that has not begun."""

    workload: Workload
    model: Model
    policy: Policy
    decoder: Decoder
    simulation: Simulation
    caller: FaultyCaller
    recorder: Recorder | None = None

    @property
    def clock(self) -> str:
        """``measured`` if a call had to be timed, else ``virtual``."""
        return self.caller.clock

    def close(self) -> None:
        """Give back what the model holds. No call may be running."""
        if isinstance(self.model, Interruptible):
            self.model.close()


def prepare(
    workload: Workload,
    options: RunOptions,
    *,
    listener: Listener | None = None,
    observed: bool = True,
    whole_queue: bool = True,
    recorded: bool = False,
    model: Model | None = None,
    past: Iterable[TurnRecord] = (),
) -> Run:
    """Build a run.

    Args:
        workload: what is asked for.
        options: what the user said.
        listener: is given text and results.
        observed: whether events are made.
        whole_queue: whether everybody who has come must stand in the queue, to be looked at. If
            not, those far behind wait in the file, where they cost no memory, provided that this
            changes nothing.
        recorded: whether a recorder stands before the decoder; whoever asks gives it a log.
        model: one that is open already, in place of what the options say.
        past: turns whose replies come as they were recorded, before the model is called.

    Raises:
        InputError, PluginError: an option is out of its range, or names something unknown.
    """
    asked = _config(workload, options)
    policy = _policy(workload, options)
    model = model or _model(workload, options, asked)
    config = _within(asked, model)
    heard = HeardVocabulary(model) if recorded else None
    decoder = Decoder(
        config,
        heard or model,
        policy,
        policies=policy_named,
        listener=listener,
        observed=observed,
        unit=UNIT,
    )
    recorder = Recorder(decoder) if recorded else None
    if heard is not None and recorder is not None:
        heard.note = recorder.note
    feed = _feed(workload, None if whole_queue else _room(workload, decoder, policy))
    perform = FaultyCaller(model, workload.faults, workload.scripts, UNIT)
    if past:
        perform = RecallingCaller(model, workload.faults, workload.scripts, UNIT, past)
    simulation = Simulation(recorder or decoder, perform, feed)
    return Run(workload, model, policy, decoder, simulation, perform, recorder)


def backend_of(workload: Workload, options: RunOptions) -> str:
    """The model that is asked for: what the user said, else the workload, else the default."""
    return options.backend if options.backend is not None else workload.backend or DEFAULT_BACKEND


def _model(workload: Workload, options: RunOptions, config: BatchingConfig) -> Model:
    # Imported here, because whoever only names plugins must import none.
    from batchtui.plugins.models.factory import ModelOptions, open_model  # noqa: PLC0415
    from batchtui.plugins.models.scripted import ScriptedModel  # noqa: PLC0415

    backend = backend_of(workload, options)
    if backend == ScriptedModel.name and workload.scripts:
        return ScriptedModel(workload.scripts)
    asked = ModelOptions(None, options.seed, config.max_num_seqs, config.max_model_len)
    return open_model(backend, asked)


def _policy(workload: Workload, options: RunOptions) -> Policy:
    name = workload.options.get("policy", DEFAULT_POLICY)
    return policy_named(str(name if options.policy is None else options.policy))


def policy_named(name: str) -> Policy:
    """The policy of this name among those that are installed.

    Raises:
        PluginError: there is none, or it cannot be made.
    """
    made = load(POLICIES, name)
    if not isinstance(made, type):
        raise PluginError(f"policy {name!r} is not a class: want one with a key")
    try:
        return cast(Policy, made())
    except (Exception, SystemExit) as error:  # whatever a plugin's own code raises
        raise PluginError(f"policy {name!r} cannot be made: {reason(error)}") from error


def _config(workload: Workload, options: RunOptions) -> BatchingConfig:
    said_by = workload.options
    said = {
        "max_num_seqs": _either(options.slots, said_by.get("slots", DEFAULT_SLOTS)),
        "block_size": _either(options.block_size, said_by.get("block_size")),
        "num_gpu_blocks": _either(options.kv_blocks, said_by.get("num_gpu_blocks")),
        "max_model_len": options.max_model_len,
        "max_retries": options.retries,
        "max_empty_replies": options.empty_replies,
    }
    try:
        return msgspec.convert({k: v for k, v in said.items() if v is not None}, BatchingConfig)
    except msgspec.ValidationError as error:
        raise InputError(str(error)) from error


def _within(config: BatchingConfig, model: Model) -> BatchingConfig:
    """The config, no longer than the model can take."""
    most = _shorter(config.max_model_len, model.max_model_len)
    return msgspec.structs.replace(config, max_model_len=most)


def _either(first: int | None, second: int | str | None) -> int | str | None:
    return second if first is None else first


def _shorter(*bounds: int | None) -> int | None:
    return min((bound for bound in bounds if bound is not None), default=None)


def _feed(workload: Workload, room: Callable[[], int] | None) -> Feed:
    if workload.steps is not None:
        return StepFeed(workload.steps)
    return TimedFeed(_submissions(workload), room)


def _room(workload: Workload, decoder: Decoder, policy: Policy) -> Callable[[], int] | None:
    """How many may come in; None where it matters when they do."""
    refuses = decoder.config.max_tokens_resident is not None  # and a refusal has its time
    if refuses or not (workload.can_wait_in_file and getattr(policy, "newcomers_last", False)):
        return None
    queue = decoder.scheduler.queue
    return lambda: max(0, MAX_WAITING - len(queue))


def _submissions(workload: Workload) -> Iterator[Input]:
    for request in workload.requests():
        yield Submitted(at=request.arrival_us, unit=UNIT, body=request)
