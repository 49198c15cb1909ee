"""The page of a conversation: all that was said, the summaries over it, and what a person may change of both."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from onrecord import Memory
from onrecord.records import Query
from onrecord.service.keys import Keys
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

NAME = "trip/to Lisbon"
HERE = f"/ui/sessions/{quote(NAME, safe='')}"
API = f"/v1/sessions/{quote(NAME, safe='')}"
HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)> & مرحبا 🎉"


def fill(memory: Memory, many: int = 120) -> None:
    trip = memory.session(NAME)
    trip.add("system", "You help with journeys.")
    trip.add("user", "I'm allergic to penicillin. We decided to take the train to Porto.", name="Ana")
    call = {"id": "call_1", "name": "find_trains", "arguments": '{"to": "Porto"}'}
    trip.add("assistant", None, tool_calls=[call])
    trip.add("tool", "IC 523 at 09:30", tool_call_id="call_1")
    trip.add("assistant", "There is one at nine.")
    trip.add("assistant", "There is one at 09:30.", meta={"replaces": [5, 5]})
    trip.add("user", HOSTILE)
    said = [("user", "assistant")[at % 2] for at in range(many)]
    trip.add_many([(role, f"Day {at}: we walk along the river and eat fish.") for at, role in enumerate(said)])  # type: ignore[misc]
    trip.pin("Allergic to penicillin", source=2)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.db", embedder=None, summarize="inline")


@pytest.fixture
def pages(memory: Memory, tmp_path: Path) -> Iterator[TestClient]:
    serving = Serving(db=str(tmp_path / "memory.db"))
    with TestClient(create_app(memory, serving), base_url="http://127.0.0.1", follow_redirects=False) as client:
        client.headers["accept"] = "text/html"
        yield client


def shown(pages: TestClient, address: str = HERE, **asked: Any) -> str:
    answer = pages.get(address, params=asked or None)
    assert answer.status_code == 200, answer.text
    return answer.text


def done(pages: TestClient, path: str, data: Mapping[str, str] | None = None) -> str:
    """What a form leads to."""
    answer = pages.post(f"{HERE}/{path}", data=data or {})
    assert answer.status_code == 303, answer.text
    return shown(pages, answer.headers["location"])


def numbers(page: str) -> list[int]:
    return [int(one) for one in re.findall(r'<article class="message[^"]*" id="m(\d+)"', page)]


def article(page: str, seq: int) -> str:
    return page.split(f'id="m{seq}"')[1].split("</article>")[0]


def plain(page: str) -> str:
    """Its words."""
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", page)).split())


def node(memory: Memory, level: int = 1, at: int = 0) -> str:
    return [one.id for one in memory.session(NAME).summaries(level=level)][at]


def test_the_whole_conversation_is_read_page_by_page(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    page, found = shown(pages), list[int]()
    for _ in range(9):
        found = numbers(page) + found
        older = re.search(r'rel="prev"[^>]* href="([^"]+)"', page)
        if older is None:
            break
        page = shown(pages, unescape(older[1]))
    assert found == list(range(1, 128))
    page, found = shown(pages, after=0), list[int]()
    for _ in range(9):
        found += numbers(page)
        newer = re.search(r'rel="next"[^>]* href="([^"]+)"', page)
        if newer is None:
            break
        page = shown(pages, unescape(newer[1]))
    assert found == list(range(1, 128))


@pytest.mark.parametrize("asked", [{}, {"at": 40}, {"after": 30}, {"before": 9}])
def test_what_fits_on_one_page_stands_there(memory: Memory, pages: TestClient, asked: dict[str, Any]) -> None:
    fill(memory, 53)
    page = shown(pages, **asked)
    assert numbers(page) == list(range(1, 61))
    assert 'class="pager"' not in page
    memory.session(NAME).add("user", "One more")
    assert 'class="pager"' in shown(pages, **asked)
    assert len(numbers(shown(pages))) == 50
    assert numbers(shown(pages, after=5)) == list(range(6, 62))  # nobody turns a page for six


def test_what_was_said_is_shown_as_it_was_said_and_runs_nothing(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    page = shown(pages, after=0)
    assert HOSTILE in unescape(article(page, 7))
    assert "<script>alert" not in page
    assert "<img src=x" not in page
    assert "find_trains" in article(page, 3)
    assert '{"to": "Porto"}' in unescape(article(page, 3))
    assert "call_1" in article(page, 4)
    assert "replaced by 6" in plain(article(page, 5))
    assert "replaces 5" in plain(article(page, 6))
    assert "Ana" in article(page, 2)


def test_a_message_replaced_on_a_later_page_is_marked(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    memory.session(NAME).add("user", "I meant day eight.", meta={"replaces": [15, 16]})
    page = shown(pages, after=0)
    assert [seq for seq in numbers(page) if "replaced by 128" in plain(article(page, seq))] == [15, 16]


def test_a_message_is_gone_to_by_its_number(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    there = pages.get(f"{HERE}/go", params={"at": 60, "from": 20, "to": 90}).headers["location"]
    assert there == f"{HERE}?at=60&from=20&to=90#m60"
    page = shown(pages, there)
    assert 60 in numbers(page)
    assert re.search(r'class="message user at" id="m60"|class="message assistant at" id="m60"', page)
    assert pages.get(f"{HERE}/go", params={"at": 9_999}).headers["location"].endswith("at=127#m127")


def test_only_one_role_is_shown(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    assert numbers(shown(pages, role="tool")) == [4]
    assert numbers(shown(pages, role="system", after=0)) == [1]
    assert pages.get(HERE, params={"role": "nobody"}).status_code == 422


@pytest.mark.parametrize(
    ("page", "api"),
    [
        ({}, {"last": 50}),
        ({"before": 40}, {"last": 50, "before": 40}),
        ({"after": 10}, {"limit": 50, "after": 10}),
        ({"at": 60}, {"limit": 50, "after": 49}),
        ({"role": "user", "after": 3}, {"limit": 50, "after": 3, "role": "user"}),
    ],
)
def test_its_twin_is_what_the_api_answers(
    memory: Memory, pages: TestClient, page: dict[str, Any], api: dict[str, Any]
) -> None:
    fill(memory)
    memory.session(NAME).forget(30)
    answer = pages.get(f"{API}/messages", params=api | {"forgotten": True})
    assert pages.get(HERE, params=page | {"format": "json"}).json() == answer.json()
    assert answer.json()["items"]


def test_the_timeline_shows_every_level_and_leads_to_each_summary(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    page = unescape(shown(pages))
    for one in memory.session(NAME).summaries():
        assert f"node={one.id}" in page
    assert "Level 1" in page
    assert "Level 2" in page
    assert "Pinned, from message 2: Allergic to penicillin" in page


def test_a_long_conversation_is_drawn_as_far_as_there_is_room(
    memory: Memory, pages: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onrecord.ui.pages.session_summaries.WIDE", 4)
    fill(memory)
    page = unescape(shown(pages))
    assert len(re.findall(r'class="fine"', page)) == 1
    assert node(memory) not in page
    assert node(memory, level=2) in page
    assert "appear when you zoom in" in page
    closer = unescape(shown(pages, f"{HERE}?from=1&to=30"))
    assert node(memory) in closer
    assert node(memory, at=-1) not in closer


def test_a_page_reads_no_more_than_it_shows(memory: Memory, pages: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    fill(memory, 1_200)
    read = 0
    for name in ("messages", "records"):
        method = getattr(memory._store, name)

        def counted(*given: Any, method: Any = method) -> Any:
            nonlocal read
            found = method(*given)
            read += len(found)
            return found

        monkeypatch.setattr(memory._store, name, counted)
    shown(pages, after=500)
    assert 50 < read < 900


def test_an_open_summary_tells_what_it_is(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    first = next(iter(memory.session(NAME).summaries(level=1)))
    words = plain(shown(pages, node=first.id, after=0))
    assert f"Level 1 · messages 1 to {first.last}" in words
    assert " ".join(first.text.split()) in words
    assert f"{first.tokens} for " in words
    assert "One level up" in words
    assert "After it" in words
    assert "Before it" not in words
    page = shown(pages, node=first.id, after=0)
    assert [seq for seq in numbers(page) if re.search(rf'class="[^"]*covered[^"]*" id="m{seq}"', page)] == list(
        range(1, first.last + 1)
    )
    assert pages.get(HERE, params={"node": "summary_none"}).status_code == 404


def test_a_summary_is_corrected_and_locked(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    id = node(memory)
    words = plain(done(pages, f"summaries/{id}/text?from=1&to=60", {"text": "Ana must not have\r\npenicillin."}))
    assert "Saved and locked" in words
    assert "Messages 1 to 60 of 127" in words  # as it was looked at before
    one = next(one for one in memory.session(NAME).summaries() if one.id == id)
    assert (one.text, one.locked, one.method) == ("Ana must not have\npenicillin.", True, "hand")
    done(pages, f"summaries/{id}/lock", {"locked": "false"})
    assert not next(one for one in memory.session(NAME).summaries() if one.id == id).locked
    assert "Locked: the summary is never overwritten" in plain(done(pages, f"summaries/{id}/lock", {"locked": "true"}))
    assert next(one for one in memory.session(NAME).summaries() if one.id == id).locked
    assert pages.post(f"{HERE}/summaries/{id}/text", data={"text": " "}).status_code == 422


def test_a_summary_that_a_person_wrote_is_not_measured_by_the_text_before_it(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    one = next(iter(memory.session(NAME).summaries(level=1)))
    before = shown(pages, node=one.id)
    assert "Numbers kept" in before
    assert f'<span class="badge">{one.topics[0]}</span>' in before
    memory.session(NAME).edit_summary(one.id, "Ana must not have penicillin.")
    page = shown(pages, node=one.id)
    assert "Method" in page
    assert "kept</dt>" not in page
    assert one.topics
    assert f'<span class="badge">{one.topics[0]}</span>' not in page
    assert ">edited</text>" in page  # what the timeline calls it


def test_before_there_is_a_summary_it_is_said_that_there_will_be(memory: Memory, pages: TestClient) -> None:
    memory.session(NAME).add("user", "Hello")
    words = plain(shown(pages))
    assert "Nothing is summarised yet. Summaries are made automatically" in words
    assert "Summarise now" not in words  # nothing is due


def test_what_is_due_can_be_made_now(tmp_path: Path) -> None:
    memory = Memory(tmp_path / "memory.db", embedder=None, summarize="manual")
    fill(memory, 40)
    with TestClient(create_app(memory, Serving(db="")), base_url="http://127.0.0.1", follow_redirects=False) as pages:
        words = plain(shown(pages))
        assert "Nothing is summarised yet" in words
        assert "Summarise now" in words
        assert re.search(r"Due: \d", words)
        words = plain(done(pages, "summarize"))
    made = re.search(r"Summaries made: (\d+)", words)
    assert made is not None
    assert int(made[1]) >= 2
    assert "Nothing is summarised yet" not in words


def test_forgetting_a_message_reports_what_went(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    chat = memory.session(NAME)
    page = done(pages, "forget/20")
    words = plain(page)
    assert "Forgotten: message 20." in words
    assert re.search(r"1 message erased, with [1-9]\d* records? that came from it", words)
    assert "gone from the disk" in words
    assert [message.state for message in chat.history(after=18, limit=2, forgotten=True)] == ["kept", "forgotten"]
    assert "It was forgotten before" in plain(done(pages, "forget/20"))


def test_what_people_wrote_is_shown_before_it_goes_with_a_message(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    chat = memory.session(NAME)
    own, kept = list(chat.summaries(level=1))[:2]
    chat.edit_summary(own.id, "Ana must not have <b>quinine</b>.")
    chat.lock_summary(kept.id)
    answer = pages.post(f"{HERE}/forget/2")
    assert answer.status_code == 200
    words = plain(answer.text)
    assert f"Summary of messages 1 to {own.last} Ana must not have <b>quinine</b>." in words
    assert "Pin Allergic to penicillin" in words
    assert "Cancel" in words
    assert len([*chat.history(limit=2)]) == 2  # nothing is forgotten yet
    only = plain(pages.post(f"{HERE}/forget/{kept.first}").text)
    assert "quinine" not in only
    page = done(pages, "forget/2", {"sure": "yes"})
    assert "Forgotten: message 2." in plain(page)
    assert "penicillin" not in page
    assert "Only its number is left" in article(page, 2)
    assert "Forgotten: message" in plain(done(pages, f"forget/{kept.last + 1}"))


def test_what_people_wrote_is_found_whatever_made_the_conversations_summaries(tmp_path: Path) -> None:
    with Memory(tmp_path / "memory.db", embedder=None, summarize="inline") as before:
        fill(before)
        top = next(iter(before.session(NAME).summaries(level=2)))
        before.session(NAME).edit_summary(top.id, "A week in Porto.")
    after = Memory(tmp_path / "memory.db", embedder=None, summarize="inline", profile="progressive")
    with TestClient(create_app(after, Serving(db="")), base_url="http://127.0.0.1", follow_redirects=False) as pages:
        assert "A week in Porto." in pages.post(f"{HERE}/forget/{top.last}").text
        assert pages.post(f"{HERE}/forget/{top.last + 1}").status_code == 303


def test_the_whole_conversation_is_forgotten_once_its_name_is_typed(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    refused = pages.post(f"{HERE}/forget-all", data={"name": "trip"})
    assert refused.status_code == 422
    assert "Nothing was forgotten" in refused.text
    assert memory.session(NAME).info().last_seq == 127
    answer = pages.post(f"{HERE}/forget-all", data={"name": NAME})
    assert answer.headers["location"].startswith("/ui/?")
    assert memory._store.session(memory.name, NAME) is None
    words = plain(shown(pages, answer.headers["location"]))
    assert f"Forgotten: the conversation “{NAME}”. 127 messages erased" in words
    assert "This conversation has no messages yet" in plain(shown(pages))


def test_the_head_says_what_the_conversation_is(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    memory.session(NAME).update(model="openai/gpt-4.1-mini", status="paused")
    assert "The title is changed" in done(pages, "title", {"title": " A week <in> Porto "})
    assert memory.session(NAME).info().title == "A week <in> Porto"
    words = plain(shown(pages))
    for told in ("A week <in> Porto", "127 messages", "openai/gpt-4.1-mini", "paused"):
        assert told in words
    done(pages, "title", {"title": ""})
    assert memory.session(NAME).info().title is None


@pytest.mark.parametrize("tab", ["chat", "sessions", "context"])
def test_its_title_heads_every_way_to_look_at_it(memory: Memory, pages: TestClient, tab: str) -> None:
    fill(memory, 5)
    address = HERE.replace("sessions", tab)
    assert f"<h1>{NAME}</h1>" in shown(pages, address)
    memory.session(NAME).update(title="A week <in> Porto")
    page = shown(pages, address)
    assert "<h1>A week &lt;in&gt; Porto</h1>" in page
    assert f">{NAME}</span>" in page.split("</h1>")[1].split("</div>")[0]
    assert "<title>A week &lt;in&gt; Porto · onrecord</title>" in page


def test_a_single_message_and_a_single_minute_are_told_once(memory: Memory, pages: TestClient) -> None:
    memory.session(NAME).add("user", "Hello", time="2026-05-05T09:30:05Z")
    memory.session(NAME).add("user", "Hello?", time="2026-05-05T09:30:40Z")
    hand = memory.session(NAME).summarize(first=1, last=1).made[0]
    page = shown(pages, node=hand.id)
    assert "5 May 2026, 09:30 –" not in plain(page)
    assert "By hand · message 1 " in plain(page)
    assert "1 to 1" not in page


def test_important_data_are_gathered_when_they_are_asked_for(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    decided = "We decided to take the train to Porto."
    assert decided in memory.session(NAME).important().key_decisions
    assert "Decisions" not in plain(shown(pages))
    assert "Decisions" in plain(shown(pages, show="important"))
    part = shown(pages, part="important")
    assert decided in part
    assert "<html" not in part


def test_parts_are_pieces_of_the_same_page(memory: Memory, pages: TestClient) -> None:
    fill(memory)
    whole = shown(pages, after=20)
    for name in ("messages", "timeline"):
        part = shown(pages, after=20, part=name)
        assert "<html" not in part
        assert part.strip() in whole


def test_whoever_may_only_read_is_offered_nothing_else_and_can_do_nothing_else(
    memory: Memory, pages: TestClient
) -> None:
    fill(memory)
    id = node(memory)
    keys = Keys(memory._store, memory._clock)
    secrets = {scope: keys.create(scopes=scopes)[0] for scope, scopes in (("r", ["read"]), ("w", ["read", "write"]))}
    pages.headers["x-onrecord-key"] = secrets["r"]
    page = shown(pages, node=id, after=0)
    assert 'method="post"' not in page.replace('<form method="post" action="/ui/leave">', "")
    for path in ("title", "summarize", f"summaries/{id}/text", f"summaries/{id}/lock", "forget/2", "forget-all"):
        answer = pages.post(f"{HERE}/{path}", data={"text": "x", "name": NAME, "title": "x", "locked": "true"})
        assert answer.status_code == 403, path
    pages.headers["x-onrecord-key"] = secrets["w"]
    page = shown(pages, node=id, after=0)
    assert "Save and lock" in page
    assert "Forget it" not in page
    assert pages.post(f"{HERE}/forget/2").status_code == 403
    assert pages.post(f"{HERE}/forget-all", data={"name": NAME}).status_code == 403
    assert [one.seq for one in memory.session(NAME).history()] == list(range(1, 128))
    assert not memory._store.records(memory.name, NAME, Query(kind="summary", empty=True))


@pytest.mark.parametrize("asked", [{"after": -1}, {"at": "x"}, {"from": "x"}, {"before": 2**60}])
def test_an_address_that_makes_no_sense_is_answered_in_words(
    memory: Memory, pages: TestClient, asked: dict[str, Any]
) -> None:
    fill(memory, 1)
    answer = pages.get(HERE, params=asked)
    assert answer.status_code == 422
    assert "<html" in answer.text


def test_an_empty_conversation_says_so(pages: TestClient) -> None:
    assert "This conversation has no messages yet" in plain(shown(pages))
