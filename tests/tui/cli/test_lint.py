"""``lint``: what looks wrong in a recording, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.cli.ran import Cli, Write


@pytest.fixture
def recorded(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    assert cli("run", "demo", "--record", "demo.rec").status == 0
    return "demo.rec"


def test_each_finding_is_one_line_and_the_exit_is_0(cli: Cli, recorded: str) -> None:
    ran = cli("lint", recorded)
    assert (ran.status, ran.err) == (0, "")
    first, *_ = ran.out.splitlines()
    assert first.startswith("head-of-line  steps 12-19  slot 7 idle 10 steps, slot 4 idle")
    assert "head r12 needs 14 kv, 12 free; r13" in first


def test_json_has_all_of_it(cli: Cli, recorded: str) -> None:
    findings = cli("lint", recorded, "--json").document["findings"]
    assert findings[0]["kind"] == "head-of-line"
    assert (findings[0]["since"], findings[0]["until"]) == (12, 19)
    assert findings[0]["request_id"] == "r12"
    assert findings[0]["cost"] >= findings[-1]["cost"]


def test_a_run_in_which_nothing_looks_wrong_says_so(cli: Cli, write: Write) -> None:
    workload = write({"request_id": "r1", "prompt": "p", "max_tokens": 2})
    assert cli("run", workload, "--record", "r.rec").status == 0
    ran = cli("lint", "r.rec")
    assert (ran.status, ran.out) == (0, "no findings\n")
    assert cli("lint", "r.rec", "--json").document == {"findings": []}


def test_stops_that_can_never_match_are_found(cli: Cli, write: Write) -> None:
    workload = write({"request_id": "r1", "prompt": "p", "max_tokens": 2, "stop": ["EN", "END"]})
    assert cli("run", workload, "--record", "r.rec").status == 0
    out = cli("lint", "r.rec").out
    assert 'stop "END" never matches: "EN" in it ends first (r1)' in out


def test_stops_are_not_judged_where_texts_were_not_kept(cli: Cli, write: Write) -> None:
    workload = write({"request_id": "r1", "prompt": "p", "max_tokens": 2, "stop": ["EN", "END"]})
    assert cli("run", workload, "--record", "r.rec", "--record-text", "hash").status == 0
    ran = cli("lint", "r.rec")
    assert ran.out == "no findings\n"
    assert "stops cannot be judged" in ran.err


def test_very_many_findings_are_cut_for_a_person(cli: Cli, write: Write) -> None:
    many = [
        {"request_id": f"r{n}", "prompt": "p", "max_tokens": 1, "stop": [f"{n}", f"{n}{n}"]}
        for n in range(60)
    ]
    assert cli("run", write(*many), "--record", "r.rec").status == 0
    lines = cli("lint", "r.rec").out.splitlines()
    assert len(lines) == 51
    assert lines[-1].endswith("more; --json has all")
    assert len(cli("lint", "r.rec", "--json").document["findings"]) >= 60


def test_a_search_is_asked_for_what_it_leaves_in_doubt(cli: Cli, write: Write) -> None:
    probe = {"links": [[0, 1]], "broken": [6]}
    name = write({"nodes": 8, "probe": probe, "strategy": "fewest-rounds"}, name="c.json")
    assert cli("nodes", name, "--record", "r.rec").status == 5
    ran = cli("lint", "r.rec")
    assert (ran.status, ran.err) == (0, "")
    contradiction, given_up = ran.out.splitlines()
    assert contradiction.startswith("contradiction  step ")
    assert "contradiction: gpu-[000-001] failed together" in contradiction
    assert "given up: gpu-006: could not be tested" in given_up
    findings = cli("lint", "r.rec", "--json").document["findings"]
    assert [(each["kind"], each["nodes"]) for each in findings] == [
        ("contradiction", ["gpu-000", "gpu-001"]),
        ("given-up", ["gpu-006"]),
    ]


def test_what_a_search_cannot_tell_is_a_finding_at_its_end(cli: Cli, write: Write) -> None:
    name = write({"nodes": 5, "plan": [[[0, 1, 2], [3, 4]]], "bad": [1]}, name="c.json")
    assert cli("nodes", name, "--record", "r.rec").status == 5
    (line,) = cli("lint", "r.rec").out.splitlines()
    assert line.startswith("cannot-tell  step ")
    assert line.endswith("cannot tell: gpu-000, gpu-001 or gpu-002")
    flags = ("--nodes", "4", "--bad", "0-3", "--record", "b.rec", "--break", "fail")
    assert cli("nodes", *flags).status == 3
    assert cli("lint", "b.rec").out == "no findings\n"


def test_where_every_pair_failed_that_is_the_finding(cli: Cli, write: Write) -> None:
    write(name="unused")
    assert cli("nodes", "--nodes", "3", "--bad", "0-1", "--record", "r.rec").status == 5
    (line,) = cli("lint", "r.rec").out.splitlines()
    assert "at most one of these 3 is good" in line


def test_a_search_without_doubts_has_no_findings(cli: Cli, write: Write) -> None:
    write(name="unused")
    assert cli("nodes", "--nodes", "8", "--bad", "3", "--record", "r.rec").status == 4
    assert cli("lint", "r.rec").out == "no findings\n"
