"""A model's own chat template, a Jinja text that comes with its weights.

Rendered in Jinja's sandbox, as foreign code, with what transformers gives to templates. What the
messages say is put in after rendering, so that it can be told from the template's own marks: a user
who writes ``<|im_end|>`` has written ten characters and ended nothing. So a template sees where a
content stands, and whether it is empty, but not what it says; one that would change it is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from batchtui.engine.batching.request import Message
from batchtui.engine.errors import InputError, PluginError

if TYPE_CHECKING:
    from jinja2.environment import Template

# Private use characters, which no template has a reason to hold; and what JSON makes of them.
_BEGIN, _END = "\U000f0000", "\U000f0001"
_PLACE = re.compile(f"{_BEGIN}([0-9]+){_END}")
_ALTERED = re.compile(f"[{_BEGIN}{_END}]|\\\\udb80", re.IGNORECASE)


class Piece(NamedTuple):
    """A part of a prompt: the template's own text, or what a message says."""

    text: str
    is_template: bool


class ChatTemplate:
    """Turns messages into the prompt that asks for the assistant's next one.

    Args:
        source: the template; read when the first chat comes, since who has none needs none.
        bos, eos: the texts of these tokens, which templates may write.
    """

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        self._source = source
        self._template: Template | None = None
        self._marks = {"bos_token": bos, "eos_token": eos}

    def pieces(self, messages: Sequence[Message]) -> list[Piece]:
        """The prompt in its parts, without empty ones.

        Raises:
            InputError: this is no template, or it refuses these messages; does not say what is in
                them.
            PluginError: jinja2 is not installed.
        """
        # Every other part is the number of a message.
        parts = _PLACE.split(self._rendered(messages))
        if any(map(_ALTERED.search, parts[::2])):
            raise InputError("the model's chat template alters what messages say: give a prompt")
        pieces = [
            Piece(messages[int(part)].content if at % 2 else part, at % 2 == 0)
            for at, part in enumerate(parts)
        ]
        return [piece for piece in pieces if piece.text]

    def _rendered(self, messages: Sequence[Message]) -> str:
        """The prompt with a numbered place for each content."""
        written = [
            {"role": message.role, "content": message.content and f"{_BEGIN}{at}{_END}"}
            for at, message in enumerate(messages)
        ]
        self._template = self._template or _compiled(self._source)
        try:
            return self._template.render(
                messages=written, add_generation_prompt=True, **self._marks
            )
        except Exception as error:
            kind = type(error).__name__
            raise InputError(f"the model's chat template failed with {kind}") from None


def _compiled(source: str) -> Template:
    try:
        from jinja2 import TemplateError, nodes  # noqa: PLC0415 - of the extra
        from jinja2.ext import Extension, loopcontrols  # noqa: PLC0415
        from jinja2.parser import Parser  # noqa: PLC0415
        from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415
    except ImportError as error:
        raise PluginError("a chat template needs jinja2: pip install 'batchtui[llama]'") from error

    class Generation(Extension):
        """``{% generation %}`` marks what an assistant says, for training; it writes nothing."""

        tags = {"generation"}  # noqa: RUF012 - as the base has it

        def parse(self, parser: Parser) -> list[nodes.Node]:
            """The statements between the tags, as they stand."""
            next(parser.stream)
            return parser.parse_statements(("name:endgeneration",), drop_needle=True)

    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, Generation]
    )
    environment.globals.update(raise_exception=_refuse, strftime_now=_strftime_now)
    try:
        return environment.from_string(source)
    except TemplateError as error:
        kind = type(error).__name__
        raise InputError(f"the model's chat template is no template: {kind}") from error


def _refuse(message: str) -> NoReturn:
    raise ValueError(message)


def _strftime_now(form: str) -> str:
    return datetime.now().strftime(form)
