"""What is wrong with the nodes of the simulated probe, and how long its tests take."""

from __future__ import annotations

import msgspec

MAX_SECONDS = 1e7
MAX_GBS = 1e6
_SHARES = ("false_alarms", "misses", "startup_failures")


class SimulatedConfig(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A cluster that is made up. Nodes are indices into the inventory.

    The times are those of an all-reduce over a few nodes of eight GPUs, launcher included, and the
    bandwidth what eight H100 and 400 Gb/s to each of them give.

    Attributes:
        bad: nodes with which every test fails.
        links: pairs of nodes that fail when both are in a test, and never else.
        hangs: nodes with which a test never ends: it runs into its timeout.
        slow: nodes with which a test takes ``slow_factor`` times as long, and its bandwidth is so
            many times lower: it fails where that is below ``floor_gbs``.
        broken: nodes on which nothing can be started: every test with one is inconclusive.
        false_alarms: how likely a test of a healthy set fails (alpha).
        misses: how likely a test of a set with something wrong in it passes all the same (beta).
        startup_failures: how likely a test cannot be started, whoever is in it.
        pass_s: how long a test takes that passes.
        fail_s: how long one takes that fails; None where it hangs until its timeout, as a
            collective does when a rank is gone.
        startup_s: after how long a test is known not to have started.
        jitter: the share by which times vary, up and down.
        slow_factor: see ``slow``.
        busbw_gbs: the bus bandwidth of a healthy pair; each doubling of a set costs 1 % of it.
        floor_gbs: the least that passes; None for four fifths of ``busbw_gbs``.
        seed: of what is drawn.

    Raises:
        ValueError: a value is out of its range.
    """

    bad: tuple[int, ...] = ()
    links: tuple[tuple[int, int], ...] = ()
    hangs: tuple[int, ...] = ()
    slow: tuple[int, ...] = ()
    broken: tuple[int, ...] = ()
    false_alarms: float = 0.0
    misses: float = 0.0
    startup_failures: float = 0.0
    pass_s: float = 40.0
    fail_s: float | None = None
    startup_s: float = 5.0
    jitter: float = 0.0
    slow_factor: float = 5.0
    busbw_gbs: float = 400.0
    floor_gbs: float | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("bad", "hangs", "slow", "broken"):
            _check_nodes(name, getattr(self, name))
        for pair in self.links:
            _check_nodes("links", pair)
            if pair[0] == pair[1]:
                raise ValueError(f"links has {list(pair)}: want two different nodes")
        for name in _SHARES:
            _within(name, getattr(self, name), 0, 1)
        for name in ("pass_s", "fail_s", "startup_s"):
            _within(name, getattr(self, name), 1e-6, MAX_SECONDS)
        _within("jitter", self.jitter, 0, 0.9)
        _within("slow_factor", self.slow_factor, 1, 1e6)
        _within("busbw_gbs", self.busbw_gbs, 1e-3, MAX_GBS)
        _within("floor_gbs", self.floor_gbs, 0, MAX_GBS)

    @property
    def floor(self) -> float:
        """The least bandwidth that passes, in 10^9 bytes a second."""
        return 0.8 * self.busbw_gbs if self.floor_gbs is None else self.floor_gbs


def _check_nodes(name: str, nodes: tuple[int, ...]) -> None:
    if nodes and min(nodes) < 0:
        raise ValueError(f"{name} has node {min(nodes)}: want 0 or more")


def _within(name: str, value: float | None, low: float, high: float) -> None:
    if value is not None and not low <= value <= high:  # false for a nan as well
        raise ValueError(f"{name} is {value:g}: want {low:g} to {high:g}")
