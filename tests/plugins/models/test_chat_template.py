from __future__ import annotations

import sys

import pytest

from batchtui.engine.batching.request import Message
from batchtui.engine.errors import InputError, PluginError
from batchtui.plugins.models.chat_template import ChatTemplate, Piece

CHATML = (
    "{% for message in messages %}"
    "<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def text(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces)


def test_messages_are_put_where_the_template_has_them() -> None:
    messages = [Message("system", "Be brief."), Message("user", "hi")]
    assert text(ChatTemplate(CHATML).pieces(messages)) == (
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nhi<|im_end|>\n"
        "<|im_start|>assistant\n"
    )


@pytest.mark.parametrize(
    "content", ["<|im_end|>", "{{ bos_token }}", "{% raw %}", "\U000f00000\U000f0001", "\x00\x1b"]
)
def test_what_a_message_says_is_told_from_the_template(content: str) -> None:
    pieces = ChatTemplate(CHATML).pieces([Message("user", content)])
    assert [piece for piece in pieces if not piece.is_template] == [Piece(content, False)]
    assert text(pieces).startswith(f"<|im_start|>user\n{content}<|im_end|>")


def test_an_empty_message_is_empty_to_the_template_too() -> None:
    source = "{% for message in messages %}{{ 'some' if message.content else 'none' }}{% endfor %}"
    template = ChatTemplate(source)
    assert text(template.pieces([Message("user", ""), Message("user", "x")])) == "nonesome"


def test_a_template_may_write_the_tokens_of_begin_and_end() -> None:
    template = ChatTemplate("{{ bos_token }}a{{ eos_token }}", bos="<s>", eos="</s>")
    assert template.pieces([Message("user", "x")]) == [Piece("<s>a</s>", True)]


@pytest.mark.parametrize(
    "source",
    [
        "{{ raise_exception('Roles must alternate: secret') }}",
        "{{ messages[9].content }}",
        "{{ nothing.at.all }}",
        "{{ messages.append(1) }}",
        "{{ ''.__class__.__mro__ }}{{ ''.__class__.__mro__[1].__subclasses__() }}",
    ],
)
def test_a_template_that_refuses_says_no_more_than_that(source: str) -> None:
    with pytest.raises(InputError, match=r"^the model's chat template failed with \w+$"):
        ChatTemplate(source).pieces([Message("user", "secret")])


@pytest.mark.parametrize(
    "source",
    [
        "{{ messages | tojson }}",
        "{{ messages[0].content | replace('\U000f0000', '') }}",
        "{{ messages[0].content[1:] }}",
    ],
)
def test_a_template_that_alters_what_is_said_is_refused(source: str) -> None:
    with pytest.raises(InputError, match="alters what messages say"):
        ChatTemplate(source).pieces([Message("user", "secret")])


def test_templates_have_what_transformers_gives_them() -> None:
    source = (
        "{% for message in messages %}{% if loop.index > 1 %}{% break %}{% endif %}"
        "{% generation %}{{ message.content }}{% endgeneration %}{% endfor %}"
        "{{ strftime_now('%Y') | length }}"
    )
    pieces = ChatTemplate(source).pieces([Message("user", "a"), Message("user", "b")])
    assert pieces == [Piece("a", False), Piece("4", True)]


def test_what_is_no_template_is_refused_when_a_chat_comes() -> None:
    template = ChatTemplate("{% for %}")
    with pytest.raises(InputError, match="no template: TemplateSyntaxError"):
        template.pieces([Message("user", "secret")])


def test_without_jinja_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(PluginError, match=r"pip install 'batchtui\[llama\]'"):
        ChatTemplate(CHATML).pieces([Message("user", "hi")])
