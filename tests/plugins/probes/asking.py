"""Tests to ask a probe, for tests."""

from __future__ import annotations

from batchtui.engine.machine import Work
from batchtui.engine.nodes.probe import GroupTest

TIMEOUT_US = 120_000_000


def asked(
    *nodes: int, id: int = 1, attempt: int = 1, timeout_us: int | None = TIMEOUT_US
) -> GroupTest:
    """A test of these nodes."""
    names = tuple(f"gpu-{node:03}" for node in nodes)
    return GroupTest(id=id, nodes=nodes, names=names, attempt=attempt, timeout_us=timeout_us)


def work(*nodes: int, id: int = 1, timeout_us: int | None = TIMEOUT_US) -> Work:
    """The work of testing these nodes."""
    spec = asked(*nodes, id=id, timeout_us=timeout_us)
    return Work(id=id, spec=spec, timeout_us=timeout_us)
