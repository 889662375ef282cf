"""The header of a recording of batching, made from a run that has not begun, and what can be had
back from it.

It says nothing of when, where or by whom: the same run has the same header.
"""

from __future__ import annotations

import shlex
from pathlib import PurePath
from typing import Any

import msgspec

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.entries import SYSTEM
from batchtui.engine.debugger.recording import Header, Texts
from batchtui.plugins.formats.workload import Fault, Script
from batchtui.plugins.recordings.header import converted, versions
from batchtui.plugins.runs import DEFAULT_POLICY, Run, RunOptions, backend_of


class World(msgspec.Struct, frozen=True, kw_only=True):
    """What performed the work of a case: wanted by whoever goes on from a recording.

    ``by_steps`` says that requests arrive before steps, not at times.
    """

    scripts: dict[int, Script] = {}
    faults: tuple[Fault, ...] = ()
    by_steps: bool = False


def header_of(
    run: Run, options: RunOptions | None = None, texts: Texts = "full", asked: str = ""
) -> Header:
    """Say how a run is set up.

    Args:
        run: one that has not begun.
        options: what the user said of it; None where only the model can say what it is.
        texts: how much of prompts and answers is kept.
        asked: what the workload was asked for by; only the name of a path is kept.
    """
    workload, said = run.workload, options or RunOptions()
    backend = run.model.name if options is None else backend_of(workload, options)
    policy = said.policy or str(workload.options.get("policy", DEFAULT_POLICY))
    return Header(
        system=SYSTEM,
        workload=PurePath(workload.name).name,
        backend=backend,
        policy=policy,
        seed=said.seed,
        real=not never_blocks(run),
        texts=texts,
        config=msgspec.to_builtins(run.decoder.config),
        eos_token_ids=sorted(run.model.eos_token_ids),
        command=command_of("run", PurePath(asked or workload.name).name, said),
        versions=versions(),
        world=_world(run, texts),
    )


def never_blocks(run: Run) -> bool:
    """Whether the model is one of ours that neither takes real time nor ends the process."""
    # Imported here, because whoever only names plugins must import none.
    from batchtui.plugins.models.scripted import ScriptedModel  # noqa: PLC0415
    from batchtui.plugins.models.simulated import SimulatedModel  # noqa: PLC0415

    return isinstance(run.model, SimulatedModel | ScriptedModel)


def config_of(header: Header, where: str) -> BatchingConfig:
    """The machine's config.

    Raises:
        InputError: it is none.
    """
    return converted(header.config, BatchingConfig, f"{where}: config")


def world_of(header: Header, where: str) -> World:
    """The scripts and faults of a case.

    Raises:
        InputError: they are none.
    """
    return converted(header.world, World, f"{where}: world")


def _world(run: Run, texts: Texts) -> dict[str, Any]:
    workload = run.workload
    # A script is what the model answers.
    scripts = workload.scripts if texts == "full" else {}
    world = World(scripts=scripts, faults=workload.faults, by_steps=workload.steps is not None)
    made: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(world))  # as it is read again
    return {key: value for key, value in made.items() if value}


_FLAGS = {
    "backend": "--backend",
    "slots": "--slots",
    "policy": "--policy",
    "kv_blocks": "--kv-blocks",
    "block_size": "--block-size",
    "max_model_len": "--max-model-len",
    "retries": "--retries",
    "empty_replies": "--empty-replies",
}


def command_of(verb: str, workload: str, options: RunOptions) -> str:
    """What a person would type to do something with a workload under these options."""
    words = ["batchtui", verb, workload]
    for name, flag in _FLAGS.items():
        if (value := getattr(options, name)) is not None:
            words += [flag, str(value)]
    if options.seed:
        words += ["--seed", str(options.seed)]
    return shlex.join(words)
