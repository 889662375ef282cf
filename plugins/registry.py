"""Finds plugins by entry point, in three grains: name them, load one, load all.

Names are read from the metadata of installed packages and import nothing. One that does not load is
data: it is shown with its reason and breaks nobody else. The built-in ones are found in the same
way.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from batchtui.engine.errors import PluginError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

MODELS = "batchtui.models"
POLICIES = "batchtui.policies"
JUDGES = "batchtui.judges"
PROBES = "batchtui.probes"
FORMATS = "batchtui.formats"
STORES = "batchtui.stores"
TOOLS = "batchtui.tools"

GROUPS = (MODELS, POLICIES, JUDGES, PROBES, FORMATS, STORES, TOOLS)


class Plugin(NamedTuple):
    """What came of loading one plugin.

    ``value`` is its ``module:name`` and ``distribution`` the package that brings it. Either
    ``loaded`` is what was loaded and ``error`` None, or ``error`` says why there is none.
    """

    name: str
    value: str
    distribution: str
    loaded: object | None
    error: str | None


def names(group: str) -> list[str]:
    """The names of a group, sorted; imports none of them."""
    return sorted({point.name for point in _points(group)})


def load(group: str, name: str) -> object:
    """Load one plugin.

    Raises:
        PluginError: it is not installed, is there more than once, or does not load.
    """
    points = [point for point in _points(group) if point.name == name]
    if not points:
        raise PluginError(_unknown(group, name))
    if len(points) > 1:
        owners = sorted(f"{_owner(point)} ({point.value})" for point in points)
        raise PluginError(
            f"{_kind(group)} {name!r} is there more than once, in {' and in '.join(owners)}: "
            "keep one of these packages"
        )
    try:
        return points[0].load()
    except (Exception, SystemExit) as error:  # whatever an import raises is the plugin's fault
        raise PluginError(
            f"{_kind(group)} {name!r} of {_owner(points[0])} does not load: {reason(error)}"
        ) from error


def load_all(group: str) -> list[Plugin]:
    """Load every plugin of a group, in order of their names; failures are among them."""
    return [_try(point) for point in sorted(_points(group), key=lambda point: point.name)]


def reason(error: BaseException) -> str:
    """An exception on one printable line."""
    text = " ".join(str(error).split())
    shown = "".join(character if character.isprintable() else "?" for character in text)
    return f"{type(error).__name__}: {shown}" if shown else type(error).__name__


def _points(group: str) -> Iterator[EntryPoint]:
    # Loading it takes 40 ms, which a run without plugins need not pay.
    from importlib import metadata  # noqa: PLC0415

    yield from metadata.entry_points(group=group)


def _try(point: EntryPoint) -> Plugin:
    try:
        return Plugin(point.name, point.value, _owner(point), point.load(), None)
    except (Exception, SystemExit) as error:
        return Plugin(point.name, point.value, _owner(point), None, reason(error))


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else "an unnamed package"


def _kind(group: str) -> str:
    """``batchtui.policies`` -> ``policy``."""
    word = group.rpartition(".")[2]
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def _unknown(group: str, name: str) -> str:
    installed = names(group)
    near = difflib.get_close_matches(name, installed, 1)
    hint = f"did you mean {near[0]!r}? " if near else ""
    return (
        f"no {_kind(group)} is called {name!r}: {hint}installed: {', '.join(installed) or 'none'}"
    )
