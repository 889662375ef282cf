from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.formats import lines
from batchtui.plugins.formats.lines import head, numbered_lines, printable, whole

THREE = [(1, b"one"), (2, b"two"), (4, b"three")]


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "data",
    [
        b"one\ntwo\n\nthree\n",
        b"one\ntwo\n\nthree",
        b"one\r\ntwo\r\n\r\nthree\r\n",
        b"\xef\xbb\xbfone\ntwo\n \t\nthree",
        gzip.compress(b"\xef\xbb\xbfone\r\ntwo\r\n\r\nthree", mtime=0),
        gzip.compress(b"one\ntwo\n", mtime=0) + gzip.compress(b"\nthree\n", mtime=0),
    ],
)
def test_lines_keep_their_numbers_however_they_were_typed_or_packed(
    tmp_path: Path, data: bytes
) -> None:
    assert list(numbered_lines(written(tmp_path / "f", data))) == THREE


def test_a_byte_order_mark_on_a_blank_first_line_does_not_stay(tmp_path: Path) -> None:
    path = written(tmp_path / "f", b"\xef\xbb\xbf\r\n{}")
    assert list(numbered_lines(path)) == [(2, b"{}")]
    assert head(path) == b"\r\n{}"


def test_lines_are_streamed(tmp_path: Path) -> None:
    path = written(tmp_path / "f", b"first\n" + b"more\n" * 100_000)
    assert next(numbered_lines(path)) == (1, b"first")


def test_the_head_is_unpacked_and_bounded(tmp_path: Path) -> None:
    path = written(tmp_path / "f", gzip.compress(b"x" * 1_000_000))
    assert head(path) == b"x" * lines.HEAD_BYTES


def test_a_gzip_that_is_cut_short_is_an_input_error(tmp_path: Path) -> None:
    packed = gzip.compress(bytes(range(256)) * 1000)
    path = written(tmp_path / "cut.gz", packed[:-20])
    with pytest.raises(InputError, match=r"^cut\.gz: the gzip is cut short or damaged"):
        list(numbered_lines(path))


def test_a_damaged_gzip_is_an_input_error(tmp_path: Path) -> None:
    path = written(tmp_path / "bad.gz", b"\x1f\x8bnot really")
    with pytest.raises(InputError, match=r"^bad\.gz: the gzip is cut short or damaged"):
        head(path)


def test_a_line_without_an_end_is_refused_by_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1024 * 1024)
    path = written(tmp_path / "f", b"short\n" + b"x" * 1_100_000)
    with pytest.raises(InputError, match=r"^f line 2 is longer than 1 MiB"):
        list(numbered_lines(path))


def test_a_document_that_is_too_long_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "MAX_LINE_BYTES", 1024 * 1024)
    with pytest.raises(InputError, match=r"^f is longer than 1 MiB: too long for one document"):
        whole(written(tmp_path / "f", b"x" * 1_100_000))


def test_what_cannot_be_read_is_named_with_the_reason(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^gone cannot be read: no such file"):
        whole(tmp_path / "gone")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain café 東京", "plain café 東京"),
        ("\x1b[31mred\x07", "\\x1b[31mred\\x07"),
        ("right\u202eleft", "right\\u202eleft"),
        ("half \ud800", "half \\ud800"),
        ("two\nlines", "two\\nlines"),
        ("x" * 41, "x" * 40 + "…"),
    ],
)
def test_nothing_printable_steers_a_terminal(text: str, shown: str) -> None:
    assert printable(text) == shown
