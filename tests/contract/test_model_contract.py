"""Every model that comes with the package holds to what ``plugins/models/contract.py`` asks."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Callable, Sequence

import msgspec
import pytest

from batchtui.engine.batching.request import Message, TokenLogprob, chat_text
from batchtui.engine.errors import InputError
from batchtui.engine.model import Model, Reply, Row
from batchtui.plugins.formats.workload import Script, ScriptToken
from batchtui.plugins.models import contract
from batchtui.plugins.models.contract import Check
from batchtui.plugins.models.function import FunctionModel
from batchtui.plugins.models.scripted import ScriptedModel
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig


def next_tokens(prefixes: list[list[int]]) -> list[list[int]]:
    """None to two bytes that depend on the whole prefix."""
    digests = [hashlib.blake2b(repr(prefix).encode()).digest() for prefix in prefixes]
    return [list(digest[1 : 1 + digest[0] % 3]) for digest in digests]


# As many scripts as the suite has rows; the last two run out before the suite does.
SCRIPTS = [
    Script(calls=tuple((ScriptToken(data=b"w%d" % call),) * (call % 3) for call in range(length)))
    for length in (9, 8, 7, 2, 0)
]

# A model that is added to the package is added here.
MODELS: dict[str, Callable[[], Model]] = {
    "simulated": lambda: SimulatedModel(seed=3),
    "simulated-bursts": lambda: SimulatedModel(config=SimulatedConfig(tokens_per_call=4)),
    "function": lambda: FunctionModel(next_tokens),
    "scripted": lambda: ScriptedModel(dict(enumerate(SCRIPTS))),
}


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", MODELS)
def test_the_model_holds_to_the_contract(name: str, check: Check) -> None:
    check(MODELS[name]())


class Broken(SimulatedModel):
    """Wrong in one way at a time."""

    def __init__(self, way: str) -> None:
        super().__init__()
        self.way = way
        self.num_calls = 0
        self.eos_token_ids = frozenset({256, 65} if way == "loud eos" else {256})

    def forward(self, rows: Sequence[Row]) -> Reply:
        self.num_calls += 1
        reply = super().forward(rows)
        wrong = {
            "short": Reply(reply.keys[1:], reply.tokens[1:]),
            "floats": Reply(reply.keys, [[1.0] for _ in rows]),  # type: ignore[list-item]
            "counts": Reply(reply.keys, [[self.num_calls] for _ in rows]),
            "crowded": Reply(reply.keys, [[len(rows)] for _ in rows]),
            "in place": Reply(reply.keys, [[place] for place in range(len(rows))]),
            "never empty": Reply([(0, 1, "x")], [[1]]),
        }
        return wrong.get(self.way, reply)


@pytest.mark.parametrize(
    ("way", "check"),
    [
        ("loud eos", contract.check_eos_is_silent),
        ("short", contract.check_keys_are_the_rows),
        ("floats", contract.check_tokens_are_ints),
        ("counts", contract.check_a_call_can_be_repeated),
        ("crowded", contract.check_neighbours_change_nothing),
        ("in place", contract.check_order_changes_nothing),
        ("never empty", contract.check_no_rows_give_no_tokens),
    ],
)
def test_a_check_finds_the_model_that_breaks_it(way: str, check: Check) -> None:
    with pytest.raises(AssertionError):
        check(Broken(way))


class Boastful(SimulatedModel):
    """Says of its tokens what is not so, in one way at a time."""

    def __init__(self, say: Callable[[Row, TokenLogprob], TokenLogprob | None]) -> None:
        super().__init__()
        self.say = say

    def forward(self, rows: Sequence[Row]) -> Reply:
        reply = super().forward(rows)
        if reply.logprobs is None:
            return reply
        said = [
            [self.say(row, entry) for entry in entries or [TokenLogprob(new[0], -1.0)]]
            for row, new, entries in zip(rows, reply.tokens, reply.logprobs, strict=True)
        ]
        kept = [list(filter(None, entries)) or None for entries in said]
        return msgspec.structs.replace(reply, logprobs=kept)


def who_asked(row: Row, entry: TokenLogprob) -> TokenLogprob | None:
    return None if row.params.logprobs is None else entry


def with_top(*top: tuple[int, float]) -> Callable[[Row, TokenLogprob], TokenLogprob | None]:
    """A top of its own for rows that ask for one."""

    def say(row: Row, entry: TokenLogprob) -> TokenLogprob | None:
        likely = TokenLogprob(entry.token_id, -3.0, top[: row.params.logprobs or 0])
        return who_asked(row, likely)

    return say


def own_twice(row: Row, entry: TokenLogprob) -> TokenLogprob | None:
    return with_top((entry.token_id, -2.0))(row, entry)


def of_another(row: Row, entry: TokenLogprob) -> TokenLogprob | None:
    return who_asked(row, TokenLogprob(entry.token_id + 1, entry.logprob))


def one_too_many(row: Row, entry: TokenLogprob) -> TokenLogprob | None:
    return who_asked(row, TokenLogprob(entry.token_id, -1.0, ((1, -1.0),)))


@pytest.mark.parametrize(
    ("say", "seen"),
    [
        (lambda row, entry: entry, "did not ask and has"),
        (lambda row, entry: None, "for the tokens"),
        (of_another, "for the tokens"),
    ],
)
def test_a_check_finds_logprobs_of_others(
    say: Callable[[Row, TokenLogprob], TokenLogprob | None], seen: str
) -> None:
    with pytest.raises(AssertionError, match=seen):
        contract.check_logprobs_are_for_those_who_asked(Boastful(say))


@pytest.mark.parametrize(
    ("say", "seen"),
    [
        (one_too_many, "too many in"),
        (with_top((1, -2.0), (1, -2.0)), "a token twice in"),
        (with_top((1, -2.0), (2, -2.5), (3, -2.2)), "not in order in"),
        (own_twice, "two figures for one token in"),
        (with_top((1, -4.0)), "no likeliest in"),
        (with_top((1, -0.1), (2, -0.2)), "more than certain in"),
    ],
)
def test_a_check_finds_a_top_that_is_not_so(
    say: Callable[[Row, TokenLogprob], TokenLogprob | None], seen: str
) -> None:
    with pytest.raises(AssertionError, match=seen):
        contract.check_top_logprobs_are_the_likeliest(Boastful(say))


def test_logprobs_that_may_be_so_pass() -> None:
    for say in (who_asked, with_top((1, -1.0), (2, -1.0), (3, -math.inf))):
        contract.check_logprobs_are_for_those_who_asked(Boastful(say))
        contract.check_top_logprobs_are_the_likeliest(Boastful(say))


class Greedier(SimulatedModel):
    """Gives other tokens to who asks."""

    def forward(self, rows: Sequence[Row]) -> Reply:
        reply = super().forward(rows)
        return Reply(reply.keys, [[7] if row.params.logprobs else [8] for row in rows])


def test_a_check_finds_the_model_whose_tokens_depend_on_the_question() -> None:
    with pytest.raises(AssertionError, match="with, "):
        contract.check_asking_for_logprobs_changes_no_token(Greedier())


OPEN, CLOSE = 2_000_000, 2_000_001
TEMPLATE = {"<|im_start|>": OPEN, "<|im_end|>": CLOSE}


class Chatty(SimulatedModel):
    """Has a template; takes marks for its own in what is ``parsed``, or says something else."""

    def __init__(self, *, parsed: bool = False, silent: bool = True, text: str = "") -> None:
        super().__init__()
        words = self.token_bytes
        data = {token: b"" if silent else mark.encode() for mark, token in TEMPLATE.items()}
        self.token_bytes = lambda token: data[token] if token in data else words(token)
        self.parsed, self.text = parsed, text

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        tokens = []
        for message in messages:
            content = self.text or message.content
            tokens += [OPEN, *self.encode(message.role), *self.said(content), CLOSE]
        return tokens

    def said(self, content: str) -> list[int]:
        if not self.parsed:
            return self.encode(content)
        parts = re.split("(" + "|".join(map(re.escape, TEMPLATE)) + ")", content)
        return [
            token
            for part in parts
            for token in ([TEMPLATE[part]] if part in TEMPLATE else self.encode(part))
        ]


@pytest.mark.parametrize("check", contract.VOCABULARY, ids=lambda check: check.__name__)
@pytest.mark.parametrize("silent", [True, False])
def test_a_template_of_its_own_holds_to_the_contract(silent: bool, check: Check) -> None:
    check(Chatty(silent=silent))


@pytest.mark.parametrize("silent", [True, False])
def test_a_check_finds_the_template_that_obeys_the_user(silent: bool) -> None:
    with pytest.raises(AssertionError, match="becomes the template's token"):
        contract.check_marks_in_a_message_are_text(Chatty(parsed=True, silent=silent))


def test_a_check_finds_the_template_that_loses_what_was_said() -> None:
    for wrong in (Chatty(text="something else"), Chatty(parsed=True)):
        with pytest.raises(AssertionError, match="is not in its place"):
            contract.check_chats_hold_what_their_messages_say(wrong)


class Strict(Chatty):
    """Takes no chat at all."""

    def __init__(self, refusal: type[Exception]) -> None:
        super().__init__()
        self._refusal = refusal

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        raise self._refusal(chat_text(messages))


@pytest.mark.parametrize("refusal", [ValueError, InputError])
def test_a_template_may_refuse_messages(refusal: type[Exception]) -> None:
    contract.check_marks_in_a_message_are_text(Strict(refusal))
    contract.check_chats_hold_what_their_messages_say(Strict(refusal))


def test_a_check_finds_the_template_that_breaks() -> None:
    with pytest.raises(KeyError):
        contract.check_chats_hold_what_their_messages_say(Strict(KeyError))
