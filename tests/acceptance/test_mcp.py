"""The server for agents from outside: the protocol's own client over a real process, and raw lines where it is too
polite for what may come in."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from cli_tools import Cli
from mcp import Client, MCPError, StdioServerParameters
from mcp.types import CallToolResult, TextContent, Tool

from onrecord import Memory
from onrecord.service.forms import context_form, whole
from onrecord.service.mcp_server import server_of

PAGE = Path(__file__).parents[2] / "docs" / "mcp.md"
READING = ("context", "search", "facts", "history", "sessions")
SETTINGS = {"ONRECORD_EMBEDDER": "none", "ONRECORD_SUMMARIZE": "inline"}
SECRET = "The password is tulip-7."
HALF = r"half \ud83d done"  # as other languages write a character that was cut in two


def started(db: Path, *more: str) -> list[str]:
    return [sys.executable, "-m", "onrecord", "mcp", "--db", str(db), "--space", "ana", *more]


def environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith("ONRECORD_")}
    return own | SETTINGS


class Agent:
    """The SDK's client with a server of its own. It lives in one task of a loop in a thread, so that tests can share
    it."""

    def __init__(self, db: Path, *more: str) -> None:
        command, *arguments = started(db, *more)
        self._server = StdioServerParameters(command=command, args=arguments, env=environment())
        self._ready: Future[tuple[Client, asyncio.AbstractEventLoop]] = Future()
        self._leave = asyncio.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._live()))
        self._thread.start()
        self.client, self._loop = self._ready.result(60)

    async def _live(self) -> None:
        try:
            async with Client(self._server) as client:
                self._ready.set_result((client, asyncio.get_running_loop()))
                await self._leave.wait()
        except BaseException as error:
            if self._ready.done():
                raise
            self._ready.set_exception(error)

    def ask(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(60)

    def tools(self) -> dict[str, Tool]:
        return {tool.name: tool for tool in self.ask(self.client.list_tools()).tools}

    def call(self, tool: str, **arguments: Any) -> Any:
        """What a tool answers; its two forms must say the same."""
        return form_of(self.ask(self.client.call_tool(tool, arguments)))

    def fails(self, tool: str, **arguments: Any) -> dict[str, str]:
        error: dict[str, str] = form_of(self.ask(self.client.call_tool(tool, arguments)), failed=True)["error"]
        assert sorted(error) == ["code", "hint", "message"]
        return error

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._leave.set)
        self._thread.join()


def form_of(result: CallToolResult, *, failed: bool = False) -> Any:
    (content,) = result.content
    assert isinstance(content, TextContent)
    assert result.is_error is failed, content.text
    assert json.loads(content.text) == result.structured_content
    return result.structured_content


@contextmanager
def agent_on(db: Path, *more: str) -> Iterator[Agent]:
    agent = Agent(db, *more)
    try:
        yield agent
    finally:
        agent.close()


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of two spaces: ana's, which the agent is given, and ben's."""
    db = tmp_path_factory.mktemp("mcp") / "memory.db"
    with Memory(db, space="ana", embedder=None, summarize="inline") as memory:
        trip = memory.session("trip")
        trip.add("user", "I am allergic to penicillin.", time="2026-05-01")
        trip.add("assistant", "I will tell the doctor in Lisbon.", time="2026-05-02")
        trip.add("user", "We fly to Lisbon on 5 May.", name="Ana", time="2026-05-03")
        memory.space("ben").session("diary").add("user", SECRET)
    return db


@pytest.fixture(scope="module")
def agent(shared: Path) -> Iterator[Agent]:
    with agent_on(shared, "--session", "desk") as agent:
        yield agent


@pytest.fixture
def says(cli: Cli, shared: Path) -> Any:
    """What the command line says in JSON about the same memory."""

    def run(*arguments: object) -> Any:
        done = cli(*arguments, "--db", shared, "--space", "ana", "--json")
        assert done.code == 0, done.err
        return done.lines

    return run


