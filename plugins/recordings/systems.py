"""The systems whose recordings can be read, by the name that headers give them."""

from __future__ import annotations

from collections.abc import Callable

from batchtui.engine.errors import InputError
from batchtui.plugins.formats.lines import printable
from batchtui.plugins.recordings.system import AnySystem


def _batching() -> AnySystem:
    # Imported here: whoever reads one system loads no other, and each knows of recordings.
    from batchtui.plugins.recordings.batching.system import BATCHING  # noqa: PLC0415

    return BATCHING


def _nodes() -> AnySystem:
    from batchtui.plugins.recordings.nodes.system import NODES  # noqa: PLC0415 - as above

    return NODES


SYSTEMS: dict[str, Callable[[], AnySystem]] = {"batching": _batching, "nodes": _nodes}


def system_named(name: str, where: str) -> AnySystem:
    """The system of that name.

    Raises:
        InputError: there is none; the message says which there are.
    """
    if name not in SYSTEMS:
        known = ", ".join(sorted(SYSTEMS))
        raise InputError(
            f"{where}: a recording of the system {printable(name)!r}: "
            f"this batchtui knows {known}; install a newer one"
        )
    return SYSTEMS[name]()
