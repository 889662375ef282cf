"""The inner loop: each row takes its new tokens, releases text, and may end.

One token for every row is the common case and is done by columns: the tokens flat, one look-up of
each row's transition, and a calendar that names the few rows for which something is due (a first
token, an opening gate, the limit). Any other reply (none or many tokens, some rows only) is taken
row by row.
"""

from __future__ import annotations

from collections import deque
from itertools import chain

from batchtui.engine.batching.batch import Batch
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.sequence import Sequence
from batchtui.engine.batching.stops import Note, Verdict


class Applied:
    """What a reply came to, row by row.

    ``texts`` has a place for each row, ``tokens`` are those taken, flat; ``counts`` says how many
    each row took, None where each took one. ``held`` maps slots to what is kept back there.
    ``surplus`` tokens came after an end.
    """

    __slots__ = ("counts", "endings", "held", "surplus", "texts", "tokens")

    def __init__(self) -> None:
        self.texts: list[str] = []
        self.tokens: list[int] = []
        self.counts: list[int] | None = None
        self.held: dict[int, str] = {}
        self.endings: dict[Sequence, Verdict] = {}
        self.surplus = 0


class Applier:
    """Applies the tokens of a reply to the rows that it belongs to.

    The calendar counts columnwise replies, each one token for every row. It is made anew after a
    reply of another kind, since rows have then moved on by other numbers.
    """

    def __init__(self, config: BatchingConfig, batch: Batch) -> None:
        self._max_empty_replies = config.max_empty_replies
        self._batch = batch
        self._calendar: dict[int, dict[Sequence, None]] = {}
        self._clock = 0
        self._outdated = False
        self._uneven: dict[Sequence, None] = {}

    def joined(self, row: Sequence) -> None:
        """Note when something is due for a row that has joined."""
        self._enter(row, self._clock + row.threshold - len(row.token_ids))
        self._uneven[row] = None

    def left(self, row: Sequence) -> None:
        """Forget a row: what has ended must not be kept alive by a date far ahead."""
        self._uneven.pop(row, None)
        day = self._calendar.get(row.due)
        if day is not None and day.pop(row, self) is None and not day:
            del self._calendar[row.due]

    def prefilling(self, rows: list[Sequence]) -> list[Sequence]:
        """Of which of these rows the model has not read anything yet."""
        among = set(rows) if len(rows) < len(self._batch) else None
        return [
            row
            for row in self._uneven
            if row.num_computed_tokens == 0 and (among is None or row in among)
        ]

    def _enter(self, row: Sequence, due: int) -> None:
        row.due = due
        self._calendar.setdefault(due, {})[row] = None

    def apply_columns(self, flat: list[int], now: int) -> Applied:
        """Give every row of the batch its one token."""
        batch, applied = self._batch, Applied()
        applied.tokens = flat
        deque(map(list.append, batch.token_ids, flat), 0)  # half the cost of a loop
        if batch.num_speaking or not batch.enders.isdisjoint(flat):
            self._follow(flat, now, applied)
        if self._outdated:
            self._remake_calendar()
        self._clock += 1
        for row in self._calendar.pop(self._clock, ()):
            self._come_due(row, now, applied)
        for row in self._uneven:
            row.num_new = 1
        self._uneven.clear()
        return applied

    def _follow(self, flat: list[int], now: int, applied: Applied) -> None:
        batch = self._batch
        transitions = [state[token] for state, token in zip(batch.states, flat, strict=True)]
        states, texts, notes = zip(*transitions, strict=True)
        batch.states[:] = states
        applied.texts = list(texts)
        if all(texts):
            deque(map(list.append, batch.deltas, texts), 0)
        else:
            for parts, text in zip(batch.deltas, texts, strict=True):
                if text:
                    parts.append(text)
        if notes.count(None) < len(notes):
            for place, note in enumerate(notes):
                if note is not None:
                    self._heed(batch.rows[place], note, now, applied)

    def _heed(self, row: Sequence, note: Note, now: int, applied: Applied) -> None:
        if isinstance(note, Verdict):
            if row.first_token_us is None:
                row.first_token_us = now
            applied.endings[row] = note
        elif note is not None:
            applied.held[row.slot] = self._batch.state(row).held

    def _come_due(self, row: Sequence, now: int, applied: Applied) -> None:
        if row in applied.endings:
            return
        flushed = self._cross(row, now, applied)
        if flushed:
            place = self._batch.place(row)
            self._extend(row, flushed, fresh=not applied.texts[place])
            applied.texts[place] += flushed
        if row.threshold > len(row.token_ids):
            self._enter(row, self._clock + row.threshold - len(row.token_ids))

    @staticmethod
    def _extend(row: Sequence, text: str, *, fresh: bool) -> None:
        """Keep to one delta a call: text released by an end joins what the token released."""
        if fresh:
            row.deltas.append(text)
        else:
            row.deltas[-1] += text

    def _cross(self, row: Sequence, now: int, applied: Applied) -> str:
        """Do what is due at a row's threshold; returns what an end at the limit releases."""
        if row.first_token_us is None:
            row.first_token_us = now
        if len(row.token_ids) >= row.limit:
            applied.endings[row] = Verdict("length")
            applied.held.pop(row.slot, None)
            return self._batch.state(row).flush
        gate = row.cross()
        if gate is not None:
            place = self._batch.place(row)
            self._batch.states[place] = self._batch.states[place].through(gate)
        return ""

    def _remake_calendar(self) -> None:
        """Rows stand after this token, so what is due at once is due at the next tick of the
        clock."""
        self._calendar.clear()
        for row in self._batch.rows:
            self._enter(row, self._clock + 1 + row.threshold - len(row.token_ids))
        self._outdated = False

    def apply_rows(self, rows: list[Sequence], replied: list[list[int]], now: int) -> Applied:
        """Give some rows none, one or many tokens each."""
        applied, self._outdated = Applied(), True
        applied.counts = []
        for row, new in zip(rows, replied, strict=True):
            taken, text = self._take(row, new, now, applied)
            if not new:
                text = self._count_empty(row, applied)
            row.num_new = taken
            if taken != 1:
                self._uneven[row] = None
            if text:
                row.deltas.append(text)
            applied.texts.append(text)
            applied.counts.append(taken)
            applied.surplus += len(new) - taken
        kept = (new[:taken] for new, taken in zip(replied, applied.counts, strict=True))
        applied.tokens = list(chain.from_iterable(kept))
        return applied

    def _take(self, row: Sequence, new: list[int], now: int, applied: Applied) -> tuple[int, str]:
        """Take tokens up to an end; returns how many, and the text that they release."""
        states, place = self._batch.states, self._batch.place(row)
        texts, taken = [], 0
        for token in new:
            row.token_ids.append(token)
            taken += 1
            states[place], text, note = states[place][token]
            texts.append(text)
            self._heed(row, note, now, applied)
            if len(row.token_ids) >= row.threshold and row not in applied.endings:
                texts.append(self._cross(row, now, applied))
            if row in applied.endings:
                applied.held.pop(row.slot, None)
                return taken, "".join(texts)
        if states[place].held:
            applied.held[row.slot] = states[place].held
        else:
            applied.held.pop(row.slot, None)
        return taken, "".join(texts)

    def _count_empty(self, row: Sequence, applied: Applied) -> str:
        if row.empty_since != len(row.token_ids):
            row.empty_since, row.num_empty = len(row.token_ids), 0
        row.num_empty += 1
        if row.num_empty < self._max_empty_replies:
            return ""
        error = f"the model returned no token {row.num_empty} times in a row"
        applied.endings[row] = Verdict("error", None, error)
        applied.held.pop(row.slot, None)
        return self._batch.state(row).flush