# What a model is shown


def test_tools_are_listed_with_what_they_may_do(agent: Agent) -> None:
    tools = agent.tools()
    assert list(tools) == ["add", "context", "search", "facts", "history", "sessions", "pin", "summarize"]
    for name, tool in tools.items():
        hints = tool.annotations
        assert hints is not None
        assert tool.title == hints.title
        assert (hints.read_only_hint, hints.destructive_hint) == (name in READING, False)
        assert (hints.idempotent_hint, hints.open_world_hint) == (name in READING, False)
        assert len(tool.description or "") > 150
    assert agent.client.server_info is not None
    assert agent.client.server_info.name == "onrecord"
    assert "never instructions" in (agent.client.instructions or "")


def test_schemas_describe_and_bound_every_argument(agent: Agent) -> None:
    for name, tool in agent.tools().items():
        assert tool.input_schema["additionalProperties"] is False
        for argument, schema in tool.input_schema["properties"].items():
            assert argument != "space"
            assert len(schema["description"]) > 10, (name, argument)
            assert bounded(schema) or (name, argument) == ("add", "text"), (name, argument, schema)
        assert tool.output_schema
        assert tool.output_schema["required"]


def bounded(schema: dict[str, Any]) -> bool:
    if schema["type"] in ("integer", "number"):
        return {"minimum", "maximum"} <= set(schema)
    if schema["type"] == "array":
        return "maxItems" in schema and (bounded(schema["items"]))
    return schema["type"] == "boolean" or "enum" in schema or "maxLength" in schema


def test_the_page_lists_the_tools(agent: Agent) -> None:
    rows = re.findall(r"^\| `(\w+)` \| ([^|]+) \|", PAGE.read_text("utf-8"), re.MULTILINE)
    listed = {name: [part.strip("` ") for part in arguments.split(",")] for name, arguments in rows}
    forget = listed.pop("forget")
    assert listed == {name: list(tool.input_schema["properties"]) for name, tool in agent.tools().items()}
    assert forget == ["session", "messages", "fact"]


# Each tool


def test_add_answers_the_receipt_and_repeats_safely(agent: Agent, says: Any) -> None:
    given = {
        "text": "Hello \x1b[31m\u202e\x00 ☃",
        "role": "tool",
        "session": "add",
        "name": "Ana",
        "time": "2026-05-04",
    }
    receipt = agent.call("add", **given, key="k")
    assert agent.call("add", **given, key="k") == receipt | {"repeated": True}
    assert (receipt["seq"], receipt["repaired"]) == (1, True)
    (kept,) = says("history", "add")
    assert kept["id"] == receipt["id"]
    assert kept["text"] == "Hello \x1b[31m\u202e\ufffd ☃"
    assert json.loads(kept["original"]) == given["text"]
    assert (kept["role"], kept["name"], kept["time"]) == ("tool", "Ana", "2026-05-04T00:00:00+00:00")
    assert agent.fails("add", **given | {"text": "Other"}, key="k")["code"] == "Conflict"


def test_add_writes_to_its_own_session(agent: Agent, says: Any) -> None:
    receipt = agent.call("add", text="I live in Porto.")
    assert says("history", "desk")[-1]["id"] == receipt["id"]
    assert agent.call("history", limit=1)["items"][0]["id"] == receipt["id"]


def test_context_answers_as_the_command_line(agent: Agent, says: Any) -> None:
    question = "What must the doctor in Lisbon know?"
    (told,) = says("context", "trip", question, "--tokens", 500)
    built = agent.call("context", question=question, session="trip", tokens=500)
    assert built | {"stable": None} == told  # which depends on what the process built before
    assert "allergic to penicillin" in built["prompt"]
    (why,) = says("explain", "trip", question, "--tokens", 500)
    again = agent.call("context", question=question, session="trip", tokens=500, manifest=True)
    assert again["manifest"] == why["manifest"]
    past = agent.call("context", question=question, session="trip", as_of="2026-05-02T12:00:00Z")
    assert "5 May" not in past["prompt"]


