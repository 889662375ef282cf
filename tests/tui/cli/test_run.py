"""``batchtui run``: its document, its table, and what a backend may do to it."""

from __future__ import annotations

import pytest
from tests.tui.cli.ran import Backend, Cli, Write

from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.errors import InvariantError
from batchtui.plugins.models.function import FunctionModel

ROW = {
    *("request_id", "text", "token_ids", "deltas", "finish_reason", "stop_reason"),
    *("output_tokens", "prompt_tokens", "slot", "generation", "arrival_s", "first_token_s"),
    *("finish_s", "retries", "error"),
}
RUN = {
    *("steps", "max_resident", "stale_discarded", "model_retried", "refused", "preempted"),
    *("ttft_ms", "tpot_ms", "e2e_ms", "wait_ms", "tokens_per_s", "clock", "admission_order"),
}
TWO = (
    {"request_id": "a", "prompt": "one", "max_tokens": 3},
    {"request_id": "b", "prompt": "two", "max_tokens": 5},
)


def test_the_document_has_a_row_for_each_request_and_what_the_run_came_to(
    cli: Cli, write: Write
) -> None:
    ran = cli("run", write(*TWO), "--json")
    assert (ran.status, ran.err) == (0, "")
    assert list(ran.document) == ["requests", "run"]
    assert [set(row) for row in ran.document["requests"]] == [ROW, ROW]
    assert set(ran.document["run"]) == RUN
    assert [row["output_tokens"] for row in ran.document["requests"]] == [3, 5]
    assert all("".join(row["deltas"]) == row["text"] for row in ran.document["requests"])
    assert ran.document["run"]["admission_order"] == ["a", "b"]
    assert ran.document["run"]["clock"] == "virtual"


def test_the_table_counts_what_the_document_lists(cli: Cli) -> None:
    document = cli("run", "burst", "--slots", "8", "--json").document
    lines = cli("run", "burst", "--slots", "8").out.splitlines()
    assert [line.split()[0] for line in lines[:5]] == ["ms", "TTFT", "TPOT", "E2E", "wait"]
    assert lines[1].split()[1:] == [f"{each:,.1f}" for each in document["run"]["ttft_ms"].values()]
    tokens = sum(row["output_tokens"] for row in document["requests"])
    assert f"{len(document['requests'])} (" in lines[6]
    assert f" {tokens:,} out, " in lines[7]
    assert f" {document['run']['steps']:,} in " in lines[8]


