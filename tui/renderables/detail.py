"""All of a request: what it asked for, what it has said, how near each stop is, and its path."""

from __future__ import annotations

from batchtui.engine.batching.request import Request, SamplingParams, chat_text
from batchtui.engine.batching.shown import Ending, ShownSlot, ShownWaiting
from batchtui.engine.batching.story import Story
from batchtui.engine.batching.view import MAX_TEXT, BatchView
from batchtui.tui.renderables.line import Line, broken, clip, tail
from batchtui.tui.renderables.path import moment_lines, path_words
from batchtui.tui.renderables.scene import Scene
from batchtui.tui.renderables.streams import bar, ending_words, said_line
from batchtui.tui.renderables.text import plain
from batchtui.tui.renderables.units import clock, counted, duration
from batchtui.tui.renderables.wrap import wrap

_LABEL = 8
_MOST_PROMPT = 12
"""Lines of a prompt that are shown; it may be a book."""

_MOST_NAMED = 8


def detail_lines(scene: Scene, story: Story, turn: int, width: int) -> list[Line]:
    """Everything there is to say of a request at a moment, in lines of at most ``width`` cells."""
    ascii_only = scene.glyphs.ascii
    past, later = story.as_of(turn), story.after(turn)
    lines = [*_section("PROMPT", _prompt_lines(scene, story, width))]
    lines += _section("PARAMETERS", _parameter_lines(story.request, width, ascii_only))
    lines += _section("TOKENS", _token_lines(scene, story.request_id))
    lines += _section("STREAM", _stream_lines(scene, story, width))
    lines += _section("STOPS", _stop_lines(scene, story, ascii_only))
    path = wrap([(path_words(past) or "has not arrived", "")], width - 2)
    lines += _section("PATH", [*path, *moment_lines(past, ascii_only=ascii_only)])
    if scene.head is not None and later:
        lines += _section("LATER", moment_lines(later, ascii_only=ascii_only))
    return [clip(line, width) for line in lines]


def summary_lines(scene: Scene, width: int) -> list[Line]:
    """The picked request in a few lines: prompt, limits, whose it is, its path."""
    request_id, story, ascii_only = scene.choice.request_id, scene.story, scene.glyphs.ascii
    if story is not None and story.request_id != request_id:
        story = None
    request = story.request if story is not None else None
    lines = [_labelled("prompt", [(_prompt_words(scene, request_id, request), "")])]
    if request is not None:
        lines.append(_labelled("limits", [(_limits(request.params, ascii_only), "")]))
        lines.append(_labelled("from", [(_origin(request, ascii_only), "")]))
    lines += [_labelled(label, [(words, "")]) for label, words in _state(scene, request_id)]
    if story is not None:
        path = tail([(path_words(story.as_of(scene.turn)), "")], max(1, width - _LABEL))
        lines.append(_labelled("path", path))
    return [clip(line, width) for line in lines]


def matched(stop: str, held: str) -> int:
    """How many bytes of a stop the text that is held back ends with."""
    wanted, kept = stop.encode("utf-8", "replace"), held.encode("utf-8", "replace")
    sizes = range(min(len(wanted), len(kept)), 0, -1)
    return next((size for size in sizes if kept.endswith(wanted[:size])), 0)


def _section(name: str, lines: list[Line]) -> list[Line]:
    return [[(name, "title")], *([("  ", ""), *line] for line in lines), []] if lines else []


def _labelled(label: str, words: Line) -> Line:
    return [(label.ljust(_LABEL), "dim"), *words]


def _slot(view: BatchView, request_id: str) -> ShownSlot | None:
    slots = (slot for slot in view.slots if slot.request_id == request_id)
    return next(slots, None)


def _ending(view: BatchView, request_id: str) -> Ending | None:
    endings = (ending for ending in reversed(view.ended) if ending.request_id == request_id)
    return next(endings, None)


def _prompt_text(request: Request) -> str | None:
    """The prompt as a text; None where it is only numbers."""
    if request.messages:
        return chat_text(request.messages)
    return request.prompt if isinstance(request.prompt, str) else None


def _prompt_lines(scene: Scene, story: Story, width: int) -> list[Line]:
    request = story.request
    if request is None:
        return [[("the recording does not have it", "dim")]]
    text = _prompt_text(request)
    if text is None:
        if isinstance(request.prompt, int):
            return [[(f"{counted(request.prompt, 'token')}: its length alone is known", "dim")]]
        shown = " ".join(map(str, request.prompt[:200]))
        text = f"token ids: {shown}"
    # No more than can be shown is made harmless: a prompt may be a book.
    room = max(1, width - 2)
    start = plain(text[: room * _MOST_PROMPT], ascii_only=scene.glyphs.ascii)
    lines = wrap([(start, "said")], room)
    cut = len(lines) > _MOST_PROMPT or len(text) > room * _MOST_PROMPT
    return lines[:_MOST_PROMPT] + (
        [[(f".. {len(text):,} characters in all", "dim")]] if cut else []
    )


def _parameter_lines(request: Request | None, width: int, ascii_only: bool) -> list[Line]:
    if request is None:
        return []
    pieces = [_limits(request.params, ascii_only), *_sampling(request.params)]
    pieces.append(_origin(request, ascii_only))
    return [line for piece in pieces for line in wrap([(piece, "")], width - 2)]


