"""What the README says can be typed, can be typed."""

from __future__ import annotations

import re
import shlex
import subprocess
from itertools import count
from pathlib import Path
from threading import Barrier, Lock
from typing import Any

import pytest
import typer

from batchtui.tui.cli import app, status_of

README = Path(__file__).parents[1].joinpath("README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\S+)(?: (\w+))?\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
FENCED = re.compile(r"^```.*?^```$", re.MULTILINE | re.DOTALL)
PROGRAM = ".venv/bin/batchtui"
VERBS = (
    *(
        "open",
        "run",
        "demo",
        "replay",
        "why",
        "lint",
        "models",
        "calibrate",
        "plugins",
        "bench",
        "nodes",
    ),
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


def test_the_example_finds_bad_nodes_by_the_rules(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, busy, num_begun = {"gpu-017", "gpu-044"}, set[str](), count(1)
    first_round, lock = Barrier(32), Lock()

    def tested(job: list[str]) -> int:
        nodes = job[job.index("-w") + 1].split(",")
        with lock:
            assert job[3] == f"-N{len(set(nodes))}"
            assert len(nodes) >= 2
            assert busy.isdisjoint(nodes)
            busy.update(nodes)
            is_first = next(num_begun) <= 32
        if is_first:
            first_round.wait(20)  # they run at once, or never get past this
        with lock:
            busy.difference_update(nodes)
        return 0 if bad.isdisjoint(nodes) else 124

    monkeypatch.setattr(subprocess, "call", tested)
    example: dict[str, Any] = {"__name__": "example"}
    exec("\n".join(lines_of("identify")), example)
    assert example["found"].first_error is None  # or what was asserted above
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "BAD gpu-017, gpu-044"
    assert out[1] == "62 good, 2 bad, 0 undetermined: every node is known"
    assert [line.split(": test ")[0] for line in out[3:]] == ["gpu-017 is bad", "gpu-044 is bad"]


def test_every_page_that_is_linked_is_there() -> None:
    root = Path(__file__).parents[1]
    links = re.findall(r"\]\((?!https?:)([^)#]+)\)", README)
    assert [link for link in links if not root.joinpath(link).exists()] == []
