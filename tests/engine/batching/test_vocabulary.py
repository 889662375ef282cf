"""What a vocabulary said is noted, and can be said again without it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from tests.engine.batching.table import Letters

from batchtui.engine.batching.request import Message
from batchtui.engine.batching.vocabulary import HeardVocabulary, RecalledVocabulary
from batchtui.engine.debugger.recording import Fact, PromptEncoded, TokenSpelled
from batchtui.engine.errors import InputError

CHAT = (Message("user", "ab"),)


class Templated(Letters):
    """With a chat template."""

    def encode_chat(self, messages: Sequence[Message]) -> list[int]:
        return [9, *self.encode(messages[0].content)]


class Broken(Letters):
    """Fails over every prompt."""

    def __init__(self, error: Exception) -> None:
        super().__init__()
        self.error = error

    def encode(self, text: str) -> list[int]:
        raise self.error


def heard(vocabulary: Letters) -> tuple[HeardVocabulary, list[Fact]]:
    facts: list[Fact] = []
    listening = HeardVocabulary(vocabulary)
    listening.note = facts.append
    return listening, facts


def recalled(facts: list[Fact]) -> RecalledVocabulary:
    made = RecalledVocabulary([0])
    for fact in facts:
        made.hear(fact)
    return made


def test_prompts_are_said_again_in_their_order() -> None:
    listening, facts = heard(Templated())
    said = [listening.encode("ab"), listening.encode_chat(CHAT), listening.encode("")]
    assert said == [[1, 2], [9, 1, 2], []]
    again = recalled(facts)
    assert [again.encode("x"), again.encode_chat(()), again.encode("y")] == said
    with pytest.raises(InputError, match="does not say how this prompt was encoded"):
        again.encode("z")


def test_a_chat_without_a_template_is_one_prompt() -> None:
    listening, facts = heard(Letters())
    listening.encode_chat(CHAT)
    assert len(facts) == 1


def test_tokens_are_noted_once_and_said_as_often_as_is_wanted() -> None:
    listening, facts = heard(Letters())
    assert [listening.token_bytes(token) for token in (1, 2, 1)] == [b"a", b"b", b"a"]
    assert facts == [TokenSpelled(token=1, data=b"a"), TokenSpelled(token=2, data=b"b")]
    assert [recalled(facts).token_bytes(token) for token in (1, 2)] == [b"a", b"b"]


def test_a_token_that_there_is_not_is_not_there_again() -> None:
    listening, facts = heard(Letters())
    with pytest.raises(KeyError):
        listening.token_bytes(99)
    assert facts == [TokenSpelled(token=99, data=None)]
    for token in (99, 98):
        with pytest.raises(KeyError):
            recalled(facts).token_bytes(token)


@pytest.mark.parametrize(
    ("error", "why"),
    [(ValueError("my secret prompt"), "ValueError"), (InputError("too long"), "too long")],
)
def test_a_failure_is_noted_in_words_that_quote_nothing(error: Exception, why: str) -> None:
    listening, facts = heard(Broken(error))
    with pytest.raises(type(error)):
        listening.encode("my secret prompt")
    assert facts == [PromptEncoded(error=why)]
    with pytest.raises(InputError, match=why):
        recalled(facts).encode("")


def test_eos_is_what_it_was() -> None:
    assert HeardVocabulary(Letters()).eos_token_ids == RecalledVocabulary([0]).eos_token_ids
