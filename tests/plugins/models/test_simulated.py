from __future__ import annotations

import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batchtui.engine.batching.request import SamplingParams
from batchtui.engine.errors import InputError
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.ngram import Chain, Walk, bundled_chain
from batchtui.plugins.models.odds import Odds
from batchtui.plugins.models.prefix import Prefix
from batchtui.plugins.models.simulated import SimulatedModel
from batchtui.plugins.models.simulated_config import SimulatedConfig
from batchtui.plugins.models.vocabulary import EOS, utf8

PROMPT = (72, 105)


def row(name: str = "r1", *, slot: int = 0, prompt: tuple[int, ...] = PROMPT) -> Prefix:
    return Prefix(slot, name, prompt, len(prompt))


def decode(model: SimulatedModel, rows: list[Prefix], num_calls: int) -> list[list[int]]:
    """Run calls and give each row all of its tokens; returns the outputs."""
    for _ in range(num_calls):
        for resident, new in zip(rows, model.forward(rows).tokens, strict=True):
            resident.token_ids.extend(new)
    return [resident.token_ids for resident in rows]


def text(model: SimulatedModel, tokens: list[int]) -> str:
    return b"".join(map(model.token_bytes, tokens)).decode()


@given(st.text(st.characters(codec="utf-8")))
def test_a_text_survives_its_tokens(prompt: str) -> None:
    model = SimulatedModel()
    assert text(model, model.encode(prompt)) == prompt


def test_half_a_surrogate_pair_in_a_prompt_is_no_reason_to_fail() -> None:
    model = SimulatedModel()
    data = b"".join(map(model.token_bytes, model.encode("a\ud800b")))
    assert data.decode("utf-8", "surrogatepass") == "a\ud800b"


def test_words_of_the_corpus_are_one_token_each() -> None:
    model = SimulatedModel()
    assert len(model.encode("The harbour wakes before the town does.")) == 8
    assert model.encode("zyx") == list(b"zyx")


def test_the_text_is_made_of_the_corpus_three_pieces_at_a_time() -> None:
    chain = bundled_chain()
    known = {tuple(chain.tokens[at : at + 3]) for at in range(len(chain.tokens) - 2)}
    tokens = Walk(chain, b"a key").reach(2000)
    strange = [
        tokens[at : at + 3]
        for at in range(len(tokens) - 2)
        if EOS not in tokens[at : at + 3] and tuple(tokens[at : at + 3]) not in known
    ]
    assert strange == []


def test_eos_comes_and_a_new_paragraph_follows_it() -> None:
    chain = bundled_chain()
    beginnings = {
        after
        for before, after in zip(chain.tokens, chain.tokens[1:], strict=False)
        if before == EOS
    }
    tokens = Walk(chain, b"a key").reach(2000)
    ends = [at for at, token in enumerate(tokens[:-1]) if token == EOS]
    assert len(ends) > 10
    assert {tokens[at + 1] for at in ends} <= beginnings
    assert tokens[0] in beginnings


def test_a_corpus_of_one_word_repeats_it() -> None:
    chain = Chain(["word"])
    word = chain.vocabulary.encode("word")
    assert Walk(chain, b"").reach(4)[:4] == [*word, EOS, *word, EOS]


def test_a_corpus_without_paragraphs_is_refused() -> None:
    with pytest.raises(ValueError, match="corpus is empty"):
        Chain([])


def test_another_model_seed_id_prompt_or_request_seed_gives_another_text() -> None:
    rows = [
        row(),
        row("r2", slot=1),
        row(slot=2, prompt=(72, 106)),
        replace(row(slot=3), params=SamplingParams(seed=1)),
        replace(row(slot=4), params=SamplingParams(seed=2)),
        replace(row(slot=5), prompt_token_ids=None),
    ]
    outputs = decode(SimulatedModel(seed=1), rows, 30) + decode(SimulatedModel(seed=2), [row()], 30)
    assert len(set(map(tuple, outputs))) == len(outputs)


def test_a_request_with_a_seed_does_not_depend_on_its_id() -> None:
    params = SamplingParams(seed=5)
    one, two = replace(row("a"), params=params), replace(row("b", slot=1), params=params)
    assert len(set(map(tuple, decode(SimulatedModel(), [one, two], 30)))) == 1


def test_slot_and_neighbours_change_no_text_while_they_come_and_go() -> None:
    (alone,) = decode(SimulatedModel(), [row()], 300)
    model, watched = SimulatedModel(), row(slot=7)
    for step in range(300):
        others = [row(f"n{step // 3}-{place}", slot=place) for place in range(step % 4)]
        decode(model, [*others, watched], 1)
    assert watched.token_ids == alone


def test_a_row_that_was_away_for_a_long_time_goes_on_where_it_was() -> None:
    (whole,) = decode(SimulatedModel(), [row()], 200)
    model, resident = SimulatedModel(), row()
    decode(model, [resident], 150)
    for place in range(500):
        decode(model, [row(f"n{place}", slot=1)], 1)
    decode(model, [resident], 50)
    assert resident.token_ids == whole


def test_a_row_of_another_run_with_the_same_key_gets_its_own_text() -> None:
    model = SimulatedModel()
    decode(model, [row()], 5)
    mine = decode(model, [row(prompt=(1, 2, 3))], 20)
    assert mine == decode(SimulatedModel(), [row(prompt=(1, 2, 3))], 20)


