"""A request of a case, and what its tokens come to: text, held text, end.

The rules of stopping, by brute force: all bytes are decoded anew for each token, and held text is
found by trying every suffix.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, field
from typing import Any

Case = dict[str, Any]  # JSON, whose shape the case format checks
Token = tuple[object, bytes]

EOS: Token = ("<eos>", b"")
MAX_EMPTY_REPLIES = 64


@dataclass
class Row:
    """A request of a case, on its way to its row of the result."""

    said: Case
    index: int
    prompt_tokens: int
    limit: int = 0
    blocks: int = 0
    arrived: int = -1
    slot: int | None = None
    generation: int | None = None
    num_answered: int = 0
    num_failures: int = 0
    num_empty: int = 0
    retries: int = 0
    tokens: list[Token] = field(default_factory=list)
    deltas: list[str] = field(default_factory=list)
    finish_reason: str | None = None
    stop_reason: object = None
    lacks_logprobs: bool = False

    @property
    def request_id(self) -> str:
        return str(self.said["request_id"])

    @property
    def text(self) -> str:
        return "".join(self.deltas)

    @property
    def output(self) -> bytes:
        return b"".join(data for _, data in self.tokens)

    @property
    def logprobs(self) -> list[float] | None:
        """One a token, or None if they were not asked for or a call that gave tokens had none."""
        if self.said.get("logprobs") is None or self.lacks_logprobs:
            return None
        return [logprob(self.index, at) for at in range(len(self.tokens))]

    @property
    def stops(self) -> list[bytes]:
        stop = self.said.get("stop") or []
        return [each.encode() for each in ([stop] if isinstance(stop, str) else stop)]

    def answer(self) -> list[Token]:
        calls = self.said.get("calls") or []
        if self.num_answered >= len(calls):
            return [EOS]
        return [read_token(token) for token in calls[self.num_answered]]

    def take(self, new: list[Token]) -> None:
        """Apply what one call returned: one delta at most, whatever the number of tokens."""
        before = self.text
        for token in new:
            self.tokens.append(token)
            shown = self.judge(token)
            if self.finish_reason:
                break
        self.lacks_logprobs |= bool(new) and has_no_logprobs(self.said, self.num_answered + 1)
        self.num_empty = 0 if new else self.num_empty + 1
        if new:
            self.show(before, shown)
        elif self.num_empty >= MAX_EMPTY_REPLIES:
            self.end("error")

    def show(self, before: str, shown: str) -> None:
        assert shown.startswith(before)
        if shown != before:
            self.deltas.append(shown[len(before) :])

    def judge(self, token: Token) -> str:
        """Decide whether the last token ends the row; returns all that may be shown now."""
        output, count = self.output, len(self.tokens)
        least = self.said.get("min_tokens", 0)
        include = self.said.get("include_stop_str_in_output", False)
        old = len(output) - len(token[1])
        if count > least:
            for end in range(old + 1, len(output) + 1):
                ending = [stop for stop in self.stops if output[:end].endswith(stop)]
                if ending:
                    longest = max(ending, key=len)
                    self.finish_reason, self.stop_reason = "stop", longest.decode()
                    kept = output[:end] if include else output[: end - len(longest)]
                    return kept.decode("utf-8", "replace")
        is_eos = token is EOS and not self.said.get("ignore_eos", False)
        is_stop = token[0] in (self.said.get("stop_token_ids") or [])
        if count >= least and (is_eos or is_stop):
            self.finish_reason, self.stop_reason = "stop", None if is_eos else token[0]
            return output[:old].decode("utf-8", "replace")
        if count >= self.limit:
            self.finish_reason = "length"
            return output.decode("utf-8", "replace")
        held = 0 if include else num_held(output, self.stops)
        return codecs.getincrementaldecoder("utf-8")("replace").decode(output[: len(output) - held])

    def end(self, reason: str) -> None:
        """End outside a reply: what was held goes out."""
        self.finish_reason = reason
        self.show(self.text, self.output.decode("utf-8", "replace"))


def num_held(output: bytes, stops: list[bytes]) -> int:
    """The length of the longest suffix that is a proper prefix of some stop."""
    proper = {stop[:length] for stop in stops for length in range(1, len(stop))}
    lengths = range(len(output), 0, -1)
    return next((length for length in lengths if output[-length:] in proper), 0)


def read_token(written: object) -> Token:
    if written == "<eos>":
        return EOS
    if isinstance(written, str):
        return written, written.encode()
    assert isinstance(written, dict)
    data = bytes.fromhex(written["hex"]) if "hex" in written else written["text"].encode()
    return written.get("id", data), data


def logprob(index: int, at: int) -> float:
    """What the model says of a request's n-th token: no two have the same."""
    return -1 - index - at / 1024


def has_no_logprobs(said: Case, call: int) -> bool:
    """Whether the model forgets them in a request's n-th call: the one that its seed names."""
    return bool(said.get("seed") == call)


def num_prompt_tokens(said: Case) -> int:
    """A prompt or chat that is text has a token for each word and each run of marks."""
    text = said.get("prompt")
    if "messages" in said:
        lines = [f"{message['role']}: {message['content']}\n" for message in said["messages"]]
        text = "".join(lines) + "assistant:"
    if text is not None:
        return len(re.findall(r"\w+|[^\w\s]+|\s+\Z", text))
    return int(said.get("prompt_tokens") or len(said.get("prompt_token_ids") or []))