def test_context_takes_the_newest_question_of_a_session_that_is_there(agent: Agent) -> None:
    assert "We fly to Lisbon" in agent.call("context", session="trip")["prompt"]
    assert agent.fails("context", session="none")["code"] == "NotFound"
    assert "penicillin" in agent.call("context", question="Any allergy to penicillin?", session="none")["prompt"]


def test_search_answers_as_the_command_line(agent: Agent, says: Any) -> None:
    (told,) = says("search", "penicillin", "--session", "trip", "--kind", "message", "--limit", 2)
    found = agent.call("search", text="penicillin", sessions=["trip"], kinds=["message"], limit=2)
    assert found == told
    assert found["hits"][0]["text"] == "I am allergic to penicillin."
    (told,) = says("search", "penicillin", "--session", "trip", "--tokens", 40)
    assert agent.call("search", text="penicillin", sessions=["trip"], tokens=40) == told
    later = agent.call("search", text="penicillin", sessions=["trip"], kinds=["message"], since="2026-05-03")
    assert [hit["seq"] for hit in later["hits"]] == [3]
    assert agent.fails("search", text="penicillin", sessions=["none"])["code"] == "NotFound"


def test_facts_answer_as_the_command_line(agent: Agent, says: Any) -> None:
    told = says("facts", "--session", "trip")
    assert "penicillin" in json.dumps(told)
    assert agent.call("facts", session="trip") == {"items": told, "next": None}
    assert agent.call("facts", session="trip", limit=1)["items"] == told[-1:]
    assert agent.call("facts", session="trip", kind=["goal"])["items"] == []
    assert agent.call("facts", session="trip", as_of="2026-04-01")["items"] == []
    assert agent.fails("facts", session="none")["code"] == "NotFound"


def test_history_answers_as_the_command_line_a_page_at_a_time(agent: Agent, says: Any) -> None:
    told = says("history", "trip")
    assert agent.call("history", session="trip") == {"items": told, "next": None}
    newest = agent.call("history", session="trip", limit=2)
    assert newest == {"items": told[1:], "next": "2"}
    assert agent.call("history", session="trip", limit=2, before=2) == {"items": told[:1], "next": None}
    first = agent.call("history", session="trip", limit=2, after=0)
    assert first == {"items": told[:2], "next": "2"}
    assert agent.call("history", session="trip", limit=2, after=2) == {"items": told[2:], "next": None}
    assert agent.call("history", session="trip", until="2026-05-02")["items"] == told[:1]
    assert agent.fails("history", session="none") == {
        "code": "NotFound",
        "message": "There is no session 'none' yet.",
        "hint": "The tool sessions lists those that there are.",
    }


def test_sessions_answer_as_the_command_line_a_page_at_a_time(agent: Agent, says: Any) -> None:
    agent.call("add", text="One more", session="zoo")
    told = says("sessions")
    assert agent.call("sessions") == {"items": told, "next": None}
    first = agent.call("sessions", limit=len(told) - 1)
    assert first == {"items": told[:-1], "next": told[-2]["id"]}
    assert agent.call("sessions", cursor=first["next"]) == {"items": told[-1:], "next": None}


def test_pin_is_in_every_prompt(agent: Agent, says: Any) -> None:
    agent.call("add", text="Never book a window seat.", session="seat")
    pin = agent.call("pin", text="No window seat", session="seat", source=1, importance=0.95)
    assert pin in says("pins", "seat")
    assert "No window seat" in agent.call("context", question="What is for dinner?", session="seat")["prompt"]
    assert agent.fails("pin", text="x", session="seat", source=99)["code"] == "NotFound"


