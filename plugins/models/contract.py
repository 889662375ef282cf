"""What every model must hold to, as plain functions: the suite that a plugin's author runs.

Each check takes a model and raises ``AssertionError`` with what was seen. With pytest:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_contract(check: Check) -> None:
        check(MyModel())

``DETERMINISM`` is for models that promise the same tokens for the same rows; kernels whose sums
depend on the batch cannot, and leave it out. What only some models can do, chat templates and log
probabilities, is checked of those that do it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

import msgspec

from batchtui.engine.batching.request import Message, SamplingParams, TokenLogprob
from batchtui.engine.errors import InputError
from batchtui.engine.model import ChatVocabulary, Model, Reply, Row
from batchtui.plugins.faults import Scripted
from batchtui.plugins.models.prefix import Prefix

Check = Callable[[Model], None]

TEXTS = (
    "",
    "The harbour wakes before the town does.",
    "  two spaces,\ttabs\r\nand\n\n    lines\n",
    "naïve café – 32 °C, 日本語, עברית, 🙂🇳🇴",
    "\x00\x1b[31mnot a colour\x7f",
    "typed by a user: <|im_end|> </s> <eos>",
)
# Of the templates that are in use; a model's own are among them, or its author adds them.
MARKS = ("<|im_start|>", "<|im_end|>", "<|eot_id|>", "<start_of_turn>", "[INST]", "</s>", "<eos>")
NUM_STEPS = 3
ROUNDING = 0.01  # of probabilities and their logarithms


def example_rows(model: Model) -> list[Prefix]:
    """Rows of every kind: a text, one token, a length alone, an own seed, some output already."""
    text = model.encode("The night train does not hurry. It waits")
    return [
        Prefix(0, "text", text, len(text)),
        Prefix(1, "short", text[:1], 1),
        Prefix(2, "length", None, 7),
        Prefix(3, "seeded", text, len(text), params=SamplingParams(seed=11)),
        Prefix(4, "later", text, len(text), text[:2]),
    ]


def asking_rows(model: Model) -> list[Prefix]:
    """The same rows, some of which ask for the logprobs of none to many of the likeliest."""
    numbers = (None, 0, 1, None, 20)
    return [
        replace(row, params=msgspec.structs.replace(row.params, logprobs=number))
        for row, number in zip(example_rows(model), numbers, strict=True)
    ]


def check_text_round_trip(model: Model) -> None:
    """The bytes of a text's tokens are the text."""
    for text in TEXTS:
        data = b"".join(map(model.token_bytes, model.encode(text)))
        _require(data == text.encode(), f"{text!r} comes back as {data!r}")


def check_unknown_tokens_raise(model: Model) -> None:
    """A token that does not exist is refused with ValueError, KeyError or IndexError."""
    for token in (-1, -257, 2**40):
        try:
            data = model.token_bytes(token)
        except (ValueError, LookupError):
            continue
        raise AssertionError(f"token_bytes({token}) is {data!r}: want ValueError or LookupError")


def check_eos_is_silent(model: Model) -> None:
    """EOS has no bytes."""
    for token in model.eos_token_ids:
        data = model.token_bytes(token)
        _require(data == b"", f"EOS token {token} has the bytes {data!r}: want none")


def check_chats_hold_what_their_messages_say(model: Model) -> None:
    """The tokens of a chat have bytes, and the messages' contents are among them, in order."""
    for contents in (("x",), ("naïve – 日本語?", "two", "three"), (f"What is {MARKS[1]} for?",)):
        chat = [Message(("user", "assistant")[at % 2], each) for at, each in enumerate(contents)]
        tokens = _chat_tokens(model, chat)
        rest = b"".join(map(model.token_bytes, tokens))
        for content in map(str.encode, contents) if tokens else ():
            _, found, rest = rest.partition(content)
            _require(found == content, f"{content!r} is not in its place in the chat's tokens")


def check_marks_in_a_message_are_text(model: Model) -> None:
    """Who writes a template's mark has written letters, not the token that the template means."""
    plain = Counter(_chat_tokens(model, [Message("user", "x")]))
    for mark in MARKS:
        as_text = plain + Counter(model.encode(mark))
        found = Counter(_chat_tokens(model, [Message("user", mark)]))
        taken = [token for token in plain if found[token] > as_text[token]]
        _require(not taken, f"{mark} in a message becomes the template's token {taken}")


def check_keys_are_the_rows(model: Model) -> None:
    """A reply names the rows of the call, in their order."""
    rows = example_rows(model)
    reply = model.forward(rows)
    _require(reply.keys == [row.key for row in rows], f"the keys are {reply.keys}")
    count = len(reply.tokens)
    _require(count == len(rows), f"{count} rows of tokens for {len(rows)} rows")


def check_tokens_are_ints(model: Model) -> None:
    """A row's tokens are a list of ints, each with bytes."""
    for new in model.forward(example_rows(model)).tokens:
        _require(type(new) is list, f"a row of the reply is a {type(new).__name__}: want a list")
        for token in new:
            _require(type(token) is int, f"a token is a {type(token).__name__}: want an int")
            model.token_bytes(token)


def check_no_rows_give_no_tokens(model: Model) -> None:
    """An empty call has an empty reply."""
    reply = model.forward([])
    _require(not reply.keys and not reply.tokens, f"no rows give {reply.tokens} for {reply.keys}")


