"""The first page: conversations, the newest talk first; the way in for somebody who has none yet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from browser_tools import Looker, keep
from playwright.sync_api import expect
from starlette.testclient import TestClient

from onrecord import Memory
from onrecord.service.keys import Keys
from onrecord.service.service_settings import Serving
from onrecord.ui.example import TITLES
from onrecord.ui.example import fill as fill_example
from onrecord.ui.site import create_app

HOSTILE = "<script>alert(1)</script> & \N{RIGHT-TO-LEFT OVERRIDE}abc 🎉"


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.db", embedder=None, summarize="inline")


@pytest.fixture
def pages(memory: Memory, tmp_path: Path) -> Iterator[TestClient]:
    serving = Serving(db=str(tmp_path / "memory.db"))
    with TestClient(create_app(memory, serving), base_url="http://127.0.0.1", follow_redirects=False) as client:
        client.headers["accept"] = "text/html"
        yield client


def key_of(memory: Memory, *scopes: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {Keys(memory._store, memory._clock).create(scopes=scopes)[0]}"}


def names(page: str) -> list[str]:
    return [unescape(name) for name in re.findall(r'<span class="name">(.*?)</span>', page)]


def shown(pages: TestClient, address: str = "/ui/", **asked: str) -> str:
    answer = pages.get(address, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_the_newest_talk_comes_first_with_its_newest_words(memory: Memory, pages: TestClient) -> None:
    memory.session("a").add("user", "Old words.", time="2026-03-01T10:00:00Z")
    memory.session("c").add("user", "Older words.", time="2026-01-01T10:00:00Z")
    memory.session("b").add("user", "First.", time="2026-02-01T10:00:00Z")
    memory.session("b").add("assistant", "The newest\n\nwords of all.", time="2026-05-01T10:00:00Z")
    memory.session("b").update(title="Bees", status="ended")
    page = shown(pages)
    assert names(page) == ["Bees", "a", "c"]
    assert "<b>assistant:</b> The newest words of all.</span>" in page
    assert "1 May 2026, 10:00" in page
    assert "2 messages" in page
    assert '<span class="badge">ended</span>' in page


def test_long_words_are_cut_and_hostile_ones_are_only_words(memory: Memory, pages: TestClient) -> None:
    memory.session(HOSTILE).add("user", "x" * 5_000, name="<i>Eve</i>")
    page = shown(pages)
    assert "x" * 159 + "…" in page
    assert "x" * 160 not in page
    assert "<script>alert" not in page
    assert "<i>Eve" not in page
    assert names(page) == [HOSTILE]


def test_a_conversation_whose_messages_are_forgotten_stands_there_without_words(
    memory: Memory, pages: TestClient
) -> None:
    memory.session("s").add("user", "zqsecret")
    memory.session("s").forget(1)
    assert names(shown(pages)) == ["s"]
    assert 'class="words"' not in shown(pages)


def test_the_twin_is_what_the_api_answers(memory: Memory, pages: TestClient) -> None:
    for number in range(103):
        memory.session(f"s{number:03}").add("user", f"Hello {number}")
    assert pages.get("/ui/?format=json").json() == pages.get("/v1/sessions").json()
    second = {"cursor": pages.get("/v1/sessions").json()["next"]}
    assert (
        pages.get("/ui/", params=second | {"format": "json"}).json() == pages.get("/v1/sessions", params=second).json()
    )
    first_page, second_page = names(shown(pages).partition("All, by id")[2]), names(shown(pages, **second))
    assert first_page + second_page == [f"s{number:03}" for number in range(103)]  # by id, where there are many
    assert "There are no more conversations" in shown(pages, cursor="zzz")


def test_the_search_field_asks_the_page_that_recalls(memory: Memory, pages: TestClient) -> None:
    memory.space("ana").session("s").add("user", "Hello")
    form = re.search(r'<form class="inline find".*?</form>', shown(pages, space="ana"), re.DOTALL)
    assert form is not None
    assert 'action="/ui/recall"' in form[0]
    assert 'name="q"' in form[0]
    assert '<input type="hidden" name="space" value="ana">' in form[0]


def test_the_example_is_offered_to_an_empty_space_and_loaded_once(memory: Memory, pages: TestClient) -> None:
    assert "Load the example conversation" in shown(pages)
    answer = pages.post("/ui/example")
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/?done=example")
    page = shown(pages, done="example")
    assert sorted(names(page)) == sorted(TITLES.values())
    assert "Load the example" not in page
    before = [info.to_dict() for info in memory.sessions()]
    assert pages.post("/ui/example").headers["location"] == "/ui/"
    assert [info.to_dict() for info in memory.sessions()] == before


def test_who_may_only_read_is_offered_nothing_to_write(memory: Memory, pages: TestClient) -> None:
    pages.headers |= key_of(memory, "read")
    page = shown(pages)
    assert "There are no conversations" in page
    assert 'method="post" action="/ui/begin"' not in page
    assert "/ui/example" not in page
    for address in ("/ui/example", "/ui/begin"):
        assert pages.post(address, data={"session": "s"}).status_code == 403
    assert list(memory.sessions()) == []


def test_a_name_leads_to_its_conversation(pages: TestClient) -> None:
    assert pages.post("/ui/begin", data={"session": " a/b? "}).headers["location"] == "/ui/chat/a%2Fb%3F"


@pytest.mark.parametrize("name", [".", "..", " .. "])
def test_a_name_that_browsers_take_for_a_step_is_refused(pages: TestClient, name: str) -> None:
    answer = pages.post("/ui/begin", data={"session": name})
    assert answer.status_code == 422
    assert "cannot be opened in a browser" in answer.text
    assert pages.post("/ui/begin", data={"session": "..."}).headers["location"] == "/ui/chat/..."


@pytest.mark.parametrize("name", [r"\ud800", r"a\x00b", r"a\nb", "x" * 600])
def test_a_name_that_cannot_be_kept_is_told_in_words(pages: TestClient, name: str) -> None:
    body = f'--b\r\nContent-Disposition: form-data; name="session"\r\n\r\n{name}\r\n--b--\r\n'
    kind = "multipart/form-data; boundary=b; charset=unicode_escape"
    answer = pages.post("/ui/begin", content=body, headers={"Content-Type": kind})
    assert answer.status_code == 422
    assert "The name" in answer.text


def test_what_was_forgotten_is_reported(memory: Memory, pages: TestClient) -> None:
    memory.session("gone").add("user", "Hello")
    page = shown(pages, done="forgot", conversation="<b>gone</b>", messages="4", records="2")
    assert "Forgotten: the conversation “&lt;b&gt;gone&lt;/b&gt;”" in page
    assert "4 messages" in page
    assert "Forgotten" not in shown(pages)


def test_only_the_callers_own_spaces_are_named(memory: Memory, pages: TestClient) -> None:
    memory.space("acme/ana").session("s").add("user", "Hello")
    memory.space("ben").session("s").add("user", "Hello")
    secret = Keys(memory._store, memory._clock).create(scopes=("read",), tenant="acme")[0]
    pages.headers["Authorization"] = f"Bearer {secret}"
    chips = re.findall(r'<a class="chip".*?>(.*?)</a>', shown(pages, space="ana"))
    assert chips == ["ana"]


def test_of_many_conversations_those_talked_in_last_stand_above(
    memory: Memory, pages: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("onrecord.ui.pages.home.LATEST", 40)
    for number in range(101):
        memory.session(f"s{number:03}").add("user", f"Hello {number}.")
    memory.session("s007").add("user", "Back again.")
    for number in range(12):  # what came later was not said
        memory.add_fact(f"Fact {number}.")
    page = shown(pages)
    recent, _, rest = page.partition("All, by id")
    assert names(recent) == ["s007", "s100", "s099", "s098", "s097", "s096"]
    assert "Back again." in recent
    assert names(rest)[:3] == ["s000", "s001", "s002"]
    assert ">Latest</h2>" not in shown(pages, cursor="s050")


def test_of_many_spaces_the_first_are_named(memory: Memory, pages: TestClient) -> None:
    assert " more: open one" not in shown(pages)
    for number in range(120):
        memory.space(f"s{number:03}").session("s").add("user", "Hello")
    page = shown(pages, space="s110")
    chips = re.findall(r'<a class="chip".*?>(.*?)</a>', page)
    assert chips == [*(f"s{number:03}" for number in range(99)), "s110"]
    assert "And 20 spaces more" in page


def test_the_example_tells_of_half_a_year_in_which_things_change(memory: Memory) -> None:
    assert fill_example(memory)
    assert not fill_example(memory)
    told = {info.id: list(memory.session(info.id).history()) for info in memory.sessions()}
    assert set(told) == set(TITLES)
    assert 100 <= sum(map(len, told.values())) <= 140
    times = [message.time for messages in told.values() for message in messages]
    assert (max(times) - min(times)).days > 120
    assert any(message.tool_calls for message in told["trip to Lisbon"])
    assert any(message.role == "tool" for message in told["trip to Lisbon"])
    replaced = {fact.attribute for fact in memory.facts(status="superseded")}
    assert {"hotel", "budget", "resting pulse"} <= replaced
    known = {fact.attribute: fact.text for fact in memory.facts()}
    assert "Casa do Miradouro" in known["hotel"]
    assert "56" in known["resting pulse"]
    trip = memory.session("trip to Lisbon")
    assert [one.locked for one in trip.summaries()].count(True) == 1
    assert "allergic to penicillin" in " ".join(pin.text for pin in trip.pins())
    assert all(any(True for _ in memory.session(name).summaries()) for name in TITLES)
    assert memory.episodes()
    assert memory.check().ok


def test_in_a_browser_the_example_is_one_click_away(browser_page: Looker) -> None:
    page = browser_page()
    page.goto("/ui/")
    page.get_by_role("button", name="Load the example conversation").click()
    expect(page.get_by_role("status").filter(has_text="Three conversations")).to_be_visible()
    expect(page.get_by_role("link", name="Six days in Lisbon", exact=False).first).to_be_visible()
    keep(page, "home")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("penicillin")
    page.keyboard.press("Enter")
    page.wait_for_url("**/ui/recall?q=penicillin")
    expect(page.get_by_text("penicillin").first).to_be_visible()
    page.goto("/ui/")
    page.get_by_role("link", name="New", exact=True).click()
    expect(page.get_by_label("Id of a conversation")).to_be_focused()
    phone = browser_page(phone=True, dark=True, javascript=False)
    phone.goto("/ui/")
    expect(phone.get_by_text("The new kitchen")).to_be_visible()
    keep(phone, "home-phone")


def test_a_key_is_asked_for_where_there_are_keys(memory: Memory, pages: TestClient) -> None:
    key_of(memory, "read")
    answer = pages.get("/ui/")
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/enter?next=%2Fui%2F")
