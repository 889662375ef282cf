"""``run --record`` and ``replay``: what is written, what survives, what is said."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.tui.cli.ran import Backend, Cli, Write

from batchtui.plugins.recordings.recording import open_recording

LONG = [
    {"request_id": f"r{n}", "prompt": f"tale {n}", "max_tokens": 200, "ignore_eos": True}
    for n in range(2_000)
]
CHAT = {
    "request_id": "chat",
    "messages": [{"role": "user", "content": "zebra messages"}],
    "max_tokens": 4,
    "stop": ["quokka stop"],
    "expected": "okapi expected",
}

posix = pytest.mark.skipif(os.name != "posix", reason="sends signals")


@pytest.fixture
def recorded(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    assert cli("run", "demo", "--record", "demo.rec").status == 0
    return "demo.rec"


def test_recording_changes_nothing_of_what_is_printed(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for arguments in (("demo",), ("demo", "--json"), ("burst", "--slots", "3")):
        plain = cli("run", *arguments)
        assert cli("run", *arguments, "--record", f"{len(arguments)}{arguments[0]}.rec") == plain


def test_a_recording_is_summed_up(cli: Cli, recorded: str) -> None:
    run = cli("run", "demo", "--json").document
    ran = cli("replay", recorded)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "workload   demo.json on scripted (SIM), policy fcfs"
    assert lines[1] == "asked by   batchtui run demo"
    assert f"requests   {len(run['requests'])} (1 abort, 2 length, 17 stop)" == lines[2]
    assert f"steps      {run['run']['steps']} in " in lines[4]
    document = cli("replay", recorded, "--json").document
    assert document["steps"] == run["run"]["steps"]
    assert document["totals"]["reasons"] == {"stop": 17, "length": 2, "abort": 1}


def test_it_matches_when_it_is_run_again(cli: Cli, recorded: str) -> None:
    ran = cli("replay", recorded, "--verify")
    assert (ran.status, ran.err) == (0, "")
    assert re.fullmatch(r"replay matches: \d+ turns, \d+ events, 20 requests\n", ran.out)
    document = cli("replay", recorded, "--verify", "--json").document
    assert document["matches"] is True
    assert document["requests"] == 20


def test_the_first_difference_is_told_and_is_harmless(cli: Cli, recorded: str) -> None:
    lines = Path(recorded).read_text().splitlines()
    at = next(n for n, line in enumerate(lines) if '"type":"TextDelivered"' in line)
    event = json.loads(lines[at])
    event["texts"][0] = "\x1b[2J\u202e" + "x" * 500
    lines[at] = json.dumps(event)
    Path(recorded).write_text("\n".join(lines) + "\n")
    ran = cli("replay", recorded, "--verify")
    assert (ran.status, ran.err) == (6, "")
    place, was, came = ran.out.splitlines()
    assert re.fullmatch(r"replay differs at turn \d+: step \d+, deliver", place)
    assert was.startswith('  recorded  TextDelivered texts=["\\u001b[2J\\u202exxx')
    assert came.startswith("  came      TextDelivered texts=[")
    assert len(was) < 260
    ran = cli("replay", recorded, "--verify", "--json")
    assert ran.status == 6
    assert ran.document["difference"]["fields"] == ["texts"]
    assert ran.document["difference"]["recorded"]["type"] == "TextDelivered"


def test_one_that_was_cut_off_is_looked_at_and_said_to_be(cli: Cli, recorded: str) -> None:
    data = Path(recorded).read_bytes()
    Path(recorded).write_bytes(data[: len(data) // 2])
    for arguments in ((), ("--verify",)):
        ran = cli("replay", recorded, *arguments)
        assert ran.status == 0
        assert re.fullmatch(
            r"batchtui: demo.rec: cut off after entry \d+ \(step \d+\): the rest is missing\n",
            ran.err,
        )


def test_what_is_no_recording_is_one_line(cli: Cli, write: Write) -> None:
    ran = cli("replay", write({"request_id": "a", "prompt": "p"}), "--json")
    assert ran.status == 2
    assert "w.jsonl line 1 is not the header of a recording" in ran.err
    assert ran.err.count("\n") == 1
    assert ran.document["error"]["code"] == "invalid_input"


def test_nothing_is_overwritten(cli: Cli, recorded: str) -> None:
    before = Path(recorded).read_bytes()
    ran = cli("run", "demo", "--record", recorded)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "batchtui: demo.rec exists: choose another name, nothing is overwritten\n"
    assert Path(recorded).read_bytes() == before


def test_record_text_wants_a_word_and_a_file(cli: Cli) -> None:
    ran = cli("run", "demo", "--record-text", "none")
    assert (ran.status, ran.out) == (2, "")
    assert "without --record" in ran.err
    ran = cli("run", "demo", "--record", "x.rec", "--record-text", "some")
    assert ran.status == 2
    assert "want none, hash or full" in ran.err


def texts_in(value: Any) -> Iterator[str]:  # Any: JSON
    """Every text in it; names of fields are the format's own."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts_in(inner)


