"""The header of a search that has not begun, and the search of a header, to be run again."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

import msgspec

from batchtui.engine.debugger.recording import Header
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.probe import Probe
from batchtui.plugins.probes.factory import ProbeOptions, open_probe
from batchtui.plugins.probes.simulated import SimulatedProbe
from batchtui.plugins.probes.simulated_config import SimulatedConfig
from batchtui.plugins.recordings.header import converted
from batchtui.plugins.recordings.nodes.header import config_of, nodes_header
from batchtui.plugins.searches import SearchRun


def header_of(run: SearchRun, name: str, command: str = "") -> Header:
    """Say how a search is set up.

    Args:
        run: one that has not begun.
        name: what is searched; of a path only the last part is kept.
        command: what a person would type to have the same again.
    """
    return nodes_header(
        run.config,
        probe=run.probe.name,
        real=run.probe.real,
        workload=PurePath(name).name,
        command=command,
        world=_world(run.probe),
    )


def setup_of(header: Header, where: str) -> tuple[NodesConfig, Probe]:
    """What a search is made of, that it may be run again.

    Raises:
        InputError, PluginError: the header does not say, or its probe is not installed.
    """
    config = config_of(header, where)
    simulated = header.world.get("simulated")
    if simulated is not None:
        return config, SimulatedProbe(converted(simulated, SimulatedConfig, f"{where}: world"))
    return config, open_probe(header.backend, ProbeOptions(None, config.seed, {}))


def _world(probe: Probe) -> dict[str, Any]:
    """What the simulated probe is made of, as it is read again."""
    if not isinstance(probe, SimulatedProbe):
        return {}
    return {"simulated": msgspec.json.decode(msgspec.json.encode(probe.config))}
