"""Cost profiles as files: found by a bundled name or by path, written whole or not at all."""

from __future__ import annotations

import os
import re
from difflib import get_close_matches
from pathlib import Path

import msgspec

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.calibration.profile import SCHEMA, Kind, Profile
from batchtui.plugins.formats.decode import decode
from batchtui.plugins.formats.lines import name_of, printable, whole

BUNDLED = Path(__file__).parents[2] / "assets" / "profiles"


class _Header(msgspec.Struct):
    kind: Kind
    schema: int


_INNERMOST = re.compile(rb"\{[^{}\[\]]*\}")  # an object on a line of its own
_NEW_LINE = re.compile(rb"\n *")
_HEADER = msgspec.json.Decoder(_Header)
_PROFILE = msgspec.json.Decoder(Profile)


def bundled_profiles() -> dict[str, Path]:
    """The profiles that come with the package, by their names."""
    return {path.stem: path for path in sorted(BUNDLED.glob("*.json"))}


def read_profile(name_or_path: str) -> Profile:
    """Read a bundled profile by its name, or any other by its path.

    A bundled name wins over a file of that name in the working directory; ``./smollm2`` is the
    file.

    Raises:
        InputError: there is no such file, or it is none that this version reads.
    """
    path = bundled_profiles().get(name_or_path) or _given(name_or_path)
    data = whole(path)
    _check_header(data, name_of(path))
    return decode(_PROFILE, data, name_of(path))


def check_place(path: Path) -> None:
    """See that a profile can be written there, before a minute is spent on measuring one.

    Raises:
        InputError: there is no such folder, or already something that is no profile.
    """
    shown, folder = name_of(path), printable(str(path.parent), 80)
    try:
        if not path.parent.is_dir():
            raise InputError(f"{shown} cannot be written: there is no folder {folder}")
        if not os.access(path.parent, os.W_OK):
            raise InputError(f"{shown} cannot be written: the folder {folder} is read-only")
        is_there = _is_there(path)
    except (OSError, ValueError) as error:  # a name too long, or a NUL in it
        raise InputError(f"{shown} is not a path of this system") from error
    if is_there and not (path.is_file() and _is_profile(path)):
        raise InputError(f"{shown} is there and is no cost profile: choose another --out")


def write_profile(profile: Profile, path: Path) -> None:
    """Write it whole or not at all.

    Raises:
        WorkError: the system refuses.
    """
    spread = msgspec.json.format(msgspec.json.encode(profile), indent=1)
    data = _INNERMOST.sub(lambda found: _NEW_LINE.sub(b" ", found[0]), spread) + b"\n"
    beside = path.with_name(f".{path.name[:200]}.{os.getpid()}")
    try:
        try:
            beside.write_bytes(data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        raise WorkError(f"{name_of(path)} cannot be written: {why}") from error


def _given(given: str) -> Path:
    path = Path(given)
    try:
        if given and path.is_file():
            return path
    except (OSError, ValueError):  # a name too long, or a NUL in it
        pass
    names = list(bundled_profiles())
    near = get_close_matches(given, names, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    known = ", ".join(names) or "no bundled names"
    raise InputError(f'no profile "{printable(given, 80)}": {hint}want a path or one of {known}')


def _check_header(data: bytes, shown: str) -> None:
    """Refuse what is no profile, or a newer one; what is broken the decoder says better."""
    try:
        schema = _HEADER.decode(data).schema
    except msgspec.ValidationError as error:
        raise InputError(
            f"{shown} is no cost profile: want a file that `batchtui calibrate` wrote"
        ) from error
    except (msgspec.DecodeError, RecursionError):
        return
    if schema != SCHEMA:
        raise InputError(f"{shown} has schema {schema}, this batchtui reads {SCHEMA}: update it")


def _is_there(path: Path) -> bool:
    """Whether there is anything, be it a link that leads nowhere."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def _is_profile(path: Path) -> bool:
    """Whether it is one of any version."""
    try:
        _HEADER.decode(whole(path))
    except (InputError, msgspec.DecodeError, RecursionError):
        return False
    return True
