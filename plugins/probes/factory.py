"""Opens a probe by the words of the command line: ``simulated``, ``simulated:misses=0.01``.

What stands before the first colon is the name of a plugin of the group ``batchtui.probes``; what
stands after it is the plugin's own to read.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

from batchtui.engine.errors import BatchtuiError, PluginError
from batchtui.engine.nodes.probe import Probe
from batchtui.plugins import registry

_PARTS = ("name", "real", "test")


class ProbeOptions(NamedTuple):
    """What a probe is opened with.

    ``argument`` is what was said after the name and a colon, None where there was no colon;
    ``seed`` the search's; ``simulated`` what a case and the flags say of nodes that are made up,
    which no probe but the simulated one takes.
    """

    argument: str | None = None
    seed: int = 0
    simulated: Mapping[str, object] = MappingProxyType({})


@runtime_checkable
class ProbeFactory(Protocol):
    """What a plugin of the group ``batchtui.probes`` has, usually as a class method."""

    def from_options(self, options: ProbeOptions) -> Probe:
        """Open the probe.

        Raises:
            InputError or PluginError: the argument does not fit; says what was seen and what to do.
        """


def open_probe(spec: str, options: ProbeOptions) -> Probe:
    """Open the probe that ``NAME`` or ``NAME:ARGUMENT`` asks for, with the rest of the options.

    Raises:
        PluginError: there is no such probe, it does not load or open, or what opens is no probe.
        InputError: its argument does not fit.
    """
    name, colon, argument = spec.partition(":")
    factory = registry.load(registry.PROBES, name)
    if not isinstance(factory, ProbeFactory):
        raise PluginError(f"probe {name!r} cannot be opened: want one with from_options")
    try:
        probe: object = factory.from_options(options._replace(argument=argument if colon else None))
    except BatchtuiError:
        raise
    except (Exception, SystemExit) as error:  # whatever a plugin's own code raises
        raise PluginError(f"probe {name!r} does not open: {registry.reason(error)}") from error
    missing = [part for part in _PARTS if not hasattr(probe, part)]
    if missing or not isinstance(probe, Probe):
        lacks = f"a {type(probe).__name__} without {', '.join(missing)}"
        raise PluginError(f"probe {name!r} is no probe: {lacks}")
    return probe
