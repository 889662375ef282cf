"""``batchtui bench calibrate``: how well the simulated model stands in for the real one.

Calibrates ``llama`` as ``batchtui calibrate`` does, and runs the check's requests on both.

    ttft_error, tpot_error, e2e_error, makespan_error   of the simulated run, as fractions of what
                                                        was measured
    fit_error      of the coefficients at what they were fitted to, in the mean
"""

from __future__ import annotations

from batchtui.engine.errors import InputError
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.calibration.calibrate import calibration_of
from batchtui.plugins.runs import DEFAULT_SLOTS

BACKEND = "llama"
ROUNDS = 5
BAR = 0.25


def run(file: str | None, repeat: int | None, backend: str = BACKEND) -> list[Figure]:
    """Calibrate in so many rounds, and judge."""
    if file is not None:
        raise InputError("bench calibrate reads no file: leave it out")
    rounds = repeat or ROUNDS
    with calibration_of(backend, num_slots=DEFAULT_SLOTS, rounds=rounds) as calibration:
        profile = calibration.run(lambda done: None)
    of_measured = "of what was measured"
    errors = [Figure(name, error, of_measured, BAR) for name, error in profile.check.errors.items()]
    return [*errors, Figure("fit_error", profile.fit.mean_error, of_measured, None)]