def test_summarize_makes_what_is_due_or_a_range(agent: Agent, says: Any) -> None:
    for text in ("We sell the car in August.", "Tom pays 7000 euros."):
        agent.call("add", text=text, session="car")
    nothing = agent.call("summarize", session="car")
    assert (nothing["made"], nothing["note"][:15]) == ([], "Nothing is due:")
    done = agent.call("summarize", session="car", first=1, last=2)
    assert done["made"] == says("summaries", "car")
    assert "7000" in done["made"][0]["text"]
    assert agent.fails("summarize", session="car", first=2, last=1)["code"] == "InvalidInput"
    assert agent.fails("summarize", session="none")["code"] == "NotFound"


def test_calls_that_write_are_done_in_the_order_they_came(agent: Agent) -> None:
    texts = [f"number {number}" for number in range(40)]

    async def all_at_once() -> None:
        await asyncio.gather(*(agent.client.call_tool("add", {"text": text, "session": "order"}) for text in texts))

    agent.ask(all_at_once())
    assert [one["text"] for one in agent.call("history", session="order", limit=200)["items"]] == texts


# What a model cannot do


def test_forget_is_not_there_unless_it_is_allowed(agent: Agent, shared: Path) -> None:
    assert "forget" not in agent.tools()
    with pytest.raises(MCPError) as refused:
        agent.ask(agent.client.call_tool("forget", {"session": "trip"}))
    assert refused.value.error.data["error"]["code"] == "NotFound"
    assert agent.call("history", session="trip", limit=1)["items"]


def test_forget_erases_for_a_second_server_on_the_same_file(agent: Agent, shared: Path) -> None:
    for text in ("Mimi is a cat.", "I am allergic to cats."):
        agent.call("add", text=text, session="pets")
    with agent_on(shared, "--allow-forget") as other:
        hints = other.tools()["forget"].annotations
        assert hints is not None
        assert (hints.read_only_hint, hints.destructive_hint, hints.idempotent_hint) == (False, True, True)
        for unclear in ({}, {"messages": [1]}, {"session": "pets", "fact": "f"}, {"session": "pets", "messages": []}):
            assert other.fails("forget", **unclear)["code"] == "InvalidInput"
        assert "space" in other.fails("forget", space="ana")["message"]
        assert other.call("history", session="pets")["items"][0]["text"] == "Mimi is a cat."
        erased = other.call("forget", session="pets", messages=[1])
        assert (erased["messages"], erased["sessions"]) == (1, 0)
        assert [one["text"] for one in agent.call("history", session="pets")["items"]] == ["I am allergic to cats."]
        (fact,) = other.call("facts", session="pets", kind=["constraint"])["items"]
        assert other.call("forget", fact=fact["id"])["records"] == 1
        assert fact["id"] not in [one["id"] for one in agent.call("facts")["items"]]
        other.call("add", text="Written by the second.", session="pets")
        assert other.call("forget", session="pets")["sessions"] == 1
        assert other.fails("forget", session="pets")["code"] == "NotFound"
    assert agent.fails("history", session="pets")["code"] == "NotFound"


def test_no_argument_leads_to_another_space(agent: Agent) -> None:
    for tool in agent.tools():
        for name in ("space", "tenant", "db", "path"):
            error = agent.fails(tool, **{"text": "password", name: "ben"})
            assert error["code"] == "InvalidInput"
            assert f"There is no argument '{name}'." in error["message"]
    assert "tulip" not in json.dumps(agent.call("search", text="password tulip"))
    assert "tulip" not in json.dumps(agent.call("context", question="What is the password?", session="diary"))
    for name in ("ben/diary", "../ben/diary", "ben\u0000diary", "diary"):
        assert agent.fails("history", session=name)["code"] in ("NotFound", "InvalidInput")


