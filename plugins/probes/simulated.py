"""``simulated``: tests nodes that are not there.

What a test comes to is a function of the seed, the test's id, its attempt and its nodes, and of
nothing else: not of what was tested before, nor of the time. So a search can be gone back in and
run again, and two strategies that ask the same get the same.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Literal

from batchtui.engine.nodes.probe import GroupTest, ProbeResult, Reason, Verdict
from batchtui.plugins.models.arguments import fitted, pairs_of
from batchtui.plugins.probes.factory import ProbeOptions
from batchtui.plugins.probes.simulated_config import MAX_SECONDS, SimulatedConfig

CRASHED = 134
"""The exit code of a rank that was aborted (128 + SIGABRT)."""


class SimulatedProbe:
    """A probe that touches nothing."""

    name = "simulated"
    real = False

    def __init__(self, config: SimulatedConfig | None = None) -> None:
        self.config = config or SimulatedConfig()
        self._bad = frozenset(self.config.bad)
        self._hangs = frozenset(self.config.hangs)
        self._slow = frozenset(self.config.slow)
        self._broken = frozenset(self.config.broken)

    @classmethod
    def from_options(cls, options: ProbeOptions) -> SimulatedProbe:
        """Make one by the words of the command line, ``simulated:misses=0.01,jitter=0.1``.

        Raises:
            InputError: an unknown name, or a value that does not fit.
        """
        who, names = "the simulated probe", SimulatedConfig.__struct_fields__
        said = {"seed": options.seed, **options.simulated}
        said.update(pairs_of(options.argument or "", names, who))
        return cls(fitted(said, SimulatedConfig, who))

    def test(self, test: GroupTest) -> ProbeResult:
        """Say what testing these nodes would come to."""
        config, draw = self.config, self._draw(test)
        could_start = draw.random() >= config.startup_failures
        is_missed, is_alarm = draw.random() < config.misses, draw.random() < config.false_alarms
        share = 1 + config.jitter * draw.uniform(-1, 1)
        busbw = self._busbw(test.nodes) * draw.uniform(0.985, 1.015)
        if not could_start or not self._broken.isdisjoint(test.nodes):
            return _not_passed("inconclusive", "startup", config.startup_s * share)
        fault = self._fault_of(test.nodes)
        if is_missed if fault else not is_alarm:
            return _passed(config.pass_s * share, busbw)
        if fault == "slow":
            return self._slowed(config.pass_s * share, busbw)
        if fault == "hang" or config.fail_s is None:
            return _not_passed("fail", "timeout", _timeout_s(test))
        codes = (CRASHED,) * len(test.nodes)  # the collective takes every rank with it
        return _not_passed("fail", "exit_code", config.fail_s * share, exit_codes=codes)

    def _draw(self, test: GroupTest) -> random.Random:
        nodes = ",".join(map(str, sorted(test.nodes)))
        return random.Random(f"{self.config.seed}:{test.id}:{test.attempt}:{nodes}")

    def _busbw(self, nodes: Sequence[int]) -> float:
        """Of a healthy set of this size."""
        return self.config.busbw_gbs * math.pow(0.99, math.log2(max(1.0, len(nodes) / 2)))

    def _fault_of(self, nodes: Sequence[int]) -> Literal["hang", "fail", "slow", ""]:
        """What is wrong with a set; the worst first."""
        if not self._hangs.isdisjoint(nodes):
            return "hang"
        links = self.config.links
        if not self._bad.isdisjoint(nodes) or any(a in nodes and b in nodes for a, b in links):
            return "fail"
        return "" if self._slow.isdisjoint(nodes) else "slow"

    def _slowed(self, seconds: float, busbw: float) -> ProbeResult:
        factor = self.config.slow_factor
        measured = busbw / factor
        if measured >= self.config.floor:
            return _passed(seconds * factor, measured)
        return _not_passed("fail", "below_floor", seconds * factor, busbw_gbs=round(measured, 1))


def _passed(seconds: float, busbw: float) -> ProbeResult:
    return ProbeResult(verdict="pass", seconds=seconds, busbw_gbs=round(busbw, 1))


def _not_passed(
    verdict: Verdict,
    reason: Reason,
    seconds: float,
    *,
    busbw_gbs: float | None = None,
    exit_codes: tuple[int, ...] = (),
) -> ProbeResult:
    return ProbeResult(
        verdict=verdict,
        reason=reason,
        seconds=seconds,
        busbw_gbs=busbw_gbs,
        exit_codes=exit_codes,
    )


def _timeout_s(test: GroupTest) -> float:
    return MAX_SECONDS if test.timeout_us is None else test.timeout_us / 1e6
