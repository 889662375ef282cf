"""How a search is set up."""

from __future__ import annotations

import msgspec

from batchtui.engine.nodes.inventory import Inventory

DEFAULT_STRATEGY = "fewest-tests"
DEFAULT_TIMEOUT_US = 120_000_000
DEFAULT_PASS_US = 40_000_000


class NodesConfig(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The options of a search. Times are in microseconds.

    Attributes:
        inventory: what is tested.
        strategy: by which name the next tests are chosen.
        max_parallel: how many tests may run at once; None for as many as there are pairs.
        timeout_us: how long one test may take; one that takes longer has failed.
        pass_us, fail_us: how long a test that passes, and one that fails, is expected to take: a
            failing one often runs into its timeout, and ``fail_us`` is ``timeout_us`` unless said.
        time_budget_us: the search is over by then: no test is begun that might end later.
        max_attempts: how often a test that was inconclusive is made in all.
        confirms: whether what a search came to is tested again, against false alarms and misses.
        seed: of the choices that are made at random.
        plan: rounds of sets that the strategy ``plan`` runs as they are.
    """

    inventory: Inventory
    strategy: str = DEFAULT_STRATEGY
    max_parallel: int | None = None
    timeout_us: int = DEFAULT_TIMEOUT_US
    pass_us: int = DEFAULT_PASS_US
    fail_us: int | None = None
    time_budget_us: int | None = None
    max_attempts: int = 2
    confirms: bool = False
    seed: int = 0
    plan: tuple[tuple[tuple[int, ...], ...], ...] = ()

    def __post_init__(self) -> None:
        _within("max_parallel", self.max_parallel, 1)
        _within("timeout_us", self.timeout_us, 1)
        _within("pass_us", self.pass_us, 1)
        _within("fail_us", self.fail_us, 1)
        _within("max_attempts", self.max_attempts, 1)
        if self.time_budget_us is not None and self.time_budget_us < self.timeout_us:
            raise ValueError(
                f"the time budget of {self.time_budget_us / 1e6:g} s is shorter than one test may "
                f"take ({self.timeout_us / 1e6:g} s): give more time, or a shorter timeout"
            )

    @property
    def lanes(self) -> int:
        """How many tests can run at once."""
        most = max(1, len(self.inventory) // 2)
        return most if self.max_parallel is None else min(most, self.max_parallel)

    @property
    def fail_ratio(self) -> float:
        """How many times longer a failing test takes than a passing one; 1 at the least."""
        return max(1.0, (self.fail_us or self.timeout_us) / self.pass_us)


def _within(name: str, value: int | None, least: int) -> None:
    if value is not None and not least <= value <= 1 << 62:
        raise ValueError(f"{name} is {value}: want {least} or more")
