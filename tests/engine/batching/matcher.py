"""A matcher that is slow and plain: after each token it looks at all bytes anew."""

from __future__ import annotations

import codecs
from typing import NamedTuple


class Seen(NamedTuple):
    """What one token shows: the text released by it, what is held then, and the end, if any."""

    text: str
    held: str
    ended: tuple[str, str | int | None] | None


class Rules(NamedTuple):
    stops: tuple[str, ...]
    stop_token_ids: frozenset[int]
    eos_token_ids: frozenset[int]
    min_tokens: int
    include: bool

    def watch(self, tokens: list[tuple[int, bytes]]) -> list[Seen]:
        """What is seen token by token, up to the end."""
        seen: list[Seen] = []
        output, shown = b"", ""
        for count, (token, data) in enumerate(tokens, 1):
            before, output = output, output + data
            ended, kept = self.end(before, output, token, count)
            if ended is not None:
                return [*seen, Seen(kept.decode("utf-8", "replace")[len(shown) :], "", ended)]
            held = b"" if self.include else self.held(output)
            released = output[: len(output) - len(held)]
            text = codecs.getincrementaldecoder("utf-8")("replace").decode(released)
            seen.append(Seen(text[len(shown) :], held.decode("utf-8", "replace"), None))
            shown = text
        return seen

    def end(
        self, before: bytes, output: bytes, token: int, count: int
    ) -> tuple[tuple[str, str | int | None] | None, bytes]:
        """How the last token ends the output, and the bytes that are then shown in all."""
        found = [
            (len(before) + place, -len(stop.encode()), stop)
            for stop in self.stops
            for place in range(1, len(output) - len(before) + 1)
            if output[: len(before) + place].endswith(stop.encode())
        ]
        if found and count > self.min_tokens:
            end, minus_length, stop = min(found)
            return ("stop", stop), output[: end if self.include else end + minus_length]
        if count >= self.min_tokens and token in self.eos_token_ids:
            return ("stop", None), before
        if count >= self.min_tokens and token in self.stop_token_ids:
            return ("stop", token), before
        return None, output

    def held(self, output: bytes) -> bytes:
        """The longest suffix that is a proper prefix of some stop."""
        for length in range(len(output), 0, -1):
            suffix = output[-length:]
            if any(
                stop.encode().startswith(suffix) and stop.encode() != suffix for stop in self.stops
            ):
                return suffix
        return b""
