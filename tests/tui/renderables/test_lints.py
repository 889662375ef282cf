from __future__ import annotations

from collections.abc import Callable

import pytest

from batchtui.engine.batching.explain.lints import Lint
from batchtui.tui.renderables.glyphs import ASCII, UNICODE, Glyphs
from batchtui.tui.renderables.line import Line, text_of, width_of
from batchtui.tui.renderables.lints import finding_line, lint_line

CheckGolden = Callable[[str, list[Line]], None]

IDLE = Lint(
    kind="head-of-line",
    words="slot 7 idle 3 steps while 9 wait: head r32 needs 12 kv, 3 free; r33 r34 would fit",
    since=39,
    request_id="r32",
    slots=(7,),
)
STOP = Lint(kind="dead-stop", words='stop "END" never matches: "EN" in it ends first (r3)', since=0)
HOSTILE = Lint(kind="dead-stop", words='stop "\x1b[2J\u202e漢" is listed twice (\n)', since=0)


def test_no_finding_has_no_line() -> None:
    assert lint_line([], 80, UNICODE) == []


def test_the_line_counts_them_tells_the_first_and_names_the_key() -> None:
    assert text_of(lint_line([IDLE, STOP], 160, UNICODE)).split("   ")[0] == (
        f" ! 2 lints: {IDLE.words}"
    )
    assert text_of(lint_line([IDLE, STOP], 160, UNICODE)).endswith("   (! lists) ")


def test_a_line_that_is_too_long_is_cut_before_the_key() -> None:
    line = text_of(lint_line([IDLE], 80, UNICODE))
    assert line.startswith(" ! 1 lint: slot 7 idle 3 steps while 9 wait: head r32 needs")
    assert line.endswith("..   (! lists) ")


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
@pytest.mark.parametrize("lints", [[], [IDLE], [HOSTILE, STOP, IDLE]])
def test_nothing_is_wider_than_asked_and_all_is_harmless(lints: list[Lint], glyphs: Glyphs) -> None:
    for width in (0, 1, 2, 3, 10, 40, 80, 160):
        assert width_of(lint_line(lints, width, glyphs)) <= width
    for lint in lints:
        text = text_of(finding_line(lint, ascii_only=glyphs.ascii))
        assert not {"\x1b", "\n", "\u202e"} & set(text)
        assert text.isascii() or not glyphs.ascii


def test_a_finding_of_a_whole_recording_has_its_span() -> None:
    line = finding_line(Lint(kind="idle-slot", words="w", since=3, until=9), ascii_only=True)
    assert text_of(line) == "idle-slot     steps 3-9  w"
