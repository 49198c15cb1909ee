"""One memory, five doors: Python, the command line, HTTP, MCP, and Python over HTTP answer the same."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from cli_tools import Cli
from mcp import Client
from mcp.types import TextContent
from relevance_tools import likely
from service_tools import serving

from onrecord import Memory
from onrecord.errors import OnrecordError
from onrecord.service.forms import context_form, failure_form, hits_form, summaries_form
from onrecord.service.mcp_server import server_of

Door = Callable[..., Any]
"""Takes a verb and its keywords, and answers JSON; an error too."""

TRIP = "trip/to Lisbon?"
QUESTION = "What must the doctor know?"
LATER = "2030-01-01T00:00:00+00:00"  # when questions are asked: what fades has faded as far at every door
PASSING = {"stable", "access_count", "last_access", "decay"}  # how it is now, which asking itself may change
OWN = {"id", "created", "time", "extracted"}  # of every memory its own
SAID: list[dict[str, Any]] = [
    {"role": "assistant", "text": "Noted. Which hotel do you prefer?", "time": "2026-01-02"},
    {"role": "user", "text": "I prefer small hotels by the sea. My name is Ana.", "time": "2026-01-03", "name": "Ana"},
    {"role": "user", "text": "Die Rückreise ist am 9. Mai. \u2028 Bitte \\n und 😀.", "time": "2026-01-04"},
]
FIRST = {"role": "user", "text": "I'm allergic to penicillin. We fly to Lisbon on 5 May.", "time": "2026-01-01"}


# The doors


def python(memory: Memory) -> Door:
    """The library itself, on a file or on a service."""
    chat = memory.session(TRIP)
    verbs: Mapping[str, Callable[..., Any]] = {
        "add": lambda **given: asdict(chat.add(**given)),
        "add_many": lambda messages: [asdict(one) for one in chat.add_many(messages)],
        "history": lambda: [one.to_dict() for one in chat.history()],
        "context": lambda question, **given: context_form(chat.context(question, **given), "text"),
        "explain": lambda question, **given: chat.context(question, **given).to_dict(),
        "search": lambda text, **given: hits_form(memory.search(text, **given)),
        "pin": lambda text, **given: chat.pin(text, **given).to_dict(),
        "pins": lambda: [one.to_dict() for one in chat.pins()],
        "facts": lambda **given: [one.to_dict() for one in memory.facts(**given)],
        "summarize": lambda **given: summaries_form(chat.summarize(**given)),
        "sessions": lambda: [one.to_dict() for one in memory.sessions()],
        "forget": lambda **given: asdict(memory.forget(**given)),
    }

    def door(verb: str, **given: Any) -> Any:
        try:
            return verbs[verb](**given)
        except OnrecordError as error:
            return failure_form(error)

    return door


def command_line(cli: Cli, space: str) -> Door:
    """`onrecord … --json`: what is one answer there is one line; what is a list is a line each."""

    def door(verb: str, **given: Any) -> Any:
        arguments, stdin = _arguments(verb, given)
        done = cli(*arguments, "--space", space, "--json", stdin=stdin)
        if done.code:
            return {"error": done.error}
        return done.lines if verb in ("add_many", "history", "pins", "facts", "sessions") else done.json

    return door


def _arguments(verb: str, given: dict[str, Any]) -> tuple[list[Any], bytes]:
    if verb == "add_many":
        lines = "".join(json.dumps(one) + "\n" for one in given["messages"])
        return ["add", TRIP, "--jsonl"], lines.encode()
    place: list[Any] = [] if verb in ("search", "facts", "sessions", "forget") else [TRIP]
    place += [given.pop(name) for name in ("text", "question") if name in given]
    for message in given.pop("messages", ()):
        place += ["--message", message]
    options = [part for name, value in given.items() for part in (f"--{name.replace('_', '-')}", value)]
    return [verb, *place, *options, *(["--yes"] if verb == "forget" else [])], b""


def raw_http(address: str, space: str) -> Door:
    """Plain JSON over HTTP."""
    session = f"/v1/sessions/{quote(TRIP, safe='')}"
    routes = {
        "add": ("POST", f"{session}/messages"),
        "add_many": ("POST", f"{session}/messages/batch"),
        "history": ("GET", f"{session}/messages"),
        "context": ("POST", f"{session}/context"),
        "explain": ("POST", f"{session}/explain"),
        "search": ("POST", "/v1/search"),
        "pin": ("POST", f"{session}/pins"),
        "pins": ("GET", f"{session}/pins"),
        "facts": ("GET", "/v1/facts"),
        "summarize": ("POST", f"{session}/summarize"),
        "sessions": ("GET", "/v1/sessions"),
        "forget": ("POST", "/v1/forget"),
    }

    def door(verb: str, **given: Any) -> Any:
        method, path = routes[verb]
        more: dict[str, Any] = {"params": given} if method == "GET" else {"json": given}
        if verb == "context":
            more["json"] = given | {"format": "text"}
        answer = httpx.request(
            method, address + path, headers={"X-Onrecord-Space": quote(space)}, trust_env=False, timeout=60, **more
        ).json()
        return answer["items"] if isinstance(answer, dict) and "items" in answer else answer

    return door


def agent(memory: Memory) -> Door:
    """The tools for agents. They have no `add_many`, `explain` and `pins`; what stands for these is the same JSON."""
    server = server_of(memory, session=TRIP, forget=True)

    async def called(tool: str, arguments: dict[str, Any]) -> Any:
        async with Client(server) as client:
            (content,) = (await client.call_tool(tool, arguments)).content
        assert isinstance(content, TextContent)
        return json.loads(content.text)

    def door(verb: str, **given: Any) -> Any:
        if verb == "add_many":
            return [door("add", **one) for one in given["messages"]]
        answer = asyncio.run(called(verb, given))
        return answer.get("items", answer)

    return door


NOT_FOR_AGENTS = ("explain", "pins")


# What is served


@pytest.fixture
def address(db: Path) -> Iterator[str]:
    """A real service: `onrecord serve` in a process of its own."""
    environment = os.environ | {"ONRECORD_SUMMARIZE": "inline"}
    process = subprocess.Popen(
        [sys.executable, "-m", "onrecord", "serve", "--db", str(db), "--port", "0"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stderr is not None
    try:
        found = None
        while found is None:
            line = process.stderr.readline()
            assert line, "the service ended before it began"
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
        _wait_until_ready(found.group())
        yield found.group()
    finally:
        process.send_signal(signal.SIGTERM)
        said = process.communicate(timeout=60)[1]
    assert process.returncode in (0, -signal.SIGTERM), said


def _wait_until_ready(address: str) -> None:
    with httpx.Client(transport=httpx.HTTPTransport(retries=10), trust_env=False, timeout=60) as client:
        assert client.get(f"{address}/readyz").json() == {"status": "ready"}


Opened = Callable[[str], dict[str, Door]]


@pytest.fixture
def doors(db: Path, cli: Cli, address: str) -> Iterator[Opened]:
    """All doors to one file; each to a space of its own, or all of them to the same."""
    with Memory(db, embedder=None) as memory, Memory(address) as remote:

        def opened(space: str) -> dict[str, Door]:
            """`space` may name the door: "space of {}"."""
            return {
                "python": python(memory.space(space.format("python"))),
                "command line": command_line(cli, space.format("command line")),
                "http": raw_http(address, space.format("http")),
                "mcp": agent(memory.space(space.format("mcp"))),
                "client": python(remote.space(space.format("client"))),
            }

        yield opened


def without(value: Any, names: set[str]) -> Any:
    """JSON without what must differ."""
    if isinstance(value, dict):
        return {name: without(one, names) for name, one in value.items() if name not in names}
    return [without(one, names) for one in value] if isinstance(value, list) else value


def as_told(value: Any) -> Any:
    return json.loads(json.dumps(value))


# The tests


def use(door: Door) -> dict[str, Any]:
    """What somebody does who begins with nothing."""
    return {
        "add": door("add", **FIRST, key="k1"),
        "add again": door("add", **FIRST, key="k1"),
        "conflict": door("add", **FIRST | {"text": "Something else."}, key="k1"),
        "add_many": door("add_many", messages=SAID),
        "pin": door("pin", text="Allergic to penicillin", importance=0.9, source=1),
        "summarize": door("summarize", first=1, last=3),
        "no range": door("summarize", first=3, last=2),
        "facts": door("facts"),
        "context": door("context", question=QUESTION, tokens=900, as_of=LATER),
        "search": door("search", text="penicillin", limit=3),
        "forget": door("forget", session=TRIP, messages=[2]),
        "history": door("history"),
        "sessions": door("sessions"),
        "forget all": door("forget", session=TRIP),
        "nothing left": door("facts"),
    }


def test_whoever_comes_through_whichever_door_is_served_the_same(doors: Opened) -> None:
    done = {name: as_told(use(door)) for name, door in doors("space of {}").items()}
    usual = done["python"]
    assert usual["add"]["seq"] == 1
    assert (usual["add"]["repeated"], usual["add again"]["repeated"]) == (False, True)
    assert usual["conflict"]["error"]["code"] == "Conflict"
    assert [one["seq"] for one in usual["add_many"]] == [2, 3, 4]
    assert usual["no range"]["error"]["code"] == "InvalidInput"
    assert "allerg" in json.dumps(usual["facts"])
    assert "penicillin" in usual["context"]["prompt"]
    assert usual["search"]["hits"]
    assert usual["forget"]["messages"] == 1
    assert [one["seq"] for one in usual["history"]] == [1, 3, 4]
    assert (usual["forget all"]["sessions"], usual["nothing left"]) == (1, [])
    for name, answers in done.items():
        for verb, answer in answers.items():
            assert without(answer, OWN | PASSING) == without(usual[verb], OWN | PASSING), (name, verb)


READS: dict[str, tuple[str, dict[str, Any]]] = {
    "history": ("history", {}),
    "facts": ("facts", {}),
    "facts of a kind": ("facts", {"kind": ["preference"]}),
    "pins": ("pins", {}),
    "sessions": ("sessions", {}),
    "context": ("context", {"question": QUESTION, "tokens": 900, "as_of": LATER}),
    "context in little room": ("context", {"question": QUESTION, "tokens": 60, "as_of": LATER}),
    "context that recalls nothing": ("context", {"question": QUESTION, "tokens": 900, "as_of": LATER, "recalled": 0}),
    "explain": ("explain", {"question": QUESTION, "tokens": 900, "as_of": LATER}),
    "search": ("search", {"text": "Where do we sleep by the sea?", "limit": 5}),
    "search of a kind": ("search", {"text": "penicillin", "limit": 5}),
}


def test_every_door_shows_the_same_memory(doors: Opened, cli: Cli) -> None:
    all_doors = doors("shared")
    fill = all_doors["python"]
    fill("add", **FIRST, id="m1")
    fill("add_many", messages=SAID * 12)
    fill("pin", text="Allergic to penicillin", importance=0.9, source=1)
    fill("summarize", first=1, last=3)
    for what, (verb, given) in READS.items():
        usual = without(as_told(fill(verb, **dict(given))), PASSING)
        assert usual, what
        for name, door in all_doors.items():
            if name == "mcp" and verb in NOT_FOR_AGENTS:
                continue
            asked = dict(given)
            if name == "command line" and "kind" in asked:
                asked["kind"] = asked["kind"][0]
            if name == "mcp" and verb == "history":
                asked["limit"] = 200
            assert without(as_told(door(verb, **asked)), PASSING) == usual, (name, what)


def test_every_door_says_how_likely_it_is(db: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(db) as served, Memory(served.url) as remote:
        served.memory.session(TRIP).add_many(SAID)
        likely(monkeypatch, 0.875, [0.75, None])
        ways = [
            python(served.memory),
            python(remote),
            raw_http(served.url, "default"),
            agent(served.memory),
            command_line(cli, "default"),
        ]
        for door in ways:
            told = door("search", text="hotels", limit=2)
            assert told["confidence"] == 0.875
            assert [hit.get("probability") for hit in told["hits"]] == [0.75, None]
        likely(monkeypatch, None, [None])
        assert [door("search", text="hotels")["confidence"] for door in ways] == [None] * 5


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("forget", {"session": "nobody"}, "NotFound"),
    ("forget", {"session": TRIP, "messages": ["no-such-id"]}, "NotFound"),
    ("pin", {"text": " "}, "InvalidInput"),
    ("context", {"question": "x", "tokens": 10, "as_of": "soon"}, "InvalidInput"),
    ("search", {"text": "x", "since": "soon"}, "InvalidInput"),
]


def test_what_goes_wrong_has_the_same_name_at_every_door(doors: Opened) -> None:
    all_doors = doors("shared")
    all_doors["python"]("add", **FIRST)
    for verb, given, code in WRONG:
        for name, door in all_doors.items():
            error = door(verb, **dict(given))["error"]
            assert error["code"] == code, (name, error)
            assert error["message"], name
            assert error["hint"], name
