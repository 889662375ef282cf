"""How a request ended, and what its longest output was bounded by, in words."""

from __future__ import annotations

from batchtui.engine.batching.events import RequestFinished, RequestQueued
from batchtui.engine.batching.explain.words import quoted
from batchtui.engine.batching.request import Request


def ending_words(event: RequestFinished) -> str:
    """``stop "END"``, ``stop EOS``, ``stop token 7``, ``length``, ``abort (deadline)``,
    ``error``."""
    reason = event.stop_reason
    if event.finish_reason != "stop":
        return event.finish_reason if reason is None else f"{event.finish_reason} ({reason})"
    if reason is None:
        return "stop EOS"
    return f"stop token {reason}" if isinstance(reason, int) else f"stop {quoted(reason)}"


def limit_words(queued: RequestQueued, request: Request | None, kv_total: int | None) -> str:
    """What bounds the output: what was asked for, or what there was room for."""
    if request is None:
        return "its limit"
    asked = request.params.max_tokens
    if queued.limit >= asked:
        return f"max_tokens {asked}"
    return f"max_tokens {asked} cut to {queued.limit} by {_bound(queued, kv_total)}"


def _bound(queued: RequestQueued, kv_total: int | None) -> str:
    """Prompt and output fill the pool to the last token, or it was not the pool."""
    tokens = queued.prompt_tokens + queued.limit
    if kv_total is not None and queued.blocks == kv_total and tokens % kv_total == 0:
        return f"the KV pool, all {kv_total} blocks of it"
    return f"the model length: {tokens} tokens of prompt and output"
