"""What is said of a model after its name: ``name=value,name=value``, into a struct."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.decode import words_of_invalid
from batchtui.plugins.formats.lines import printable

Options = TypeVar("Options", bound=msgspec.Struct)


def read_arguments(text: str, into: type[Options], who: str, bare: str | None = None) -> Options:
    """Read a model's argument.

    Args:
        text: what was said.
        into: has a field for each name.
        who: what the model is called in a message.
        bare: the name of a value that stands without one.

    Raises:
        InputError: as ``pairs_of`` and ``fitted``.
    """
    return fitted(pairs_of(text, into.__struct_fields__, who, bare), into, who)


def pairs_of(
    text: str, names: tuple[str, ...], who: str, bare: str | None = None
) -> dict[str, object]:
    """The values by their names, in the order in which they were said.

    Raises:
        InputError: an unknown name, or one that is there twice.
    """
    pairs: dict[str, object] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals and bare is not None:
            name, value = bare, name
        _check_name(name, names, who)
        if name in pairs:
            raise InputError(f"{who} was given {name} twice, in {printable(text)}")
        pairs[name] = value
    return pairs


def fitted(pairs: Mapping[str, object], into: type[Options], who: str) -> Options:
    """The struct that has these values.

    Raises:
        InputError: an unknown name, or a value that does not fit.
    """
    for name in pairs:
        _check_name(name, into.__struct_fields__, who)
    try:
        return msgspec.convert(pairs, into, strict=False)
    except msgspec.ValidationError as error:
        said = ",".join(f"{name}={value}" for name, value in pairs.items())
        wrong = words_of_invalid(error, into)
        raise InputError(f"{who} was given {printable(said)}: {wrong}") from error


def _check_name(name: str, names: tuple[str, ...], who: str) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, names, 1)
        hint = f"did you mean {near[0]}?" if near else f"want {', '.join(names)}"
        raise InputError(f"{who} has no option {printable(name)}: {hint}")
