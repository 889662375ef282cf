"""Who may load whom: the engine knows nothing of the world, the command line nothing of textual."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CASE = ROOT / "tests" / "cases" / "batching" / "one_token.json"
ENGINE = sorted((ROOT / "engine").rglob("*.py"))


def modules_after(script: str) -> set[str]:
    """The names of all modules that are loaded once a script has run in a fresh interpreter."""
    report = "\nimport sys; print('\\n' + '\\n'.join(sys.modules))"
    ran = subprocess.run(
        [sys.executable, "-c", script + report],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(ran.stdout.splitlines())


def module_name(path: Path) -> str:
    return ".".join(("batchtui", *path.relative_to(ROOT).with_suffix("").parts)).removesuffix(
        ".__init__"
    )


def test_the_engine_loads_no_terminal_no_network_and_no_model_library() -> None:
    imports = "\n".join(f"import {module_name(path)}" for path in ENGINE)
    loaded = modules_after(imports)
    assert module_name(ENGINE[-1]) in loaded
    world = {"textual", "rich", "typer", "anyio", "torch", "asyncio", "socket"}
    assert loaded & world == set()
    assert not {name for name in loaded if name.startswith(("batchtui.tui", "batchtui.plugins"))}


@pytest.mark.parametrize(
    "arguments", [["--help"], ["run", str(CASE)], ["run", str(CASE), "--json"], ["plugins"]]
)
def test_a_headless_command_loads_neither_textual_nor_torch(arguments: list[str]) -> None:
    script = f"from batchtui.tui.cli import status_of; assert status_of({arguments!r}) == 0"
    loaded = modules_after(script)
    assert "batchtui.tui.cli" in loaded
    assert loaded & {"textual", "torch", "transformers"} == set()


def test_a_run_for_a_pipe_loads_no_rich_either() -> None:
    script = (
        "from batchtui.tui.cli import status_of\n"
        f"assert status_of(['run', {str(CASE)!r}, '--json']) == 0"
    )
    assert "rich.console" not in modules_after(script)


def test_python_m_batchtui_is_the_command_line() -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "batchtui", "run", str(CASE), "--json"],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.startswith('{"requests":[')


IMPURE_MODULES = {
    "asyncio",
    "datetime",
    "io",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "shutil",
    "socket",
    "subprocess",
    "sys",
    "tempfile",
    "threading",
    "time",
    "urllib",
    "uuid",
}
IMPURE_NAMES = {"open", "print", "input", "exec", "eval", "breakpoint", "__import__"}


def impurities(tree: ast.AST) -> list[str]:
    """What of the world a module reaches for, with its line."""
    found = [(node, name) for node in ast.walk(tree) for name in reached_for(node)]
    return [f"{getattr(node, 'lineno', 0)}: {name}" for node, name in found]


def reached_for(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names if alias.name.split(".")[0] in IMPURE_MODULES]
    if isinstance(node, ast.ImportFrom):
        return [from_where(node, alias.name) for alias in node.names if is_impure(node, alias.name)]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return [node.func.id] if node.func.id in IMPURE_NAMES else []
    return ["async"] if isinstance(node, ast.AsyncFunctionDef | ast.Await) else []


def is_impure(node: ast.ImportFrom, name: str) -> bool:
    """A generator may be an argument, so its type may be named; the global one may not."""
    module = (node.module or "").split(".")[0]
    return module in IMPURE_MODULES and from_where(node, name) != "random.Random"


def from_where(node: ast.ImportFrom, name: str) -> str:
    return f"{node.module}.{name}"


@pytest.mark.parametrize("path", ENGINE, ids=module_name)
def test_an_engine_module_has_no_clock_no_files_and_no_chance(path: Path) -> None:
    assert impurities(ast.parse(path.read_bytes())) == []


@pytest.mark.parametrize(
    "source",
    ["import time", "from random import random", "open('x')", "print(1)", "async def f(): ..."],
)
def test_the_walk_sees_what_it_must(source: str) -> None:
    assert len(impurities(ast.parse(source))) == 1


def test_the_walk_lets_a_generator_be_an_argument() -> None:
    assert impurities(ast.parse("from random import Random\nimport heapq\n")) == []
