"""Objects by their place in a module, ``package.module:name``, the current directory included."""

from __future__ import annotations

import importlib
import sys
from functools import reduce
from pathlib import Path
from typing import Any

from batchtui.engine.errors import PluginError
from batchtui.plugins.registry import reason


def import_object(spec: str) -> tuple[Any, Any]:
    """The module and the object that a spec names; Any, because it may be anything.

    The current directory goes first on the import path and stays there, as for ``python -m``:
    modules beside it may be imported later.

    Raises:
        PluginError: the spec is malformed, the module does not load, or has no such name.
    """
    module_name, colon, name = spec.partition(":")
    if not (colon and _dotted(module_name) and _dotted(name)):
        raise PluginError(f"{spec!r} names no function: want package.module:name")
    module = _import(module_name)
    try:
        return module, reduce(getattr, name.split("."), module)
    except AttributeError:
        raise PluginError(f"module {module_name!r} has no {name!r}: look at its names") from None


def _dotted(text: str) -> bool:
    return all(part.isidentifier() for part in text.split("."))


def _import(name: str) -> Any:  # Any: the attributes of a module are not known
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:  # whatever an import raises is the module's fault
        raise PluginError(f"module {name!r} does not load: {reason(error)}") from error
