"""Performs a search's work on the virtual clock: asks a probe that does not take real time.

A result that comes later than its timeout is given up then, and arrives late. An exception of a
probe becomes a ``Failure`` that names its type and place, never its message: that may hold what a
host printed. Faults by hand stand between the search and the probe, so they work with any.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import get_args

import msgspec

from batchtui.engine.errors import BatchtuiError, InputError
from batchtui.engine.machine import Failure, Input, Replied, Work
from batchtui.engine.nodes.probe import GroupTest, Probe, ProbeResult, Reason, Verdict
from batchtui.plugins.raised import place_of

FAULTS = ("fail", "pass", "hang", "inconclusive", "raise", "late", "duplicate")
RAISED_AFTER_US = 1_000
HANGS_US = 3_600_000_000  # where nobody has set a timeout

_RESULT = msgspec.json.Decoder(ProbeResult)
_Outcome = list[tuple[int, Input]]


class ProbePerformer:
    """Asks a probe; a ``Performer`` for ``engine/simulate.py``."""

    def __init__(self, probe: Probe) -> None:
        self.probe = probe
        self._injected: deque[str] = deque()

    def inject(self, kind: str) -> None:
        """Play a fault of this kind at the next test, once; those that wait take a test each.

        Raises:
            InputError: there is no such kind.
        """
        if kind not in FAULTS:
            raise InputError(f"no fault is called {kind!r}: want one of {', '.join(FAULTS)}")
        self._injected.append(kind)

    def __call__(self, work: Work) -> Iterable[tuple[int, Input]]:
        """Answer one test, with the fault that is due."""
        kind = self._injected.popleft() if self._injected else ""
        if kind == "raise":
            failure = Failure(kind="raise", detail="a fault on purpose")
            return [(RAISED_AFTER_US, Replied(work=work.id, body=failure))]
        if kind == "hang":
            return _given_up(work, work.timeout_us or HANGS_US)
        body, delay = self.ask(work.spec)
        if kind == "duplicate":
            again = Replied(work=work.id, body=body, final=False, late=True)
            return [*_in_time(work, body, delay), (delay + delay // 2 + 1, again)]
        if kind == "late":
            timeout = work.timeout_us or 2 * delay
            return _given_up(work, timeout, body, timeout + timeout // 2)
        return _in_time(work, _forced(kind) or body, delay)

    def ask(self, test: GroupTest) -> tuple[ProbeResult | Failure, int]:
        """Ask the probe; returns what it says, and how long that took, in microseconds."""
        answer: object
        try:
            answer = self.probe.test(test)
        except (Exception, SystemExit) as error:  # what a plugin raises is its fault, not ours
            said = str(error) if isinstance(error, BatchtuiError) else place_of(error)
            return Failure(kind="raise", detail=said), RAISED_AFTER_US
        wrong = wrong_with(answer)
        if wrong or not isinstance(answer, ProbeResult):
            return Failure(kind="type", detail=wrong), RAISED_AFTER_US
        return answer, round(answer.seconds * 1e6)


def wrong_with(answer: object) -> str:
    """What is wrong with a probe's answer, "" for nothing: before it gets to the engine."""
    if not isinstance(answer, ProbeResult):
        return f"test returned {type(answer).__name__}, not a ProbeResult"
    wrong = {
        "the verdict is none of pass, fail, inconclusive": answer.verdict not in get_args(Verdict),
        "the reason is none of those that there are": answer.reason not in get_args(Reason),
        "seconds is not a number from 0 up": not _is_number(answer.seconds),
        "busbw_gbs is neither None nor a number from 0 up": not (
            answer.busbw_gbs is None or _is_number(answer.busbw_gbs)
        ),
        "it cannot be written down and read again": not _can_be_written(answer),
    }
    return next((words for words, is_so in wrong.items() if is_so), "")


def _can_be_written(answer: ProbeResult) -> bool:
    try:
        return _RESULT.decode(msgspec.json.encode(answer)) == answer
    except (TypeError, ValueError):
        return False


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1e9


def _forced(kind: str) -> ProbeResult | None:
    """The result that a fault by hand puts in place of the probe's."""
    if kind == "pass":
        return ProbeResult(verdict="pass")
    if kind == "fail":
        return ProbeResult(verdict="fail", reason="exit_code")
    if kind == "inconclusive":
        return ProbeResult(verdict="inconclusive", reason="startup")
    return None


def _in_time(work: Work, body: ProbeResult | Failure, delay: int) -> _Outcome:
    if work.timeout_us is None or delay <= work.timeout_us:
        return [(delay, Replied(work=work.id, body=body))]
    return _given_up(work, work.timeout_us, body, delay)


def _given_up(
    work: Work, timeout: int, body: ProbeResult | Failure | None = None, at: int = 0
) -> _Outcome:
    outcome: _Outcome = [(timeout, Replied(work=work.id, body=Failure(kind="timeout")))]
    if body is not None:
        outcome.append((at, Replied(work=work.id, body=body, final=False, late=True)))
    return outcome
