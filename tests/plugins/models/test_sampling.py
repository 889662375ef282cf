"""Which sampler a row gets; what it draws is tested on real weights."""

from __future__ import annotations

import math

# Any: stands for a library without types.
from typing import Any

import pytest

from batchtui.engine.batching.request import SamplingParams
from batchtui.plugins.models.prefix import Prefix
from batchtui.plugins.models.sampling import Samplers

EOS = frozenset({0, 2})


class Chain:
    """Notes what is added to it, and is its own choice."""

    def __init__(self, params: object) -> None:
        self.links: list[tuple[object, ...]] = []

    def __getattr__(self, name: str) -> Any:
        return lambda *arguments: self.links.append((name, *arguments))

    def sample(self, native: object, output: int) -> int:
        return output


class Library:
    LlamaSampler = Chain
    LlamaSamplerChainParams = object


SAMPLERS = Samplers(Library, num_tokens=100, eos_token_ids=EOS, seed=7)


def links(name: str = "a", num_decoded: int = 0, **params: Any) -> list[tuple[Any, ...]]:
    row = Prefix(0, name, [1], 1, [5] * num_decoded, SamplingParams(**params))
    found: list[tuple[Any, ...]] = SAMPLERS._sampler(row).links
    return found


@pytest.mark.parametrize("temperature", [0.0, 1e-38, 9e-6])
def test_no_temperature_takes_the_likeliest(temperature: float) -> None:
    assert links(temperature=temperature, top_p=0.5, seed=3) == [("add_greedy",)]


def test_temperature_comes_before_top_p_and_the_draw_last() -> None:
    names = [link[0] for link in links(temperature=0.5, top_p=0.9)]
    assert names == ["add_temp", "add_top_p", "add_dist"]
    assert links(temperature=0.5, top_p=0.9)[:2] == [("add_temp", 0.5), ("add_top_p", 0.9, 1)]


def test_all_of_the_mass_is_not_cut() -> None:
    assert [link[0] for link in links(temperature=0.5)] == ["add_temp", "add_dist"]


def test_a_draw_depends_on_seed_and_place_alone() -> None:
    def seed(**given: Any) -> int:
        ((_, number),) = [link for link in links(**given) if link[0] == "add_dist"]
        assert 0 <= number < 2**32 - 1
        return int(number)

    assert seed(seed=1) == seed(seed=1, name="b", temperature=0.3)
    assert seed(seed=1) != seed(seed=2)
    assert seed(seed=1) != seed(seed=1, num_decoded=1)
    assert seed(seed=-1) != seed(seed=2**63)
    assert seed() == seed() != seed(name="b")


def test_what_would_end_a_row_too_early_is_masked() -> None:
    def masked(num_decoded: int, **params: Any) -> set[int]:
        found = [link for link in links(num_decoded=num_decoded, **params)]
        if found[0][0] != "add_logit_bias":
            return set()
        assert found[0][1] == 100
        assert {bias for _, bias in found[0][2]} == {-math.inf}
        return {token for token, _ in found[0][2]}

    stops = (9, 2**40)
    assert masked(2, min_tokens=3, stop_token_ids=stops) == {0, 2, 9}
    assert masked(3, min_tokens=3, stop_token_ids=stops) == set()
    assert masked(0, min_tokens=3, stop_token_ids=stops, ignore_eos=True) == {9}
    assert masked(0, stop_token_ids=stops) == set()
    assert links(temperature=0, min_tokens=1)[-1] == ("add_greedy",)
