"""Profiles as files: whole or not at all, and nothing else is taken for one, or overwritten."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

import msgspec
import pytest

from batchtui.engine.errors import InputError, WorkError
from batchtui.plugins.calibration.profile import Check, Fit, Machine, Point, Profile, Times
from batchtui.plugins.calibration.store import (
    bundled_profiles,
    check_place,
    read_profile,
    write_profile,
)
from batchtui.plugins.formats.requests import RequestLine

TIMES = Times(1.5, 2.5, 3.5, 4.5)
PROFILE = Profile(
    backend="llama",
    machine=Machine.here(),
    slots=4,
    when="2026-01-02T03:04:05Z",
    costs={"tokens_per_call": 1, "base_us": 12.5},
    points=[Point(name, 1, 0, 0, 5, 0, 10, 8, 14, 3) for name in ("decode 1", "odd {1}")],
    fit=Fit(0.1, 0.2, "decode 1"),
    check=Check([RequestLine(request_id="r0", prompt_tokens=4)], TIMES, TIMES),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.json"


def changed(path: Path, **fields: Any) -> None:  # Any: JSON
    """Write the profile with other values, or without those that are None."""
    document = msgspec.json.decode(msgspec.json.encode(PROFILE)) | fields
    kept = {name: value for name, value in document.items() if value is not None}
    path.write_bytes(msgspec.json.encode(kept))


def test_what_is_written_is_read_again(path: Path) -> None:
    write_profile(PROFILE, path)
    assert read_profile(str(path)) == PROFILE
    assert [each.name for each in path.parent.iterdir()] == [path.name]


def test_a_point_is_a_line_of_the_file(path: Path) -> None:
    write_profile(PROFILE, path)
    (line,) = [line for line in path.read_text().splitlines() if '"decode 1", "rows"' in line]
    assert line.startswith('  { "name": ')


def test_a_machine_is_a_kind_and_not_a_name() -> None:
    here = msgspec.structs.asdict(Machine.here())
    assert here.pop("cpus") in range(1, (os.cpu_count() or 1) + 1)
    assert here == {"machine": platform.machine(), "python": platform.python_version()}


def test_a_bundled_one_is_found_by_its_name_before_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write_profile(PROFILE, Path("smollm2"))
    assert read_profile("smollm2").points != PROFILE.points
    assert read_profile("./smollm2") == PROFILE
    assert list(bundled_profiles()) == ["smollm2"]


@pytest.mark.parametrize(
    ("given", "seen"),
    [
        ("smolm2", 'no profile "smolm2": did you mean smollm2? want a path or one of smollm2'),
        ("no\x1bsuch", r'no profile "no\x1bsuch": want a path'),
        ("", 'no profile ""'),
        (".", 'no profile "."'),
        ("x" * 5000, 'no profile "xxxx'),
        ("\0", r'no profile "\x00"'),
    ],
    ids=range(6),
)
def test_one_that_is_not_there_is_told_with_those_that_are(given: str, seen: str) -> None:
    with pytest.raises(InputError) as told:
        read_profile(given)
    assert str(told.value).startswith(seen)
    assert str(told.value).isprintable()


FOREIGN = [
    b"[]",
    b"{}",
    b'"text"',
    b"[" * 100_000,
    b'{"schema": 1}',
    b'{"kind": "something else", "schema": 1}',
    b'{"kind": "batchtui cost profile", "schema": "1"}',
]
BROKEN = [
    (b"", "the JSON is cut short"),
    (b'{"kind": "batchtui cost profile", "sch', "the JSON is cut short"),
    (b"request_id,arrival", "not JSON at column 1"),
    (b"\xff\xfe\x00", "not JSON"),
    (b'{"more": ' + b"[" * 100_000, "nested too deeply"),
]


@pytest.mark.parametrize("data", FOREIGN, ids=range(len(FOREIGN)))
def test_a_file_that_is_none_is_refused(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"^p.json is no cost profile: want a file that `batchtui"):
        read_profile(str(path))


@pytest.mark.parametrize(("data", "seen"), BROKEN, ids=range(len(BROKEN)))
def test_a_broken_file_is_refused_with_what_is_wrong(path: Path, data: bytes, seen: str) -> None:
    path.write_bytes(data)
    with pytest.raises(InputError, match=f"^p.json: .*{seen}"):
        read_profile(str(path))


@pytest.mark.parametrize(
    ("fields", "seen"),
    [
        ({"schema": 2}, "p.json has schema 2, this batchtui reads 1: update it"),
        ({"schema": 2, "costs": None, "points": "other"}, "p.json has schema 2"),
        ({"costs": None}, 'p.json: missing field "costs"'),
        ({"costs": {"base_us": "8"}}, r"p.json: costs\[...\] is of type str: want int | float"),
        ({"check": {"requests": []}}, 'p.json: missing field "measured" in check'),
        ({"points": [{}]}, 'p.json: missing field "name" in points'),
    ],
)
def test_what_this_version_cannot_read_is_told_in_one_line(
    path: Path, fields: dict[str, Any], seen: str
) -> None:
    changed(path, **fields)
    with pytest.raises(InputError, match=seen):
        read_profile(str(path))


@pytest.mark.parametrize("schema", [1, 2])
def test_a_profile_of_any_version_may_be_replaced(path: Path, schema: int) -> None:
    changed(path, schema=schema)
    check_place(path)


@pytest.mark.parametrize("number", range(len(FOREIGN + BROKEN)))
def test_a_file_that_is_no_profile_is_not_overwritten(path: Path, number: int) -> None:
    data = [*FOREIGN, *(data for data, _ in BROKEN)][number]
    path.write_bytes(data)
    with pytest.raises(InputError, match=r"p.json is there and is no cost profile: choose another"):
        check_place(path)
    assert path.read_bytes() == data


def test_neither_is_a_folder_or_a_link_that_leads_nowhere(path: Path) -> None:
    path.symlink_to("nowhere")
    for place in (path, path.parent):
        with pytest.raises(InputError, match="is there and is no cost profile"):
            check_place(place)


@pytest.mark.parametrize(
    ("place", "seen"),
    [
        ("no/such/p.json", "p.json cannot be written: there is no folder no/such"),
        ("x" * 5000, "is not a path of this system"),
        ("a\0b", r"a\\x00b is not a path of this system"),
    ],
    ids=["no folder", "too long", "NUL"],
)
def test_a_place_where_nothing_can_be_is_told_beforehand(place: str, seen: str) -> None:
    with pytest.raises(InputError, match=seen):
        check_place(Path(place))


@pytest.mark.parametrize(
    ("raised", "told"),
    [(KeyboardInterrupt(), KeyboardInterrupt), (OSError(28, "No space left on device"), WorkError)],
    ids=["ctrl+c", "disk full"],
)
def test_what_breaks_off_leaves_the_old_profile_and_nothing_else(
    path: Path, monkeypatch: pytest.MonkeyPatch, raised: BaseException, told: type[BaseException]
) -> None:
    write_profile(PROFILE, path)
    before = path.read_bytes()

    def broken_off(self: Path, target: Path) -> None:
        raise raised

    monkeypatch.setattr(Path, "replace", broken_off)
    with pytest.raises(told):
        write_profile(msgspec.structs.replace(PROFILE, slots=9), path)
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_a_disk_that_refuses_is_named(path: Path) -> None:
    with pytest.raises(WorkError, match=r"p\.json cannot be written: no such file or directory"):
        write_profile(PROFILE, path.parent / "gone" / "p.json")
