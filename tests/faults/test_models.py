"""A model's server may fail in any way: nobody waits for it, nothing is lost, no summary is worse than without it."""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import pytest
from model_faults import misbehave
from talk_tools import fill, nodes, ranges, say, seqs

from onrecord import Context, Memory, Session
from onrecord.derive.writer import REASONS
from onrecord.models.language.breaker import GuardedModel
from onrecord.models.language.remote_model import EndpointModel
from onrecord.policy.checks import REFUSALS
from onrecord.profiles import PROFILES
from onrecord.testing.scripted_server import ScriptedEndpoint, refused_url

LONG = 60  # seconds until a test that hangs gives up
NAME = "openai/gpt-4o"
KEY = "sk-very-secret-7f3a"
COUNTS = {"balanced": 18, "hybrid": 15, "tiered": 21, "progressive": 30, "rolling": 20}
"""Messages after which each profile has its first summary."""

OPTIONS: dict[str, dict[str, Any]] = {"progressive": {"over": 900, "keep": 300}}

FAULTS: dict[str, set[str]] = {
    "refused": {"unreachable"},
    "hang": {"unreachable"},
    "cut": {"unreachable"},
    "reset": {"unreachable"},
    "cut stream": {"failed"},
    "status 400": {"failed"},
    "status 401": {"failed"},
    "status 404": {"failed"},
    "status 429": {"failed"},
    "status 500": {"failed"},
    "not json": {"failed"},
    "not an answer": {"failed"},
    "no text": {"failed"},
    "huge": {"failed"},
    "empty": {"empty"},
    "wrong language": {"wrong_language", "unsupported_statement"},
    "echo": {"echo", "preamble", "too_many_words", "too_long", "repetition"},
    "poem": {"unsupported_statement", "unrelated", "story"},
    "injection": {"instruction", "unrelated"},
    "half a list": {"cut_off"},
}
"""What each is called in a summary that had to do without."""


def opened(profile: str, model: Any, **more: Any) -> Memory:
    given: dict[str, Any] = {"summarize": "background", "debounce": 3600.0, "options": OPTIONS.get(profile, {})}
    return Memory(":memory:", profile=profile, model=model, **given | more)


def asking(server: ScriptedEndpoint, fault: str | None = None) -> GuardedModel:
    """A model that is asked once at a time, and not waited for as long as usual if it hangs."""
    timeout = 0.2 if fault == "hang" else 30.0
    return GuardedModel(
        EndpointModel("gpt-4o", base_url=server.base_url, key=KEY, name=NAME, timeout=timeout, retries=0)
    )


def plain(profile: str) -> Memory:
    """A memory that only counts the tokens of the same model."""
    return opened(profile, "gpt-4o", summarize="inline")


@contextmanager
def misbehaving(fault: str) -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        misbehave(server, fault, times=100)
        server.retry_after = "3600"
        yield server


def all_there(chat: Session, count: int) -> None:
    assert [message.text for message in chat.history()] == [say(seq) for seq in range(1, count + 1)]


def warned(context: Context) -> str:
    return " ".join(context.warnings)


# Whatever goes wrong


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("fault", FAULTS)
def test_no_fault_makes_a_summary_worse_or_loses_anything(fault: str, profile: str) -> None:
    count = COUNTS[profile]
    with misbehaving(fault) as server, plain(profile) as other, opened(profile, asking(server, fault)) as memory:
        chat, without = fill(memory.session("s"), 1, count), fill(other.session("s"), 1, count)
        memory.flush()
        all_there(chat, count)
        if profile == "progressive":
            said_in_the_prompt(chat, fault, count)
        else:
            said_in_the_node(chat, without, fault, profile)
        assert set(memory.spent().refused) <= FAULTS[fault]
        assert len(server.requests) <= 2
        assert server.requests or fault == "refused"


def said_in_the_node(chat: Session, without: Session, fault: str, profile: str) -> None:
    (made,) = chat.summaries()
    assert set(made.refused) <= FAULTS[fault], made.refused
    assert len(made.refused) == (1 if profile == "hybrid" or "unreachable" in made.refused else 2)
    assert made.model == NAME
    if profile == "hybrid":  # as the published design has it
        assert made.method == ("offline" if "unreachable" in made.refused else "keyword")
        assert ranges(chat) == ranges(without)
    else:
        assert made.method == "extractive"
        assert nodes(chat) == nodes(without)


def said_in_the_prompt(chat: Session, fault: str, count: int) -> None:
    assert ranges(chat) == []
    context = chat.context("What did we say?")
    assert "Not compressed" in warned(context)
    said = [(REFUSALS | REASONS)[name] for name in FAULTS[fault]]
    assert "asked for an answer of gpt-4o" in warned(context) or any(one in warned(context) for one in said)
    assert seqs(context)[-1] == count


@pytest.mark.parametrize("profile", PROFILES)
def test_a_server_that_is_not_there_is_named_and_left_alone(profile: str) -> None:
    count = COUNTS[profile]
    model = GuardedModel(EndpointModel("gpt-4o", base_url=refused_url(), name=NAME, retries=0))
    with opened(profile, model) as memory:
        chat = fill(memory.session("s"), 1, count)
        memory.flush()
        all_there(chat, count)
        assert set(memory.spent().refused) == {"unreachable"}
        fill(chat, count + 1, 3 * count)
        chat.flush()
        all_there(chat, 3 * count)
        assert set(memory.spent().refused) == {"unreachable"}  # also while it rests


