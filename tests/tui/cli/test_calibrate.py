"""``batchtui calibrate``: figures with units on stdout, a profile in a file, faults in one line."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tui.cli.ran import Cli, Install, Write

from batchtui.plugins.calibration import calibrate as calibration
from batchtui.plugins.calibration.fit import COEFFICIENTS
from batchtui.tui.cli import calibrate

SIMULATED = ("calibrate", "--backend", "simulated", "--slots", "4")


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_it_says_costs_fit_check_and_where_the_profile_is(cli: Cli, here: Path) -> None:
    ran = cli(*SIMULATED)
    assert (ran.status, ran.err) == (0, "")
    lines = [" ".join(line.split()) for line in ran.out.splitlines()]
    assert re.fullmatch(r"base_us [78],\d{3}(\.\d+)? us a call", lines[0])
    assert [line.split()[0] for line in lines[: len(COEFFICIENTS)]] == list(COEFFICIENTS)
    assert any(
        re.fullmatch(
            r"fit: \d+ kinds of calls, off by 0\.0% in the mean, at worst by 0\.0% \((pre|de).*\)",
            line,
        )
        for line in lines
    )
    assert "check: 8 requests in 4 slots, on both" in lines
    assert "ms measured simulated error" in lines
    for name in ("ttft", "tpot", "e2e", "makespan"):
        (row,) = [line for line in lines if line.startswith(f"{name} ")]
        assert re.fullmatch(rf"{name} [\d,]+\.\d\d [\d,]+\.\d\d 0\.0%", row)
    assert lines[-1] == (
        "written to simulated.profile.json: "
        "run with --backend simulated:profile=simulated.profile.json"
    )
    assert [each.name for each in here.iterdir()] == ["simulated.profile.json"]


def test_what_it_wrote_is_what_a_run_takes(cli: Cli) -> None:
    assert cli(*SIMULATED[:2], "simulated:base_us=70000", "--out", "mine.json").status == 0
    runs = [
        cli("run", "demo", "--json", "--backend", backend).document["run"]["e2e_ms"]["mean"]
        for backend in ("simulated:base_us=70000", "simulated:profile=mine.json", "simulated")
    ]
    assert runs[0] == pytest.approx(runs[1], rel=0.001)
    assert runs[0] > 3 * runs[2]


def test_the_document_is_the_profile_and_its_file(cli: Cli, here: Path) -> None:
    ran = cli(*SIMULATED, "--json", "--out", "p.json")
    assert (ran.status, ran.err) == (0, "")
    assert list(ran.document) == ["file", "profile"]
    assert ran.document["file"] == "p.json"
    assert ran.document["profile"] == json.loads(here.joinpath("p.json").read_bytes())


def test_every_coefficient_has_its_unit() -> None:
    assert list(calibrate.UNITS) == list(COEFFICIENTS)


def test_a_profile_is_replaced_and_anything_else_is_left_alone(cli: Cli, here: Path) -> None:
    assert cli(*SIMULATED).status == cli(*SIMULATED).status == 0
    here.joinpath("simulated.profile.json").write_text("my notes")
    ran = cli(*SIMULATED)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "batchtui: simulated.profile.json is there and is no cost profile: choose another --out\n"
    )
    assert here.joinpath("simulated.profile.json").read_text() == "my notes"


@pytest.mark.parametrize(
    ("arguments", "seen"),
    [
        (["calibrate"], "Missing option '--backend'"),
        (["calibrate", "--backend", "simulatd"], "did you mean 'simulated'?"),
        (["calibrate", "--backend", "scripted"], "comes with a workload"),
        (["calibrate", "--backend", "simulated:x=1"], "no option x"),
        ([*SIMULATED, "--slots", "0"], "0 is not a whole number from 1 to 4096"),
        ([*SIMULATED, "--slots", "5000"], "5000 is not a whole number from 1 to 4096"),
        ([*SIMULATED, "--seed", "x"], "x is not a whole number"),
        ([*SIMULATED, "--out", ""], "--out is empty: want a file name"),
        ([*SIMULATED, "--out", "no/such/p.json"], "there is no folder no/such"),
        ([*SIMULATED, "--out", "."], "is there and is no cost profile"),
        ([*SIMULATED, "--out", "a\x1b[31m/p"], r"there is no folder a\x1b[31m"),
        (["run", "demo", "--backend", "simulated:profile=nowhere"], 'no profile "nowhere"'),
        (["run", "demo", "--backend", "simulated:profile"], 'no profile ""'),
        (["bench", "calibrate", "FILE"], "bench calibrate reads no file"),
    ],
)
def test_wrong_input_is_one_line_and_2(
    cli: Cli, here: Path, arguments: list[str], seen: str
) -> None:
    ran = cli(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("batchtui: ") and ran.err.endswith("\n")
    assert ran.err[:-1].isprintable()
    assert seen in ran.err
    assert list(here.iterdir()) == []


def test_a_file_that_is_no_profile_is_refused_by_a_run(cli: Cli, write: Write) -> None:
    name = write(name="w.json", data=b'{"request_id": "a"}')
    ran = cli("run", "demo", "--backend", f"simulated:profile={name}")
    assert ran.status == 2
    assert ran.err == (
        "batchtui: w.json is no cost profile: want a file that `batchtui calibrate` wrote\n"
    )


def test_a_backend_that_fails_is_told_without_its_message(
    cli: Cli, install: Install, here: Path
) -> None:
    source = (
        "from batchtui.plugins.models.simulated import SimulatedModel\n"
        "class Model(SimulatedModel):\n"
        "    @classmethod\n"
        "    def from_options(cls, options):\n"
        "        return cls()\n"
        "    def forward(self, rows):\n"
        "        raise ValueError('SECRET')\n"
    )
    install("[batchtui.models]\nacme = acme_plugin:Model\n", source)
    ran = cli("calibrate", "--backend", "acme", "--json")
    assert ran.status == 1
    assert re.fullmatch(
        r"batchtui: a call of \d+ rows failed \(raise\): ValueError at acme_plugin.py:7\n", ran.err
    )
    assert ran.document == {"error": {"code": "failed", "message": ran.err[10:-1]}}
    assert not list(here.glob("*.json"))


def test_ctrl_c_leaves_nothing_half_written(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(self: object, tick: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(calibration.Calibration, "run", interrupted)
    ran = cli(*SIMULATED)
    assert (ran.status, ran.out, ran.err) == (130, "", "batchtui: interrupted\n")
    assert list(here.iterdir()) == []


def test_without_numpy_it_names_the_extra(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    ran = cli(*SIMULATED)
    assert ran.status == 2
    assert ran.err == "batchtui: calibration needs numpy: pip install 'batchtui[llama]'\n"


def test_weights_that_are_not_here_are_told_in_one_line(
    cli: Cli, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(here))
    for arguments in (["calibrate", "--backend", "llama"], ["bench", "calibrate"]):
        ran = cli(*arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err[:-1].isprintable()
        assert "batchtui models fetch smollm2" in ran.err or "batchtui[llama]" in ran.err


def test_other_verbs_do_not_load_numpy() -> None:
    script = (
        "import sys; from batchtui.tui.cli import status_of\n"
        "assert status_of(['run', 'demo', '--backend', 'simulated:profile=smollm2']) == 0\n"
        "print('numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "False"
