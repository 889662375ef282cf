"""The verdict so far, tests and rounds against the bounds, the rate, and the time that is left."""

from __future__ import annotations

from functools import lru_cache

from batchtui.engine.nodes import shown
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, clip, join, width_of
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted, duration
from batchtui.tui.renderables.wrap import wrap

_LABEL, _SHORT_LABEL = 10, 8
_LEAST_GAUGE = 12
_NARROW = 40
"""Below this width a row says less."""


def verdict_panel(scene: NodesScene, frame: Frame, *, focused: bool = False) -> list[Line]:
    """The panel's lines."""
    del focused
    title = facts([[(" ", ""), ("VERDICT", "title")]], frame.across(scene), frame.inner)
    lines = verdict_lines(scene, frame.inner - 2)
    if scene.told and len(lines) > frame.room >= 2:
        lines[frame.room - 1] = [("! lists the rest", "hint")]
    body: list[Line] = [[(" ", ""), *line] for line in lines]
    return frame.panel(scene, title, body)


def verdict_lines(scene: NodesScene, width: int) -> list[Line]:
    """Who is what, then what it has cost and what is still expected, then what cannot be told."""
    is_short = width < _NARROW
    label = _SHORT_LABEL if is_short else _LABEL
    view = scene.view
    rows: list[tuple[str, Line]] = [
        ("bad", bad_words(scene)),
        ("verdict", counts(scene, is_short=is_short)),
        ("", join(rare_counts(scene), "  ") if is_short else []),
        ("stage", stage_words(scene)),
        ("tests", tests_words(scene, is_short=is_short)),
        ("", gauge(scene, width - label)),
        ("rounds", rounds_words(scene) if view.ended else []),
        ("rate", rate_words(scene, is_short=is_short)),
        ("time", time_words(scene, is_short=is_short) if view.now else []),
    ]
    notes = [plain(words, ascii_only=scene.glyphs.ascii) for words in scene.told]
    rows += [("note", [(words, "held")]) for words in notes]
    lines: list[Line] = []
    for name, words in rows:
        if words:
            lines += _labelled(name, words, width, label)
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


def counts(scene: NodesScene, *, is_short: bool = False) -> Line:
    """How many nodes are what."""
    view = scene.view
    parts: list[Line] = [
        [(f"{view.num_good:,} good", "decode")],
        [(f"{view.num_bad:,} bad", "alarm" if view.num_bad else "dim")],
        [(f"{view.num_open:,} open", "held" if view.num_suspects else "dim")],
    ]
    return join(parts, " ") if is_short else join([*parts, *rare_counts(scene)], "  ")


def rare_counts(scene: NodesScene) -> list[Line]:
    """How many nodes are what they seldom are, and how many contradictions there are."""
    view, parts = scene.view, []
    for letter, word in ((shown.EXCLUDED, "excluded"), (shown.ABANDONED, "given up")):
        if count := view.count(letter):
            parts.append([(f"{count:,} {word}", "dim")])
    if view.totals.contradictions:
        parts.append([(counted(view.totals.contradictions, "contradiction"), "alarm")])
    return parts


def stage_words(scene: NodesScene) -> Line:
    """What the search is about, once what it came to was tested again."""
    totals = scene.view.totals
    if not totals.confirmations:
        return []
    overruled = f", {totals.overruled:,} overruled" if totals.overruled else ""
    confirmed = f"{totals.confirmed:,} confirmed{overruled}"
    return [(confirmed if scene.view.over else f"{scene.view.stage}, {confirmed}", "")]


def tests_words(scene: NodesScene, *, is_short: bool = False) -> Line:
    """Tests made, how many are expected in all, those that run, and the fewest there can be."""
    view, totals = scene.view, scene.view.totals
    line = _of_expected(totals.done, view.expected_tests, scene)
    if view.running and not is_short:
        line.append((f", {len(view.running):,} running", ""))
    bound = view.bound_tests
    if bound is not None and (view.num_bad or view.over):
        what = "" if is_short else f" if {view.num_bad:,} bad"
        line.append((f", bound {bound:,}{what}", "dim"))
    if totals.repeated:
        line.append((f", {totals.repeated:,} repeated", "dim"))
    return line


