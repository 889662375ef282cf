from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from batchtui.engine.batching import events as said
from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.errors import InputError, PluginError
from batchtui.engine.machine import Event
from batchtui.engine.simulate import Simulation, StepFeed
from batchtui.plugins import workloads
from batchtui.plugins.faults import FaultyCaller
from batchtui.plugins.formats.workload import Workload
from batchtui.plugins.models.scripted import ScriptedModel
from batchtui.plugins.registry import FORMATS, Plugin, load_all
from batchtui.plugins.workloads import bundled_names, open_workload

REQUEST = b'{"request_id": "a"}\n'
CONTENTS = {
    "requests": REQUEST,
    "case": b'{"slots": 1, "requests": [{"request_id": "a", "calls": [["x"]]}]}',
    "azure": b"TIMESTAMP,ContextTokens,GeneratedTokens\r\n2031-01-01 00:00:00.0000000,1,1",
    "mooncake": b'{"timestamp": 0, "input_length": 1, "output_length": 1, "hash_ids": [0]}',
}


@pytest.fixture(autouse=True)
def in_an_empty_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def fault(name_or_path: str) -> str:
    with pytest.raises(InputError) as caught:
        open_workload(name_or_path)
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("kind", CONTENTS)
@pytest.mark.parametrize("packed", [False, True])
def test_a_kind_is_told_by_content_whatever_the_ending(kind: str, packed: bool) -> None:
    data = CONTENTS[kind]
    Path("file.bin").write_bytes(gzip.compress(data) if packed else data)
    workload = open_workload("file.bin")
    assert (workload.format, workload.num_requests, workload.name) == (kind, 1, "file.bin")


def test_a_bundled_name_wins_over_a_file_of_that_name() -> None:
    Path("demo").write_bytes(REQUEST)
    assert open_workload("demo").format == "case"
    assert open_workload("./demo").format == "requests"


def test_a_name_that_is_nearly_right_is_suggested() -> None:
    assert fault("demmo").startswith('no workload "demmo": did you mean demo? want a path or one')


def test_a_missing_file_is_named_with_what_there_is() -> None:
    message = fault("somewhere/trace.csv")
    assert message == (
        f'no workload "somewhere/trace.csv": want a path or one of {", ".join(bundled_names())}'
    )


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (".", ". is a directory: name a file in it"),
        ("-", "a workload is read twice, standard input only once: save it to a file"),
        ("", 'no workload "": want a path'),
        ("a\0b", 'no workload "a\\x00b"'),
        ("x" * 5000, f"{'x' * 80}… is not a path"),
        ("\x1b[2J", 'no workload "\\x1b[2J"'),
    ],
)
def test_what_is_no_file_is_refused(given: str, message: str) -> None:
    assert fault(given).startswith(message)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "f is empty: want a workload"),
        (b"\xef\xbb\xbf\r\n \n", "f is empty: want a workload"),
        (b"\x7fELF\x00\x01", "f is not text: it begins with \\x7fELF\\x00\\x01"),
        (b"\xff\xfe{\x00", "f is text in UTF-16: save it as UTF-8"),
        (b"fine\ncaf\xe9 au lait", "f line 2 is not UTF-8: save it as UTF-8"),
        (b"\x1f\x8b\x08", "f: the gzip is cut short or damaged"),
        (
            b"hello \x1b[31mred\n" + b"x" * 99,
            f"f is none of azure, case, mooncake, requests: it begins with hello \\x1b[31mred\\n"
            f"{'x' * 25}…",
        ),
        (b'[{"request_id": "a"}]', "f is none of azure, case, mooncake, requests: it begins with"),
    ],
)
def test_content_that_nobody_knows_is_described(data: bytes, message: str) -> None:
    Path("f").write_bytes(data)
    assert fault("f").startswith(message)


def test_a_character_cut_at_the_end_of_the_beginning_is_no_fault() -> None:
    line = b'{"request_id": "a", "prompt": "' + "é".encode() * 40_000 + b'"}'
    Path("f").write_bytes(line)
    Path("g").write_bytes(b" " + line)
    assert [open_workload(name).num_requests for name in "fg"] == [1, 1]


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are a thing of POSIX")
def test_a_pipe_is_refused_without_waiting_for_it() -> None:
    os.mkfifo("pipe")
    assert fault("pipe").startswith("pipe is not a regular file: a workload is read twice")


class FailsOverEverything:
    name = "fails"

    def recognises(self, head: bytes) -> bool:
        raise RuntimeError("a plugin's fault")


