from __future__ import annotations

import array
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from batchtui.engine.batching.replies import tokens_in_order
from batchtui.engine.errors import InputError, PluginError
from batchtui.engine.machine import Failure, Work
from batchtui.engine.model import Call, Reply, Row
from batchtui.plugins.caller import ModelCaller
from batchtui.plugins.models.factory import ModelOptions, open_model
from batchtui.plugins.models.function import FunctionModel
from batchtui.plugins.models.prefix import Prefix
from batchtui.plugins.models.simulated import SimulatedModel

ROWS: list[Row] = [
    Prefix(0, "a", (1, 2), 2, [3]),
    Prefix(4, "b", None, 3, [9]),
]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty current directory; what is imported from it is forgotten afterwards."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def call(answer: Any) -> Reply | Failure:
    """What the performer makes of a function that returns this for two rows."""
    work = Work(id=1, spec=Call(rows=ROWS, keys=[row.key for row in ROWS]))
    return ModelCaller(FunctionModel(lambda prefixes: answer)).call(work)[0]


class Whole:
    """A number of another library: an int by its ``__index__`` only."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_the_function_gets_prompt_and_output_in_row_order_unknown_prompts_as_zeros() -> None:
    seen: list[list[list[int]]] = []

    def next_tokens(prefixes: list[list[int]]) -> list[list[int]]:
        seen.append(prefixes)
        return [[1], [2]]

    reply = FunctionModel(next_tokens).forward(ROWS)
    assert seen == [[[1, 2, 3], [0, 0, 0, 9]]]
    assert reply == Reply([(0, 1, "a"), (4, 1, "b")], [[1], [2]], None)


def test_a_function_may_scribble_on_its_prefixes() -> None:
    def next_tokens(prefixes: list[list[int]]) -> list[list[int]]:
        for prefix in prefixes:
            prefix.clear()
        return [[1] for _ in prefixes]

    resident = Prefix(0, "a", [1, 2], 2, [3])
    FunctionModel(next_tokens).forward([resident])
    assert (resident.prompt_token_ids, resident.token_ids) == ([1, 2], [3])


@pytest.mark.parametrize(
    "answer",
    [
        ((7,), (8, 9)),
        [array.array("i", [7]), array.array("i", [8, 9])],
        [[Whole(7)], [Whole(8), Whole(9)]],
        iter([[7], [8, 9]]),
    ],
)
def test_numbers_and_lists_of_other_kinds_become_plain_ones(answer: Any) -> None:
    assert call(answer) == Reply([(0, 1, "a"), (4, 1, "b")], [[7], [8, 9]], None)


@pytest.mark.parametrize("answer", [[], [[1]], [[1], [2], [3]]])
def test_a_wrong_number_of_rows_is_refused_whole(answer: list[list[int]]) -> None:
    body = call(answer)
    refused = tokens_in_order(body, [row.key for row in ROWS])
    assert isinstance(refused, Failure)
    assert refused.detail == f"{len(answer)} rows of tokens for 2 rows"


@pytest.mark.parametrize(
    ("answer", "detail"),
    [
        ([1, 2], "the tokens of a row are not a list"),
        (["a", "b"], "the tokens of a row are not a list"),
        ([[1.5], [2]], "a token id is of type float, not int"),
        ([[1], [None]], "a token id is of type NoneType, not int"),
        ([[[1]], [2]], "a token id is of type list, not int"),
        (None, "next_tokens returned NoneType: want a list of lists of token ids"),
        (5, "next_tokens returned int: want a list of lists of token ids"),
    ],
)
def test_an_answer_that_is_no_list_of_token_lists_is_a_failure(answer: Any, detail: str) -> None:
    body = call(answer)
    assert isinstance(body, Failure)
    assert detail in body.detail


def test_what_the_function_raises_is_a_failure_without_its_message() -> None:
    def next_tokens(prefixes: list[list[int]]) -> list[list[int]]:
        raise RuntimeError(f"no room for {prefixes}")

    work = Work(id=1, spec=Call(rows=ROWS, keys=[row.key for row in ROWS]))
    body, _ = ModelCaller(FunctionModel(next_tokens)).call(work)
    assert isinstance(body, Failure)
    assert body.detail.startswith("RuntimeError at test_function.py:")


def test_without_attributes_the_vocabulary_is_bytes() -> None:
    model = FunctionModel(lambda prefixes: [])
    assert model.encode("é") == [0xC3, 0xA9]
    assert model.token_bytes(0xC3) == b"\xc3"
    assert (model.eos_token_ids, model.token_bytes(256)) == (frozenset({256}), b"")
    assert model.max_model_len is None


def test_a_module_of_the_current_directory_is_found_with_its_attributes(here: Path) -> None:
    here.joinpath("mine_model.py").write_text(
        "eos_token_ids = [2]\n"
        "max_model_len = 99\n"
        "def encode(text): return [len(word) for word in text.split()]\n"
        "def token_bytes(token): return [b'zero', b'one', b'two'][token]\n"
        "def next_tokens(prefixes): return [[1] for _ in prefixes]\n"
    )
    model = open_model("function:mine_model:next_tokens", ModelOptions(seed=4))
    assert model.name == "function"
    assert model.eos_token_ids == frozenset({2})
    assert model.max_model_len == 99
    assert model.encode("a bc") == [1, 2]
    assert (model.token_bytes(1), model.token_bytes(2)) == (b"one", b"")
    assert model.forward(ROWS).tokens == [[1], [1]]
    for unknown in (-1, 3):
        with pytest.raises(ValueError, match="token"):
            model.token_bytes(unknown)


def test_a_module_can_import_its_neighbours_when_it_is_called(here: Path) -> None:
    here.joinpath("mine_late.py").write_text(
        "def next_tokens(prefixes):\n"
        "    import mine_neighbour\n"
        "    return [[mine_neighbour.TOKEN]]\n"
    )
    here.joinpath("mine_neighbour.py").write_text("TOKEN = 5\n")
    assert FunctionModel("mine_late:next_tokens").forward(ROWS[:1]).tokens == [[5]]


def test_a_method_takes_its_attributes_from_its_object(here: Path) -> None:
    here.joinpath("mine_object.py").write_text(
        "class Model:\n"
        "    eos_token_ids = frozenset({7})\n"
        "    def next_tokens(self, prefixes): return [[7] for _ in prefixes]\n"
        "model = Model()\n"
    )
    model = FunctionModel("mine_object:model.next_tokens")
    assert model.eos_token_ids == frozenset({7})
    assert model.token_bytes(7) == b""
    assert model.token_bytes(8) == b"\x08"


@pytest.mark.parametrize(
    ("spec", "seen"),
    [
        ("", "names no function: want package.module:name"),
        ("module", "names no function: want package.module:name"),
        ("module:", "names no function"),
        ("../up:f", "names no function"),
        ("no_such_module_here:f", "does not load: ModuleNotFoundError: No module named"),
        ("json:no_such_name", "module 'json' has no 'no_such_name'"),
        ("json:__name__", "is of type str: want a function"),
    ],
)
def test_a_bad_spec_says_what_was_seen_and_what_to_do(spec: str, seen: str, here: Path) -> None:
    with pytest.raises(PluginError, match=seen) as caught:
        FunctionModel(spec)
    assert "\n" not in str(caught.value)


def test_a_module_that_fails_to_import_says_how(here: Path) -> None:
    here.joinpath("mine_broken.py").write_text("raise SystemExit('bye\\nbye')\n")
    with pytest.raises(PluginError, match="'mine_broken' does not load: SystemExit: bye bye"):
        FunctionModel("mine_broken:f")


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("eos_token_ids = 3\n", "eos_token_ids of the function is of type int: want a set of ints"),
        ("eos_token_ids = 'ab'\n", "eos_token_ids of the function is of type str"),
        ("max_model_len = 0\n", "max_model_len of the function is 0: want"),
        ("max_model_len = '8'\n", "max_model_len of the function is '8': want"),
        ("def encode(text): return []\n", "give both, or neither"),
        ("token_bytes = {}\ndef encode(text): return []\n", "give both, or neither"),
    ],
)
def test_an_attribute_that_does_not_hold_is_refused(here: Path, source: str, seen: str) -> None:
    here.joinpath("mine_odd.py").write_text(f"{source}def f(prefixes): return []\n")
    with pytest.raises(PluginError, match=seen):
        FunctionModel("mine_odd:f")


def test_a_vocabulary_that_breaks_its_word_says_so_without_the_prompt(here: Path) -> None:
    here.joinpath("mine_liar.py").write_text(
        "def encode(text): raise RuntimeError(text)\n"
        "def token_bytes(token): return 'text' if token else {}['secret']\n"
        "def f(prefixes): return []\n"
    )
    model = FunctionModel("mine_liar:f")
    assert model.eos_token_ids == frozenset()
    with pytest.raises(ValueError, match="encode failed with RuntimeError: want") as caught:
        model.encode("secret")
    assert caught.value.__cause__ is None and "secret" not in str(caught.value)
    with pytest.raises(ValueError, match=r"token_bytes\(1\) is a str: want bytes"):
        model.token_bytes(1)
    with pytest.raises(ValueError, match=r"token_bytes\(0\) failed with KeyError"):
        model.token_bytes(0)


def test_a_model_is_opened_by_its_name_and_argument() -> None:
    model = open_model("simulated:tokens_per_call=2", ModelOptions(seed=7))
    assert isinstance(model, SimulatedModel)
    assert (model.seed, model.config.tokens_per_call) == (7, 2)


def test_a_function_model_without_a_function_says_what_to_say() -> None:
    with pytest.raises(PluginError, match="say function:module:name"):
        open_model("function", ModelOptions(seed=0))


def test_a_scripted_model_is_not_opened_without_its_case() -> None:
    with pytest.raises(InputError, match=r"'scripted' is not opened by its name.*case"):
        open_model("scripted", ModelOptions(seed=0))
