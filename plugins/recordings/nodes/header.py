"""The header of a recording of a search, and what can be had back from it.

It says nothing of when, where or by whom: the same search has the same header.
"""

from __future__ import annotations

from typing import Any

import msgspec

from batchtui.engine.debugger.recording import Header
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.entries import SYSTEM
from batchtui.plugins.recordings.header import converted, versions


def nodes_header(
    config: NodesConfig,
    *,
    probe: str,
    real: bool = False,
    workload: str = "nodes",
    command: str = "",
    world: dict[str, Any] | None = None,
) -> Header:
    """Say how a search is set up.

    Args:
        config: its own.
        probe: the one that performs the tests, as it was asked for.
        real: whether that touches real hosts.
        workload: the name of the case or the inventory, without its folder.
        command: what a person would type to run the same again.
        world: what the probe is set up with, to go on from here.
    """
    return Header(
        system=SYSTEM,
        workload=workload,
        backend=probe,
        policy=config.strategy,
        seed=config.seed,
        real=real,
        config=msgspec.to_builtins(config, order="deterministic"),
        command=command,
        versions=versions(),
        world=world or {},
    )


def config_of(header: Header, where: str) -> NodesConfig:
    """The search's config.

    Raises:
        InputError: it is none.
    """
    return converted(header.config, NodesConfig, f"{where}: config")
