"""Any ``next_tokens(prefixes) -> list[list[int]]`` as a model: all that a newcomer must write.

The function gets a list of prefixes (a prompt's tokens and those decoded so far, copied, in the
order of the rows) and returns as many lists of new tokens. Of a prompt that is known only by its
length the prefix has that many zeros. Its vocabulary is bytes with EOS 256, unless the function,
the object that it is bound to or the module named in the spec has these attributes:

    eos_token_ids           the ids that end a sequence
    encode, token_bytes     another vocabulary: both or neither; nothing is EOS unless said above
    max_model_len           the most tokens of prompt and output together

What the function returns is never fitted onto the rows: a wrong number of lists stays wrong in the
reply, and whoever applies it refuses it whole.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from batchtui.engine.errors import PluginError
from batchtui.engine.model import Reply, Row, Vocabulary
from batchtui.plugins.models.factory import ModelOptions
from batchtui.plugins.models.imports import import_object
from batchtui.plugins.models.vocabulary import ByteVocabulary, ForeignVocabulary

NextTokens = Callable[[list[list[int]]], Any]  # Any: a black box may return anything


class FunctionModel:
    """A ``Model`` around a function.

    Args:
        function: the function, or where it is: ``package.module:name``. The current directory is
            searched first. The name may have dots: ``module:model.next_tokens``.

    Raises:
        PluginError: the spec or one of the attributes does not hold.
    """

    name = "function"

    def __init__(self, function: str | NextTokens) -> None:
        if isinstance(function, str):
            owner, found = import_object(function)
            self._next_tokens, owners = _callable(found, function), [found, owner]
        else:
            self._next_tokens, owners = function, [function]
        owners.insert(1, getattr(self._next_tokens, "__self__", None))
        self.max_model_len = _max_model_len(_attribute(owners, "max_model_len"))
        self._vocabulary = _vocabulary(owners)
        self.eos_token_ids = self._vocabulary.eos_token_ids
        self.encode = self._vocabulary.encode
        self.token_bytes = self._vocabulary.token_bytes

    @classmethod
    def from_options(cls, options: ModelOptions) -> FunctionModel:
        """Open it; the argument is the function's place. The rest is not the function's to know."""
        if not options.argument:
            raise PluginError("the function model was given no function: say function:module:name")
        return cls(options.argument)

    def forward(self, rows: Sequence[Row]) -> Reply:
        """Ask the function for the next tokens of every row."""
        answer = self._next_tokens([_prefix(row) for row in rows]) if rows else []
        if not isinstance(answer, Iterable):
            kind = type(answer).__name__
            raise PluginError(f"next_tokens returned {kind}: want a list of lists of token ids")
        return Reply([row.key for row in rows], [_tokens(new) for new in answer])


def _prefix(row: Row) -> list[int]:
    prompt = row.prompt_token_ids
    return [*([0] * row.num_prompt_tokens if prompt is None else prompt), *row.token_ids]


def _tokens(new: Any) -> Any:
    """One row of an answer, numbers of other libraries made ints.

    What is no list of numbers stays what it is, hence Any: the caller of the model refuses it by
    name.
    """
    if isinstance(new, str | bytes) or not isinstance(new, Iterable):
        return new
    return [_token(token) for token in new]


def _token(token: Any) -> Any:
    try:
        return operator.index(token)
    except TypeError:
        return token


def _callable(found: Any, spec: str) -> NextTokens:
    if not callable(found):
        raise PluginError(
            f"{spec!r} is of type {type(found).__name__}: want a function of prefixes"
        )
    function: NextTokens = found
    return function


def _attribute(owners: list[Any], name: str) -> Any:
    """What the first owner that has it says; None where nobody does."""
    for owner in owners:
        value = getattr(owner, name, None)
        if value is not None:
            return value
    return None


def _max_model_len(value: Any) -> int | None:
    if value is None or (type(value) is int and value > 0):
        return value
    raise PluginError(f"max_model_len of the function is {value!r}: want a whole number from 1 up")


def _vocabulary(owners: list[Any]) -> Vocabulary:
    eos = _attribute(owners, "eos_token_ids")
    encode, token_bytes = _attribute(owners, "encode"), _attribute(owners, "token_bytes")
    ids = None if eos is None else _eos_token_ids(eos)
    if encode is None and token_bytes is None:
        return ByteVocabulary() if ids is None else ByteVocabulary(ids)
    if not (callable(encode) and callable(token_bytes)):
        raise PluginError("the function has one of encode and token_bytes: give both, or neither")
    return ForeignVocabulary(encode, token_bytes, frozenset() if ids is None else ids)


def _eos_token_ids(value: Any) -> frozenset[int]:
    try:
        return frozenset(map(operator.index, value))
    except TypeError:
        raise PluginError(
            f"eos_token_ids of the function is of type {type(value).__name__}: want a set of ints"
        ) from None
