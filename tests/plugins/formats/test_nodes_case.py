"""A nodes case is read whole, and whatever is wrong in it is said with its place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from batchtui.engine.errors import InputError
from batchtui.engine.nodes.inventory import numbered
from batchtui.plugins.formats.nodes_case import NodesCase, Result, open_nodes_case


def read(tmp_path: Path, **said: Any) -> NodesCase:
    path = tmp_path / "case.json"
    path.write_text(json.dumps(said))
    return open_nodes_case(str(path))


def test_a_case_says_all_of_a_search(tmp_path: Path) -> None:
    case = read(
        tmp_path,
        why="to see",
        expect={"bad": [1]},
        nodes=8,
        bad=[3, 1],
        strategy="anchor",
        exclude=[7],
        max_parallel=2,
        timeout_s=60,
        time_budget_s=900,
        seed=5,
        probe={"links": [[4, "gpu-005"]], "hangs": "gpu-[002,006]", "misses": 0.1},
    )
    assert case.inventory == numbered(8).__class__(
        nodes=numbered(8).nodes, numbered=True, excluded=frozenset({7})
    )
    assert case.simulated == {"bad": (1, 3), "links": ((4, 5),), "hangs": (2, 6), "misses": 0.1}
    assert (case.strategy, case.max_parallel, case.timeout_s, case.seed) == ("anchor", 2, 60, 5)
    assert (case.time_budget_s, case.ledger, case.plan) == (900, None, None)


def test_nodes_may_be_names_or_objects(tmp_path: Path) -> None:
    case = read(tmp_path, nodes=["a", {"node": "b", "rack": "R", "xid_errors": 1}], bad=["b"])
    assert [(node.name, node.prior) for node in case.inventory.nodes] == [("a", 1.0), ("b", 5.0)]
    assert case.simulated == {"bad": (1,)}
    assert not case.inventory.numbered


def test_bad_may_be_a_hostlist(tmp_path: Path) -> None:
    assert read(tmp_path, nodes=50, bad="gpu-[017,044]").simulated == {"bad": (17, 44)}


def test_a_ledger_and_a_plan_name_nodes_either_way(tmp_path: Path) -> None:
    ledger = [{"nodes": ["gpu-001", 0], "verdict": "fail"}]
    assert read(tmp_path, nodes=3, ledger=ledger).ledger == (Result((1, 0), "fail"),)
    assert read(tmp_path, nodes=3, plan=[[[0, "gpu-002"]], []]).plan == (((0, 2),), ())


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({}, 'case.json: missing field "nodes"'),
        ({"nodes": []}, "case.json has no nodes"),
        ({"nodes": 0}, "0 nodes: want 1 to 100,000"),
        ({"nodes": 3, "bads": []}, 'case.json: unknown field "bads"; known are nodes, bad'),
        ({"nodes": ["a", "a"]}, "case.json nodes[1]: a is there already, at case.json nodes[0]"),
        ({"nodes": ["a", {"name": "b"}]}, 'case.json nodes[1]: unknown field "name"; known are'),
        ({"nodes": ["@all"]}, 'case.json nodes[0]: "@all" is no host'),
        ({"nodes": 3, "probe": {"mises": 1}}, 'case.json probe: unknown field "mises"; known are'),
        ({"nodes": 3, "probe": {"misses": 2}}, "case.json probe: misses is 2: want 0 to 1"),
        (
            {"nodes": 3, "probe": {"pass_s": "x"}},
            "case.json probe: pass_s is of type str: want float",
        ),
        ({"nodes": 3, "probe": {"seed": "x"}}, "case.json probe: seed is of type str: want int"),
        ({"nodes": 3, "probe": {"links": [[1, 1]]}}, "case.json probe: links has [1, 1]"),
        ({"nodes": 3, "probe": {"links": [[1]]}}, "case.json probe.links: "),
        ({"nodes": 3, "bad": [1], "probe": {"bad": [2]}}, "case.json: bad is there twice"),
        ({"nodes": 3, "bad": True}, "case.json: bad is of type bool"),
        ({"nodes": 3, "timeout_s": 0}, "case.json: timeout_s: want float > 0"),
        ({"nodes": 3, "plan": [], "ledger": []}, "case.json: a ledger and plan: from a ledger is"),
        ({"nodes": 3, "ledger": [], "bad": [1], "seed": 0}, "case.json: a ledger and bad, seed: "),
        ({"nodes": 3, "ledger": [], "strategy": "anchor"}, "case.json: a ledger and strategy: "),
        ({"nodes": 3, "ledger": [], "probe": {"misses": 0}}, "case.json: a ledger and probe: "),
        ({"nodes": 3, "ledger": [], "exclude": [0]}, "case.json: a ledger and exclude: "),
        ({"nodes": 3, "plan": []}, "case.json: the plan has no set to test: want one or more"),
        ({"nodes": 3, "plan": [[], []]}, "case.json: the plan has no set to test"),
        ({"nodes": 3, "plan": [], "strategy": "anchor"}, "case.json: a plan and a strategy"),
        ({"nodes": 3, "ledger": [{"nodes": [0, 1], "verdict": "ok"}]}, "case.json: ledger[0]"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(
    tmp_path: Path, said: dict[str, Any], words: str
) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, **said)
    assert str(raised.value).startswith(words)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"bad": [3]}, "unknown_node"),
        ({"bad": ["gpu-003"]}, "unknown_node"),
        ({"plan": [[[0, -1]]]}, "unknown_node"),
        ({"ledger": [{"nodes": [0, 9], "verdict": "pass"}]}, "unknown_node"),
        ({"ledger": [{"nodes": [0], "verdict": "pass"}]}, "set_too_small"),
        ({"ledger": [{"nodes": [0, 0], "verdict": "pass"}]}, "overlapping_tests"),
    ],
)
def test_a_broken_rule_is_named_by_its_code(
    tmp_path: Path, said: dict[str, Any], code: str
) -> None:
    with pytest.raises(InputError) as raised:
        read(tmp_path, nodes=3, **said)
    assert raised.value.code == code


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff", b'{"nodes": 3} {}'])
def test_what_is_no_object_is_refused(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "case.json"
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"^case\.json[^\n]*$"):
        open_nodes_case(str(path))
