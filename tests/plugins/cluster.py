"""A cluster to be tested by callables."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock, get_ident
from typing import Any

import anyio


class Cluster:
    """Nodes of which some are bad; asserts that it is tested by the rules."""

    def __init__(self, bad: Iterable[Any]) -> None:
        self.bad = set(bad)
        self.asked: list[tuple[Any, ...]] = []
        self.threads: set[int] = set()
        self._busy: set[Any] = set()
        self._lock = Lock()

    def begin(self, nodes: list[Any]) -> None:
        with self._lock:
            assert len(nodes) == len(set(nodes)) >= 2
            assert self._busy.isdisjoint(nodes)
            self._busy.update(nodes)
            self.asked.append(tuple(nodes))
            self.threads.add(get_ident())

    def end(self, nodes: list[Any]) -> bool:
        with self._lock:
            self._busy.difference_update(nodes)
        return self.bad.isdisjoint(nodes)

    def __call__(self, nodes: list[Any]) -> bool:
        self.begin(nodes)
        return self.end(nodes)

    async def asynchronously(self, nodes: list[Any]) -> bool:
        self.begin(nodes)
        await anyio.lowlevel.checkpoint()
        return self.end(nodes)
