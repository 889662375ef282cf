"""What cannot be told, in words."""

from __future__ import annotations

from batchtui.engine.nodes.inventory import numbered
from batchtui.engine.nodes.ledger import Ledger
from batchtui.engine.nodes.report import findings_of
from batchtui.tui.doubts import clause_words, contradiction_words, doubts

NODES = numbered(8)


def test_a_small_clause_is_spelled_out_and_a_large_one_folded() -> None:
    assert clause_words((1, 2), NODES) == "cannot tell: gpu-001 or gpu-002"
    assert clause_words((1, 2, 5), NODES) == "cannot tell: gpu-001, gpu-002 or gpu-005"
    assert clause_words((1, 2, 3, 4), NODES) == (
        "cannot tell: at least one of gpu-[001-004] is bad"
    )


def test_a_contradiction_accuses_nobody_and_names_a_link() -> None:
    assert contradiction_words((4, 5), NODES) == (
        "contradiction: gpu-[004-005] failed together, and each passed elsewhere: a flaky node, "
        "the link between them, or a fault of scale; nobody is accused"
    )
    assert "a link between two of them" in contradiction_words((1, 4, 5), NODES)


def test_nothing_is_said_where_all_is_known() -> None:
    ledger = Ledger(4)
    ledger.add(1, (0, 1, 2, 3), "pass")
    assert list(doubts(findings_of(ledger, set()), NODES)) == []


def test_a_clause_that_is_left_is_told() -> None:
    ledger = Ledger(4)
    ledger.add(1, (0, 1), "pass")
    ledger.add(2, (2, 3), "fail")
    found = findings_of(ledger, set())
    assert list(doubts(found, numbered(4))) == ["cannot tell: gpu-002 or gpu-003"]
    ledger.add(3, (0, 2), "pass")
    ledger.add(4, (1, 3), "pass")
    (words,) = doubts(findings_of(ledger, set()), numbered(4))
    assert words.startswith("contradiction: gpu-[002-003]")
