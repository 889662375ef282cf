"""Checks a built wheel: one import package, nothing else, and it works where nothing else is.

usage: check_wheel.py WHEEL BIN      (BIN: the bin folder of an environment it is installed in)
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

WANTED = (
    "batchtui/__init__.py",
    "batchtui/__main__.py",
    "batchtui/py.typed",
    "batchtui/engine/machine.py",
    "batchtui/plugins/registry.py",
    "batchtui/tui/app.py",
    "batchtui/assets/workloads/demo.json",
    "batchtui/assets/workloads/chat.jsonl",
    "batchtui/assets/profiles/smollm2.json",
    "batchtui/assets/searches/gpus.json",
)


def check_contents(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    roots = {name.split("/")[0] for name in names if ".dist-info/" not in name}
    assert roots == {"batchtui"}, f"import packages are {sorted(roots)}, want batchtui alone"
    missing = [name for name in WANTED if name not in names]
    assert not missing, f"the wheel lacks {missing}"
    assert not any("/tests/" in name for name in names), "the wheel holds tests"


def check_installed(bin_folder: Path) -> None:
    command = str(bin_folder / "batchtui")
    outside = bin_folder.parent
    help_text = subprocess.check_output([command, "--help"], text=True, cwd=outside)
    assert "run" in help_text and "open" in help_text
    ran = subprocess.check_output([command, "run", "demo", "--json"], cwd=outside)
    rows = json.loads(ran)["requests"]
    assert rows and all(row["finish_reason"] for row in rows)
    found = subprocess.run(
        [command, "nodes", "gpus"], cwd=outside, capture_output=True, check=False
    )
    assert found.returncode == 4 and found.stdout.startswith(b"BAD gpu-[017,051]"), found.stdout
    profile = [command, "run", "demo", "--backend", "simulated:profile=smollm2"]
    assert b"TTFT" in subprocess.check_output(profile, cwd=outside)
    bare = subprocess.run(
        [command, "run", "chat", "--backend", "llama"],
        cwd=outside,
        env=os.environ | {"XDG_DATA_HOME": str(outside / "empty")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert bare.returncode == 2 and "batchtui models fetch smollm2" in bare.stderr, bare.stderr
    module = [str(bin_folder / "python"), "-m", "batchtui", "plugins", "--json"]
    plugins = json.loads(subprocess.check_output(module, cwd=outside))
    assert "simulated" in str(plugins)


if __name__ == "__main__":
    check_contents(Path(sys.argv[1]))
    check_installed(Path(sys.argv[2]))
    print("the wheel holds what it should, and works")
