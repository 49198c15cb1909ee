"""The chat page while other things happen: forms sent twice, things forgotten, callers who leave early."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import pytest
from service_tools import Served, serving
from starlette.responses import Response

from onrecord.errors import StoreBusy
from onrecord.models.language import model_named
from onrecord.service.contexts import Contexts
from onrecord.session import Session
from onrecord.testing.scripted_server import ScriptedEndpoint
from onrecord.ui.pages import chat_models, chat_page

PAGE = {"Accept": "text/html"}


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Served]:
    """A service without any model."""
    with serving(tmp_path / "memory.db") as served:
        yield served


@pytest.fixture
def upstream() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


def _page(served: Served, **query: Any) -> str:
    answer = served.http.get("/ui/chat/trip", params=query, headers=PAGE)
    assert answer.status_code == 200, answer.text
    return answer.text


def _texts(served: Served) -> list[str]:
    return [one.text for one in served.memory.session("trip").history()]


def test_the_same_form_sent_twice_while_the_model_is_slow_has_one_answer(
    tmp_path: Path, upstream: ScriptedEndpoint
) -> None:
    upstream.answers = ["In May, to Lisbon, for five nights, by train."]
    upstream.misbehave("hang stream")
    model = {"model": "openai/scripted", "upstream": upstream.base_url, "upstream_key": "sk-memory"}
    form = {"text": "When?", "key": "k1"}
    with serving(tmp_path / "memory.db", memory=model) as served:
        first = Thread(target=served.http.post, args=("/ui/chat/trip",), kwargs={"data": form})
        first.start()
        while not upstream.requests:
            assert first.is_alive()
            sleep(0.01)
        second = served.http.post("/ui/chat/trip", data=form, headers=PAGE)
        upstream.released.set()
        first.join()
        assert "is being answered" in second.text
        assert (len(upstream.requests), len(_texts(served))) == (1, 2)


def test_the_prompt_that_is_shown_is_the_one_for_this_message(alone: Served) -> None:
    alone.http.post("/ui/chat/trip", data={"text": "yes"})
    talk = alone.memory.session("trip")
    talk.add("assistant", "Shall I go on?")
    talk.add("user", "yes")
    page = _page(alone)
    assert "Shall I go on?" in page[page.index('class="unsent"') : page.index('id="composer"')]


def test_what_is_forgotten_while_the_prompt_is_built_is_not_shown(
    alone: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    build = Session.context

    def forgets(talk: Session, *given: Any, **how: Any) -> Any:
        built = build(talk, *given, **how)
        talk.forget(1)
        return built

    alone.memory.session("trip").add("user", "My number is zq4711.")
    with monkeypatch.context() as patch:
        patch.setattr(Session, "context", forgets)
        alone.http.post("/ui/chat/trip", data={"text": "What is it?"})
    page = _page(alone)
    assert "What a model would get" in page
    assert "zq4711" not in page


def test_a_store_that_is_busy_behind_what_was_kept_is_no_refusal(
    alone: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*given: Any) -> Any:
        raise StoreBusy("It is busy.", "Wait.")

    monkeypatch.setattr(Contexts, "state", busy)
    answer = alone.http.post("/ui/chat/trip/turn", data={"text": "When?"})
    assert [json.loads(line)["kind"] for line in answer.text.splitlines()] == ["kept", "prompt", "done"]


@pytest.mark.parametrize("leaves", [False, True])
def test_every_model_that_is_opened_is_closed(
    tmp_path: Path, upstream: ScriptedEndpoint, monkeypatch: pytest.MonkeyPatch, leaves: bool
) -> None:
    opened, closed, make = [], [], model_named

    def watched(*given: Any, **how: Any) -> Any:
        made: Any = make(*given, **how)
        opened.append(made)
        close = made.close

        def closes(model: Any) -> None:
            closed.append(model)
            close()

        monkeypatch.setattr(type(made), "close", closes)
        return made

    monkeypatch.setattr(chat_models, "model_named", watched)
    if leaves:  # before the first byte: nobody asks for a line
        monkeypatch.setattr(chat_page, "StreamingResponse", lambda lines, *rest: Response())
    with serving(tmp_path / "memory.db", upstream=upstream.base_url) as served:
        served.http.post("/ui/chat/trip/turn", data={"text": "When?", "model": "upstream", "name": "m"})
    assert opened == closed
    assert len(opened) == (0 if leaves else 1)


def test_a_model_without_a_name_is_told_in_the_stream(tmp_path: Path, upstream: ScriptedEndpoint) -> None:
    with serving(tmp_path / "memory.db", upstream=upstream.base_url) as served:
        answer = served.http.post("/ui/chat/trip/turn", data={"text": "When?", "model": "upstream"})
        (told,) = [json.loads(line) for line in answer.text.splitlines()]
        assert (told["kind"], _texts(served)) == ("refused", [])
        assert "No model is named." in told["text"]


def test_a_budget_has_its_bounds(alone: Served) -> None:
    for path in ("/ui/chat/trip", "/ui/chat/trip/news"):
        refused = alone.http.get(path, params={"tokens": 200_001}, headers=PAGE)
        assert refused.status_code == 422
        assert "200,000 at most" in refused.text
    assert alone.http.post("/ui/chat/trip", data={"text": "When?", "tokens": "200001"}).status_code == 422
    assert _texts(alone) == []
    assert 'max="200000"' in _page(alone, tokens=200_000)