def test_the_columns_of_the_table_end_together_however_wide_the_terminal_is(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    lines = cli("run", "burst").out.splitlines()[:5]
    assert len({len(line) for line in lines}) == 1
    assert "…" not in "".join(lines)


@pytest.mark.parametrize(
    ("option", "value", "least"),
    [
        ("--slots", "1", 1),
        ("--kv-blocks", "64", 1),
        ("--policy", "priority", 2),
        ("--seed", "7", 2),
    ],
)
def test_an_option_of_a_run_changes_the_run(cli: Cli, option: str, value: str, least: int) -> None:
    before = cli("run", "burst", "--json").document["run"]
    after = cli("run", "burst", option, value, "--json").document["run"]
    assert after != before
    assert after["max_resident"] >= least


def test_one_slot_takes_one_request_at_a_time(cli: Cli) -> None:
    assert cli("run", "demo", "--slots", "1", "--json").document["run"]["max_resident"] == 1


def test_check_looks_after_every_turn_and_tells_what_is_broken(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def check(self: Invariants) -> None:
        seen.append(self)
        if len(seen) > 6:
            raise InvariantError("slot 0 has two residents")

    monkeypatch.setattr(Invariants, "check", check)
    ran = cli("run", write(*TWO), "--json", "--check")
    assert ran.status == 1
    assert ran.err == "batchtui: slot 0 has two residents\n"
    assert ran.document["error"]["code"] == "invariant"
    assert cli("run", "w.jsonl").status == 0
    assert len(seen) == 7


def test_rows_come_in_the_order_of_the_input_though_they_end_in_another(
    cli: Cli, write: Write
) -> None:
    num = 3000
    requests = [
        {"request_id": f"r{i}", "prompt_tokens": 4, "max_tokens": 1 + i * 7 % 40}
        for i in range(num)
    ]
    ran = cli("run", write(*requests), "--json", "--slots", "64")
    rows = ran.document["requests"]
    assert [row["request_id"] for row in rows] == [f"r{i}" for i in range(num)]
    ends = [row["finish_s"] for row in rows]
    assert ends != sorted(ends)
    assert len(ran.document["run"]["admission_order"]) == num


def test_text_from_outside_is_data_in_the_document(cli: Cli, write: Write) -> None:
    name = "\x1b[31m[red]x[/red]\x07"
    ran = cli("run", write({"request_id": name, "prompt": "\x1b]0;t\x07"}), "--json")
    assert ran.document["requests"][0]["request_id"] == name
    assert "\x1b" not in ran.out and "\x07" not in ran.out


def test_a_workload_without_anything_to_measure_still_has_a_table(cli: Cli, write: Write) -> None:
    ran = cli("run", write({"request_id": "a", "prompt": "p" * 99}), "--max-model-len", "8")
    assert ran.status == 0
    assert ran.out.splitlines()[1].split() == ["TTFT", "n/a", "n/a", "n/a", "n/a"]
    assert "1 refused" in ran.out


@pytest.mark.parametrize(
    ("body", "seen"),
    [
        ("raise ValueError(f'SECRET {prefixes}')", "ValueError at backend_"),
        ("raise SystemExit(3)", "SystemExit at backend_"),
        ("return None", "next_tokens returned NoneType"),
        ("return []", "0 rows of tokens for 1 rows"),
        ("return 'junk'", "the tokens of a row are not a list"),
        ("return [['SECRET'] for _ in prefixes]", "a token id is of type str"),
        ("return [[-5] for _ in prefixes]", "a token id is not from 0 up to 63 bits"),
    ],
)
def test_a_backend_that_fails_ends_its_requests_in_error_and_tells_no_prompt(
    cli: Cli, write: Write, backend: Backend, body: str, seen: str
) -> None:
    spec = backend(f"def next_tokens(prefixes):\n    {body}\n")
    ran = cli("run", write(*TWO), "--json", "--backend", spec)
    assert ran.status == 0
    for row in ran.document["requests"]:
        assert row["finish_reason"] == "error"
        assert seen in row["error"]
        assert "SECRET" not in row["error"]


def test_the_table_says_what_ended_the_first_request_in_error(cli: Cli, write: Write) -> None:
    long = [
        {"request_id": name, "prompt_tokens": 700, "max_tokens": 1} for name in ("x\x1b[1m", "y")
    ]
    path = write({"request_id": "fits", "prompt": "abc", "max_tokens": 1}, *long)
    ran = cli("run", path, "--max-model-len", "600")
    assert ran.out.splitlines()[-1] == (
        "error      x [1m: the prompt has 700 tokens, and prompt and output may have 600 together: "
        "shorten the prompt, or raise max_model_len or the number of KV blocks"
    )
    assert "error      " not in cli("run", path).out


def test_a_backend_that_never_ends_is_ended_by_max_tokens(
    cli: Cli, write: Write, backend: Backend
) -> None:
    spec = backend("def next_tokens(prefixes):\n    return ([65] for _ in prefixes)\n")
    rows = cli("run", write(*TWO), "--json", "--backend", spec).document["requests"]
    assert [(row["text"], row["finish_reason"]) for row in rows] == [
        ("AAA", "length"),
        ("AAAAA", "length"),
    ]


def test_the_integers_of_other_libraries_are_token_ids(
    cli: Cli, write: Write, backend: Backend
) -> None:
    spec = backend(
        "class Int64:\n"
        "    def __index__(self):\n"
        "        return 66\n"
        "def next_tokens(prefixes):\n"
        "    return [[Int64()] for _ in prefixes]\n"
    )
    rows = cli("run", write(*TWO), "--json", "--backend", spec).document["requests"]
    assert [row["token_ids"] for row in rows] == [[66] * 3, [66] * 5]


def test_what_a_backend_prints_goes_to_stderr(cli: Cli, write: Write, backend: Backend) -> None:
    spec = backend(
        "print('loading')\n"
        "def next_tokens(prefixes):\n"
        "    print('calling')\n"
        "    return [[65] for _ in prefixes]\n"
    )
    ran = cli("run", write(*TWO), "--json", "--backend", spec)
    assert len(ran.document["requests"]) == 2
    assert ran.err.split() == ["loading"] + ["calling"] * 5


def test_ctrl_c_in_a_call_keeps_the_rows_that_had_ended(
    cli: Cli, write: Write, backend: Backend
) -> None:
    spec = backend(
        "def next_tokens(prefixes):\n"
        "    if len(prefixes) == 1:\n"
        "        raise KeyboardInterrupt\n"
        "    return [[65] for _ in prefixes]\n"
    )
    ran = cli("run", write(*TWO), "--json", "--backend", spec)
    assert ran.status == 130
    assert ran.err == "batchtui: interrupted\n"
    assert list(ran.document) == ["requests", "error"]
    assert [row["request_id"] for row in ran.document["requests"]] == ["a"]
    assert ran.document["error"] == {"code": "interrupted", "message": "interrupted"}


@pytest.mark.parametrize(
    ("error", "status"), [(None, 0), (ValueError, 0), (KeyboardInterrupt, 130), (BaseException, 1)]
)
def test_the_model_is_closed_however_the_run_ends(
    cli: Cli,
    write: Write,
    monkeypatch: pytest.MonkeyPatch,
    error: type[BaseException] | None,
    status: int,
) -> None:
    class Model(FunctionModel):
        def interrupt(self) -> None:
            raise AssertionError("no call is running")

        def close(self) -> None:
            story.append("closed")

    def next_tokens(prefixes: list[list[int]]) -> list[list[int]]:
        story.append("called")
        if error is not None and len(prefixes) == 1:
            raise error
        return [[65] for _ in prefixes]

    story: list[str] = []
    model = Model(next_tokens)
    monkeypatch.setattr("batchtui.plugins.runs._model", lambda workload, options, config: model)
    ran = cli("run", write(*TWO), "--json")
    assert ran.status == status
    assert story.count("closed") == 1
    assert story[-1] == "closed"
    assert list(ran.document) == ["requests", "error" if status else "run"]
