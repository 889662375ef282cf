"""CHANGED: what the last step decided, by phase: verb, object, reason; exceptions go first."""

from __future__ import annotations

from itertools import groupby

from batchtui.tui.renderables.line import Line, ends, join, width_of
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.sentences import Sentence, sentences
from batchtui.tui.renderables.table import framed, rule

_PHASE_WIDTH = 8


def changed_panel(scene: Scene, width: int, height: int) -> list[Line]:
    """The panel's lines: its title with the phases, then as many sentences as there is room."""
    glyphs, num_lines = scene.glyphs, max(0, height - 1)
    lines = [_title(scene, width)]
    body = _body(scene, max(1, width - 4), num_lines)
    lines += [framed(glyphs, [(" ", ""), *line], width) for line in body]
    lines += [framed(glyphs, [], width)] * (num_lines - len(body))
    return lines[:height]


def _title(scene: Scene, width: int) -> Line:
    glyphs = scene.glyphs
    title: Line = [(" ", ""), ("CHANGED", "title")]
    if scene.started:
        title.append((f" in step {scene.view.step}", ""))
    title.append((" ", ""))
    corners = (glyphs.top_left, glyphs.top_right)
    return rule(glyphs, width, corners, title, right=_phases(scene))


def _phases(scene: Scene) -> Line:
    """The phases of a step, the one that was made last in brackets."""
    line: Line = [(" ", "")]
    for phase in scene.phases:
        is_last = scene.started and phase == scene.view.phase
        line.append((f"[{phase.upper()}]", "unit") if is_last else (phase, "dim"))
        line.append((" ", ""))
    return line


def _body(scene: Scene, width: int, num_lines: int) -> list[Line]:
    if scene.fault:
        return [[("stopped ", "alarm"), (scene.fault, "")]][:num_lines]
    if not scene.started:
        return [
            [
                ("nothing has been decided yet: ", "dim"),
                ("n", "key"),
                (" makes the first step", "dim"),
            ]
        ]
    told = sentences(scene)
    if not told:
        words = "the run has ended" if scene.mode is Mode.ENDED else "nothing"
        return [[(words, "dim")]][:num_lines]
    return _within(_packed(told, width - _PHASE_WIDTH), num_lines, width)


def _packed(told: list[Sentence], width: int) -> list[tuple[int, Line]]:
    """Sentences of a phase share lines, exceptions first; a line has the rank of its first."""
    packed: list[tuple[int, Line]] = []
    for phase, group in groupby(told, key=lambda sentence: sentence.phase):
        label = phase
        pending: list[Sentence] = []
        for sentence in sorted(group, key=lambda sentence: sentence.rank):
            if pending and _length([*pending, sentence]) > width:
                packed.append(_line(label, pending))
                label, pending = "", []
            pending.append(sentence)
        packed.append(_line(label, pending))
    return packed


def _length(told: list[Sentence]) -> int:
    return sum(width_of(sentence.words) for sentence in told) + 3 * (len(told) - 1)


def _line(label: str, told: list[Sentence]) -> tuple[int, Line]:
    words = join((sentence.words for sentence in told), "   ")
    return told[0].rank, [(label.ljust(_PHASE_WIDTH), "phase"), *words]


def _within(packed: list[tuple[int, Line]], num_lines: int, width: int) -> list[Line]:
    """The lines that matter most, in their own order, and how many were left out."""
    if len(packed) <= num_lines:
        return [line for _, line in packed]
    by_rank = sorted(range(len(packed)), key=lambda place: (packed[place][0], place))
    kept = [packed[place][1] for place in sorted(by_rank[:num_lines])]
    if kept:
        more: Line = [(f"  +{len(packed) - num_lines} more", "dim")]
        kept[-1] = ends(kept[-1], more, width)
    return kept
