"""``batchtui nodes``: what is found, how it is said, and with which status."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from tests.tui.cli.ran import Cli, Write

from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.strategies.named import STRATEGIES
from batchtui.plugins.searches import SearchOptions, prepare_search
from batchtui.tui.cli import searched

CASES = Path(__file__).parents[2] / "cases" / "nodes"
ROUNDS = ("--strategy", "fewest-rounds")


def head(text: str) -> list[str]:
    """What is said before the figures."""
    return text.partition("\n\n")[0].splitlines()


def figures(text: str) -> dict[str, str]:
    """The figures by their names, each without what stands beside it."""
    rows = text.partition("\n\n")[2].splitlines()
    return {row.split("  ")[0]: row.split("  ", 1)[1].strip().split("  ")[0] for row in rows}


def test_the_first_line_is_what_an_operator_pastes(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "256", "--bad", "17,44", *ROUNDS)
    assert (ran.status, ran.err) == (4, "")
    assert head(ran.out) == ["BAD gpu-[017,044]"]
    assert figures(ran.out) == {
        "good": "254",
        "bad": "2",
        "undetermined": "0",
        "tests": "132",
        "rounds": "2",
        "node-seconds": "11,200",
        "makespan": "240 s",
        "strategy": "fewest-rounds",
        "probe": "simulated",
    }
    assert "SIM: no host was touched" in ran.out


def test_all_good_is_said_and_leaves_with_0(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "256")
    assert (ran.status, head(ran.out)) == (0, ["ALL GOOD 256 nodes"])
    assert figures(ran.out)["strategy"] == "fewest-tests"


def test_where_every_pair_failed_nobody_is_named(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "5", "--bad", "0-3", *ROUNDS)
    assert ran.status == 5
    assert head(ran.out) == [
        "NONE FOUND BAD, 5 of 5 nodes undetermined",
        "at most one of these 5 is good: every pair failed: gpu-[000-004]",
    ]
    assert "bound 10: every pair of 5" in ran.out


def test_all_bad_and_one_good_are_the_same_report(cli: Cli) -> None:
    one_good = cli("nodes", "--nodes", "5", "--bad", "0-3", *ROUNDS)
    assert cli("nodes", "--nodes", "5", "--bad", "0-4", *ROUNDS) == one_good


def test_a_time_budget_that_ran_out_says_what_is_left(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "5", "--bad", "0-4", *ROUNDS, "--time-budget", "7m")
    first, left, *clauses = head(ran.out)
    assert first == "NONE FOUND BAD, 5 of 5 nodes undetermined"
    assert left == "stopped by the time budget, 4 of 10 pairs left to try"
    assert len(clauses) == 6
    assert clauses[0] == "cannot tell: gpu-000 or gpu-001"


def test_clauses_are_spelled_out_and_shown_as_hostlists_where_they_are_long(
    cli: Cli, write: Write
) -> None:
    ledger = [{"nodes": list(range(5)), "verdict": "fail"}, {"nodes": [5, 6], "verdict": "fail"}]
    name = write({"nodes": 9, "ledger": ledger}, name="c.json")
    assert head(cli("nodes", name).out) == [
        "NONE FOUND BAD, 9 of 9 nodes undetermined",
        "cannot tell: at least one of gpu-[000-004] is bad",
        "cannot tell: gpu-005 or gpu-006",
        "nothing is known of gpu-[007-008]",
    ]


def test_a_contradiction_accuses_nobody_and_says_what_it_may_be(cli: Cli) -> None:
    ran = cli("nodes", str(CASES / "ledger_contradiction.json"))
    assert ran.status == 5
    assert head(ran.out) == [
        "NONE FOUND BAD, 1 contradiction",
        "contradiction: gpu-[000-003] failed together, and each passed elsewhere: a flaky node, "
        "a link between two of them, or a fault of scale; nobody is accused",
    ]


def test_many_contradictions_are_counted_after_the_first(cli: Cli, write: Write) -> None:
    ledger = [{"nodes": list(range(30)), "verdict": "pass"}]
    ledger += [{"nodes": [at, at + 1], "verdict": "fail"} for at in range(25)]
    said = head(cli("nodes", write({"nodes": 30, "ledger": ledger}, name="c.json")).out)
    assert len(said) == 22
    assert said[-1] == "and 5 more: see --json"


def test_a_node_that_cannot_be_tested_is_given_up(cli: Cli, write: Write) -> None:
    name = write({"nodes": 8, "probe": {"broken": [3]}, "strategy": "fewest-rounds"}, name="c.json")
    ran = cli("nodes", name)
    assert ran.status == 5
    assert head(ran.out) == [
        "NONE FOUND BAD, 1 of 8 nodes undetermined",
        "given up: gpu-003: could not be tested, even with known good nodes alone",
    ]


def test_a_plan_that_is_over_says_what_is_left(cli: Cli, write: Write) -> None:
    rounds = [[[0, 1], [2, 3]], [[1, 2]]]
    ran = cli("nodes", write({"nodes": 5, "bad": [3], "plan": rounds}, name="c.json"))
    assert head(ran.out) == [
        "BAD gpu-003",
        "the plan is over, 1 node left to find out about",
        "nothing is known of gpu-004",
    ]


def test_of_one_node_alone_nothing_can_be_known(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "1")
    assert ran.status == 5
    assert head(ran.out) == [
        "NONE FOUND BAD, 1 of 1 nodes undetermined",
        "a test needs 2 nodes or more: of one alone nothing can be known",
    ]


def test_where_one_node_is_left_nothing_can_be_known(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "8", "--exclude", "0-6")
    assert ran.status == 5
    assert head(ran.out)[:2] == [
        "NONE FOUND BAD, 1 of 1 nodes undetermined",
        "a test needs 2 nodes or more: of one alone nothing can be known",
    ]


def test_where_nothing_can_be_tested_that_is_said(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "4", "--probe", "simulated:startup_failures=1", *ROUNDS)
    assert head(ran.out)[1] == "stopped: no test could be made, 4 nodes left to find out about"


def test_help_names_every_strategy(cli: Cli) -> None:
    said = " ".join(cli("nodes", "--help").out.split())
    assert all(name in said for name in STRATEGIES)


def test_excluded_nodes_are_named_and_not_counted(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "8", "--bad", "3", "--exclude", "gpu-[003-004]")
    assert ran.status == 0
    assert head(ran.out) == ["ALL GOOD 6 nodes", "excluded: gpu-[003-004]"]


def test_json_has_all_of_it_with_numbers_for_numbered_nodes(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "4", "--bad", "2", *ROUNDS, "--json")
    assert (ran.status, ran.err) == (4, "")
    assert ran.document == {
        "good": [0, 1, 3],
        "bad": [2],
        "undetermined": [],
        "clauses": [],
        "contradictions": [],
        "at_most_one_good": False,
        "pairs_left": None,
        "pairs_tried": None,
        "abandoned": [],
        "excluded": [],
        "tests": 4,
        "rounds": 2,
        "node_seconds": 640.0,
        "makespan_s": 240.0,
        "bound_tests": 2,
        "bound_rounds": 2,
        "ended": "identified",
        "strategy": "fewest-rounds",
        "probe": "simulated",
        "real": False,
        "proofs": [
            {"node": 2, "verdict": "bad", "test": 2, "cleared": [{"node": 3, "test": 4}]},
            {"node": 0, "verdict": "good", "test": 1},
            {"node": 1, "verdict": "good", "test": 1},
            {"node": 3, "verdict": "good", "test": 4},
        ],
        "proof_tests": [
            {"test": 2, "nodes": [2, 3]},
            {"test": 4, "nodes": [1, 3]},
            {"test": 1, "nodes": [0, 1]},
        ],
    }


def test_proofs_cite_sets_once_however_many_they_clear(cli: Cli) -> None:
    proofs = cli("nodes", "--nodes", "512", "--bad", "2", "--json").document
    assert len(proofs["proofs"]) == 512
    assert sum(len(each["nodes"]) for each in proofs["proof_tests"]) < 3 * 512


def test_an_inventory_is_told_by_its_names(cli: Cli, write: Write) -> None:
    name = write(name="hosts", data=b"# ours\nnode-[01-08]\nlogin\n")
    ran = cli("nodes", "--inventory", name, "--bad", "node-[02,05]", *ROUNDS)
    assert head(ran.out) == ["BAD node-[02,05]"]
    document = cli("nodes", "--inventory", name, "--bad", "1,4", *ROUNDS, "--json").document
    assert document["bad"] == ["node-02", "node-05"]
    assert document["proofs"][0]["node"] == "node-02"


def test_a_ledger_is_only_thought_about(cli: Cli) -> None:
    ran = cli("nodes", str(CASES / "ledger_condemns.json"), "--json")
    assert ran.status == 4
    found = ran.document
    assert (found["bad"], found["tests"], found["rounds"]) == ([1], 2, None)
    assert (found["makespan_s"], found["strategy"], found["probe"]) == (None, None, None)


def test_a_search_is_the_same_every_time(cli: Cli) -> None:
    noisy = ("nodes", "--nodes", "64", "--bad", "3-9", "--false-alarms", "3%", "--misses", "0.05")
    first = cli(*noisy, "--seed", "3", "--json")
    assert cli(*noisy, "--seed", "3", "--json") == first
    assert cli(*noisy, "--seed", "4", "--json") != first


def test_times_and_lanes_are_taken_into_account(cli: Cli) -> None:
    flags = ("--pass-time", "10s", "--fail-time", "30s", "--timeout", "1m", "--max-parallel", "2")
    found = cli("nodes", "--nodes", "8", "--bad", "0", *ROUNDS, *flags, "--json").document
    # Four pairs two at a time, of which one fails; then its two members.
    assert (found["tests"], found["makespan_s"]) == (6, 60.0)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ("", "nothing to test: want one of a CASE, --nodes N and --inventory FILE"),
        ("c.json --nodes 3", "too much to test: want one of"),
        ("nope.json", 'no nodes case "nope.json": want the path of a file'),
        ("--inventory nope", 'no inventory "nope": want the path of a file'),
        ("--nodes 0", "Invalid value for '--nodes': 0 is not a whole number from 1 up"),
        ("--nodes 100001", "100001 nodes: want 1 to 100,000"),
        ("--nodes 4 --bad 4", "--bad: there is no node 4: want 0 to 3"),
        ("--nodes 4 --bad @all", '--bad: "@all" is no host'),
        ("--nodes 4 --exclude gpu-9", '--exclude: there is no node "gpu-9"'),
        ("--nodes 4 --strategy best", "no strategy 'best'"),
        ("--nodes 4 --strategy plan", "strategy 'plan' without a plan"),
        ("--nodes 4 --probe nccl", "no probe is called 'nccl': installed: simulated"),
        ("--nodes 4 --probe simulated:x=1", "the simulated probe has no option x"),
        ("--nodes 4 --probe simulated:misses=9", "the simulated probe was given seed=0,misses=9"),
        ("--nodes 4 --seed x", "Invalid value for '--seed': x is not a whole number"),
        ("--nodes 4 --timeout 0s", "Invalid value for '--timeout': 0s is no time"),
        ("--nodes 4 --pass-time soon", "Invalid value for '--pass-time': soon is no time"),
        ("--nodes 4 --fail-time -1", "Invalid value for '--fail-time': -1 is no time"),
        ("--nodes 4 --time-budget 1s", "the time budget of 1 s is shorter than one test may take"),
        ("--nodes 4 --max-parallel 0", "Invalid value for '--max-parallel': 0 is not"),
        ("--nodes 4 --misses 101%", "Invalid value for '--misses': 101% is no share"),
        ("--nodes 4 --false-alarms x", "Invalid value for '--false-alarms': x is no share"),
        ("--nodes 4 --break frob", "breakpoint: 'frob' at place 1: known are"),
        (
            "--nodes 256 --break fail,gpu-999",
            "breakpoint: 'gpu-999' at place 6: no such node: near",
        ),
        ("--nodes 4 --break node,x", "breakpoint: 'x' at place 6: no such node: there are 4"),
        (
            "--nodes 8 --exclude 0-7",
            "nothing is left to be tested: every one of 8 nodes is excluded",
        ),
        ("--nodes 8 --exclude 0-7 --plan", "nothing is left to be tested: every one of 8 nodes"),
        ("--nodes 8 --timeout 30s", "a test that passes takes 40 s, and one of 30 s has failed"),
        ("--nodes 8 --pass-time 200s", "a test that passes takes 200 s, and one of 120 s has"),
        ("--nodes 8 --fail-time 3m", "a test that fails takes 180 s, and its timeout is 120 s"),
        ("c.json --exclude 0", "c.json is a ledger, and nothing is tested: drop the other options"),
        ("--nodes 4 --plan --record r", "--record and --break want a search: nothing is launched"),
        ("c.json --seed 3", "c.json is a ledger, and nothing is tested: drop the other options"),
        ("c.json --break condemn", "--record and --break want a search: c.json is a ledger"),
        ("c.json --plan", "c.json says what is tested: --plan compares ways to choose that"),
        ("p.json --strategy anchor", "p.json has a plan, which leaves no room for a strategy"),
    ],
)
def test_wrong_input_is_one_line_and_leaves_with_2(
    cli: Cli, write: Write, arguments: str, words: str
) -> None:
    write({"nodes": 3, "ledger": []}, name="c.json")
    write({"nodes": 3, "plan": [[[0, 1]]]}, name="p.json")
    ran = cli("nodes", *(word.replace(",", " ") for word in arguments.split()))
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"batchtui: {words}")
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ({"plan": [[[4]]]}, "set_too_small"),
        ({"plan": [[[0, 1], [1, 2]]]}, "overlapping_tests"),
        ({"plan": [[[0, 9]]]}, "unknown_node"),
        ({"bad": [9]}, "unknown_node"),
    ],
)
def test_a_broken_rule_is_a_document_with_its_code(
    cli: Cli, write: Write, said: dict[str, Any], code: str
) -> None:
    ran = cli("nodes", write({"nodes": 5, **said}, name="c.json"), "--json")
    assert ran.status == 2
    assert list(ran.document) == ["error"]
    assert ran.document["error"]["code"] == code
    assert ran.document["error"]["message"] in ran.err


def test_plan_forecasts_every_strategy_and_launches_nothing(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "16", "--bad", "3", "--plan")
    assert ran.status == 0
    assert "nothing has been launched" in ran.out
    for name in ("fewest-tests", "fewest-rounds", "anchor"):
        assert f"\n{name}  " in ran.out
    forecasts = cli("nodes", "--nodes", "16", "--plan", "--json").document["forecasts"]
    assert all(each["tests"]["p10"] <= each["tests"]["p90"] for each in forecasts)
    assert {each["strategy"] for each in forecasts} >= {"fewest-tests", "fewest-rounds", "anchor"}


def test_plan_says_what_it_assumes(cli: Cli) -> None:
    flags = ("--time-budget", "10m", "--false-alarms", "1%", "--misses", "1%", "--confirm")
    ran = cli("nodes", "--nodes", "8", *flags, "--plan")
    assumed = "as if no test erred, without a time budget, and nothing is confirmed"
    assert f"\n{assumed}; nothing has been launched\n" in ran.out
    assert "expected: mean (10 % to 90 % of the draws)" in ran.out
    assert cli("nodes", "--nodes", "8", "--plan", "--json").document["assumed"] == assumed


def test_plan_of_few_draws_says_the_least_and_the_most(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "1024", *ROUNDS, "--plan")
    assert "expected: mean (least to most of the draws)" in ran.out


def test_plan_forecasts_the_strategy_that_is_asked_for(cli: Cli) -> None:
    document = cli("nodes", "--nodes", "16", *ROUNDS, "--plan", "--json").document
    assert [each["strategy"] for each in document["forecasts"]] == ["fewest-rounds"]
    assert (document["nodes"], document["max_parallel"]) == (16, 8)


def test_a_search_stops_where_a_condition_hits_and_says_what_is_known(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("nodes", "--nodes", "8", "--bad", "2,5", *ROUNDS, "--break", "fail")
    assert ran.status == 3
    assert ran.err.startswith('batchtui: breakpoint "fail" at step ')
    assert ran.err.endswith(": with --record FILE it can be opened there\n")
    assert head(ran.out)[:2] == [
        "NONE FOUND BAD, 4 of 8 nodes undetermined",
        "stopped before the end, 4 nodes left to find out about",
    ]
    recorded = cli("nodes", "--nodes", "8", "--bad", "2", "--record", "r.rec", "--break", "fail")
    assert recorded.err.rstrip().split(": ")[-1].startswith("batchtui open r.rec --step ")


def test_a_search_that_is_broken_off_counts_the_tests_that_have_ended(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = ("--nodes", "64", "--bad", "17,51", "--max-parallel", "4")
    ran = cli("nodes", *flags, "--break", "tests >= 7", "--record", "r.rec", "--json")
    assert ran.status == 3
    totals = cli("replay", "r.rec", "--json").document["totals"]
    assert (ran.document["tests"], totals["planned"] > totals["done"]) == (totals["done"], True)


def interrupted_by(monkeypatch: pytest.MonkeyPatch, turns: int) -> None:
    """Press ctrl+c after so many turns."""
    left = [turns]

    @contextmanager
    def counted(*_: object, **__: object) -> Iterator[Callable[[int], None]]:
        def tick(done: int) -> None:
            left[0] -= 1
            if not left[0]:
                os.kill(os.getpid(), signal.SIGINT)

        yield tick

    monkeypatch.setattr(searched, "progress", counted)


def test_ctrl_c_says_what_was_found_so_far(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = ("nodes", "--nodes", "64", "--bad", "17,51", "--max-parallel", "4")
    turns = len(list(prepare_search(numbered(64), SearchOptions(max_parallel=4)).simulation))
    interrupted_by(monkeypatch, turns)
    ran = cli(*flags, "--record", "r.rec")
    assert (ran.status, ran.err.startswith("batchtui: interrupted at step ")) == (130, True)
    assert ran.err.endswith(": batchtui open r.rec\n")
    first, why = head(ran.out)[:2]
    assert first.startswith("INTERRUPTED, so far ")
    assert why.startswith("interrupted, ")
    assert cli("replay", "r.rec", "--verify").status == 0
    interrupted_by(monkeypatch, turns)
    again = cli(*flags, "--json")
    assert (again.status, again.document["ended"]) == (130, "interrupted")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_ctrl_c_at_once_has_found_nothing(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted_by(monkeypatch, 1)
    ran = cli("nodes", "--nodes", "64", "--bad", "17")
    assert ran.status == 130
    assert head(ran.out)[:2] == [
        "INTERRUPTED, so far NONE FOUND BAD, 64 of 64 nodes undetermined",
        "interrupted, 64 nodes left to find out about",
    ]


def test_where_nothing_hits_that_is_said_and_the_findings_decide(cli: Cli) -> None:
    ran = cli("nodes", "--nodes", "8", "--bad", "2", "--break", "contradiction")
    assert (ran.status, ran.err) == (4, "batchtui: no breakpoint was hit\n")


def test_a_recorded_search_replays_and_says_how_to_have_it_again(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    flags = ("--nodes", "16", "--bad", "3,9", "--misses", "5%", "--timeout", "1m", *ROUNDS)
    first = cli("nodes", *flags, "--record", "r.rec")
    header = json.loads((tmp_path / "r.rec").read_bytes().partition(b"\n")[0])
    assert (header["system"], header["real"]) == ("nodes", False)
    assert header["world"]["simulated"]["bad"] == [3, 9]
    assert cli("replay", "r.rec", "--verify").status == 0
    assert cli(*header["command"].split()[1:]) == first


def test_a_recording_that_is_there_already_is_not_written_over(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "r.rec").write_text("mine")
    ran = cli("nodes", "--nodes", "8", "--record", "r.rec")
    assert (ran.status, ran.out) == (2, "")
    assert (tmp_path / "r.rec").read_text() == "mine"
