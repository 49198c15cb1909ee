"""Language models on a server: a scripted one with each of its faults."""

from __future__ import annotations

import json
import logging
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any, get_args

import pytest
from fork_tools import forks, in_child
from model_faults import CHAT, misbehave

from onrecord.errors import InvalidSetting, ModelError, ModelUnreachable
from onrecord.models.language import remote_model
from onrecord.models.language.answers import LONGEST
from onrecord.models.language.remote_model import EndpointModel
from onrecord.models.model_server import is_here
from onrecord.models.tokenizers import counter_for
from onrecord.ports import Model, Reply
from onrecord.testing.scripted_server import Fault, ScriptedEndpoint, refused_url

KEY, DIARY = "sk-hidden", "my diary says we fly"
MESSAGES = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": DIARY}]
SCHEMA = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}

PASSING: set[str] = {"refused", "reset", "cut", "status 429", "status 500"}  # the client tries again after these
UNREACHABLE: set[str] = {"refused", "reset", "cut", "hang"}
WORDS: set[str] = {"empty", "wrong language", "echo", "poem", "injection", "half a list"}  # answers like others
STREAMS: set[str] = {"hang stream", "early end"}  # of streams that are passed on
FAULTS = sorted({*get_args(Fault), *CHAT} - WORDS - STREAMS)


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedEndpoint]:
    for name in os.environ:
        if name.lower().endswith("_proxy") or name.startswith("OPENAI_"):
            monkeypatch.delenv(name)
    with ScriptedEndpoint() as scripted:
        yield scripted


@pytest.fixture
def make(server: ScriptedEndpoint) -> Iterator[Callable[..., EndpointModel]]:
    made: list[EndpointModel] = []

    def one(model: str = "gpt-4o", **options: Any) -> EndpointModel:
        given: dict[str, Any] = {"base_url": server.base_url, "key": KEY, "timeout": 20}
        made.append(EndpointModel(model, **(given | options)))
        return made[-1]

    yield one
    for model in made:
        model.close()


@pytest.fixture
def model(make: Callable[..., EndpointModel]) -> EndpointModel:
    return make()


def ask(model: Model, **options: Any) -> Reply:
    return model.complete(MESSAGES, tokens=100, **options)


def tells_nothing(*texts: str) -> bool:
    return not any(secret in text for text in texts for secret in (KEY, DIARY, "diary"))


