"""What the README says can be typed, can be typed."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
import typer

from batchtui.tui.cli import app, status_of

README = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\S+)(?: (\w+))?\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PROGRAM = ".venv/bin/batchtui"
VERBS = (
    *("open", "run", "demo", "replay", "why", "lint", "models", "calibrate", "plugins", "bench"),
)


def lines_of(label: str) -> list[str]:
    return [line for _, name, text in BLOCKS if name == label for line in text.splitlines()]


def commands() -> list[str]:
    """Everything in code that begins with the program's name, cut where a shell would go on."""
    in_text = re.findall(r"`(batchtui[^`]*)`", FENCED.sub("", README))
    in_blocks = [
        part.strip()
        for language, _, text in BLOCKS
        if language == "sh"
        for part in re.split(r"&&|\n", text)
    ]
    return in_text + [part for part in in_blocks if part.startswith(PROGRAM)]


def options_of(verb: str | None) -> set[str]:
    group = typer.main.get_command(app)
    with group.make_context("batchtui", [verb or "run"], resilient_parsing=True) as context:
        command = group if verb is None else group.commands.get(verb)  # type: ignore[attr-defined]
        assert command is not None, f"the README names a verb {verb!r} that is not there"
        return {name for each in command.get_params(context) for name in each.opts}


@pytest.mark.parametrize("label", ["run", "test"])
def test_installing_and_starting_is_one_line(label: str) -> None:
    (line,) = lines_of(label)
    assert line.startswith("python3 -m venv .venv && .venv/bin/pip install ")


@pytest.mark.parametrize("line", lines_of("tour"))
def test_a_command_of_the_tour_does_what_it_says(
    line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *arguments = shlex.split(line)
    assert program == PROGRAM
    assert status_of(arguments) == 0
    out, err = capsys.readouterr()
    assert (out.splitlines()[0].split(), err) == (["ms", "mean", "p50", "p95", "p99"], "")


def test_there_is_a_tour() -> None:
    assert lines_of("tour")


@pytest.mark.parametrize("command", commands())
def test_a_verb_that_is_named_exists_with_its_options(command: str) -> None:
    words = re.findall(r"[\w./-]+", command)[1:]
    verb = words[0] if words and not words[0].startswith("-") else None
    assert {word for word in words if word.startswith("--")} <= options_of(verb)


@pytest.mark.parametrize("option", sorted(set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README))))
def test_an_option_that_is_named_exists_somewhere(option: str) -> None:
    known = set().union(*(options_of(verb) for verb in (None, *VERBS)))
    assert option in known


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_is_named(verb: str) -> None:
    assert f"`batchtui {verb} " in README


def test_every_page_that_is_linked_is_there() -> None:
    root = Path(__file__).parents[1]
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert [link for link in links if not root.joinpath(link).exists()] == []
