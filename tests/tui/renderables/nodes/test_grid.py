"""Where each node stands: once, wherever there is room, and found again by its place."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from batchtui.engine.nodes.inventory import Inventory, Node, numbered
from batchtui.tui.renderables.line import cells
from batchtui.tui.renderables.nodes.grid import Grid, grid_of, racks_of

REPEATABLE = settings(derandomize=True, database=None, deadline=None, max_examples=150)


def in_racks(sizes: list[int]) -> Inventory:
    nodes = [
        Node(name=f"{r}-{n}", rack=f"r{r}") for r, size in enumerate(sizes) for n in range(size)
    ]
    return Inventory(nodes=tuple(nodes))


inventories = st.one_of(
    st.integers(1, 4096).map(numbered),
    st.lists(st.integers(1, 70), min_size=1, max_size=20).map(in_racks),
)


def grid(nodes: int, width: int, height: int) -> Grid:
    return grid_of(racks_of(numbered(nodes)), width, height)


@settings(REPEATABLE)
@given(inventory=inventories, width=st.integers(8, 200), height=st.integers(1, 50))
def test_every_node_stands_in_exactly_one_cell_at_any_size(
    inventory: Inventory, width: int, height: int
) -> None:
    made = grid_of(racks_of(inventory), width, height)
    places = list(made.places())
    assert sorted(node for _, _, nodes in places for node in nodes) == list(range(len(inventory)))
    assert len({(row, column) for row, column, _ in places}) == len(places)
    assert all(0 <= column < width for _, column, _ in places)
    assert all(len({inventory.nodes[node].rack for node in nodes}) == 1 for _, _, nodes in places)
    assert max(len(nodes) for _, _, nodes in places) <= made.per


@settings(REPEATABLE, max_examples=40)
@given(
    inventory=inventories,
    width=st.integers(8, 200),
    height=st.integers(1, 50),
    node=st.integers(0, 4095),
)
def test_a_place_and_its_node_find_each_other(
    inventory: Inventory, width: int, height: int, node: int
) -> None:
    made, node = grid_of(racks_of(inventory), width, height), node % len(inventory)
    place = made.place_of(node)
    assert place is not None
    first = made.node_at(*place)
    assert first is not None
    assert made.place_of(first) == place
    assert made.per > 1 or first == node
    assert made.beside(node, 0) == node
    below = made.place_of(made.beside(node, 1))
    assert below is not None
    assert below[0] == min(place[0] + 1, len(made.rows) - 1)


def test_letters_of_pieces_do_not_run_over_the_label_of_the_next() -> None:
    for width in range(20, 120, 7):
        made = grid(300, width, 10)
        for row in made.rows:
            for piece, after in itertools.pairwise(row):
                end = made.column_of(piece, len(piece.cells) - 1)
                assert end + 1 < after.column - (made.label if after.label else 0)


def test_a_place_between_the_letters_is_nobodys() -> None:
    made = grid(64, 76, 10)
    assert made.node_at(0, 0) is None  # the label
    assert made.node_at(0, 10) is None  # a gap
    assert made.node_at(0, 2) == 0
    assert made.node_at(99, 2) is None
    assert made.node_at(-1, 2) is None
    assert made.place_of(64) is None


def test_down_stays_in_its_column_and_stops_at_the_edges() -> None:
    made = grid(64, 76, 10)
    assert made.beside(5, 1) == 21
    assert made.beside(21, -1) == 5
    assert made.beside(5, -1) == 5
    assert made.beside(5, 9) == 53


def test_below_a_longer_rack_is_the_nearest_there_is() -> None:
    made = grid_of(racks_of(in_racks([12, 3])), 40, 10)
    assert made.beside(11, 1) == 14


@pytest.mark.parametrize(
    ("nodes", "width", "height", "shape"),
    [
        (64, 76, 10, (4, True, 1)),
        (64, 76, 2, (2, True, 1)),
        (128, 58, 3, (3, False, 1)),
        (4096, 200, 26, (26, True, 1)),
    ],
)
def test_where_rows_are_few_the_map_gives_up_room_before_letters(
    nodes: int, width: int, height: int, shape: tuple[int, bool, int]
) -> None:
    made = grid(nodes, width, height)
    assert (len(made.rows), made.gap, made.per) == shape


def test_4096_nodes_are_all_in_sight_at_80_columns() -> None:
    made = grid(4096, 76, 7)
    assert len(made.rows) <= 7
    assert made.per == 16
    assert all(not piece.label for row in made.rows for piece in row[1:])
    assert all(row[0].label for row in made.rows)


def test_where_nothing_fits_the_map_is_too_high_and_scrolls() -> None:
    made = grid(4096, 8, 1)
    assert len(made.rows) > 1


def test_racks_stand_in_the_order_in_which_they_first_come() -> None:
    names = [("b", "x"), ("a", "y"), ("c", "x")]
    inventory = Inventory(nodes=tuple(Node(name=name, rack=rack) for name, rack in names))
    assert racks_of(inventory) == (("x", (0, 2)), ("y", (1,)))


def test_a_label_is_as_wide_as_what_is_shown_of_the_rack() -> None:
    inventory = Inventory(nodes=(Node(name="n", rack="日本"), Node(name="m", rack="x\x1b")))
    made = grid_of(racks_of(inventory), 40, 10)
    assert made.label == cells("x\\x1b") == 5
    long = Inventory(nodes=(Node(name="n", rack="a-very-long-name"),))
    assert grid_of(racks_of(long), 40, 10).label == 8
