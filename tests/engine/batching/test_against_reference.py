"""The engine against a decoder that is slow and plain, on random cases."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.reference.compare import counted, of_engine, of_reference
from tests.reference.random_cases import cases
from tests.reference.row import Case


@settings(max_examples=250)
@given(case=cases(), max_retries=st.integers(0, 2))
def test_every_row_and_total_is_that_of_the_reference(
    case: Case, max_retries: int, tmp_path: Path
) -> None:
    outcome = of_engine(case, tmp_path, max_retries=max_retries)
    assert outcome == of_reference(case, max_retries=max_retries)


@settings(max_examples=150)
@given(case=cases())
def test_a_run_that_nobody_watches_decides_the_same(case: Case, tmp_path: Path) -> None:
    watched = counted(case, tmp_path, observed=True)
    assert counted(case, tmp_path, observed=False) == watched


@pytest.mark.soak
@settings(max_examples=20_000, derandomize=False)
@given(case=cases(most=16), max_retries=st.integers(0, 3))
def test_thousands_of_random_cases_come_out_as_the_reference_says(
    case: Case, max_retries: int, tmp_path: Path
) -> None:
    outcome = of_engine(case, tmp_path, max_retries=max_retries)
    assert outcome == of_reference(case, max_retries=max_retries)
