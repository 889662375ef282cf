"""Ctrl+c is noted, and a second one does not wait."""

from __future__ import annotations

import os
import signal

import pytest

from batchtui.tui.cli.interrupts import noted


def press() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_is_noted_and_the_second_raises() -> None:
    with pytest.raises(KeyboardInterrupt), noted() as is_asked:
        assert not is_asked()
        press()
        assert is_asked()
        press()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_whoever_sees_to_it_already_goes_on_to(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = list[int]()
    before = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with noted() as is_asked:
            press()
            assert (is_asked(), seen) == (False, [signal.SIGINT])
    finally:
        signal.signal(signal.SIGINT, before)
