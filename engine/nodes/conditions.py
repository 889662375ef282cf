"""The words of nodes in which a breakpoint is set.

fail, pass, inconclusive, end,      a test ended so, ended at all, began, is planned, was refused;
start, plan, refuse                 of the node that follows, by name or number, if one does
condemn, clear, suspect,            a node was found bad, found good, became a suspect, was given
abandon, exclude, contradiction     up, was excluded, is in a contradiction: any, or that one
confirm, overrule, reopen           more tests agreed about a node, outvoted results about it, left
                                    nothing that says what it is: any, or that one
node gpu-017                        anything that happens to that node
test 12                             anything that happens to that test, or follows from it
options                             the strategy, or how many tests run at once, was changed
over                                the search ended
bad, good, suspects, open           how many nodes are so (``undetermined`` is the same as open)
running, tests, rounds              tests that run, that have ended for good; rounds so far
step 12                             the end of the first turn of that step, or of a later one
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any

from batchtui.engine.debugger.conditions import (
    Bound,
    Compares,
    Find,
    Happens,
    Reading,
    Vocabulary,
)
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.history import nodes_in
from batchtui.engine.nodes.names import Names
from batchtui.engine.nodes.probe import Verdict
from batchtui.engine.nodes.view import NodesView

_NUMBER = re.compile(r"[0-9]{1,15}")


# Whom events are about. The subject is a name or a number, or None where any will do; events are
# told apart by their types before they come here, hence ``Any``.


def _about(event: Any, view: NodesView, who: str | None) -> bool:
    return who is None or view.names.find(who) in nodes_in(event)


def _in_test(event: Any, view: NodesView, who: str | None) -> bool:
    return who is None or view.names.find(who) in view.nodes_of(event.test)


def _ended_so(verdict: Verdict) -> Find:
    def find(event: said.TestEnded, view: NodesView, who: str | None) -> bool:
        return event.verdict == verdict and _in_test(event, view, who)

    return find


def _suspected(event: said.SuspectsChanged, view: NodesView, who: str | None) -> bool:
    return bool(event.named) if who is None else view.names.find(who) in event.named


def _is_test(event: Any, view: NodesView, test: int) -> bool:
    return bool(event.test == test)


def _of_test(event: Any, view: NodesView, test: int) -> bool:
    return test in event.tests


def _always(event: Any, view: NodesView, subject: None) -> bool:
    return True


# Figures.


def _figure(read: Callable[[NodesView], float | None]) -> Callable[[str], Bound | None]:
    return lambda text: Bound(Reading(read), int(text)) if _NUMBER.fullmatch(text) else None


def _open(view: NodesView) -> int:
    return view.num_open


def _step(view: NodesView) -> int:
    return view.step if view.phase else -1  # before the first turn step 0 has not begun


_NODE: Mapping[type, Find] = {
    said.TestPlanned: _about,
    said.TestRefused: _about,
    said.TestStarted: _in_test,
    said.TestEnded: _in_test,
    said.NodesCleared: _about,
    said.NodeCondemned: _about,
    said.SuspectsChanged: _about,
    said.ContradictionFound: _about,
    said.NodeAbandoned: _about,
    said.NodesExcluded: _about,
    said.NodeConfirmed: _about,
    said.ResultsOverruled: _about,
    said.NodesReopened: _about,
    said.ContradictionsResolved: _about,
}

_TEST: Mapping[type, Find] = {
    said.TestPlanned: _is_test,
    said.TestStarted: _is_test,
    said.TestEnded: _is_test,
    said.ReplyDiscarded: _is_test,
    said.NodesCleared: _is_test,
    said.NodeCondemned: _is_test,
    said.ContradictionFound: _is_test,
    said.NodeAbandoned: _is_test,
    said.NodeConfirmed: _of_test,
    said.ResultsOverruled: _of_test,
    said.ResultsBelieved: _of_test,
    said.ContradictionsResolved: _of_test,
}

NODES: Vocabulary = {
    "fail": Happens({said.TestEnded: _ended_so("fail")}),
    "pass": Happens({said.TestEnded: _ended_so("pass")}),
    "inconclusive": Happens({said.TestEnded: _ended_so("inconclusive")}),
    "end": Happens({said.TestEnded: _in_test}),
    "start": Happens({said.TestStarted: _in_test}),
    "plan": Happens({said.TestPlanned: _about}),
    "refuse": Happens({said.TestRefused: _about}),
    "condemn": Happens({said.NodeCondemned: _about}),
    "clear": Happens({said.NodesCleared: _about}),
    "suspect": Happens({said.SuspectsChanged: _suspected}),
    "contradiction": Happens({said.ContradictionFound: _about}),
    "abandon": Happens({said.NodeAbandoned: _about}),
    "exclude": Happens({said.NodesExcluded: _about}),
    "confirm": Happens({said.NodeConfirmed: _about}),
    "overrule": Happens({said.ResultsOverruled: _about}),
    "reopen": Happens({said.NodesReopened: _about}),
    "node": Happens(_NODE, "id"),
    "test": Happens(_TEST, "number"),
    "bad": Compares(_figure(lambda view: view.num_bad), "2"),
    "good": Compares(_figure(lambda view: view.num_good), "8"),
    "suspects": Compares(_figure(lambda view: view.num_suspects), "4"),
    "open": Compares(_figure(_open), "10"),
    "undetermined": Compares(_figure(_open), "10"),
    "running": Compares(_figure(lambda view: len(view.running)), "4"),
    "tests": Compares(_figure(lambda view: view.totals.done), "20"),
    "rounds": Compares(_figure(lambda view: view.totals.rounds), "3"),
    "step": Compares(_figure(_step), "12", ">="),
    "options": Happens({said.OptionsChanged: _always}, ""),
    "over": Happens({said.SearchEnded: _always}, ""),
}

NEAR_OF = 20_000
"""Names that one which is not there is held against."""


def vocabulary_of(names: Names) -> Vocabulary:
    """The same words for a search of which the nodes are known: no other can be named."""

    def wrong_with(who: str) -> str:
        if names.find(who) is not None:
            return ""
        known = (each.name for each in islice(names.inventory.nodes, NEAR_OF))
        near = difflib.get_close_matches(who, known, cutoff=0.5)
        return f"no such node: {'near it are ' + ', '.join(near) if near else _some(names)}"

    return {
        word: meaning._replace(wrong_with=wrong_with)
        if isinstance(meaning, Happens) and meaning.subject in ("id", "id?")
        else meaning
        for word, meaning in NODES.items()
    }


def _some(names: Names) -> str:
    return f"there are {len(names):,}, the first is {names.of(0)}"
