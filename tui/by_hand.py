"""What a person types about a request or about options, and what is made of it."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from batchtui.engine.batching.options import Options
from batchtui.engine.batching.request import Request, SamplingParams
from batchtui.engine.errors import BatchtuiError
from batchtui.plugins.registry import POLICIES, names
from batchtui.plugins.runs import policy_named
from batchtui.tui.batch_session import BatchSession
from batchtui.tui.screens.form import Field

MOST = 10**15
"""How far a number that is typed may be from 0: a recording has to hold it."""

FIELDS = (
    Field("prompt", "prompt", hint="what to say to the model"),
    Field("max_tokens", "max tokens", "32"),
    Field("stop", "stop", hint='a string, or several as JSON: ["END", "\\n"]'),
    Field("min_tokens", "min tokens", "0"),
    Field("priority", "priority", "0", "lower goes first, under the priority policy"),
    Field("tenant", "tenant"),
    Field("request_id", "id", hint="made up unless said"),
)
"""Of a request."""


def request_of(answers: Mapping[str, str], *, index: int, now: int) -> Request:
    """The request that was typed.

    Raises:
        ValueError: something is wrong with it; the message says what.
    """
    if any("\ud800" <= character <= "\udfff" for text in answers.values() for character in text):
        raise ValueError("the prompt, or another text, has half a character in it")
    if not answers["prompt"].strip():
        raise ValueError("the prompt is empty: want some text")
    params = SamplingParams(
        max_tokens=_number(answers, "max_tokens"),
        min_tokens=_number(answers, "min_tokens"),
        stop=_stops(answers["stop"]),
    )
    return Request(
        request_id=answers["request_id"].strip() or f"hand-{index}",
        params=params,
        index=index,
        prompt=answers["prompt"],
        arrival_us=now,
        priority=_number(answers, "priority"),
        tenant=answers["tenant"].strip(),
    )


def option_fields(session: BatchSession, *, here: bool) -> list[Field]:
    """The options of a run as they are."""
    now = options_now(session)
    policies = tuple(names(POLICIES))
    fields = [
        Field("slots", "slots", str(now.max_num_seqs)),
        Field("policy", "policy", now.policy or policies[0], choices=policies),
    ]
    if here and session.refork is not None:
        fields.append(Field("where", "where", "here", choices=("here", "in a fork")))
    return fields


def options_now(session: BatchSession) -> Options:
    """The options under which the run goes on where one looks."""
    kept = sum(not slot.retiring for slot in session.view.slots)
    return Options(max_num_seqs=kept, policy=session.policy_name)


def options_of(answers: Mapping[str, str], most_slots: int | None = None) -> Options:
    """The options that were typed; a real model has room for so many slots and no more.

    Raises:
        ValueError: something is wrong with them; the message says what.
    """
    try:
        policy_named(answers["policy"])
    except BatchtuiError as error:
        raise ValueError(str(error)) from error
    num_slots = _number(answers, "slots")
    if most_slots is not None and num_slots > most_slots:
        raise ValueError(f"slots is {num_slots}: the model was opened for {most_slots}")
    return Options(max_num_seqs=num_slots, policy=answers["policy"])


def _number(answers: Mapping[str, str], name: str) -> int:
    text = answers[name].strip()
    try:
        number = int(text)
    except ValueError:
        raise ValueError(f"{name} is not a whole number") from None
    if abs(number) > MOST:
        raise ValueError(f"{name} is out of range: want {-MOST:,} to {MOST:,}")
    return number


def _stops(text: str) -> tuple[str, ...]:
    if not text:
        return ()
    if not text.startswith("["):
        return (text,)
    try:
        return msgspec.json.decode(text, type=tuple[str, ...])
    except msgspec.DecodeError:
        raise ValueError('stop is not a JSON list of strings, as in ["END"]') from None
