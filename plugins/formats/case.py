"""A *case*: one JSON object that says how a small run goes, down to what the model returns.

Requests are those of ``requests.py`` with four fields more: ``calls`` is the model's part, a list
of tokens for each call; ``arrive_at_step``, ``abort_at_step`` and ``abort_in_call`` say when. Where
one of the first three is used the case goes by steps, otherwise by the times of arrival. ``why``
and ``expect`` are passed over: they are for whoever checks the outcome.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from pathlib import Path
from typing import Annotated

import msgspec

from batchtui.engine.batching.request import Request
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Aborted, Input, Submitted
from batchtui.plugins.formats.decode import decode, top_level_keys
from batchtui.plugins.formats.lines import name_of, printable, whole
from batchtui.plugins.formats.requests import RequestLine
from batchtui.plugins.formats.workload import Fault, Script, ScriptToken, Workload

Steps = list[tuple[int, Callable[[int], Input]]]

_Step = Annotated[int, msgspec.Meta(ge=0, le=2**62)]
_Positive = Annotated[int, msgspec.Meta(ge=1, le=2**62)]

EOS = "<eos>"
UNIT = "batch"


class TokenObject(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A token with its bytes or its id given: ``{"hex": "f09f"}``, ``{"id": 99, "text": "#"}``.

    Raises:
        ValueError: neither or both of ``hex`` and ``text``, or no hexadecimal bytes.
    """

    hex: str | None = None
    text: str | None = None
    id: _Step | None = None

    def __post_init__(self) -> None:
        if (self.hex is None) == (self.text is None):
            raise ValueError("a token wants either hex or text")
        if self.hex is not None:
            try:
                bytes.fromhex(self.hex)
            except ValueError:
                raise ValueError("hex is not a row of bytes: want two digits each") from None

    @property
    def data(self) -> bytes:
        """The token's bytes."""
        return bytes.fromhex(self.hex) if self.hex is not None else (self.text or "").encode()


