"""Random cases: small alphabets, so that stops overlap, characters break and faults meet."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.reference.row import Case

_TOKENS: list[object] = [
    "a",
    "b",
    "ab",
    "ba",
    "é",
    "<eos>",
    {"hex": "c3"},
    {"hex": "a9"},
    {"hex": "f09f"},
    {"hex": "9880"},
    {"id": 5, "text": ""},
    {"id": 7, "text": "a"},
    {"id": 9, "text": "#b"},
]
_STOPS = ["a", "b", "ab", "aba", "abab", "bb", "ba", "é", "aé", "#", "b#", "😀"]
_KINDS = ["raise", "short", "swap", "duplicate", "late", "empty"]

_calls = st.lists(st.lists(st.sampled_from(_TOKENS), max_size=4), max_size=7)

_messages = st.lists(
    st.fixed_dictionaries(
        {
            "role": st.sampled_from(["system", "user", "assistant"]),
            "content": st.sampled_from(["", "a", "b, c!", "user: é\n"]),
        }
    ),
    min_size=1,
    max_size=2,
)
_prompts: st.SearchStrategy[Case] = st.one_of(
    st.fixed_dictionaries({"prompt_tokens": st.integers(0, 12)}),
    st.fixed_dictionaries({"prompt": st.sampled_from(["", " ", "a b", "a, b: \n"])}),
    st.fixed_dictionaries({"messages": _messages}),
)


@st.composite
def _requests(draw: st.DrawFn) -> Case:
    max_tokens = draw(st.integers(1, 8))
    request: Case = {
        "request_id": f"r{draw(st.integers(0, 6))}",
        "calls": draw(_calls),
        "max_tokens": max_tokens,
        "min_tokens": draw(st.integers(0, min(3, max_tokens))),
        "stop": draw(st.lists(st.sampled_from(_STOPS), max_size=3)),
        "stop_token_ids": draw(st.lists(st.sampled_from([5, 7, 9]), max_size=1)),
        "ignore_eos": draw(st.booleans()),
        "include_stop_str_in_output": draw(st.booleans()),
        **draw(_prompts),
        "logprobs": draw(st.sampled_from([None, 0, 2])),
        "priority": draw(st.integers(-1, 1)),
        "arrive_at_step": draw(st.sampled_from([0, 0, 0, 1, 2, 5, 20])),
    }
    request |= draw(
        st.fixed_dictionaries(
            {},
            optional={
                "abort_at_step": st.sampled_from([0, 1, 2, 3, 6, 30]),
                "abort_in_call": st.integers(1, 4),
                "seed": st.integers(1, 9),
            },
        )
    )
    return request


@st.composite
def _faults(draw: st.DrawFn, ids: list[str]) -> Case:
    fault: Case = {"kind": draw(st.sampled_from(_KINDS)), "always": draw(st.booleans())}
    if draw(st.booleans()):
        return fault | {"call": draw(st.integers(1, 12))}
    return fault | {"request_id": draw(st.sampled_from(ids))}


@st.composite
def cases(draw: st.DrawFn, *, most: int = 7) -> Case:
    """A case of up to ``most`` requests, with everything that a case can say."""
    requests = draw(st.lists(_requests(), min_size=1, max_size=most))
    ids = [request["request_id"] for request in requests]
    case: Case = {
        "slots": draw(st.integers(1, 4)),
        "policy": draw(st.sampled_from(["fcfs", "priority"])),
        "requests": requests,
        "faults": draw(st.lists(_faults(ids), max_size=3)),
    }
    if draw(st.booleans()):
        kv = {
            "block_size": draw(st.integers(1, 6)),
            "num_gpu_blocks": draw(st.integers(1, 8)),
        }
        case["kv"] = kv
    return case
