"""How many processors there are for us."""

from __future__ import annotations

import os


def num_cores() -> int:
    """Those that this process may use; where the system does not say, all that there are."""
    mine = getattr(os, "sched_getaffinity", None)
    return len(mine(0)) if mine else os.cpu_count() or 1
