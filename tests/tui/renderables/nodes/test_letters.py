"""Letters, legends, and how a set of nodes is called in few cells."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from tests.tui.searching import hostile_inventory, scene_of

from batchtui.engine.nodes import shown
from batchtui.engine.nodes.inventory import Inventory, Node
from batchtui.engine.nodes.marks import MARKS
from batchtui.tui.nodes_session import NodesSession
from batchtui.tui.renderables.glyphs import ASCII
from batchtui.tui.renderables.line import text_of
from batchtui.tui.renderables.nodes.letters import (
    NODES_MARKS,
    legend,
    name_of,
    ranks_of,
    set_words,
    style_of,
)

Find = Callable[..., NodesSession]


@pytest.mark.parametrize(
    ("nodes", "words"),
    [
        ((), "nobody"),
        ((7,), "gpu-007"),
        ((7, 9), "gpu-007+009"),
        ((7, 8), "gpu-007+008"),
        ((7, 8, 9), "gpu-007..009"),
        ((7, 8, 10), "gpu-007 +2"),
        (tuple(range(64)), "gpu-000..063"),
    ],
)
def test_a_set_is_called_by_its_ends(
    gpus: NodesSession, nodes: tuple[int, ...], words: str
) -> None:
    assert set_words(scene_of(gpus), nodes) == words


def test_names_without_a_number_are_given_whole(find: Find) -> None:
    names = ("alpha", "beta", "x9", "y10")
    scene = scene_of(find(Inventory(nodes=tuple(Node(name=name) for name in names))))
    assert set_words(scene, (0, 1)) == "alpha+beta"
    assert set_words(scene, (2, 3)) == "x9+y10"
    assert set_words(scene, (1, 2, 3)) == "beta..y10"


def test_a_long_name_is_cut_and_says_so(find: Find) -> None:
    nodes = (Node(name="a" * 40), Node(name="日" * 20))
    scene = scene_of(find(Inventory(nodes=nodes)))
    assert set_words(scene, (0,), 10) == "aaaaaaaa.."
    assert set_words(scene, (1,), 8) == "日日日.."


def test_a_hostile_name_is_shown_as_its_escape(find: Find) -> None:
    scene = scene_of(find(hostile_inventory()))
    assert name_of(scene, 1) == "b\\x1b[31m\\x070"
    assert name_of(scene, 2) == "c\\u202eevil0"
    assert name_of(scene, 0) == "[bold]a[/]0"
    assert name_of(scene_of(find(hostile_inventory()), glyphs=ASCII), 3).isascii()


def worst(letters: str) -> str:
    return min(letters, key=lambda letter: ranks_of(letter)[0])


def test_of_several_letters_the_worst_is_seen() -> None:
    assert worst("++#.") == shown.BAD
    assert worst("+!?.") == shown.CONTRADICTED
    assert worst("+a?.") == "a"
    assert worst("+?.-") == shown.SUSPECT
    assert worst("+.-") == shown.UNKNOWN
    assert worst("++") == shown.GOOD
    assert worst("+xb") == shown.ABANDONED


def test_every_letter_has_a_style_and_a_test_one_of_its_own() -> None:
    styles = [style_of(letter) for letter in ".?+#!-x"]
    assert len(set(styles)) == 7
    assert style_of("b") not in styles
    assert style_of("Z") == style_of("b")


def test_the_legend_says_only_what_has_room_whole() -> None:
    full = text_of(legend(200))
    assert full == (
        ". untested  in test a-z  ? suspect  + good  # bad  ! contradiction  - excluded  x given up"
    )
    for width in range(len(full) + 1):
        said = text_of(legend(width))
        assert len(said) <= width
        assert full.startswith(said)
        assert full[len(said) :][:2] in ("", "  ") or not said


def test_every_mark_of_the_history_has_its_words() -> None:
    assert set(NODES_MARKS) == set(MARKS) - {"."}
