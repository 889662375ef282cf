"""What a slot says, in one line: its text, its prompt being read, how it ended, why it is free."""

from __future__ import annotations

from batchtui.engine.batching import shown
from batchtui.engine.batching.events import RequestFinished
from batchtui.engine.batching.shown import Ending, ShownSlot
from batchtui.tui.renderables.line import Line, clip, ends, tail, width_of
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.text import foreign, plain
from batchtui.tui.renderables.units import counted, duration

_BAR = 30


def stream(scene: Scene, slot: ShownSlot, width: int) -> Line:
    """One slot's line, at most ``width`` cells wide; a text that is too long shows its end."""
    if width <= 0:
        return []
    if slot.state == shown.FREE:
        return clip([(_idle(scene, slot), "dim")], width)
    if slot.state == shown.PREFILL:
        return clip(_prompt(scene, slot, width), width)
    note = _note(scene, slot)
    room = width - (width_of(note) + 1 if note else 0)
    if room < width // 3:
        note, room = [], width
    # Four times the width is more than any end of it can need: an escape never makes text shorter.
    said = tail(said_line(scene, slot, max(0, len(slot.text) - 4 * room)), room)
    return ends(said, note, width) if note else said


def idle_steps(scene: Scene, slot: ShownSlot) -> int:
    """For how many steps a slot has been free, this one included."""
    since = slot.free_since
    return 0 if since is None else max(1, scene.view.step - since + 1)


def ending_words(ending: Ending | RequestFinished, *, ascii_only: bool = False) -> str:
    """How a request ended: ``stop "END"``, ``length``, ``abort (deadline)``, ``error: ...``."""
    reason = ending.stop_reason
    if ending.finish_reason == "stop":
        if reason is None:
            return "stop EOS"
        if isinstance(reason, int):
            return f"stop token {reason}"
        return f'stop "{plain(reason, ascii_only=ascii_only)}"'
    if ending.finish_reason == "error":
        return f"error: {plain(ending.error or 'unknown', ascii_only=ascii_only)}"
    return f"{ending.finish_reason} ({reason})" if reason is not None else ending.finish_reason


def bar(done: int, total: int, width: int) -> str:
    """How much of something is done: ``#`` for what is, ``.`` for what is not."""
    full = width * done // total if total else width
    return "#" * full + "." * (width - full)


def _prompt(scene: Scene, slot: ShownSlot, width: int) -> Line:
    """A prompt that is to be read in the next call, is being read, or had no token for answer."""
    total, is_new = slot.num_prompt_tokens, slot.entered_at == scene.view.step
    if not is_new or scene.view.phase not in ("admit", "call"):
        return [(f"prompt of {counted(total, 'token')}: no token has come yet", "prefill")]
    counts = f" 0/{total:,}" + (" in this call" if scene.view.phase == "call" else "")
    room = max(0, min(_BAR, width - len("prompt ") - len(counts)))
    return [("prompt ", "dim"), (bar(0, total, room), "prefill"), (counts, "")]


def said_line(scene: Scene, slot: ShownSlot, start: int = 0) -> Line:
    """What was said from a character on, what is new of it, and what is held back."""
    ascii_only = scene.glyphs.ascii
    fresh = max(slot.fresh, start)
    said = foreign(slot.text[start:fresh], "said", ascii_only=ascii_only)
    said.append((scene.glyphs.fresh, "fresh-mark"))
    said += foreign(slot.text[fresh:], "fresh", ascii_only=ascii_only)
    if slot.held:
        held = foreign(slot.held, "held", ascii_only=ascii_only)
        said += [(" ", ""), ("[", "held"), *held, ("]", "held")]
    return said


def _note(scene: Scene, slot: ShownSlot) -> Line:
    """What stands at the right end: an exception, or how the request ended."""
    if slot.num_dropped:
        return [(f"{counted(slot.num_dropped, 'row')} dropped", "dropped-note")]
    if slot.ending is not None:
        words = ending_words(slot.ending, ascii_only=scene.glyphs.ascii)
        took = duration(slot.ending.at - slot.ending.arrival_us)
        return [(words, "ended-note"), (f"  {took}", "dim")]
    if slot.retiring:
        return [("retires when it ends", "warning")]
    if slot.held and slot.changed_at == scene.view.step and scene.marks:
        return [("may be a stop", "dim")]
    return []


def _idle(scene: Scene, slot: ShownSlot) -> str:
    num_waiting = len(scene.view.waiting)
    if slot.retiring:
        return "retires: takes nobody new"
    if not scene.started or not num_waiting:
        return ""
    verb = "waits" if num_waiting == 1 else "wait"
    return f"free {counted(idle_steps(scene, slot), 'step')} while {num_waiting:,} {verb}"
