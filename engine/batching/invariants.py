"""What must hold after every turn, checked in full: for tests and for ``--check``.

Costs as much as the batch is large, so it is off unless asked for.
"""

from __future__ import annotations

from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.sequence import Sequence
from batchtui.engine.batching.state import RequestState
from batchtui.engine.errors import InvariantError


class Invariants:
    """Checks a decoder after each turn; remembers what must only grow.

    Raises:
        InvariantError: a promise was broken; the message says which, and of whom.
    """

    def __init__(self, decoder: Decoder) -> None:
        self._decoder = decoder
        # By slot index; of those that are gone too, since they may come back.
        self._generations = [slot.generation for slot in decoder.scheduler.slots]

    def check(self) -> None:
        """Check everything."""
        self._check_slots()
        self._check_columns()
        self._check_free()
        self._check_blocks()
        self._check_living()
        self._check_tokens()
        for row in self._decoder.scheduler.batch.rows:
            self._check_row(row)
            self._check_text(row)

    def _check_slots(self) -> None:
        slots, known = self._decoder.scheduler.slots, self._generations
        _demand([slot.index for slot in slots] == list(range(len(slots))), "a slot moved")
        known += [0] * (len(slots) - len(known))
        for slot in slots:
            before = known[slot.index]
            _demand(
                slot.generation in (before, before + 1), f"slot {slot.index} jumped a generation"
            )
            known[slot.index] = slot.generation

    def _check_free(self) -> None:
        scheduler, num_wanted = self._decoder.scheduler, self._decoder.config.max_num_seqs
        slots = scheduler.slots
        empty = [slot.index for slot in slots[:num_wanted] if slot.resident is None]
        _demand(scheduler.free == empty, "the free slots are others than the empty ones")
        _demand(len(slots) >= num_wanted, "a slot is missing")
        is_kept = len(slots) == num_wanted or slots[-1].resident is not None
        _demand(is_kept, f"slot {slots[-1].index} is empty, not wanted and still there")

    def _check_columns(self) -> None:
        scheduler = self._decoder.scheduler
        batch = scheduler.batch
        rows = [slot.resident for slot in scheduler.slots if slot.resident is not None]
        _demand(batch.rows == rows, "the batch is not what is in the slots")
        _demand(batch.slots == [row.slot for row in rows], "the slots' column is off")
        _demand(batch.keys == [row.key for row in rows], "the keys' column is off")
        for row, token_ids, deltas in zip(rows, batch.token_ids, batch.deltas, strict=True):
            _demand(
                row.token_ids is token_ids and row.deltas is deltas, "a column is another row's"
            )

    def _check_blocks(self) -> None:
        scheduler = self._decoder.scheduler
        reserved = sum(row.entry.num_blocks for row in scheduler.batch.rows)
        _demand(scheduler.pool.num_used == reserved, "blocks are lost or counted twice")

    def _check_living(self) -> None:
        decoder = self._decoder
        rows, waiting = decoder.scheduler.batch.rows, list(decoder.scheduler.queue)
        living = decoder.intake.living
        here = {id(entity) for entity in (*rows, *waiting)}
        _demand({id(entity) for entity in living.values()} == here, "a living request is nowhere")
        _demand(len(waiting) == len(decoder.scheduler.queue), "the queue has lost count")

    def _check_tokens(self) -> None:
        counters = self._decoder.counters
        living = sum(len(row.token_ids) for row in self._decoder.scheduler.batch.rows)
        kept = counters.kept + living
        _demand(
            counters.returned == kept + counters.discarded,
            f"{counters.returned} tokens returned, {kept} kept and {counters.discarded} discarded",
        )

    def _check_row(self, row: Sequence) -> None:
        length = len(row.token_ids)
        who = f"request {row.index}"
        _demand(length < row.limit, f"{who} is past its limit of {row.limit}")
        _demand(length < row.threshold <= row.limit, f"{who} has passed its threshold")
        decoding = row.status is RequestState.DECODE
        _demand(decoding == (length > 0), f"{who} is in {row.status} with {length} tokens")
        _demand(
            0 <= row.num_computed_tokens <= row.num_prompt_tokens + length,
            f"{who} has computed {row.num_computed_tokens} tokens",
        )

    def _check_text(self, row: Sequence) -> None:
        """Released plus held is what the tokens say, to the byte."""
        state = self._decoder.scheduler.batch.state(row)
        if state.automaton.mute:
            return
        data = b"".join(map(state.automaton.vocabulary.token_bytes, row.token_ids))
        shown = "".join(row.deltas) + state.flush
        _demand(shown == data.decode("utf-8", "replace"), f"request {row.index} lost text")
        _demand("" not in row.deltas, f"request {row.index} has an empty delta")


def _demand(holds: bool, otherwise: str) -> None:
    if not holds:
        raise InvariantError(f"invariant broken: {otherwise}")
