"""What the dashboard looks like. Text goldens say what stands where; these say how it is coloured.

Each app is an instance with a clock that stands still; nothing moves by itself or blinks.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, closing

import pytest
from tests.tui.searching import at_step, search, search_of
from textual.pilot import Pilot

from batchtui.plugins.runs import RunOptions
from batchtui.plugins.workloads import open_workload
from batchtui.tui.app import BatchtuiApp
from batchtui.tui.demos import Demo, open_demo
from batchtui.tui.sessions import open_session

SnapCompare = Callable[..., bool]
Before = Callable[[Pilot[None]], Awaitable[None]]
Made = Callable[..., BatchtuiApp]

SIZES = [(80, 24), (120, 40), (160, 50)]


def width_of(value: object) -> str | None:
    return str(value[0]) if isinstance(value, tuple) else None


@pytest.fixture
def made() -> Iterator[Made]:
    """Make an app on a workload; its session is closed at the end."""
    with ExitStack() as closed:

        def make(
            step: int | None = 12,
            workload: str = "demo",
            *,
            ascii: bool = False,
            tour: Demo | None = None,
        ) -> BatchtuiApp:
            session = closed.enter_context(
                closing(open_session(open_workload(workload), RunOptions(), asked=workload))
            )
            app = BatchtuiApp(session, start_step=step, ascii=ascii, clock=lambda: 0.0, demo=tour)
            app.animation_level = "none"
            return app

        yield make


async def settled(pilot: Pilot[None]) -> None:
    await pilot.pause()
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


def pressing(*keys: str) -> Before:
    """Press some keys before the picture is taken."""

    async def press(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for key in keys:
            await pilot.press(key)
        await settled(pilot)

    return press


@pytest.mark.parametrize("step", [0, 12])
@pytest.mark.parametrize("size", SIZES, ids=width_of)
def test_the_dashboard(
    snap_compare: SnapCompare, made: Made, size: tuple[int, int], step: int
) -> None:
    """Aligned columns, joined borders, the exceptions of step 12 in colour."""
    assert snap_compare(made(step), terminal_size=size, run_before=settled)


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=width_of)
def test_the_past(snap_compare: SnapCompare, made: Made, size: tuple[int, int]) -> None:
    """Double borders, a chip and a footer of its own."""
    assert snap_compare(made(), terminal_size=size, run_before=pressing("N", "N"))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=width_of)
def test_why(snap_compare: SnapCompare, made: Made, size: tuple[int, int]) -> None:
    """Over the panels below, or docked at the right."""
    assert snap_compare(made(), terminal_size=size, run_before=pressing("3", "home", "w"))


@pytest.mark.parametrize(
    "keys",
    [
        pytest.param(("1", *["down"] * 6, "enter"), id="detail"),
        pytest.param(("question_mark",), id="help"),
        pytest.param(("1", "down", "b", "enter", "3", "down", "b", "enter", "B"), id="breakpoints"),
        pytest.param(("exclamation_mark",), id="lints"),
        pytest.param(("a", *"hello"), id="add"),
        pytest.param(("i",), id="choose"),
    ],
)
def test_what_lies_over_the_dashboard(
    snap_compare: SnapCompare, made: Made, keys: tuple[str, ...]
) -> None:
    """A box in the middle, in the dashboard's own style, with its keys at its foot."""
    assert snap_compare(made(), terminal_size=(80, 24), run_before=pressing(*keys))


def test_the_end(snap_compare: SnapCompare, made: Made) -> None:
    """What the run came to."""

    async def to_the_end(pilot: Pilot[None]) -> None:
        await pilot.press("c")
        while not pilot.app.session.ended:  # type: ignore[attr-defined]  # a BatchtuiApp
            await pilot.pause()
        await settled(pilot)

    assert snap_compare(made(), terminal_size=(80, 24), run_before=to_the_end)


@pytest.mark.parametrize("theme", ["textual-light", "ansi-dark"])
def test_other_colours(snap_compare: SnapCompare, made: Made, theme: str) -> None:
    """Every colour is readable on its background."""
    app = made()
    app.theme = theme
    assert snap_compare(app, terminal_size=(80, 24), run_before=settled)


