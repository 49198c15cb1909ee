"""The chat page: from outside, over a service with a scripted upstream."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from time import sleep
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit

import httpx
import pytest
from service_tools import Served, key_of, serving

from onrecord.errors import StoreFull
from onrecord.session import Session
from onrecord.testing.scripted_server import ScriptedEndpoint, refused_url

PAGE = {"Accept": "text/html"}
ALLERGY = "I'm allergic to penicillin."
TELLS = f"{ALLERGY} We decided to fly to Lisbon on 5 May."


@pytest.fixture
def upstream() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


def _own(address: str) -> dict[str, Any]:
    """The settings of a memory with a model."""
    return {"model": "openai/scripted", "upstream": address, "upstream_key": "sk-memory"}


@pytest.fixture
def service(tmp_path: Path, upstream: ScriptedEndpoint) -> Iterator[Served]:
    with serving(tmp_path / "memory.db", memory=_own(upstream.base_url)) as served:
        yield served


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Served]:
    """A service without any model."""
    with serving(tmp_path / "memory.db") as served:
        yield served


def _page(served: Served, session: str = "trip", **query: Any) -> str:
    answer = served.http.get(f"/ui/chat/{quote(session, safe='')}", params=query, headers=PAGE)
    assert answer.status_code == 200, answer.text
    return answer.text


def _say(served: Served, text: str, session: str = "trip", **more: Any) -> httpx.Response:
    return served.http.post(f"/ui/chat/{quote(session, safe='')}", data={"text": text, **more}, headers=PAGE)


def _turn(served: Served, text: str, **more: Any) -> list[dict[str, Any]]:
    answer = served.http.post("/ui/chat/trip/turn", data={"text": text, **more})
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/x-ndjson"
    return [json.loads(line) for line in answer.text.splitlines()]


def _kept(served: Served, session: str = "trip") -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in served.memory.session(session).history()]


def _raises(error: Exception) -> Any:
    def fail(*given: Any, **how: Any) -> Any:
        raise error

    return fail


# Showing


def test_a_new_conversation_invites_and_is_not_made_by_looking(alone: Served) -> None:
    page = _page(alone, "a/new one")
    assert "This conversation has no messages yet." in page
    assert "<h1>a/new one</h1>" in page
    assert 'name="text"' in page
    assert list(alone.memory.sessions()) == []


def test_the_newest_messages_are_shown_and_all_are_a_link_away(alone: Served) -> None:
    alone.memory.session("trip").add_many([("user", f"Message number {at}.") for at in range(1, 101)])
    page = _page(alone)
    assert page.count('class="message user"') == 40
    assert 'id="m61"' in page
    assert 'id="m60"' not in page
    assert '<a href="/ui/sessions/trip">All 100 messages</a>' in page


def test_its_twin_is_what_the_api_answers(alone: Served) -> None:
    alone.memory.session("trip").add_many([("user", f"Message number {at}.") for at in range(1, 101)])
    twin = alone.http.get("/ui/chat/trip", params={"format": "json"}).json()
    assert twin == alone.ok("GET", "/v1/sessions/trip/messages?last=40")


def test_whatever_a_message_says_is_text(alone: Served) -> None:
    hostile = "<script>alert(1)</script><img src=x onerror=alert(2)> \u202egnp.exe " + "w" * 5_000
    alone.memory.session("<b>x</b>").add("user", hostile, name="<i>Ana</i>")
    alone.memory.session("<b>x</b>").pin("</li><script>alert(3)</script>")
    page = _page(alone, "<b>x</b>", model='"><script>', name="'\"><script>")
    for sent in ("<script>alert", "<img src=x", "<b>x", "<i>Ana"):
        assert sent not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page


def test_very_long_messages_are_shown_as_far_as_a_page_can(alone: Served) -> None:
    alone.memory.session("trip").add("user", "word " * 100_000)
    assert len(_page(alone, tokens=300)) < 100_000


# A turn by a form


def test_a_form_takes_a_turn_whole(service: Served, upstream: ScriptedEndpoint) -> None:
    upstream.answers = ["Noted: no penicillin."]
    answer = _say(service, TELLS, tokens="900")
    assert answer.status_code == 303
    went = urlsplit(answer.headers["location"])
    assert (went.path, went.fragment) == ("/ui/chat/trip", "m2")
    assert parse_qs(went.query) == {"tokens": ["900"], "turn": ["1"]}
    assert _kept(service) == [("user", TELLS), ("assistant", "Noted: no penicillin.")]
    page = _page(service, **{name: one for name, (one,) in parse_qs(went.query).items()})
    assert "Noted: no penicillin." in page
    assert "openai/scripted" in page
    assert "of 900 tokens" in page
    assert 'href="/ui/context/trip?tokens=900&amp;before=2"' in page


def test_what_the_turn_taught_stands_beside_it(service: Served) -> None:
    service.memory.session("trip").add("user", "I live in Berlin.")
    _say(service, TELLS)
    facts = {one.text: one for one in service.memory.session("trip").facts()}
    page = _page(service)
    beside = page[page.index('id="learned"') : page.index('id="pins"')]
    assert f'href="/ui/facts/{facts[ALLERGY].id}"' in beside
    assert "decision" in beside
    assert "Berlin" not in beside
    service.memory.session("trip").pin("Bring the adapter.")
    assert "Bring the adapter." in _page(service)[page.index('id="learned"') :]
    assert "Nothing new since message 4." in _page_after(service, "And now?")


def _page_after(served: Served, text: str) -> str:
    return served.http.get(_say(served, text).headers["location"], headers=PAGE).text


def test_summaries_that_a_turn_brought_are_named(alone: Served) -> None:
    chat = alone.memory.session("trip")
    chat.add_many([("user" if at % 2 else "assistant", f"On day {at} we saw museum {at}.") for at in range(1, 60)])
    page = _page_after(alone, "And what else?")
    assert "summary of" not in page
    chat.summarize(1, 10)
    assert "summary of 1–10" in _page(alone)


def test_a_conversation_of_long_ago_was_not_learned_just_now(alone: Served) -> None:
    chat = alone.memory.session("trip")
    told = [{"role": "user", "text": f"On day {at} we saw museum {at}.", "time": "2020-05-01"} for at in range(1, 60)]
    chat.add_many(told)
    chat.pin("Window seats only.")
    beside = _page(alone).partition('id="learned"')[2].partition("</section>")[0]
    assert "summary of" not in beside
    assert "Window seats only." not in beside


def test_without_a_model_the_prompt_is_shown(alone: Served) -> None:
    chat = alone.memory.session("trip")
    chat.update(system="Be brief.")
    chat.add("user", "We fly in May.")
    page = _page_after(alone, "When do we fly?")
    assert _kept(alone) == [("user", "We fly in May."), ("user", "When do we fly?")]
    sent = page[page.index('class="unsent"') : page.index('id="composer"')]
    assert "No model was asked." in sent
    assert "Be brief." in sent
    assert sent.index("We fly in May.") < sent.index("When do we fly?")


def test_nobody_is_asked_where_no_model_is_chosen(service: Served, upstream: ScriptedEndpoint) -> None:
    assert 'class="unsent"' in service.http.get(_say(service, "When?", model="none").headers["location"]).text
    assert upstream.requests == []


def test_the_same_form_sent_twice_is_one_turn(service: Served, upstream: ScriptedEndpoint) -> None:
    places = [_say(service, "When?", key="k1").headers["location"] for _ in range(2)]
    assert (len(upstream.requests), len(_kept(service))) == (1, 2)
    assert urlsplit(places[0]).query == urlsplit(places[1]).query
    _say(service, "Where?", key="k1")  # a browser that went back
    assert len(_kept(service)) == 4


def test_an_empty_turn_is_none_and_lines_are_as_they_were_typed(alone: Served) -> None:
    assert _say(alone, "  \r\n").headers["location"] == "/ui/chat/trip"
    _say(alone, "one\r\ntwo", tokens="", profile="", name="", key="")  # fields that were left empty
    assert _kept(alone) == [("user", "one\ntwo")]


def test_a_model_that_fails_is_said_and_the_question_is_kept(service: Served, upstream: ScriptedEndpoint) -> None:
    upstream.answers = ["In May, to Lisbon, for five nights."] * 2
    upstream.misbehave("status 400")
    answer = _say(service, "When?")
    assert answer.status_code == 200
    assert 'role="alert"' in answer.text
    assert "status 400" in answer.text
    assert _kept(service) == [("user", "When?")]
    upstream.misbehave("cut stream", times=3)
    assert "What came is kept." in _say(service, "When, please?").text
    (last,) = service.memory.session("trip").history(last=1)
    assert (last.role, last.meta) == ("assistant", {"cut": True})
    assert "cut off" in _page(service)


def test_a_memory_that_fails_does_not_stand_in_the_way(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Session, "context", _raises(StoreFull("The disk of /home/ana is full.", "Make room.")))
        answer = _say(service, "When?")
    assert "Memory cannot help, so the question goes alone" in answer.text
    assert "/home/ana" not in answer.text
    assert _kept(service) == [("user", "When?"), ("assistant", "When?")]


def test_what_memory_cannot_take_is_refused(service: Served, upstream: ScriptedEndpoint) -> None:
    assert "bytes" in _say(service, "x" * 5_000_000).text
    assert [event["kind"] for event in _turn(service, "x" * 5_000_000)] == ["refused"]
    assert (upstream.requests, _kept(service)) == ([], [])
    assert _say(service, "Hello", tokens="many").status_code == 422
    _say(service, "long " * 250_000, model="none")
    assert len(_kept(service)) == 1


# A turn as it happens


def test_a_turn_is_told_as_it_happens(service: Served, upstream: ScriptedEndpoint) -> None:
    whole = "One two three four five six seven."
    upstream.answers = [whole]
    events = _turn(service, "Count <b>.", tokens="800")
    kinds = [event["kind"] for event in events]
    assert kinds[:2] == ["kept", "prompt"]
    assert kinds[-2:] == ["answered", "done"]
    assert set(kinds[2:-2]) == {"piece"}
    assert len(kinds) > 5
    assert (
        "".join(event["text"] for event in events if event["kind"] == "piece") == "One two three four five six seven."
    )
    assert events[0]["seq"] == events[-1]["seq"] == 1
    assert "of 800 tokens" in events[1]["part"]
    assert len(_kept(service)) == 2
    news = service.http.get("/ui/chat/trip/news", params={"turn": 1}).text
    assert 'data-part="said"' in news
    assert whole in news
    assert "<html" not in news


def test_who_leaves_has_what_came_kept(service: Served, upstream: ScriptedEndpoint) -> None:
    upstream.answers = ["In May, to Lisbon, for five nights, by train."]
    upstream.misbehave("hang stream")
    came = ""
    with service.http.stream("POST", "/ui/chat/trip/turn", data={"text": "When?"}) as answer:
        for line in answer.iter_lines():
            event = json.loads(line)
            came += event["text"] if event["kind"] == "piece" else ""
            if len(came) > 8:
                break
    for _ in range(1_000):
        if len(_kept(service)) > 1:
            break
        sleep(0.01)
    question, last = service.memory.session("trip").history()
    assert (question.text, last.role, last.meta) == ("When?", "assistant", {"cut": True})
    assert last.text.startswith(came)
    upstream.released.set()
    assert len(_turn(service, "Again?")) > 3
    assert len(_kept(service)) == 4


# Who answers


def test_a_model_of_the_upstream_is_named_and_no_other_server_is(tmp_path: Path, upstream: ScriptedEndpoint) -> None:
    with serving(tmp_path / "memory.db", upstream=upstream.base_url, upstream_key="sk-operator") as served:
        page = _page(served)
        assert page.index('value="none" selected') < page.index('value="upstream"')
        upstream.answers = ["Yes."]
        _say(served, "Hello", model="upstream", name="gpt-4o-mini")
        asked = upstream.requests[-1]
        assert (asked.body["model"], asked.headers["authorization"]) == ("gpt-4o-mini", "Bearer sk-operator")
        assert _kept(served)[-1] == ("assistant", "Yes.")
        assert _say(served, "Hello", model="upstream").status_code == 422
        for name in ("http://127.0.0.1:1/v1", "local//etc/passwd", "ollama/llama3.2"):
            _say(served, "Hello", model="upstream", name=name)
            assert upstream.requests[-1].body["model"] == name
        assert _say(served, "Hello", model="local/etc/passwd").status_code == 303  # as if nobody had been chosen


def test_an_upstream_that_is_away_is_said(tmp_path: Path) -> None:
    with serving(tmp_path / "memory.db", upstream=refused_url()) as served:
        assert "could not be" in _say(served, "Hello", model="upstream", name="m").text.lower()


def test_strangers_choose_nothing_that_runs_on_the_server(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    with serving(place) as served:
        served.memory.session("trip").update(model="ollama/llama3.2")
        assert 'value="session"' in _page(served)
    key = key_of(place)
    with serving(place) as served:
        page = served.call("GET", "/ui/chat/trip?model=session", key=key).text
        assert 'value="session"' not in page
        assert 'value="none" selected' in page


# Pins and settings


def test_a_message_is_pinned_and_unpinned(alone: Served) -> None:
    chat = alone.memory.session("trip")
    chat.add("user", "The door code is 4417.")
    assert ">Pin</span>" in _page(alone)
    answer = alone.http.post("/ui/chat/trip/pin", params={"tokens": 700}, data={"seq": 1})
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/chat/trip?tokens=700#m1")
    (made,) = chat.pins()
    assert (made.text, made.source) == ("The door code is 4417.", 1)
    page = _page(alone)
    assert ">Pinned</span>" in page
    assert "The door code is 4417." in page[page.index('id="pins"') :]
    alone.http.post("/ui/chat/trip/unpin", data={"id": made.id, "seq": 1})
    assert chat.pins() == []
    for seq in (2, 0, -1, 10**30):
        assert alone.http.post("/ui/chat/trip/pin", data={"seq": str(seq)}).status_code in (404, 422)


def test_what_the_model_is_told_first_can_be_changed(alone: Served) -> None:
    alone.http.post("/ui/chat/trip/system", data={"text": "Be brief.\r\nBe kind."})
    assert alone.memory.session("trip").info().system == "Be brief.\nBe kind."
    assert "Be brief." in _page(alone)
    alone.http.post("/ui/chat/trip/system", data={"text": " "})
    assert alone.memory.session("trip").info().system is None


def test_the_profile_stands_in_the_address(alone: Served) -> None:
    answer = _say(alone, "Hello", profile="rolling")
    assert "profile=rolling" in answer.headers["location"]
    page = alone.http.get(answer.headers["location"]).text
    assert "Profile rolling" in page
    assert "<option selected>rolling</option>" in page


def test_the_prompt_that_was_sent_is_the_one_that_is_shown(alone: Served) -> None:
    _say(alone, "First")
    page = _page_after(alone, "Second")
    assert "unchanged" in page  # measured when it was built, and not again with each look
    assert _page(alone).count("unchanged") == page.count("unchanged")


# Keys


def test_who_may_only_read_can_only_look(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    with serving(place) as served:
        _say(served, "Hello")
    key = key_of(place, "read")
    with serving(place) as served:
        page = served.call("GET", "/ui/chat/trip", key=key).text
        assert "Hello" in page
        assert "<form" not in page[page.index("<main") :]
        for path in ("", "/turn", "/pin", "/unpin", "/system"):
            data = {"text": "No", "seq": "1", "id": "x"}
            assert served.call("POST", f"/ui/chat/trip{path}", key=key, data=data).status_code == 403
        assert len(_kept(served)) == 1


def test_a_space_stays_in_every_address(alone: Served) -> None:
    answer = alone.http.post("/ui/chat/trip?space=ana", data={"text": "Hello"})
    assert answer.headers["location"].startswith("/ui/chat/trip?space=ana&")
    page = alone.http.get("/ui/chat/trip?space=ana").text
    assert 'action="/ui/chat/trip/pin?space=ana"' in page
    assert alone.memory.space("ana").session("trip").info().last_seq == 1
    assert _kept(alone) == []
