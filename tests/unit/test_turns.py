"""One turn: what is kept of a request and its answer, what is sent on, and under which names."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from onrecord import InvalidInput, Memory, Session
from onrecord.models.tokenizers import counter_for
from onrecord.turns import Turn, begin_turn, session_of, space_of
from onrecord.turns.budget import ALLOWANCE, LEAST, PER_PART, budget_for, usual_budget, window_of
from onrecord.turns.finding import FEW
from onrecord.turns.saying import read_request


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None) as memory:
        yield memory


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict[str, Any]:
    return {"role": "assistant", "content": text}


def begin(memory: Memory, *messages: dict[str, Any], session: str | None = "s", **body: Any) -> Turn:
    return begin_turn(memory, {"model": "gpt-4o", "messages": list(messages), **body}, session=session, budget=2000)


def texts(memory: Memory, session: str = "s") -> list[str]:
    return [message.text for message in memory.session(session).history()]


def contents(turn: Turn) -> list[Any]:
    return [message["content"] for message in turn.body["messages"]]


# What is kept, and what is sent on


def test_a_turn_keeps_the_question_builds_the_prompt_and_keeps_the_answer(memory: Memory) -> None:
    turn = begin(memory, user("Hello"), temperature=0.1, tools=[{"type": "function"}])
    assert turn.session == "s"
    assert turn.body == {
        "model": "gpt-4o",
        "messages": [{"role": "user", "content": "Hello"}],
        "temperature": 0.1,
        "tools": [{"type": "function"}],
    }
    assert turn.context.budget == 2000
    assert turn.warnings == []
    turn.finish(assistant("Hi"), model="openai/gpt-4o-2026")
    assert texts(memory) == ["Hello", "Hi"]
    (answer,) = memory.session("s").history(role="assistant")
    assert (answer.model, answer.meta) == ("gpt-4o-2026", {})


def test_instructions_become_the_sessions_and_change_only_when_they_do(memory: Memory) -> None:
    system, developer = {"role": "system", "content": "Be brief."}, {"role": "developer", "content": "Be kind."}
    begin(memory, system, user("Hello"), developer).finish(assistant("Hi"))
    info = memory.session("s").info()
    assert info.system == "Be brief.\n\nBe kind."
    turn = begin(memory, system, developer, user("Hello"), assistant("Hi"), user("More"))
    assert contents(turn) == ["Be brief.\n\nBe kind.", "Hello", "Hi", "More"]
    assert memory.session("s").info().changes == info.changes
    begin(memory, user("And?"))
    assert memory.session("s").info().system == "Be brief.\n\nBe kind."
    begin(memory, {"role": "system", "content": "Be bold."}, user("So?"))
    assert memory.session("s").info().system == "Be bold."


def test_an_edit_and_a_new_answer_leave_the_window_as_the_client_has_it(memory: Memory) -> None:
    begin(memory, user("a"), user("b")).finish(assistant("1"))
    again = begin(memory, user("a"), user("b"))
    assert contents(again) == ["a\n\nb"]
    again.finish(assistant("2"))
    assert contents(begin(memory, user("a"), user("b"), assistant("2"), user("c"))) == ["a\n\nb", "2", "c"]
    assert contents(begin(memory, user("a"), user("B"))) == ["a\n\nB"]
    assert texts(memory) == ["a", "b", "1", "2", "c", "B"]
    assert [message.meta.get("replaces") for message in memory.session("s").history()] == [
        *[None] * 3,
        [3, 3],
        None,
        [2, 5],
    ]


def test_names_calls_and_results_are_kept(memory: Memory) -> None:
    call = {"id": "c", "type": "function", "function": {"name": "weather", "arguments": '{"a":1}'}}
    begin(memory, user("Weather?") | {"name": "Ana"}).finish(
        {"role": "assistant", "content": None, "tool_calls": [call]}
    )
    turn = begin(memory, {"role": "tool", "tool_call_id": "c", "content": [{"type": "text", "text": "22"}]})
    assert turn.body["messages"] == [
        {"role": "user", "content": "Weather?", "name": "Ana"},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "content": "22", "tool_call_id": "c"},
    ]


def test_what_is_no_text_goes_on_with_the_newest_message_and_is_noted(memory: Memory) -> None:
    image = {"type": "image_url", "image_url": {"url": "data:,x"}}
    parts = [{"type": "text", "text": "What is"}, image, {"type": "text", "text": "this?"}]
    asked = {"role": "user", "content": parts}
    for _ in range(2):  # the second is a retry
        turn = begin(memory, asked)
        assert contents(turn) == [parts]
    turn.finish(assistant("A cat."))
    assert texts(memory) == ["What is\n[image]\nthis?", "A cat."]
    (merged,) = contents(begin(memory, user("x"), asked, session="other"))
    assert (merged[0]["text"][:3], merged[1:]) == ("x\n\n", parts)
    long = {"role": "user", "content": [{"type": "text", "text": "word " * 5000}, image]}
    shortened = contents(begin(memory, long, session="long"))[-1]
    assert [part["type"] for part in shortened] == ["text", "image_url"]
    assert counter_for("gpt-4o").text(shortened[0]["text"]) < 2000


def test_the_recalled_block_stands_before_an_image_in_its_message(memory: Memory) -> None:
    memory.session("other").add_many(
        [("user", "The name of the cat: Tom."), ("assistant", "Noted."), ("user", "It rains.")]
    )
    asked = {"role": "user", "content": [{"type": "text", "text": "Name of the cat?"}, {"type": "file", "file": {}}]}
    turn = begin(memory, asked, model="llama3.1")
    (message,) = turn.body["messages"]
    assert [part["type"] for part in message["content"]] == ["text", "text", "file"]
    assert "Tom" in message["content"][0]["text"]
    assert texts(memory) == ["Name of the cat?\n[file]"]


def test_an_answer_goes_on_where_the_client_began_it(memory: Memory) -> None:
    begun = assistant("Once") | {"prefix": True}
    turn = begin(memory, user("A tale"), begun)
    assert turn.body["messages"] == [user("A tale"), begun]
    turn.finish(assistant(" upon a time"), cut=True)
    assert texts(memory) == ["A tale", "Once upon a time"]
    turn = begin(memory, user("A tale"), assistant("Once upon a time"))
    assert contents(turn) == ["A tale", "Once upon a time"]
    turn.finish(assistant(", all was well."))
    assert contents(begin(memory, user("Thanks"))) == ["A tale", "Once upon a time, all was well.", "Thanks"]


def test_an_answer_goes_on_also_behind_many_that_were_replaced(memory: Memory) -> None:
    begin(memory, user("A tale")).finish(assistant("Once"))
    for number in range(FEW + 1):
        begin(memory, user("A tale"), assistant("Once")).finish(assistant(f" upon a time, {number}"))
    assert contents(begin(memory, user("A tale"), assistant("Once"))) == ["A tale", "Once"]
    assert texts(memory).count("A tale") == 1


def test_an_answer_that_recalled_nothing_is_not_kept(memory: Memory) -> None:
    begin(memory, user("Hello")).finish({"role": "assistant", "content": None})
    turn = begin(memory, user("Hello"))
    turn.finish({"role": "assistant", "content": "", "tool_calls": [{"id": "c", "function": {"name": "f"}}]}, cut=True)
    assert texts(memory) == ["Hello"]
    turn.finish({"role": "assistant", "content": None, "refusal": "I won't."})
    assert texts(memory) == ["Hello", "I won't."]
    assert begin(memory, user("Hello"), assistant(""), user("No?")).session == "s"


@pytest.mark.parametrize(
    "messages",
    [
        None,
        [],
        "hello",
        [1],
        [{"role": "system", "content": "x"}],
        [{"role": "tool", "tool_call_id": "c", "content": "x"}],
    ],
)
def test_a_request_that_asks_nothing_is_refused_and_leaves_nothing(memory: Memory, messages: Any) -> None:
    with pytest.raises(InvalidInput):
        begin_turn(memory, {"model": "m", "messages": messages}, session="s")
    assert list(memory.sessions()) == []


def test_a_budget_holds(memory: Memory) -> None:
    for number in range(60):
        memory.session("s").add("user", f"Number {number} is a number that says little about anything else.")
    turn = begin_turn(memory, {"model": "gpt-4o", "messages": [user("Which?")]}, session="s", budget=500)
    assert turn.context.tokens <= 500
    turn = begin_turn(memory, {"model": "gpt-4", "messages": [user("Which one?")], "max_tokens": 8192}, session="s")
    assert turn.context.budget == LEAST
    assert turn.context.tokens <= LEAST
    assert any("room" in warning for warning in turn.warnings)


def test_of_a_model_that_nobody_knows_nothing_sent_is_cut(memory: Memory) -> None:
    long = "A long question. " * 6_000
    turn = begin_turn(memory, {"model": "strange", "messages": [user(long)]}, session="s")
    assert turn.context.encoding == "estimate"
    assert turn.body["messages"][-1]["content"].strip() == long.strip()


# Requests at the same time


def test_equal_requests_at_once_are_kept_once(memory: Memory) -> None:
    begin(memory, user("a")).finish(assistant("b"))
    request = [user("a"), assistant("b"), user("c")]
    with ThreadPoolExecutor(8) as pool:
        turns = list(pool.map(lambda _: begin(memory, *request), range(8)))
        assert texts(memory) == ["a", "b", "c"]
        list(pool.map(lambda turn: turn.finish(assistant("d")), turns))
    assert texts(memory) == ["a", "b", "c", "d"]


def test_of_several_answers_to_one_question_the_last_counts(memory: Memory) -> None:
    turns = [begin(memory, user("a"), session="s") for _ in range(3)]
    for number, turn in enumerate(turns):
        turn.finish(assistant(f"answer {number}"))
    assert texts(memory) == ["a", "answer 0", "answer 1", "answer 2"]
    assert contents(begin(memory, user("next"))) == ["a", "answer 2", "next"]
    late = begin(memory, user("x"), session="t")
    other = begin(memory, user("x"), session="t")
    late.finish(assistant("first"))
    begin(memory, user("x"), assistant("first"), user("y"), session="t")
    other.finish(assistant("second"))
    assert texts(memory, "t") == ["x", "first", "y"]
    assert "another answer" in other.warnings[-1]


def test_a_question_is_asked_also_where_another_answer_came_between(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep = Session.add_many

    def keep_and_answer(session: Session, messages: Any) -> Any:
        receipts = keep(session, messages)
        session.add("assistant", "to another request")
        return receipts

    monkeypatch.setattr(Session, "add_many", keep_and_answer)
    turn = begin(memory, user("And now?"))
    assert contents(turn) == ["And now?", "to another request", "And now?"]


def test_what_was_forgotten_can_be_said_again(memory: Memory) -> None:
    turn = begin(memory, user("secret"))
    turn.finish(assistant("ok"))
    memory.session("s").forget(1, 2)
    turn.finish(assistant("ok"))
    begin(memory, user("secret")).finish(assistant("ok"))
    assert texts(memory) == ["secret", "ok"]
    memory.forget(session="s")
    begin(memory, user("secret")).finish(assistant("ok"))
    assert texts(memory) == ["secret", "ok"]


def test_what_is_forgotten_meanwhile_is_not_answered(memory: Memory) -> None:
    turn = begin(memory, user("secret"))
    memory.forget(session="s")
    turn.finish(assistant("You said: secret"))
    assert list(memory.sessions()) == []
    turn = begin(memory, user("secret"))
    memory.forget(session="s")
    memory.session("s").add("user", "Hello")
    turn.finish(assistant("You said: secret"))
    turn = begin(memory, user("another secret"))
    memory.session("s").forget(2)
    turn.finish(assistant("You said: another secret"))
    assert texts(memory) == ["Hello"]


def test_an_answer_is_made_again_also_where_the_old_one_is_forgotten_meanwhile(memory: Memory) -> None:
    begin(memory, user("a"), user("b")).finish(assistant("1"))
    again = begin(memory, user("a"), user("b"))
    memory.session("s").forget(3)
    again.finish(assistant("2"))
    assert texts(memory) == ["a", "b", "2"]


# Names


def test_whoever_names_a_space_or_session_names_it() -> None:
    body = {"metadata": {"space": "meta", "session": "chat"}, "user": "ana"}
    assert (space_of(body, "head"), session_of(body, "head")) == ("head", "head")
    assert (space_of(body), session_of(body)) == ("meta", "chat")
    assert (space_of({"user": "ana"}), session_of({"user": "ana"})) == ("ana", None)
    assert space_of({"metadata": [1], "user": 3}) is None


def test_a_conversation_is_known_by_how_it_begins(memory: Memory) -> None:
    system = {"role": "system", "content": "It is 9:15."}
    first = begin(memory, system, user("Hello"), session=None)
    assert first.session.startswith("chat-")
    assert len(first.session) == 21
    first.finish(assistant("Hi"))
    later = {"role": "system", "content": "It is 10:30."}
    second = begin(memory, later, user("Hello"), assistant("Hi"), user("Weather?"), session=None)
    assert second.session == first.session
    assert begin(memory, system, user("Hello!"), session=None).session != first.session
    assert begin(memory, user("Hello"), session=None).session != first.session
    assert begin(memory, user("Hello"), session=None, metadata={"session": "mine"}).session == "mine"


def test_conversations_that_begin_the_same_stay_apart(memory: Memory) -> None:
    def say(*lines: str) -> str:
        spoken = [user(line) if at % 2 == 0 else assistant(line) for at, line in enumerate(lines[:-1])]
        turn = begin(memory, *spoken, session=None)
        turn.finish(assistant(lines[-1]))
        return turn.session

    one = say("Hi", "Hello")
    two = say("Hi", "Hey")  # it may be somebody else who begins like this
    assert two == f"{one}-2"
    assert say("Hi", "Hey", "A", "1") == two
    assert say("Hi", "Hello", "B", "2") == one
    three = say("Hi", "Hey")
    assert three == f"{one}-3"
    assert say("Hi", "Hey", "C", "3") == three
    assert say("Hi", "Hey", "A", "1", "A again", "1") == two
    assert say("Hi", "Hello", "B", "2", "B again", "2") == one
    assert say("Hi", "Hey", "C", "3", "C again", "3") == three
    assert say("Hi", "Hey", "A", "another") == two
    assert say("Hi", "Hello", "B edited", "4") == one
    assert say("Hi", "unheard of", "D", "5") == f"{one}-4"
    assert [texts(memory, name)[-2:] for name in (one, three)] == [["B edited", "4"], ["C again", "3"]]


def test_many_conversations_that_begin_the_same_are_told_apart(memory: Memory) -> None:
    names = []
    for number in range(20):
        begin(memory, user("Hi"), session=None).finish(assistant(f"Hello {number}"))
        turn = begin(memory, user("Hi"), assistant(f"Hello {number}"), user(f"I am {number}"), session=None)
        turn.finish(assistant("Nice."))
        names.append(turn.session)
    assert len(set(names)) == 20
    for number in (0, 7, 19):
        sent = [user("Hi"), assistant(f"Hello {number}"), user(f"I am {number}"), assistant("Nice."), user("So?")]
        assert begin(memory, *sent, session=None).session == names[number]


# Budgets


@pytest.mark.parametrize(
    ("model", "window"),
    [
        ("gpt-4o-mini", 128_000),
        ("openai/gpt-4.1", 1_047_576),
        ("gpt-5-mini", 400_000),
        ("o3-mini", 200_000),
        ("gpt-3.5-turbo", 16_385),
        ("claude-sonnet-4-5", 200_000),
        ("us.anthropic.claude-3-haiku", 200_000),
        ("gemini-2.5-pro", 1_048_576),
        ("ollama/llama3.2:3b", 131_072),
        ("meta-llama/Llama-3.1-8B-Instruct", 131_072),
        ("llama3", 8_192),
        ("mistral-large-latest", 131_072),
        ("mistral", 32_768),
        ("qwen2.5:7b", 32_768),
        ("deepseek-chat", 65_536),
        ("moonshot-v1-32k", 32_000),
        ("my-own", None),
    ],
)
def test_the_window_follows_from_the_name(model: str, window: int | None) -> None:
    assert window_of(model) == window


def test_a_wide_window_is_not_filled_with_every_turn() -> None:
    hi = {"model": "gpt-4o", "messages": [user("Hi.")]}
    assert ALLOWANCE < usual_budget(hi)[0] < ALLOWANCE + 100
    much = {"model": "gpt-4o", "messages": [user("word " * 30_000)]}
    assert 50_000 < usual_budget(much)[0] < 60_000
    assert usual_budget({"model": "gpt-4", "messages": [user("word " * 30_000)]}) == budget_for({"model": "gpt-4"})


def test_the_budget_leaves_room_for_the_answer_and_for_tools() -> None:
    plain = {"model": "gpt-4o", "messages": [user("x")]}
    assert budget_for(plain) == (128_000 - 4_096, [])
    assert budget_for(plain | {"max_tokens": 1000})[0] == 127_000
    assert budget_for(plain | {"max_tokens": 1000, "max_completion_tokens": 8000})[0] == 120_000
    tools = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]
    form = {"type": "json_object"}
    assert 20 < 123_904 - budget_for(plain | {"tools": tools})[0] < 80
    assert 20 < 123_904 - budget_for(plain | {"response_format": form})[0] < 60
    image = {"role": "user", "content": [{"type": "image_url"}, {"type": "text", "text": "x"}]}
    assert budget_for(plain | {"messages": [image]})[0] == 123_904 - PER_PART
    assert budget_for(plain | {"max_tokens": 10**9}) == (
        LEAST,
        ["The answer and the tools leave hardly any room for the prompt."],
    )
    (unknown, warnings) = budget_for({"model": "my-own"})
    assert unknown == 8_192 - 1_024
    assert warnings == ["The window of the model is not known: 8,192 tokens are assumed."]
    assert budget_for({"model": None, "messages": 3, "tools": 4, "max_tokens": True})[0] == unknown


# What a request says


def test_contents_of_every_kind_are_read() -> None:
    asked = read_request(
        [
            {
                "role": "user",
                "content": ["a", {"type": "text", "text": "b"}, {"type": "input_audio"}, {"type": "new"}, 3],
            },
            {"role": "assistant", "content": [{"type": "refusal", "refusal": "no"}], "tool_calls": [{"id": None}, 5]},
            {"role": "tool", "content": None},
            {"role": "user", "content": None, "name": "A\nB"},
        ]
    )
    assert [one.text for one in asked.said] == ["a\nb\n[audio]\n[part]\n[part]", "no", "", ""]
    assert [(call.id, call.name, call.arguments) for call in asked.said[1].tool_calls] == [("call_0", "unnamed", "{}")]
    assert asked.said[3].name == "AB"
    with pytest.raises(InvalidInput, match="Message 1"):
        read_request([{"role": "function", "content": "x"}])


def test_broken_characters_do_not_make_a_message_new(memory: Memory) -> None:
    begin(memory, user("a\0b \ud800")).finish(assistant("ok\0"))
    begin(memory, user("a\0b \ud800"), assistant("ok\0"), user("c"))
    assert texts(memory) == ["a\ufffdb \ufffd", "ok\ufffd", "c"]