@pytest.mark.parametrize(
    ("tool", "arguments", "code", "words"),
    [
        ("add", {}, "InvalidInput", "text is missing."),
        ("add", {"text": 5}, "InvalidInput", "text: Input should be a valid string."),
        ("add", {"text": None}, "InvalidInput", "text: "),
        (
            "add",
            {"text": "x", "role": "system"},
            "InvalidInput",
            "role: Input should be 'user', 'assistant' or 'tool'.",
        ),
        ("add", {"text": "x", "session": ""}, "InvalidInput", "session: "),
        ("add", {"text": "x", "session": "a\nb"}, "InvalidInput", "control characters"),
        ("add", {"text": "x", "session": "n" * 513}, "InvalidInput", "session: "),
        ("add", {"text": "x", "time": "tomorrow"}, "InvalidInput", "'tomorrow' is not a time."),
        ("add", {"text": "é" * 2_097_153}, "TooLarge", "4,194,306 bytes"),
        ("context", {"question": "   "}, "InvalidInput", "The question is empty."),
        ("context", {"question": "x" * 100_001}, "InvalidInput", "question: "),
        ("context", {"question": "x", "tokens": 0}, "InvalidInput", "tokens: "),
        ("context", {"question": "x", "manifest": "yes"}, "InvalidInput", "manifest: "),
        ("search", {"text": "x", "limit": 101}, "InvalidInput", "limit: "),
        ("search", {"text": "x", "limit": True}, "InvalidInput", "limit: "),
        ("search", {"text": "x", "limit": "5"}, "InvalidInput", "limit: "),
        ("search", {"text": "x", "kinds": ["message", "key"]}, "InvalidInput", "kinds.1: "),
        ("search", {"text": "x", "sessions": [["a"]]}, "InvalidInput", "sessions.0: "),
        ("search", {"text": ["x"]}, "InvalidInput", "text: "),
        ("history", {"before": 2**60}, "InvalidInput", "before: "),
        ("history", {"session": {"id": "trip"}}, "InvalidInput", "session: "),
        ("pin", {"text": "x", "importance": 2}, "InvalidInput", "importance: "),
        ("pin", {"text": " ", "session": "trip"}, "InvalidInput", "The pin is empty."),
        ("facts", {"status": "secret"}, "InvalidInput", "status: "),
        ("sessions", {"a" * 5_000: 1} | {f"b{number}": 1 for number in range(99)}, "InvalidInput", "And 95 more."),
    ],
)
def test_what_cannot_be_is_said_clearly(
    agent: Agent, tool: str, arguments: dict[str, Any], code: str, words: str
) -> None:
    error = agent.fails(tool, **arguments)
    assert error["code"] == code
    assert words in error["message"]
    assert error["hint"]
    assert len(json.dumps(error)) < 1_000


# Raw lines


class Raw:
    """A server that is spoken to by lines, in any way; what it writes must be the protocol alone."""

    def __init__(self, db: Path) -> None:
        self.process = subprocess.Popen(
            started(db), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()
        )
        hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "raw", "version": "1"}}
        self.say(request("initialize", hello, 0))
        assert self.hear()["result"]["serverInfo"]["name"] == "onrecord"
        self.say(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def say(self, line: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self) -> Any:
        assert self.process.stdout is not None
        return json.loads(self.process.stdout.readline())

    def end(self) -> tuple[list[Any], str]:
        """All else that it says, when it has ended in order."""
        out, err = self.process.communicate(timeout=60)
        assert self.process.returncode == 0, err
        return [json.loads(line) for line in out.splitlines()], err.decode()


def request(method: str, params: dict[str, Any], id: int) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).encode()


def added(text: str, id: int) -> bytes:
    return request("tools/call", {"name": "add", "arguments": {"text": text}}, id)


def kept(db: Path) -> list[str]:
    with Memory(db, space="ana", embedder=None) as memory:
        return [message.text for message in memory.session("mcp").history()]


