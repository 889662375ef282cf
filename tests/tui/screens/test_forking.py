"""What is done in the past of a session is done in another one, which repeats it up to there."""

from __future__ import annotations

from collections.abc import Generator

import pytest
from tests.tui.piloting import opened, own, press, settled, shown
from tests.tui.saved import encoded

from batchtui.tui.nodes_session import NodesSession

pytestmark = pytest.mark.anyio


async def test_a_fork_that_comes_out_otherwise_is_not_shown(
    gpus: NodesSession, searches: list[NodesSession], monkeypatch: pytest.MonkeyPatch
) -> None:
    def nothing(*args: object) -> Generator[None, None, None]:
        yield from ()

    def halfway(session: NodesSession) -> NodesSession:
        assert session.refork is not None
        fork = session.refork(())
        fork.rehearsal = nothing()
        searches.append(fork)
        return fork

    monkeypatch.setattr("batchtui.tui.screens.forking.forked", halfway)
    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        await press(pilot, "N", "f")
        assert "no fork: the run does not come out the same again" in shown(pilot)
        assert own(pilot).session is gpus
        assert searches[-1]._closed


async def test_what_a_fault_stopped_cannot_be_changed(gpus: NodesSession) -> None:
    async with opened(gpus, 3) as pilot:
        await settled(pilot)
        gpus.fault = "a bug in the engine: KeyError at ledger.py:1"
        await press(pilot, "home", "x")
        assert "nothing runs any more that could be changed" in shown(pilot)


async def test_escape_on_the_way_to_a_fork_leaves_one_where_one_is(
    gpus: NodesSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("batchtui.tui.screens.running.SLICE_S", -1.0)  # a turn a slice
    monkeypatch.setattr("batchtui.tui.screens.running._BREATH_S", 3600.0)
    async with opened(gpus) as pilot:
        await pilot.press(*["n"] * 9, "N")
        seen = encoded(gpus.view)
        await pilot.press("f")
        assert "RUNNING to the fork" in shown(pilot)
        await pilot.press("space", "space")
        assert own(pilot).session is gpus
        assert encoded(gpus.view) == seen or not own(pilot).is_moving
