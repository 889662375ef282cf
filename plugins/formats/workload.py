"""What a reader makes of a file: requests in order of arrival, and what else the file says.

A file is checked whole before anything of it runs, and read a second time while it runs, so that a
million requests in order cost no memory. Only a file whose arrivals are out of order is held and
sorted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Protocol

import msgspec

from batchtui.engine.batching.request import DEFAULT_MAX_TOKENS, Request, SamplingParams
from batchtui.engine.machine import Input
from batchtui.plugins.formats.lines import printable


class Fault(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault to be played at a model call.

    It hits the ``call``-th model call (from 1, calls made again counted), or the first one that
    ``request_id`` takes part in; with ``always`` every one from there on.

    Raises:
        ValueError: neither or both of ``call`` and ``request_id``, or an unknown ``kind``.
    """

    kind: str
    call: int | None = None
    request_id: str | None = None
    always: bool = False

    KINDS = ("raise", "short", "swap", "duplicate", "late", "empty")

    def __post_init__(self) -> None:
        if self.kind not in self.KINDS:
            raise ValueError(f"kind is {printable(self.kind)}: want one of {', '.join(self.KINDS)}")
        if (self.call is None) == (self.request_id is None):
            raise ValueError("a fault wants either call or request_id")
        if self.call is not None and self.call < 1:
            raise ValueError(f"fault call is {self.call}: calls are counted from 1")


class ScriptToken(msgspec.Struct, frozen=True):
    """One token of a script: ``data`` is its bytes, None for EOS; ``id`` only if it is said."""

    data: bytes | None
    id: int | None = None


class Script(msgspec.Struct, frozen=True):
    """What the model returns to one request: tokens call by call; EOS when it has run out.

    ``abort_in_call`` aborts the request while its call of that number (from 1) is in flight.
    """

    calls: tuple[tuple[ScriptToken, ...], ...]
    abort_in_call: int | None = None


class Workload(msgspec.Struct, kw_only=True):
    """Requests, and what their file says about how to run them.

    Attributes:
        name: the file's name, for a title.
        format: the reader's name.
        num_requests: how many there are, known since the file was checked whole.
        requests: begins to read them in order of arrival; ``Request.index`` is the place in the
            file.
        backend: the model that the file asks for, if it does.
        options: what a case says of the run: ``slots``, ``policy``, ``block_size``,
            ``num_gpu_blocks``.
        scripts: of a case, by ``Request.index``.
        faults: of a case, by call or by ``request_id``.
        steps: of a case: (step, time -> input) for what comes before a step instead of at a time;
            the requests of such a workload come through ``steps`` alone.
        can_wait_in_file: whether no id is used twice and nobody has a deadline, so that nothing
            depends on when a request that waits is read.
    """

    name: str
    format: str
    num_requests: int
    requests: Callable[[], Iterator[Request]]
    backend: str | None = None
    options: dict[str, int | str] = {}
    scripts: dict[int, Script] = {}
    faults: tuple[Fault, ...] = ()
    steps: list[tuple[int, Callable[[int], Input]]] | None = None
    can_wait_in_file: bool = False


class Format(Protocol):
    """A reader of one kind of file, found by the entry point group ``batchtui.formats``."""

    name: str

    def recognises(self, head: bytes) -> bool:
        """Whether a file that begins so (up to 64 KiB, decompressed) is of this kind."""

    def read(self, path: Path) -> Workload:
        """Check the whole file and return its workload.

        Raises:
            InputError: naming the line and the fault.
        """


@lru_cache(maxsize=4096)
def shared_params(
    *,
    max_tokens: int = DEFAULT_MAX_TOKENS,
    min_tokens: int = 0,
    stop: tuple[str, ...] = (),
    stop_token_ids: tuple[int, ...] = (),
    ignore_eos: bool = False,
    include_stop_str_in_output: bool = False,
    seed: int | None = None,
    temperature: float = 1.0,
    top_p: float = 1.0,
    logprobs: int | None = None,
) -> SamplingParams:
    """The one object for these parameters, as long as they are asked for now and then.

    A million requests have a handful of them; where each has its own seed they are not worth
    keeping, hence the bound.
    """
    return SamplingParams(
        max_tokens=max_tokens,
        min_tokens=min_tokens,
        stop=stop,
        stop_token_ids=stop_token_ids,
        ignore_eos=ignore_eos,
        include_stop_str_in_output=include_stop_str_in_output,
        seed=seed,
        temperature=temperature,
        top_p=top_p,
        logprobs=logprobs,
    )
