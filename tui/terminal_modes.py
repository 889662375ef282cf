"""What the dashboard turns on in a terminal, turned off by whoever outlives it; without Textual."""

from __future__ import annotations

import os
import termios
from contextlib import suppress

# Any: the attributes are termios' own list of numbers and bytes.
from typing import Any

# A frame that was begun, paste, wrapping, resize reports, mouse, keyboard, alternate screen, cursor
# and focus reports: what Textual turns on, turned off.
LEAVE = (
    b"\x1b[?2026l\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l"
    b"\x1b[?1016l\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l"
)


def give_back(terminal: int, screen: int, attributes: list[Any] | None) -> None:
    """Set the attributes of a terminal as they were, and leave its screen.

    Where a shell has taken it back already, only the screen is left: the attributes are the
    shell's own by then.

    Args:
        terminal: the file descriptor that has the attributes.
        screen: the one that is written to.
        attributes: those from before; None if they are unknown.
    """
    with suppress(OSError, termios.error):  # the terminal itself may be gone
        if attributes is not None and _is_ours(terminal):
            termios.tcsetattr(terminal, termios.TCSANOW, attributes)
    with suppress(OSError):
        os.write(screen, LEAVE)


def _is_ours(terminal: int) -> bool:
    """Whether we are in the foreground, or the terminal has nobody there."""
    try:
        return os.tcgetpgrp(terminal) == os.getpgrp()
    except OSError:
        return True
