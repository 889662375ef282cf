"""What is picked of a search, and what follows from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from tests.tui.searching import at_step, hostile_inventory, to_end

from batchtui.engine.nodes.inventory import Inventory, Node
from batchtui.tui.nodes_picks import NodesPicks, test_named
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.nodes.grid import grid_of
from batchtui.tui.renderables.scene import NodesChoice

test_named.__test__ = False  # type: ignore[attr-defined]  # no test of ours

Find = Callable[..., NodesSession]


@pytest.fixture
def picks(gpus: NodesSession) -> Iterator[NodesPicks]:
    yield NodesPicks(gpus)


def test_what_is_picked_stays_among_the_nodes(picks: NodesPicks) -> None:
    picks.move_aside(-1)
    assert picks.choice.node == 0
    picks.move_aside(-1)
    assert picks.choice.node == 0
    picks.pick_last()
    picks.move_aside(5)
    assert picks.choice.node == 63
    picks.pick(-7)
    assert picks.choice.node == 0


def test_down_is_by_rows_of_the_map(picks: NodesPicks) -> None:
    grid = grid_of(picks.session.racks, 76, 10)
    picks.move_down(grid, 1)
    assert picks.choice.node == 0
    picks.move_down(grid, 2)
    assert picks.choice.node == 32


def test_why_picks_somebody_where_nobody_is(picks: NodesPicks) -> None:
    at_step(picks.session, 9)
    picks.ask_why()
    picks.look_again()
    assert picks.choice.node == 17
    assert picks.explanation is not None
    assert picks.explanation.title == "gpu-017 is bad"
    picks.ask_why()
    picks.look_again()
    assert picks.explanation is None


def test_it_is_explained_anew_only_when_something_has_changed(
    picks: NodesPicks, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(type(picks.session), "why", lambda self, node: asked.append(node))
    picks.pick(3)
    picks.ask_why()
    picks.look_again()
    picks.look_again()
    assert asked == [3]
    picks.session.advance_step()
    picks.look_again()
    assert asked == [3, 3]


def test_to_clear_says_whether_there_was_anything(picks: NodesPicks) -> None:
    assert not picks.clear()
    picks.choice = NodesChoice("tests", 3, 4)
    assert picks.clear()
    assert picks.choice == NodesChoice("tests")


@pytest.mark.parametrize(
    ("choice", "condition"),
    [
        (NodesChoice(), ""),
        (NodesChoice("map", 17), "node gpu-017"),
        (NodesChoice("tests", 17, 4), "test 4"),
        (NodesChoice("tests", 17), "node gpu-017"),
    ],
)
def test_its_condition_is_one_that_breakpoints_take(
    picks: NodesPicks, choice: NodesChoice, condition: str
) -> None:
    picks.choice = choice
    assert picks.condition == condition
    if condition:
        picks.session.debugger.breakpoints.parse(condition)


def test_a_name_that_is_no_word_is_quoted(find: Find) -> None:
    picks = NodesPicks(find(hostile_inventory()))
    for node in range(len(picks.session.inventory)):
        picks.pick(node)
        assert picks.condition == f'node "{picks.session.inventory.nodes[node].name}"'


def test_the_bad_ones_are_copied_and_never_whoever_is_picked(picks: NodesPicks) -> None:
    picks.pick(3)
    assert picks.copied() == ""
    to_end(picks.session)
    assert picks.copied() == "gpu-[017,051]"


def test_the_tables_are_of_the_moment(picks: NodesPicks) -> None:
    to_end(picks.session)
    at_step(picks.session, 2)
    table = picks.table()
    assert table[0] == ["node", "rack", "state", "by test", "prior"]
    assert table[1] == ["gpu-000", "A", "good", "T2", "1"]
    assert table[18][2:4] == ["suspect", ""]
    picks.choice = NodesChoice("tests")
    tests = picks.table()
    assert [row[0] for row in tests[1:]] == ["T1", "T2", "T3"]
    assert tests[1][6] == "gpu-[000-063]"


def test_what_is_named_is_found_and_picked(picks: NodesPicks) -> None:
    to_end(picks.session)
    turn = picks.find_place("gpu-017")
    assert turn is not None
    picks.session.look(lambda debugger: debugger.to_turn(turn))
    assert picks.session.step == 9
    assert picks.find_place("T3") == 7
    assert picks.find_place("17") == turn
    for text in ("T99", "nobody", "", "T", "gpu-9999"):
        assert picks.find_place(text) is None
    picks.show_place("T3")
    assert picks.choice == NodesChoice("tests", None, 3)
    picks.show_place("gpu-017")
    assert picks.choice == NodesChoice("map", 17, 3)
    picks.show_place("nobody")
    assert picks.choice == NodesChoice("map", 17, 3)


def test_a_node_that_is_called_like_a_test_is_found_as_a_test(find: Find) -> None:
    nodes = tuple(Node(name=f"t{number}") for number in range(4))
    picks = NodesPicks(to_end(find(Inventory(nodes=nodes), (1,))))
    picks.show_place("t2")
    assert picks.choice.test == 2


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("T12", 12),
        ("t1", 1),
        ("T", None),
        ("12", None),
        ("Tx", None),
        ("T٣", None),
        ("T" + "9" * 10, None),
    ],
)
def test_a_test_is_named_by_its_number(text: str, number: int | None) -> None:
    assert test_named(text) == number