@pytest.mark.parametrize("profile", PROFILES)
def test_a_server_that_is_well_again_writes_the_next_summary_and_the_earlier_one_stays(profile: str) -> None:
    count = COUNTS[profile]
    with misbehaving("status 500") as server, opened(profile, asking(server), options=loose(profile)) as memory:
        chat = fill(memory.session("s"), 1, count)
        memory.flush()
        before = nodes(chat)
        assert (before == []) == (profile == "progressive")
        server._faults.clear()
        server.answers = faithful
        fill(chat, count + 1, 2 * count)
        chat.summarize()  # a flush leaves what rests after trouble
        found = list(chat.summaries())
        assert nodes(chat)[: len(before)] == before
        assert [one.method for one in found[len(before) :]] == ["model"] * (len(found) - len(before))
        assert len(found) > len(before)
        assert "Not compressed" not in warned(chat.context("What did we say?"))


def loose(profile: str) -> dict[str, Any]:
    return OPTIONS.get(profile, {}) | {"kept_floor": 0.0}


def faithful(body: Mapping[str, Any]) -> str:
    """The first sentence of the conversation; no important data."""
    prompt = str(body["messages"][-1]["content"])
    if "JSON object" in prompt:
        return "{}"
    return prompt.partition("<conversation>\n")[2].partition(": ")[2].partition(". ")[0] + "."


def test_a_fault_that_passes_is_not_seen_by_anybody() -> None:
    with ScriptedEndpoint() as server:
        misbehave(server, "status 500", times=2)
        server.answers = faithful
        given = {"upstream": server.base_url, "upstream_key": KEY}
        with opened("hybrid", NAME, options={"kept_floor": 0.0}, **given) as memory:
            chat = fill(memory.session("s"), 1, 15)
            memory.flush()
            (made,) = chat.summaries()
            assert (made.method, made.refused) == ("model", ())
        assert len(server.requests) == 3
        assert {asked.headers["authorization"] for asked in server.requests} == {f"Bearer {KEY}"}


# Nobody waits


@pytest.mark.parametrize("profile", PROFILES)
def test_nobody_waits_for_a_server_that_does_not_answer(profile: str) -> None:
    count, begun = COUNTS[profile], threading.Event()
    with ScriptedEndpoint() as server:
        over: list[bool] = []

        def said(body: Mapping[str, Any]) -> str:
            begun.set()
            server.released.wait(LONG)
            over.append(True)
            return faithful(body)

        server.answers = said
        given = {"upstream": server.base_url, "upstream_key": KEY, "options": loose(profile)}
        with opened(profile, NAME, debounce=0, **given) as memory:
            chat = fill(memory.session("s"), 1, count)
            assert begun.wait(LONG)
            fill(chat, count + 1, count + 3)
            context = chat.context("What did we say?")
            pin = chat.pin("Tea, no coffee.")
            assert chat.pins() == [pin]
            assert chat.search("boiler")
            assert memory.session("other").add("user", "Hello.").seq == 1
            assert over == []  # the call is still on its way
            assert seqs(context)[-1] == count + 3
            assert ranges(chat) == []
            server.released.set()
            memory.flush()
            assert {one.method for one in chat.summaries()} == {"model"}
        all_texts = [json.dumps(asked.body) for asked in server.requests]
        assert len(all_texts) == len(set(all_texts))  # neither the pin nor the flush made anybody ask again


# Nothing is told to a log


@pytest.mark.parametrize("fault", [None, "hang", "status 401", "not json", "injection"])
def test_logs_hold_no_key_and_ours_no_word(fault: str | None, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)  # of everybody: what the client is built on has other names in each version
    with ScriptedEndpoint() as server:
        server.answers = faithful
        if fault is not None:
            misbehave(server, fault, times=100)
        with opened("progressive", asking(server, fault)) as memory:
            chat = fill(memory.session("s"), 1, COUNTS["progressive"])
            memory.flush()
            chat.context("What did we say?")
    heard = {record.name.partition(".")[0] for record in caplog.records}
    assert {"openai", "httpcore"} <= {name.removesuffix("2") for name in heard}
    assert not any(KEY in text(record) for record in caplog.records)
    words = [say(seq).partition(",")[0] for seq in range(1, 6)]
    told = {record.name.partition(".")[0] for record in caplog.records if any(one in text(record) for one in words)}
    assert told <= {"openai"}  # some versions of which show what they send at the lowest level; nobody else does
    above = [record for record in caplog.records if record.levelno > logging.DEBUG]
    assert not any(one in text(record) for record in above for one in words)


def text(record: logging.LogRecord) -> str:
    return f"{record.getMessage()} {record.args} {record.exc_info}"


def test_what_a_model_does_wrong_is_in_no_log_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    class Broken:
        name, local = NAME, False

        def complete(self, messages: Any, **more: Any) -> Any:
            raise ValueError(str(messages))

        def stream(self, messages: Any, **more: Any) -> Any:
            raise NotImplementedError

    caplog.set_level(logging.DEBUG, "onrecord")
    with opened("hybrid", Broken()) as memory:
        fill(memory.session("s"), 1, 15)
        memory.flush()
    assert "ValueError" in caplog.text
    assert say(1).partition(",")[0] not in caplog.text
