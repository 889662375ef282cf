"""What a step decided, in words."""

from __future__ import annotations

from collections.abc import Callable

from msgspec.structs import replace

from batchtui.engine.batching import events as said
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.line import text_of
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.sentence import EXCEPTION, Sentence
from batchtui.tui.renderables.sentences import sentences

Draw = Callable[..., Scene]


def told(scene: Scene, *, terse: bool = False) -> list[str]:
    return [text_of(sentence.words) for sentence in sentences(scene, terse=terse)]


def with_event(session: BatchSession, draw: Draw, event: said.EVENT) -> list[Sentence]:
    view = replace(session.view, changed=[*session.view.changed, event])
    view.order_by(session.view.order)
    return sentences(draw(session, view=view))


def test_the_head_says_who_stands_behind_it_and_who_would_fit(
    demo_at_12: BatchSession, draw: Draw
) -> None:
    scene = draw(demo_at_12)
    assert told(scene)[0] == (
        "r12 waits: kv needs 14, 8 free; r13..r17 wait behind it, 5 of them would fit"
    )
    assert told(scene, terse=True)[0].endswith("; r13..r17 behind it, 5 fit")


def test_a_head_that_goes_on_waiting_counts_its_steps(demo: BatchSession, draw: Draw) -> None:
    while demo.step < 11:
        demo.advance_step()
    assert told(draw(demo))[0].startswith("r11 still blocked: kv needs 13, 12 free (2nd step);")


def test_options_that_were_changed_are_an_exception(demo_at_12: BatchSession, draw: Draw) -> None:
    event = said.OptionsChanged(
        seq=1, step=12, phase="admit", at=0, unit="batch",
        max_num_seqs=5, policy="priority\x1b", retiring=[5, 6],
    )  # fmt: skip
    (sentence,) = [s for s in with_event(demo_at_12, draw, event) if "options" in text_of(s.words)]
    assert sentence.rank == EXCEPTION
    words = "options changed: 5 slots, policy priority\\x1b; slots 5-6 retire"
    assert text_of(sentence.words) == words
    assert sentence.slots == (5, 6)


def test_a_fault_by_hand_is_an_exception(demo_at_12: BatchSession, draw: Draw) -> None:
    event = said.FaultInjected(seq=1, step=12, phase="admit", at=0, unit="batch", kind="late")
    (sentence,) = [s for s in with_event(demo_at_12, draw, event) if "fault" in text_of(s.words)]
    assert sentence.rank == EXCEPTION
    assert text_of(sentence.words) == "a fault is injected: late; the next model call has it"


def test_a_row_for_a_slot_that_is_gone_can_be_told(demo_at_12: BatchSession, draw: Draw) -> None:
    event = said.RowsDiscarded(
        seq=1, step=12, phase="apply", at=0, unit="batch", work=3, reason="late",
        slots=[99], generations=[1], request_ids=["r1"], num_tokens=[1],
    )  # fmt: skip
    texts = [text_of(sentence.words) for sentence in with_event(demo_at_12, draw, event)]
    assert "slot 99 dropped a row of r1 gen 1 (late): nobody is there now" in texts


def test_tokens_that_are_missing_are_an_alarm(demo_at_12: BatchSession, draw: Draw) -> None:
    totals = replace(demo_at_12.view.totals, returned=1000)
    view = replace(demo_at_12.view, totals=totals)
    view.order_by(demo_at_12.view.order)
    last = sentences(draw(demo_at_12, view=view))[-1]
    assert last.rank == EXCEPTION
    assert text_of(last.words).startswith("tokens are missing: ")
