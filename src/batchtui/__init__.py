"""A debugger for LLM serving that lives in a terminal.

The package root holds no logic: ``batchtui.engine`` decides, ``batchtui.plugins`` touches the
world, ``batchtui.tui`` shows it. What is called from Python is named here, and loaded when it is
first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from batchtui.engine.nodes.probe import ProbeResult
    from batchtui.plugins.identified import Identified, Proof, Trial
    from batchtui.plugins.identify import identify, identify_async

__version__ = "0.1.0"

__all__ = ["Identified", "ProbeResult", "Proof", "Trial", "identify", "identify_async"]

_HOMES = {
    "Identified": "batchtui.plugins.identified",
    "ProbeResult": "batchtui.engine.nodes.probe",
    "Proof": "batchtui.plugins.identified",
    "Trial": "batchtui.plugins.identified",
    "identify": "batchtui.plugins.identify",
    "identify_async": "batchtui.plugins.identify",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib  # noqa: PLC0415  # only where something is asked for

    return getattr(importlib.import_module(_HOMES[name]), name)
