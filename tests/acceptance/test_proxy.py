"""The door for chat programs, with the official client of OpenAI, against a scripted upstream."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any

import openai
import pytest
from service_tools import Served, key_of, serving

from onrecord.errors import StoreBusy
from onrecord.session import Session
from onrecord.testing.scripted_server import ScriptedEndpoint, refused_url

MODEL = "gpt-4o-mini"
TOOLS: Any = [{"type": "function", "function": {"name": "weather", "parameters": {"type": "object"}}}]


@pytest.fixture(scope="module")
def upstream() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


@pytest.fixture(scope="module")
def service(upstream: ScriptedEndpoint, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    place = tmp_path_factory.mktemp("proxy") / "memory.db"
    with serving(place, upstream=upstream.base_url, upstream_key="sk-operator") as served:
        yield served


_MADE: list[openai.OpenAI] = []


@pytest.fixture(autouse=True)
def _fresh(upstream: ScriptedEndpoint) -> Iterator[None]:
    upstream.answers = None
    upstream.requests.clear()
    yield
    while _MADE:
        _MADE.pop().close()


def made(served: Served, key: str, **headers: str) -> openai.OpenAI:
    """A client, which is closed when the test is over."""
    _MADE.append(openai.OpenAI(base_url=f"{served.url}/v1", api_key=key, max_retries=0, default_headers=headers))
    return _MADE[-1]


def client_of(served: Served, space: str, key: str = "sk-of-the-client") -> openai.OpenAI:
    return made(served, key, **{"X-Onrecord-Space": space, "X-Onrecord-Session": "chat"})


@pytest.fixture
def space(request: pytest.FixtureRequest) -> str:
    return str(request.node.name)


@pytest.fixture
def client(service: Served, space: str) -> openai.OpenAI:
    return client_of(service, space)


def said(served: Served, space: str, session: str = "chat") -> list[tuple[str, str]]:
    """What is kept of a conversation, once the answer under way is kept too."""
    return [(one.role, one.text) for one in served.memory.space(space).session(session).history()]


def ask(client: openai.OpenAI, *messages: tuple[str, str], **more: Any) -> str:
    sent: Any = [{"role": role, "content": text} for role, text in messages]
    answer = client.chat.completions.create(model=MODEL, messages=sent, **more)
    return str(answer.choices[0].message.content)


def test_a_turn_is_remembered(service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str) -> None:
    upstream.answers = ["Noted.", "Penicillin."]
    assert ask(client, ("system", "Be brief."), ("user", "I am allergic to penicillin.")) == "Noted."
    assert ask(client, ("user", "What am I allergic to?")) == "Penicillin."
    assert said(service, space) == [
        ("user", "I am allergic to penicillin."),
        ("assistant", "Noted."),
        ("user", "What am I allergic to?"),
        ("assistant", "Penicillin."),
    ]
    sent = upstream.requests[-1].body["messages"]
    assert sent[0]["role"] == "system"
    assert "Be brief." in sent[0]["content"]
    assert any("allergic to penicillin" in str(one["content"]) for one in sent)
    assert sent[-1] == {"role": "user", "content": "What am I allergic to?"}


def test_headers_say_what_memory_did(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    raw = client.chat.completions.with_raw_response
    messages: Any = [{"role": "user", "content": "Hello, I am Ana."}]
    told = raw.create(model=MODEL, messages=messages, extra_headers={"X-Onrecord-Tokens": "700"}).headers
    assert told["x-onrecord-memory"] == "used"
    assert told["x-onrecord-session"] == "chat"
    assert told["x-onrecord-space"].startswith("test_headers")
    assert told["x-onrecord-budget"] == "700"
    assert 0 < int(told["x-onrecord-tokens"]) <= 700
    explained = service.ok("GET", f"/v1/contexts/{told['x-onrecord-context']}", space=space)
    assert explained["messages"] == upstream.requests[-1].body["messages"]
    service.fails(404, "NotFound", "GET", f"/v1/contexts/{told['x-onrecord-context']}", space="another")
    more: Any = [{"role": "user", "content": "And now?"}]
    assert 0 <= float(raw.create(model=MODEL, messages=more).headers["x-onrecord-stable"]) <= 1


def test_streaming(service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str) -> None:
    upstream.answers = ["One two three four."]
    messages: Any = [{"role": "user", "content": "Count."}]
    pieces = [
        chunk.choices[0].delta.content or ""
        for chunk in client.chat.completions.create(model=MODEL, messages=messages, stream=True)
        if chunk.choices
    ]
    assert len(pieces) > 1
    assert "".join(pieces) == "One two three four."
    assert said(service, space) == [("user", "Count."), ("assistant", "One two three four.")]


def test_a_client_that_resends_everything(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = lambda body: f"Answer to {body['messages'][-1]['content']}"
    history: list[tuple[str, str]] = []
    for text in ("yes", "yes", "no", "yes"):
        history.append(("user", text))
        history.append(("assistant", ask(client, *history)))
    assert said(service, space) == history


def test_a_client_that_sends_only_the_newest(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = ["1", "2", "3"]
    for _ in range(3):
        ask(client, ("user", "yes"))
    assert said(service, space) == [(role, text) for n in "123" for role, text in (("user", "yes"), ("assistant", n))]


def test_a_client_that_trims_its_history(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = lambda body: f"Answer to {body['messages'][-1]['content']}"
    history: list[tuple[str, str]] = []
    for number in range(6):
        history.append(("user", f"Question {number}"))
        history.append(("assistant", ask(client, *history[-3:])))
    assert said(service, space) == history


def test_an_edited_message_replaces_what_followed(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = ["Lisbon it is.", "In May.", "Porto it is."]
    ask(client, ("user", "We go to Lisbon."))
    ask(client, ("user", "We go to Lisbon."), ("assistant", "Lisbon it is."), ("user", "When?"))
    # Before the first message stands another wording of it, and what followed is gone from the client's view.
    ask(client, ("user", "We go to Lisbon."), ("assistant", "Lisbon it is."), ("user", "No: to Porto."))
    sent = [one["content"] for one in upstream.requests[-1].body["messages"]]
    assert "In May." not in sent
    assert sent[-1] == "No: to Porto."
    assert said(service, space)[-2:] == [("user", "No: to Porto."), ("assistant", "Porto it is.")]
    assert ("assistant", "In May.") in said(service, space)  # nothing is lost


def test_a_regenerated_answer(service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str) -> None:
    upstream.answers = ["Hello!", "A first try.", "A second try.", "Good."]
    opening = [("user", "Hi."), ("assistant", "Hello!"), ("user", "Tell me something.")]
    ask(client, *opening[:1])
    ask(client, *opening)
    ask(client, *opening)
    sent = [one["content"] for one in upstream.requests[-1].body["messages"]]
    assert "A first try." not in sent
    assert sent[-1] == "Tell me something."
    ask(client, *opening, ("assistant", "A second try."), ("user", "Thanks."))
    sent = [one["content"] for one in upstream.requests[-1].body["messages"]]
    assert "A second try." in sent
    assert "A first try." not in sent
    texts = [text for _, text in said(service, space)]
    assert texts == ["Hi.", "Hello!", "Tell me something.", "A first try.", "A second try.", "Thanks.", "Good."]


def test_tools(service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str) -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Porto"}'}}
    upstream.answers = [{"content": None, "tool_calls": [call]}, "It is sunny in Porto."]
    question: Any = {"role": "user", "content": "How is the weather?"}
    first = client.chat.completions.create(model=MODEL, messages=[question], tools=TOOLS).choices[0].message
    assert first.tool_calls is not None
    result: Any = {"role": "tool", "tool_call_id": "call_1", "content": "sunny"}
    asked: Any = first.model_dump(exclude_none=True)
    second = client.chat.completions.create(model=MODEL, messages=[question, asked, result], tools=TOOLS)
    assert second.choices[0].message.content == "It is sunny in Porto."
    kept = list(service.memory.space(space).session("chat").history())
    assert [one.role for one in kept] == ["user", "assistant", "tool", "assistant"]
    assert kept[1].tool_calls[0].name == "weather"
    sent = upstream.requests[-1].body
    assert [one["role"] for one in sent["messages"]][-3:] == ["user", "assistant", "tool"]
    assert sent["tools"] == TOOLS


def test_tools_in_a_stream(service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str) -> None:
    call = {"id": "call_7", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Porto"}'}}
    upstream.answers = [{"content": None, "tool_calls": [call]}]
    messages: Any = [{"role": "user", "content": "How is the weather?"}]
    list(client.chat.completions.create(model=MODEL, messages=messages, tools=TOOLS, stream=True))
    kept = list(service.memory.space(space).session("chat").history())
    assert kept[-1].tool_calls[0].arguments == '{"city": "Porto"}'


def test_a_stream_that_the_client_cuts_off(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = ["word " * 100]
    upstream.misbehave("hang stream")
    messages: Any = [{"role": "user", "content": "Talk."}]
    stream = client.chat.completions.create(model=MODEL, messages=messages, stream=True)
    for number, _ in enumerate(stream):
        if number == 5:
            break
    stream.close()
    chat = service.memory.space(space).session("chat")
    for _ in range(500):
        if len(kept := list(chat.history())) == 2:
            break
        sleep(0.01)
    assert kept[1].meta == {"cut": True}
    assert kept[1].text
    assert ("word " * 100).startswith(kept[1].text)


def test_a_stream_that_the_upstream_cuts_off(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = ["One two three four five six."]
    upstream.misbehave("cut stream")
    messages: Any = [{"role": "user", "content": "Count."}]
    got = ""
    try:
        for chunk in client.chat.completions.create(model=MODEL, messages=messages, stream=True):
            got += (chunk.choices[0].delta.content or "") if chunk.choices else ""
    except openai.APIError:
        pass
    kept = list(service.memory.space(space).session("chat").history())
    assert [one.text for one in kept] == (["Count.", got] if got else ["Count."])
    if got:
        assert kept[1].meta == {"cut": True}


@pytest.mark.parametrize("fault", ["status 500", "status 429", "status 401"])
def test_an_error_of_the_upstream_reaches_the_client(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str, fault: Any
) -> None:
    upstream.misbehave(fault)
    with pytest.raises(openai.APIStatusError) as raised:
        ask(client, ("user", "Hello?"))
    assert raised.value.status_code == int(fault.removeprefix("status "))
    assert said(service, space) == [("user", "Hello?")]
    upstream.answers = ["Here."]
    ask(client, ("user", "Hello?"))  # trying again adds nothing twice
    assert said(service, space) == [("user", "Hello?"), ("assistant", "Here.")]


def test_an_upstream_that_is_not_there(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", upstream=refused_url()) as served:
        with pytest.raises(openai.APIStatusError) as raised:
            ask(client_of(served, "a"), ("user", "Hello?"))
        assert raised.value.status_code == 502
        assert said(served, "a") == [("user", "Hello?")]
    with serving(tmp_path / "n.db") as served:
        body = {"model": MODEL, "messages": [{"role": "user", "content": "Hello?"}]}
        error = served.fails(422, "InvalidSetting", "POST", "/v1/chat/completions", body)
        assert "ONRECORD_UPSTREAM" in error["hint"]


def test_if_memory_fails_the_request_goes_on(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: Any, **__: Any) -> Any:
        raise StoreBusy("Another process holds it.", "Wait.")

    monkeypatch.setattr(service.memory._store, "commit", busy)
    monkeypatch.setattr("onrecord.service.proxy.REST", 0.0)
    upstream.answers = ["Without memory."]
    messages: Any = [{"role": "user", "content": "Hello?"}, {"role": "user", "content": "Anyone?"}]
    raw = client.chat.completions.with_raw_response.create(model=MODEL, messages=messages, temperature=0.5)
    assert raw.headers["x-onrecord-memory"] == "bypassed (StoreBusy)"
    assert raw.parse().choices[0].message.content == "Without memory."
    assert upstream.requests[-1].body == {"model": MODEL, "messages": messages, "temperature": 0.5}


def test_a_memory_that_hangs_keeps_nobody_waiting_for_long(
    upstream: ScriptedEndpoint, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onrecord.service.proxy.PATIENCE", 0.05)
    monkeypatch.setattr("onrecord.service.auth.PATIENCE", 0.05)
    released = threading.Event()
    with serving(tmp_path / "m.db", upstream=upstream.base_url) as served:
        real = served.memory._store.session

        def slow(*given: Any) -> Any:
            released.wait(30)
            return real(*given)

        monkeypatch.setattr(served.memory._store, "session", slow)
        upstream.answers = ["One.", "Two."]
        client = client_of(served, "a")
        messages: Any = [{"role": "user", "content": "Hello?"}]
        first = client.chat.completions.with_raw_response.create(model=MODEL, messages=messages)
        assert first.headers["x-onrecord-memory"] == "bypassed (TimeoutError)"
        second = client.chat.completions.with_raw_response.create(model=MODEL, messages=messages)
        assert second.headers["x-onrecord-memory"] == "bypassed (StoreBusy)"
        assert second.parse().choices[0].message.content == "Two."
        released.set()


def test_forgotten_text_is_in_no_prompt_at_hand(service: Served, client: openai.OpenAI, space: str) -> None:
    messages: Any = [{"role": "user", "content": "My number is zq4711."}]
    told = client.chat.completions.with_raw_response.create(model=MODEL, messages=messages).headers
    path = f"/v1/contexts/{told['x-onrecord-context']}"
    assert "zq4711" in json.dumps(service.ok("GET", path, space=space))
    service.memory.space(space).session("chat").forget(1)
    service.fails(404, "NotFound", "GET", path, space=space)


def test_what_is_forgotten_while_a_prompt_is_built_is_in_none_at_hand(
    service: Served, client: openai.OpenAI, space: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = Session.context

    def forgets(chat: Session, *given: Any, **how: Any) -> Any:
        built = build(chat, *given, **how)
        chat.forget(1)
        return built

    service.memory.space(space).session("chat").add("user", "My number is zq4711.")
    monkeypatch.setattr(Session, "context", forgets)
    messages: Any = [{"role": "user", "content": "What is it?"}]
    told = client.chat.completions.with_raw_response.create(model=MODEL, messages=messages).headers
    service.fails(404, "NotFound", "GET", f"/v1/contexts/{told['x-onrecord-context']}", space=space)


def test_a_compressed_stream_and_one_that_says_its_end_early(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI, space: str
) -> None:
    upstream.answers = ["One two three four five six seven."]
    messages: Any = [{"role": "user", "content": "Count."}]
    upstream.misbehave("early end")
    stream = client.chat.completions.create(model=MODEL, messages=messages, stream=True)
    said_in_all = "".join((one.choices[0].delta.content or "") for one in stream if one.choices)
    assert said_in_all == "One two three four five six seven."
    assert said(service, space)[-1] == ("assistant", said_in_all)


@pytest.mark.parametrize("user", ["org/alice", "\ud800x", "onrecord.keys", "x" * 600, "ü"])
def test_a_user_may_be_any_text(upstream: ScriptedEndpoint, tmp_path: Path, user: str) -> None:
    key = key_of(tmp_path / "m.db", "read", "write")
    with serving(tmp_path / "m.db", upstream=upstream.base_url) as served:
        body = json.dumps({"model": MODEL, "messages": [{"role": "user", "content": "Hello?"}], "user": user})
        answer = served.http.post(
            "/v1/chat/completions", content=body, headers={"Authorization": f"Bearer {key}", "X-Onrecord-Session": "s"}
        )
        assert answer.status_code == 200, answer.text


def test_strangers_choose_no_model_of_this_machine(tmp_path: Path) -> None:
    key = key_of(tmp_path / "m.db", tenant="acme")
    with serving(tmp_path / "m.db") as served:
        served.ok("PATCH", "/v1/sessions/s", {"model": "ollama/anything"}, key=key)
        info = served.memory.space("acme/default").session("s").info()
        assert info.model == "ollama/anything"
        assert served.memory._parts.model_for(info) is None


def test_whose_memory_it_is(service: Served, upstream: ScriptedEndpoint, space: str) -> None:
    plain = made(service, "x")
    ask(plain, ("user", "By user."), user=f"{space}-user", metadata={"session": "s"})
    ask(plain, ("user", "By metadata."), metadata={"space": f"{space}-meta", "session": "s"})
    assert said(service, f"{space}-user", "s")[0] == ("user", "By user.")
    assert said(service, f"{space}-meta", "s")[0] == ("user", "By metadata.")
    ask(plain, ("user", "Nobody names me."), user=f"{space}-none")
    (session,) = [one.id for one in service.memory.space(f"{space}-none").sessions()]
    assert session.startswith("chat-")
    ask(plain, ("user", "Nobody names me."), ("assistant", said(service, f"{space}-none", session)[1][1]),
        ("user", "More."), user=f"{space}-none")  # fmt: skip
    assert [one.id for one in service.memory.space(f"{space}-none").sessions()] == [session]


def test_keys_are_not_passed_on(upstream: ScriptedEndpoint, tmp_path: Path) -> None:
    place = tmp_path / "keys.db"
    key = key_of(place, "read", "write", tenant="acme", space="ana")
    with serving(place, upstream=upstream.base_url) as served:
        ours = made(served, key)
        ask(ours, ("user", "Hello."), user="somebody", metadata={"session": "s"})
        assert (
            "authorization" not in upstream.requests[-1].headers
            or key not in upstream.requests[-1].headers["authorization"]
        )
        assert said(served, "acme/ana", "s")[0] == ("user", "Hello.")
        beside = made(served, "sk-mine", **{"X-Onrecord-Key": key})
        ask(beside, ("user", "Hello again."), metadata={"session": "s"})
        assert upstream.requests[-1].headers["authorization"] == "Bearer sk-mine"
        assert "x-onrecord-key" not in upstream.requests[-1].headers
        with pytest.raises(openai.PermissionDeniedError):
            ask(ours, ("user", "Hello."), extra_headers={"X-Onrecord-Space": "bob"})
        with pytest.raises(openai.AuthenticationError):
            ask(client_of(served, "ana"), ("user", "Hello."))
    with serving(tmp_path / "open.db", upstream=upstream.base_url) as served:
        ask(client_of(served, "a", key="sk-mine"), ("user", "Hello."))
        assert upstream.requests[-1].headers["authorization"] == "Bearer sk-mine"


def test_what_else_programs_ask_is_passed_on(
    service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI
) -> None:
    found = client.embeddings.create(model="e", input=["one", "two"], extra_headers={"OpenAI-Project": "p"})
    assert len(found.data) == 2
    assert upstream.requests[-1].headers["openai-project"] == "p"
    assert upstream.requests[-1].headers["authorization"] == "Bearer sk-operator"
    assert "x-onrecord-space" not in upstream.requests[-1].headers
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model="m", input="Hello?")  # the upstream's own answer


@pytest.mark.parametrize("tokens", ["lots", "3", "-1", "1e3", ""])
def test_a_budget_that_is_none_is_said(client: openai.OpenAI, tokens: str) -> None:
    with pytest.raises(openai.UnprocessableEntityError, match="is no budget"):
        ask(client, ("user", "Hello?"), extra_headers={"X-Onrecord-Tokens": tokens})


def test_a_key_of_ours_is_never_passed_on(upstream: ScriptedEndpoint, tmp_path: Path) -> None:
    key = key_of(tmp_path / "m.db", "read", "write")
    with serving(tmp_path / "m.db", upstream=upstream.base_url) as served:
        ask(made(served, key, **{"X-Onrecord-Key": key}), ("user", "Hello."))
        assert key not in str(upstream.requests[-1].headers)


def test_models_are_those_of_the_upstream(service: Served, upstream: ScriptedEndpoint, client: openai.OpenAI) -> None:
    assert [one.id for one in client.models.list()] == ["scripted"]
    assert upstream.requests[-1].headers["authorization"] == "Bearer sk-operator"


@pytest.mark.parametrize("content", [b"", b"[]", b"{", b"null", b'"x"', b"[" * 100_000])
def test_what_is_no_request(service: Served, content: bytes) -> None:
    answer = service.http.post("/v1/chat/completions", content=content)
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "InvalidInput"


@pytest.mark.parametrize("messages", [None, [], "x", [1], [{"role": "user"}], [{"role": "user", "content": 5}],
                                      [{"role": "system", "content": "only"}]])  # fmt: skip
def test_odd_messages_go_on_as_they_came(service: Served, upstream: ScriptedEndpoint, messages: Any) -> None:
    """What memory cannot make sense of is for the upstream to judge."""
    body = {"model": MODEL, "messages": messages}
    answer = service.http.post(
        "/v1/chat/completions", content=json.dumps(body).encode(), headers={"X-Onrecord-Space": "odd"}
    )
    assert answer.headers["x-onrecord-memory"].startswith(("bypassed", "used"))
    if answer.headers["x-onrecord-memory"].startswith("bypassed"):
        assert upstream.requests[-1].body == body


def test_the_budget_holds(service: Served, upstream: ScriptedEndpoint, space: str) -> None:
    chat = service.memory.space(space).session("chat")
    chat.add_many([("user" if n % 2 == 0 else "assistant", f"Sentence {n} about boats. " * 20) for n in range(60)])
    client = client_of(service, space)
    raw = client.chat.completions.with_raw_response
    messages: Any = [{"role": "user", "content": "What about boats?"}]
    told = raw.create(model="gpt-4", messages=messages, tools=TOOLS, max_tokens=1000).headers
    assert int(told["x-onrecord-tokens"]) <= int(told["x-onrecord-budget"]) < 8192 - 1000
