"""The verdict so far, tests and rounds against the bounds, the rate, and the time that is left."""

from __future__ import annotations

from functools import lru_cache

from batchtui.engine.nodes import shown
from batchtui.engine.nodes.changes import ENDINGS
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, clip, width_of
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted, duration
from batchtui.tui.renderables.wrap import wrap

_LABEL = 10
_LEAST_GAUGE = 12


def verdict_panel(scene: NodesScene, frame: Frame, *, focused: bool = False) -> list[Line]:
    """The panel's lines."""
    del focused
    title = facts([[(" ", ""), ("VERDICT", "title")]], frame.across(scene), frame.inner)
    body: list[Line] = [[(" ", ""), *line] for line in verdict_lines(scene, frame.inner - 2)]
    return frame.panel(scene, title, body)


def verdict_lines(scene: NodesScene, width: int) -> list[Line]:
    """Who is what, then what it has cost and what is still expected, then what cannot be told."""
    rows: list[tuple[str, Line]] = [
        ("bad", bad_words(scene)),
        ("verdict", counts(scene)),
        ("tests", tests_words(scene)),
        ("", gauge(scene, width - _LABEL)),
        ("rounds", rounds_words(scene)),
        ("rate", rate_words(scene)),
        ("time", time_words(scene)),
    ]
    notes = [plain(words, ascii_only=scene.glyphs.ascii) for words in scene.told]
    rows += [("note", [(words, "held")]) for words in notes]
    lines: list[Line] = []
    for label, words in rows:
        if words:
            lines += _labelled(label, words, width)
    return lines


def bad_words(scene: NodesScene) -> Line:
    """The host list that an operator pastes."""
    view = scene.view
    bad = tuple(node for node, letter in enumerate(view.letters) if letter == ord(shown.BAD))
    if bad:
        names = tuple(scene.inventory.nodes[node].name for node in bad)
        return [(plain(_folded(names), ascii_only=scene.glyphs.ascii), "alarm")]
    if view.over == "identified":
        return [("none: all are good", "entered")]
    return [("none found" + ("" if view.over else " yet"), "dim")]


def counts(scene: NodesScene) -> Line:
    """How many nodes are what."""
    view = scene.view
    line: Line = [(f"{view.num_good:,} good", "decode"), ("  ", "")]
    line += [(f"{view.num_bad:,} bad", "alarm" if view.num_bad else "dim"), ("  ", "")]
    line.append((f"{view.num_open:,} open", "held" if view.num_suspects else "dim"))
    for letter, word in ((shown.EXCLUDED, "excluded"), (shown.ABANDONED, "given up")):
        if count := view.count(letter):
            line.append((f"  {count:,} {word}", "dim"))
    if view.totals.contradictions:
        line.append((f"  {counted(view.totals.contradictions, 'contradiction')}", "alarm"))
    return line


def tests_words(scene: NodesScene) -> Line:
    """Tests made and running, how many are expected in all, and the fewest there can be."""
    view, totals = scene.view, scene.view.totals
    running = f" + {len(view.running):,} running" if view.running else ""
    line: Line = [(f"{totals.done:,} done{running}", "")]
    if view.expected_tests is not None and view.over is None:
        line.append((f", ~{view.expected_tests:,.0f} expected", "dim"))
    if view.num_bad or view.over:
        line.append((f", floor {view.bound_tests:,} if {view.num_bad:,} bad", "dim"))
    if totals.repeated:
        line.append((f", {totals.repeated:,} repeated", "dim"))
    return line


def rounds_words(scene: NodesScene) -> Line:
    """Rounds so far, expected, and the fewest there can be."""
    view, totals = scene.view, scene.view.totals
    line: Line = [(f"{totals.rounds:,}", "")]
    if view.expected_rounds is not None and view.over is None:
        line.append((f", ~{view.expected_rounds:,.0f} expected", "dim"))
    if view.num_bad or view.over:
        line.append((f", floor {view.bound_rounds:,}", "dim"))
    return line


def rate_words(scene: NodesScene) -> Line:
    """What is thought of the rate."""
    rate = scene.view.rate
    if rate is None:
        return []
    mean, low, high = 100 * rate.mean, 100 * rate.low, 100 * rate.high
    return [
        (f"{mean:.2g} % bad", ""),
        (f" (90 %: {low:.2g}-{high:.2g}), ~{rate.num_bad:,.1f} in all", "dim"),
    ]


def time_words(scene: NodesScene) -> Line:
    """The time so far, what is left, and how long nodes were kept busy."""
    view = scene.view
    line: Line = [(duration(view.now), "")]
    if (left := time_left(scene)) is not None:
        line.append((f", about {duration(left)} left", ""))
    hours = view.totals.node_us / 3_600e6
    return [*line, (f", {hours:,.2f} node hours", "dim")]


def time_left(scene: NodesScene) -> int | None:
    """The rounds that are expected, each as long as tests were lately; None where that is open."""
    view = scene.view
    if view.over is not None or view.expected_rounds is None or not view.ended:
        return None
    lately = view.ended[-20:]
    usual = sum(test.duration_us for test in lately) / len(lately)
    rounds = max(0.0, view.expected_rounds - view.totals.rounds)
    return round(max(rounds, 1.0 if view.running else 0.0) * usual)


def gauge(scene: NodesScene, width: int) -> Line:
    """Tests as a bar: done, running, still expected; a mark stands at the fewest there can be."""
    view = scene.view
    width = min(width, 48)
    if width < _LEAST_GAUGE or view.expected_tests is None:
        return []
    room = width - 2
    floor = view.bound_tests if view.num_bad or view.over else 0
    total = max(view.expected_tests, view.totals.planned, floor, 1)
    done = round(view.totals.done * room / total)
    running = round((view.totals.done + len(view.running)) * room / total) - done
    bar = "#" * done + "+" * running
    bar += "." * (room - len(bar))
    if not floor:
        return [("[", "dim"), (bar[:done], "entered"), (bar[done:], "prefill"), ("]", "dim")]
    place = min(room - 1, round(floor * room / total))
    spans: Line = [("[", "dim")]
    for start, end, style in ((0, done, "entered"), (done, room, "prefill")):
        if start <= place < end:
            spans += [(bar[start:place], style), ("|", "warning"), (bar[place + 1 : end], style)]
        else:
            spans.append((bar[start:end], style))
    return [*spans, ("]", "dim")]


def ended_words(scene: NodesScene) -> str:
    """Why the search is over; "" while it is not."""
    over = scene.view.over
    return "" if over is None else ENDINGS[over]


def _labelled(label: str, words: Line, width: int) -> list[Line]:
    if width < 3 * _LABEL:
        return [clip([(f"{label} " if label else "", "dim"), *words], width)]
    rows = wrap(words, width - _LABEL) if width_of(words) > width - _LABEL else [words]
    first: Line = [(label.ljust(_LABEL), "dim"), *rows[0]]
    return [first, *([(" " * _LABEL, ""), *row] for row in rows[1:])]


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...]) -> str:
    # Imported here: it takes 40 ms, and the first picture has no bad nodes.
    from batchtui.plugins.hostlists import folded  # noqa: PLC0415

    return folded(names)