def rounds_words(scene: NodesScene) -> Line:
    """Rounds so far, expected, and the fewest there can be."""
    view = scene.view
    line = _of_expected(view.totals.rounds, view.expected_rounds, scene)
    bound = view.bound_rounds
    is_shown = bound is not None and (view.num_bad or view.over)
    return [*line, (f", bound {bound:,}", "dim")] if is_shown else line


def _of_expected(count: int, expected: float | None, scene: NodesScene) -> Line:
    """A number, and to what it is expected to grow: nothing, once the search is over."""
    line: Line = [(f"{count:,}", "")]
    if expected is None or scene.view.over is not None:
        return line
    return [*line, (f" of ~{expected:,.0f}", "dim")]


def rate_words(scene: NodesScene, *, is_short: bool = False) -> Line:
    """What is thought of the rate: the mean, and where it is with nine chances in ten."""
    rate = scene.view.rate
    if rate is None:
        return []
    mean, low, high = (_percent(share) for share in (rate.mean, rate.low, rate.high))
    line: Line = [(f"{mean} % bad", "")]
    if is_short:
        return [*line, (f" ({low}-{high})", "dim")]
    return [*line, (f" (90 %: {low}-{high}), ~{rate.num_bad:,.1f} in all", "dim")]


def _percent(share: float) -> str:
    """Two digits, and no exponent."""
    percent = 100 * share
    if percent >= 10:
        return f"{percent:.0f}"
    return f"{percent:.2g}" if percent >= 0.01 else "<0.01"


def time_words(scene: NodesScene, *, is_short: bool = False) -> Line:
    """The time so far, what is left, and how long nodes were kept busy."""
    view = scene.view
    line: Line = [(duration(view.now), "")]
    left = time_left(scene)
    if left is not None:
        line.append((f", ~{duration(left)} left", ""))
    if is_short and left is not None:
        return line
    hours = view.totals.node_us / 3_600e6
    return [*line, (f", {hours:,.2f} node {'h' if is_short else 'hours'}", "dim")]


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
    bound = (view.bound_tests if view.num_bad or view.over else None) or 0
    total = max(view.expected_tests, view.totals.planned, bound, 1)
    done = round(view.totals.done * room / total)
    running = round((view.totals.done + len(view.running)) * room / total) - done
    bar = "#" * done + "+" * running
    bar += "." * (room - len(bar))
    if not bound:
        return [("[", "dim"), (bar[:done], "entered"), (bar[done:], "prefill"), ("]", "dim")]
    place = min(room - 1, round(bound * room / total))
    spans: Line = [("[", "dim")]
    for start, end, style in ((0, done, "entered"), (done, room, "prefill")):
        if start <= place < end:
            spans += [(bar[start:place], style), ("|", "warning"), (bar[place + 1 : end], style)]
        else:
            spans.append((bar[start:end], style))
    return [*spans, ("]", "dim")]


def _labelled(name: str, words: Line, width: int, label: int) -> list[Line]:
    if width < 3 * label:
        return [clip([(f"{name} " if name else "", "dim"), *words], width)]
    rows = wrap(words, width - label) if width_of(words) > width - label else [words]
    first: Line = [(name.ljust(label), "dim"), *rows[0]]
    return [first, *([(" " * label, ""), *row] for row in rows[1:])]


@lru_cache(maxsize=64)
def _folded(names: tuple[str, ...]) -> str:
    # Imported here: it takes 40 ms, and the first picture has no bad nodes.
    from batchtui.plugins.hostlists import folded  # noqa: PLC0415

    return folded(names)
