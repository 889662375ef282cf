"""What every model must hold to, as plain functions: the suite that a plugin's author runs.

Each check takes a model and raises ``AssertionError`` with what was seen. With pytest:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
    def test_contract(check: Check) -> None:
        check(MyModel())

``DETERMINISM`` is for models that promise the same tokens for the same rows; kernels whose sums
depend on the batch cannot, and leave it out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.model import Key, Model, Reply, Row
from batchtui.plugins.faults import Scripted

Check = Callable[[Model], None]

TEXTS = (
    "",
    "The harbour wakes before the town does.",
    "  two spaces,\ttabs\r\nand\n\n    lines\n",
    "naïve café – 32 °C, 日本語, עברית, 🙂🇳🇴",
    "\x00\x1b[31mnot a colour\x7f",
)
NUM_STEPS = 3


@dataclass(frozen=True)
class Prefix:
    """A ``Row`` that belongs to nobody: nothing of it has been computed yet."""

    slot: int
    request_id: str
    prompt_token_ids: Sequence[int] | None
    num_prompt_tokens: int
    token_ids: list[int] = field(default_factory=list)
    params: SamplingParams = SamplingParams()  # noqa: RUF009 - frozen
    num_computed_tokens: int = 0

    @property
    def key(self) -> Key:
        """(slot, generation, request id)."""
        return self.slot, 1, self.request_id

    @property
    def index(self) -> int:
        """The place in the workload."""
        return self.slot


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


VOCABULARY: tuple[Check, ...] = (
    check_text_round_trip,
    check_unknown_tokens_raise,
    check_eos_is_silent,
)
SHAPE: tuple[Check, ...] = (
    check_keys_are_the_rows,
    check_tokens_are_ints,
    check_no_rows_give_no_tokens,
    check_rows_stay_as_they_are,
)
DETERMINISM: tuple[Check, ...] = (
    check_a_call_can_be_repeated,
    check_neighbours_change_nothing,
    check_order_changes_nothing,
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
