"""All of a node, and all of a test, to be read."""

from __future__ import annotations

from collections.abc import Sequence

from batchtui.engine.debugger.explanation import Explanation
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.changes import TESTS
from batchtui.engine.nodes.story import TestStory
from batchtui.tui.renderables.line import Line, clip, width_of
from batchtui.tui.renderables.nodes.letters import name_of, style_of
from batchtui.tui.renderables.scene import NodesScene
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import counted, duration
from batchtui.tui.renderables.why import why_lines
from batchtui.tui.renderables.wrap import wrap

_MANY = 10_000
_LABEL = 10
_MOST_NAMED = 4


def node_lines(
    scene: NodesScene,
    node: int,
    why: Explanation | None,
    tests: Sequence[TestStory],
    width: int,
) -> list[Line]:
    """What a node is, why, and every test that it was in."""
    known = scene.inventory.nodes[node]
    letter = scene.view.letter(node)
    rack = plain(known.rack, ascii_only=scene.glyphs.ascii)
    about: Line = [(letter, style_of(letter)), (f"  node {node} in rack {rack or '-'}", "")]
    about.append((f"  prior {known.prior:g}", "dim"))
    lines: list[Line] = [about, []]
    if why is not None:
        lines += [[(plain(why.title, ascii_only=scene.glyphs.ascii), "title")]]
        lines += why_lines(why, width, _MANY, scene.glyphs)
    lines += [[], [(f"TESTS {len(tests)}", "title")]]
    for story in tests:
        lines.append(_test_line(scene, story, width))
    return lines


def test_lines(scene: NodesScene, story: TestStory, turn: int, width: int) -> list[Line]:
    """What a test was of, what came of it, and every member with its letter now."""
    lines: list[Line] = [_test_line(scene, story, width), []]
    for moment in story.as_of(turn):
        event = moment.event
        words = type(event).__name__.replace("Test", "").replace("Node", "").lower()
        if isinstance(event, said.TestPlanned):
            words = f"planned for round {event.round}: {event.why}"
        elif isinstance(event, said.TestEnded):
            words = f"{TESTS[event.verdict]} after {duration(event.duration_us)} {event.reason}"
            if event.busbw_gbs is not None:
                words += f" {event.busbw_gbs:.4g} GB/s"
        lines.append([(f"step {event.step}".ljust(_LABEL), "dim"), (words, "")])
    lines += [[], [(counted(len(story.nodes), "node"), "title")]]
    members: Line = []
    for node in story.nodes:
        letter = scene.view.letter(node)
        members += [(letter, style_of(letter)), (f"{name_of(scene, node)} ", "")]
    return lines + wrap(members, width)


def _test_line(scene: NodesScene, story: TestStory, width: int) -> Line:
    """Its verdict and how many it was of; of them as many names as have room."""
    ended = story.ended(scene.turn)
    verdict = "not ended" if ended is None else TESTS[ended.verdict]
    style = {"passed": "entered", "failed": "alarm"}.get(verdict, "warning")
    line: Line = [(f"T{story.id}".ljust(6), "dim"), (verdict.ljust(10), style)]
    for most in range(_MOST_NAMED, 0, -1):
        named = [*line, (_members(scene, story, most), "")]
        if width_of(named) <= width:
            break
    return clip(named, width)


def _members(scene: NodesScene, story: TestStory, most: int) -> str:
    names = ", ".join(name_of(scene, node) for node in story.nodes[:most])
    more = ", .." if len(story.nodes) > most else ""
    return f"{counted(len(story.nodes), 'node')}: {names}{more}"
