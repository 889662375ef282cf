"""The header of a recording, whatever the system: read again, and what all of them say in it."""

from __future__ import annotations

import platform
from importlib.metadata import version
from typing import Any, TypeVar

import msgspec

from batchtui.engine.debugger.codec import HEADER
from batchtui.engine.debugger.recording import VERSION, Header
from batchtui.engine.errors import InputError
from batchtui.plugins.formats.decode import decode
from batchtui.plugins.recordings.systems import system_named

KindT = TypeVar("KindT")


class _Format(msgspec.Struct, tag="Recording"):
    version: int
    system: str = ""


_FORMAT = msgspec.json.Decoder(_Format)


def header_from(line: bytes, where: str) -> Header:
    """Read the first line of a recording.

    Raises:
        InputError: it is none, of a newer version, or of a system that is not known here.
    """
    format = decode(_FORMAT, line, where)
    if format.version > VERSION:
        raise InputError(
            f"{where}: recording version {format.version}: "
            f"this batchtui reads up to {VERSION}; install a newer one"
        )
    if format.system:  # another system's header may have other fields
        system_named(format.system, where)
    header = decode(HEADER, line, where)
    if header.version < 1:
        raise InputError(f"{where}: recording version {header.version}: want 1 or more")
    return header


def versions() -> dict[str, str]:
    """What a run is made with."""
    return {"batchtui": version("batchtui"), "python": platform.python_version()}


def converted(value: dict[str, Any], kind: type[KindT], where: str) -> KindT:
    """What a system says in its part of a header, as its own type.

    Raises:
        InputError: it is none.
    """
    try:
        return msgspec.convert(value, kind, str_keys=True)
    except (msgspec.ValidationError, ValueError) as error:
        raise InputError(f"{where}: {error}") from error
