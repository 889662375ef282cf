"""Who is next: a policy is a pure key, and the order of the keys is the order of the queue.

``key`` *defines* the order; whatever index the queue keeps is only a faster way to the same
answer, and is tested against sorting by it. So a debugger can say at any moment where a request
stands, and why.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from batchtui.engine.errors import PluginError

Key: TypeAlias = tuple[int, ...]


class Candidate(Protocol):
    """What a policy may look at: a waiting request."""

    @property
    def index(self) -> int:
        """The place in the workload, unique in a run."""

    @property
    def arrival_us(self) -> int:
        """When it arrived."""

    @property
    def priority(self) -> int:
        """The request's own priority: lower goes first."""

    @property
    def tenant(self) -> str:
        """Whose it is."""

    @property
    def num_prompt_tokens(self) -> int:
        """How long its prompt is."""


class Policy(Protocol):
    """An order of the waiting queue.

    A key must be unique (end it with ``index``) and must not change while a request waits.
    ``newcomers_last`` says that nobody who arrives later ever goes first.
    """

    name: str
    newcomers_last: bool

    def key(self, candidate: Candidate) -> Key:
        """The sort key: the lowest is admitted first."""


class Fcfs:
    """First come, first served."""

    name = "fcfs"
    newcomers_last = True

    def key(self, candidate: Candidate) -> Key:
        """By arrival, then by place in the workload."""
        return candidate.arrival_us, candidate.index


class Priority:
    """Lower priority values first, as in vLLM; equals by arrival."""

    name = "priority"
    newcomers_last = False

    def key(self, candidate: Candidate) -> Key:
        """By priority, then by arrival, then by place in the workload."""
        return candidate.priority, candidate.arrival_us, candidate.index


def known_policy(name: str) -> Policy:
    """One of this module's by its name; whoever has others brings a function of its own.

    Raises:
        PluginError: none of them has this name.
    """
    known: dict[str, Policy] = {policy.name: policy for policy in (Fcfs(), Priority())}
    if name not in known:
        raise PluginError(f"no policy is called {name!r}: known are {', '.join(known)}")
    return known[name]


def known_with(policy: Policy, policies: Callable[[str], Policy]) -> Callable[[str], Policy]:
    """Policies by their names, made once each; ``policy``, wherever it came from, among them."""
    known = {name_of(policy): policy}

    def find(name: str) -> Policy:
        if name not in known:
            known[name] = policies(name)
        return known[name]

    return find


def name_of(policy: Policy) -> str:
    """What it is called; a foreign one may have forgotten to say."""
    return str(getattr(policy, "name", type(policy).__name__))
