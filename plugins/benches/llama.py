"""``batchtui bench llama``: the engine on a real model, beside a bare loop over the same library.

Both have a context of their own on the same weights, the same settings, prompts and lengths, and go
step by step in turns, so that a machine that changes its pace changes it for both. The bare loop
prefills each prompt in a call of its own, then gives every sequence's last token in one call and
takes the likeliest: no queue, no stops, no text, no events. The engine does all of that. Unless
both give the same tokens the benchmark fails.

    ratio_1, ratio_4, ratio_16   the engine's time over the bare loop's, by slots
    tokens_per_s_16              what the engine decodes a second with 16 slots, prefill included
    load_s                       from nothing imported to a model with 16 slots
    kv_mb, rss_mb                the KV cells of 16 slots of 512 tokens; the process after one step
"""

from __future__ import annotations

import resource
import statistics
import time
from collections.abc import Callable

# Any: cyllama has no types, and the model is imported when its loading is timed.
from typing import Any, NamedTuple

from batchtui.engine.batching.config import BatchingConfig
from batchtui.engine.batching.decoder import Decoder
from batchtui.engine.batching.policies import Fcfs
from batchtui.engine.batching.request import Request, Result, SamplingParams
from batchtui.engine.errors import InputError, WorkError
from batchtui.engine.machine import Submitted
from batchtui.engine.simulate import Simulation, TimedFeed
from batchtui.plugins.benches.figures import Figure
from batchtui.plugins.caller import ModelCaller

SLOTS = (1, 4, 16)
OUTPUT_LEN = 48
PROMPT_LENS = range(8, 56, 3)
ROUNDS = 3
MAX_RATIO = 1.05
MAX_LOAD_S = 1.0

Prompts = list[list[int]]


class Bare:
    """A loop over cyllama, as its user would write it.

    Args:
        model: whose weights and settings are used.
        prompts: one a sequence.
    """

    def __init__(self, model: Any, prompts: Prompts) -> None:
        library, size = model.file.library, model.size
        params = library.LlamaContextParams()
        params.n_seq_max = size.num_sequences
        params.n_ctx = size.num_sequences * size.context_len
        params.n_batch = params.n_ubatch = size.batch_len
        params.n_threads = params.n_threads_batch = model.num_threads
        params.kv_unified = False
        params.no_perf = True
        self.sequences = [list(prompt) for prompt in prompts]
        self._context = library.LlamaContext(model.file.native, params)
        self._batch = library.LlamaBatch(n_tokens=size.batch_len, embd=0, n_seq_max=1)
        self._greedy = library.LlamaSampler(library.LlamaSamplerChainParams())
        self._greedy.add_greedy()
        self._is_prefilled = False

    def step(self) -> None:
        """One more token for every sequence."""
        batch, context, greedy = self._batch, self._context, self._greedy
        if not self._is_prefilled:
            self._prefill()
        batch.clear()
        for sequence, tokens in enumerate(self.sequences):
            batch.add(tokens[-1], len(tokens) - 1, [sequence], True)
        context.decode(batch)
        for sequence, tokens in enumerate(self.sequences):
            tokens.append(greedy.sample(context, sequence))

    def _prefill(self) -> None:
        for sequence, tokens in enumerate(self.sequences):
            self._batch.clear()
            for position, token in enumerate(tokens[:-1]):
                self._batch.add(token, position, [sequence], False)
            self._context.decode(self._batch)
        self._is_prefilled = True

    def close(self) -> None:
        """Give the context back."""
        self._batch.close()
        self._context.close()


