"""Wrong input, whatever it is: one line that says what was seen and where, and a status."""

from __future__ import annotations

import gzip

import pytest
from tests.tui.cli.ran import Cli, Ran, Write

from batchtui.engine.errors import BatchtuiError, InputError, PluginError, WorkError
from batchtui.tui.cli import run as run_module
from batchtui.tui.cli.faults import fault_of

GOOD = b'{"request_id":"a","prompt":"SECRET","max_tokens":2}\n'
ESCAPED = "no\nsuch\x1b[31m"


def assert_one_line(ran: Ran) -> None:
    assert ran.err.startswith("batchtui: ")
    assert ran.err.endswith("\n")
    assert ran.err[:-1].isprintable()
    assert "SECRET" not in ran.err
    assert "Traceback" not in ran.err


USAGE = [
    (["rnu", "demo"], "No such command 'rnu'. Did you mean 'run'?"),
    (["zzz"], "No such command 'zzz': see `batchtui --help`"),
    (["run"], "Missing argument 'WORKLOAD': see `batchtui run --help`"),
    (
        ["run", "demo", "--slotz", "3"],
        "No such option: --slotz (Possible options: --json, --slots)",
    ),
    (["run", "demo", "--slots"], "Option '--slots' requires an argument: see"),
    (["run", "demo", "--slots", "0"], "'--slots': 0 is not a whole number from 1 up"),
    (["run", "demo", "--slots", "-1"], "'--slots': -1 is not a whole number from 1 up"),
    (["run", "demo", "--slots", "abc"], "'--slots': abc is not a whole number from 1 up"),
    (["run", "demo", "--slots", ESCAPED], r"no\nsuch\x1b[31m is not a whole number"),
    (["run", "demo", "--slots", "9" * 5000], "99… is not a whole number"),
    (["run", "demo", "--retries", "-1"], "-1 is not a whole number from 0 up"),
    (["run", "demo", "--seed", "1.5"], "1.5 is not a whole number"),
    (["run", "demo", "--json=yes"], "Option '--json' does not take a value"),
    (["run", "demo", "extra"], "unexpected extra argument(s) (extra)"),
    (["open", "demo", "--fps", "31"], "31 is not a whole number from 1 to 30"),
    (["open", "demo", "--step", "-1"], "-1 is not a whole number from 0 up"),
    (["bench"], "Missing argument 'NAME'"),
    (["bench", "trace", "--repeat", "0"], "0 is not a whole number from 1 up"),
    (["plugins", "extra"], "unexpected extra argument(s) (extra)"),
    ([ESCAPED], "No such command 'no\\nsuch\\x1b[31m'"),
]

INPUT = [
    (
        ["run", "nowhere.jsonl"],
        'no workload "nowhere.jsonl": want a path or one of burst, chat, demo',
    ),
    (["run", "dmo"], "did you mean demo?"),
    (["run", ""], 'no workload ""'),
    (["run", "-"], "standard input only once: save it to a file"),
    (["run", "."], "is a directory"),
    (["run", ESCAPED], r'no workload "no\nsuch\x1b[31m"'),
    (["run", "\udcff"], r'no workload "\udcff"'),
    (["run", "demo", "--slots", "9" * 20], f"max_num_seqs is {'9' * 20}: want 1048576 or less"),
    (["run", "demo", "--policy", "fair"], "no policy is called 'fair': installed: fcfs, priority"),
    (["run", "demo", "--policy", ""], "no policy is called ''"),
    (["run", "demo", "--backend", "simulatd"], "did you mean 'simulated'?"),
    (["run", "demo", "--backend", ""], "no model is called ''"),
    (["run", "demo", "--backend", "function"], "say function:module:name"),
    (["run", "demo", "--backend", "function:no_such_module:f"], "No module named 'no_such_module'"),
    (["run", "demo", "--backend", "function:os:nothing"], "module 'os' has no 'nothing'"),
    (["run", "burst", "--backend", "scripted"], "comes with a workload"),
    (["open", "nowhere"], 'no workload "nowhere"'),
    (["bench", "schedulr"], 'no benchmark "schedulr": did you mean scheduler?'),
    (["bench", ESCAPED], r'no benchmark "no\nsuch\x1b[31m"'),
    (["bench", "scheduler", "FILE"], "bench scheduler reads no file"),
    (["bench", "trace", "nowhere"], 'no workload "nowhere"'),
    (["bench", "trace", "."], "is a directory"),
]

