"""A turn has the mark of the most notable thing in it; what lasts marks the turns after it too."""

from __future__ import annotations

from typing import Any

from batchtui.engine.batching import events as said
from batchtui.engine.batching.marks import MARKS, Marker

PLACE: dict[str, Any] = {"seq": 1, "step": 0, "phase": "admit", "at": 0, "unit": "batch"}


def blocked(request_id: str) -> said.RequestBlocked:
    return said.RequestBlocked(
        **PLACE, request_id=request_id, index=0, rule="slots", blocker="", needed=1, available=0
    )


def admitted(request_id: str, slot: int = 0) -> said.RequestAdmitted:
    return said.RequestAdmitted(
        **PLACE, request_id=request_id, index=0, slot=slot, generation=1, blocks=1, waited_us=0
    )


def applied(held: dict[int, str], *slots: int) -> said.TokensApplied:
    tokens = [7] * len(slots)
    return said.TokensApplied(
        **PLACE, work=1, slots=list(slots), counts=None, tokens=tokens, held=held, surplus=0
    )


def marks(*turns: list[Any]) -> str:
    marker = Marker()
    return "".join(MARKS[marker.mark(turn)] for turn in turns)


def test_the_head_waits_from_the_turn_that_says_so_until_it_enters() -> None:
    assert marks([], [blocked("a")], [], [admitted("b")], [admitted("a")], []) == ".www+."


def test_text_that_is_held_back_is_marked_when_it_begins() -> None:
    held = applied({1: "x"}, 0, 1)
    assert marks([held], [held], [applied({}, 0, 1)], [held]) == "H..H"
    assert marks([held], [admitted("a", 1)], [held]) == "H+H"


def test_the_most_notable_thing_counts() -> None:
    fault = said.FaultInjected(**PLACE, kind="raise")
    assert marks([admitted("a"), fault, blocked("b")]) == "!"
