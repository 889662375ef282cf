"""Stops that can never end anything: found in what was asked for alone.

What holds for one request holds for all with the same parameters, so it is worked out once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple, TypeVar

from batchtui.engine.batching.events import RequestQueued
from batchtui.engine.batching.explain.finding import Lint
from batchtui.engine.batching.explain.words import listed, quoted
from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.batching.story import Story
from batchtui.engine.model import Vocabulary

ItemT = TypeVar("ItemT")

_MOST_COMPARED = 256
"""Stops of one request that are held against each other: every pair is looked at."""

_MOST_OTHERS = 100


class Tokens(NamedTuple):
    """What is known of a vocabulary; ``has`` is None where nobody can say which tokens it has."""

    eos_token_ids: frozenset[int] = frozenset()
    has: Callable[[int], bool] | None = None

    @classmethod
    def of(cls, vocabulary: Vocabulary) -> Tokens:
        """All that a vocabulary says."""

        def has(token: int) -> bool:
            try:
                vocabulary.token_bytes(token)
            except Exception:  # foreign code: whatever it raises, there is no such token
                return False
            return True

        return cls(frozenset(vocabulary.eos_token_ids), has)


UNKNOWN = Tokens()


def dead_stops(params: SamplingParams, limit: int, tokens: Tokens = UNKNOWN) -> tuple[str, ...]:
    """What is wrong with the stops of a request that may have so many tokens: a sentence each."""
    # What is known of the vocabulary is not kept: it may hold a whole model.
    return *_of_strings(params, limit), *_tokens(params, tokens)


@lru_cache(maxsize=1024)
def _of_strings(params: SamplingParams, limit: int) -> tuple[str, ...]:
    found = [*_too_late(params, limit), *_twice(params)]
    # A match that min_tokens put off does not end the output, so a longer stop may still come.
    if params.min_tokens == 0:
        found += _beaten(params.stops[:_MOST_COMPARED])
    return tuple(found)


def _too_late(params: SamplingParams, limit: int) -> list[str]:
    """Stop strings count after the ``min_tokens``-th token, tokens from it on."""
    least = params.min_tokens
    if least < limit or not least:
        return []
    ids = params.stop_token_ids or ()
    names = [quoted(stop) for stop in params.stops]
    names += [f"token {token}" for token in ids] * (least > limit)
    if least > limit and not params.ignore_eos:
        names.append("EOS")
    if not names:
        return []
    room = f"the output ends at token {limit}"
    return [f"min_tokens {least} lets no stop count before {room}: {listed(names)}"]


def _twice(params: SamplingParams) -> list[str]:
    ids = params.stop_token_ids or ()
    names = [quoted(stop) for stop in _repeated(params.stops)]
    names += [f"token {token}" for token in _repeated(ids)]
    return [f"stop {name} is listed twice" for name in names]


def _repeated(items: tuple[ItemT, ...]) -> list[ItemT]:
    return [item for item, count in Counter(items).items() if count > 1]


def _beaten(stops: tuple[str, ...]) -> list[str]:
    """A stop that holds another one which ends before its own end never gets there."""
    found = []
    for stop in dict.fromkeys(stops):
        first = next((other for other in stops if other in stop[:-1]), None)
        if first is not None:
            found.append(f"stop {quoted(stop)} never matches: {quoted(first)} in it ends first")
    return found


def _tokens(params: SamplingParams, tokens: Tokens) -> list[str]:
    found = []
    for token in dict.fromkeys(params.stop_token_ids or ()):
        if token in tokens.eos_token_ids and not params.ignore_eos:
            found.append(f"stop token {token} is EOS, which ends the output anyway")
        elif tokens.has is not None and not tokens.has(token):
            found.append(f"stop token {token} is not in the vocabulary")
    return found


def lints_of_stops(stories: Iterable[Story], tokens: Tokens = UNKNOWN) -> list[Lint]:
    """The dead stops of requests, each cause once however many have it."""
    by_words: dict[str, list[RequestQueued]] = {}
    for story in stories:
        event = story.moments[0].event
        if story.request is None or not isinstance(event, RequestQueued):
            continue
        for words in dead_stops(story.request.params, event.limit, tokens):
            by_words.setdefault(words, []).append(event)
    return [_lint(words, events) for words, events in by_words.items()]


def _lint(words: str, events: list[RequestQueued]) -> Lint:
    names = [event.request_id for event in events]
    return Lint(
        kind="dead-stop",
        words=f"{words} ({listed(names)})",
        since=min(event.step for event in events),
        request_id=names[0],
        others=tuple(names[1 : _MOST_OTHERS + 1]),
    )
