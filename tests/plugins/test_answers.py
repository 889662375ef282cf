from __future__ import annotations

import numpy as np
import pytest

from batchtui.engine.nodes.probe import ProbeResult
from batchtui.plugins.answers import read


@pytest.mark.parametrize(
    ("answer", "verdict"),
    [
        (True, "pass"),
        (False, "fail"),
        ("pass", "pass"),
        ("fail", "fail"),
        ("inconclusive", "inconclusive"),
        (np.bool_(False), "fail"),
        (np.array(True), "pass"),
        (ProbeResult(verdict="fail"), "fail"),
    ],
)
def test_what_a_test_may_answer(answer: object, verdict: str) -> None:
    assert read(answer).verdict == verdict


def test_a_result_is_taken_as_it_is() -> None:
    result = ProbeResult(verdict="fail", reason="below_floor", busbw_gbs=1.5)
    assert read(result) is result


@pytest.mark.parametrize(
    "answer",
    [None, 0, 1, "", "passed", 1.0, [], np.int64(1), ProbeResult(verdict="ok")],  # type: ignore[arg-type]
)
def test_anything_else_is_no_answer(answer: object) -> None:
    with pytest.raises(TypeError, match="want True, False, a ProbeResult, or one of pass, fail"):
        read(answer)
