from __future__ import annotations

from batchtui.plugins.raised import failure_of, place_of


def raised() -> ValueError:
    try:
        raise ValueError("a prompt")
    except ValueError as error:
        return error


def test_a_failure_names_the_type_and_the_place_but_not_the_message() -> None:
    failure = failure_of(raised())
    assert failure.kind == "raise"
    assert failure.detail.startswith("ValueError at test_raised.py:")
    assert "prompt" not in repr(failure)


def test_an_exception_that_was_never_raised_has_no_place() -> None:
    assert place_of(KeyError("x")) == "KeyError"