def check_rows_stay_as_they_are(model: Model) -> None:
    """A call changes no row."""
    rows = example_rows(model)
    before = [(list(row.prompt_token_ids or ()), list(row.token_ids)) for row in rows]
    model.forward(rows)
    after = [(list(row.prompt_token_ids or ()), list(row.token_ids)) for row in rows]
    _require(before == after, "a call changed the tokens of a row")


def check_a_call_can_be_repeated(model: Model) -> None:
    """The same rows get the same tokens again, so that a failed call can be retried."""
    rows = example_rows(model)
    first = model.forward(rows)
    _take_back(model, rows)
    second = model.forward(rows)
    _require(first.tokens == second.tokens, f"{first.tokens} the second time {second.tokens}")


def check_neighbours_change_nothing(model: Model) -> None:
    """A row gets the tokens that it would get alone, in every step."""
    together = example_rows(model)
    alone = example_rows(model)
    for _ in range(NUM_STEPS):
        reply = model.forward(together)
        _take_back(model, together)
        for row, new in zip(alone, reply.tokens, strict=True):
            by_itself = model.forward([row]).tokens[0]
            _require(by_itself == new, f"{row.request_id}: {by_itself} alone, {new} in the batch")
        _append(together, reply)
        _append(alone, reply)


def check_order_changes_nothing(model: Model) -> None:
    """Rows in another order get the same tokens in that order."""
    rows = example_rows(model)
    there = model.forward(rows)
    _take_back(model, rows)
    back = model.forward(rows[::-1])
    _require(there.tokens == back.tokens[::-1], f"{there.tokens} reversed {back.tokens}")
    _require(there.keys == back.keys[::-1], f"{there.keys} reversed {back.keys}")


def check_logprobs_are_for_those_who_asked(model: Model) -> None:
    """Who asks has one for each token, who does not has None; a model may give nobody any."""
    for row, tokens, entries in _logprobs(model):
        asked = row.params.logprobs is not None
        _require(asked or entries is None, f"{row.request_id} did not ask and has {entries}")
        ids = [entry.token_id for entry in entries or ()]
        _require(not asked or ids == tokens, f"{row.request_id}: {ids} for the tokens {tokens}")


def check_top_logprobs_are_the_likeliest(model: Model) -> None:
    """At most as many as were asked for, each token once, in order; the row's own token has one
    figure, likelier than the first it is not, and in all they are no more than certain."""
    for row, _, entries in _logprobs(model):
        for entry in entries or ():
            top, own = dict(entry.top), (entry.token_id, entry.logprob)
            seen = f"in {row.request_id}, asked for {row.params.logprobs}: {entry}"
            _require(len(entry.top) <= (row.params.logprobs or 0), f"too many {seen}")
            _require(len(top) == len(entry.top), f"a token twice {seen}")
            logprobs = list(top.values())
            _require(logprobs == sorted(logprobs, reverse=True), f"not in order {seen}")
            _require(top.get(*own) == entry.logprob, f"two figures for one token {seen}")
            _require(entry.logprob <= max(logprobs, default=ROUNDING), f"no likeliest {seen}")
            total = sum(map(math.exp, (top | dict([own])).values()))
            _require(total <= 1 + ROUNDING, f"more than certain {seen}")


def check_asking_for_logprobs_changes_no_token(model: Model) -> None:
    """A row gets the tokens that it would get without."""
    asking, plain = asking_rows(model), example_rows(model)
    with_logprobs = model.forward(asking).tokens
    _take_back(model, asking)
    without = model.forward(plain).tokens
    _require(with_logprobs == without, f"{with_logprobs} with, {without} without")


VOCABULARY: tuple[Check, ...] = (
    check_text_round_trip,
    check_unknown_tokens_raise,
    check_eos_is_silent,
    check_chats_hold_what_their_messages_say,
    check_marks_in_a_message_are_text,
)
SHAPE: tuple[Check, ...] = (
    check_keys_are_the_rows,
    check_tokens_are_ints,
    check_no_rows_give_no_tokens,
    check_rows_stay_as_they_are,
    check_logprobs_are_for_those_who_asked,
    check_top_logprobs_are_the_likeliest,
)
DETERMINISM: tuple[Check, ...] = (
    check_a_call_can_be_repeated,
    check_neighbours_change_nothing,
    check_order_changes_nothing,
    check_asking_for_logprobs_changes_no_token,
)
CHECKS = VOCABULARY + SHAPE + DETERMINISM


def _require(condition: bool, message: str) -> None:
    # Not ``assert``: that is gone under ``python -O``, and rewritten by pytest in tests only.
    if not condition:
        raise AssertionError(message)


def _take_back(model: Model, rows: Sequence[Row]) -> None:
    """Tell a model whose answers move on by being given that these were not applied."""
    if isinstance(model, Scripted):
        model.take_back(rows)


def _append(rows: list[Prefix], reply: Reply) -> None:
    for row, new in zip(rows, reply.tokens, strict=True):
        row.token_ids.extend(new)


def _chat_tokens(model: Model, messages: list[Message]) -> list[int]:
    """The tokens of a chat; none where the model has no template, or not for such messages."""
    if not isinstance(model, ChatVocabulary):
        return []
    try:
        return model.encode_chat(messages)
    except (ValueError, InputError):
        return []


def _logprobs(model: Model) -> Iterator[tuple[Prefix, list[int], list[TokenLogprob] | None]]:
    """The rows of some steps, what each got, and how likely that was; none where nobody has any."""
    rows = asking_rows(model)
    for _ in range(NUM_STEPS):
        reply = model.forward(rows)
        if reply.logprobs is not None:
            yield from zip(rows, reply.tokens, reply.logprobs, strict=True)
        _append(rows, reply)
