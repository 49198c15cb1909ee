"""OpenAI's own client with a memory, against a scripted server: it is used as before, and the conversation is kept."""

import asyncio
import json
import logging
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import openai
import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from onrecord import AsyncMemory, InvalidInput, Memory
from onrecord.integrations.openai import wrap
from onrecord.testing.scripted_server import ScriptedEndpoint

SECRET = "xyzzy-4711"


@pytest.fixture
def server() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


@pytest.fixture
def memory() -> Iterator[Memory]:
    with Memory(":memory:", embedder=None) as memory:
        yield memory


@pytest.fixture
def plain(server: ScriptedEndpoint) -> Iterator[OpenAI]:
    with OpenAI(base_url=server.base_url, api_key="k", max_retries=0) as client:
        yield client


def ask(client: OpenAI, *texts: str, **more: Any) -> str:
    messages: Any = [{"role": "user", "content": text} for text in texts]
    return client.chat.completions.create(model="gpt-4o", messages=messages, **more).choices[0].message.content or ""


def held(memory: Memory, session: str = "s") -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in memory.session(session).history()]


def sent(server: ScriptedEndpoint) -> list[Mapping[str, Any]]:
    """The messages of the newest request."""
    found: list[Mapping[str, Any]] = server.requests[-1].body["messages"]
    return found


def test_a_program_that_sends_only_what_is_new_has_a_whole_conversation(
    server: ScriptedEndpoint, memory: Memory, plain: OpenAI
) -> None:
    server.answers = ["Hello Ana.", "You are Ana."]
    client = wrap(plain, memory, session="s")
    assert ask(client, "I'm Ana.") == "Hello Ana."
    assert ask(client, "Who am I?", temperature=0.5) == "You are Ana."
    assert [one["content"] for one in sent(server)] == ["I'm Ana.", "Hello Ana.", "Who am I?"]
    assert server.requests[-1].body["temperature"] == 0.5
    kept = list(memory.session("s").history())
    assert [message.text for message in kept] == ["I'm Ana.", "Hello Ana.", "Who am I?", "You are Ana."]
    assert kept[1].model == "gpt-4o"


def test_the_client_given_stays_as_it_is_and_the_new_one_is_of_its_type(
    server: ScriptedEndpoint, memory: Memory, plain: OpenAI
) -> None:
    plain.chat  # noqa: B018 - it keeps its resources once they were used
    client = wrap(plain, memory, session="s")
    assert isinstance(client, OpenAI)
    assert (client.base_url, client.api_key) == (plain.base_url, plain.api_key)
    ask(plain, "Hello")
    assert held(memory) == []
    ask(client.with_options(timeout=5.0), "Hello")
    assert held(memory) == [("user", "Hello"), ("assistant", "Hello")]
    assert client.models.list().data[0].id == "scripted"


def test_names_come_with_the_call_and_are_sent_on(server: ScriptedEndpoint, memory: Memory, plain: OpenAI) -> None:
    client = wrap(plain, memory)
    ask(client, "One", metadata={"session": "trip", "space": "ana"})
    ask(client, "Two", metadata={"session": "trip"}, user="bob")
    ask(client, "Three")
    assert server.requests[0].body["metadata"] == {"session": "trip", "space": "ana"}
    assert server.requests[1].body["user"] == "bob"
    assert held(memory.space("ana"), "trip") == [("user", "One"), ("assistant", "One")]
    assert held(memory.space("bob"), "trip") == [("user", "Two"), ("assistant", "Two")]
    (derived,) = memory.sessions()
    assert derived.id.startswith("chat-")
    ask(wrap(plain, memory, space="own", session="s"), "Four", user="bob")
    assert held(memory.space("own")) == [("user", "Four"), ("assistant", "Four")]


def test_a_streamed_answer_is_passed_on_and_kept(server: ScriptedEndpoint, memory: Memory, plain: OpenAI) -> None:
    server.answers = ["A rather long answer, in several pieces."] * 2
    client = wrap(plain, memory, session="s")
    with client.chat.completions.create(
        model="gpt-4o", messages=[{"role": "user", "content": "Go"}], stream=True
    ) as stream:
        assert isinstance(stream, openai.Stream)
        pieces = [chunk.choices[0].delta.content or "" for chunk in stream]
    assert len(pieces) > 3
    assert "".join(pieces) == "A rather long answer, in several pieces."
    assert held(memory) == [("user", "Go"), ("assistant", "A rather long answer, in several pieces.")]
    with client.chat.completions.stream(model="gpt-4o", messages=[{"role": "user", "content": "More"}]) as events:
        assert events.get_final_completion().choices[0].message.content == "".join(pieces)
    assert held(memory)[2:] == [("user", "More"), ("assistant", "".join(pieces))]


