"""JSON Lines of requests, one object a line: the format that is this project's own.

Fields are those of an API request in vLLM's names; ``RequestLine`` is the list of them, and a field
that is not on it is refused by name, because a misspelt limit would otherwise go unnoticed.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Annotated

import msgspec

from batchtui.engine.batching.request import DEFAULT_MAX_TOKENS, Message, Request, SamplingParams
from batchtui.plugins.formats.decode import decode, top_level_keys
from batchtui.plugins.formats.lines import numbered_lines, place
from batchtui.plugins.formats.stream import stream_workload
from batchtui.plugins.formats.workload import Workload, shared_params

# What fits a recording's integers, with room to add microseconds up.
_MOST = 2**62

_Integer = Annotated[int, msgspec.Meta(ge=-_MOST, le=_MOST)]
_Count = Annotated[int, msgspec.Meta(ge=0, le=_MOST)]
_Arrival = Annotated[float, msgspec.Meta(ge=0, le=1e12)]
_Duration = Annotated[float, msgspec.Meta(gt=0, le=1e12)]
_Messages = Annotated[tuple[Message, ...], msgspec.Meta(min_length=1)]


class RequestLine(SamplingParams, frozen=True, kw_only=True, forbid_unknown_fields=True, gc=False):
    """One request as it is written: times in seconds, the prompt in one of four forms.

    Raises:
        ValueError: a value is out of its range, or the prompt is given twice; the message names the
            fields.
    """

    request_id: Annotated[str, msgspec.Meta(min_length=1)]
    arrival_s: _Arrival = 0.0
    prompt: str | None = None
    prompt_tokens: _Count | None = None
    prompt_token_ids: tuple[_Count, ...] | None = None
    messages: _Messages | None = None
    max_tokens: _Integer = DEFAULT_MAX_TOKENS
    seed: _Integer | None = None
    logprobs: _Integer | None = None
    priority: _Integer = 0
    tenant: str = ""
    prefix: tuple[_Integer, ...] = ()
    deadline_s: _Duration | None = None
    expected: str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        forms = (self.prompt, self.prompt_tokens, self.prompt_token_ids, self.messages)
        if forms.count(None) < 3:
            raise ValueError(
                "more than one of prompt, prompt_tokens, prompt_token_ids and messages is given: "
                "want one"
            )

    def request(self, index: int) -> Request:
        """The request that stands in the given place of its file."""
        prompt = self.prompt if self.prompt is not None else self.prompt_token_ids
        deadline_s = self.deadline_s
        return Request(
            request_id=self.request_id,
            params=self.params,
            index=index,
            prompt=(self.prompt_tokens or 0) if prompt is None else prompt,
            arrival_us=round(self.arrival_s * 1e6),
            priority=self.priority,
            tenant=self.tenant,
            deadline_us=None if deadline_s is None else math.ceil(deadline_s * 1e6),
            prefix=self.prefix,
            expected=self.expected,
            messages=self.messages or (),
        )

    @property
    def params(self) -> SamplingParams:
        """How it is decoded; the same object for all requests that are decoded alike."""
        return shared_params(
            max_tokens=self.max_tokens,
            min_tokens=self.min_tokens,
            stop=self.stops,
            stop_token_ids=self.stop_token_ids or (),
            ignore_eos=self.ignore_eos,
            include_stop_str_in_output=self.include_stop_str_in_output,
            seed=self.seed,
            temperature=self.temperature,
            top_p=self.top_p,
            logprobs=self.logprobs,
        )


_DECODER = msgspec.json.Decoder(RequestLine)
# One of these is in every request; other fields also begin files that are none.
_TELLING = frozenset(
    {"request_id", "prompt", "prompt_tokens", "prompt_token_ids", "messages", "max_tokens"}
)


class RequestsFormat:
    """Reads JSON Lines of requests."""

    name = "requests"

    def recognises(self, head: bytes) -> bool:
        """Whether the first line is an object with a telling field of a request."""
        return not _TELLING.isdisjoint(top_level_keys(head))

    def read(self, path: Path) -> Workload:
        """Check every line; the requests are read again, one by one, when they are wanted."""
        return stream_workload(path, self.name, partial(_requests, path))


def _requests(path: Path) -> Iterator[Request]:
    for index, (number, line) in enumerate(numbered_lines(path)):
        yield decode(_DECODER, line, place(path, number)).request(index)
