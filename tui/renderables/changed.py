"""CHANGED: what the last step decided, by phase: verb, object, reason; exceptions go first.

At the end of a run it says first what the run came to.
"""

from __future__ import annotations

from itertools import groupby

from batchtui.tui.renderables.line import Line, join, width_of
from batchtui.tui.renderables.scene import Mode, Scene
from batchtui.tui.renderables.sentences import EXCEPTION, ROUTINE, Sentence, sentences
from batchtui.tui.renderables.table import facts, framed, rule
from batchtui.tui.renderables.units import clock, counted

_PHASE_WIDTH = 8


def changed_panel(scene: Scene, width: int, height: int) -> list[Line]:
    """The panel's lines: its title with the phases, then as many sentences as there is room."""
    glyphs, num_lines = scene.glyphs, max(0, height - 1)
    told = _body(scene, max(1, width - 4))
    body = _within(told, num_lines)
    lines = [_title(scene, width, len(told) - len(body))]
    lines += [framed(glyphs, [(" ", ""), *line], width) for line in body]
    lines += [framed(glyphs, [], width)] * (num_lines - len(body))
    return lines[:height]


def _title(scene: Scene, width: int, num_hidden: int) -> Line:
    glyphs = scene.glyphs
    pieces: list[Line] = [[(" ", ""), ("CHANGED", "title")]]
    if scene.started:
        pieces[0].append((f" in step {scene.view.step}", ""))
    if num_hidden:
        pieces.append([(f"+{counted(num_hidden, 'line')}", "hint")])
    title = facts(pieces, glyphs.across, width - 2)
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


def _body(scene: Scene, width: int) -> list[tuple[int, Line]]:
    """Every line there is to say, and how much each matters."""
    if not scene.started and not scene.fault:
        return [(EXCEPTION, _first_words(scene))]
    lines: list[tuple[int, Line]] = []
    if scene.fault:
        lines.append((EXCEPTION, [("stopped ", "alarm"), (scene.fault, "")]))
    elif scene.mode is Mode.ENDED:
        lines += [(EXCEPTION, line) for line in _summary(scene, width)]
    lines += _packed(sentences(scene), width - _PHASE_WIDTH)
    return lines or [(ROUTINE, [("nothing", "dim")])]


def _first_words(scene: Scene) -> Line:
    if scene.calling:
        return [("the model is being called for the first time", "dim")]
    return [
        ("nothing has been decided yet: ", "dim"),
        ("n", "key"),
        (" makes the first step, ", "dim"),
        ("space", "key"),
        (" runs", "dim"),
    ]


def _summary(scene: Scene, width: int) -> list[Line]:
    """What the run came to."""
    view, totals = scene.view, scene.view.totals
    per_second = f", {totals.kept * 1_000_000 / view.now:,.0f} tokens/s" if view.now else ""
    refused = f", {totals.refused:,} refused" if totals.refused else ""
    run = f"{counted(totals.finished, 'request')} done{refused} in {clock(view.now)}{per_second}"
    reasons = [f"{reason} {number:,}" for reason, number in sorted(totals.reasons.items())]
    label: Line = [("ended".ljust(_PHASE_WIDTH), "left")]
    told = [Sentence("", EXCEPTION, [(run, "title")])]
    told += [Sentence("", EXCEPTION, [(reason, "ended-note")]) for reason in reasons]
    lines = [line for _, line in _packed(told, width - _PHASE_WIDTH)]
    return [[*label, *lines[0][1:]], *lines[1:]]


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


def _within(ranked: list[tuple[int, Line]], num_lines: int) -> list[Line]:
    """The lines that matter most, in their own order."""
    by_rank = sorted(range(len(ranked)), key=lambda place: (ranked[place][0], place))
    return [ranked[place][1] for place in sorted(by_rank[:num_lines])]