def _limits(params: SamplingParams, ascii_only: bool) -> str:
    pieces = [f"max {params.max_tokens:,}", f"min {params.min_tokens:,}"]
    stops = [f'"{plain(stop, ascii_only=ascii_only)}"' for stop in params.stops[:_MOST_NAMED]]
    more = len(params.stops) - len(stops)
    stops += [f"+{more}"] if more else []
    pieces += [f"stop {' '.join(stops)}"] if stops else ["no stop"]
    tokens = params.stop_token_ids or ()
    pieces += [f"stop tokens {' '.join(map(str, tokens[:_MOST_NAMED]))}"] if tokens else []
    pieces += ["ignores EOS"] if params.ignore_eos else []
    pieces += ["shows the stop"] if params.include_stop_str_in_output else []
    return "   ".join(pieces)


def _sampling(params: SamplingParams) -> list[str]:
    pieces = [f"temperature {params.temperature:g}", f"top_p {params.top_p:g}"]
    pieces += [f"logprobs {params.logprobs}"] if params.logprobs is not None else []
    return ["   ".join(pieces)]


def _origin(request: Request, ascii_only: bool) -> str:
    tenant = plain(request.tenant, ascii_only=ascii_only) or "-"
    pieces = [f"tenant {tenant}", f"prio {request.priority}"]
    pieces += [f"seed {request.params.seed}"] if request.params.seed is not None else []
    deadline = request.deadline_us
    pieces += [f"deadline {duration(deadline)}"] if deadline is not None else []
    return "   ".join(pieces)


def _prompt_words(scene: Scene, request_id: str, request: Request | None) -> str:
    """The prompt's length, as far as it is known, and how it begins."""
    size = _prompt_size(scene.view, request_id)
    words = "" if size is None else f"{size:,} tok"
    text = None if request is None else _prompt_text(request)
    if text is None:
        return words or "not known"
    start = plain(text[:80], ascii_only=scene.glyphs.ascii)
    return f'{words} "{start}"' if words else f'"{start}"'


def _prompt_size(view: BatchView, request_id: str) -> int | None:
    waiting, slot = view.waiting.get(request_id), _slot(view, request_id)
    if waiting is not None:
        return waiting.num_prompt_tokens
    return None if slot is None else slot.num_prompt_tokens


def _state(scene: Scene, request_id: str) -> list[tuple[str, str]]:
    """Where it is now, and how far."""
    view = scene.view
    waiting, slot = view.waiting.get(request_id), _slot(view, request_id)
    if waiting is not None:
        return [("waits", _waits(scene, waiting))]
    if slot is not None and slot.is_resident:
        held = plain(slot.held, ascii_only=scene.glyphs.ascii)
        return [("runs", _runs(scene, slot)), *([("held", f'"{held}"')] if held else [])]
    ending = _ending(view, request_id)
    return [] if ending is None else [("ended", _ended(ending, scene.glyphs.ascii))]


def _waits(scene: Scene, waiting: ShownWaiting) -> str:
    waited = duration(max(0, scene.view.now - waiting.arrival_us))
    return f"{waited} so far; needs {counted(waiting.blocks, 'kv block')}"


def _runs(scene: Scene, slot: ShownSlot) -> str:
    blocks = counted(slot.blocks, "kv block")
    return f"slot {slot.index} gen {slot.generation}: {slot.num_tokens}/{slot.limit}, {blocks}"


def _ended(ending: Ending, ascii_only: bool) -> str:
    took = duration(ending.at - ending.arrival_us)
    how = ending_words(ending, ascii_only=ascii_only)
    return f"step {ending.step}: {how}, {counted(ending.output_tokens, 'token')}, {took}"


def _token_lines(scene: Scene, request_id: str) -> list[Line]:
    view, lines = scene.view, []
    size = _prompt_size(view, request_id)
    if size is not None:
        lines.append(_labelled("prompt", [(counted(size, "token"), "")]))
    for label, words in _state(scene, request_id):
        lines.append(_labelled(label, [(words, "")]))
    ending = _ending(view, request_id)
    if ending is not None:
        times = f"arrived {clock(ending.arrival_us)}, ended {clock(ending.at)}"
        lines.append(_labelled("times", [(times, "")]))
    return lines


def _stream_lines(scene: Scene, story: Story, width: int) -> list[Line]:
    slot = _slot(scene.view, story.request_id)
    if slot is None:
        ending = _ending(scene.view, story.request_id)
        if ending is None or not ending.output_tokens:
            return []
        words = f"is not kept after the end: look at step {ending.step} to read it"
        return [[(words, "dim")]]
    lines = broken(said_line(scene, slot), max(1, width - 2))
    if len(slot.text) >= MAX_TEXT:
        lines.insert(0, [(f"(the last {MAX_TEXT:,} characters)", "dim")])
    return lines


def _stop_lines(scene: Scene, story: Story, ascii_only: bool) -> list[Line]:
    """For each stop how much of it the held text would be."""
    slot, request = _slot(scene.view, story.request_id), story.request
    if slot is None or request is None or not request.params.stops:
        return []
    if request.params.include_stop_str_in_output:
        return [[("nothing is held back: the stop is shown with the text", "dim")]]
    held = plain(slot.held, ascii_only=ascii_only)
    lines: list[Line] = [
        [("held back ", "dim"), (f'"{held}"', "held")]
        if held
        else [("nothing is held back", "dim")]
    ]
    for stop in request.params.stops:
        size, total = matched(stop, slot.held), len(stop.encode("utf-8", "replace"))
        shown = plain(stop, ascii_only=ascii_only)
        line: Line = [(bar(size, total, min(total, 16)), "held" if size else "dim")]
        lines.append([*line, (f"  {size} of {counted(total, 'byte')}  ", ""), (f'"{shown}"', "")])
    return lines
