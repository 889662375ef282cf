"""The performer: a probe's answers on the virtual clock, and what stands between."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.plugins.probes.asking import TIMEOUT_US, work

from batchtui.engine.errors import InputError
from batchtui.engine.machine import Failure, Replied
from batchtui.engine.nodes.probe import GroupTest, ProbeResult
from batchtui.plugins.probes.performer import FAULTS, ProbePerformer
from batchtui.plugins.probes.simulated import SimulatedProbe

SECRET = "the prompt of a user"
PASSED = ProbeResult(verdict="pass", seconds=40)


class Saying:
    """A probe that says what it is given."""

    name = "saying"
    real = False

    def __init__(self, answer: object) -> None:
        self.answer = answer

    def test(self, test: GroupTest) -> Any:
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


def said(performer: Callable[..., Any], **asked: Any) -> list[tuple[int, Replied[Any]]]:
    return list(performer(work(0, 1, **asked)))


def test_an_answer_comes_after_the_time_that_it_took() -> None:
    assert said(ProbePerformer(Saying(PASSED))) == [(40_000_000, Replied(work=1, body=PASSED))]


def test_one_that_takes_longer_than_its_timeout_is_given_up_then_and_comes_late() -> None:
    slow = ProbeResult(verdict="pass", seconds=130)
    given_up, late = said(ProbePerformer(Saying(slow)))
    assert given_up == (TIMEOUT_US, Replied(work=1, body=Failure(kind="timeout")))
    assert late == (130_000_000, Replied(work=1, body=slow, final=False, late=True))


def test_one_that_takes_exactly_its_timeout_is_in_time() -> None:
    just = ProbeResult(verdict="pass", seconds=TIMEOUT_US / 1e6)
    assert said(ProbePerformer(Saying(just))) == [(TIMEOUT_US, Replied(work=1, body=just))]


def test_without_a_timeout_nothing_is_given_up() -> None:
    slow = ProbeResult(verdict="pass", seconds=1e6)
    assert [delay for delay, _ in said(ProbePerformer(Saying(slow)), timeout_us=None)] == [10**12]


@pytest.mark.parametrize("error", [ValueError(SECRET), SystemExit(SECRET)])
def test_an_exception_becomes_a_failure_that_names_type_and_place_only(
    error: BaseException,
) -> None:
    ((_, reply),) = said(ProbePerformer(Saying(error)))
    assert reply.body.kind == "raise"
    assert reply.body.detail.startswith(f"{type(error).__name__} at test_performer.py:")
    assert SECRET not in reply.body.detail


def test_what_is_raised_in_our_own_words_is_told() -> None:
    ((_, reply),) = said(ProbePerformer(Saying(InputError("no launcher: install one"))))
    assert reply.body.detail == "no launcher: install one"


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (None, "NoneType"),
        (True, "bool"),
        (ProbeResult(verdict="good"), "verdict"),  # type: ignore[arg-type]
        (ProbeResult(verdict="fail", reason="because"), "reason"),  # type: ignore[arg-type]
        (ProbeResult(verdict="pass", seconds=-1), "seconds"),
        (ProbeResult(verdict="pass", seconds=float("nan")), "seconds"),
        (ProbeResult(verdict="pass", seconds="9"), "seconds"),  # type: ignore[arg-type]
        (ProbeResult(verdict="pass", busbw_gbs=float("inf")), "busbw_gbs"),
        (ProbeResult(verdict="fail", exit_codes=(object(),)), "written"),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_result_is_refused_before_it_gets_to_the_search(
    answer: object, words: str
) -> None:
    ((_, reply),) = said(ProbePerformer(Saying(answer)))
    assert isinstance(reply.body, Failure)
    assert reply.body.kind == "type"
    assert words in reply.body.detail


@pytest.mark.parametrize("kind", ["pass", "fail", "inconclusive"])
def test_a_verdict_by_hand_takes_the_place_of_the_probes_once(kind: str) -> None:
    bad = ProbePerformer(Saying(ProbeResult(verdict="fail", reason="exit_code", seconds=9)))
    bad.inject(kind)
    ((delay, reply),) = said(bad)
    assert (delay, reply.body.verdict) == (9_000_000, kind)
    assert (reply.body.reason == "") == (kind == "pass")
    assert said(bad)[0][1].body.seconds == 9


def test_a_hang_by_hand_ends_at_the_timeout() -> None:
    performer = ProbePerformer(Saying(PASSED))
    performer.inject("hang")
    assert said(performer) == [(TIMEOUT_US, Replied(work=1, body=Failure(kind="timeout")))]


def test_a_raise_by_hand_is_a_failure_that_says_so() -> None:
    performer = ProbePerformer(Saying(PASSED))
    performer.inject("raise")
    ((_, reply),) = said(performer)
    assert reply.body == Failure(kind="raise", detail="a fault on purpose")


@pytest.mark.parametrize(("kind", "first"), [("late", "timeout"), ("duplicate", "pass")])
@pytest.mark.parametrize("timeout_us", [TIMEOUT_US, None])
def test_late_and_duplicate_have_one_final_reply_and_the_same_again_later(
    kind: str, first: str, timeout_us: int | None
) -> None:
    performer = ProbePerformer(Saying(PASSED))
    performer.inject(kind)
    (early, final), (later, again) = said(performer, timeout_us=timeout_us)
    assert early < later
    assert (final.final, final.late, again.final, again.late) == (True, False, False, True)
    assert getattr(final.body, "kind", None) == first or final.body == PASSED
    assert again.body == PASSED


def test_faults_by_hand_wait_for_a_test_each() -> None:
    performer = ProbePerformer(SimulatedProbe())
    performer.inject("fail")
    performer.inject("inconclusive")
    assert [said(performer)[0][1].body.verdict for _ in range(3)] == [
        "fail",
        "inconclusive",
        "pass",
    ]


def test_a_fault_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(InputError, match=", ".join(FAULTS)):
        ProbePerformer(SimulatedProbe()).inject("explode")
