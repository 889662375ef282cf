"""What is remembered of a batching run from its beginning to its head: each request's story, the
mark of every step, and what keyframes leave out.

The view is bounded; this is not: it has an entry for every request, and one byte and one number
for every step. A keyframe holds neither those who wait nor those who have ended: both are found
here again, by when they came and left, so that a keyframe does not grow with the queue.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import Any

import msgspec

from batchtui.engine.batching import events as said
from batchtui.engine.batching.marks import MARKS, Marker
from batchtui.engine.batching.policies import Policy, known_policy, known_with
from batchtui.engine.batching.request import Request
from batchtui.engine.batching.shown import Ending, ShownWaiting, ending_of, waiting_of
from batchtui.engine.batching.story import NEVER, Moment, Story
from batchtui.engine.batching.view import MAX_ENDED, BatchView
from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.machine import Aborted, Event, Submitted

COLUMNS_PER_EVENT = 8
"""Rows that cost about as much to be folded as a small event."""

_ENCODER = msgspec.msgpack.Encoder()
_KEYFRAME = msgspec.msgpack.Decoder(tuple[int, BatchView])


class BatchHistory:
    """The memory of a batching run: a ``History`` of the debugger.

    Args:
        num_slots, kv_total, policy: what the view begins with.
        policies: makes policies by their names, for runs whose order changes.

    Attributes:
        policy_of: makes the policy that a view names.
        marks: for each step an index into ``MARKS``.
        queue_lengths: for each step how many waited at its end.
        waits: for each admission, in their order, how long was waited for it.
    """

    def __init__(
        self,
        num_slots: int,
        kv_total: int | None,
        policy: Policy,
        policies: Callable[[str], Policy] | None = None,
    ) -> None:
        self._num_slots = num_slots
        self._kv_total = kv_total
        self.policy = policy
        self.policy_of = known_with(policy, policies or known_policy)
        self.marks = bytearray()
        self.queue_lengths = array("q")
        self._stories: dict[str, list[Story]] = {}
        self._asked: dict[tuple[str, int], Request] = {}
        self._waiting: list[ShownWaiting] = []
        self._queued_at: array[int] = array("q")
        self._left_at: array[int] = array("q")
        self._place: dict[str, int] = {}
        self._living: set[str] = set()
        self._marker = Marker()
        self._seats: dict[int, tuple[str, int | None]] = {}  # who sat there last, and to what step
        self._ended: list[Ending] = []
        self._ended_at: array[int] = array("q")
        self.waits = array("q")
        self._unrun: array[int] = array("q")
        self._aborts: dict[str, Aborted] = {}

    def empty(self) -> BatchView:
        """The view before anything has happened."""
        return BatchView.empty(self._num_slots, self._kv_total, self.policy, self.policy_of)

    def story(self, request_id: str, turn: int = NEVER) -> Story | None:
        """The request that had this id at a moment, the last one before it, or the next."""
        stories = self._stories.get(request_id, [])
        begun = [story for story in stories if story.moments[0].turn <= turn]
        return begun[-1] if begun else stories[0] if stories else None

    @property
    def request_ids(self) -> list[str]:
        """Every id that was ever used, in the order of their first coming."""
        return list(self._stories)

    def ribbon(self, steps: slice) -> str:
        """The marks of some steps, a letter each."""
        return self.marks[steps].translate(_LETTERS).decode("ascii")

    def stories(self, request_id: str) -> list[Story]:
        """Of all that ever had this id, in the order of their coming."""
        return self._stories.get(request_id, [])

    def waiting(self, shown: ShownWaiting) -> Story | None:
        """The story of one that waits, whoever had its id before or after it."""
        for story in self.stories(shown.request_id):
            event = story.moments[0].event
            if isinstance(event, said.RequestQueued) and event.index == shown.index:
                return story
        return None

    def unrun(self, turn: int = NEVER) -> Sequence[int]:
        """The places of those who had left unrun by a moment, in order."""
        if turn >= NEVER:
            return self._unrun
        return [place for place in self._unrun if self._left_at[place] <= turn]

    def endings(self, turn: int) -> Iterator[Ending]:
        """Who had ended by a moment, the last first."""
        for place in range(bisect_right(self._ended_at, turn) - 1, -1, -1):
            yield self._ended[place]

    def note(self, record: TurnRecord, turn: int, view: BatchView) -> None:
        """Remember a turn."""
        step, marks, entries = record.step, self.marks, record.entries
        self._reach(step)
        for entry in entries:
            take = _NOTES.get(type(entry))
            if take is not None:
                take(self, entry, turn)
        self.queue_lengths[step] = len(self._place)
        while len(marks) <= step:
            marks.append(0)
        marks[step] = max(marks[step], self._marker.mark(entries))

    @property
    def storied(self) -> tuple[type, ...]:
        """The kinds of entries that stories are made of."""
        return STORIED

    def recall(self, entries: Iterable[Entry], seqs: Sequence[int], after: int) -> None:
        """Remember of some turns what was kept of them: the entries that stories are made of.

        Args:
            entries: those of the kinds in ``STORIED``, in their order.
            seqs: for each turn the number of the last event so far.
            after: the moment before the first of them.
        """
        lengths, waiting = self.queue_lengths, self._place
        for entry in entries:
            if not isinstance(entry, Event):
                _NOTES[type(entry)](self, entry, after)
                continue
            if entry.step >= len(lengths):
                self._reach(entry.step)
            _NOTES[type(entry)](self, entry, after + bisect_left(seqs, entry.seq) + 1)
            lengths[entry.step] = len(waiting)

    def mark(self, marks: str, step: int) -> None:
        """The steps up to one were recalled: the marks of the last ones, a letter each."""
        self._reach(step)
        self.marks[step + 1 - len(marks) :] = bytes(map(MARKS.index, marks))

    def go_on(self, view: BatchView) -> None:
        """The turns after those that were recalled will be noted; ``view`` is that before them."""
        self._marker.go_on_from(view)

    def _reach(self, step: int) -> None:
        lengths, count = self.queue_lengths, len(self._place)
        while len(lengths) <= step:
            lengths.append(count)

    def weigh(self, record: TurnRecord) -> int:
        """What a turn costs to be folded."""
        return weigh(record.entries)

    def freeze(self, view: BatchView) -> bytes:
        """The view without those who wait and those who have ended."""
        # Whoever comes stands last in the dictionary: its first came before all who wait.
        return frozen(view, next(iter(self._place.values()), len(self._waiting)))

    def check(self, keyframe: bytes) -> None:
        """See that a keyframe from elsewhere is one.

        Raises:
            ValueError: it is none.
        """
        view = _KEYFRAME.decode(keyframe)[1]
        if [slot.index for slot in view.slots] != list(range(len(view.slots))):
            raise ValueError("slots out of order")

    def thaw(self, keyframe: bytes, turn: int) -> BatchView:
        """The view that was frozen at a moment."""
        first, view = _KEYFRAME.decode(keyframe)
        count = bisect_right(self._queued_at, turn)
        here = [left > turn for left in self._left_at[first:count]]
        view.waiting = {w.request_id: w for w in compress(self._waiting[first:count], here)}
        count = bisect_right(self._ended_at, turn)
        view.ended = self._ended[max(0, count - MAX_ENDED) : count]
        view.order_by(self.policy_of(view.policy), self.policy_of)
        return view

    # What happens to requests.

    def _submitted(self, input: Submitted[Request], turn: int) -> None:
        self._asked[input.body.request_id, input.body.index] = input.body

    def _begun(self, event: Any, turn: int) -> None:
        request = self._asked.pop((event.request_id, event.index), None)
        story = Story(event.request_id, request, moments=[Moment(turn, event)])
        self._stories.setdefault(event.request_id, []).append(story)

    def _queued(self, event: said.RequestQueued, turn: int) -> None:
        self._begun(event, turn)
        self._living.add(event.request_id)
        place = len(self._waiting)
        self._place[event.request_id] = self._stories[event.request_id][-1].place = place
        self._waiting.append(waiting_of(event))
        self._queued_at.append(turn)
        self._left_at.append(NEVER)

    def _left(self, request_id: str, turn: int) -> None:
        place = self._place.pop(request_id, None)
        if place is not None:
            self._left_at[place] = turn

    def _refused(self, event: said.RequestRefused, turn: int) -> None:
        """One that was turned away because of its id comes before the one that has it and lives."""
        self._begun(event, turn)
        stories = self._stories[event.request_id]
        if event.request_id in self._living:
            stories[-2:] = stories[:-3:-1]

    def _happened(self, event: Any, turn: int) -> None:
        if event.request_id in self._stories:
            self._stories[event.request_id][-1].moments.append(Moment(turn, event))

    def _aborted(self, input: Aborted, turn: int) -> None:
        self._aborts[input.target] = input

    def _admitted(self, event: said.RequestAdmitted, turn: int) -> None:
        self.waits.append(event.waited_us)
        self._left(event.request_id, turn)
        self._happened(event, turn)
        self._seats[event.slot] = event.request_id, None

    def _finished(self, event: said.RequestFinished, turn: int) -> None:
        if event.slot is None and event.request_id in self._place:
            insort(self._unrun, self._place[event.request_id])
        elif event.slot is not None:
            self._seats[event.slot] = event.request_id, event.step
        abort = self._aborts.pop(event.request_id, None)
        if event.finish_reason == "abort" and event.stop_reason is None:
            for story in self._stories.get(event.request_id, [])[-1:]:
                story.aborted = abort
        self._left(event.request_id, turn)
        self._happened(event, turn)
        self._living.discard(event.request_id)
        self._ended.append(ending_of(event))
        self._ended_at.append(turn)

    def _call_failed(self, event: said.CallFailed, turn: int) -> None:
        for slot in sorted(self._seats.keys() & event.slots):
            request_id, ended = self._seats[slot]
            if ended is not None and ended != event.step:  # whoever ended is shown for a step
                continue
            for story in self._stories.get(request_id, [])[-1:]:
                story.moments.append(Moment(turn, event))

    def _dropped(self, event: said.RowsDiscarded, turn: int) -> None:
        rows = zip(event.slots, event.generations, event.request_ids, strict=True)
        for slot, generation, request_id in rows:
            for story in self._stories.get(request_id, []):
                if story.sat_in(slot, generation):
                    story.moments.append(Moment(turn, event))


def weigh(entries: list[Entry]) -> int:
    """What the entries of a turn cost to be folded: whoever cuts chunks asks the same."""
    weight = len(entries)
    for entry in entries:
        if type(entry) is _TOKENS:
            weight += len(entry.slots) // COLUMNS_PER_EVENT
    return weight


def frozen(view: BatchView, first_waiting: int) -> bytes:
    """A view without those who wait and those who have ended.

    ``first_waiting`` is how many had been queued before the first of those who wait.
    """
    waiting, ended = view.waiting, view.ended
    view.waiting, view.ended = {}, []
    try:
        return _ENCODER.encode((first_waiting, view))
    finally:
        view.waiting, view.ended = waiting, ended


_TOKENS = said.TokensApplied  # looked up once: every entry of every run is asked

_LETTERS = MARKS.encode().ljust(256, b"?")

_NOTES: dict[type, Callable[..., None]] = {
    Submitted: BatchHistory._submitted,
    Aborted: BatchHistory._aborted,
    said.RequestQueued: BatchHistory._queued,
    said.RequestRefused: BatchHistory._refused,
    said.RequestBlocked: BatchHistory._happened,
    said.RequestAdmitted: BatchHistory._admitted,
    said.RequestFinished: BatchHistory._finished,
    said.RowsDiscarded: BatchHistory._dropped,
    said.CallFailed: BatchHistory._call_failed,
}

STORIED = tuple(_NOTES)
"""The kinds of entries that stories are made of."""
