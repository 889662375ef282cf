"""Inventories: files of every kind come to the same nodes, and lists name some of them."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import pytest

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import Inventory, numbered
from batchtui.plugins.formats.inventory import read_inventory
from batchtui.plugins.inventories import open_inventory, selected

JSON_LINES = b'{"node": "gpu-a1", "rack": "A"}\n\n{"node": "gpu-b1", "prior": 2.5}\n'
ARRAY = b' [ {"node": "gpu-a1", "rack": "A"},\n {"node": "gpu-b1", "prior": 2.5}]'
CSV = b"node,rack,prior\n# first\ngpu-a1,A,\ngpu-b1,,2.5\n"
SEMICOLONS = b'prior;"node";rack\r\n;"gpu-a1";A\r\n2.5;gpu-b1;\r\n'


def read(tmp_path: Path, data: bytes, name: str = "hosts") -> Inventory:
    path = tmp_path / name
    path.write_bytes(data)
    return read_inventory(path)


@pytest.mark.parametrize("data", [JSON_LINES, ARRAY, CSV, SEMICOLONS], ids=lambda data: data[:9])
@pytest.mark.parametrize("how", ["plain", "bom", "crlf", "gzip"])
def test_every_kind_comes_to_the_same_nodes(tmp_path: Path, data: bytes, how: str) -> None:
    packed = {
        "plain": data,
        "bom": b"\xef\xbb\xbf" + data,
        "crlf": data.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"),
        "gzip": gzip.compress(data),
    }
    inventory = read(tmp_path, packed[how])
    assert [(each.name, each.rack, each.prior) for each in inventory.nodes] == [
        ("gpu-a1", "A", 1.0),
        ("gpu-b1", "B", 2.5),
    ]
    assert not inventory.numbered


@pytest.mark.parametrize("column", ["node", "Node", "HOST", "hostname", "Name"])
@pytest.mark.parametrize("comma", [",", ";", "\t"])
def test_the_column_of_nodes_has_several_names(tmp_path: Path, column: str, comma: str) -> None:
    data = f"{column},Rack\nhost-1,A\nhost-2,B\n".replace(",", comma).encode()
    assert [(each.name, each.rack) for each in read(tmp_path, data).nodes] == [
        ("host-1", "A"),
        ("host-2", "B"),
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"# ours\nserver,rack\nh1,A\nh2,B\n",
        b"server,rack\nh1,A of two\n",
        b"h[1,2],A\nh[3-4],B\n",
    ],
)
def test_a_table_without_a_column_of_nodes_is_not_taken_for_hosts(
    tmp_path: Path, data: bytes
) -> None:
    with pytest.raises(InputError, match=r'^hosts line \d: a table without a column "node": '):
        read(tmp_path, data)


@pytest.mark.parametrize(
    ("data", "names"),
    [
        (b"# ours\nhost1\nhost2  # the second\n", ["host1", "host2"]),
        (b"gpu-[000-002]\r\nlogin\r\n", ["gpu-000", "gpu-001", "gpu-002", "login"]),
        (b"\xef\xbb\xbfa,b\nc", ["a", "b", "c"]),
        (b"[1-2]-x\n", ["1-x", "2-x"]),
        (b'["a", "b"]', ["a", "b"]),
        (b"node\nh1\nh2\n", ["h1", "h2"]),
        (b"Hostname\nh1\n", ["h1"]),
        (b"a,b,c\n", ["a", "b", "c"]),
        (b"h[1,3]\nh[5,7]\n", ["h1", "h3", "h5", "h7"]),
    ],
)
def test_plain_text_has_a_host_or_a_hostlist_a_line(
    tmp_path: Path, data: bytes, names: list[str]
) -> None:
    assert [node.name for node in read(tmp_path, data).nodes] == names


def test_xid_errors_raise_the_prior(tmp_path: Path) -> None:
    data = b"node,prior,xid_errors\na,1,0\nb,1,1\nc,2,3\nd,1e6,9\n"
    priors = [node.prior for node in read(tmp_path, data).nodes]
    assert priors == [1.0, 5.0, 18.0, 1e6]
    (many,) = read(tmp_path, b'{"node": "x", "xid_errors": 1000}').nodes
    assert many.prior == pytest.approx(1 + 4 * math.log2(1001))


@pytest.mark.parametrize(
    ("hosts", "racks"),
    [
        ("gpu-d19,gpu-e01,gpu-d20", ["D", "E", "D"]),
        ("gpu-[000-015],gpu-016", ["A"] * 16 + ["B"]),
        ("n-a1,n-2", ["A", "A"]),
        ("gpu-node1,gpu-login1", ["A", "A"]),
        ("gpu-d1,gpu-d2", ["A", "A"]),
    ],
)
def test_where_no_rack_is_said_the_names_say_it_or_the_order(
    tmp_path: Path, hosts: str, racks: list[str]
) -> None:
    assert [node.rack for node in read(tmp_path, hosts.encode()).nodes] == racks


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "hosts has no nodes: want one or more"),
        (b"# nobody\n", "hosts has no nodes: want one or more"),
        (b"a\n@all\n", 'hosts line 2: "@all" is no host'),
        (b"a\n\nb slots=8\n", 'hosts line 3: "b slots=8" has a space in it'),
        (b"a\nb\na\n", "hosts line 3: a is there already, at hosts line 1"),
        (b'{"node": "a"}\n{"nodes": "b"}', 'hosts line 2: unknown field "nodes"; known are node'),
        (b'{"node": "a b"}', 'hosts line 1: "a b" is no host'),
        (b'{"node": "a", "prior": 0}', "hosts line 1: prior: want"),
        (b'{"node": "a", "xid_errors": "x"}', "hosts line 1: xid_errors is of type str: want int"),
        (b'{"node": "a", "rack": "\\u001b[31m"}', "hosts line 1: rack: want 32 printable"),
        (b'[{"node": "a"}, {"node": 3}]', r"hosts [1]: node is of type int: want str"),
        (b'["a", "a"]', r"hosts [1]: a is there already, at hosts [0]"),
        (b'["a"', "hosts: the JSON is cut short"),
        (b"node,rak\na,b\n", 'hosts line 1: unknown column "rak": known are node, rack'),
        (b"node,node\na,b\n", "hosts line 1: a column is there twice"),
        (b"node,rack\na\n", "hosts line 2 has 1 cells: want 2"),
        (b"node,rack\n,A\n", 'hosts line 2: missing field "node"'),
        (b"node,prior\na,high\n", "hosts line 2: prior"),
        (b"\xff\xfea\0", "hosts is not text in UTF-8"),
        (b"a\n\xe9\n", "hosts line 2 is not UTF-8"),
        (b"h[0-99999]\nb\n", "100001 nodes: want 100,000 at most"),
    ],
)
def test_what_is_wrong_is_said_in_one_line_with_its_place(
    tmp_path: Path, data: bytes, words: str
) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, data)
    assert str(raised.value).startswith(words)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize("given", ["", "nope", ".", "a\0b", "x" * 5000])
def test_what_is_no_file_is_refused(given: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^[^\n]*$"):
        open_inventory(given)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("17,4", (4, 17)),
        ("3-5", (3, 4, 5)),
        ("gpu-[001-002],9", (1, 2, 9)),
        ("3,gpu-003,2-3", (2, 3)),
        ("", ()),
    ],
)
def test_a_list_names_nodes_by_number_or_by_name(text: str, places: tuple[int, ...]) -> None:
    assert selected(text, numbered(20), "--bad") == places


def test_a_node_whose_name_is_a_number_is_found_by_its_name(tmp_path: Path) -> None:
    inventory = read(tmp_path, b"3\n2\n1\n0\n")
    assert selected("3,0", inventory, "--bad") == (0, 3)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("20", "--bad: there is no node 20: want 0 to 19"),
        ("5-999999999", "--bad: there is no node 20"),
        ("gpu-099", '--bad: there is no node "gpu-099"'),
        ("gpu-17", '--bad: there is no node "gpu-17"'),
    ],
)
def test_a_node_that_is_not_there_is_unknown(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words) as raised:
        selected(text, numbered(20), "--bad")
    assert raised.value.code == "unknown_node"


@pytest.mark.parametrize("text", ["5-3", "a b", "@all", ",", "gpu-[x]"])
def test_a_list_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"^--bad: [^\n]*want"):
        selected(text, numbered(20), "--bad")
