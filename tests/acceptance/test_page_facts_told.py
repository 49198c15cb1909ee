"""The form of a fact: what nobody touched stays as it was, whatever a browser makes of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from browser_tools import Looker
from service_tools import Served, serving

from onrecord import Memory

LINES = "\nFirst line.\r\nSecond line.\n\nLast line.\rEnd."
SENT = "\r\nFirst line.\r\nSecond line.\r\n\r\nLast line.\r\nEnd."  # as browsers send it
PAGE = {"Accept": "text/html"}


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "memory.db") as served:
        yield served


def _told(memory: Memory) -> str:
    moment = datetime(2026, 1, 5, 9, 30, tzinfo=UTC)
    return memory.add_fact(LINES, subject="Ana", attribute="poem", value="short", valid_from=moment).id


def _sent(service: Served, path: str, **fields: Any) -> str:
    answer = service.call("POST", path, data=fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"].rpartition("/")[2])


def test_what_nobody_touched_is_not_edited(service: Served) -> None:
    id = _told(service.memory)
    fields = {"text": SENT, "subject": "Ana", "attribute": "poem", "value": "short", "valid_from": "2026-01-05T09:30"}
    _sent(service, f"/ui/facts/{id}/edit", **fields)
    assert service.memory.fact(id).text == LINES
    assert not [event for event in service.memory.fact(id).history if event["status"] == "edited"]
    _sent(service, f"/ui/facts/{id}/edit", **fields | {"value": "long"})
    after = service.memory.fact(id)
    assert (after.text, after.value) == (LINES, "long")
    _sent(service, f"/ui/facts/{id}/edit", **fields | {"value": "long", "text": SENT + "\r\nMore."})
    assert service.memory.fact(id).text == "\nFirst line.\nSecond line.\n\nLast line.\nEnd.\nMore."


def test_a_fact_told_by_hand_has_plain_lines_and_what_was_left_out_is_usual(service: Served) -> None:
    made = service.memory.fact(
        _sent(service, "/ui/facts", text="One.\r\nTwo.", confidence="", importance="", tags="a, b")
    )
    assert (made.text, made.kind, made.confidence, made.tags) == ("One.\nTwo.", "fact", 1.0, ("a", "b"))
    answer = service.call("POST", "/ui/facts", data={"text": "x", "confidence": "much"}, headers=PAGE)
    assert answer.status_code == 422
    assert "confidence" in answer.text


def test_the_last_day_of_the_calendar_keeps_no_page_from_being_shown(service: Served) -> None:
    chat = service.memory.session("trip")
    chat.add("user", "I live in Berlin.", time="2026-01-05T09:30:00Z")
    chat.add("user", "I live in Porto.", time="9999-12-31T23:59:59.999999Z")
    facts = service.memory.facts(status=None)
    assert len(facts) == 2
    for path in ("/ui/facts", "/ui/facts?status=all", "/ui/facts/graph", *(f"/ui/facts/{one.id}" for one in facts)):
        assert service.call("GET", path, headers=PAGE).status_code == 200, path
    assert "31 Dec 9999: 1 fact" in service.call("GET", "/ui/facts", headers=PAGE).text


def test_a_browser_that_saves_what_it_was_shown_changes_nothing(browser_page: Looker) -> None:
    page = browser_page(lambda memory: _told(memory) and None)
    before = browser_page.memory.facts()[0]
    page.goto(f"/ui/facts/{before.id}")
    page.get_by_text("Correct it").click()
    page.get_by_role("button", name="Save").click()
    page.wait_for_load_state()
    assert browser_page.memory.fact(before.id).history == before.history
    assert browser_page.memory.fact(before.id).text == LINES


def test_forgetting_says_what_holds_again(service: Served) -> None:
    chat = service.memory.session("home")
    chat.add("user", "I live in Berlin.", time="2026-01-01")
    chat.add("user", "I live in Lisbon now.", time="2026-03-01")
    (home,) = service.memory.facts(attribute="home")
    asked = service.call("GET", f"/ui/facts/{home.id}", headers=PAGE).text.partition("Forget this fact for good")[2]
    assert "I live in Berlin" in asked.partition("is then active again, and used in prompts")[0]
    assert service.memory.facts(attribute="home")  # nothing was forgotten by looking