class Engine:
    """The decoder on the model, with events and a listener, stepped from outside."""

    def __init__(self, model: Any, prompts: Prompts) -> None:
        self.results: dict[int, list[int]] = {}
        params = SamplingParams(temperature=0, max_tokens=OUTPUT_LEN, ignore_eos=True)
        requests = [
            Request(request_id=f"r{at}", index=at, prompt=tuple(prompt), params=params)
            for at, prompt in enumerate(prompts)
        ]
        config = BatchingConfig(max_num_seqs=len(prompts), max_model_len=model.max_model_len)
        decoder = Decoder(config, model, Fcfs(), listener=self)
        feed = TimedFeed(Submitted(body=request) for request in requests)
        self._simulation = Simulation(decoder, ModelCaller(model), feed)

    def text(self, request_id: str, delta: str) -> None:
        """Text was decoded."""

    def finished(self, result: Result) -> None:
        """A request ended."""
        self.results[result.index] = result.token_ids

    def step(self) -> None:
        """One step of the machine."""
        machine = self._simulation.machine
        step = machine.step
        while machine.step == step and self._simulation.advance() is not None:
            pass


class Round(NamedTuple):
    """What both took for the same tokens, in seconds."""

    engine_s: float
    bare_s: float


def run(file: str | None, repeat: int | None) -> list[Figure]:
    """Measure; ``repeat`` is the number of rounds.

    Raises:
        InputError: a file was given, which this benchmark does not read.
        PluginError, InputError: the extra or the weights are not there.
        WorkError: the engine and the bare loop gave different tokens.
    """
    if file is not None:
        raise InputError("bench llama reads no file: leave it out")
    began = time.perf_counter()
    # Imported here, because loading counts.
    from batchtui.plugins.models.llama import LlamaModel  # noqa: PLC0415

    model = LlamaModel(max_num_seqs=max(SLOTS))
    load_s = time.perf_counter() - began
    kv_mb, prompts = model.kv_bytes / 1e6, _prompts(model)
    Engine(model, prompts).step()  # which touches all the memory that there is to touch
    rss_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    model.close()
    rounds = {slots: _rounds(prompts[:slots], repeat or ROUNDS) for slots in SLOTS}
    most = max(SLOTS)
    speed = most * OUTPUT_LEN / statistics.median(each.engine_s for each in rounds[most])
    return [
        *(_ratio(slots, rounds[slots]) for slots in SLOTS),
        Figure(f"tokens_per_s_{most}", speed, "tokens/s", None),
        Figure("load_s", load_s, "s", MAX_LOAD_S),
        Figure("kv_mb", kv_mb, "MB", None),
        Figure("rss_mb", rss_mb, "MB", None),
    ]


def _prompts(model: Any) -> Prompts:
    from batchtui.plugins.models.ngram import corpus_paragraphs  # noqa: PLC0415

    text = model.encode("\n\n".join(corpus_paragraphs()))
    return [text[at * 61 : at * 61 + length] for at, length in enumerate(PROMPT_LENS)]


def _rounds(prompts: Prompts, count: int) -> list[Round]:
    from batchtui.plugins.models.llama import LlamaModel  # noqa: PLC0415

    found = []
    for _ in range(count):
        model = LlamaModel(max_num_seqs=len(prompts))
        bare = Bare(model, prompts)
        try:
            found.append(_round(Engine(model, prompts), bare, prompts))
        finally:
            bare.close()
            model.close()
    return found


def _round(engine: Engine, bare: Bare, prompts: Prompts) -> Round:
    """Both in turns; who goes first changes with every step."""
    engine_s = bare_s = 0.0
    for step in range(OUTPUT_LEN):
        if step % 2:
            engine_s += _seconds(engine.step)
        bare_s += _seconds(bare.step)
        if not step % 2:
            engine_s += _seconds(engine.step)
    for at, (prompt, tokens) in enumerate(zip(prompts, bare.sequences, strict=True)):
        if engine.results.get(at) != tokens[len(prompt) :]:
            raise WorkError(f"the engine and the bare loop gave sequence {at} different tokens")
    return Round(engine_s, bare_s)


def _seconds(step: Callable[[], None]) -> float:
    began = time.perf_counter()
    step()
    return time.perf_counter() - began


def _ratio(slots: int, rounds: list[Round]) -> Figure:
    ratio = statistics.median(each.engine_s / each.bare_s for each in rounds)
    return Figure(f"ratio_{slots}", ratio, "x the bare loop", MAX_RATIO)
