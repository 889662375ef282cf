"""What an event looks like among the changes of a step: verb, object, reason."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from batchtui.engine.machine import Event
from batchtui.engine.nodes import events as said
from batchtui.engine.nodes.shown import Change, ShownTest, lane_letter

TESTS = {"pass": "passed", "fail": "failed", "inconclusive": "inconclusive"}
"""The verbs of tests that have ended, by verdict."""

CLEARED = "cleared"

_MOST_NAMED = 6

ENDINGS: dict[said.Ended, str] = {
    "identified": "every node is known",
    "at_most_one_good": "every pair has failed: at most one node is good",
    "time_budget": "no time is left for another test",
    "inconclusive": "no test could be made",
    "refused": "every set that was proposed breaks a rule",
    "exhausted": "nothing is left that would tell more",
}
"""Why a search is over."""


def changes_of(event: Event, test: ShownTest | None) -> Iterator[Change]:
    """The lines that an event has; ``test`` is the one that it begins or ends."""
    tell = _TELLS.get(type(event))
    if tell is not None:
        yield from tell(event, test)


def tests_words(tests: Sequence[int]) -> str:
    """``T3, T5``; of many the first ones, and how many more."""
    more = f" and {len(tests) - _MOST_NAMED:,} more" if len(tests) > _MOST_NAMED else ""
    return ", ".join(f"T{test}" for test in tests[:_MOST_NAMED]) + more


def verb_of(event: Event) -> str:
    """The verb of an event that has one line, "" for one that may have another number of them."""
    if isinstance(event, said.TestEnded):
        return TESTS[event.verdict]
    if isinstance(event, said.NodesCleared):
        return "" if event.acquitted else CLEARED
    return _VERBS.get(type(event), "")


def _planned(event: said.TestPlanned, test: None) -> Iterator[Change]:
    why = f"round {event.round}: {event.why}"
    yield _change(event, _VERBS[said.TestPlanned], event.test, event.nodes, why)


def _started(event: said.TestStarted, test: ShownTest | None) -> Iterator[Change]:
    nodes = test.nodes if test is not None else ()
    yield _change(
        event, _VERBS[said.TestStarted], event.test, nodes, f"as {lane_letter(event.lane)}"
    )


def _ended(event: said.TestEnded, test: ShownTest | None) -> Iterator[Change]:
    parts = [event.reason.replace("_", " ")] if event.reason else []
    if event.busbw_gbs is not None:
        parts.append(f"{event.busbw_gbs:.4g} GB/s")
    parts += ["will be made again"] if event.again else []
    parts += [test.why] if test is not None and not event.counts else []
    nodes = test.nodes if test is not None else ()
    yield _change(event, TESTS[event.verdict], event.test, nodes, ", ".join(parts))


def _cleared(event: said.NodesCleared, test: None) -> Iterator[Change]:
    if event.acquitted:
        yield _change(event, "acquitted", event.test, event.acquitted, f"passed in T{event.test}")
    acquitted = set(event.acquitted)
    others = tuple(node for node in event.nodes if node not in acquitted)
    if others:
        yield _change(event, CLEARED, event.test, others, f"passed in T{event.test}")


def _condemned(event: said.NodeCondemned, test: None) -> Iterator[Change]:
    why = f"nobody else of T{event.test} is left to blame"
    yield _change(event, _VERBS[said.NodeCondemned], event.test, (event.node,), why)


def _suspects(event: said.SuspectsChanged, test: None) -> Iterator[Change]:
    if event.named:
        yield _change(event, "suspected", None, event.named, "in a set that failed")
    if event.released:
        yield _change(event, "released", None, event.released, "in no clause any more")


def _contradicted(event: said.ContradictionFound, test: None) -> Iterator[Change]:
    why = "it failed, and every member passed elsewhere"
    yield _change(event, "contradicted", event.test, event.nodes, why)


def _resolved(event: said.ContradictionsResolved, test: None) -> Iterator[Change]:
    why = f"somebody is to blame for {tests_words(event.tests)}, or it is not believed any more"
    yield _change(event, "resolved", None, event.nodes, why)


def _confirming(event: said.ConfirmationBegan, test: None) -> Iterator[Change]:
    time = f", time {event.time}" if event.time > 1 else ""
    yield _change(event, "confirming", None, (), f"what was found is tested again{time}")


def _confirmation_ended(event: said.ConfirmationEnded, test: None) -> Iterator[Change]:
    if event.overruled:
        why = "results were overruled, so what is open again is searched"
        yield _change(event, "searching", None, (), why)


def _confirmed(event: said.NodeConfirmed, test: None) -> Iterator[Change]:
    what = "bad" if event.bad else "good"
    why = f"{what} in {len(event.tests)} of {event.votes} votes"
    yield _change(event, _VERBS[said.NodeConfirmed], None, (event.node,), why)


def _overruled(event: said.ResultsOverruled, test: None) -> Iterator[Change]:
    why = f"{event.won} of {event.votes} votes say otherwise than {tests_words(event.tests)}"
    yield _change(event, _VERBS[said.ResultsOverruled], None, (event.node,), why)


def _reopened(event: said.NodesReopened, test: None) -> Iterator[Change]:
    why = "nothing that is believed says what they are"
    yield _change(event, _VERBS[said.NodesReopened], None, event.nodes, why)


def _abandoned(event: said.NodeAbandoned, test: None) -> Iterator[Change]:
    why = f"T{event.test} was inconclusive every time"
    yield _change(event, "given up", event.test, (event.node,), why)


def _excluded(event: said.NodesExcluded, test: None) -> Iterator[Change]:
    yield _change(event, "excluded", None, event.nodes, "not to be touched any more")


def _refused(event: said.TestRefused, test: None) -> Iterator[Change]:
    yield _change(event, "refused", None, event.nodes, event.rule.replace("_", " "))


def _options(event: said.OptionsChanged, test: None) -> Iterator[Change]:
    yield _change(event, "options", None, (), f"{event.strategy}, {event.max_parallel} at once")


def _chosen(event: said.StrategyChosen, test: None) -> Iterator[Change]:
    yield _change(event, "chosen", None, (), event.why)


def _discarded(event: said.ReplyDiscarded, test: None) -> Iterator[Change]:
    yield _change(event, "discarded", event.test, (), "a reply that nobody waited for")


def _over(event: said.SearchEnded, test: None) -> Iterator[Change]:
    yield _change(event, "ended", None, (), ENDINGS[event.reason])


def _change(
    event: Event, verb: str, test: int | None, nodes: tuple[int, ...], reason: str
) -> Change:
    return Change(phase=event.phase, verb=verb, test=test, nodes=nodes, reason=reason)


_VERBS: dict[type[Event], str] = {
    said.TestPlanned: "planned",
    said.TestStarted: "started",
    said.NodeCondemned: "condemned",
    said.NodeConfirmed: "confirmed",
    said.ResultsOverruled: "overruled",
    said.NodesReopened: "reopened",
}

_TELLS: dict[type[Event], Callable[[Any, Any], Iterator[Change]]] = {
    said.TestPlanned: _planned,
    said.TestStarted: _started,
    said.TestEnded: _ended,
    said.NodesCleared: _cleared,
    said.NodeCondemned: _condemned,
    said.SuspectsChanged: _suspects,
    said.ContradictionFound: _contradicted,
    said.ContradictionsResolved: _resolved,
    said.ConfirmationBegan: _confirming,
    said.ConfirmationEnded: _confirmation_ended,
    said.NodeConfirmed: _confirmed,
    said.ResultsOverruled: _overruled,
    said.NodesReopened: _reopened,
    said.NodeAbandoned: _abandoned,
    said.NodesExcluded: _excluded,
    said.TestRefused: _refused,
    said.OptionsChanged: _options,
    said.StrategyChosen: _chosen,
    said.ReplyDiscarded: _discarded,
    said.SearchEnded: _over,
}