def test_ascii(snap_compare: SnapCompare, made: Made) -> None:
    """Nothing but ASCII."""
    assert snap_compare(made(ascii=True), terminal_size=(80, 24), run_before=settled)


@pytest.mark.parametrize("name", ["fcfs", "late", "poison"])
def test_a_stage_of_a_tour(snap_compare: SnapCompare, made: Made, name: str) -> None:
    """The first one that the docs have a picture of, with its caption."""
    demo = open_demo(name)
    stage = next(place for place, each in enumerate(demo.script) if each.pictured)
    app = made(None, demo.workload, tour=demo)

    async def go_there(pilot: Pilot[None]) -> None:
        await settled(pilot)
        for _ in range(stage):
            await pilot.press("enter")
            await settled(pilot)

    assert snap_compare(app, terminal_size=(80, 24), run_before=go_there)


# Searches.


Find = Callable[..., BatchtuiApp]


@pytest.fixture
def searched() -> Iterator[Find]:
    """Make an app on a search at a step, or beside the demo; its sessions are closed at the end."""
    with ExitStack() as closed:

        def make(nodes: str | int, step: int, *, beside: bool = False) -> BatchtuiApp:
            said = search(nodes) if isinstance(nodes, str) else search_of(nodes, (17, 44, 4076))
            found = closed.enter_context(closing(at_step(said, step)))
            if not beside:
                app = BatchtuiApp(found, clock=lambda: 0.0)
            else:
                run = open_session(open_workload("demo"), RunOptions(), asked="demo")
                batch = closed.enter_context(closing(run))
                app = BatchtuiApp(batch, beside=found, start_step=12, clock=lambda: 0.0)
            app.animation_level = "none"
            return app

        yield make


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=width_of)
def test_a_search_beside_the_batch(
    snap_compare: SnapCompare, searched: Find, size: tuple[int, int]
) -> None:
    """Letters by rack, a bad node among them; at 160 its tests beside the map."""
    app = searched("gpus", 9, beside=True)
    assert snap_compare(app, terminal_size=size, run_before=pressing("4", "home"))


@pytest.mark.parametrize("size", [(80, 24), (160, 50)], ids=width_of)
def test_a_search_that_runs(
    snap_compare: SnapCompare, searched: Find, size: tuple[int, int]
) -> None:
    """Each test that runs has its letter on the map; passed, failed and expected in colour."""
    assert snap_compare(searched("gpus", 3), terminal_size=size, run_before=pressing("2", "home"))


@pytest.mark.parametrize(
    ("size", "keys"), [((80, 24), ("w",)), ((160, 50), ("end", "[", "w"))], ids=width_of
)
def test_the_proof_of_a_bad_node(
    snap_compare: SnapCompare, searched: Find, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    """Over the panels below; or docked, in the past, with what came later."""
    step = 9 if size[0] == 80 else 12
    app = searched("gpus", step)
    assert snap_compare(app, terminal_size=size, run_before=pressing(*keys))


def test_a_contradiction(snap_compare: SnapCompare, searched: Find) -> None:
    """Two nodes stand out, and nobody is accused."""
    assert snap_compare(searched("link", 4), terminal_size=(80, 24), run_before=settled)


def test_4096_nodes(snap_compare: SnapCompare, searched: Find) -> None:
    """A letter for several nodes: the worst of them."""
    assert snap_compare(searched(4096, 24), terminal_size=(80, 24), run_before=settled)


def test_a_search_on_white(snap_compare: SnapCompare, searched: Find) -> None:
    """Every letter is readable on its background."""
    app = searched("link", 2)
    app.theme = "textual-light"
    assert snap_compare(app, terminal_size=(80, 24), run_before=pressing("home", "right"))


@pytest.fixture(autouse=True)
def _no_blink(monkeypatch: pytest.MonkeyPatch) -> None:
    """A cursor that blinks would be in half of the pictures."""
    monkeypatch.setattr("textual.widgets.Input._toggle_cursor", lambda self: None)
