"""The page that tells how the memory is: how it grew, what it saves, how quick it is, what it was told to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from browser_tools import Looker, keep
from fastapi import FastAPI
from playwright.sync_api import expect
from postgres_tools import empty_store_url
from starlette.testclient import TestClient

from onrecord import Memory
from onrecord.jobs.queue_schema import prepare
from onrecord.service.keys import Keys
from onrecord.service.metrics import Metrics
from onrecord.service.service_settings import Serving
from onrecord.ui.example import fill as fill_example
from onrecord.ui.pages.health_figures import latencies, settings_of
from onrecord.ui.pages.health_growth import Growth, SpaceGrowth
from onrecord.ui.site import create_app
from onrecord.ui.view import percent

NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)


def talk(memory: Memory, many: int, session: str = "s") -> None:
    said: list[dict[str, Any]] = [
        {"role": "user", "text": f"Word number {at}.", "time": NOON + timedelta(hours=at)} for at in range(many)
    ]
    memory.session(session).add_many(said)


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    return Memory(tmp_path / "memory.db", embedder=None, summarize="inline")


@pytest.fixture
def pages(memory: Memory, tmp_path: Path) -> Iterator[TestClient]:
    told = {"upstream_key": "sk-zqsecret", "upstream": "https://me:zqpassword@host.example/v1", "profile": "balanced"}
    serving = Serving(db=str(tmp_path / "memory.db"), memory=told)
    with TestClient(create_app(memory, serving), base_url="http://127.0.0.1", follow_redirects=False) as client:
        client.headers["accept"] = "text/html"
        yield client


def shown(pages: TestClient, address: str = "/ui/health", **asked: str) -> str:
    answer = pages.get(address, params=asked)
    assert answer.status_code == 200, answer.text
    return answer.text


def test_what_was_said_and_made_of_it_is_drawn(memory: Memory, pages: TestClient) -> None:
    fill_example(memory)
    page = shown(pages)
    many = sum(info.last_seq for info in memory.sessions())
    assert f"messages <b>{many}</b>" in page
    summaries = sum(1 for info in memory.sessions() for _ in memory.session(info.id).summaries(plan="all"))
    assert f"summaries <b>{summaries}</b>" in page
    drawn = re.findall(r"<title>[^<]*?(\d+) messages", page)
    assert sum(map(int, drawn)) == many
    assert "by week" in page
    assert 'data-whole="yes"' in page


def test_an_empty_space_is_told_of_calmly(pages: TestClient) -> None:
    page = shown(pages, space="nobody")
    assert "There are no messages in this space yet." in page
    assert "No model was called" in page


def test_the_twin_is_what_models_took_as_the_api_tells_it(memory: Memory, pages: TestClient) -> None:
    talk(memory, 3)
    memory._store.count(
        "default", {"2026-05-05 calls m/<b>": 2, "2026-05-05 in m/<b>": 700, "2026-05-05 out m/<b>": 80}
    )
    assert pages.get("/ui/health?format=json").json() == pages.get("/v1/spent").json()
    page = shown(pages)
    assert "m/&lt;b&gt;" in page
    assert '<td class="number">700</td>' in page


def test_the_check_says_what_the_api_says(memory: Memory, pages: TestClient) -> None:
    talk(memory, 3)
    assert pages.get("/ui/health/check?format=json").json() == pages.get("/v1/check").json()
    assert "All is well" in shown(pages, "/ui/health/check")


def test_damage_is_shown(memory: Memory, pages: TestClient, tmp_path: Path) -> None:
    import apsw

    talk(memory, 3)
    db = apsw.Connection(str(tmp_path / "memory.db"))
    db.execute("UPDATE messages SET text = 'changed' WHERE seq = 2")
    db.close()
    page = shown(pages, "/ui/health/check")
    assert "1 finding." in page
    assert "checksum" in page
    assert "s #2" in page


def test_secrets_are_never_shown(pages: TestClient) -> None:
    page = shown(pages)
    assert "upstream_key" in page
    assert "set, not shown" in page
    assert "zqsecret" not in page
    assert "zqpassword" not in page
    assert "me:***@host.example" in page


def test_who_is_no_operator_sees_the_space_alone(memory: Memory, pages: TestClient, tmp_path: Path) -> None:
    memory.space("acme/ana").session("s").add("user", "Hello")
    secret = Keys(memory._store, memory._clock).create(scopes=("read", "write", "admin"), tenant="acme")[0]
    pages.headers["Authorization"] = f"Bearer {secret}"
    page = shown(pages, space="ana")
    assert "messages <b>1</b>" in page
    assert "Settings" not in page
    assert str(tmp_path) not in page
    assert "Response times" not in page
    assert pages.get("/ui/health/check", params={"space": "ana"}).status_code == 403
    reader = Keys(memory._store, memory._clock).create(scopes=("read",))[0]
    pages.headers["Authorization"] = f"Bearer {reader}"
    assert "Check every item" not in shown(pages)
    assert pages.get("/ui/health/check").status_code == 403


def test_recall_and_context_show_how_long_they_took(memory: Memory, pages: TestClient) -> None:
    talk(memory, 3)
    assert "No requests yet" in shown(pages)
    pages.post("/v1/search", json={"text": "word"})
    pages.post("/v1/sessions/s/context", json={"question": "which?"})
    rows = re.findall(r"<tr><td>([A-Z][a-z ]+)</td><td class=\"number\">[\d.,]+</td>", shown(pages))
    assert rows == ["Recall", "Context", "Pages"]


def test_times_come_from_buckets() -> None:
    metrics = Metrics()
    for seconds in [0.02] * 90 + [0.2] * 10:
        metrics.ended("/v1/search", "POST", 200, seconds)
    metrics.ended("/v1/spaces", "GET", 200, 5.0)
    (recall,) = latencies(metrics.text().decode())
    assert (recall.name, recall.requests) == ("Recall", 100)
    assert 10 <= recall.p50 <= 25
    assert 100 <= recall.p95 <= 250


def test_settings_say_where_they_come_from(monkeypatch: pytest.MonkeyPatch) -> None:
    serving = Serving(db="m.db", memory={"profile": "rolling", "model": "gpt-4o", "embedder": None})
    monkeypatch.setenv("ONRECORD_MODEL", "gpt-4o")
    monkeypatch.setenv("ONRECORD_PROFILE", "tiered")
    found = {row["name"]: (row["value"], row["source"]) for row in settings_of(serving)}
    assert found["model"] == ("gpt-4o", "ONRECORD_MODEL")
    assert found["profile"] == ("rolling", "given")
    assert found["embedder"] == ("none", "given")
    assert found["durability"] == ("power", "default")


def counted(growth: Growth, memory: Memory, seconds: float = 10.0) -> SpaceGrowth:
    with growth.of(memory, seconds) as found:
        return found


def test_much_is_counted_in_pieces_and_then_followed(memory: Memory) -> None:
    talk(memory, 1_300)
    growth = Growth()
    seen = []
    while not (count := counted(growth, memory, 0.0)).whole:
        seen.append(count.kinds["message"])
    assert seen == sorted(set(seen))
    assert 0 < seen[0] < 1_300
    assert count.kinds["message"] == 1_300
    assert count.tokens == sum(message.tokens for message in memory.session("s").history())
    assert sum(day["message"] for day in count.days.values()) == 1_300
    memory.session("s").add("user", "One more.", time=NOON)
    assert counted(growth, memory) is count  # only what is new was counted
    assert count.kinds["message"] == 1_301
    assert count.days[NOON.date()]["message"] == 13


def test_what_was_forgotten_is_taken_off_and_a_space_that_was_erased_begins_anew(memory: Memory) -> None:
    talk(memory, 20)
    growth = Growth()
    assert counted(growth, memory).kinds["message"] == 20
    memory.session("s").forget(3, 4)
    assert counted(growth, memory).kinds["message"] == 18
    memory.forget(space="default")
    assert counted(growth, memory).kinds["message"] == 0
    talk(memory, 2)
    assert counted(growth, memory).kinds["message"] == 2


def test_the_topmost_summaries_stand_for_their_messages_once(memory: Memory) -> None:
    talk(memory, 400)
    saving = counted(Growth(), memory).saving()
    made = list(memory.session("s").summaries())
    assert max(summary.level for summary in made) > 1
    messages = list(memory.session("s").history())
    covered = max(summary.last for summary in made)
    assert saving.messages == covered
    assert saving.tokens == sum(message.tokens for message in messages[:covered])
    higher = {(over.first, over.last, over.level) for over in made}
    top = [
        summary
        for summary in made
        if not any(level > summary.level and first <= summary.first <= last for first, last, level in higher)
    ]
    assert saving.summaries == len(top)
    assert saving.summary_tokens == sum(summary.tokens for summary in top)


def test_there_is_one_count_however_many_ask_first(pages: TestClient) -> None:
    app = pages.app
    assert isinstance(app, FastAPI)
    begun = app.state.growth
    shown(pages)
    assert app.state.growth is begun


@pytest.mark.parametrize(
    ("value", "said"),
    [(0.0, "0 %"), (0.00001, "0.1 %"), (0.004, "0.4 %"), (0.4, "40 %"), (0.994, "99 %"), (0.999, "99.9 %"),
     (0.9997, "99.9 %"), (1.0, "100 %")],
)  # fmt: skip
def test_nothing_and_all_are_said_only_where_they_are_meant(value: float, said: str) -> None:
    assert percent(value) == said


def test_the_last_day_of_the_calendar_is_drawn(memory: Memory, pages: TestClient) -> None:
    memory.session("s").add("user", "Hello", time="9999-12-31T12:00:00Z")
    assert "31 Dec 9999: 1 messages" in shown(pages)


def test_jobs_of_workers_are_shown_on_postgresql() -> None:
    url = empty_store_url()
    prepare(url)
    serving = Serving(db=url, memory={"embedder": None, "summarize": "worker"})
    memory = serving.open()
    memory.session("s").add("user", "Hello")
    with TestClient(create_app(memory, serving), base_url="http://127.0.0.1") as client:
        page = client.get("/ui/health").text
        assert client.get("/v1/jobs").json()["due"] == 1
    assert "PostgreSQL" in page
    assert "1 conversation due" in page
    assert "0 workers" in page


def test_in_a_browser_the_count_goes_on_by_itself(browser_page: Looker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.ui.pages.health.AT_ONCE", 0.0)
    page = browser_page(lambda memory: talk(memory, 700))
    page.goto("/ui/health")
    expect(page.locator("#growth")).to_have_attribute("data-whole", "yes")
    expect(page.get_by_text("messages 700")).to_be_visible()
    page.get_by_text("As a table").click()
    expect(page.get_by_role("cell", name="5 May 2026", exact=False).first).to_be_visible()
    keep(page, "health")
    page.get_by_role("button", name="Check every item").click()
    expect(page.get_by_text("All is well")).to_be_visible()
    phone = browser_page(phone=True, dark=True, javascript=False)
    phone.goto("/ui/health")
    expect(phone.get_by_role("heading", name="Settings")).to_be_visible()
    keep(phone, "health-phone")


def test_messages_that_a_reader_could_not_read_are_counted_and_named(
    memory: Memory, pages: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(text: str, **more: object) -> object:
        raise IndexError(text)

    monkeypatch.setattr("onrecord.derive.learner.claims", broken)
    memory.session("s").add("user", "I live in Porto.")
    assert "Fact extraction failed on 1 message" in shown(pages)
    check = shown(pages, "/ui/health/check")
    assert "s #1" in check
    assert "cannot read it (IndexError); everything else goes on without it." in check
    assert "All is well" in check
