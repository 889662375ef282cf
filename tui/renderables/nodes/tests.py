"""The tests: those that run, each with its letter, then those that ended, the last one first."""

from __future__ import annotations

from batchtui.engine.nodes.shown import EndedTest, ShownTest
from batchtui.tui.renderables.frame import Frame
from batchtui.tui.renderables.line import Line, cells, ends, fit, width_of
from batchtui.tui.renderables.nodes.letters import name_of, set_words
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.table import facts
from batchtui.tui.renderables.units import counted, duration

_SET, _SHORT_SET = 22, 18
_NARROW = 64
"""Below this width a row says less."""

_STYLES = {"pass": "entered", "fail": "alarm", "inconclusive": "warning"}
_VERDICTS = {"pass": "PASS", "fail": "FAIL", "inconclusive": "NONE"}


def tests_panel(scene: NodesScene, frame: Frame, top: int = 0, *, focused: bool) -> list[Line]:
    """The panel's lines, the rows from ``top`` on."""
    view = scene.view
    pieces: list[Line] = [
        [(" ", ""), ("2 ", "digit"), ("TESTS", "focused" if focused else "title")],
        [(f"{len(view.running):,} of {view.max_parallel:,} lanes", "")],
        [(f"{view.totals.made:,} ended", "dim")],
    ]
    rows = test_rows(scene, frame.inner - 1)[top : top + frame.room]
    title = facts(pieces, frame.across(scene), frame.inner)
    return frame.panel(scene, title, rows or [_nothing(scene)])


def num_tests(scene: NodesScene) -> int:
    """How many rows there are."""
    view = scene.view
    return len(view.planned) + len(view.running) + len(view.ended)


def test_ids(scene: NodesScene) -> list[int]:
    """The test of each row."""
    view = scene.view
    ended = [test.id for test in reversed(view.ended)]
    return [*view.running, *view.planned, *ended]


def test_rows(scene: NodesScene, width: int) -> list[Line]:
    """A row for each test: running, planned, ended."""
    view = scene.view
    rows = [running_row(scene, test, width) for test in view.running.values()]
    rows += [_planned_row(scene, test, width) for test in view.planned.values()]
    return rows + [ended_row(scene, test, width) for test in reversed(view.ended)]


def running_row(scene: NodesScene, test: ShownTest, width: int) -> Line:
    """Its letter, its set, how long it has run, and what follows."""
    since = duration(scene.view.now - test.started_at)
    line: Line = [_pointer(scene, test.id), (test.letter, "prefill"), (" ", "")]
    line += _set(scene, test, width)
    if width < _NARROW:
        return _noted([*line, (f" {since:>6}", "")], f"of {len(test.nodes)}", width)
    line.append((f"{counted(len(test.nodes), 'node'):>10}  {since:>6} so far", ""))
    return _noted(line, _then(scene, test), width)


def _planned_row(scene: NodesScene, test: ShownTest, width: int) -> Line:
    line: Line = [_pointer(scene, test.id), (". ", "free"), *_set(scene, test, width)]
    if width < _NARROW:
        return _noted([*line, (" planned", "dim")], f"of {len(test.nodes)}", width)
    line.append((f"{counted(len(test.nodes), 'node'):>10}  planned", "dim"))
    return _noted(line, test.why, width)


def ended_row(scene: NodesScene, test: EndedTest, width: int) -> Line:
    """Its number, its verdict, its set, and what followed."""
    line: Line = [_pointer(scene, test.id), (f"T{test.id}".ljust(5), "dim")]
    line += [(_VERDICTS[test.verdict], _STYLES[test.verdict]), (" ", "")]
    line += _set(scene, test, width)
    if width >= _NARROW:
        reason = test.reason.replace("_", " ")
        line.append((f" {duration(test.duration_us):>6} {reason}", "dim"))
    parts = _followed(scene, test, is_short=width < _NARROW)
    if not parts:
        return line
    return _noted(line, f"> {', '.join(parts)}", width, f"> {parts[-1]}")


def _pointer(scene: NodesScene, test: int) -> tuple[str, str]:
    return (">", "picked-mark") if scene.choice.test == test else (" ", "")


def _set(scene: NodesScene, test: ShownTest | EndedTest, width: int) -> Line:
    room = _SET if width >= _NARROW else _SHORT_SET
    return fit([(set_words(scene, test.nodes, room), "name")], room)


def _noted(line: Line, note: str, width: int, short: str = "") -> Line:
    """What follows stands at the right, where all of it has room; or else what is said for it."""
    room = width - width_of(line) - 2
    note = next((words for words in (note, short) if cells(words) <= room), "")
    return ends(line, [(f" {note} ", "dim")], width) if note else line


def _then(scene: NodesScene, test: ShownTest) -> str:
    """What is known at once if it passes or fails."""
    view = scene.view
    unknown = [node for node in test.nodes if chr(view.letters[node]) in ".?x"]
    if len(unknown) == 1 and len(test.nodes) > 1:
        return f"if it fails {name_of(scene, unknown[0])} is bad"
    return f"if it passes {len(unknown):,} are good" if unknown else test.why


def _followed(scene: NodesScene, test: EndedTest, *, is_short: bool) -> list[str]:
    """What is known since, the most telling last."""
    parts = ["again"] if test.again else []
    parts += [f"{test.cleared:,} good"] if test.cleared else []
    parts += [f"{len(test.confirmed):,} confirmed"] if test.confirmed else []
    parts += [f"{len(test.reopened):,} open again"] if test.reopened else []
    if test.condemned and is_short:
        parts.append(f"{len(test.condemned)} bad")
    elif test.condemned:
        names = " ".join(name_of(scene, node) for node in test.condemned[:3])
        more = f" +{len(test.condemned) - 3}" if len(test.condemned) > 3 else ""
        parts.append(f"{names}{more} bad")
    if test.contradictions:
        parts.append("contra" if is_short else "contradiction")
    if not parts and not test.counts:
        parts.append("a vote")
    if not parts and test.verdict == "fail":
        parts.append("1+ bad" if is_short else "one is bad at least")
    return parts


def _nothing(scene: NodesScene) -> Line:
    words = "no test has begun" if not scene.view.over else "no test was made"
    return [(f" {words}", "dim")]
