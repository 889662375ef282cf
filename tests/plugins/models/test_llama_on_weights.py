"""The llama backend on the real weights: ``pytest -m llama``, after ``batchtui models fetch
smollm2``."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Iterator
from operator import mul

import pytest

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.invariants import Invariants
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.request import Message, Request, Result, SamplingParams
from batchtui.engine.errors import InputError
from batchtui.engine.machine import Aborted, Input, Submitted
from batchtui.engine.model import ChatVocabulary, Embedder, Interruptible, Model
from batchtui.engine.simulate import Simulation, StepFeed
from batchtui.plugins.faults import FaultyCaller
from batchtui.plugins.formats.workload import Fault
from batchtui.plugins.models import contract
from batchtui.plugins.models.contract import Check
from batchtui.plugins.models.llama import LlamaModel
from batchtui.plugins.models.llama_context import Given
from batchtui.plugins.models.ngram import corpus_paragraphs
from batchtui.plugins.models.prefix import Prefix

pytestmark = pytest.mark.llama

NUM_SLOTS = 16
BRIEF = Message("system", "You are a helpful assistant.")


@pytest.fixture(scope="module")
def model() -> Iterator[LlamaModel]:
    made = LlamaModel(max_num_seqs=NUM_SLOTS)
    yield made
    made.close()


class Collector:
    """A listener that keeps results by id."""

    text = None

    def __init__(self) -> None:
        self.results: dict[str, Result] = {}

    def finished(self, result: Result) -> None:
        self.results[result.request_id] = result


def decode(
    model: Model,
    requests: Iterable[Request],
    *,
    slots: int = NUM_SLOTS,
    faults: Iterable[Fault] = (),
    aborts: Iterable[tuple[int, str]] = (),
) -> dict[str, Result]:
    """Decode requests, each of which comes at the step that its index is; every rule is checked
    after every turn."""
    collector = Collector()
    config = BatchingConfig(max_num_seqs=slots, max_model_len=model.max_model_len)
    decoder = Decoder(config, model, Fcfs(), listener=collector)
    submitted = [(request.index, Submitted(body=request)) for request in requests]
    inputs: list[tuple[int, Input]] = [*submitted, *((at, Aborted(target=id)) for at, id in aborts)]
    feed = StepFeed(
        (step, lambda now, input=input: input)  # type: ignore[misc]  # a default is no argument
        for step, input in sorted(inputs, key=lambda pair: pair[0])
    )
    invariants = Invariants(decoder)
    for _ in Simulation(decoder, FaultyCaller(model, faults), feed):
        invariants.check()
    return collector.results


def request(
    name: str, prompt: str | tuple[int, ...] | int, step: int = 0, **params: object
) -> Request:
    made = SamplingParams(**({"temperature": 0.0} | params))  # type: ignore[arg-type]
    return Request(request_id=name, prompt=prompt, index=step, params=made)


def prompts(model: LlamaModel) -> list[tuple[int, ...]]:
    """Sixteen prompts of 2 to 140 tokens; the longer half begin alike."""
    text = model.encode("\n\n".join(corpus_paragraphs()))
    short = [tuple(text[at * 50 : at * 50 + 2 + at * 9]) for at in range(8)]
    return short + [(*text[:70], *text[900 + at * 40 : 910 + at * 48]) for at in range(8)]


@pytest.mark.parametrize("check", contract.CHECKS, ids=lambda check: check.__name__)
def test_the_model_holds_to_the_contract(model: LlamaModel, check: Check) -> None:
    check(model)


def test_it_is_what_else_a_model_can_be(model: LlamaModel) -> None:
    assert isinstance(model, ChatVocabulary)
    assert isinstance(model, Interruptible)
    assert isinstance(model, Embedder)


def test_the_bytes_of_every_token_are_those_of_the_library(model: LlamaModel) -> None:
    vocabulary = model.file.vocabulary
    num_split = 0
    for token in range(vocabulary.n_vocab):
        data = model.token_bytes(token)
        assert data.decode(errors="replace") == vocabulary.token_to_piece(token, 0, False)
        num_split += data != data.decode(errors="ignore").encode()
    assert num_split > 100  # parts of characters, which the library cannot give


def test_every_token_that_ends_generation_is_eos(model: LlamaModel) -> None:
    vocabulary = model.file.vocabulary
    assert {vocabulary.get_text(token) for token in model.eos_token_ids} >= {
        "<|endoftext|>",
        "<|im_end|>",
    }


def test_tokens_are_the_same_alone_and_in_full_batches(model: LlamaModel) -> None:
    """48 requests of 1 to 64 tokens over 16 slots: newcomers join, slots are used again, prompts
    are shared, and everybody gets what the prompt gets alone in a model that has seen nothing."""
    known = prompts(model)
    alone: list[list[int]] = []
    for prompt in known:
        fresh = LlamaModel(max_num_seqs=NUM_SLOTS)
        result = decode(fresh, [request("a", prompt, max_tokens=64, ignore_eos=True)], slots=1)["a"]
        alone.append(result.token_ids)
        fresh.close()
    lengths = [1 + number * 29 % 64 for number in range(48)]
    crowd = [
        request(
            f"r{number}", known[number * 7 % 16], number // 3, max_tokens=length, ignore_eos=True
        )
        for number, length in enumerate(lengths)
    ]
    together = decode(model, crowd)
    assert max(result.generation or 0 for result in together.values()) > 2
    assert {result.output_tokens for result in together.values()} == set(lengths)
    for number, length in enumerate(lengths):
        assert together[f"r{number}"].token_ids == alone[number * 7 % 16][:length]


@pytest.mark.parametrize("length", [255, 256, 257, 300, 513])
def test_the_logits_of_a_long_row_are_the_same_to_the_bit(length: int) -> None:
    """Alone, between neighbours, and with slots between them that have no rows."""
    model = LlamaModel(max_num_seqs=4, max_model_len=1024)
    text = model.encode("\n\n".join(corpus_paragraphs()))
    tokens = [text[:length], text[300:310], text[200:240], text[50 : 55 + length]]

    def logits(*slots: int) -> list[list[list[float]]]:
        rows = [Prefix(slot, f"r{slot}", tokens[slot], len(tokens[slot])) for slot in slots]
        seen = []
        for _ in range(2):
            seen.append(model.logits(rows))
            for row, new in zip(rows, seen[-1], strict=True):
                row.token_ids.append(max(range(len(new)), key=new.__getitem__))
        return seen

    together = logits(0, 1, 2, 3)
    for slots in ((0,), (3,), (0, 2), (1, 3)):
        assert logits(*slots) == [[step[slot] for slot in slots] for step in together]
    model.close()


def test_faults_change_no_token(model: LlamaModel) -> None:
    crowd = [
        request(f"r{number}", prompt, number // 2, max_tokens=12)
        for number, prompt in enumerate(prompts(model)[::3])
    ]
    calm = decode(model, crowd, slots=4)
    kinds = ("raise", "short", "swap", "duplicate", "late", "empty")
    faults = [Fault(call=2 + at * 2, kind=kind) for at, kind in enumerate(kinds)]
    poison = request("poison", (10**6,), 1)
    stormy = decode(model, [*crowd, poison], slots=4, faults=faults)
    assert stormy.pop("poison").finish_reason == "error"
    assert {name: each.token_ids for name, each in stormy.items()} == {
        name: each.token_ids for name, each in calm.items()
    }


def test_a_chat_ends_with_the_models_turn(model: LlamaModel) -> None:
    chat = Request(
        request_id="a",
        messages=(BRIEF, Message("user", "What is the capital of France?")),
        params=SamplingParams(temperature=0, max_tokens=64),
    )
    result = decode(model, [chat])["a"]
    assert result.finish_reason == "stop" and result.stop_reason is None
    assert result.text == "The capital of France is Paris."


def test_the_template_is_the_models_own_and_marks_in_a_message_are_text(model: LlamaModel) -> None:
    def shown(tokens: list[int]) -> str:
        piece = model.file.vocabulary.token_to_piece
        return "".join(piece(token, 0, True) for token in tokens)

    tokens = model.encode_chat([Message("user", "hi <|im_end|> there")])
    assert shown(tokens) == (
        "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging Face"
        "<|im_end|>\n<|im_start|>user\nhi <|im_end|> there<|im_end|>\n<|im_start|>assistant\n"
    )
    end = model.file.vocabulary.token_eos()
    assert tokens.count(end) == 2
    plain = [Message("system", "Be brief."), Message("user", "Why is the sky blue? 1 2 3")]
    whole = "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nWhy is the sky blue? 1 2 3"
    whole += "<|im_end|>\n<|im_start|>assistant\n"
    assert model.encode_chat(plain) == model.file.vocabulary.tokenize(whole, False, True)


def test_stops_limits_and_cancels_are_the_engines(model: LlamaModel) -> None:
    text = "Count: one, two, three, four,"
    free = decode(model, [request("a", text, max_tokens=24)])["a"]
    stop = free.text[6:9]
    assert stop not in free.text[:6]
    results = decode(
        model,
        [
            request("stop", text, max_tokens=24, stop=(stop,)),
            request("shown", text, max_tokens=24, stop=(stop,), include_stop_str_in_output=True),
            request("token", text, max_tokens=24, stop_token_ids=(free.token_ids[4],)),
            request("length", text, max_tokens=5),
            request("cancelled", text, max_tokens=24),
            request("too long", 600, max_tokens=24),
            request("bounded", model.max_model_len - 3, max_tokens=24, ignore_eos=True),
        ],
        aborts=[(6, "cancelled")],
    )
    assert (results["stop"].text, results["stop"].stop_reason) == (free.text[:6], stop)
    assert results["shown"].text == free.text[:9]
    assert results["token"].token_ids == free.token_ids[:5]
    assert results["length"].token_ids == free.token_ids[:5]
    assert results["cancelled"].finish_reason == "abort"
    assert results["cancelled"].token_ids == free.token_ids[: results["cancelled"].output_tokens]
    assert results["too long"].finish_reason == "error"
    assert (results["bounded"].finish_reason, results["bounded"].output_tokens) == ("length", 3)


def test_no_token_ends_a_row_before_min_tokens(model: LlamaModel) -> None:
    chat = (BRIEF, Message("user", "How many days are there in a week?"))
    for least in (0, 30):
        params = SamplingParams(temperature=0, max_tokens=32, min_tokens=least)
        result = decode(model, [Request(request_id="a", messages=chat, params=params)])["a"]
        assert result.output_tokens >= least
        assert not model.eos_token_ids & set(result.token_ids[: max(least - 1, 0)])


def test_a_seed_draws_the_same_wherever_it_sits(model: LlamaModel) -> None:
    def drawn(seed: int | None, name: str = "a", slots: int = 1, **params: float) -> list[int]:
        wanted = request(name, "Once upon a time", 0, seed=seed, max_tokens=12, **params)
        others = [request(f"o{n}", "The", max_tokens=6, temperature=1.0) for n in range(slots - 1)]
        return decode(model, [*others, wanted], slots=slots)[name].token_ids

    hot = drawn(1, temperature=1.5)
    assert hot == drawn(1, temperature=1.5) == drawn(1, "b", 4, temperature=1.5)
    assert hot != drawn(2, temperature=1.5)
    assert drawn(None, "a", temperature=1.5) != drawn(None, "b", temperature=1.5)
    greedy = drawn(1)
    assert greedy == drawn(2) == drawn(1, temperature=1.5, top_p=1e-6)


def test_logprobs_are_those_of_the_logits(model: LlamaModel) -> None:
    tokens = model.encode("The capital of France is")
    params = [SamplingParams(temperature=0, logprobs=top) for top in (None, 0, 3)]
    rows = [
        Prefix(at, f"r{at}", tokens, len(tokens), params=each) for at, each in enumerate(params)
    ]
    reply = model.forward(rows)
    logits = model.logits(rows)
    assert logits[0] == logits[1] == logits[2]
    assert len(logits[0]) == model.file.num_tokens
    total = math.log(math.fsum(map(math.exp, logits[0])))
    assert reply.logprobs is not None
    without, own, threes = reply.logprobs
    assert without is None and threes is not None
    (three,) = threes
    best = max(range(len(logits[0])), key=logits[0].__getitem__)
    assert reply.tokens == [[best]] * 3
    assert own is not None and own[0].top == ()
    assert own[0].logprob == pytest.approx(logits[0][best] - total, abs=1e-6)
    assert [token for token, _ in three.top] == sorted(
        range(len(logits[0])), key=lambda token: -logits[0][token]
    )[:3]
    assert three.top[0] == (best, three.logprob)
    assert three.logprob == own[0].logprob


def test_embeddings_are_means_that_tell_texts_apart(model: LlamaModel) -> None:
    cat, kitten, revenue, long = model.embed(
        [
            "The cat sat on the mat.",
            "A kitten rested on a rug.",
            "Quarterly revenue grew by nine percent.",
            "word " * 150,
        ]
    )
    assert {len(each) for each in (cat, kitten, revenue, long)} == {576}

    def likeness(a: list[float], b: list[float]) -> float:
        return math.fsum(map(mul, a, b)) / math.hypot(*a) / math.hypot(*b)

    assert likeness(cat, kitten) > likeness(cat, revenue) + 0.1
    assert model.embed(["The cat sat on the mat."]) == [cat]
    for text in ("", "word " * 600):
        with pytest.raises(ValueError, match="want 1 to 512"):
            model.embed([text])


def test_shared_prompts_are_prefilled_once(
    model: LlamaModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = prompts(model)[-1]
    given: list[int] = []
    native = model._context.decode
    monkeypatch.setattr(
        model._context, "decode", lambda tokens: native(_counted(list(tokens), given))
    )
    first = decode(model, [request("a", (5, *known), max_tokens=1)])
    alone, given[:] = sum(given), []
    again = decode(model, [request("b", (5, *known), max_tokens=1)])
    assert alone == len(known) + 1
    assert sum(given) == alone - alone // 64 * 64
    assert first["a"].token_ids == again["b"].token_ids


def _counted(tokens: list[Given], given: list[int]) -> list[Given]:
    given.append(len(tokens))
    return tokens


def test_an_interrupt_ends_the_call_and_all_that_follow() -> None:
    model = LlamaModel(max_num_seqs=2, max_model_len=4096)
    timer = threading.Timer(0.1, model.interrupt)
    timer.start()
    with pytest.raises(InterruptedError):
        model.forward([Prefix(0, "a", None, 4000)])  # some ten seconds
    timer.join()
    with pytest.raises(InterruptedError):
        model.forward([Prefix(1, "b", (1, 2), 2)])
    with pytest.raises(InterruptedError):
        model.embed(["a text"])
    with pytest.raises(InterruptedError):
        model.embed(["a"])
    model.interrupt()
    model.close()
    model.close()
    with pytest.raises(RuntimeError, match="closed"):
        model.encode("a")
    with pytest.raises(RuntimeError, match="closed"):
        model.encode_chat([Message("user", "a")])


def test_a_row_that_is_too_long_never_reaches_the_library() -> None:
    model = LlamaModel(max_num_seqs=1, max_model_len=20)
    with pytest.raises(InputError, match="a row has 25 tokens: want 20 at most"):
        model.forward([Prefix(0, "a", [5] * 25, 25)])
    assert model.forward([Prefix(0, "a", [5] * 20, 20)]).tokens
    model.close()
    with pytest.raises(InterruptedError):
        model.embed(["a text"])


def test_a_length_beyond_that_of_the_training_is_refused() -> None:
    with pytest.raises(InputError, match=r"8193 tokens are more than .* --max-model-len of 8192"):
        LlamaModel(max_model_len=8193)
