from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from tests.engine.batching.told import Told

from batchtui.engine.batching.events import RequestAdmitted, RequestQueued
from batchtui.engine.batching.explain.passing import passed_by
from batchtui.engine.batching.explain.why_waits import place_of
from batchtui.engine.batching.policies import Fcfs, Priority

_acts = st.lists(
    st.tuples(st.sampled_from(["submit", "submit", "abort", "step"]), st.integers(0, 5)),
    max_size=40,
)


def play(told: Told, acts: list[tuple[str, int]]) -> None:
    num_submitted = 0
    for kind, number in acts:
        if kind == "submit":
            told.submit(
                f"r{number}",
                index=num_submitted,
                max_tokens=1 + number % 3,
                priority=number % 3,
                prompt=number * 8,
            )
            num_submitted += 1
        elif kind == "abort":
            told.desk.abort(f"r{number}")
        else:
            told.on(number)


def passed_plainly(told: Told, request_id: str, turn: int) -> int:
    """Who came after it and had been admitted, by looking through everything."""
    came: list[str] = []
    admitted: set[int] = set()
    alive: dict[str, int] = {}
    for record in told.timeline.records(0, turn):
        for event in record.events:
            if isinstance(event, RequestQueued):
                alive[event.request_id] = len(came)
                came.append(event.request_id)
            elif isinstance(event, RequestAdmitted):
                admitted.add(alive[event.request_id])
    return sum(place > alive[request_id] for place in admitted)


@given(_acts, st.booleans())
def test_counting_agrees_with_looking_through_everything(
    acts: list[tuple[str, int]], by_priority: bool
) -> None:
    policy = Priority() if by_priority else Fcfs()
    told = Told(policy=policy, max_num_seqs=2, num_gpu_blocks=4)
    play(told, acts)
    for turn in range(told.turn + 1):
        view = told.timeline.view_at(turn)
        counts = passed_by(view.waiting.values(), view, told.history, turn)
        assert counts == {name: passed_plainly(told, name, turn) for name in view.waiting}
        in_order = view.first_waiting(99)
        assert [place_of(waiting, view) for waiting in in_order] == list(
            range(1, len(in_order) + 1)
        )


def test_at_the_head_the_moment_need_not_be_said() -> None:
    told = Told(policy=Priority(), max_num_seqs=1)
    told.submit("r0", index=0, max_tokens=1)
    told.submit("r1", index=1, priority=9)
    told.submit("r2", index=2, priority=9)
    told.step()
    told.desk.abort("r1")
    told.submit("r3", index=3, max_tokens=1)
    told.step()
    waiting = [told.view.waiting["r2"]]
    assert passed_by(waiting, told.view, told.history) == {"r2": 1}
