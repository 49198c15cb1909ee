"""Long lists over HTTP, a page at a time: everything comes once, in order, whatever happens between two pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service_tools import Served, serving

from onrecord import Memory


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Served]:
    monkeypatch.setattr("onrecord.service.paging.PAGE", 3)
    with serving(tmp_path / "memory.db") as served:
        yield served


def _pages(service: Served, path: str, **asked: Any) -> Iterator[list[dict[str, Any]]]:
    cursor = None
    while True:
        answer = service.http.get(path, params={**asked, **({"cursor": cursor} if cursor else {})}).json()
        yield answer["items"]
        cursor = answer["next"]
        if cursor is None:
            return


def _ids(service: Served, path: str, **asked: Any) -> list[str]:
    pages = list(_pages(service, path, **asked))
    assert all(len(page) == 3 for page in pages[:-1])
    return [one["id"] for page in pages for one in page]


def test_facts_come_in_pages(service: Served) -> None:
    for at in range(10):
        service.memory.add_fact(f"Number {at} counts.", session=f"s{at % 2}")
    wanted = [one.id for one in service.memory.facts()]
    assert len(wanted) == 10
    assert _ids(service, "/v1/facts") == wanted
    assert _ids(service, "/v1/facts", limit=7) == wanted[-7:]
    of_one = [one.id for one in service.memory.session("s1").facts()]
    assert _ids(service, "/v1/sessions/s1/facts") == of_one
    with Memory(service.url) as remote:
        assert [one.id for one in remote.facts()] == wanted
        assert [one.id for one in remote.session("s1").facts()] == of_one
    assert service.http.get("/ui/facts?format=json").json() == service.http.get("/v1/facts").json()


def test_what_is_forgotten_between_two_pages_puts_nobody_off(service: Served) -> None:
    for at in range(7):
        service.memory.add_fact(f"Number {at} counts.")
    wanted = [one.id for one in service.memory.facts()]
    pages = _pages(service, "/v1/facts")
    first = [one["id"] for one in next(pages)]
    service.memory.forget(fact=first[-1])  # the very one that the cursor was made of
    assert [*first, *(one["id"] for page in pages for one in page)] == wanted


def test_summaries_come_in_pages(service: Served) -> None:
    chat = service.memory.session("s")
    chat.add_many([("user", f"Message {at} is about tram {at}.") for at in range(120)])
    chat.summarize(3, 9)
    chat.summarize(5, 20)
    assert _ids(service, "/v1/sessions/s/summaries") == [one.id for one in chat.summaries()]
    for plan in ("all", "manual"):
        assert _ids(service, "/v1/sessions/s/summaries", plan=plan) == [one.id for one in chat.summaries(plan=plan)]
    with Memory(service.url) as remote:
        assert list(remote.session("s").summaries()) == list(chat.summaries())


@pytest.mark.parametrize("cursor", ["x", "W10=", "WzFd", "bnVsbA==", "é", "[]", "WyJhIiwgMSwgMl0="])
@pytest.mark.parametrize("path", ["/v1/facts", "/v1/sessions/s/summaries"])
def test_a_cursor_that_is_none_of_ours_is_refused(service: Served, path: str, cursor: str) -> None:
    service.memory.add_fact("Trams are yellow.")
    service.memory.session("s").add("user", "Which colour have trams?")
    service.memory.session("s").summarize(1, 1)
    answer = service.http.get(path, params={"cursor": cursor})
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "InvalidInput"