def leave(stream: Any) -> None:
    next(stream)
    next(stream)


def close(stream: Any) -> None:
    leave(stream)
    stream.close()


@pytest.mark.parametrize("stop", [leave, close])
def test_what_came_of_an_answer_nobody_read_to_its_end_is_kept_as_cut(
    server: ScriptedEndpoint, memory: Memory, plain: OpenAI, stop: Callable[[Any], None]
) -> None:
    server.answers = ["abcdefghijklmnopqrstuvwxyz"]
    client = wrap(plain, memory, session="s")
    stop(client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "Go"}], stream=True))
    answer = list(memory.session("s").history())[-1]
    assert (answer.role, answer.text, answer.meta) == ("assistant", "abcdefgh", {"cut": True})


def test_a_stream_that_breaks_off_is_kept_as_cut_and_known_again(
    server: ScriptedEndpoint, memory: Memory, plain: OpenAI
) -> None:
    server.answers = ["abcdefghijklmnopqrstuvwxyz", "fine"]
    server.misbehave("cut stream")
    client = wrap(plain, memory, session="s")
    messages: list[Any] = [{"role": "user", "content": "Go"}]
    stream = client.chat.completions.create(model="gpt-4o", messages=messages, stream=True)
    text = "".join(chunk.choices[0].delta.content or "" for chunk in stream)
    assert held(memory) == [("user", "Go"), ("assistant", text)]
    messages += [{"role": "assistant", "content": text[:5]}, {"role": "user", "content": "On"}]
    client.chat.completions.create(model="gpt-4o", messages=messages)
    assert held(memory)[2:] == [("user", "On"), ("assistant", "fine")]


@pytest.mark.parametrize("fault", ["status 500", "cut", "not json"])
def test_if_the_server_fails_that_is_raised_and_the_message_is_kept(
    server: ScriptedEndpoint, memory: Memory, plain: OpenAI, fault: Any
) -> None:
    client = wrap(plain, memory, session="s")
    server.misbehave(fault)
    with pytest.raises((openai.APIError, ValueError, AttributeError)):
        ask(client, "Hello")
    assert held(memory) == [("user", "Hello")]
    assert ask(client, "Hello") == "Hello"
    assert held(memory) == [("user", "Hello"), ("assistant", "Hello")]


def test_if_the_memory_fails_the_call_goes_through_as_it_was(
    server: ScriptedEndpoint, plain: OpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    memory = Memory(":memory:", embedder=None)
    client = wrap(plain, memory, session="s")
    memory.close()
    with caplog.at_level(logging.WARNING, "onrecord"):
        assert ask(client, f"Hello {SECRET}") == f"Hello {SECRET}"
    assert [one["content"] for one in sent(server)] == [f"Hello {SECRET}"]
    assert [record.getMessage() for record in caplog.records] == ["A chat is not remembered: StoreClosed."]


def test_if_the_memory_fails_at_the_end_the_answer_still_comes(
    server: ScriptedEndpoint, plain: OpenAI, caplog: pytest.LogCaptureFixture
) -> None:
    memory = Memory(":memory:", embedder=None)
    client = wrap(plain, memory, session="s")
    stream = client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": SECRET}], stream=True)
    memory.close()
    with caplog.at_level(logging.WARNING, "onrecord"):
        assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == SECRET
    assert [record.getMessage() for record in caplog.records] == ["An answer is not remembered: StoreClosed."]


def test_tools_are_called_and_their_results_stand_behind_the_question(
    server: ScriptedEndpoint, memory: Memory, plain: OpenAI
) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "weather", "arguments": '{"town":"Porto"}'}}
    asked = {"role": "assistant", "content": None, "tool_calls": [call]}
    answers = iter([asked, {"role": "assistant", "content": "22 degrees."}, {"role": "assistant", "content": "Bye."}])
    server.routes["/v1/chat/completions"] = lambda body: {
        "id": "x",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": next(answers), "finish_reason": "stop"}],
    }
    client = wrap(plain, memory, session="s")
    messages: list[Any] = [{"role": "user", "content": "Weather?"}]
    tools: Any = [{"type": "function", "function": {"name": "weather", "parameters": {}}}]
    answer = client.chat.completions.create(model="gpt-4o", messages=messages, tools=tools).choices[0].message
    assert answer.tool_calls
    messages += [answer, {"role": "tool", "tool_call_id": "c1", "content": "22"}]  # as programs do it
    client.chat.completions.create(model="gpt-4o", messages=messages, tools=tools)
    assert [one["role"] for one in sent(server)] == ["user", "assistant", "tool"]
    assert sent(server)[1]["tool_calls"] == [call]
    assert server.requests[-1].body["tools"] == tools
    ask(client, "Thanks!")
    assert [one["role"] for one in sent(server)] == ["user", "assistant", "tool", "assistant", "user"]
    kept = list(memory.session("s").history())
    assert [message.role for message in kept] == ["user", "assistant", "tool", "assistant", "user", "assistant"]
    assert (kept[1].tool_calls[0].name, kept[2].tool_call_id) == ("weather", "c1")


