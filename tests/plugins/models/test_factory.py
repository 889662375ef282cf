from __future__ import annotations

from types import SimpleNamespace

import pytest

from batchtui.engine.errors import PluginError
from batchtui.plugins import registry
from batchtui.plugins.models.factory import ModelOptions, open_model

PARTS = {
    "name": "acme",
    "max_model_len": None,
    "eos_token_ids": frozenset({0}),
    "encode": list,
    "token_bytes": bytes,
    "forward": list,
}


def opened(monkeypatch: pytest.MonkeyPatch, model: object) -> object:
    factory = SimpleNamespace(from_options=lambda options: model)
    monkeypatch.setattr(registry, "load", lambda group, name: factory)
    return open_model("acme", ModelOptions())


def test_what_has_every_part_of_a_model_is_opened(monkeypatch: pytest.MonkeyPatch) -> None:
    model = SimpleNamespace(**PARTS)
    assert opened(monkeypatch, model) is model


@pytest.mark.parametrize("part", PARTS)
def test_a_model_without_a_part_is_refused_by_the_part(
    monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    rest = {name: value for name, value in PARTS.items() if name != part}
    with pytest.raises(PluginError, match=f"'acme' is no model: a SimpleNamespace without {part}"):
        opened(monkeypatch, SimpleNamespace(**rest))


@pytest.mark.parametrize(
    ("part", "value", "seen"),
    [
        ("max_model_len", 0, "max_model_len is 0: want a whole number from 1 up"),
        ("max_model_len", 4.5, "max_model_len is 4.5: want"),
        ("eos_token_ids", [0], "eos_token_ids is a list: want a frozenset"),
        ("eos_token_ids", None, "eos_token_ids is a NoneType: want a frozenset"),
    ],
)
def test_a_part_that_does_not_fit_is_refused_before_anything_runs(
    monkeypatch: pytest.MonkeyPatch, part: str, value: object, seen: str
) -> None:
    with pytest.raises(PluginError, match=seen):
        opened(monkeypatch, SimpleNamespace(**PARTS | {part: value}))


def test_what_opens_as_nothing_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PluginError, match="a NoneType without name"):
        opened(monkeypatch, None)
