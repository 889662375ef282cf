"""What goes out: text deltas and results, to a callback and, as columns, into events.

At most one delta a call and request, never an empty one. A callback that raises loses its own
delta and nobody else's.
"""

from __future__ import annotations

from itertools import compress
from typing import NamedTuple, Protocol

from batchtui.engine.batching.batch import Snapshot
from batchtui.engine.batching.request import Result
from batchtui.engine.batching.sequence import Sequence


class Listener(Protocol):
    """Who wants the output."""

    def text(self, request_id: str, delta: str) -> None:
        """Text was decoded; never empty."""

    def finished(self, result: Result) -> None:
        """A request ended; nothing follows for it."""


class Delivered(NamedTuple):
    """What one deliver phase handed out, and whose callbacks raised (id, kind of error).

    ``request_ids``, ``slots`` and ``texts`` are columns.
    """

    request_ids: list[str]
    slots: list[int]
    texts: list[str]
    results: list[Result]
    failures: list[tuple[str, str]]


class _Column(NamedTuple):
    """What one reply, or one end, released: a place for each row in every list."""

    rows: list[Sequence]
    request_ids: list[str]
    slots: list[int]
    texts: list[str]


class Delivery:
    """Output between the phase that made it and the phase that hands it out."""

    def __init__(self, listener: Listener | None, *, observed: bool) -> None:
        self._listener = listener
        self.wanted = observed or listener is not None
        self._columns: list[_Column] = []
        self._results: list[Result] = []

    def __bool__(self) -> bool:
        return bool(self._columns or self._results)

    def text(self, who: Snapshot, texts: list[str]) -> None:
        """Keep what a reply released: a place for each row, perhaps empty."""
        if not self.wanted or not any(texts):
            return
        if all(texts):
            self._columns.append(_Column(who.rows, who.request_ids, who.slots, texts))
        else:
            self._columns.append(
                _Column(
                    list(compress(who.rows, texts)),
                    list(compress(who.request_ids, texts)),
                    list(compress(who.slots, texts)),
                    list(filter(None, texts)),
                )
            )

    def flush(self, sequence: Sequence, text: str) -> None:
        """Release what a sequence that ends between calls still holds back."""
        if not text:
            return
        for column in self._columns:
            # By the sequence itself: within a step an id may end and be used again.
            if sequence in column.rows:
                column.texts[column.rows.index(sequence)] += text
                sequence.deltas[-1] += text
                return
        sequence.deltas.append(text)
        self._columns.append(_Column([sequence], [sequence.request_id], [sequence.slot], [text]))

    def end(self, result: Result) -> None:
        """Keep a result."""
        self._results.append(result)

    def hand_out(self) -> Delivered:
        """Give the listener everything kept, in the order in which it came."""
        columns, results = self._columns, self._results
        self._columns, self._results = [], []
        if len(columns) == 1:
            _, request_ids, slots, texts = columns[0]
        else:
            request_ids = [request_id for column in columns for request_id in column.request_ids]
            slots = [slot for column in columns for slot in column.slots]
            texts = [text for column in columns for text in column.texts]
        delivered = Delivered(request_ids, slots, texts, results, [])
        if self._listener is not None:
            self._notify(self._listener, delivered)
        return delivered

    def _notify(self, listener: Listener, delivered: Delivered) -> None:
        on_text = listener.text
        for request_id, text in zip(delivered.request_ids, delivered.texts, strict=True):
            try:
                on_text(request_id, text)
            except (
                Exception
            ) as error:  # a listener is foreign code; its fault is reported, not ours
                delivered.failures.append((request_id, type(error).__name__))
        for result in delivered.results:
            try:
                listener.finished(result)
            except Exception as error:
                delivered.failures.append((result.request_id, type(error).__name__))
