"""The keys of the dashboard, by a pilot; no timer runs in these but where a test waits for it."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from rich.style import Style
from tests.tui.piloting import dashboard, opened, shown
from textual import events

from batchtui.engine.machine import Turn
from batchtui.tui.actions import ACTIONS
from batchtui.tui.app import BatchtuiApp
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.renderables.line import text_of
from batchtui.tui.renderables.scene import Mode
from batchtui.tui.screens.dashboard import DashboardScreen
from batchtui.tui.screens.help import HelpScreen
from batchtui.tui.screens.stopping import INTERRUPT_HINT
from batchtui.tui.widgets.panel import STYLES, Panel
from batchtui.tui.widgets.queue import QueuePanel
from batchtui.tui.widgets.slots import SlotsPanel

pytestmark = pytest.mark.anyio

PANELS_OF_THE_SCREEN = (
    *("top", "ribbon", "changed", "slots", "queue", "ended", "nodes", "evals", "dock", "footer"),
)

OpenCase = Callable[..., BatchSession]


def wheel_down(panel: Panel) -> events.MouseScrollDown:
    return events.MouseScrollDown(panel, 1, 1, 0, 1, 0, False, False, False)


async def test_it_opens_before_the_first_decision(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        assert "[BATCH]" in shown(pilot)
        assert "n makes the first step" in shown(pilot)


async def test_it_opens_paused_at_the_end_of_the_step_asked_for(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        assert demo.step == 12
        assert "[BATCH 12]" in shown(pilot)
        assert "PAUSED" in shown(pilot)


async def test_n_makes_one_step(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("n")
        assert "[BATCH 0]" in shown(pilot)
        await pilot.press("n")
        assert "[BATCH 1]" in shown(pilot)
        assert "[DELIVER]" in shown(pilot)


async def test_s_makes_one_phase(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("s")
        assert "[ADMIT] call" in shown(pilot)
        await pilot.press("s")
        assert "admit [CALL]" in shown(pilot)


async def test_space_runs_and_pauses(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("space")
        assert dashboard(pilot).mode is Mode.RUNNING
        assert "RUNNING 5/s" in shown(pilot)
        await pilot.press("space")
        assert dashboard(pilot).mode is Mode.PAUSED
        assert demo.step == 0


async def test_a_step_during_a_free_run_pauses_it(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("space", "n")
        assert dashboard(pilot).mode is Mode.PAUSED
        assert demo.step == 1


async def test_plus_and_minus_change_the_speed(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("+")
        assert "speed 10/s" in shown(pilot)
        await pilot.press("-", "-")
        assert "speed 2/s" in shown(pilot)


async def test_as_fast_as_it_goes_runs_to_the_end(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("+", "+", "+", "space")
        while not demo.ended:
            await pilot.pause()
        await pilot.pause()
        assert "ENDED" in shown(pilot)
        assert dashboard(pilot).mode is Mode.ENDED


async def test_ctrl_c_pauses_a_run_and_never_quits(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.press("space", "ctrl+c")
        assert dashboard(pilot).mode is Mode.PAUSED
        assert INTERRUPT_HINT not in shown(pilot)
        await pilot.press("ctrl+c")
        assert INTERRUPT_HINT in shown(pilot)
        assert pilot.app.is_running


async def test_a_hint_is_gone_after_the_next_key(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        for key in ("n", "j", "3"):
            await pilot.press("ctrl+c", key)
            assert INTERRUPT_HINT not in shown(pilot)
            assert "n step" in shown(pilot)


async def test_help_shows_every_action_and_closes(demo: BatchSession) -> None:
    async with opened(demo, size=(100, 80)) as pilot:
        await pilot.press("?")
        assert isinstance(pilot.app.screen, HelpScreen)
        for action in ACTIONS:
            assert action.description in shown(pilot)
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, DashboardScreen)


async def test_help_shows_a_key_that_was_remapped(demo: BatchSession) -> None:
    async with opened(demo, size=(100, 60)) as pilot:
        pilot.app.set_keymap({"step": "x"})
        await pilot.press("x")
        assert demo.step == 0
        await pilot.press("?")
        assert re.search(r"│ +x +Make one step", shown(pilot))


@pytest.mark.parametrize("key", [":", "ctrl+p"])
async def test_the_palette_has_every_action(demo: BatchSession, key: str) -> None:
    async with opened(demo) as pilot:
        commands = {command.help for command in pilot.app.get_system_commands(pilot.app.screen)}
        assert commands >= {a.description for a in ACTIONS if a.name != "palette"}
        await pilot.press(key)
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press(*"phase")
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
        await pilot.press("enter")
        await pilot.pause()
        assert demo.view.phase == "admit"


@pytest.mark.parametrize("key", ["q", "ctrl+q"])
async def test_q_quits_with_success(demo: BatchSession, key: str) -> None:
    async with opened(demo) as pilot:
        await pilot.press(key)
    assert not pilot.app.is_running
    assert pilot.app.return_code == 0


async def test_a_click_on_the_footer_is_its_key(demo: BatchSession) -> None:
    async with opened(demo) as pilot:
        await pilot.click("#footer", offset=(2, 1))
        assert demo.step == 0


async def test_nothing_is_scheduled_while_paused(demo: BatchSession) -> None:
    async with opened(demo, 3) as pilot:
        await pilot.press("space", "space", "n")
        timers = dashboard(pilot)._timers
        assert [timer.name for timer in timers if timer._active.is_set()] == []


async def test_the_same_moment_is_not_painted_twice(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(demo, 3) as pilot:
        drawn: list[str] = []
        monkeypatch.setattr(Panel, "show", lambda panel, scene: drawn.append(panel.id))
        dashboard(pilot).paint()
        assert drawn == []
        demo.advance_phase()
        dashboard(pilot).paint()
        assert drawn == list(PANELS_OF_THE_SCREEN)


@pytest.mark.parametrize("size", [(20, 10), (20, 3), (33, 7), (160, 50), (240, 100), (1, 1)])
async def test_it_is_drawn_at_any_size(demo: BatchSession, size: tuple[int, int]) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.resize_terminal(*size)
        await pilot.pause()
        assert shown(pilot)
        await pilot.press("n", "s")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "[BATCH 14]" in shown(pilot)


async def test_20_columns_keep_the_step_the_slots_and_the_state(demo: BatchSession) -> None:
    async with opened(demo, 12, size=(20, 10)) as pilot:
        assert "[BATCH 12]" in shown(pilot)
        assert "PAUSED" in shown(pilot)
        assert "3 D" in shown(pilot)


async def test_slots_and_queue_scroll_with_keys_and_wheel(open_case: OpenCase) -> None:
    requests = [{"request_id": f"r{n}", "prompt": "p", "calls": [["a"]] * 9} for n in range(60)]
    async with opened(open_case(requests, slots=40), 1) as pilot:
        slots, queue = pilot.app.query_one(SlotsPanel), pilot.app.query_one(QueuePanel)
        await pilot.press("j", "j", "k")
        assert (slots.top, dashboard(pilot).choice.slot) == (0, 0)
        await pilot.press(*["pagedown"] * 6)
        assert "39 D" in shown(pilot)
        assert dashboard(pilot).choice.request_id == "r39"
        await pilot.press("3", "home", "end")
        assert queue.has_focus
        assert dashboard(pilot).choice.request_id == "r59"
        assert queue.top == 20 - queue.page
        await pilot.press(*["pageup"] * 9)
        assert (queue.top, dashboard(pilot).choice.request_id) == (0, "r40")
        queue.post_message(wheel_down(queue))
        await pilot.pause()
        assert queue.top == 2


async def test_3_changes_queue_and_ended(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        assert "3 QUEUE" in shown(pilot)
        await pilot.press("3", "3")
        assert "3 ENDED" in shown(pilot)
        assert "3 QUEUE" not in shown(pilot)
        await pilot.press("3")
        assert "3 QUEUE" in shown(pilot)
        assert "3 ENDED" not in shown(pilot)


@pytest.mark.parametrize(("key", "panel"), [("1", "slots"), ("4", "nodes"), ("5", "evals")])
async def test_a_digit_gives_its_panel_the_keys(demo: BatchSession, key: str, panel: str) -> None:
    async with opened(demo, 12) as pilot:
        await pilot.press("3", key)
        assert dashboard(pilot).choice.panel == panel
        assert dashboard(pilot).focused_panel.has_focus


async def test_tab_goes_round_the_panels_and_back(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        seen = []
        for key in ["tab"] * 5 + ["shift+tab"]:
            await pilot.press(key)
            seen.append(dashboard(pilot).choice.panel)
        assert seen == ["queue", "ended", "nodes", "evals", "slots", "evals"]


async def test_at_the_end_the_screen_says_what_the_run_came_to(demo: BatchSession) -> None:
    async with opened(demo, 10_000) as pilot:
        while not demo.ended:
            await pilot.pause()
        await pilot.pause()
        assert "20 requests done" in shown(pilot)
        await pilot.press("3", "3")
        assert "3 ENDED 20" in shown(pilot)


async def test_on_the_way_to_a_step_the_screen_says_to_which(open_case: OpenCase) -> None:
    requests = [{"request_id": "r", "prompt": "p", "max_tokens": 900, "calls": [["a"]] * 900}]
    ticks = iter(range(10_000))
    app = BatchtuiApp(open_case(requests), start_step=800, clock=lambda: float(next(ticks)))
    async with app.run_test() as pilot:
        assert "RUNNING to 800" in shown(pilot)


async def test_model_text_does_not_style_the_screen(open_case: OpenCase) -> None:
    hostile = "[red on blue]x[/]\x1b[31m\x07"
    session = open_case([{"request_id": "r1", "prompt": "p", "calls": [[hostile], ["b"]]}])
    async with opened(session, size=(120, 24)) as pilot:
        await pilot.press("n")
        assert "[red on blue]x[/]\\x1b[31m\\x07" in shown(pilot)
        panel = pilot.app.query_one(SlotsPanel)
        known = {panel._style(name) for name in ("", *STYLES)}
        used = {
            segment.style for row in range(panel.size.height) for segment in panel.render_line(row)
        }
        assert used <= known
        assert Style.parse("red on blue") not in used


async def test_a_bug_of_the_engine_leaves_the_screen_standing(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> Turn:
        raise KeyError("a secret prompt")

    async with opened(demo, 5) as pilot:
        assert demo.run is not None
        monkeypatch.setattr(demo.run.simulation, "advance", fail)
        await pilot.press("n")
        assert "STOPPED" in shown(pilot)
        assert "a bug in the engine: KeyError" in shown(pilot)
        assert "secret" not in shown(pilot)


async def test_a_crash_says_where_and_never_what(
    demo: BatchSession, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def crash(panel: Panel, scene: object) -> None:
        raise ValueError("a secret prompt")

    app = BatchtuiApp(demo)
    with pytest.raises(ValueError, match="secret"):
        async with app.run_test() as pilot:
            monkeypatch.setattr(Panel, "show", crash)
            await pilot.press("n")
    said = capsys.readouterr().err
    assert "batchtui crashed: ValueError" in said
    assert "test_dashboard.py" in said
    assert "secret" not in said
    assert app.return_code == 1


async def test_both_themes_colour_every_style_name(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        panel = pilot.app.query_one(SlotsPanel)
        seen = []
        for theme in ("textual-dark", "textual-light"):
            pilot.app.theme = theme
            await pilot.pause()
            seen.append({name: panel._style(name) for name in STYLES})
        assert all(seen[0][name] != seen[1][name] for name in STYLES)


async def test_the_screen_is_made_of_few_widgets(demo: BatchSession) -> None:
    async with opened(demo, 12) as pilot:
        assert len(pilot.app.query("*")) <= 12
        assert all(text_of(line) for line in pilot.app.query_one(SlotsPanel)._lines)
