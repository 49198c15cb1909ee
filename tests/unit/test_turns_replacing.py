"""Messages that others replace leave the prompt's window, also one that is at hand; prompts for an earlier message."""

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from onrecord import InvalidInput, Memory, Session
from onrecord.context.replacing import is_replaced, joined
from onrecord.profiles import PROFILES


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None) as memory:
        yield memory


@pytest.fixture
def chat(memory: Memory) -> Session:
    return memory.session("s")


def said(chat: Session, **asked: Any) -> list[str]:
    return [message["content"] for message in chat.context(tokens=4000, **asked).messages()]


def test_a_replaced_message_is_no_longer_shown_and_still_there(chat: Session) -> None:
    chat.add_many([("user", "one"), ("assistant", "two"), ("user", "three"), ("assistant", "four")])
    assert said(chat, question="now") == ["one", "two", "three", "four", "now"]
    chat.add("user", "three, better", meta={"replaces": [3, 4]})
    assert said(chat) == ["one", "two", "three, better"]
    chat.refresh()
    assert said(chat) == ["one", "two", "three, better"]
    assert [message.text for message in chat.history(after=2)] == ["three", "four", "three, better"]


def test_what_replaced_another_can_be_replaced(chat: Session) -> None:
    chat.add_many([("user", "hi"), ("assistant", "a1")])
    chat.add("assistant", "a2", meta={"replaces": [2, 2]})
    chat.add("assistant", "a3", meta={"replaces": [3, 3]})
    for _ in range(2):
        assert said(chat, question="now") == ["hi", "a3", "now"]
        chat.refresh()
    chat.forget(4)  # it replaces nothing any more; what it had replaced still replaces the first
    assert said(chat, question="now") == ["hi", "a2", "now"]


@pytest.mark.parametrize("value", [None, 1, "12", [1], [1, 2, 3], [2, 1], [0, 1], [1.0, 2], [True, 2], [1, 3], [1, 99]])
def test_what_is_no_range_of_earlier_messages_recalled_nothing(chat: Session, value: Any) -> None:
    chat.add_many([("user", "one"), ("assistant", "two")])
    chat.add("user", "three", meta={"replaces": value})
    assert said(chat) == ["one", "two", "three"]


def test_a_call_and_its_results_are_replaced_together(chat: Session) -> None:
    calls = [{"id": "c", "name": "weather", "arguments": "{}"}]
    chat.add("user", "Weather?")
    chat.add("assistant", None, tool_calls=calls)
    chat.add("tool", "22", tool_call_id="c")
    assert len(said(chat)) == 3
    chat.add("assistant", "I don't know.", meta={"replaces": [2, 3]})
    assert said(chat, question="now") == ["Weather?", "I don't know.", "now"]


def test_a_question_is_found_behind_many_replaced_ones(chat: Session) -> None:
    chat.add("user", "the question")
    for _ in range(3):
        chat.add("user", "gone")
        chat.add_many([("assistant", "word " * 50)] * 30)
    call = [{"id": "c", "name": "look", "arguments": "{}"}]
    chat.add("assistant", None, tool_calls=call, meta={"replaces": [2, chat.info().last_seq]})
    chat.add("tool", "word " * 60, tool_call_id="c")
    context = chat.context(tokens=300)
    assert context.question == "the question"


def test_a_replaced_message_is_not_recalled_in_its_conversation(memory: Memory, chat: Session) -> None:
    chat.add("user", "The parrot is called Zazu.")
    chat.add("user", "The parrot is called Iago.", meta={"replaces": [1, 1]})
    for number in range(60):
        chat.add("user", f"Day {number}: we walked {number} miles along the coast and saw {number} gulls.")
    memory.session("other").add("user", "Nothing of note.")
    text = str(chat.context("What is the parrot called?", tokens=700))
    assert "Iago" in text
    recalled = text[text.index("Recalled for the question") :]
    assert "Zazu" not in recalled


