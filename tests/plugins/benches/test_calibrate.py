"""``bench calibrate``: four errors against one bar, of a backend that is really measured."""

from __future__ import annotations

import pytest

from batchtui.engine.errors import InputError
from batchtui.plugins.benches import calibrate


def test_a_backend_that_is_what_it_says_keeps_every_bar() -> None:
    figures = {each.name: each for each in calibrate.run(None, 1, "simulated")}
    bars = {name: figure.bar for name, figure in figures.items()}
    assert bars == {
        "ttft_error": 0.25,
        "tpot_error": 0.25,
        "e2e_error": 0.25,
        "makespan_error": 0.25,
        "fit_error": None,
    }
    assert max(figure.value for figure in figures.values()) < 0.01
    assert all(figure.holds for figure in figures.values())


def test_it_reads_no_file() -> None:
    with pytest.raises(InputError, match="bench calibrate reads no file"):
        calibrate.run("trace.csv", None)
