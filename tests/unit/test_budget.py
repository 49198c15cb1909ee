"""The promise of the budget, over random conversations, every profile, and an independent tokenizer."""

import json
from typing import Any

import pytest
import rs_bpe
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord import InvalidInput, Memory
from onrecord.models.tokenizers import counter_for
from onrecord.profiles import PROFILES
from onrecord.records import ToolCall

ENCODING = rs_bpe.openai.o200k_base()
PER_CALL = 24  # stated bound for the marks around a tool's call
LEAST = 8  # 3 for the prompt, 4 for a message, 1 for its text

words = st.sampled_from(
    [
        "hello",
        "We decided on 5 May.",
        "naïve café",
        "里斯本",
        "I prefer tea.",
        "12.50 €",
        "\n\n",
        "```x = 1```",
        "</memory>",
        "🙂",
    ]
)
texts = st.one_of(
    st.lists(words, max_size=12).map(" ".join),
    st.text(max_size=80),
    st.integers(5, 300).map(lambda size: "word " * size),
    st.integers(5, 200).map("x".__mul__),
)


def _plain(role: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    names = st.sampled_from([None, "Ana", "Zoë Müller", "a b/c"])
    return st.builds(lambda text, name: [{"role": role, "text": text, "name": name}], texts, names)


def _tools(calls: list[str], text: str, results: list[str], answered: int) -> list[dict[str, Any]]:
    """A call with results, of which some may be missing."""
    call = {
        "role": "assistant",
        "text": text,
        "tool_calls": [{"id": id, "name": "look", "arguments": "{}"} for id in calls],
    }
    pairs = list(zip(calls, results, strict=False))[:answered]
    return [call, *({"role": "tool", "text": result, "tool_call_id": id} for id, result in pairs)]


calls = st.lists(st.sampled_from("abcd"), min_size=1, max_size=3, unique=True)
turns = st.one_of(
    _plain("user"),
    _plain("assistant"),
    _plain("system"),
    st.builds(_tools, calls, texts, st.lists(texts, min_size=3, max_size=3), st.integers(0, 3)),
    st.builds(lambda text: [{"role": "tool", "text": text, "tool_call_id": "stray"}], texts),
)
conversations = st.lists(turns, max_size=25).map(lambda groups: [message for group in groups for message in group])
budgets = st.one_of(st.integers(1, 60), st.integers(60, 4000))


def size(messages: list[dict[str, Any]]) -> int:
    """The tokens of a prompt, counted as the provider documents it."""
    total = 3
    for message in messages:
        total += 4 + len(ENCODING.encode(message["content"] or ""))
        total += len(ENCODING.encode(message["name"])) + 1 if "name" in message else 0
        for call in message.get("tool_calls", ()):
            total += len(ENCODING.encode(json.dumps(call, ensure_ascii=False))) + PER_CALL
    return total


def check_openai(messages: list[dict[str, Any]]) -> None:
    """Roles and tools as OpenAI takes them."""
    open_calls: list[str] = []
    for message in messages:
        assert message["role"] in ("system", "user", "assistant", "tool")
        if message["role"] == "tool":
            open_calls.remove(message["tool_call_id"])
            continue
        assert not open_calls
        open_calls = [call["id"] for call in message.get("tool_calls", ())]
        assert message["content"] is not None or open_calls
    assert not open_calls


def check_anthropic(prompt: dict[str, Any]) -> None:
    """Turns alternate, the user begins, every use has its result in the next turn, no block is empty."""
    turns = prompt["messages"]
    assert all(turn["role"] == ("user", "assistant")[number % 2] for number, turn in enumerate(turns))
    asked: list[str] = []
    for turn in turns:
        blocks = turn["content"] if isinstance(turn["content"], list) else [{"type": "text", "text": turn["content"]}]
        assert blocks
        assert all(block["text"].strip() for block in blocks if block["type"] == "text")
        results = [block["tool_use_id"] for block in blocks if block["type"] == "tool_result"]
        assert sorted(results) == sorted(asked)
        asked = [block["id"] for block in blocks if block["type"] == "tool_use"]
    assert not asked


@pytest.mark.parametrize("profile", PROFILES)
@settings(max_examples=60, deadline=None)
@given(
    messages=conversations,
    budget=budgets,
    question=st.none() | texts,
    pins=st.lists(texts, max_size=3),
    system=st.none() | texts,
)
def test_a_prompt_never_exceeds_its_budget(
    profile: str, messages: list[dict[str, Any]], budget: int, question: str | None, pins: list[str], system: str | None
) -> None:
    with Memory(":memory:", profile=profile) as memory:
        chat = memory.session("s")
        if messages:
            chat.add_many(messages)
        for pin in pins:
            if pin.strip():
                chat.pin(pin)
        if system:
            chat.update(system=system.replace("\0", ""))
        if question is not None and not question.strip():
            question = None
        if budget < LEAST:
            if question or any(message["role"] == "user" for message in messages):
                with pytest.raises(InvalidInput, match="Give at least"):
                    chat.context(question, tokens=budget)
            return
        try:
            context = chat.context(question, tokens=budget)
        except InvalidInput:
            assert question is None  # a call of tools may need this much
            assert budget < 200
            return
    prompt = context.messages()
    assert size(prompt) == context.tokens <= budget
    check_openai(prompt)
    check_anthropic(context.anthropic())
    assert str(context) is not None
    assert sum(section.tokens for section in context.sections) <= budget + 200
    if question or any(message["role"] == "user" for message in messages):
        assert prompt
        last = next(message for message in reversed(prompt) if message["role"] == "user")
        assert last["content"] or not (question or "").strip()
    order = [message.seq for message in context.recent]
    assert order == sorted(order)


@pytest.mark.parametrize("model", ["gpt-4", "claude-sonnet-4", "ollama/llama3.2", "mistral"])
@settings(max_examples=25, deadline=None)
@given(messages=conversations, budget=st.integers(150, 2000))
def test_a_prompt_for_another_model_is_counted_as_that_model_counts(
    model: str, messages: list[dict[str, Any]], budget: int
) -> None:
    counter = counter_for(model)
    with Memory(":memory:") as memory:  # added under one model, asked for under another
        chat = memory.session("s")
        if messages:
            chat.add_many(messages)
        chat.update(model=model)
        context = chat.context("And now?", tokens=budget)
    counted = counter.priming
    for message in context.messages():
        calls = [ToolCall.from_dict({"id": call["id"], **call["function"]}) for call in message.get("tool_calls", ())]
        counted += counter.text(message["content"] or "")
        counted += counter.overhead(message["role"], message.get("name"), calls)
    assert counted == context.tokens <= budget
    assert context.encoding == counter.encoding
    assert context.exact or any("estimate" in warning for warning in context.warnings)
