"""The options that verbs share: said once, taken by each, all of them options of a run."""

from __future__ import annotations

import inspect

import pytest
import typer

from batchtui.plugins.runs import RunOptions
from batchtui.tui.cli import options
from batchtui.tui.cli.open import open_file
from batchtui.tui.cli.run import run


def test_every_option_of_a_run_can_be_said() -> None:
    said = inspect.signature(options.run_options).parameters
    assert list(said) == list(RunOptions.__struct_fields__)
    assert options.run_options() == RunOptions()


@pytest.mark.parametrize("verb", [run, open_file])
def test_a_verb_takes_them_where_it_has_said(verb: options.Verb) -> None:
    taken = list(inspect.signature(verb).parameters)
    assert taken[1 : 1 + len(RunOptions.__struct_fields__)] == list(RunOptions.__struct_fields__)
    assert (taken[0], "said" in taken) == ("workload", False)


def test_a_verb_is_given_them_as_one() -> None:
    given: dict[str, object] = {}

    @options.with_run_options
    def verb(workload: str, said: RunOptions, more: int = 3) -> None:
        """Do something."""
        given.update(workload=workload, said=said, more=more)

    chosen = dict.fromkeys(RunOptions.__struct_fields__) | {"seed": 7, "slots": 4}
    verb(workload="w", more=5, **chosen)
    assert given == {"workload": "w", "said": RunOptions(seed=7, slots=4), "more": 5}
    assert verb.__doc__ == "Do something."


@pytest.mark.parametrize(
    ("least", "most", "text", "number"),
    [(None, None, "-3", -3), (0, None, "0", 0), (1, 30, "30", 30), (None, None, " 7 ", 7)],
)
def test_a_whole_number_within_its_bounds_is_taken(
    least: int | None, most: int | None, text: str, number: int
) -> None:
    assert options.whole_number(least, most)(text) == number


@pytest.mark.parametrize(
    ("least", "most", "text", "wanted"),
    [
        (None, None, "x", "x is not a whole number"),
        (0, None, "-1", "-1 is not a whole number from 0 up"),
        (1, 30, "31", "31 is not a whole number from 1 to 30"),
        (1, 30, "", " is not a whole number from 1 to 30"),
    ],
)
def test_any_other_is_told_what_is_wanted(
    least: int | None, most: int | None, text: str, wanted: str
) -> None:
    with pytest.raises(typer.BadParameter) as caught:
        options.whole_number(least, most)(text)
    assert caught.value.message == wanted
