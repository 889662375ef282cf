"""``batchtui demo``: which there are, and the tour on a terminal."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from tests.tui.cli.ran import Cli
from tests.tui.pseudoterminal import Terminal

from batchtui.tui.demos import demo_names, open_demo


def test_alone_it_lists_the_demos(cli: Cli) -> None:
    ran = cli("demo")
    assert (ran.status, ran.err) == (0, "")
    assert [line.split(maxsplit=1) for line in ran.out.splitlines()] == [
        [name, open_demo(name).title] for name in demo_names()
    ]


def test_one_that_is_not_there_is_one_line(cli: Cli) -> None:
    ran = cli("demo", "poisen")
    assert ran.status == 2
    assert ran.err == (
        'batchtui: no demo "poisen": did you mean poison? '
        "want one of fcfs, gpus, late, link, poison, stops\n"
    )


def test_without_a_terminal_it_says_what_to_do(cli: Cli) -> None:
    assert "wants a terminal" in cli("demo", "fcfs").err


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such terminals")
def test_the_tour_is_taken_on_a_terminal(tmp_path: Path, terminals: list[Terminal]) -> None:
    terminal = Terminal(tmp_path, "fcfs", verb="demo")
    terminals.append(terminal)
    terminal.wait_for(b"1 of 8")
    terminal.type(b"\r")
    terminal.wait_for(b"2 of 8")
    terminal.type(b"q")
    assert terminal.end() == 0
    assert terminal.is_given_back()