def test_a_position_is_answered_whatever_tokens_the_row_holds() -> None:
    (tokens,) = decode(SimulatedModel(), [row()], 80)
    forked = replace(row(), token_ids=[0] * 70)
    assert SimulatedModel().forward([forked]).tokens == [[tokens[70]]]


def test_memory_does_not_grow_with_the_requests_that_have_ended() -> None:
    model = SimulatedModel()
    for place in range(1000):
        decode(model, [row(f"r{place}")], 2)
    assert len(model._known) < 100


def test_bursts_are_the_same_text_in_pieces_of_one_to_so_many() -> None:
    (singly,) = decode(SimulatedModel(), [row()], 300)
    model, resident = SimulatedModel(config=SimulatedConfig(tokens_per_call=3)), row()
    sizes = []
    while len(resident.token_ids) < 250:
        before = len(resident.token_ids)
        decode(model, [resident], 1)
        sizes.append(len(resident.token_ids) - before)
    assert set(sizes) == {1, 2, 3}
    assert resident.token_ids == singly[: len(resident.token_ids)]


def test_the_text_is_the_same_in_another_process() -> None:
    code = (
        "from batchtui.plugins.models.ngram import Walk, bundled_chain;"
        "print(Walk(bundled_chain(), b'key').reach(100)[:100])"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60
    )
    assert out.stdout.strip() == str(Walk(bundled_chain(), b"key").reach(100)[:100])


@pytest.mark.parametrize("tokens_per_call", [1, 3])
def test_who_asks_learns_how_likely_its_tokens_were_and_nobody_else(tokens_per_call: int) -> None:
    config = SimulatedConfig(tokens_per_call=tokens_per_call)
    asking = replace(row(slot=1), params=SamplingParams(logprobs=1))
    model, odds, rows = SimulatedModel(config=config), Odds(bundled_chain()), [row(), asking]
    for _ in range(40):
        reply = model.forward(rows)
        for resident, new in zip(rows, reply.tokens, strict=True):
            resident.token_ids.extend(new)
        places = range(len(asking.token_ids) - len(reply.tokens[1]), len(asking.token_ids))
        expected = [odds.token_logprob(asking.token_ids, at, 1) for at in places]
        assert reply.logprobs == [None, expected]


def test_where_nobody_asks_a_reply_has_no_logprobs() -> None:
    assert SimulatedModel().forward([row()]).logprobs is None


COSTS = SimulatedConfig(
    base_us=1000, prefill_us_per_token=10, decode_us_per_row=100, kv_us_per_token=1
)


def test_a_call_costs_its_base_its_rows_their_prompts_and_their_context() -> None:
    rows = [Prefix(0, "a", None, 50), Prefix(1, "b", None, 20)]
    assert SimulatedModel(config=COSTS).forward(rows).elapsed_us == 1000 + 200 + 10 * 68 + 70


def test_a_prompt_is_paid_for_until_a_call_was_applied_and_not_after() -> None:
    model, fresh = SimulatedModel(config=COSTS), Prefix(0, "a", None, 50)
    assert model.forward([fresh]).elapsed_us == 1000 + 100 + 490 + 50
    assert model.forward([fresh]).elapsed_us == 1000 + 100 + 490 + 50
    decoding = replace(fresh, token_ids=[1], num_computed_tokens=50)
    assert model.forward([decoding]).elapsed_us == 1000 + 100 + 51


def test_a_call_without_rows_costs_its_base() -> None:
    assert SimulatedModel(config=COSTS).forward([]).elapsed_us == 1000


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("tokens_per_call", 0),
        ("tokens_per_call", 65),
        ("base_us", -1),
        ("decode_us_per_row", float("nan")),
        ("kv_us_per_token", float("inf")),
    ],
)
def test_an_option_out_of_its_range_is_refused_by_name(field: str, value: float) -> None:
    with pytest.raises(ValueError, match=f"{field} is {value}: want"):
        SimulatedConfig(**{field: value})  # type: ignore[arg-type]


def test_options_are_read_from_the_argument() -> None:
    model = SimulatedModel.from_options(ModelOptions("tokens_per_call=4,base_us=12.5", seed=9))
    assert model.config == SimulatedConfig(tokens_per_call=4, base_us=12.5)
    assert model.seed == 9
    assert SimulatedModel.from_options(ModelOptions()).config == SimulatedConfig()


@pytest.mark.parametrize(
    ("argument", "seen"),
    [
        ("tokens_per_cal=4", "no option tokens_per_cal: did you mean tokens_per_call"),
        ("x=4", "no option x: want tokens_per_call, base_us"),
        ("base_us=fast", "base_us"),
        ("tokens_per_call", "tokens_per_call"),
        ("tokens_per_call=1000", "want 1 to 64"),
    ],
)
def test_an_argument_that_does_not_fit_is_refused_by_name(argument: str, seen: str) -> None:
    with pytest.raises(InputError, match=seen):
        SimulatedModel.from_options(ModelOptions(argument))


def test_the_corpus_has_bytes_that_make_half_characters() -> None:
    pieces = [bundled_chain().vocabulary.token_bytes(token) for token in bundled_chain().tokens]
    assert any(max(utf8_bytes, default=0) > 127 for utf8_bytes in pieces)
    assert utf8("é") in b"".join(pieces)
