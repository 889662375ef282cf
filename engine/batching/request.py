"""What is asked for: a request and its sampling parameters, validated once, here, at the edge.

Names are vLLM's (``SamplingParams``, ``max_tokens``, ``min_tokens``, ``stop_token_ids``). A
request is kept as small as can be, because a million of them may wait: parameters are shared
between requests that have the same ones, and a prompt known only by its length is an integer.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import msgspec

DEFAULT_MAX_TOKENS = 16
ROLES = ("system", "user", "assistant")
# Both as in the OpenAI API; the second stands for minus infinity, which JSON cannot say.
MAX_LOGPROBS = 20
LEAST_LOGPROB = -9999.0


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One message of a chat: ``role`` is ``system``, ``user`` or ``assistant``.

    Raises:
        ValueError: the role is another one. It is not quoted: it may be a misplaced content.
    """

    role: str
    content: str

    def __post_init__(self) -> None:
        if self.role not in ROLES:
            raise ValueError("role is unknown: want system, user or assistant")


def chat_text(messages: Iterable[Message]) -> str:
    """A chat as a plain prompt, for a vocabulary without a template of its own.

    A message is ``role: content`` on a line, and ``assistant:`` comes last. A content may itself
    look like that: nothing tells the two apart.
    """
    lines = [f"{message.role}: {message.content}\n" for message in messages]
    return "".join([*lines, "assistant:"])


class TokenLogprob(msgspec.Struct, frozen=True, gc=False):
    """How likely a token was: natural logarithms of probabilities at temperature 1.

    ``top`` are the likeliest tokens of its place, the likeliest first, each with its own: as many
    as were asked for, or all that there are. A model may say minus infinity; from the performer of
    its calls on that is ``LEAST_LOGPROB``.
    """

    token_id: int
    logprob: float
    top: tuple[tuple[int, float], ...] = ()


class SamplingParams(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """How a request is decoded.

    ``stop`` may be given as one string; it is kept as a tuple. ``max_tokens`` bounds the output
    alone. A stop string counts only if it ends after the ``min_tokens``-th token; EOS and stop
    tokens count from that token on. ``logprobs`` asks for each token's log probability, and for
    those of so many of the likeliest.

    Raises:
        ValueError: a value is out of its range; the message names the field and the value.
    """

    max_tokens: int = DEFAULT_MAX_TOKENS
    min_tokens: int = 0
    stop: str | tuple[str, ...] | None = ()
    stop_token_ids: tuple[int, ...] | None = ()
    ignore_eos: bool = False
    include_stop_str_in_output: bool = False
    seed: int | None = None
    temperature: float = 1.0
    top_p: float = 1.0
    logprobs: int | None = None

    def __post_init__(self) -> None:
        stop = self.stop
        if not isinstance(stop, tuple):
            msgspec.structs.force_setattr(self, "stop", (stop,) if isinstance(stop, str) else ())
        if self.stop_token_ids is None:
            msgspec.structs.force_setattr(self, "stop_token_ids", ())
        self._check_limits()
        self._check_stops()
        if not (math.isfinite(self.temperature) and self.temperature >= 0):
            raise ValueError(f"temperature is {self.temperature}: want a number from 0 up")
        if not 0 < self.top_p <= 1:
            raise ValueError(f"top_p is {self.top_p}: want more than 0 and at most 1")
        if self.logprobs is not None and not 0 <= self.logprobs <= MAX_LOGPROBS:
            raise ValueError(f"logprobs is {self.logprobs}: want 0 to {MAX_LOGPROBS}")

    def _check_limits(self) -> None:
        if self.max_tokens < 1:
            raise ValueError(f"max_tokens is {self.max_tokens}: want 1 or more")
        if not 0 <= self.min_tokens <= self.max_tokens:
            raise ValueError(
                f"min_tokens is {self.min_tokens}: want 0 to max_tokens, which is {self.max_tokens}"
            )

    def _check_stops(self) -> None:
        if "" in self.stops:
            raise ValueError("stop holds an empty string: it would end every request at once")
        if any("\ud800" <= character <= "\udfff" for stop in self.stops for character in stop):
            raise ValueError("stop holds half a surrogate pair: want text that has a UTF-8 form")
        for token in self.stop_token_ids or ():
            if token < 0:
                raise ValueError(f"stop_token_ids holds {token}: want token ids from 0 up")

    @property
    def stops(self) -> tuple[str, ...]:
        """The stop strings as a tuple, whatever form they were given in."""
        return self.stop if isinstance(self.stop, tuple) else ()


class Request(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """One request.

    ``index`` is its place in the workload, unique in a run where ``request_id`` need only be unique
    among the living. ``prompt`` is a text, its tokens, or only their number. ``deadline_us`` counts
    from the arrival. ``prefix`` names the prompt's leading blocks, as traces do. ``messages`` are
    a chat in place of a prompt, which is 0 then.

    Raises:
        ValueError: a value is out of its range; the message names the field and the value.
    """

    request_id: str
    params: SamplingParams
    index: int = 0
    prompt: str | tuple[int, ...] | int = 0
    arrival_us: int = 0
    priority: int = 0
    tenant: str = ""
    deadline_us: int | None = None
    prefix: tuple[int, ...] = ()
    expected: str | None = None
    messages: tuple[Message, ...] = ()

    def __post_init__(self) -> None:
        if not self.request_id:
            raise ValueError("request_id is empty: want a name")
        if isinstance(self.prompt, int) and self.prompt < 0:
            raise ValueError(f"prompt_tokens is {self.prompt}: want 0 or more")
        if isinstance(self.prompt, tuple) and any(token < 0 for token in self.prompt):
            raise ValueError("prompt_token_ids holds a negative number: want token ids from 0 up")
        if self.messages and self.prompt != 0:
            raise ValueError("both messages and a prompt are given: want one")
        if self.arrival_us < 0:
            raise ValueError(f"arrival_s is {self.arrival_us / 1e6}: want 0 or more")
        if self.deadline_us is not None and self.deadline_us <= 0:
            raise ValueError(f"deadline_s is {self.deadline_us / 1e6}: want more than 0")


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """How a request ended. Joined ``deltas`` are the ``text``; times are microseconds.

    ``finish_reason`` is ``stop``, ``length``, ``abort`` or ``error``. ``stop_reason`` is the stop
    string or the stop token's id, None for EOS, ``deadline`` for a request that ran out of time.
    ``token_ids`` and ``output_tokens`` count every token kept, a stop token too. ``slot`` and
    ``generation`` are None for one that never ran. ``logprobs`` has an entry for each token; None
    where they were not asked for (``wants_logprobs`` is False) or the model left one out.
    """

    request_id: str
    index: int
    text: str
    token_ids: list[int]
    deltas: list[str]
    finish_reason: str
    stop_reason: str | int | None
    prompt_tokens: int
    slot: int | None
    generation: int | None
    arrival_us: int
    admitted_us: int | None
    first_token_us: int | None
    finish_us: int
    retries: int
    error: str | None
    logprobs: list[TokenLogprob] | None = None
    wants_logprobs: bool = False

    @property
    def output_tokens(self) -> int:
        """How many tokens were kept."""
        return len(self.token_ids)
