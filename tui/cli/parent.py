"""The parent of the dashboard: it waits, and puts the terminal right when native code has crashed.

A model's native code can end its process in ways that nobody in it can catch. So where a model may
have such code, the dashboard is shown by a child. Both stay in the terminal's foreground, so what
the keyboard or the kernel sends reaches the child by itself; only what somebody sent to the parent
is passed on. For Linux, which alone has all that this takes.
"""

from __future__ import annotations

import os
import signal
import sys
import termios
from contextlib import suppress

import typer

from batchtui.engine.errors import WorkError
from batchtui.tui.terminal_modes import give_back

_PASSED_ON = {signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP}
_AWAITED = {signal.SIGCHLD, *_PASSED_ON}

_PR_SET_PDEATHSIG = 1


def go_on_in_child() -> None:
    """Return in a child; this process waits for it, and leaves as it did.

    To be called before there are threads, and before a model's code is loaded.

    Raises:
        typer.Exit: in the parent: the child has left with this status.
        WorkError: in the parent: a signal that nobody sent to end it has ended the child.
    """
    for stream in (sys.stdout, sys.stderr):
        stream.flush()  # else both would write what is left
    before, parent = termios.tcgetattr(sys.stdin.fileno()), os.getpid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # ignored, it would take the status away
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, _AWAITED)
    child = os.fork()
    if child == 0:
        _begin(parent)
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        return
    status = _wait(child)
    _restore(before)
    signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    if status < 0:
        _end_by(signal.Signals(-status))
    raise typer.Exit(status)


def _begin(parent: int) -> None:
    """The child's own beginning: it must not outlive who puts the terminal right."""
    import ctypes  # noqa: PLC0415 - 10 ms that nobody else needs

    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGTERM)  # it has gone before we asked
    # ggml answers an abort by starting a debugger, which takes seconds and writes on the terminal.
    os.environ.setdefault("GGML_NO_BACKTRACE", "1")


def _wait(child: int) -> int:
    """The child's status once it has ended; the negative number of the signal that ended it."""
    while True:
        seen = signal.sigwaitinfo(_AWAITED)
        if seen.si_signo != signal.SIGCHLD:
            if seen.si_code <= 0:  # from a process, not from the keyboard
                os.kill(child, seen.si_signo)
            continue
        found, status = os.waitpid(child, os.WNOHANG | os.WUNTRACED)
        if found and os.WIFSTOPPED(status):
            _stop_with(child)
        elif found:
            return os.waitstatus_to_exitcode(status)


def _stop_with(child: int) -> None:
    """Stop too, so that the shell comes back; going on, wake the child unless somebody has."""
    os.kill(os.getpid(), signal.SIGSTOP)
    changed = os.WCONTINUED | os.WEXITED | os.WNOHANG | os.WNOWAIT
    if os.waitid(os.P_PID, child, changed) is None:
        os.kill(child, signal.SIGCONT)


def _restore(before: list[object]) -> None:
    """Give the terminal back unless the child has: leaving a screen twice moves the cursor."""
    terminal = sys.stdin.fileno()
    with suppress(termios.error):  # the terminal itself may be gone
        if termios.tcgetattr(terminal) != before:
            give_back(terminal, sys.stderr.fileno(), before)


def _end_by(number: signal.Signals) -> None:
    """End as the child did, by a signal that asked for it; any other is a crash."""
    if number in _PASSED_ON:
        signal.signal(number, signal.SIG_DFL)
        os.kill(os.getpid(), number)
    why = "perhaps in the model's native code"
    if number == signal.SIGKILL:
        why = "perhaps by the system, for want of memory"
    raise WorkError(
        f"the process of the dashboard was ended by {number.name}, {why}; the terminal is restored"
    )
