"""When to stop, and what may be shown meanwhile: one shared automaton over bytes.

For each distinct set of stop strings there is one Aho-Corasick automaton (Aho and Corasick, 1975).
A sequence holds one ``State`` of it, and a state is a dictionary from token to ``(next state, text
to release, note)``: a transition is worked out the first time it is taken, by whichever sequence,
and looked up ever after. So the cost of a token depends neither on the number of stops nor on
their length.

What is held back is exact: the longest suffix of the output that is a proper prefix of some stop,
which is the path to the automaton's node. A state also carries the bytes of a character that is
not complete yet; stops are matched over bytes, so half a character never matches and never shows.

Rules: the stop that is completed first wins; of two that end on one byte the longest; on one token
a stop string beats a stop token. A stop string counts only if it ends after the ``min_tokens``-th
token, EOS and stop tokens from it on; a match put off is not held for having been one. A state
therefore also has a ``Gate``, and the decoder opens it when a sequence gets there.
"""

from __future__ import annotations

import codecs
from collections import OrderedDict
from enum import IntEnum
from typing import Final, Literal, NamedTuple
from weakref import WeakSet

from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.batching.trie import Trie
from batchtui.engine.model import Vocabulary

# A transition takes about 250 bytes; at this many the memory is given back and learnt anew.
MAX_TRANSITIONS = 400_000
MAX_AUTOMATA = 256
_START = (0, b"")  # the node and the incomplete character before the first token


class Gate(IntEnum):
    """What may end a sequence at this token."""

    SHUT = 0  # before the min_tokens-th token: nothing
    TOKENS = 1  # at it: EOS and stop tokens
    OPEN = 2  # after it: stop strings too


class Verdict(NamedTuple):
    """How a token ends its sequence."""

    finish_reason: str
    stop_reason: str | int | None = None
    error: str | None = None


HELD: Final = "held"
"""A note that the next state holds text back."""

Note = Verdict | Literal["held"] | None


class State(dict[int, tuple["State", str, Note]]):
    """Where a sequence is: the automaton's node, the bytes of an incomplete character, the gate."""

    __slots__ = ("automaton", "gate", "node", "tail")

    def __init__(self, automaton: Automaton, node: int, tail: bytes, gate: Gate) -> None:
        super().__init__()
        self.automaton, self.node, self.tail, self.gate = automaton, node, tail, gate

    # Texts are made when they are asked for: kept in every state, they would take memory that is
    # quadratic in the length of a stop.

    @property
    def held(self) -> str:
        """The text that is kept back."""
        return self.automaton.held_bytes(self.node).decode("utf-8", "replace")

    @property
    def flush(self) -> str:
        """What is released if the sequence ends here."""
        return (self.tail + self.automaton.held_bytes(self.node)).decode("utf-8", "replace")

    def __missing__(self, token: int) -> tuple[State, str, Note]:
        transition = self.automaton.follow(self, token)
        self[token] = transition
        return transition

    def through(self, gate: Gate) -> State:
        """The same place behind another gate."""
        return self.automaton.state(self.node, self.tail, gate)


