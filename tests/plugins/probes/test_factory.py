"""Probes are opened by name, and what cannot be opened is said in one line."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from batchtui.engine.errors import InputError, PluginError
from batchtui.plugins import registry
from batchtui.plugins.probes.factory import ProbeOptions, open_probe
from batchtui.plugins.probes.simulated import SimulatedProbe


def test_the_simulated_probe_is_found_by_its_entry_point() -> None:
    probe = open_probe("simulated:misses=0.5", ProbeOptions(seed=3, simulated={"bad": (1,)}))
    assert isinstance(probe, SimulatedProbe)
    assert (probe.config.misses, probe.config.seed, probe.config.bad) == (0.5, 3, (1,))


def test_an_unknown_probe_is_refused_with_those_that_are_installed() -> None:
    with pytest.raises(PluginError, match=r"no probe is called 'simulate': did you mean"):
        open_probe("simulate", ProbeOptions())


class Refusing:
    @classmethod
    def from_options(cls, options: ProbeOptions) -> object:
        if options.argument == "ours":
            raise InputError("in our own words")
        if options.argument == "theirs":
            raise RuntimeError("a fault")
        return SimpleNamespace(name="half")


@pytest.mark.parametrize(
    ("argument", "words"),
    [("ours", "in our own words"), ("theirs", "RuntimeError: a fault"), ("", "without real, test")],
)
def test_a_probe_that_does_not_open_is_the_plugins_fault(
    argument: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(registry, "load", lambda group, name: Refusing)
    with pytest.raises((PluginError, InputError), match=words):
        open_probe(f"refusing:{argument}", ProbeOptions())


def test_what_is_no_factory_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "load", lambda group, name: object())
    with pytest.raises(PluginError, match="want one with from_options"):
        open_probe("thing", ProbeOptions())
