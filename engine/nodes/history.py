"""What is remembered of a search from its beginning to its head: the story of every test and node,
the mark of every step, and what keyframes leave out.

The view is bounded; this is not: it has an entry for each test, and one byte and one number for
each step. What was known at any moment is deduced anew from the results that there were then.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Iterator

import msgspec

from batchtui.engine.debugger.recording import Entry, TurnRecord
from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.config import NodesConfig
from batchtui.engine.nodes.folds import MAX_ENDED
from batchtui.engine.nodes.ledger import Ledger
from batchtui.engine.nodes.marks import MARKS, mark
from batchtui.engine.nodes.names import Names
from batchtui.engine.nodes.shown import EndedTest, ShownTest, ended_of, planned_of, with_consequence
from batchtui.engine.nodes.story import NEVER, Moment, NodeStory, TestStory
from batchtui.engine.nodes.view import NodesView

COLUMNS_PER_EVENT = 8
"""Nodes that cost about as much to be folded as a small event."""

_ENCODER = msgspec.msgpack.Encoder()
_KEYFRAME = msgspec.msgpack.Decoder(NodesView)
_LETTERS = MARKS.encode().ljust(256, b"?")


class NodesHistory:
    """The memory of a search: a ``History`` of the debugger.

    Attributes:
        config: of the search.
        names: what its nodes are called.
        marks: for each step an index into ``MARKS``.
        open_counts: for each step how many nodes were still to be found out about at its end.
    """

    def __init__(self, config: NodesConfig) -> None:
        self.config = config
        self.names = Names(config.inventory)
        self.marks = bytearray()
        self.open_counts = array("q")
        self._tests: dict[int, TestStory] = {}
        self._nodes: dict[int, NodeStory] = {}
        self._planned: dict[int, ShownTest] = {}
        self._ended: list[EndedTest] = []
        self._ended_at = array("q")
        self._results: list[said.TestEnded | said.ResultsOverruled] = []
        self._results_at = array("q")
        self._closed: list[tuple[int, tuple[int, ...]]] = []
        self._known: tuple[int, Ledger] = 0, Ledger(len(config.inventory))

    def empty(self) -> NodesView:
        """The view before anything has happened."""
        return NodesView.empty(self.config, self.names)

    # What there is to be asked.

    @property
    def num_tests(self) -> int:
        """How many sets were ever planned."""
        return len(self._tests)

    def test(self, test: int) -> TestStory | None:
        """The story of a test; None where there never was one of this id."""
        return self._tests.get(test)

    def node(self, node: int) -> NodeStory:
        """The story of a node."""
        return self._nodes.get(node) or NodeStory(node=node)

    def tests_of(self, node: int, turn: int = NEVER) -> list[TestStory]:
        """The tests that a node was in, or was to be in, by a moment."""
        stories = [self._tests[test] for test in self.node(node).tests]
        return [story for story in stories if story.moments[0].turn <= turn]

    def endings(self, turn: int) -> Iterator[EndedTest]:
        """The tests that had ended by a moment, the last first."""
        for place in range(self._num_ended(turn) - 1, -1, -1):
            yield self._ended[place]

    def closed(self, turn: int) -> set[int]:
        """The nodes that were not to be touched at a moment, or had been given up."""
        nodes = set(self.config.inventory.excluded)
        return nodes.union(*(shut for at, shut in self._closed if at <= turn))

    def ledger(self, turn: int) -> Ledger:
        """What was known at a moment: only look at it, it goes on with the next that is asked."""
        end, (done, ledger) = bisect_right(self._results_at, turn), self._known
        if end < done:
            done, ledger = 0, Ledger(len(self.config.inventory))
        for result in self._results[done:end]:
            if isinstance(result, said.ResultsOverruled):
                ledger.overrule(result.tests)
            else:
                ledger.add(result.test, self._tests[result.test].nodes, result.verdict)
        self._known = end, ledger
        return ledger

    def _num_ended(self, turn: int) -> int:
        return bisect_right(self._ended_at, turn)

    def ribbon(self, steps: slice) -> str:
        """The marks of some steps, a letter each."""
        return self.marks[steps].translate(_LETTERS).decode("ascii")

    # What it is told.

    def note(self, record: TurnRecord, turn: int, view: NodesView) -> None:
        """Remember a turn."""
        step = record.step
        for entry in record.entries:
            take = _NOTES.get(type(entry))
            if take is not None:
                take(self, entry, turn)
        self._reach(step)
        self.open_counts[step] = view.num_open
        self.marks[step] = max(self.marks[step], mark(record.entries))

    def _reach(self, step: int) -> None:
        last = self.open_counts[-1] if self.open_counts else self.empty().num_open
        while len(self.marks) <= step:
            self.marks.append(0)
            self.open_counts.append(last)

    def weigh(self, record: TurnRecord) -> int:
        """What a turn costs to be folded."""
        return weigh(record.entries)

    def freeze(self, view: NodesView) -> bytes:
        """The view without the tests that have ended."""
        ended, view.ended = view.ended, []
        try:
            return _ENCODER.encode(view)
        finally:
            view.ended = ended

    def check(self, keyframe: bytes) -> None:
        """See that a keyframe from elsewhere is one.

        Raises:
            ValueError: it is none.
        """
        count = len(self.config.inventory)
        if _KEYFRAME.decode(keyframe).num_nodes != count:
            raise ValueError(f"a map of another number of nodes than {count}")

    def thaw(self, keyframe: bytes, turn: int) -> NodesView:
        """The view that was frozen at a moment."""
        view = _KEYFRAME.decode(keyframe)
        end = self._num_ended(turn)
        view.ended = self._ended[max(0, end - MAX_ENDED) : end]
        view.call_by(self.names)
        return view

    # What happens to tests and nodes.

    def _planned_test(self, event: said.TestPlanned, turn: int) -> None:
        story = self._tests.get(event.test)
        if story is None:
            story = self._tests[event.test] = TestStory(id=event.test, nodes=event.nodes)
            for node in event.nodes:
                self._story(node).tests.append(event.test)
        story.moments.append(Moment(turn, event))
        self._planned[event.test] = planned_of(event)

    def _started(self, event: said.TestStarted, turn: int) -> None:
        self._tests[event.test].moments.append(Moment(turn, event))

    def _ended_test(self, event: said.TestEnded, turn: int) -> None:
        story = self._tests[event.test]
        if story.ended() is not None:
            raise ValueError(f"test {event.test} has ended already")
        story.moments.append(Moment(turn, event))
        self._ended.append(ended_of(event, self._planned.pop(event.test)))
        self._ended_at.append(turn)
        if event.counts and not event.again:
            self._came(event, turn)

    def _came(self, result: said.TestEnded | said.ResultsOverruled, turn: int) -> None:
        self._results.append(result)
        self._results_at.append(turn)

    def _believed(self, event: said.ResultsBelieved, turn: int) -> None:
        for test in event.tests:
            story = self._tests[test]
            ended = story.ended()
            if ended is None:
                raise ValueError(f"test {test} is believed, and has not ended")
            story.moments.append(Moment(turn, event))
            self._came(ended, turn)

    def _overruled(self, event: said.ResultsOverruled, turn: int) -> None:
        for test in event.tests:
            self._tests[test].moments.append(Moment(turn, event))
        self._came(event, turn)
        self._follows(event, turn)

    def _follows(self, event: said.EVENT, turn: int) -> None:
        if self._ended_at and self._ended_at[-1] == turn:
            self._ended[-1] = with_consequence(self._ended[-1], event)
        self._happened(event, turn)

    def _happened(self, event: said.EVENT, turn: int) -> None:
        moment = Moment(turn, event)
        for node in nodes_in(event):
            self._story(node).moments.append(moment)

    def _shut(self, event: said.NodesExcluded | said.NodeAbandoned, turn: int) -> None:
        self._closed.append((turn, nodes_in(event)))
        self._happened(event, turn)

    def _story(self, node: int) -> NodeStory:
        story = self._nodes.get(node)
        if story is None:
            story = self._nodes[node] = NodeStory(node=node)
        return story


def nodes_in(event: Event) -> tuple[int, ...]:
    """The nodes that an event says something of by their numbers."""
    if isinstance(event, said.SuspectsChanged):
        return event.named + event.released
    if isinstance(event, _ONES):
        return (event.node,)
    if isinstance(event, _SETS):
        return event.nodes
    return ()


def weigh(entries: list[Entry]) -> int:
    """What the entries of a turn cost to be folded: whoever cuts chunks asks the same."""
    weight = len(entries)
    for entry in entries:
        if isinstance(entry, Event):
            weight += len(nodes_in(entry)) // COLUMNS_PER_EVENT
    return weight


_ONES = said.NodeCondemned, said.NodeAbandoned, said.NodeConfirmed, said.ResultsOverruled

_SETS = (
    said.TestPlanned,
    said.TestRefused,
    said.NodesCleared,
    said.ContradictionFound,
    said.ContradictionsResolved,
    said.NodesReopened,
    said.NodesExcluded,
)

_NOTES: dict[type, Callable[..., None]] = {
    said.TestPlanned: NodesHistory._planned_test,
    said.TestStarted: NodesHistory._started,
    said.TestEnded: NodesHistory._ended_test,
    said.NodesCleared: NodesHistory._follows,
    said.NodeCondemned: NodesHistory._follows,
    said.ContradictionFound: NodesHistory._follows,
    said.NodesReopened: NodesHistory._follows,
    said.NodeConfirmed: NodesHistory._follows,
    said.ResultsBelieved: NodesHistory._believed,
    said.ResultsOverruled: NodesHistory._overruled,
    said.ContradictionsResolved: NodesHistory._happened,
    said.SuspectsChanged: NodesHistory._happened,
    said.NodeAbandoned: NodesHistory._shut,
    said.NodesExcluded: NodesHistory._shut,
}
