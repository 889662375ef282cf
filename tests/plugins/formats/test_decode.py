from __future__ import annotations

from typing import Annotated

import msgspec
import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.decode import decode, top_level_keys


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    size: int = 0


class Wire(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    weight: float = 0.0
    count: Annotated[int, msgspec.Meta(ge=1)] = 1
    inner: Inner | None = None
    anything: msgspec.Raw = msgspec.Raw()

    def __post_init__(self) -> None:
        if self.name == "bad":
            raise ValueError("name is bad: want a good one")


DECODER = msgspec.json.Decoder(Wire)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('{"name": "a", "foo": 1}', 'unknown field "foo"; known are name, weight, count'),
        ('{"name": "a", "\\u001b[2J": 1}', 'unknown field "\\x1b[2J"; known'),
        ('{"name": "a", "inner": {"foo": 1}}', 'unknown field "foo" in inner'),
        ("{}", 'missing field "name"'),
        ('{"name": 3}', "name is of type int: want str"),
        ("[]", "it is of type array: want object"),
        ('{"name": "a", "count": 0}', "count: want int >= 1"),
        ('{"name": "a", "count": true}', "count is of type bool: want int"),
        ('{"name": "bad"}', "name is bad: want a good one"),
        ('{"name": "a", "weight": NaN}', "weight is NaN: want a finite number"),
        ('{"name": "a", "weight": -Infinity}', "weight is -Infinity: want a finite number"),
        ('{"name": "a", "weight": 1e999}', "weight: Number out of range"),
        ('{"name": "a"', "the JSON is cut short"),
        ("", "the JSON is cut short"),
        ('{"name": "a",}', "not JSON at column 14: trailing comma in object"),
        ('{"name": "a",\n "count": ?}', "not JSON at line 2 column 11: invalid character"),
        ('{"name": "a"} {}', "not JSON at column 16: trailing characters"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_after_the_place(data: str, message: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(DECODER, data.encode(), "file line 3")
    assert str(caught.value).startswith(f"file line 3: {message}")
    assert "\n" not in str(caught.value)


def test_bytes_that_are_not_utf_8_are_refused() -> None:
    with pytest.raises(InputError, match=r"^f: not JSON: Invalid UTF-8"):
        decode(DECODER, b'{"name": "\xff"}', "f")


def test_json_that_is_nested_too_deeply_is_refused() -> None:
    data = b'{"name": "a", "anything": ' + b"[" * 50_000 + b"]" * 50_000 + b"}"
    with pytest.raises(InputError, match=r"^f: the JSON is nested too deeply"):
        decode(DECODER, data, "f")


@pytest.mark.parametrize(
    ("data", "keys"),
    [
        (b'{"a": 1, "b": {"c": [{"d": 1}]}, "e": "f: g"}', ["a", "b", "e"]),
        (b'{"a": 1}\n{"b": 2}', ["a"]),
        (b' \n{\n "a" : "\\"x\\": {", "b": 1', ["a", "b"]),
        (b'{"a": 1, "text": "cut in a {"', ["a", "text"]),
        (b'{"a": 1, "text": "never closed {b: ', ["a", "text"]),
        (b'[{"a": 1}]', []),
        (b"a: 1", []),
        (b"", []),
    ],
)
def test_the_keys_of_a_beginning_are_those_of_its_first_object(
    data: bytes, keys: list[str]
) -> None:
    assert top_level_keys(data) == keys