def test_an_image_goes_on_and_is_noted(server: ScriptedEndpoint, memory: Memory, plain: OpenAI) -> None:
    server.answers = ["A cat.", "Grey."]
    client = wrap(plain, memory, session="s")
    parts: Any = [{"type": "text", "text": "What is it?"}, {"type": "image_url", "image_url": {"url": "data:,x"}}]
    client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": parts}])
    assert sent(server)[-1]["content"] == parts
    assert held(memory)[0] == ("user", "What is it?\n[image]")
    ask(client, "Its colour?")
    assert sent(server)[0]["content"] == "What is it?\n[image]"


class Town(BaseModel):
    name: str


def test_the_other_ways_to_ask_remember_too(server: ScriptedEndpoint, memory: Memory, plain: OpenAI) -> None:
    server.answers = [json.dumps({"name": "Porto"}), "bare"]
    client = wrap(plain, memory, session="s")
    parsed = client.chat.completions.parse(
        model="gpt-4o", messages=[{"role": "user", "content": "Which?"}], response_format=Town
    )
    assert parsed.choices[0].message.parsed == Town(name="Porto")
    bare = client.chat.completions.with_raw_response.create(
        model="gpt-4o",
        messages=iter([{"role": "user", "content": "Bare"}]),  # type: ignore[arg-type]
    )
    assert bare.headers["content-type"] == "application/json"
    assert bare.parse().choices[0].message.content == "bare"
    assert held(memory) == [
        ("user", "Which?"),
        ("assistant", '{"name": "Porto"}'),
        ("user", "Bare"),
        ("assistant", "bare"),
    ]


def test_a_place_will_do_for_a_memory(
    server: ScriptedEndpoint, plain: OpenAI, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    server.answers = ["Hello!"]
    ask(wrap(plain, session="s"), "Hi.")
    with Memory("memory.db", embedder=None) as memory:
        assert [one.text for one in memory.session("s").history()] == ["Hi.", "Hello!"]


def test_what_is_no_client_is_refused(memory: Memory) -> None:
    with pytest.raises(InvalidInput, match="not a client"):
        wrap(object(), memory)  # type: ignore[type-var]


def test_the_same_awaited(server: ScriptedEndpoint, memory: Memory) -> None:
    async def use() -> None:
        async with AsyncOpenAI(base_url=server.base_url, api_key="k", max_retries=0) as plain:
            client = wrap(plain, AsyncMemory(memory), session="s")
            assert isinstance(client, AsyncOpenAI)
            answer = await client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "One"}])
            assert answer.choices[0].message.content == "One"
            stream = await client.chat.completions.create(
                model="gpt-4o", messages=[{"role": "user", "content": "Two"}], stream=True
            )
            assert isinstance(stream, openai.AsyncStream)
            assert "".join([chunk.choices[0].delta.content or "" async for chunk in stream]) == "Two"
            server.answers = ["abcdefghijklmnopqrstuvwxyz"]
            stream = await client.with_options(timeout=9.0).chat.completions.create(
                model="gpt-4o", messages=[{"role": "user", "content": "Three"}], stream=True
            )
            await anext(stream)
            await stream.close()
            server.misbehave("status 500")
            with pytest.raises(openai.InternalServerError):
                await client.chat.completions.create(model="gpt-4o", messages=[{"role": "user", "content": "Four"}])

    asyncio.run(use())
    assert held(memory) == [
        ("user", "One"),
        ("assistant", "One"),
        ("user", "Two"),
        ("assistant", "Two"),
        ("user", "Three"),
        ("assistant", "abcd"),
        ("user", "Four"),
    ]


def test_tasks_of_one_client_have_their_own_conversations(server: ScriptedEndpoint, memory: Memory) -> None:
    async def use() -> None:
        async with AsyncOpenAI(base_url=server.base_url, api_key="k", max_retries=0) as plain:
            client = wrap(plain, memory)
            await asyncio.gather(
                *(
                    client.chat.completions.create(
                        model="gpt-4o",
                        messages=[{"role": "user", "content": f"Task {number}"}],
                        metadata={"session": str(number % 4)},
                    )
                    for number in range(12)
                )
            )

    asyncio.run(use())
    for session in range(4):
        texts = sorted(text for role, text in held(memory, str(session)) if role == "user")
        assert texts == sorted(f"Task {number}" for number in range(12) if number % 4 == session)