class CaseRequest(RequestLine, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A request of a case as it is written."""

    calls: tuple[tuple[str | TokenObject, ...], ...] | None = None
    arrive_at_step: _Step | None = None
    abort_at_step: _Step | None = None
    abort_in_call: _Positive | None = None

    @property
    def goes_by_steps(self) -> bool:
        """Whether it asks for steps instead of times."""
        steps = (self.calls, self.arrive_at_step, self.abort_at_step)
        return any(given is not None for given in steps)

    @property
    def script(self) -> Script:
        """What the model returns to it."""
        calls = tuple(tuple(map(_token, call)) for call in self.calls or ())
        return Script(calls=calls, abort_in_call=self.abort_in_call)


class Kv(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The KV cache of a case."""

    block_size: _Positive | None = None
    num_gpu_blocks: _Positive | None = None


class CaseFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case as it is written; its lists are decoded one by one, so that errors name the place."""

    requests: list[msgspec.Raw]
    slots: _Positive | None = None
    policy: str | None = None
    kv: Kv = Kv()
    faults: list[msgspec.Raw] = []
    why: msgspec.Raw = msgspec.Raw()
    expect: msgspec.Raw = msgspec.Raw()

    @property
    def options(self) -> dict[str, int | str]:
        """What it says of the run."""
        said = {
            "slots": self.slots,
            "policy": self.policy,
            "block_size": self.kv.block_size,
            "num_gpu_blocks": self.kv.num_gpu_blocks,
        }
        return {name: value for name, value in said.items() if value is not None}


_CASE = msgspec.json.Decoder(CaseFile)
_REQUEST = msgspec.json.Decoder(CaseRequest)
_FAULT = msgspec.json.Decoder(Fault)


class CaseFormat:
    """Reads a case."""

    name = "case"

    def recognises(self, head: bytes) -> bool:
        """Whether it begins as an object that holds requests or slots."""
        return not {"requests", "slots"}.isdisjoint(top_level_keys(head))

    def read(self, path: Path) -> Workload:
        """Check the case and return its workload."""
        name = name_of(path)
        case = decode(_CASE, whole(path), name)
        lines = [
            decode(_REQUEST, raw, f"{name} requests[{place}]")
            for place, raw in enumerate(case.requests)
        ]
        if not lines:
            raise InputError(f"{name} has no requests: want one or more")
        faults = [
            decode(_FAULT, raw, f"{name} faults[{place}]") for place, raw in enumerate(case.faults)
        ]
        _check(name, lines, faults)
        return _workload(path.name, case, lines, tuple(faults))


def _workload(
    name: str, case: CaseFile, lines: list[CaseRequest], faults: tuple[Fault, ...]
) -> Workload:
    is_scripted = any(line.calls is not None for line in lines)
    by_steps = any(line.goes_by_steps for line in lines)
    requests = [line.request(index) for index, line in enumerate(lines)]
    timed = [] if by_steps else sorted(requests, key=lambda request: request.arrival_us)
    return Workload(
        name=name,
        format=CaseFormat.name,
        num_requests=len(requests),
        requests=lambda: iter(timed),
        backend="scripted" if is_scripted else "simulated",
        options=case.options,
        scripts={index: line.script for index, line in enumerate(lines)} if is_scripted else {},
        faults=faults,
        steps=_steps(lines, requests) if by_steps else None,
    )


def _steps(lines: list[CaseRequest], requests: list[Request]) -> Steps:
    """Submissions, then aborts, each in the order of the file; then in the order of the steps."""
    steps: Steps = [
        (line.arrive_at_step or 0, _submission(request))
        for line, request in zip(lines, requests, strict=True)
    ]
    steps += [
        (line.abort_at_step, _abort(line.request_id))
        for line in lines
        if line.abort_at_step is not None
    ]
    return sorted(steps, key=itemgetter(0))


def _submission(request: Request) -> Callable[[int], Input]:
    def submit(now: int) -> Input:
        arrived = msgspec.structs.replace(request, arrival_us=now)
        return Submitted(at=now, unit=UNIT, body=arrived)

    return submit


def _abort(request_id: str) -> Callable[[int], Input]:
    return lambda now: Aborted(at=now, unit=UNIT, target=request_id)


def _token(written: str | TokenObject) -> ScriptToken:
    if isinstance(written, TokenObject):
        return ScriptToken(data=written.data, id=written.id)
    return ScriptToken(data=None if written == EOS else written.encode())


def _check(name: str, lines: list[CaseRequest], faults: list[Fault]) -> None:
    """What no single line can know.

    Raises:
        InputError: fields that contradict each other, naming where.
    """
    by_steps = any(line.goes_by_steps for line in lines)
    is_scripted = any(line.calls is not None for line in lines)
    tokens: dict[int, bytes | None] = {}
    for place, line in enumerate(lines):
        where = f"{name} requests[{place}]"
        if by_steps and line.arrival_s:
            raise InputError(
                f"{where}: arrival_s in a case that goes by steps: want arrive_at_step"
            )
        if line.abort_in_call is not None and not is_scripted:
            raise InputError(f"{where}: abort_in_call in a case without calls: want abort_at_step")
        _check_ids(where, line, tokens)
    ids = {line.request_id for line in lines}
    for place, fault in enumerate(faults):
        if fault.request_id is not None and fault.request_id not in ids:
            unknown = printable(fault.request_id)
            raise InputError(f'{name} faults[{place}]: no request has the request_id "{unknown}"')


def _check_ids(where: str, line: CaseRequest, tokens: dict[int, bytes | None]) -> None:
    """A token id stands for the same bytes wherever it is written."""
    for token in (token for call in line.script.calls for token in call):
        if token.id is not None and tokens.setdefault(token.id, token.data) != token.data:
            raise InputError(f"{where}: token id {token.id} has other bytes elsewhere in the case")
