from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from batchtui.engine.machine import Input, Replied, Status, Submitted, Turn, Work
from batchtui.engine.simulate import Simulation, StepFeed, TimedFeed


class Echo:
    """A machine that starts a work for each submission, and notes when everything came."""

    phases = ("work",)

    def __init__(self, wakes: Sequence[int] = ()) -> None:
        self.unit, self.step = "echo", 0
        self.came: list[tuple[int, str]] = []
        self.turns: list[int] = []
        self._inbox: list[Input] = []
        self._wakes = sorted(wakes)

    @property
    def status(self) -> Status:
        return "ready" if self._inbox else "waiting"

    def take(self, input: Input) -> None:
        self._inbox.append(input)

    def wake_at(self) -> int | None:
        return self._wakes[0] if self._wakes else None

    def turn(self, now: int) -> Turn:
        inbox, self._inbox = self._inbox, []
        self.turns.append(now)
        self.came += [(now, name_of(input)) for input in inbox]
        self._wakes = [at for at in self._wakes if at > now]
        self.step += 1
        works = [
            Work(id=len(self.turns) * 100 + place, spec=input.body)
            for place, input in enumerate(inbox)
            if isinstance(input, Submitted)
        ]
        return Turn(phase="work", events=[], start=works, cancel=[])


def name_of(input: Input) -> str:
    if isinstance(input, Submitted):
        return str(input.body)
    if isinstance(input, Replied):
        return f"{'late ' if input.late else ''}{input.body}"
    return type(input).__name__


def slow(work: Work) -> list[tuple[int, Input]]:
    """Each spec ends in the time that it takes."""
    name, delay = work.spec.split(":")
    return [(int(delay), Replied(work=work.id, body=name))]


def submissions(*pairs: tuple[int, str]) -> list[Input]:
    return [Submitted(at=at, body=body) for at, body in pairs]


def test_time_jumps_to_the_next_thing_that_happens() -> None:
    machine = Echo()
    feed = TimedFeed(submissions((5, "a:100"), (5, "b:10"), (2_000_000, "c:1")))
    assert len(list(Simulation(machine, slow, feed))) == 5
    assert machine.came == [
        (5, "a:100"),
        (5, "b:10"),
        (15, "b"),
        (105, "a"),
        (2_000_000, "c:1"),
        (2_000_001, "c"),
    ]


def test_what_comes_at_one_time_comes_in_the_order_in_which_it_was_started() -> None:
    machine = Echo()
    feed = TimedFeed(submissions((0, "a:50"), (0, "b:50"), (50, "c:0")))
    list(Simulation(machine, slow, feed))
    assert [name for _, name in machine.came] == ["a:50", "b:50", "c:0", "a", "b", "c"]


def test_a_late_reply_comes_at_its_own_time() -> None:
    machine = Echo()

    def perform(work: Work) -> list[tuple[int, Input]]:
        late = Replied(work=work.id, body="x", final=False, late=True)
        return [(30, late), (10, Replied(work=work.id, body="x"))]

    list(Simulation(machine, perform, TimedFeed(submissions((1, "x")))))
    assert machine.came == [(1, "x"), (11, "x"), (31, "late x")]


def test_a_machine_is_woken_when_it_asked_to_be_and_not_if_something_came_before() -> None:
    machine = Echo(wakes=[40, 70])
    list(Simulation(machine, slow, TimedFeed(submissions((40, "a:5"), (60, "b:50")))))
    assert [(at, name) for at, name in machine.came if name == "Woken"] == [(70, "Woken")]
    assert machine.turns == [40, 45, 60, 70, 110]


def test_a_wake_that_lies_in_the_past_is_now_and_time_never_goes_back() -> None:
    machine = Echo(wakes=[3])
    simulation = Simulation(machine, slow, TimedFeed([]))
    simulation.now = 10
    assert simulation.advance() is not None
    assert machine.came == [(10, "Woken")]
    assert simulation.advance() is None


def test_a_timed_feed_reads_one_ahead_and_no_more() -> None:
    read: list[int] = []

    def inputs() -> Iterator[Input]:
        for at in range(0, 1000, 10):
            read.append(at)
            yield Submitted(at=at, body=f"{at}:1")

    feed = TimedFeed(inputs())
    assert read == [0]
    assert [input.at for input in feed.due(25, 0)] == [0, 10, 20]
    assert read == [0, 10, 20, 30]
    assert feed.next_at() == 30
    assert not feed.due(29, 0)
    assert not feed.skip()


def test_a_feed_that_has_run_out_has_nothing() -> None:
    feed = TimedFeed(iter(()))
    assert (list(feed.due(99, 9)), feed.next_at(), feed.skip()) == ([], None, False)
    assert not StepFeed([]).skip()


def by_steps(*steps: int) -> StepFeed:
    def submission(step: int) -> Callable[[int], Input]:
        return lambda now: Submitted(at=now, body=f"{step}:5")

    return StepFeed([(step, submission(step)) for step in steps])


def bodies(inputs: Sequence[Input]) -> list[object]:
    return [input.body for input in inputs if isinstance(input, Submitted)]


def test_a_step_feed_gives_what_belongs_to_a_step_or_one_before_it() -> None:
    feed = by_steps(0, 0, 2)
    assert bodies(feed.due(7, 0)) == ["0:5", "0:5"]
    assert not feed.due(7, 1)
    (last,) = feed.due(9, 5)
    assert last.at == 9
    assert feed.next_at() is None


def test_idle_steps_are_jumped_and_those_after_them_keep_their_distance() -> None:
    feed = by_steps(0, 10, 12)
    assert len(feed.due(0, 0)) == 1
    assert not feed.due(0, 1)
    assert feed.skip()
    assert bodies(feed.due(0, 1)) == ["10:5"]
    assert not feed.due(0, 2)
    assert bodies(feed.due(0, 3)) == ["12:5"]
    assert not feed.skip()


def test_a_run_by_steps_takes_no_time_over_idle_ones() -> None:
    machine = Echo()
    list(Simulation(machine, slow, by_steps(0, 1_000_000)))
    assert machine.came == [(0, "0:5"), (5, "0"), (5, "1000000:5"), (10, "1000000")]
