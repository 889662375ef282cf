"""The scripted model: scripts in their order, and an echo for whoever has none."""

from __future__ import annotations

from batchtui.plugins.formats.workload import Script, ScriptToken
from batchtui.plugins.models.prefix import Prefix
from batchtui.plugins.models.scripted import ScriptedModel

HELLO = Script(calls=((ScriptToken(b"hello"),), (ScriptToken(b" you"),)))


def row(index: int, prompt: list[int]) -> Prefix:
    return Prefix(index, f"r{index}", prompt, len(prompt))


def text(model: ScriptedModel, tokens: list[int]) -> bytes:
    return b"".join(map(model.token_bytes, tokens))


def test_a_script_is_played_call_by_call_and_then_ends() -> None:
    model = ScriptedModel({0: HELLO})
    said = [model.forward([row(0, [])]).tokens[0] for _ in range(3)]
    assert [text(model, tokens) for tokens in said] == [b"hello", b" you", b""]
    assert said[2] == list(model.eos_token_ids)


def test_an_answer_that_is_taken_back_is_given_again() -> None:
    model = ScriptedModel({0: HELLO})
    first = model.forward([row(0, [])]).tokens
    model.take_back([row(0, [])])
    assert model.next_call(row(0, [])) == 1
    assert model.forward([row(0, [])]).tokens == first


def test_one_without_a_script_hears_its_prompt_again() -> None:
    model = ScriptedModel({0: HELLO})
    prompt = model.encode("Say it twice.")
    said = [model.forward([row(1, prompt)]).tokens[0] for _ in range(len(prompt) + 1)]
    assert said == [[token] for token in (*prompt, *model.eos_token_ids)]


def test_an_empty_script_is_one_all_the_same() -> None:
    model = ScriptedModel({0: Script(calls=())})
    assert model.forward([row(0, model.encode("unheard"))]).tokens == [list(model.eos_token_ids)]