def test_broken_lines_are_survived_and_the_end_of_input_loses_nothing(tmp_path: Path) -> None:
    raw = Raw(tmp_path / "memory.db")
    raw.say(b"\xff\xfe this is no JSON " + SECRET.encode())
    raw.say(b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ' + b"[" * 5_000 + b"]" * 5_000 + b"}")
    raw.say(added("HALF", 2).replace(b"HALF", HALF.encode()))
    assert raw.hear()["result"]["structuredContent"]["seq"] == 1
    raw.say(added("BYTES", 3).replace(b"BYTES", b"caf\xe9"))
    assert raw.hear()["id"] == 3
    raw.say(request("tools/call", {"name": "add", "arguments": ["text"]}, 4))
    assert raw.hear()["error"]["code"] == -32602
    for number in range(20):
        raw.say(added(f"{SECRET} {number}", 5 + number))
    _, err = raw.end()  # without waiting for a single answer
    assert kept(tmp_path / "memory.db") == ["half \ufffd done", "caf\ufffd", *(f"{SECRET} {n}" for n in range(20))]
    assert "tulip" not in err


def test_a_signal_ends_it_in_order_while_the_client_is_there(tmp_path: Path) -> None:
    raw = Raw(tmp_path / "memory.db")
    raw.say(added(SECRET, 1))
    assert raw.hear()["result"]["isError"] is False
    raw.process.send_signal(signal.SIGTERM)
    assert raw.process.wait(60) == 0
    assert raw.end() == ([], "")
    assert kept(tmp_path / "memory.db") == [SECRET]


# Within this process


def test_what_nobody_foresaw_is_not_told(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def broken(self: Memory, text: str, **given: Any) -> None:
        raise RuntimeError(text)

    async def ask() -> Any:
        with Memory(":memory:") as memory:
            async with Client(server_of(memory)) as client:
                return form_of(await client.call_tool("search", {"text": SECRET}), failed=True)

    monkeypatch.setattr(Memory, "search", broken)
    with caplog.at_level(logging.DEBUG):
        assert asyncio.run(ask()) == {"error": {"code": "Internal", "message": "Internal error.", "hint": ""}}
    assert "search failed: RuntimeError at " in caplog.text
    assert "tulip" not in caplog.text


def test_a_slow_call_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    go_on = threading.Event()
    search = Memory.search

    def slow(self: Memory, text: str, **given: Any) -> Any:
        assert go_on.wait(60)
        return search(self, text, **given)

    async def ask() -> None:
        with Memory(":memory:") as memory:
            async with Client(server_of(memory)) as client:
                searching = asyncio.create_task(client.call_tool("search", {"text": "cat"}))
                form_of(await client.call_tool("add", {"text": "Mimi is a cat."}))
                assert form_of(await client.call_tool("history", {}))["items"][0]["text"] == "Mimi is a cat."
                assert not searching.done()
                go_on.set()
                assert form_of(await searching)["hits"][0]["text"] == "Mimi is a cat."

    monkeypatch.setattr(Memory, "search", slow)
    asyncio.run(ask())


def test_without_the_package_it_says_what_to_install(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "onrecord.service.mcp_server", raising=False)
    monkeypatch.setitem(sys.modules, "mcp.server.lowlevel", None)
    done = cli("mcp", "--json")
    assert (done.code, done.out) == (3, "")
    assert "needs the package mcp" in done.error["message"]
    assert done.error["hint"] == "Run: pip install 'onrecord[mcp]'"


def test_a_session_that_cannot_be_is_said_before_it_serves(cli: Cli) -> None:
    done = cli("mcp", "--session", "a\nb", "--json")
    assert (done.code, done.out, done.error["code"]) == (2, "", "InvalidInput")


def test_prompts_in_parts_can_be_put_together_again() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("trip")
        receipt = chat.add("user", "We fly on 5 May.")
        built = chat.context("When do we fly?")
        form = context_form(built, "parts")
        shapes = [context_form(built, shape)["prompt"] for shape in ("text", "openai", "anthropic")]
    assert shapes == [str(built), built.messages(), built.anthropic()]
    said = [part.get("text") or part["message"]["text"] for part in form["prompt"]]
    assert said == [part if isinstance(part, str) else part.text for _, part in built.parts]
    assert (form["question"], form["estimated"]) == ("When do we fly?", built.usage()["estimated"])
    assert json.loads(json.dumps(form)) == form
    assert whole(receipt)["id"] == receipt.id
