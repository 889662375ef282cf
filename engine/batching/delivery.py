"""What goes out: text deltas and results, to a callback and, as columns, into events.

At most one delta a call and request, never an empty one, and everything in the order in which it
came about: an id that ends and is used again within a step never has its texts mixed. A callback
that raises loses its own delta and nobody else's.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import compress
from typing import NamedTuple, Protocol

from batchtui.engine.batching.batch import Snapshot
from batchtui.engine.batching.request import Result
from batchtui.engine.batching.sequence import Sequence
from batchtui.engine.model import Key


class Listener(Protocol):
    """Who wants the output."""

    @property
    def text(self) -> Callable[[str, str], None] | None:
        """Called with an id and each delta of its request, none empty; None: nobody wants them."""

    def finished(self, result: Result) -> None:
        """A request ended; nothing follows for it."""


class _Column(NamedTuple):
    """What one reply, or one end, released: a place for each row in both lists."""

    keys: list[Key]
    texts: list[str]


class Delivered(NamedTuple):
    """What one deliver phase handed out, and whose callbacks raised (id, kind of error).

    ``keys`` and ``texts`` are columns.
    """

    keys: list[Key]
    texts: list[str]
    results: list[Result]
    failures: list[tuple[str, str]]


class Delivery:
    """Output between the phase that made it and the phase that hands it out."""

    def __init__(self, listener: Listener | None, *, observed: bool) -> None:
        self._listener = listener
        self.wanted = observed or listener is not None
        self._kept: list[_Column | Result] = []
        self._places: dict[Key, tuple[_Column, int]] | None = None

    def __bool__(self) -> bool:
        return bool(self._kept)

    def text(self, who: Snapshot, texts: list[str]) -> None:
        """Keep what a reply released: a place for each row, perhaps empty."""
        if not self.wanted or not any(texts):
            return
        self._places = None
        if all(texts):
            self._kept.append(_Column(who.keys, texts))
        else:
            keys = list(compress(who.keys, texts))
            self._kept.append(_Column(keys, list(filter(None, texts))))

    def flush(self, sequence: Sequence, text: str) -> None:
        """Release what a sequence that ends between calls still holds back."""
        if not text:
            return
        if self._places is None:
            self._places = {
                key: (kept, place)
                for kept in self._kept
                if isinstance(kept, _Column)
                for place, key in enumerate(kept.keys)
            }
        if sequence.key in self._places:
            column, place = self._places[sequence.key]
            column.texts[place] += text
            sequence.deltas[-1] += text
            return
        sequence.deltas.append(text)
        self._kept.append(_Column([sequence.key], [text]))

    def end(self, result: Result) -> None:
        """Keep a result."""
        self._kept.append(result)

    def hand_out(self) -> Delivered:
        """Give the listener everything kept."""
        kept, self._kept, self._places = self._kept, [], None
        columns = [each for each in kept if isinstance(each, _Column)]
        if len(columns) == 1:
            keys, texts = columns[0]
        else:
            keys = [key for column in columns for key in column.keys]
            texts = [text for column in columns for text in column.texts]
        results = [each for each in kept if isinstance(each, Result)]
        delivered = Delivered(keys, texts, results, [])
        if self._listener is not None:
            for each in kept:
                if isinstance(each, Result):
                    self._finish(self._listener, each, delivered.failures)
                elif self._listener.text is not None:
                    _tell(self._listener.text, each, delivered.failures)
        return delivered

    @staticmethod
    def _finish(listener: Listener, result: Result, failures: list[tuple[str, str]]) -> None:
        try:
            listener.finished(result)
        except Exception as error:  # a listener is foreign code; its fault is reported, not ours
            failures.append((result.request_id, type(error).__name__))


def _tell(
    on_text: Callable[[str, str], None], column: _Column, failures: list[tuple[str, str]]
) -> None:
    for (_, _, request_id), text in zip(column.keys, column.texts, strict=True):
        try:
            on_text(request_id, text)
        except Exception as error:
            failures.append((request_id, type(error).__name__))
