"""``batchtui calibrate``: measures what a backend's calls cost, and writes a cost profile."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from batchtui.engine.errors import InputError
from batchtui.plugins.runs import DEFAULT_SLOTS
from batchtui.tui.cli import options as option
from batchtui.tui.cli.output import Output, aligned, one_line, our_stdout
from batchtui.tui.cli.progress import progress

if TYPE_CHECKING:
    from batchtui.plugins.calibration.profile import Profile

MAX_SLOTS = 4096  # beyond it the grid alone takes minutes, whatever the backend

Backend = Annotated[
    str,
    typer.Option(metavar="NAME", help="The model: a name of `batchtui plugins`, or function:M:F."),
]
Slots = Annotated[
    int,
    typer.Option(
        parser=option.whole_number(1, MAX_SLOTS),
        metavar="N",
        help="Slots of the batch (max_num_seqs).",
    ),
]
Seed = Annotated[
    int,
    typer.Option(parser=option.whole_number(), metavar="N", help="Seed of prompts and orders."),
]
Out = Annotated[
    str | None,
    typer.Option(metavar="FILE", help="Where the profile goes; BACKEND.profile.json unless said."),
]

UNITS = {
    "base_us": "us a call",
    "decode_us_per_row": "us a row",
    "decode_us_per_gap": "us a gap between the slots of its rows",
    "prefill_us_per_row": "us a row that joins",
    "prefill_us_per_token": "us a token of its prompt",
    "kv_us_per_token": "us a token of context",
}


def calibrate(
    backend: Backend,
    slots: Slots = DEFAULT_SLOTS,
    seed: Seed = 0,
    out: Out = None,
    as_json: option.AsJson = False,
) -> None:
    """Measure what a backend's calls cost, for the simulated model to cost the same.

    The profile that is written is for `--backend simulated:profile=FILE`.
    """
    # The models, which whoever only names plugins must not import.
    from batchtui.plugins.calibration.calibrate import calibration_of  # noqa: PLC0415
    from batchtui.plugins.calibration.store import check_place, write_profile  # noqa: PLC0415

    path = _path(backend, out)
    check_place(path)
    with our_stdout() as output:
        with (
            calibration_of(backend, num_slots=slots, seed=seed) as calibration,
            progress(calibration.total, unit="steps") as tick,
        ):
            profile = calibration.run(tick)
        write_profile(profile, path)
        if as_json:
            output.document({"file": _shown(path), "profile": profile})
        else:
            _tell(output, profile, path)


def _path(backend: str, out: str | None) -> Path:
    if out == "":
        raise InputError("--out is empty: want a file name")
    return Path(f"{backend.partition(':')[0]}.profile.json" if out is None else out)


def _tell(output: Output, profile: Profile, path: Path) -> None:
    for part in (_costs(profile), _fit(profile), _check(profile)):
        for line in part:
            output.line(line)
        output.line("")
    output.line(f"written to {_shown(path)}: run with --backend simulated:profile={_shown(path)}")


def _costs(profile: Profile) -> Iterator[str]:
    rows: list[tuple[str, ...]] = [(name, f"{profile.costs[name]:,.6g}") for name in UNITS]
    for line, unit in zip(aligned(rows, numbers=True), UNITS.values(), strict=True):
        yield f"{line}  {unit}"


def _fit(profile: Profile) -> Iterator[str]:
    fit, points = profile.fit, profile.points
    spread = statistics.median(point.spread for point in points)
    yield (
        f"fit: {len(points)} kinds of calls, off by {fit.mean_error:.1%} in the mean, at worst by "
        f"{fit.worst_error:.1%} ({fit.worst_point})"
    )
    yield f"samples of one kind lie {spread:.1%} apart in the median"


def _check(profile: Profile) -> Iterator[str]:
    check = profile.check
    errors = check.errors
    yield f"check: {len(check.requests)} requests in {profile.slots} slots, on both"
    rows: list[tuple[str, ...]] = [("ms", "measured", "simulated", "error")]
    for name in ("ttft", "tpot", "e2e", "makespan"):
        seen, simulated = (
            getattr(each, f"{name}_ms") for each in (check.measured, check.simulated)
        )
        rows.append((name, f"{seen:,.2f}", f"{simulated:,.2f}", f"{errors[f'{name}_error']:.1%}"))
    yield from aligned(rows, numbers=True)


def _shown(path: Path) -> str:
    return one_line(str(path).encode("utf-8", "backslashreplace").decode())