def test_a_reader_that_is_broken_does_not_stand_in_the_way(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    broken = [
        Plugin("gone", "m:x", "p", None, "ModuleNotFoundError: no m"),
        Plugin("number", "m:x", "p", 5, None),
        Plugin("fails", "m:x", "p", FailsOverEverything, None),
    ]
    known = load_all(FORMATS)
    monkeypatch.setattr(workloads, "load_all", lambda group: [*broken, *known])
    Path("f").write_bytes(REQUEST)
    Path("g").write_bytes(b"hello")
    assert open_workload("f").format == "requests"
    reasons = "gone (ModuleNotFoundError), number (TypeError), fails (RuntimeError)"
    assert f"(broken: {reasons})" in fault("g")


class Nameless:
    """A reader that has no name, knows one kind of file, and cannot read it."""

    def recognises(self, head: bytes) -> bool:
        return head.startswith(b"ACME")

    def read(self, path: Path) -> Workload:
        if path.name == "raises":
            raise KeyError(path.read_text())
        return None  # type: ignore[return-value]  # a plugin may return anything


@pytest.mark.parametrize(
    ("file", "seen"), [("raises", "failed with KeyError"), ("nothing", "returned NoneType: want")]
)
def test_a_reader_that_fails_over_its_own_file_is_named_and_the_file_is_not_quoted(
    monkeypatch: pytest.MonkeyPatch, file: str, seen: str
) -> None:
    plugin = Plugin("acme", "m:x", "p", Nameless, None)
    monkeypatch.setattr(workloads, "load_all", lambda group: [plugin])
    Path(file).write_bytes(b"ACME secret")
    with pytest.raises(PluginError, match=f"the reader 'acme' of {file} {seen}") as caught:
        open_workload(file)
    assert caught.value.__cause__ is None and "secret" not in str(caught.value)
    Path("other").write_bytes(b"hello")
    assert "other is none of acme" in fault("other")


@pytest.mark.parametrize("name", bundled_names())
def test_every_bundled_workload_is_read(name: str) -> None:
    assert sum(1 for _ in open_workload(name).requests()) in (0, open_workload(name).num_requests)


def test_the_burst_is_in_order_and_has_tenants_and_stops() -> None:
    requests = list(open_workload("burst").requests())
    arrivals = [request.arrival_us for request in requests]
    assert arrivals == sorted(arrivals)
    assert len({request.tenant for request in requests}) >= 3
    assert len({request.priority for request in requests}) >= 3
    assert any(request.params.stops for request in requests)


def demo() -> Simulation:
    """The bundled demo, not begun."""
    workload = open_workload("demo")
    model = ScriptedModel(workload.scripts)
    config = BatchingConfig(
        max_num_seqs=int(workload.options["slots"]),
        block_size=int(workload.options["block_size"]),
        num_gpu_blocks=int(workload.options["num_gpu_blocks"]),
    )
    caller = FaultyCaller(model, workload.faults, workload.scripts)
    return Simulation(Decoder(config, model, Fcfs()), caller, StepFeed(workload.steps or ()))


def test_at_step_12_the_demo_has_something_to_show_everywhere() -> None:
    simulation = demo()
    decoder = simulation.machine
    assert isinstance(decoder, Decoder)
    events: list[Event] = []
    while decoder.step <= 12 and (turn := simulation.advance()) is not None:
        events += turn.events
    kinds = {type(event) for event in events if event.step == 12}
    assert {said.RequestQueued, said.RequestAdmitted, said.RequestFinished} <= kinds
    assert {said.RowsDiscarded, said.RequestBlocked} <= kinds
    (applied,) = (
        event for event in events if isinstance(event, said.TokensApplied) and event.step == 12
    )
    assert sorted(applied.held.values()) == ["\nUser", "EN"]
    assert decoder.scheduler.num_resident >= 6
    blockage, waiting = decoder.scheduler.blockage(), decoder.scheduler.queue.first(9)
    assert blockage is not None and (blockage.rule, blockage.request_id) == ("kv", "r12")
    assert len(waiting) >= 5
    assert all(decoder.scheduler.pool.fits(entry.num_blocks) for entry in waiting[1:])


def test_a_late_row_of_the_demo_finds_another_owner_in_its_slot() -> None:
    events = [event for turn in demo() for event in turn.events if event.step == 12]
    (late,) = (event for event in events if isinstance(event, said.RowsDiscarded))
    (joined,) = (event for event in events if isinstance(event, said.RequestAdmitted))
    place = late.slots.index(joined.slot)
    assert late.generations[place] < joined.generation
    assert late.request_ids[place] != joined.request_id


def test_the_demo_runs_to_its_end_in_every_way_there_is() -> None:
    events = [event for turn in demo() for event in turn.events]
    ends = [event for event in events if isinstance(event, said.RequestFinished)]
    assert len(ends) == open_workload("demo").num_requests
    assert {event.finish_reason for event in ends} == {"stop", "length", "abort"}
    assert {"timeout", "raise"} <= {
        event.fault for event in events if isinstance(event, said.CallFailed)
    }
    assert 40 <= max(event.step for event in events) <= 60
    text = "".join(
        text for event in events if isinstance(event, said.TextDelivered) for text in event.texts
    )
    assert "\N{ROCKET}" in text and "\N{REPLACEMENT CHARACTER}" not in text
