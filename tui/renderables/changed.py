"""CHANGED: what the last step decided, by phase: verb, object, reason; exceptions go first.

At the end of a run it says first what the run came to.
"""

from __future__ import annotations

from itertools import groupby
from typing import Protocol

from batchtui.engine.batching.explain.words import slots
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, clip, ends, fit, join, width_of
from batchtui.tui.renderables.ribbon import phase_words
from batchtui.tui.renderables.scene import Mode, Moment
from batchtui.tui.renderables.sentence import EXCEPTION, ROUTINE, Sentence
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.units import counted

_PHASE_WIDTH = 8

_NOTED_FROM = 120
"""From this width on a line ends with the slots it is about."""

_NOTE_WIDTH = 24

_TERSE_BELOW = 112


class Teller(Protocol):
    """Puts one moment of a system in words."""

    def sentences(self, *, terse: bool) -> list[Sentence]:
        """What the step has decided so far."""

    def before(self) -> list[Sentence]:
        """What lies ahead, while nothing has been decided yet."""

    def outcome(self) -> list[Sentence]:
        """What the run came to in the end; one sentence at the least."""


def changed_panel(scene: Moment, teller: Teller, frame: Frame) -> list[Line]:
    """The panel's lines: its title with the phases, then as many sentences as there is room."""
    told = _body(scene, teller, max(1, frame.inner - 2))
    body = [[(" ", ""), *line] for line in _within(told, frame.room)]
    title = _title(scene, frame, len(told) - len(body))
    arrow = " > " if frame.width >= _NOTED_FROM else " "
    return frame.panel(scene, title, body, right=[(" ", ""), *phase_words(scene, arrow)])


def changed_lines(scene: Moment, teller: Teller, width: int, height: int) -> list[Line]:
    """The sentences alone, where there is no room for a frame."""
    told = _body(scene, teller, max(1, width - 2))
    lines: list[Line] = [[(" ", ""), *line] for line in _within(told, height)]
    hidden = len(told) - len(lines)
    if hidden and lines:
        lines[-1] = ends(lines[-1], [(f" +{hidden} ", "hint")], width)
    lines += [[]] * (height - len(lines))
    return [fit(clip(line, width), width) for line in lines]


def _title(scene: Moment, frame: Frame, num_hidden: int) -> Line:
    pieces: list[Line] = [[(" ", ""), ("CHANGED", "title")]]
    if scene.started:
        pieces[0].append((f" in step {scene.view.step}", ""))
    if num_hidden:
        pieces.append([(f"+{counted(num_hidden, 'line')}", "hint")])
    return facts(pieces, frame.across(scene), frame.inner)


def _body(scene: Moment, teller: Teller, width: int) -> list[tuple[int, Line]]:
    """Every line there is to say, and how much each matters."""
    if not scene.started and not scene.fault:
        ahead = [(rank, line[1:]) for rank, line in _packed(teller.before(), width)]
        return [(EXCEPTION, _first_words(scene)), *ahead]
    lines: list[tuple[int, Line]] = []
    if scene.fault:
        lines.append((EXCEPTION, [("stopped ", "alarm"), (scene.fault, "")]))
    elif scene.mode is Mode.ENDED:
        lines += [(EXCEPTION, line) for line in _summary(teller, width)]
    lines += _packed(teller.sentences(terse=width < _TERSE_BELOW), width - _PHASE_WIDTH)
    return lines or [(ROUTINE, [("nothing", "dim")])]


def _first_words(scene: Moment) -> Line:
    if scene.calling:
        return [("the model is being called for the first time", "dim")]
    return [
        ("nothing has been decided yet: ", "dim"),
        ("n", "key"),
        (" makes the first step, ", "dim"),
        ("space", "key"),
        (" runs", "dim"),
    ]


def _summary(teller: Teller, width: int) -> list[Line]:
    """What the run came to."""
    label: Line = [("ended".ljust(_PHASE_WIDTH), "left")]
    lines = [line for _, line in _packed(teller.outcome(), width - _PHASE_WIDTH)]
    return [[*label, *lines[0][1:]], *lines[1:]]


def _packed(told: list[Sentence], width: int) -> list[tuple[int, Line]]:
    """Sentences of a phase share lines, exceptions first; a line has the rank of its first."""
    noted = width + _PHASE_WIDTH + 4 >= _NOTED_FROM
    room = width - _NOTE_WIDTH - 1 if noted else width
    packed: list[tuple[int, Line]] = []
    for phase, group in groupby(told, key=lambda sentence: sentence.phase):
        label = phase
        pending: list[Sentence] = []
        for sentence in sorted(group, key=lambda sentence: sentence.rank):
            if pending and _length([*pending, sentence]) > room:
                packed.append(_line(label, pending, width, noted=noted))
                label, pending = "", []
            pending.append(sentence)
        packed.append(_line(label, pending, width, noted=noted))
    return packed


def _length(told: list[Sentence]) -> int:
    return sum(width_of(sentence.words) for sentence in told) + 3 * (len(told) - 1)


def _line(label: str, told: list[Sentence], width: int, *, noted: bool) -> tuple[int, Line]:
    words = join((sentence.words for sentence in told), "   ")
    if noted:
        note = clip([(_note(told), "dim")], _NOTE_WIDTH)
        note.append((" " * (_NOTE_WIDTH - width_of(note)), ""))
        words = ends(words, [(" ", ""), *note], width)
    return told[0].rank, [(label.ljust(_PHASE_WIDTH), "phase"), *words]


def _note(told: list[Sentence]) -> str:
    """What a line is about: its slots, then whatever else its sentences say of themselves."""
    touched = sorted({slot for sentence in told for slot in sentence.slots})
    names = [slots(touched)] if touched else []
    names += [sentence.note for sentence in told if sentence.note]
    return ", ".join(names)


def _within(ranked: list[tuple[int, Line]], num_lines: int) -> list[Line]:
    """The lines that matter most, in their own order."""
    by_rank = sorted(range(len(ranked)), key=lambda place: (ranked[place][0], place))
    return [ranked[place][1] for place in sorted(by_rank[:num_lines])]
