"""A signal ends the process as it would have, after the block has cleared away."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading

import pytest

from batchtui.tui.cli.signals import clearing_away

# Clears away when it is told to end; a second signal finds it at it.
SCRIPT = """
import signal, sys
from batchtui.tui.cli.signals import clearing_away
with clearing_away():
    try:
        signal.raise_signal(int(sys.argv[1]))
    finally:
        signal.raise_signal(int(sys.argv[2]))
        print("cleared away", flush=True)
print("not reached", flush=True)
"""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="sends signals")


@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("first", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_it_ends_by_the_first_signal_and_the_second_does_not_disturb(
    first: signal.Signals, second: signal.Signals
) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(int(first)), str(int(second))],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (-first, "cleared away\n")


def test_ctrl_c_goes_on_as_what_it_is_and_all_is_as_it_was() -> None:
    before = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    with pytest.raises(KeyboardInterrupt), clearing_away():
        signal.raise_signal(signal.SIGINT)
    after = [signal.getsignal(each) for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    assert after == before


def test_what_is_ignored_stays_ignored() -> None:
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with clearing_away():
            signal.raise_signal(signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, before)


def test_another_thread_has_no_signals_to_see_to() -> None:
    done = []

    def work() -> None:
        with clearing_away():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
