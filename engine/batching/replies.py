"""Whether a reply may be applied: its rows are matched by key, and a wrong shape is refused
whole."""

from __future__ import annotations

from batchtui.engine.batching.request import TokenLogprob
from batchtui.engine.machine import Failure
from batchtui.engine.model import Key, Reply


def tokens_in_order(body: Reply | Failure, keys: list[Key]) -> list[list[int]] | Failure:
    """Return the tokens in the order of ``keys``, or the failure that the reply amounts to.

    Rows that changed places, labels and all, are put back; a reply that lacks a row, has one too
    many or one that was not asked for is never zipped onto the slots.
    """
    if not isinstance(body, Reply):
        return body
    if wrong := _wrong_lengths(body, len(keys)):
        return _shape(wrong)
    if body.keys == keys:
        return body.tokens
    try:
        by_key = dict(zip(body.keys, body.tokens, strict=True))
    except TypeError:
        return _shape("rows whose keys are no keys")
    if by_key.keys() != set(keys):
        return _shape("rows that were not asked for")
    return [by_key[key] for key in keys]


def one_token_each(tokens: list[list[int]]) -> list[int] | None:
    """The tokens flat if every row has exactly one, else None."""
    try:
        return [token for (token,) in tokens]
    except ValueError:
        return None


def logprobs_by_key(body: Reply | Failure) -> dict[Key, list[TokenLogprob]]:
    """The logprobs of the rows that have some; the reply is one whose tokens are applied."""
    if not isinstance(body, Reply) or body.logprobs is None:
        return {}
    rows = zip(body.keys, body.logprobs, strict=True)
    return {key: entries for key, entries in rows if entries is not None}


def num_tokens(body: Reply | Failure) -> int:
    """How many tokens came back."""
    return sum(map(len, body.tokens)) if isinstance(body, Reply) else 0


def _wrong_lengths(body: Reply, length: int) -> str:
    if len(body.keys) != len(body.tokens) or len(body.keys) != length:
        return f"{len(body.tokens)} rows of tokens for {length} rows"
    if body.logprobs is not None and len(body.logprobs) != length:
        return f"{len(body.logprobs)} rows of logprobs for {length} rows"
    return ""


def _shape(detail: str) -> Failure:
    return Failure(kind="shape", detail=detail)
