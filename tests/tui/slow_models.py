"""Models that answer a call when a test tells them to."""

from __future__ import annotations

import threading

from batchtui.plugins.models.function import FunctionModel

PATIENCE_S = 20


class SlowModel(FunctionModel):
    """Answers a call when it is told to."""

    def __init__(self) -> None:
        super().__init__(self.next_tokens)
        self.called = threading.Semaphore(0)
        self.answer = threading.Semaphore(0)

    def next_tokens(self, prefixes: list[list[int]]) -> list[list[int]]:
        self.called.release()
        assert self.answer.acquire(timeout=PATIENCE_S)
        return [[97] for _ in prefixes]


class InterruptibleModel(SlowModel):
    """The same, but for calls that were interrupted, if it obeys; ``story`` is what happened."""

    def __init__(self, *, obeys: bool = True) -> None:
        super().__init__()
        self.story: list[str] = []
        self._obeys = obeys
        self._interrupted = False

    def next_tokens(self, prefixes: list[list[int]]) -> list[list[int]]:
        tokens = super().next_tokens(prefixes)
        self.story.append("a call ends")
        if self._interrupted:
            raise InterruptedError
        return tokens

    def interrupt(self) -> None:
        self.story.append("interrupted")
        self._interrupted = True
        if self._obeys:
            self.answer.release(100)

    def close(self) -> None:
        self.story.append("closed")
