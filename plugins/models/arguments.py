"""What is said of a model after its name: ``name=value,name=value``, into a struct."""

from __future__ import annotations

import difflib
from typing import TypeVar

import msgspec

from batchtui.engine.errors import InputError
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
        InputError: an unknown name, one that is there twice, or a value that does not fit.
    """
    pairs: dict[str, str] = {}
    for part in filter(None, text.split(",")):
        name, equals, value = part.partition("=")
        if not equals and bare is not None:
            name, value = bare, name
        _check_name(name, into.__struct_fields__, who)
        if name in pairs:
            raise InputError(f"{who} was given {name} twice, in {printable(text)}")
        pairs[name] = value
    try:
        return msgspec.convert(pairs, into, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"{who} was given {printable(text)}: {error}") from error


def _check_name(name: str, fields: tuple[str, ...], who: str) -> None:
    if name not in fields:
        near = difflib.get_close_matches(name, fields, 1)
        hint = f"did you mean {near[0]}?" if near else f"want {', '.join(fields)}"
        raise InputError(f"{who} has no option {printable(name)}: {hint}")