class Automaton:
    """The stops of one set, and the states that have been reached."""

    def __init__(
        self,
        vocabulary: Vocabulary,
        stops: tuple[str, ...] = (),
        *,
        stop_token_ids: frozenset[int] = frozenset(),
        ignore_eos: bool = False,
        include: bool = False,
        mute: bool = False,
        memory: Memory | None = None,
    ) -> None:
        self.include = include
        self.mute = mute and not stops
        self.vocabulary = vocabulary
        self._eos = frozenset(() if ignore_eos else vocabulary.eos_token_ids)
        self.enders = self._eos | stop_token_ids
        self._trie = Trie(stops)
        self._states: dict[tuple[int, bytes, Gate], State] = {}
        self._memory = memory or Memory()
        self._memory.automata.add(self)

    def start(self, gate: Gate) -> State:
        """The state before the first token."""
        return self.state(*_START, gate)

    def state(self, node: int, tail: bytes, gate: Gate) -> State:
        """The one state for a place."""
        place = node, tail, gate
        found = self._states.get(place)
        if found is None:
            found = self._states[place] = State(self, node, tail, gate)
        return found

    def held_bytes(self, node: int) -> bytes:
        """What is kept back at a node: nothing if stops are shown anyway."""
        return b"" if self.include else self._trie.path(node)

    def follow(self, state: State, token: int) -> tuple[State, str, Note]:
        """Work out one transition."""
        self._memory.count()
        data = b"" if self.mute else self._bytes(token)
        if data is None:
            verdict = Verdict("error", None, f"the model returned token {token}: no such token")
            return state, state.flush, verdict
        held = self.held_bytes(state.node)
        node = state.node
        for end, byte in enumerate(data, len(held) + 1):
            node = self._trie.step(node, byte)
            stop = self._trie.match[node]
            if stop is not None and state.gate is Gate.OPEN:
                return self._stopped(state, held + data, end, stop)
        if state.gate is not Gate.SHUT and token in self.enders:
            reason = None if token in self._eos else token
            return self.start(state.gate), state.flush, Verdict("stop", reason)
        return self._released(state, held + data, self._trie.proper(node))

    def _bytes(self, token: int) -> bytes | None:
        """The bytes of a token; None where the vocabulary, foreign code, has none."""
        try:
            data = self.vocabulary.token_bytes(token)
        except Exception:  # whatever it raises: there is no such token
            return None
        return data if isinstance(data, bytes) else None

    def _stopped(self, state: State, data: bytes, end: int, stop: str) -> tuple[State, str, Note]:
        cut = end if self.include else end - len(stop.encode())
        text = (state.tail + data[:cut]).decode("utf-8", "replace")
        return self.start(state.gate), text, Verdict("stop", stop)

    def _released(self, state: State, data: bytes, node: int) -> tuple[State, str, Note]:
        if self.mute:
            return state, "", None
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        text = decoder.decode(state.tail + data[: len(data) - len(self.held_bytes(node))])
        after = self.state(node, decoder.getstate()[0], state.gate)
        return after, text, HELD if self.held_bytes(after.node) else None

    def forget(self) -> None:
        """Give the memory of all transitions back; they are learnt anew.

        Start states are kept by ``Automata``: a second one for the same place would let the first
        lead to states that nobody forgets any more.
        """
        for state in self._states.values():
            state.clear()
        starts = {place: state for place, state in self._states.items() if place[:2] == _START}
        self._states = starts


class Memory:
    """How many transitions the automata of a run hold together: at the most, all are forgotten."""

    def __init__(self) -> None:
        self.automata: WeakSet[Automaton] = WeakSet()
        self._num_transitions = 0

    def count(self) -> None:
        """One more transition has been learnt."""
        self._num_transitions += 1
        if self._num_transitions > MAX_TRANSITIONS:
            self._num_transitions = 0
            for automaton in list(self.automata):
                automaton.forget()


class Automata:
    """One automaton for each distinct set of stops, the least recently asked for forgotten.

    ``mute`` ones release no text where there are no stops: nobody wants it. Their tokens are not
    looked up either, so one that is not in the vocabulary goes unnoticed.
    """

    def __init__(self, vocabulary: Vocabulary, *, mute: bool) -> None:
        self._vocabulary = vocabulary
        self._mute = mute
        self._memory = Memory()
        self._known: OrderedDict[tuple[object, ...], State] = OrderedDict()

    def start(self, params: SamplingParams) -> State:
        """The first state of a request with these parameters."""
        least = params.min_tokens
        gate = Gate.OPEN if least == 0 else Gate.TOKENS if least == 1 else Gate.SHUT
        include = params.include_stop_str_in_output
        key = (params.stop, params.stop_token_ids, params.ignore_eos, include, gate)
        state = self._known.get(key)
        if state is None:
            return self._learn(key, params, gate)
        self._known.move_to_end(key)
        return state

    def _learn(self, key: tuple[object, ...], params: SamplingParams, gate: Gate) -> State:
        """Make the automaton of a set that is new; every gate has a start state in the same one."""
        automaton = Automaton(
            self._vocabulary,
            params.stops,
            stop_token_ids=frozenset(params.stop_token_ids or ()),
            ignore_eos=params.ignore_eos,
            include=params.include_stop_str_in_output,
            mute=self._mute,
            memory=self._memory,
        )
        for other in Gate:
            self._known[(*key[:-1], other)] = automaton.start(other)
        while len(self._known) > MAX_AUTOMATA * len(Gate):
            self._known.popitem(last=False)
        return self._known[key]
