from __future__ import annotations

from collections.abc import Callable

import pytest

from batchtui.engine.batching.explain.why import Explanation, Reason
from batchtui.tui.renderables.glyphs import ASCII, UNICODE, Glyphs
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.why import num_why_lines, why_lines, why_title

CheckGolden = Callable[[str, list[Line]], None]

HEAD = Explanation(
    request_id="r12",
    state="waits",
    title="r12 waits",
    step=12,
    reasons=[
        Reason("place", "1 of 6 under fcfs"),
        Reason("key", "(arrival 0.140 s, r12)"),
        Reason("ahead", "nobody"),
        Reason("rule", "kv needs 14 blocks, 8 free (12 now)"),
        Reason("holder", "r11 in slot 3: 13 blocks, 1 of 160 tokens"),
        Reason("since", "step 12 (1 step, 20ms); it arrived at step 7"),
        Reason("passed by", "nobody that arrived later"),
        Reason("would fit", "now, behind it: r13 r14 r15 r16 r17 (1-3 blocks each)"),
        Reason("so", "slot 7 idle: head-of-line"),
    ],
)
LATER = [
    Reason("step 20", "admitted to slot 4 gen 2 after 300ms"),
    Reason("step 35", "ended: stop EOS (44 tokens)"),
]
PAST = Explanation(
    request_id="r12",
    state="waits",
    title=HEAD.title,
    step=HEAD.step,
    reasons=HEAD.reasons,
    later=LATER,
)
HOSTILE = Explanation(
    request_id="\x1b[2J",
    state="ended",
    title='\x1b[2J ended: stop "\n\u202e漢"',
    step=3,
    reasons=[
        Reason("why", 'stop string "\x1b]0;x\x07  漢字\u202e" at token 3'),
        Reason("ahead", "x" * 200),
    ],
    later=[Reason("step 9", "漢" * 60)],
)


def seen(lines: list[Line]) -> list[str]:
    return [text_of(line).rstrip() for line in lines]


def drawn(explanation: Explanation, width: int, height: int, glyphs: Glyphs) -> list[Line]:
    """The title, and the lines below it."""
    title = why_title(explanation, width, glyphs)
    return [title, *why_lines(explanation, width, height - 1, glyphs)]


@pytest.mark.parametrize(("width", "height"), [(49, 15), (78, 8), (78, 14), (30, 20)])
def test_the_head_of_the_queue_explained(golden: CheckGolden, width: int, height: int) -> None:
    golden(f"why-head-{width}x{height}", drawn(HEAD, width, height, UNICODE))


def test_in_the_past_what_came_later_stands_under_a_rule(golden: CheckGolden) -> None:
    golden("why-past-50x15", drawn(PAST, 50, 15, UNICODE))


def test_ascii_draws_nothing_else(golden: CheckGolden) -> None:
    golden("why-ascii-78x10", drawn(PAST, 78, 10, ASCII))


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("explanation", [HEAD, PAST, HOSTILE])
def test_nothing_is_wider_or_longer_than_asked(explanation: Explanation, glyphs: Glyphs) -> None:
    for width in (1, 2, 3, 5, 9, 12, 20, 48, 78, 120):
        for height in (1, 2, 8, 14, 40):
            lines = why_lines(explanation, width, height, glyphs)
            assert len(lines) <= height
            assert all(width_of(line) <= width for line in lines)
            assert width_of(why_title(explanation, width, glyphs)) <= width


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
def test_what_is_foreign_is_harmless(glyphs: Glyphs) -> None:
    text = "".join(seen(drawn(HOSTILE, 60, 20, glyphs)))
    assert not {"\x1b", "\x07", "\n", "\u202e"} & set(text)
    assert text.isascii() == glyphs.ascii


def test_what_is_hidden_is_counted_and_can_be_scrolled_to() -> None:
    total = num_why_lines(HEAD, 46, 5, UNICODE)
    first = seen(why_lines(HEAD, 46, 5, UNICODE))
    assert len(first) == 5
    assert first[-1] == f"..        {total - 4} more lines"
    last = seen(why_lines(HEAD, 46, 5, UNICODE, top=total - 5))
    assert last[-1] == "so        slot 7 idle: head-of-line"
    assert seen(why_lines(HEAD, 46, 5, UNICODE, top=999)) == last


def test_short_reasons_share_lines_only_where_there_is_no_room() -> None:
    assert len(why_lines(HEAD, 76, 20, UNICODE)) == len(HEAD.reasons)
    low = seen(why_lines(HEAD, 74, 7, UNICODE))
    assert len(low) == 7
    assert all(any(reason.words in line for line in low) for reason in HEAD.reasons)


def test_what_came_later_is_seen_where_there_is_no_room_for_all() -> None:
    lines = seen(why_lines(PAST, 46, 10, UNICODE))
    assert len(lines) == 10
    assert lines[6].endswith("more lines")
    assert lines[7].startswith("── LATER (the log knows) ──")
    assert lines[8] == "step 20   admitted to slot 4 gen 2 after 300ms"


def test_a_label_that_repeats_is_named_once() -> None:
    calls = [Reason("calls", "step 1: call 2 failed"), Reason("calls", "step 3: call 4 failed")]
    again = Explanation(request_id="r", state="runs", title="r runs", step=4, reasons=calls)
    assert seen(why_lines(again, 60, 5, UNICODE)) == [
        "calls     step 1: call 2 failed",
        "          step 3: call 4 failed",
    ]