@pytest.mark.parametrize("texts", ["none", "hash"])
@pytest.mark.parametrize("name", ["demo", "w.jsonl"])
def test_no_word_of_prompts_and_answers_is_left(
    cli: Cli, write: Write, texts: str, name: str
) -> None:
    write(CHAT, {"request_id": "b", "prompt": "gnu prompt", "max_tokens": 9})
    rows = cli("run", name, "--json").document["requests"]
    ran = cli("run", name, "--record", "r.rec", "--record-text", texts, "--json")
    assert ran.status == 0
    said = [
        text
        for line in Path("r.rec").read_text().splitlines()
        for text in texts_in(json.loads(line))
    ]
    answered = {word for row in rows for word in row["text"].split() if len(word) > 4}
    for word in answered | {"zebra", "quokka", "okapi", "gnu", "lighthouse"}:
        assert not [text for text in said if word in text and text != "abort"], word
    assert b'"tokens":[[' not in Path("r.rec").read_bytes()
    summed = cli("replay", "r.rec")
    assert summed.status == 0
    assert f"{texts}: it can be looked at, not run again" in summed.out
    ran = cli("replay", "r.rec", "--verify")
    assert (ran.status, ran.out) == (7, "")
    assert ran.err == (
        "batchtui: this recording keeps no texts: it can be looked at, not run again\n"
    )


def test_a_view_without_texts_has_the_same_figures(cli: Cli, recorded: str) -> None:
    assert cli("run", "demo", "--record", "none.rec", "--record-text", "none").status == 0
    full, none = (cli("replay", name, "--json").document for name in (recorded, "none.rec"))
    assert full["totals"] == none["totals"]
    assert full["steps"] == none["steps"]
    assert full["turns"] == none["turns"]


FULL = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (40_000, 40_000))
from batchtui.tui.cli import status_of
sys.exit(status_of(sys.argv[1:]))
"""


@posix
@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_a_full_disk_costs_the_recording_and_not_the_run(
    cli: Cli, tmp_path: Path, extra: list[str]
) -> None:
    plain = cli("run", "demo", *extra)
    ran = subprocess.run(
        [sys.executable, "-c", FULL, "run", "demo", "--record", "r.rec", *extra],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 1
    assert ran.stderr == "batchtui: r.rec cannot be written: file too large\n"
    if extra:
        document = json.loads(ran.stdout)
        assert document.pop("error")["code"] == "failed"
        assert document == plain.document
    else:
        assert ran.stdout == plain.out
    with closing(open_recording(tmp_path / "r.rec")) as opened:
        assert opened.torn
        assert opened.timeline.num_turns > 20


def begun(folder: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """Start a long run; returns when its recording has grown."""
    work = folder / "long.jsonl"
    work.write_text("".join(json.dumps(line) + "\n" for line in LONG))
    process = subprocess.Popen(
        [sys.executable, "-m", "batchtui", "run", str(work), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    until = time.monotonic() + 30
    while time.monotonic() < until:
        sizes = [each.stat().st_size for each in folder.glob("r.rec*")]
        if max(sizes, default=0) > 3_000_000:
            return process
        assert process.poll() is None
    raise AssertionError("nothing is recorded")


@posix
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_whatever_ends_the_process_the_recording_opens(
    cli: Cli, tmp_path: Path, number: signal.Signals
) -> None:
    process = begun(tmp_path, "--record", "r.rec")
    process.send_signal(number)
    process.communicate()
    assert process.returncode == (130 if number == signal.SIGINT else -number)
    with closing(open_recording(tmp_path / "r.rec")) as opened:
        assert opened.timeline.num_turns > 100
    assert cli("replay", str(tmp_path / "r.rec"), "--verify").status == 0


@posix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_packed_one_is_packed_when_it_is_told_to_end(
    cli: Cli, tmp_path: Path, number: signal.Signals
) -> None:
    process = begun(tmp_path, "--record", "r.rec.gz")
    process.send_signal(number)
    process.communicate()
    assert [each.name for each in tmp_path.glob("r.rec*")] == ["r.rec.gz"]
    assert cli("replay", str(tmp_path / "r.rec.gz"), "--verify").status == 0


def test_what_came_before_a_call_that_kills_is_there(
    cli: Cli, write: Write, backend: Backend, tmp_path: Path
) -> None:
    name = write({"request_id": "a", "prompt": "p", "max_tokens": 50})
    spec = backend(
        "import os, signal\n"
        "def next_tokens(prefixes):\n"
        "    if len(prefixes[0]) > 8:\n"
        "        os.kill(os.getpid(), signal.SIGKILL)\n"
        "    return [[65] for _ in prefixes]\n"
    )
    ran = subprocess.run(
        [sys.executable, "-m", "batchtui", "run", name, "--backend", spec, "--record", "r.rec"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert ran.returncode == -signal.SIGKILL
    with closing(open_recording(tmp_path / "r.rec")) as opened:
        assert opened.torn == ""
        last = opened.timeline.record(opened.timeline.num_turns)
        assert (last.phase, type(last.events[-1]).__name__) == ("call", "CallStarted")
        assert opened.timeline.step > 4