class TestComplete:
    def test_an_answer(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        assert ask(model, temperature=0.3) == Reply(DIARY, tokens_in=8, tokens_out=5)
        asked = server.requests[0]
        assert asked.path == "/v1/chat/completions"
        assert asked.headers["authorization"] == f"Bearer {KEY}"
        assert asked.body == {"model": "gpt-4o", "messages": MESSAGES, "max_tokens": 100, "temperature": 0.3}

    def test_answers_in_turn_and_by_request(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        server.answers = ["one", "two"]
        assert [ask(model).text for _ in range(3)] == ["one", "two", DIARY]
        server.answers = lambda body: f"{len(body['messages'])} messages"
        assert ask(model).text == "2 messages"

    @pytest.mark.parametrize(
        "usage",
        [
            None,
            "many",
            {},
            {"prompt_tokens": -1, "completion_tokens": 2.5},
            {"prompt_tokens": True, "completion_tokens": False},
            {"prompt_tokens": 10**12, "completion_tokens": "7"},
        ],
    )
    def test_what_a_server_cannot_mean_is_counted_here(
        self, server: ScriptedEndpoint, model: EndpointModel, usage: Any
    ) -> None:
        chat = server.routes["/v1/chat/completions"]
        server.routes["/v1/chat/completions"] = lambda body: chat(body) | {"usage": usage}
        counter = counter_for("gpt-4o")
        reply = ask(model)
        texts = sum(counter.text(str(message["content"])) for message in MESSAGES)
        assert reply.tokens_in == texts + counter.overhead("system") + counter.overhead("user") + counter.priming
        assert reply.tokens_out == counter.text(DIARY)

    def test_parts_and_strange_roles_are_counted(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        chat = server.routes["/v1/chat/completions"]
        server.routes["/v1/chat/completions"] = lambda body: chat(body) | {"usage": None}
        parts: list[Any] = [{"type": "text", "text": "one two three"}, {"type": "image_url"}, "loose"]
        messages: list[dict[str, Any]] = [{"role": "developer", "content": parts}, {"role": "user", "content": "x"}]
        reply = model.complete(messages, tokens=5)
        counter = counter_for("gpt-4o")
        assert reply.tokens_in == 3 + 1 + 2 * counter.overhead("user") + counter.priming

    def test_a_schema_is_sent(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        server.answers = ['{"city": "Lisbon"}']
        assert json.loads(ask(model, schema=SCHEMA).text) == {"city": "Lisbon"}
        sent = server.requests[0].body["response_format"]
        assert (sent["type"], sent["json_schema"]["schema"]) == ("json_schema", SCHEMA)

    def test_a_server_that_knows_no_schemas_is_asked_without(
        self, server: ScriptedEndpoint, model: EndpointModel
    ) -> None:
        misbehave(server, "status 400")
        assert ask(model, schema=SCHEMA).text == DIARY
        assert ["response_format" in asked.body for asked in server.requests] == [True, False]
        misbehave(server, "status 400", times=2)
        with pytest.raises(ModelError, match="status 400"):
            ask(model, schema=SCHEMA)
        assert len(server.requests) == 4

    def test_options_that_a_model_refuses_are_left_out_from_then_on(
        self, server: ScriptedEndpoint, model: EndpointModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        import openai

        refused = iter(["max_tokens", "temperature"])
        made = openai.BadRequestError.__init__

        def named(self: Any, *given: Any, **named: Any) -> None:
            made(self, *given, **named)
            self.param = next(refused)

        monkeypatch.setattr(openai.BadRequestError, "__init__", named)
        misbehave(server, "status 400", times=2)
        assert ask(model, schema=SCHEMA).text == "".join(model.stream(MESSAGES)) == DIARY
        first, *_, last, streamed = (asked.body for asked in server.requests)
        assert {"max_tokens", "temperature", "response_format"} <= set(first)
        assert set(last) == {"model", "messages", "max_completion_tokens", "response_format"}
        assert set(streamed) == {"model", "messages", "max_completion_tokens", "stream"}
        assert len(server.requests) == 4

    @pytest.mark.parametrize("fault", sorted(WORDS))
    def test_wrong_words_are_an_answer_too(self, server: ScriptedEndpoint, model: EndpointModel, fault: str) -> None:
        """Whoever asks judges them."""
        misbehave(server, fault)
        reply = ask(model)
        assert reply.text != DIARY
        assert reply.whole == (fault != "half a list")
        assert (DIARY in reply.text) == (fault == "echo")

    @pytest.mark.parametrize("fault", FAULTS)
    def test_a_lasting_fault_is_an_error_that_tells_no_secret(
        self,
        server: ScriptedEndpoint,
        make: Callable[..., EndpointModel],
        fault: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        model = make(timeout=0.2 if fault == "hang" else 20, retries=0)
        misbehave(server, fault)
        with pytest.raises(ModelError) as caught:
            ask(model)
        assert isinstance(caught.value, ModelUnreachable) == (fault in UNREACHABLE)
        assert caught.value.hint
        assert "127.0.0.1" in caught.value.what
        assert tells_nothing(str(caught.value), repr(caught.value), repr(model), caplog.text)
        assert ask(make()).text == DIARY

    @pytest.mark.parametrize("fault", sorted(PASSING - {"refused", "reset", "cut"}))
    def test_a_passing_fault_is_tried_again(self, server: ScriptedEndpoint, model: EndpointModel, fault: str) -> None:
        misbehave(server, fault, times=2)
        assert ask(model).text == DIARY
        assert len(server.requests) == 3

    @pytest.mark.parametrize("fault", ["refused", "reset", "cut"])
    def test_a_lost_connection_is_made_again(
        self, server: ScriptedEndpoint, model: EndpointModel, fault: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("time.sleep", lambda seconds: None)
        misbehave(server, fault, times=2)
        assert ask(model).text == DIARY

    @pytest.mark.parametrize("pause", ["31", "100000", "date"])
    def test_nobody_waits_for_long(
        self, server: ScriptedEndpoint, model: EndpointModel, pause: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def no_sleep(seconds: float) -> None:
            raise AssertionError("slept")

        monkeypatch.setattr("time.sleep", no_sleep)
        later = datetime.now(UTC) + timedelta(minutes=2)
        server.retry_after = format_datetime(later, usegmt=True) if pause == "date" else pause
        misbehave(server, "status 429", times=3)
        with pytest.raises(ModelError, match=r"status 429 .* Try again in (31|100000|1[12]\d) s"):
            ask(model)
        assert len(server.requests) == 1

    @pytest.mark.parametrize("pause", ["30", "nan", "inf", "soon", "-1", "", "99999999999999999999 Jan"])
    def test_a_short_or_strange_pause_is_the_clients_matter(
        self, server: ScriptedEndpoint, model: EndpointModel, pause: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slept: list[float] = []
        monkeypatch.setattr("time.sleep", slept.append)
        server.retry_after = pause
        misbehave(server, "status 429", times=3)
        with pytest.raises(ModelError, match="Wait, or ask for less"):
            ask(model)
        assert len(server.requests) == 3
        assert max(slept) <= 30

    def test_a_huge_answer_is_not_read_to_its_end(
        self, server: ScriptedEndpoint, model: EndpointModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        read: list[int] = []
        monkeypatch.setattr(remote_model, "loads", lambda body: read.append(len(body)))
        misbehave(server, "huge")
        with pytest.raises(ModelError, match="more than 200,000 characters"):
            ask(model)
        assert not read
        monkeypatch.undo()
        server.answers = ["😀" * LONGEST, "x" * (LONGEST + 1)]
        assert len(ask(model).text) == LONGEST
        with pytest.raises(ModelError, match="at most 200,000 characters"):
            ask(model)

    def test_an_answer_that_never_ends_is_given_up(
        self, server: ScriptedEndpoint, make: Callable[..., EndpointModel], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        times = iter([0.0, 20.5])
        monkeypatch.setattr(remote_model, "monotonic", lambda: next(times))
        with pytest.raises(ModelError, match="still answering after 20 s"):
            ask(make())

    @pytest.mark.parametrize("known", [True, False])
    def test_nobody_there(
        self, make: Callable[..., EndpointModel], known: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def unknown(*given: Any, **named: Any) -> Any:
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

        if not known:
            monkeypatch.setattr(socket, "getaddrinfo", unknown)
        model = make(base_url=refused_url() if known else "http://nowhere.invalid/v1", retries=0)
        with pytest.raises(ModelUnreachable, match="could not be asked"):
            ask(model)
        with pytest.raises(ModelUnreachable, match="could not be asked"):
            list(model.stream(MESSAGES))

    def test_broken_text_is_sent_as_it_can_be(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        model.complete([{"role": "user", "content": "a \ud83c\udf89 b \ud800 \x00"}], tokens=5)
        assert server.requests[0].body["messages"][0]["content"] == "a 🎉 b \ufffd \x00"

    @pytest.mark.parametrize(
        "answer",
        [
            {},
            {"choices": []},
            {"choices": [{}]},
            {"choices": [{"message": {"content": ["a"]}}]},
            {"choices": "no"},
            {"choices": [{"message": None}]},
        ],
    )
    def test_what_is_no_answer_is_refused(
        self, server: ScriptedEndpoint, model: EndpointModel, answer: dict[str, Any]
    ) -> None:
        server.routes["/v1/chat/completions"] = lambda body: answer
        with pytest.raises(ModelError, match="something else than a text"):
            ask(model)

    def test_threads_may_share_it(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        def echo(number: int) -> str:
            return model.complete([{"role": "user", "content": f"number {number}"}], tokens=5).text

        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(echo, range(20))) == [f"number {number}" for number in range(20)]

    def test_the_environment_does_not_speak_for_the_user(
        self, server: ScriptedEndpoint, model: EndpointModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setenv("OPENAI_API_KEY", "sk-other")
        monkeypatch.setenv("OPENAI_BASE_URL", "http://192.0.2.1/v1")
        monkeypatch.setenv("OPENAI_ORG_ID", "org-other")
        assert ask(model).text == DIARY
        assert "other" not in str(server.requests[0].headers)

    def test_without_the_client_it_says_what_to_install(
        self, model: EndpointModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "openai", None)
        with pytest.raises(ModelError, match=r"pip install 'onrecord\[models\]'"):
            ask(model)
        with pytest.raises(ModelError, match=r"pip install 'onrecord\[models\]'"):
            list(model.stream(MESSAGES))

    def test_closing_only_lets_go(self, model: EndpointModel) -> None:
        assert ask(model).text == DIARY
        model.close()
        assert ask(model).text == DIARY

    @pytest.mark.parametrize("key", ["sk-né", "sk-hidden\n"])
    def test_a_key_must_be_one_and_is_not_shown(self, key: str) -> None:
        with pytest.raises(InvalidSetting, match="key") as caught:
            EndpointModel("gpt-4o", base_url="http://localhost/v1", key=key)
        assert tells_nothing(str(caught.value))
        assert "sk-" not in str(caught.value)

    def test_local_is_what_is_said_to_be(self) -> None:
        def local(address: str, local: bool) -> bool:
            return EndpointModel("m", base_url=address, local=local).local

        assert local("http://localhost:11434/v1", True)
        assert not local("http://localhost:11434/v1", False)
        assert local("http://llama:8080/v1", True)
        assert is_here("http://[::1]:8080/v1")
        assert is_here("http://me:pw@127.0.0.1/v1")
        assert not is_here("http://10.0.0.1/v1")


class TestStream:
    def test_pieces_make_the_answer(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        server.answers = ["Zum Beispiel: größer 🎉 und schneller."]
        pieces = list(model.stream(MESSAGES, tokens=7, temperature=0.2))
        assert len(pieces) > 3
        assert "".join(pieces) == "Zum Beispiel: größer 🎉 und schneller."
        asked = server.requests[0].body
        assert (asked["stream"], asked["max_tokens"], asked["temperature"]) == (True, 7, 0.2)

    def test_nothing_is_asked_before_the_first_piece(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        pieces = model.stream(MESSAGES)
        assert not server.requests
        assert next(pieces)
        assert len(server.requests) == 1

    def test_a_reader_may_stop(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        server.answers = lambda body: "so many words " * 10_000
        for _ in model.stream(MESSAGES):
            break
        assert ask(model).whole

    @pytest.mark.parametrize("fault", sorted(WORDS - {"empty"}))
    def test_wrong_words_are_streamed_too(self, server: ScriptedEndpoint, model: EndpointModel, fault: str) -> None:
        misbehave(server, fault, times=2)
        assert "".join(model.stream(MESSAGES)) == ask(model).text != DIARY

    def test_an_empty_answer_has_no_pieces(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        misbehave(server, "empty")
        assert list(model.stream(MESSAGES)) == []

    @pytest.mark.parametrize("fault", sorted(set(FAULTS) - {"no text"}))
    def test_a_fault_is_an_error_that_tells_no_secret(
        self,
        server: ScriptedEndpoint,
        make: Callable[..., EndpointModel],
        fault: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        caplog.set_level(logging.DEBUG)
        model = make(timeout=0.2 if fault == "hang" else 20, retries=0)
        misbehave(server, fault)
        with pytest.raises(ModelError) as caught:
            list(model.stream(MESSAGES))
        assert isinstance(caught.value, ModelUnreachable) == (fault in UNREACHABLE)
        assert caught.value.hint
        assert tells_nothing(str(caught.value), repr(caught.value), caplog.text)
        assert "".join(make().stream(MESSAGES)) == DIARY

    def test_what_came_before_the_break_was_given(self, server: ScriptedEndpoint, model: EndpointModel) -> None:
        misbehave(server, "cut stream")
        given: list[str] = []
        with pytest.raises(ModelError, match="broke off in the middle"):
            given.extend(model.stream(MESSAGES))
        pieces = model.stream(MESSAGES)
        misbehave(server, "cut stream")
        assert DIARY.startswith(next(pieces))

    @pytest.mark.parametrize("fault", ["status 429", "status 500"])
    def test_a_passing_fault_is_tried_again(self, server: ScriptedEndpoint, model: EndpointModel, fault: str) -> None:
        misbehave(server, fault, times=2)
        assert "".join(model.stream(MESSAGES)) == DIARY

    @pytest.mark.parametrize(
        "event",
        [
            '{"error": {"message": "Bearer sk-hidden said my diary"}}',
            '{"choices": [{"index": 0}]}',
            '{"choices": [{"delta": {"content": 7}}]}',
            '{"choices": 7}',
            '"text"',
            "7",
            "null",
            "[" * 100_000,
        ],
    )
    def test_events_that_are_none(
        self, server: ScriptedEndpoint, model: EndpointModel, event: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def scripted(answer: Any, fault: str | None) -> Iterator[bytes]:
            yield f"data: {event}\n\n".encode()

        monkeypatch.setattr("onrecord.testing.scripted_server.events", scripted)
        with pytest.raises(ModelError) as caught:
            list(model.stream(MESSAGES))
        assert tells_nothing(str(caught.value))

    def test_a_report_of_what_was_used_is_no_piece(
        self, server: ScriptedEndpoint, model: EndpointModel, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def scripted(answer: Any, fault: str | None) -> Iterator[bytes]:
            yield b'data: {"choices": [{"delta": {"role": "assistant", "content": null}}]}\n\n'
            yield b'data: {"choices": [{"delta": {"content": "Hi"}}]}\n\n'
            yield b'data: {"choices": [{"delta": {}, "finish_reason": "stop"}]}\n\n'
            yield b'data: {"choices": [], "usage": {"prompt_tokens": 3}}\n\n'

        monkeypatch.setattr("onrecord.testing.scripted_server.events", scripted)
        assert list(model.stream(MESSAGES)) == ["Hi"]


def test_the_scripted_server_lists_its_models(server: ScriptedEndpoint, model: EndpointModel) -> None:
    listed: Mapping[str, Any] = model._client().models.list().to_dict()
    assert [one["id"] for one in listed["data"]] == ["scripted"]


@forks
def test_the_child_of_a_fork_makes_its_own_connections(server: ScriptedEndpoint, model: EndpointModel) -> None:
    before = model._client()

    def child() -> None:
        assert model._client() is not before
        assert model.complete(MESSAGES, tokens=5).text == DIARY
        model.close()

    with model._lock:  # another thread is at it while the process is forked
        assert in_child(child) == 0
    assert model._client() is before
