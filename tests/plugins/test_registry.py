from __future__ import annotations

import sys
from pathlib import Path

import pytest

from batchtui.engine.errors import PluginError
from batchtui.plugins import registry

GROUP = "batchtui.policies"


def install(folder: Path, package: str, points: dict[str, str], **modules: str) -> None:
    """Put a package with entry points into a folder of the import path."""
    about = folder / f"{package}-1.0.dist-info"
    about.mkdir(parents=True)
    about.joinpath("METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in points.items()]
    about.joinpath("entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines, ""]))
    for module, source in modules.items():
        folder.joinpath(f"{module}.py").write_text(source)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_names_are_listed_without_importing_anything(folder: Path) -> None:
    install(folder, "acme", {"shortest": "acme_names:Shortest"}, acme_names="1 / 0\n")
    assert {"fcfs", "priority", "shortest"} <= set(registry.names(GROUP))
    assert registry.names(GROUP) == sorted(registry.names(GROUP))
    assert "acme_names" not in sys.modules


def test_a_group_that_nobody_fills_has_no_names() -> None:
    assert registry.names("batchtui.nothing") == []


def test_a_plugin_of_another_package_is_loaded(folder: Path) -> None:
    install(folder, "acme", {"shortest": "acme_good:Shortest"}, acme_good="Shortest = 'a policy'\n")
    assert registry.load(GROUP, "shortest") == "a policy"


def test_an_unknown_name_is_answered_with_the_nearest_and_the_installed() -> None:
    with pytest.raises(PluginError) as caught:
        registry.load(registry.MODELS, "simulatd")
    message = str(caught.value)
    assert message.startswith("no model is called 'simulatd': did you mean 'simulated'?")
    assert "function" in message and "scripted" in message
    assert caught.value.exit_code == 2


def test_a_group_without_plugins_says_so() -> None:
    with pytest.raises(PluginError, match="no policy is called 'x': installed: none"):
        registry.load("acme.policies", "x")


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("1 / 0\n", "ZeroDivisionError"),
        ("import no_such_library\n", "No module named 'no_such_library'"),
        ("Other = 1\n", "AttributeError"),
        ("raise SystemExit(3)\n", "SystemExit: 3"),
        ("raise ValueError('two\\nlines\\x1b[31m')\n", r"ValueError: two lines\?\[31m"),
    ],
)
def test_a_plugin_that_does_not_load_says_whose_it_is_and_why(
    folder: Path, source: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(folder, "acme", {"broken": "acme_broken:Broken"}, acme_broken=source)
    monkeypatch.delitem(sys.modules, "acme_broken", raising=False)
    with pytest.raises(PluginError, match=seen) as caught:
        registry.load(GROUP, "broken")
    assert str(caught.value).startswith("policy 'broken' of acme does not load: ")
    assert "\n" not in str(caught.value)


def test_one_bad_plugin_does_not_keep_the_others_from_loading(folder: Path) -> None:
    install(folder, "acme", {"awful": "acme_awful:Awful"}, acme_awful="raise SystemExit\n")
    found = {plugin.name: plugin for plugin in registry.load_all(GROUP)}
    assert list(found) == sorted(found)
    assert found["awful"].loaded is None
    assert found["awful"].error == "SystemExit"
    assert found["awful"].distribution == "acme"
    assert found["awful"].value == "acme_awful:Awful"
    assert found["fcfs"].error is None
    assert found["fcfs"].loaded is registry.load(GROUP, "fcfs")


def test_a_name_that_two_packages_claim_is_refused_by_name(folder: Path) -> None:
    install(folder, "acme", {"same": "acme_a:A"}, acme_a="A = 1\n")
    install(folder, "bolt", {"same": "bolt_b:B"}, bolt_b="B = 2\n")
    with pytest.raises(
        PluginError, match=r"'same' is there more than once, in acme .* and in bolt"
    ):
        registry.load(GROUP, "same")
    assert registry.names(GROUP).count("same") == 1
