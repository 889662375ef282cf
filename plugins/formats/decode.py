"""JSON into wire structs, and what is wrong with it in one line: place, field, what is wanted.

A message names fields and types. It quotes a value only where a wire struct's own check does, and
never a prompt.
"""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import printable

WireT = TypeVar("WireT")

_PATH = re.compile(r" - at `\$\.?([^`]*)`$")
_UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(\w+)`")
_TYPE = re.compile(r"Expected `([^`]*)`(.*), got `([^`]*)`")
_RANGE = re.compile(r"Expected `([^`]*)` (.*)")
_BYTE = re.compile(r"\(byte (\d+)\)$")
_NOT_FINITE = re.compile(rb'(?:"(\w{1,40})"\s*:\s*)?(-?(?:nan|inf)\w{0,5})', re.IGNORECASE)
_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|["{}\[\]:]', re.DOTALL)


def decode(decoder: msgspec.json.Decoder[WireT], data: bytes | msgspec.Raw, where: str) -> WireT:
    """Decode one document.

    Raises:
        InputError: it begins with ``where`` and says what is wrong.
    """
    try:
        return decoder.decode(data)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {words_of_invalid(error, decoder.type)}") from error
    except msgspec.DecodeError as error:
        raise InputError(f"{where}: {_malformed(str(error), bytes(data))}") from error
    except RecursionError:
        raise InputError(f"{where}: the JSON is nested too deeply") from None


def top_level_keys(head: bytes) -> list[str]:
    """The keys of the JSON object that a file begins with, as far as the beginning goes.

    Nothing is validated: a file that is cut short or has a fault further on is still known by its
    keys.
    """
    keys: list[str] = []
    depth, text = 0, b""
    for match in _TOKEN.finditer(head) if head.lstrip().startswith(b"{") else ():
        token = match[0]
        if token in (b"{", b"["):
            depth += 1
        elif token in (b"}", b"]"):
            depth -= 1
        elif token == b":" and depth == 1:
            keys.append(text[1:-1].decode("utf-8", "replace"))
        text = token
        if depth < 1 or token == b'"':
            break
    return keys


def words_of_invalid(error: msgspec.ValidationError, wire: object) -> str:
    """What does not fit into ``wire``, in our words."""
    message = str(error)
    found = _PATH.search(message)
    path = found[1] if found else ""
    message = message[: found.start()] if found else message
    at = f" in {path}" if path else ""
    if unknown := _UNKNOWN.fullmatch(message):
        known = "" if path else f"; known are {', '.join(getattr(wire, '__struct_fields__', ()))}"
        return f'unknown field "{printable(unknown[1])}"{at}{known}'
    if missing := _MISSING.fullmatch(message):
        return f'missing field "{missing[1]}"{at}'
    if kind := _TYPE.fullmatch(message):
        return f"{path or 'it'} is of type {kind[3]}: want {kind[1]}{kind[2]}"
    if bound := _RANGE.fullmatch(message):
        return f"{path or 'it'}: want {bound[1]} {bound[2]}"
    return f"{path}: {message.replace('`', '')}" if path else message.replace("`", "")


def _malformed(message: str, data: bytes) -> str:
    if "truncated" in message:
        return "the JSON is cut short"
    found = _BYTE.search(message)
    if found is None:
        return f"not JSON: {message}"
    at = int(found[1])
    if bad := _not_finite(data, at):
        return bad
    line, column = data.count(b"\n", 0, at) + 1, at - data.rfind(b"\n", 0, at)
    spot = f"line {line} column {column}" if b"\n" in data else f"column {column}"
    reason = message[: found.start()].removeprefix("JSON is malformed:").strip()
    return f"not JSON at {spot}: {reason}"


def _not_finite(data: bytes, at: int) -> str | None:
    """Python writes NaN and Infinity into what it calls JSON: name the field that has one."""
    for match in _NOT_FINITE.finditer(data, max(0, at - 80), at + 16):
        if match.start(2) <= at < match.end(2):
            field = match[1].decode() if match[1] else "a number"
            return f"{field} is {match[2].decode()}: want a finite number"
    return None
