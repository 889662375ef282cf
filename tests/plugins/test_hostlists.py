"""Hostlists: what schedulers write is read, and written again; nothing else is understood."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.errors import InputError
from batchtui.plugins.hostlists import expanded, folded, is_host

NAMES = st.from_regex(r"[a-c]{1,2}(-?[0-9]{1,3}){0,3}(-ib)?", fullmatch=True)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("gpu-017", ["gpu-017"]),
        ("gpu-[008-011]", ["gpu-008", "gpu-009", "gpu-010", "gpu-011"]),
        ("gpu-[017,044]", ["gpu-017", "gpu-044"]),
        ("gpu-[1-9/4]", ["gpu-1", "gpu-5", "gpu-9"]),
        ("b, a1 ,c", ["b", "a1", "c"]),
        ("r[1-2]n[0-1]", ["r1n0", "r1n1", "r2n0", "r2n1"]),
        ("x[1-2]-ib.example.com", ["x1-ib.example.com", "x2-ib.example.com"]),
        ("10.0.0.[1-2]", ["10.0.0.1", "10.0.0.2"]),
    ],
)
def test_a_hostlist_is_expanded_in_its_order(text: str, names: list[str]) -> None:
    assert expanded(text) == names


@pytest.mark.parametrize(
    "text",
    ["@all", "@rack:1", "*", "a!b", "a&b", "a^b", "a b", "a;b", "$(id)", "-x", "a\x1b", "é", "a?"],
)
def test_what_only_nodeset_would_understand_is_no_host(text: str) -> None:
    with pytest.raises(InputError, match=r"^[\x20-\x7eé]*want [^\n]*$"):
        expanded(text)


@pytest.mark.parametrize(
    "text",
    ["", "a,", ",a", "a,,b", "a[", "a]", "a[1", "a[[1]]", "a[]", "a[x]", "a[3-1]", "a[01-3]"],
)
def test_a_list_that_does_not_add_up_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="want"):
        expanded(text)


@pytest.mark.parametrize("text", ["a[0-999999999]", "a[0-999]b[0-999]", "a[0-99999],b"])
def test_too_many_hosts_are_refused_before_they_are_made(text: str) -> None:
    with pytest.raises(InputError, match="100,000 at most"):
        expanded(text)


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["gpu-017", "gpu-044"], "gpu-[017,044]"),
        (["gpu-044"], "gpu-044"),
        (["gpu-002", "gpu-000", "gpu-001"], "gpu-[000-002]"),
        (["b", "a7", "a8"], "b,a[7-8]"),
        (["r1-n0", "r1-n1", "r2-n0", "r2-n1"], "r[1-2]-n[0-1]"),
        ([], ""),
    ],
)
def test_names_are_folded_to_what_an_operator_pastes(names: list[str], text: str) -> None:
    assert folded(names) == text


@given(st.lists(NAMES, min_size=1, max_size=12, unique=True))
def test_what_was_folded_expands_to_the_same_names(names: list[str]) -> None:
    assert all(map(is_host, names))
    assert sorted(expanded(folded(names))) == sorted(names)


def test_neither_reading_nor_folding_opens_a_file_of_clustershells() -> None:
    script = (
        "import sys; opened = []\n"
        "sys.addaudithook(lambda event, args: event == 'open' and opened.append(str(args[0])))\n"
        "from batchtui.plugins.hostlists import expanded, folded\n"
        "folded(expanded('gpu-[0-3],a[1-2]b[1-2]'))\n"
        "assert any('ClusterShell' in path for path in opened), 'it was not even loaded'\n"
        "print(*[path for path in opened if 'clustershell' in path])\n"
        "assert 'ClusterShell.Defaults' not in sys.modules"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == ""
