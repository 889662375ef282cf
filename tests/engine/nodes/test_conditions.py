"""The words in which a breakpoint is set: what each hits, and where."""

from __future__ import annotations

import pytest
from tests.engine.nodes.film import NOTHING, Film, config, configured, faultless, scripted

from batchtui.engine.debugger.breakpoints import Breakpoints
from batchtui.engine.debugger.cursor import Cursor
from batchtui.engine.debugger.phrase import parse
from batchtui.engine.errors import InputError
from batchtui.engine.nodes.conditions import NODES, vocabulary_of
from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.names import Names
from batchtui.engine.nodes.view import NodesView


def hits(text: str, film: Film) -> list[int]:
    """The turns, from 1, after which some words would stop the search."""
    breakpoints: Breakpoints[NodesView] = Breakpoints(NODES)
    breakpoints.add(text)
    breakpoints.start(film.timeline.view_at(0))
    return [
        turn
        for turn, record in enumerate(film.records, 1)
        if breakpoints.check(record, film.timeline.view_at(turn))
    ]


@pytest.fixture
def found() -> Film:
    """T1 (a, b) passes, T2 (c, d) fails; then b and d pass, so T2 condemns c; a and c fail."""
    return Film(config(4), faultless({2})).run()


def phases(film: Film, turns: list[int]) -> list[str]:
    return [film.records[turn - 1].phase for turn in turns]


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("pass", 2),
        ("fail", 2),
        ("end", 4),
        ("plan", 2),
        ("start", 2),
        ("condemn", 1),
        ("clear", 2),
        ("suspect", 1),
        ("contradiction", 0),
        ("abandon", 0),
        ("exclude", 0),
        ("refuse", 0),
        ("inconclusive", 0),
        ("options", 0),
        ("over", 1),
    ],
)
def test_a_happening_hits_in_each_turn_that_has_one(text: str, count: int, found: Film) -> None:
    assert len(hits(text, found)) == count


@pytest.mark.parametrize(
    ("text", "phase"),
    [
        ("condemn c", ["deduce"]),
        ("condemn 2", ["deduce"]),
        ("condemn d", []),
        ("pass a", ["deduce"]),
        ("fail d", ["deduce"]),
        ("pass d", ["deduce"]),
        ("start c", ["run", "run"]),
        ("plan nobody", []),
        ('suspect "d"', ["deduce"]),
        ("clear d", ["deduce"]),
        ("test 2", ["plan", "run", "deduce", "deduce"]),
        ("bad >= 1", ["deduce"]),
        ("good >= 2", ["deduce"]),
        ("open = 0", ["deduce"]),
        ("undetermined < 3", ["deduce"]),
        ("suspects > 0", ["deduce"]),
        ("running > 1", ["run", "run"]),
        ("tests >= 4", ["deduce"]),
        ("rounds = 2", ["deduce"]),
        ("step 1", ["plan"]),
        ("fail and bad >= 1", ["deduce"]),
    ],
)
def test_a_condition_hits_where_it_says(text: str, phase: list[str], found: Film) -> None:
    assert phases(found, hits(text, found)) == phase


def test_a_node_hits_whatever_happens_to_it(found: Film) -> None:
    assert hits("node c", found) == hits("node 2", found)
    every = ["plan", "run", "deduce", "plan", "run", "deduce", "deduce"]
    assert phases(found, hits("node c", found)) == every
    assert hits("node 77", found) == []


def test_tests_that_end_by_the_hundred_are_told_apart() -> None:
    film = Film(config(26, inventory=many(400)), faultless({7})).run()
    assert len(hits("pass gpu-000", film)) >= 1
    assert phases(film, hits("fail gpu-007", film))[:1] == ["deduce"]


def many(count: int) -> dict[str, object]:
    return {"nodes": [{"name": f"gpu-{i:03}"} for i in range(count)]}


def test_what_goes_wrong_has_words_of_its_own() -> None:
    changes = [configured(0, exclude=[3]), configured(1, max_parallel=1)]
    film = Film(config(4), scripted("pass", *NOTHING), changes).run()
    assert phases(film, hits("abandon c", film)) == ["deduce"]
    assert phases(film, hits("exclude d", film)) == ["plan"]
    assert phases(film, hits("options", film)) == ["plan"]
    assert len(hits("inconclusive", film)) == 2
    contradicted = Film(config(4), scripted("pass", "fail", "pass", "pass")).run()
    assert phases(contradicted, hits("contradiction", contradicted)) == ["deduce"]
    assert hits("contradiction d", contradicted) == hits("contradiction", contradicted)
    assert hits("contradiction a", contradicted) == []


def test_what_a_confirmation_does_has_words_of_its_own() -> None:
    """T3 (a, e) fails by chance; votes acquit e. T1 (a, b) is believed throughout."""
    plan = [[[0, 1], [2, 3]], [[0, 4]]]
    verdicts = scripted("pass", "pass", "fail")
    film = Film(config(5, strategy="plan", plan=plan, confirms=True), verdicts).run()
    assert phases(film, hits("overrule", film)) == ["deduce"]
    assert hits("overrule e", film) == hits("overrule", film)
    assert hits("overrule a", film) == []
    assert hits("confirm e", film) == hits("overrule e", film)
    assert hits("reopen", film) == []
    assert hits("overrule", film)[0] in hits("test 3", film)
    assert hits("overrule", film)[0] not in hits("test 1", film)
    assert hits("overrule", film)[0] in hits("node e", film)


def test_a_search_back_finds_the_last_hit(found: Film) -> None:
    breakpoints: Breakpoints[NodesView] = Breakpoints(NODES)
    breakpoints.add("condemn")
    cursor = Cursor(found.timeline)
    found_at = [turn for turn in cursor.find_back(breakpoints.start, breakpoints.hit) if turn]
    assert found_at == hits("condemn", found)


def test_a_wrong_word_is_told_what_is_right() -> None:
    with pytest.raises(InputError, match="did you mean `condemn`"):
        Breakpoints(NODES).add("condem gpu-017")
    with pytest.raises(InputError, match="`test` wants a number"):
        Breakpoints(NODES).add("test x")
    with pytest.raises(InputError, match="`bad` wants a value such as 2"):
        Breakpoints(NODES).add("bad >= many")


def test_a_node_that_there_is_not_is_refused_where_the_nodes_are_known() -> None:
    words = vocabulary_of(Names(numbered(8)))
    for text in (
        "fail gpu-003",
        "fail 3",
        "node gpu-007",
        "condemn and bad >= 1",
        'fail "gpu-001"',
    ):
        parse(text, words)
    for text in ("fail gpu-999", 'fail "gpu-999"'):
        with pytest.raises(
            InputError, match=r"'.?gpu-999.?' at place 6: no such node: near it are"
        ):
            parse(text, words)
    with pytest.raises(InputError, match="no such node: there are 8, the first is gpu-000"):
        parse("bad >= 1 and node x", words)
    with pytest.raises(InputError, match="'8' at place 6: no such node"):
        parse("fail 8", words)
