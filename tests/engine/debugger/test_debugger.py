"""The debugger moves both ways: replays from the past, goes on live, stops where it is told to."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.film import Lines
from tests.engine.batching.table import Letters, letters, request

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.history import BatchHistory
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.driver import Driver
from batchtui.engine.debugger.recorder import Recorder
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import Chunker, Timeline, fold
from batchtui.engine.machine import Input, Replied, Submitted, Work
from batchtui.engine.model import Reply
from batchtui.engine.simulate import Simulation, TimedFeed

NUM_REQUESTS = 5
MOST = 40

Batch = Debugger[BatchView]


MOVES: list[Callable[[Batch, int], object]] = [
    lambda made, number: made.advance_phase(),
    lambda made, number: made.advance_step(),
    lambda made, number: made.back_phase(),
    lambda made, number: made.back_step(),
    lambda made, number: made.to_turn(number),
    lambda made, number: made.to_step(number),
    lambda made, number: made.to_head(),
]


def answers(work: Work) -> Iterable[tuple[int, Input]]:
    keys = list(work.spec.keys)
    return [(10, Replied(work=work.id, body=Reply(keys, [letters("a") for _ in keys])))]


def debugger(*texts: str, moved: int = 0, recorded: bool = False) -> Batch:
    """A run of five requests in two slots, some turns of it made; or all of it, as a recording."""
    history = BatchHistory(2, None, Fcfs())
    log = Lines(history)
    recorder = Recorder(Decoder(BatchingConfig(max_num_seqs=2), Letters(), Fcfs()))
    asked = [
        Submitted(body=request(f"r{index}", index=index, prompt="ab", max_tokens=2 + index))
        for index in range(NUM_REQUESTS)
    ]
    driver = Driver(Simulation(recorder, answers, TimedFeed(iter(asked))))
    made = Debugger(Timeline(history, log, Chunker(MOST)), driver, Breakpoints(BATCHING))

    def watch(record: TurnRecord) -> None:
        log.add(record)
        made.watch(record)

    recorder.watch = watch
    while (recorded or made.timeline.num_turns < moved) and made.advance_phase():
        pass
    if recorded:
        made = Debugger(made.timeline, None, made.breakpoints)
    for text in texts:
        made.breakpoints.add(text)
    made.breakpoints.start(made.view)
    return made


def encoded(view: BatchView) -> bytes:
    return msgspec.json.encode(view)


def to_the_end(made: Batch) -> list[str]:
    """Go on whole step by whole step; where it stopped on the way."""
    stops = []
    while made.advance_step():
        stops += [made.stopped] if made.stopped else []
    return stops


def hits_of(text: str) -> list[int]:
    """The moments that a plain loop over the whole run finds."""
    made, points = debugger(recorded=True), Breakpoints[BatchView](BATCHING)
    points.add(text)
    view = made.timeline.history.empty()
    points.start(view)
    found = []
    for turn, record in enumerate(made.timeline.records(), 1):
        fold(view, record)
        if points.hit(record, view):
            found.append(turn)
    return found


def test_a_step_ends_where_the_next_one_would_begin_and_a_phase_is_a_turn() -> None:
    made = debugger()
    assert (made.step, made.cursor.turn) == (-1, 0)
    assert made.advance_step()
    assert (made.step, made.view.phase, made.cursor.turn) == (0, "deliver", 4)
    assert made.is_step_over()
    assert made.advance_phase()
    assert (made.step, made.view.phase, made.cursor.turn) == (1, "admit", 5)
    assert not made.is_step_over()


def test_the_rest_of_a_step_that_was_begun_is_a_step() -> None:
    made = debugger(moved=6)
    assert made.advance_step()
    assert (made.step, made.cursor.turn) == (1, 8)


def test_looking_back_moves_nothing_and_forward_replays_before_it_goes_on_live() -> None:
    made = debugger(moved=12)
    assert made.back_step()
    assert made.back_phase(3)
    assert (made.cursor.turn, made.timeline.num_turns) == (5, 12)
    made.advance_step()
    assert (made.cursor.turn, made.timeline.num_turns) == (8, 12)
    made.advance_step()
    assert made.cursor.at_head
    made.advance_step()
    assert made.timeline.num_turns == 16


def test_a_step_from_the_past_into_one_that_is_being_made_ends_it_live() -> None:
    made = debugger(moved=6)
    made.back_phase()
    assert made.advance_step()
    assert (made.timeline.num_turns, made.is_step_over()) == (8, True)


def test_what_is_not_to_go_on_live_ends_at_the_head() -> None:
    made = debugger(moved=6)
    made.back_phase()
    assert made.advance_step(live=False)
    assert made.cursor.at_head
    assert made.timeline.num_turns == 6
    assert not made.advance_step(live=False)
    assert not made.advance_phase(live=False)
    assert made.timeline.num_turns == 6


def test_before_the_beginning_there_is_nothing() -> None:
    made = debugger(moved=4)
    assert made.back_step()
    assert (made.step, made.cursor.turn) == (-1, 0)
    assert not made.back_step()
    assert not made.back_phase()
    made.to_step(-10)
    assert made.cursor.turn == 0


def test_a_run_has_ended_only_where_one_looks_at_its_end() -> None:
    made = debugger()
    to_the_end(made)
    assert made.ended
    assert not made.advance_step()
    made.back_phase()
    assert not made.ended
    made.to_head()
    assert made.ended


def test_a_recording_has_its_end_for_a_head() -> None:
    made = debugger(recorded=True)
    assert made.ended
    num_turns, step = made.timeline.num_turns, made.step
    assert not made.advance_phase()
    made.to_step(2)
    assert not made.ended
    assert to_the_end(made) == []
    assert (made.cursor.turn, made.step) == (num_turns, step)


def test_beyond_the_last_step_is_the_head() -> None:
    made = debugger(moved=9)
    made.to_step(10_000)
    assert made.cursor.at_head
    made.to_turn(10_000)
    assert made.cursor.at_head


@settings(max_examples=25)
@given(walk=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 80)), max_size=40))
def test_every_walk_sees_at_every_moment_what_was_seen_there_first(
    walk: list[tuple[int, int]],
) -> None:
    first = debugger()
    seen = [encoded(first.view)]
    while first.advance_phase():
        seen.append(encoded(first.view))
    made = debugger()
    for kind, number in walk:
        MOVES[kind](made, number)
        assert encoded(made.view) == seen[made.cursor.turn]


@pytest.mark.parametrize(
    "text", ["finish", "admit r3", "queue < 2", "slot 1", "finish r0 and slot 0"]
)
def test_a_breakpoint_stops_live_where_a_plain_loop_finds_it(text: str) -> None:
    made, stops = debugger(text), []
    while made.advance_step():
        if made.stopped:
            stops.append(made.cursor.turn)
            assert made.hit is next(iter(made.breakpoints))
            assert made.stopped.startswith(f'breakpoint "{text}" at step {made.step}, ')
    assert stops == hits_of(text)
    assert made.hit is None or made.hit.hits == len(stops)


@pytest.mark.parametrize("text", ["finish", "admit r3", "queue < 2", "slot 1"])
def test_a_breakpoint_stops_a_replay_at_the_same_moments(text: str) -> None:
    made, stops = debugger(text, recorded=True), []
    made.to_turn(0)
    while made.advance_step():
        if made.stopped:
            stops.append(made.cursor.turn)
    assert stops == hits_of(text)


def test_a_breakpoint_stops_a_step_in_its_middle_and_the_next_one_goes_on() -> None:
    made = debugger("admit r3")
    while not made.stopped:
        assert made.advance_step()
    assert made.view.phase == "admit"
    assert not made.is_step_over()
    step = made.step
    assert made.advance_step()
    assert (made.step, made.view.phase, made.stopped) == (step, "deliver", "")


def test_one_that_is_switched_off_counts_and_does_not_stop() -> None:
    made = debugger("finish")
    point = next(iter(made.breakpoints))
    made.breakpoints.toggle(point)
    assert to_the_end(made) == []
    assert point.hits == len(hits_of("finish")) > 1


def test_back_to_a_breakpoint_goes_to_the_last_hit_before_this_moment() -> None:
    made = debugger("finish", recorded=True)
    found = []
    while any(made.search_back()):
        found.append(made.cursor.turn)
        assert made.stopped.startswith('breakpoint "finish" at step')
    assert found == hits_of("finish")[::-1][-len(found) :]
    assert found[-1] == hits_of("finish")[0]
    assert next(iter(made.breakpoints)).hits == 0
    where = made.cursor.turn
    assert not any(made.search_back())
    assert made.cursor.turn == where


def test_a_search_that_is_given_up_leaves_breakpoints_as_they_were() -> None:
    made = debugger("queue > 0", recorded=True)
    made.to_step(2)
    assert len(made.view.waiting) > 0
    search = made.search_back()
    next(search)
    search.close()
    made.to_step(2)
    search = made.search_back()
    next(search, None)
    search.close()
    made.advance_step()
    assert made.stopped == ""  # it was true before, so it has not become true


def test_until_stops_once() -> None:
    made = debugger()
    made.advance_step()
    made.until = made.breakpoints.until("request r2", made.view)
    stops = to_the_end(made)
    assert len(stops) == 1
    assert stops[0].startswith("request r2 at step")
    assert made.until is None


def test_going_anywhere_else_forgets_until_and_why_it_had_stopped() -> None:
    made = debugger("finish")
    while not made.stopped:
        made.advance_step()
    made.until = made.breakpoints.until("admit r4", made.view)
    made.back_step()
    assert made.stopped == ""
    assert made.hit is None and made.until is None


def test_what_a_thread_has_moved_is_seen_once_it_is_settled() -> None:
    made = debugger("admit r0")
    assert made.move_head(whole_step=True)
    assert (made.cursor.turn, made.timeline.num_turns) == (0, 0)
    made.settle()
    assert made.cursor.turn == 4
    assert made.stopped == 'breakpoint "admit r0" at step 0, admit'


def test_who_looks_back_meanwhile_is_not_moved_nor_stopped() -> None:
    made = debugger("finish", moved=4)
    made.back_phase()
    while made.move_head(whole_step=True):
        pass
    made.settle()
    assert (made.cursor.turn, made.stopped) == (3, "")
    assert made.timeline.num_turns > 20
