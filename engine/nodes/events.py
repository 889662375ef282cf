"""What a search decides, in the past tense. Nodes are indices into the inventory."""

from __future__ import annotations

from typing import Literal

from batchtui.engine.machine import Count, Event
from batchtui.engine.nodes.probe import Reason, Verdict
from batchtui.engine.nodes.rules import Rule

Ended = Literal[
    "identified", "at_most_one_good", "time_budget", "inconclusive", "refused", "exhausted"
]
"""Why a search is over: every node is known; every pair failed; no time for another test; no test
could be made; every set that was proposed breaks a rule; nothing is left that would tell more."""


class TestPlanned(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A set is to be tested. ``round`` counts from 1; ``attempt`` too."""

    test: Count
    nodes: tuple[Count, ...]
    round: Count
    why: str
    attempt: Count = 1


class TestRefused(Event, frozen=True, kw_only=True):
    """A set that was proposed breaks a rule, and is not tested."""

    nodes: tuple[int, ...]
    rule: Rule
    node: int


class TestStarted(Event, frozen=True, kw_only=True):
    """A planned test has begun. Of those that run at once no two have the same ``lane``, from 0."""

    test: Count
    lane: Count


class TestEnded(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A test has ended; ``duration_us`` from its start. ``again`` says that it will be made again,
    since it proved nothing; ``counts`` that the ledger takes it in: one that confirms what was
    found does not, before ``ResultsBelieved`` says so."""

    test: Count
    verdict: Verdict
    duration_us: Count
    reason: Reason = ""
    busbw_gbs: float | None = None
    again: bool = False
    counts: bool = True


class ReplyDiscarded(Event, frozen=True, kw_only=True):
    """A reply came for a test that has ended: it says nothing any more."""

    test: int


class NodesCleared(Event, frozen=True, kw_only=True, omit_defaults=True):
    """A test passed, so its members are good. ``acquitted`` had been called bad before."""

    test: Count
    nodes: tuple[Count, ...]
    acquitted: tuple[Count, ...] = ()


class NodeCondemned(Event, frozen=True, kw_only=True):
    """Every other member of a failed test is known to be good, so this one is bad."""

    test: Count
    node: Count


class SuspectsChanged(Event, frozen=True, kw_only=True, omit_defaults=True):
    """Nodes stand in a clause that somebody has to answer for, or in none any more."""

    named: tuple[Count, ...] = ()
    released: tuple[Count, ...] = ()


class ContradictionFound(Event, frozen=True, kw_only=True):
    """A test failed whose members all passed elsewhere: nobody is accused."""

    test: Count
    nodes: tuple[Count, ...]


class NodeAbandoned(Event, frozen=True, kw_only=True):
    """A node cannot be tested: with good ones alone the test was inconclusive every time."""

    node: Count
    test: Count


class ConfirmationBegan(Event, frozen=True, kw_only=True):
    """What the search came to is tested again, for the ``time``-th time."""

    time: Count


class ConfirmationEnded(Event, frozen=True, kw_only=True):
    """That is done. ``overruled`` says that some results were: what is open again is searched."""

    overruled: bool


class NodeConfirmed(Event, frozen=True, kw_only=True):
    """Enough tests more say what a node is; ``tests`` are those that say so, of all ``votes``."""

    node: Count
    bad: bool
    tests: tuple[Count, ...]
    votes: Count


class ResultsOverruled(Event, frozen=True, kw_only=True):
    """Enough tests more, ``won`` of ``votes``, say that a node is bad, or is not: some results that
    said the opposite are not believed.

    What has followed from them is undone by the events after this one.
    """

    node: Count
    bad: bool
    tests: tuple[Count, ...]
    won: Count
    votes: Count


class ResultsBelieved(Event, frozen=True, kw_only=True):
    """The ledger takes in results that it did not when their tests ended."""

    tests: tuple[Count, ...]


class NodesReopened(Event, frozen=True, kw_only=True):
    """Nothing that is believed says any more what these nodes are."""

    nodes: tuple[Count, ...]


class ContradictionsResolved(Event, frozen=True, kw_only=True):
    """Failing sets have somebody to blame again, or are overruled; ``nodes`` were in these and are
    in no contradiction any more."""

    tests: tuple[Count, ...]
    nodes: tuple[Count, ...]


class NodesExcluded(Event, frozen=True, kw_only=True):
    """Nodes are not to be touched from now on."""

    nodes: tuple[Count, ...]


class RateEstimated(Event, frozen=True, kw_only=True):
    """How likely a node is bad, given all results: the mean and the 5th and 95th percentile of the
    posterior; ``num_bad`` nodes are expected in all, the known ones included. ``tests`` and
    ``rounds`` are what the strategy expects to be still needed."""

    mean: float
    low: float
    high: float
    num_bad: float
    tests: float
    rounds: float


class OptionsChanged(Event, frozen=True, kw_only=True):
    """The options are others from now on."""

    strategy: str
    max_parallel: Count


class StrategyChosen(Event, frozen=True, kw_only=True):
    """The strategy has chosen another one to go on as; ``why`` says what it held against what."""

    chosen: str
    why: str


class SearchEnded(Event, frozen=True, kw_only=True):
    """Nothing more will be tested."""

    reason: Ended


EVENT = (
    TestPlanned
    | TestRefused
    | TestStarted
    | TestEnded
    | ReplyDiscarded
    | NodesCleared
    | NodeCondemned
    | SuspectsChanged
    | ContradictionFound
    | NodeAbandoned
    | ConfirmationBegan
    | ConfirmationEnded
    | NodeConfirmed
    | ResultsOverruled
    | ResultsBelieved
    | NodesReopened
    | ContradictionsResolved
    | NodesExcluded
    | RateEstimated
    | OptionsChanged
    | StrategyChosen
    | SearchEnded
)
