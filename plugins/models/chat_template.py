"""A model's own chat template, a Jinja text that comes with its weights.

Rendered in Jinja's sandbox, as foreign code. What the messages say is put in after rendering, so
that it can be told from the template's own marks: a user who writes ``<|im_end|>`` has written ten
characters and ended nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from batchtui.engine.batching.request import Message
from batchtui.engine.errors import PluginError

if TYPE_CHECKING:
    from jinja2.environment import Template

# Private use characters, which no template has a reason to hold.
_PLACE = re.compile("\U000f0000([0-9]+)\U000f0001")


class Piece(NamedTuple):
    """A part of a prompt: the template's own text, or what a message says."""

    text: str
    is_template: bool


class ChatTemplate:
    """Turns messages into the prompt that asks for the assistant's next one.

    Args:
        source: the template.
        bos, eos: the texts of these tokens, which templates may write.

    Raises:
        PluginError: jinja2 is not installed, or this is no template.
    """

    def __init__(self, source: str, *, bos: str = "", eos: str = "") -> None:
        self._template = _compiled(source)
        self._marks = {"bos_token": bos, "eos_token": eos}

    def pieces(self, messages: Sequence[Message]) -> list[Piece]:
        """The prompt in its parts, without empty ones.

        Raises:
            ValueError: the template refuses these messages; does not say what is in them.
        """
        written = [
            {"role": message.role, "content": message.content and f"\U000f0000{at}\U000f0001"}
            for at, message in enumerate(messages)
        ]
        try:
            text = self._template.render(
                messages=written, add_generation_prompt=True, **self._marks
            )
        except Exception as error:
            kind = type(error).__name__
            raise ValueError(f"the chat template failed with {kind}") from None
        # Every other part is the number of a message.
        parts = _PLACE.split(text)
        pieces = [
            Piece(messages[int(part)].content if at % 2 else part, at % 2 == 0)
            for at, part in enumerate(parts)
        ]
        return [piece for piece in pieces if piece.text]


def _compiled(source: str) -> Template:
    try:
        from jinja2 import TemplateError  # noqa: PLC0415 - of the extra
        from jinja2.sandbox import ImmutableSandboxedEnvironment  # noqa: PLC0415
    except ImportError as error:
        raise PluginError("a chat template needs jinja2: pip install 'batchtui[llama]'") from error
    # As transformers renders them, which is what templates are written for.
    environment = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True)
    environment.globals["raise_exception"] = _refuse
    try:
        return environment.from_string(source)
    except TemplateError as error:
        raise PluginError(
            f"the model's chat template is no template: {type(error).__name__}"
        ) from error


def _refuse(message: str) -> NoReturn:
    raise ValueError(message)
