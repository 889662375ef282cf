"""``why``: a request of a recording explained, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.tui.cli.ran import Cli, Write


@pytest.fixture
def recorded(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    assert cli("run", "demo", "--record", "demo.rec").status == 0
    return "demo.rec"


def test_the_head_is_explained_as_of_a_step(cli: Cli, recorded: str) -> None:
    ran = cli("why", recorded, "r12", "--step", "12")
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "r12 waits, as of step 12 of 44"
    assert "  rule       kv needs 14 blocks, 8 free (12 now)" in lines
    assert lines[lines.index("later") + 2] == "  step 20  admitted to slot 4 gen 2 after 300ms"


def test_the_last_moment_is_what_is_explained_unless_said(cli: Cli, recorded: str) -> None:
    ran = cli("why", recorded, "r12")
    assert ran.out.startswith("r12 ended: stop EOS, as of step 44\n")
    assert "later" not in ran.out.splitlines()


def test_json_has_the_same_words(cli: Cli, recorded: str) -> None:
    document = cli("why", recorded, "r12", "--step", "12", "--json").document
    assert {key: document[key] for key in ("request_id", "state", "title", "step")} == {
        "request_id": "r12",
        "state": "waits",
        "title": "r12 waits",
        "step": 12,
    }
    assert {"label": "ahead", "words": "nobody"} in document["reasons"]
    assert document["later"][-1] == {"label": "step 35", "words": "ended: stop EOS (44 tokens)"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["r112"], "no request r112 in demo.rec: near it are r12"),
        (["zebra"], "no request zebra in demo.rec: it has r1, r2, r3, r4, r5 and 15 more"),
        (["r1", "--step", "45"], "there is no step 45 in demo.rec: its last is 44"),
        (["r1", "--step", "-1"], "-1 is not a whole number from 0 up"),
    ],
)
def test_what_is_not_there_is_one_line(
    cli: Cli, recorded: str, arguments: list[str], message: str
) -> None:
    ran = cli("why", recorded, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert ran.err.count("\n") == 1


def test_a_file_that_is_no_recording_is_one_line(cli: Cli, write: Write) -> None:
    ran = cli("why", write({"request_id": "r1", "prompt": "p"}), "r1")
    assert ran.status == 2
    assert ran.err.count("\n") == 1


def test_a_hostile_name_never_reaches_the_terminal(cli: Cli, write: Write) -> None:
    name = "\x1b[2J\u202er"
    workload = write({"request_id": name, "prompt": "p", "max_tokens": 2, "stop": ["\x1b]0;x"]})
    assert cli("run", workload, "--record", "h.rec").status == 0
    for asked in (name, name + "x"):
        ran = cli("why", "h.rec", asked, "--step", "0")
        assert ran.out or ran.err
        assert not {"\x1b", "\u202e"} & set(ran.out + ran.err)


def test_a_recording_without_texts_is_explained_all_the_same(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli("run", "demo", "--record", "n.rec", "--record-text", "none").status == 0
    ran = cli("why", "n.rec", "r12", "--step", "12")
    assert ran.out.startswith("r12 waits, as of step 12")
    assert cli("why", "n.rec", "r6", "--step", "12").status == 0


def test_a_recording_that_was_cut_off_says_so(cli: Cli, recorded: str) -> None:
    whole = Path(recorded).read_bytes()
    Path("cut.rec").write_bytes(whole[: len(whole) * 3 // 4])
    ran = cli("why", "cut.rec", "r1")
    assert ran.status == 0
    assert "cut.rec: cut off after" in ran.err


def test_of_a_search_it_says_which_tests_prove_a_node(cli: Cli, tmp_path: Path) -> None:
    path = str(tmp_path / "n.rec")
    assert cli("nodes", "gpus", "--record", path).status == 4
    lines = cli("why", path, "gpu-017").out.splitlines()
    assert lines[0] == "gpu-017 is bad, as of step 14"
    assert "  proof  T10 failed (timeout): gpu-017 + gpu-000" in lines
    lines = cli("why", path, "17", "--step", "2").out.splitlines()
    assert lines[0] == "gpu-017 may be bad, as of step 2 of 14"
    assert "later" in lines
    ran = cli("why", path, "gpu-17")
    assert ran.status == 2
    assert "no node gpu-17 in" in ran.err