operations = st.lists(
    st.tuples(
        st.sampled_from(["add", "add", "add", "replace", "tool", "odd", "show", "small", "forget"]),
        st.integers(0, 30),
        st.integers(0, 30),
    ),
    max_size=40,
)


@settings(max_examples=40)
@given(operations, st.sampled_from(sorted(PROFILES)))
def test_a_shelf_at_hand_shows_what_a_fresh_one_does(steps: list[tuple[str, int, int]], profile: str) -> None:
    with Memory(":memory:", embedder=None, profile=profile) as memory:
        chat = memory.session("s")
        chat.add("user", "begin")
        for number, (what, one, other) in enumerate(steps):
            last = chat.info().last_seq
            first, end = sorted((1 + one % last, 1 + other % last))
            if what == "add":
                chat.add("user" if one % 2 else "assistant", f"text {number}")
            elif what == "replace":
                chat.add("user", f"edit {number}", meta={"replaces": [first, end]})
            elif what == "odd":
                chat.add("assistant", f"odd {number}", meta={"replaces": [end + 1, first]})
            elif what == "tool":
                chat.add("assistant", None, tool_calls=[{"id": f"c{number}", "name": "t", "arguments": "{}"}])
                chat.add("tool", "result", tool_call_id=f"c{number}")
            elif what == "forget":
                chat.forget(first)
            else:
                chat.context("now", tokens=4000 if what == "show" else 200)
        at_hand = chat.context("now", tokens=3000)
        chat.refresh()
        fresh = chat.context("now", tokens=3000)
        assert at_hand.messages() == fresh.messages()
        shown = {message.seq for message in fresh.recent}
        kept = [message for message in chat.history() if message.state == "kept"]
        for message in kept:
            span = message.meta.get("replaces")
            if span and span[0] <= span[1] < message.seq:
                assert not shown & set(range(span[0], span[1] + 1))


@given(st.lists(st.tuples(st.integers(1, 60), st.integers(0, 9))))
def test_ranges_hold_what_they_should(given_ranges: list[tuple[int, int]]) -> None:
    spans = [(first, first + more) for first, more in given_ranges]
    ranges = joined(joined((), spans[: len(spans) // 2]), spans[len(spans) // 2 :])
    for number in range(75):
        assert is_replaced(ranges, number) == any(first <= number <= last for first, last in spans)


# Prompts for an earlier message


def test_only_what_was_said_before_is_shown_and_asked(chat: Session) -> None:
    chat.add_many([("user", "one"), ("assistant", "two"), ("user", "three"), ("assistant", "four"), ("user", "five")])
    assert said(chat) == ["one", "two", "three", "four", "five"]
    assert said(chat, before=4) == ["one", "two", "three"]
    assert said(chat, before=3) == ["one", "two"]
    assert said(chat, before=2) == ["one"]
    assert said(chat, before=99) == said(chat)
    assert chat.context(before=1).question is None
    assert said(chat) == ["one", "two", "three", "four", "five"]
    with pytest.raises(InvalidInput, match="before"):
        chat.context(before=0)


def test_what_tools_said_before_stays_behind_the_question(chat: Session) -> None:
    chat.add("user", "Weather?")
    chat.add("assistant", None, tool_calls=[{"id": "c", "name": "weather", "arguments": "{}"}])
    chat.add("tool", "22", tool_call_id="c")
    chat.add("assistant", "It is 22 degrees.")
    assert said(chat, before=4) == ["Weather?", None, "22"]


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_no_summary_of_later_messages_is_shown(profile: str) -> None:
    with Memory(":memory:", embedder=None, profile=profile) as memory:
        chat = memory.session("s")
        chat.add_many(
            [("user" if number % 2 else "assistant", f"Item {number} is number {number}.") for number in range(1, 121)]
        )
        chat.summarize()
        for before in (2, 8, 40, 77, 120):
            context = chat.context(before=before, tokens=1200)
            assert all(one.last < before for one in context.manifest if one.kind in ("summary", "message"))
            newest = f"Item {before - 1} is number {before - 1}."
            assert context.messages()[-1]["content"] == newest
            assert context.question == (None if before % 2 else newest)
