"""What the llama backend says before anything native is loaded; the rest is in
``test_llama_on_weights.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from batchtui.engine.errors import InputError, PluginError
from batchtui.plugins.models.factory import ModelOptions, open_model
from batchtui.plugins.models.llama import LlamaConfig


@pytest.mark.parametrize(
    ("text", "config"),
    [
        ("", LlamaConfig()),
        ("smollm2", LlamaConfig(weights="smollm2")),
        ("a/b.gguf,threads=3", LlamaConfig(weights="a/b.gguf", threads=3)),
        ("threads=1,weights=x.gguf", LlamaConfig(weights="x.gguf", threads=1)),
    ],
)
def test_its_argument_is_read(text: str, config: LlamaConfig) -> None:
    assert LlamaConfig.parse(text) == config


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("threads=-1", "threads is -1: want 1 to 256"),
        ("threads=many", "threads is of type str: want int"),
        ("threads=", "threads is of type str: want int"),
        ("thread=1", "no option thread: did you mean threads"),
        ("gpu=1", "no option gpu: want weights, threads"),
        ("smollm2,1024", "given weights twice"),
    ],
)
def test_an_argument_that_does_not_fit_is_refused(text: str, seen: str) -> None:
    with pytest.raises(InputError, match=seen):
        LlamaConfig.parse(text)


def test_without_weights_the_command_that_gets_them_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    with pytest.raises(InputError, match="run `batchtui models fetch smollm2`"):
        open_model("llama", ModelOptions())


def test_without_cyllama_the_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "x.gguf").write_bytes(b"GGUF")
    monkeypatch.setitem(sys.modules, "cyllama", None)
    monkeypatch.setitem(sys.modules, "cyllama.llama", None)
    with pytest.raises(PluginError, match=r"pip install 'batchtui\[llama\]'"):
        open_model(f"llama:{tmp_path}/x.gguf", ModelOptions())


def test_the_plugin_loads_without_the_extra() -> None:
    code = (
        "import sys, batchtui.plugins.models.llama\n"
        "heavy = {'cyllama', 'numpy', 'jinja2', 'textual'} & sys.modules.keys()\n"
        "sys.exit(f'{heavy} loaded' if heavy else 0)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
