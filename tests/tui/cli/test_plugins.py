"""``batchtui plugins``: everybody is on the list, those that do not load with their reason."""

from __future__ import annotations

import subprocess
import sys

from tests.tui.cli.ran import Cli, Install

BROKEN = "import no_such_library\n"
POINTS = "[batchtui.models]\nbroken = acme_plugin:Model\n"


def test_the_built_in_plugins_load(cli: Cli) -> None:
    ran = cli("plugins")
    assert (ran.status, ran.err) == (0, "")
    rows = [line.split() for line in ran.out.splitlines()]
    assert ["models", "simulated", "batchtui", "ok"] in rows
    assert ["policies", "fcfs", "batchtui", "ok"] in rows
    assert {row[-1] for row in rows if row[2] == "batchtui"} == {"ok"}


def test_one_that_does_not_load_is_listed_with_its_reason(cli: Cli, install: Install) -> None:
    install(POINTS, BROKEN)
    ran = cli("plugins")
    assert ran.status == 0
    (line,) = [line for line in ran.out.splitlines() if "acme" in line]
    assert line.split(maxsplit=3) == [
        "models",
        "broken",
        "acme",
        "ModuleNotFoundError: No module named 'no_such_library'",
    ]
    assert "ok" in ran.out


def test_the_document_has_groups_of_plugins_with_their_errors(cli: Cli, install: Install) -> None:
    install(POINTS, BROKEN)
    models = {each["name"]: each for each in cli("plugins", "--json").document["models"]}
    assert models["broken"] == {
        "name": "broken",
        "value": "acme_plugin:Model",
        "distribution": "acme",
        "error": "ModuleNotFoundError: No module named 'no_such_library'",
    }
    assert models["simulated"]["error"] is None


def test_names_import_no_plugin(cli: Cli, install: Install) -> None:
    install(POINTS, BROKEN)
    ran = cli("plugins", "--names")
    assert ["models", "broken"] in [line.split() for line in ran.out.splitlines()]
    assert "acme_plugin" not in sys.modules
    assert "broken" in cli("plugins", "--names", "--json").document["models"]


def test_names_import_no_built_in_plugin_either() -> None:
    script = (
        "import sys; from batchtui.tui.cli import status_of\n"
        "assert status_of(['plugins', '--names']) == 0\n"
        "print([name for name in sys.modules if name.startswith('batchtui.plugins.models')])"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "[]"


def test_what_a_plugin_prints_as_it_loads_goes_to_stderr(cli: Cli, install: Install) -> None:
    install(POINTS, "print('hello')\nclass Model: ...\n")
    ran = cli("plugins", "--json")
    assert ran.err == "hello\n"
    assert {each["error"] for each in ran.document["models"]} == {None}


def test_a_name_that_would_steer_a_terminal_is_shown_without_it(cli: Cli, install: Install) -> None:
    install("[batchtui.models]\nb\x1b[31m[red] = acme_plugin:Model\n", BROKEN)
    for ran in (cli("plugins"), cli("plugins", "--names")):
        assert "b [31m[red]" in ran.out
        assert "\x1b" not in ran.out


def test_a_model_that_does_not_open_is_its_own_fault(cli: Cli, install: Install) -> None:
    source = (
        "class Model:\n"
        "    @classmethod\n"
        "    def from_options(cls, options):\n"
        "        raise RuntimeError('no GPU')\n"
    )
    install("[batchtui.models]\nacme = acme_plugin:Model\n", source)
    ran = cli("run", "demo", "--backend", "acme")
    assert ran.status == 2
    assert ran.err == "batchtui: model 'acme' does not open: RuntimeError: no GPU\n"


def test_a_policy_that_cannot_be_made_is_its_own_fault(cli: Cli, install: Install) -> None:
    source = "class Mine:\n    def __init__(self):\n        raise ValueError('no weights')\n"
    install("[batchtui.policies]\nmine = acme_plugin:Mine\n", source)
    ran = cli("run", "demo", "--policy", "mine")
    assert ran.status == 2
    assert ran.err == "batchtui: policy 'mine' cannot be made: ValueError: no weights\n"


def test_a_reader_that_does_not_load_stands_in_nobodys_way(cli: Cli, install: Install) -> None:
    install("[batchtui.formats]\nacme = acme_plugin:Format\n", BROKEN)
    assert cli("run", "demo").status == 0