FILES = [
    (b"", "is empty"),
    (b"\n \n", "is empty"),
    (b"\x00\xff\xfejunk", "is not text"),
    (GOOD[:30], "w.jsonl line 1: the JSON is cut short"),
    (GOOD + GOOD[:30], "w.jsonl line 2: the JSON is cut short"),
    (GOOD.replace(b"max_tokens", b"max_tokns"), 'line 1: unknown field "max_tokns"'),
    (GOOD.replace(b"max_tokens", b"m\\u001b[31m"), r'unknown field "m\x1b[31m"'),
    (GOOD.replace(b'"SECRET"', b"7"), "line 1: prompt is of type int: want str"),
    (GOOD.replace(b":2", b":0"), "line 1: max_tokens is 0: want 1 or more"),
    (GOOD.replace(b":2", b":1e99"), "line 1: max_tokens"),
    (gzip.compress(GOOD, mtime=0)[:30], "the gzip is cut short or damaged"),
    (gzip.compress(GOOD, mtime=0) + b"more", "the gzip is cut short or damaged"),
    (gzip.compress(gzip.compress(GOOD, mtime=0), mtime=0), "is not text"),
    (gzip.compress(b"", mtime=0), "is empty"),
]


@pytest.mark.parametrize(("arguments", "seen"), USAGE)
def test_wrong_usage_is_one_line_and_2(cli: Cli, arguments: list[str], seen: str) -> None:
    ran = cli(*arguments)
    assert_one_line(ran)
    assert (ran.status, ran.out) == (2, "")
    assert seen in ran.err


@pytest.mark.parametrize(("arguments", "seen"), INPUT)
def test_wrong_input_is_one_line_and_2(
    cli: Cli, write: Write, arguments: list[str], seen: str
) -> None:
    write()
    ran = cli(*arguments)
    assert_one_line(ran)
    assert (ran.status, ran.out) == (2, "")
    assert seen in ran.err


@pytest.mark.parametrize(("data", "seen"), FILES)
def test_a_bad_file_is_one_line_and_2(cli: Cli, write: Write, data: bytes, seen: str) -> None:
    ran = cli("run", write(data=data))
    assert_one_line(ran)
    assert (ran.status, ran.out) == (2, "")
    assert seen in ran.err


@pytest.mark.parametrize(
    "arguments",
    [arguments for arguments, _ in USAGE + INPUT if arguments[0] in ("run", "bench")],
)
def test_with_json_the_same_message_is_a_document(
    cli: Cli, write: Write, arguments: list[str]
) -> None:
    write()
    ran = cli(arguments[0], "--json", *arguments[1:])
    assert ran.status == 2
    assert list(ran.document) == ["error"]
    assert f"batchtui: {ran.document['error']['message']}\n" == ran.err
    assert ran.document["error"]["code"] in ("usage", "invalid_input", "plugin")


def test_a_file_whose_name_would_steer_a_terminal_is_named_harmlessly(
    cli: Cli, write: Write
) -> None:
    ran = cli("run", write(name=ESCAPED, data=b"{"))
    assert_one_line(ran)
    assert r"no\nsuch\x1b[31m" in ran.err


def test_json_said_twice_is_json(cli: Cli) -> None:
    assert list(cli("run", "demo", "--json", "--json").document) == ["requests", "run"]


@pytest.mark.parametrize(
    ("error", "status", "code", "seen"),
    [
        (InputError("seen"), 2, "invalid_input", "seen"),
        (PluginError("seen"), 2, "plugin", "seen"),
        (WorkError("seen"), 1, "failed", "seen"),
        (BatchtuiError("one\ntwo\x1b[31m"), 1, "error", "one two [31m"),
        (KeyboardInterrupt(), 130, "interrupted", "interrupted"),
        (MemoryError("SECRET"), 1, "failed", "out of memory"),
        (OSError(28, "No space left on device"), 1, "failed", "no space left on device"),
        (KeyError("SECRET"), 1, "bug", "unexpected KeyError at test_errors.py:"),
        (RecursionError("SECRET"), 1, "bug", "unexpected RecursionError at test_errors.py:"),
        (SystemExit("SECRET"), 1, "bug", "unexpected SystemExit at test_errors.py:"),
    ],
)
def test_whatever_is_raised_has_a_line_a_code_and_a_status(
    cli: Cli,
    monkeypatch: pytest.MonkeyPatch,
    error: BaseException,
    status: int,
    code: str,
    seen: str,
) -> None:
    def fail(name: str) -> None:
        raise error

    monkeypatch.setattr(run_module, "open_workload", fail)
    ran = cli("run", "demo", "--json")
    assert_one_line(ran)
    assert ran.status == status
    assert ran.document["error"]["code"] == code
    assert seen in ran.err


def test_an_exception_that_was_never_raised_has_no_place() -> None:
    assert fault_of(KeyError("SECRET")).message.startswith("unexpected KeyError: ")
