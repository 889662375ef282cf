"""Breakpoints over random runs: a search finds what a plain loop over the run finds."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.batching.film import Film
from tests.engine.batching.play import ACTS, OPTIONS, Act, Play, filmed

from batchtui.engine.batching.conditions import BATCHING
from batchtui.engine.batching.view import BatchView
from batchtui.engine.debugger.breakpoints import Breakpoint, Breakpoints
from batchtui.engine.debugger.cursor import Cursor
from batchtui.engine.debugger.debugger import Debugger
from batchtui.engine.debugger.recording import TurnRecord
from batchtui.engine.debugger.timeline import fold
from batchtui.engine.errors import InputError

TEXTS = [
    "finish",
    "finish r1",
    "admit r2",
    "hold",
    "fail",
    "discard",
    "abort",
    "error",
    "refuse r3",
    "options",
    "slot 1",
    "request r0",
    "queue > 1",
    "queue = 0",
    "running < 2",
    "running >= 2 and queue > 0",
    "wait > 10us",
    "wait <= 3us",
    "kv > 40%",
    "kv >= 2",
    "step 5",
    "finish and queue > 0",
    "admit and step 4",
    "admit r1 and options",
]

_ACTS = [*[("submit", number, "ab") for number in (0, 1, 2, 3)], *[("turn", 1, "a")] * 30]


def points(*texts: str) -> Breakpoints[BatchView]:
    made: Breakpoints[BatchView] = Breakpoints(BATCHING)
    for text in texts:
        made.add(text)
    return made


def turns(film: Film) -> Iterator[tuple[int, TurnRecord, BatchView]]:
    """Every turn in a row with the view after it."""
    view = film.timeline.history.empty()
    for turn, record in enumerate(film.timeline.records(), 1):
        fold(view, record)
        yield turn, record, view


def last(found: Iterator[int | None]) -> int | None:
    """What a search comes to."""
    return [None, *found][-1]


@settings(max_examples=60)
@given(
    acts=ACTS,
    by_priority=st.booleans(),
    options=OPTIONS,
    texts=st.lists(st.sampled_from(TEXTS), min_size=1, max_size=3),
    moments=st.lists(st.integers(0, 400), min_size=1, max_size=8),
)
def test_a_search_finds_what_a_plain_loop_finds(
    acts: list[Act],
    by_priority: bool,
    options: dict[str, int],
    texts: list[str],
    moments: list[int],
) -> None:
    film = filmed(Play(by_priority=by_priority, **options), acts)
    plain = points(*texts)
    plain.start(film.timeline.history.empty())
    hits = [turn for turn, record, view in turns(film) if plain.check(record, view)]
    sought = points(*texts)
    for moment in moments:
        cursor = Cursor(film.timeline)
        cursor.to(moment % (film.timeline.num_turns + 1))
        sought.start(cursor.view)
        ahead = [turn for turn in hits if turn > cursor.turn]
        assert first_stop(film, cursor.turn, points(*texts)) == (ahead[0] if ahead else None)
        behind = [turn for turn in hits if turn < cursor.turn]
        assert last(cursor.find_back(sought.start, sought.hit)) == (behind[-1] if behind else None)
    assert sum(each.hits for each in sought) == 0
    assert sum(each.hits for each in plain) >= len(hits)


def first_stop(film: Film, turn: int, breakpoints: Breakpoints[BatchView]) -> int | None:
    """Where going on from a moment stops."""
    debugger = Debugger(film.timeline, None, breakpoints)
    debugger.to_turn(turn)
    while debugger.advance_phase():
        if debugger.stopped:
            return debugger.cursor.turn
    return None


@pytest.fixture(scope="module")
def film() -> Film:
    return filmed(Play(by_priority=False, max_num_seqs=1), _ACTS)


def hit_turns(film: Film, breakpoints: Breakpoints[BatchView]) -> list[int]:
    return [turn for turn, record, view in turns(film) if breakpoints.check(record, view)]


def test_a_hit_says_which_one_and_where(film: Film) -> None:
    breakpoints = points("finish   R9", "Finish r3")
    found = [
        (record, hit.where(record))
        for _, record, view in turns(film)
        if (hit := breakpoints.check(record, view))
    ]
    ((record, words),) = found
    assert words == f'breakpoint "Finish r3" at step {record.step}, apply'
    assert any(getattr(event, "finish_reason", "") == "stop" for event in record.events)
    assert [each.text for each in breakpoints] == ["finish R9", "Finish r3"]


def test_a_level_hits_when_it_becomes_true_and_not_while_it_stays_so(film: Film) -> None:
    breakpoints = points("queue > 0")
    hits = hit_turns(film, breakpoints)
    levels = [bool(view.waiting) for _, _, view in turns(film)]
    rises = [
        turn
        for turn, (before, now) in enumerate(zip([False, *levels], levels, strict=False), 1)
        if now and not before
    ]
    assert hits == rises
    assert 0 < len(hits) < sum(levels)


def test_a_level_that_was_true_before_does_not_hit_at_once(film: Film) -> None:
    cursor = Cursor(film.timeline)
    (began,) = hit_turns(film, points("queue > 0"))
    cursor.to(began + 1)
    record = film.timeline.record(began + 2)
    late: Breakpoints[BatchView] = Breakpoints(BATCHING)
    late.start(cursor.view)
    late.add("queue > 0")
    cursor.to(began + 2)
    assert cursor.view.waiting
    assert late.check(record, cursor.view) is None


def test_a_happening_hits_every_time_that_its_levels_hold(film: Film) -> None:
    plain = [
        turn
        for turn, record, view in turns(film)
        if view.waiting and any("Admitted" in type(event).__name__ for event in record.events)
    ]
    assert hit_turns(film, points("admit and queue > 0")) == plain
    assert len(plain) > 1


def test_the_first_enabled_one_stops_and_all_are_counted(film: Film) -> None:
    breakpoints = points("admit", "admit r3", "step 9999")
    first, second, never = breakpoints
    breakpoints.toggle(first)
    stops = [hit for _, record, view in turns(film) if (hit := breakpoints.check(record, view))]
    assert stops == [second]
    assert first.hits > 1
    assert (first.hits, second.hits, never.hits) == (film.timeline.view.totals.admitted, 1, 0)
    breakpoints.toggle(first)
    assert first.enabled


def test_a_step_hits_once_at_the_first_turn_of_it(film: Film) -> None:
    for step in (0, 2):
        hits = hit_turns(film, points(f"step {step}"))
        first = next(turn for turn, record, _ in turns(film) if record.step == step)
        assert hits == [first]


def test_a_condition_for_once_is_words_or_nothing(film: Film) -> None:
    breakpoints = points()
    until = breakpoints.until("finish r3", film.timeline.history.empty())
    words = [said for _, record, view in turns(film) if (said := until(record, view))]
    (only,) = words
    assert only.startswith("finish r3 at step ")
    assert len(breakpoints) == 0


def test_the_same_words_are_one_breakpoint() -> None:
    breakpoints = points("finish")
    (first,) = breakpoints
    breakpoints.toggle(first)
    assert breakpoints.add(" finish ") is first
    assert first.enabled
    assert len(breakpoints) == 1


def test_one_that_was_removed_is_gone() -> None:
    breakpoints = points("finish", "admit")
    first, second = breakpoints
    breakpoints.remove(first)
    breakpoints.remove(first)
    assert list(breakpoints) == [second]


def test_words_without_sense_set_nothing() -> None:
    breakpoints = points()
    with pytest.raises(InputError, match="did you mean `finish`"):
        breakpoints.add("finsh")
    with pytest.raises(InputError, match="known are finish, admit"):
        breakpoints.parse("")
    assert list[Breakpoint](breakpoints) == []


def test_what_stands_in_quotes_is_kept_as_it_is() -> None:
    assert [each.text for each in points('request "a  b"')] == ['request "a  b"']
