"""The chat page in a real browser: streaming, Stop, pins, a phone, and no script at all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from browser_tools import Looker, keep

from onrecord import Memory
from onrecord.testing.scripted_server import ScriptedEndpoint

ALLERGY = "I'm allergic to penicillin."


@pytest.fixture
def upstream() -> Iterator[ScriptedEndpoint]:
    with ScriptedEndpoint() as server:
        yield server


def _own(address: str) -> dict[str, Any]:
    """The settings of a memory with a model."""
    return {"model": "openai/scripted", "upstream": address, "upstream_key": "sk-memory"}


def test_a_person_talks_and_sees_what_the_memory_makes_of_it(browser_page: Looker, upstream: ScriptedEndpoint) -> None:
    upstream.answers = ["Noted: no <b>penicillin</b>.", "In May, to Lisbon, for five nights, by train and by tram."]
    page = browser_page(memory=_own(upstream.base_url))
    page.goto("/ui/chat/trip")
    page.keyboard.type(ALLERGY)  # the field has the focus
    page.keyboard.press("Shift+Enter")
    page.keyboard.type("We decided to fly to Lisbon on 5 May.")
    page.keyboard.press("Enter")
    page.locator("#m2 .text").get_by_text("Noted: no <b>penicillin</b>.").wait_for()
    page.locator("#learned").get_by_text(ALLERGY).first.wait_for()
    assert "of 4,000 tokens" in page.locator("#prompt").inner_text()
    assert page.locator("#text").input_value() == ""
    assert "turn=1" in page.url
    page.locator("#m2").get_by_role("button", name="Pin").click()
    page.locator("#m2").get_by_role("button", name="Pinned").wait_for()
    assert "Noted: no <b>penicillin</b>." in page.locator("#pins").inner_text()
    keep(page, "chat")
    upstream.misbehave("hang stream")
    page.fill("#text", "When?")
    page.keyboard.press("Enter")
    page.locator(".comes .text").get_by_text("In May").wait_for()
    page.get_by_role("button", name="Stop").click()
    page.locator("#m4 .badge").get_by_text("cut off").wait_for()
    (last,) = browser_page.memory.session("trip").history(last=1)
    assert last.meta == {"cut": True}
    assert last.text in "In May, to Lisbon, for five nights, by train and by tram."
    upstream.released.set()


def test_what_is_not_taken_stays_in_the_field(browser_page: Looker, upstream: ScriptedEndpoint) -> None:
    page = browser_page(memory=_own(upstream.base_url) | {"max_message_bytes": 1_000})
    page.goto("/ui/chat/trip")
    page.fill("#text", "long " * 1_000)
    page.get_by_role("button", name="Send").click()
    page.get_by_role("alert").wait_for()
    assert page.locator("#text").input_value() == "long " * 1_000
    assert page.locator(".message").count() == 0
    assert upstream.requests == []


def test_without_a_script_the_page_works_too(browser_page: Looker, upstream: ScriptedEndpoint) -> None:
    upstream.answers = ["In May."]
    page = browser_page(memory=_own(upstream.base_url), javascript=False)
    page.goto("/ui/chat/trip")
    page.fill("#text", "When?")
    page.get_by_role("button", name="Send").click()
    page.locator("#m2").get_by_text("In May.").wait_for()
    page.locator("#m2").get_by_role("button", name="Pin").click()
    page.locator("#m2").get_by_role("button", name="Pinned").wait_for()
    page.select_option("#model", "none")
    page.fill("#text", "Where?")
    page.get_by_role("button", name="Send").click()
    page.locator(".unsent").get_by_text("Where?").wait_for()
    assert len(upstream.requests) == 1


def test_on_a_phone_nothing_is_cut_off(browser_page: Looker) -> None:
    def fill(memory: Memory) -> None:
        memory.session("trip").add("user", "w" * 3_000, name="n" * 300)
        memory.session("trip").add("assistant", "אבג " * 300 + "🙂" * 200, model="m" * 200)

    page = browser_page(fill, phone=True, dark=True)
    page.goto("/ui/chat/trip")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    keep(page, "chat-phone")
    assert page.locator("[data-send]").is_visible()


def test_what_is_sent_again_after_the_connection_was_lost_is_kept_once(
    browser_page: Looker, upstream: ScriptedEndpoint
) -> None:
    upstream.answers = ["In May."]
    page = browser_page(memory=_own(upstream.base_url))
    browser_page.allow("ERR_FAILED")

    def lose(route: Any) -> None:
        route.fetch()  # the server takes it, and nobody hears of that
        route.abort()

    page.goto("/ui/chat/trip")
    page.route("**/turn", lose)
    page.fill("#text", "When?")
    page.keyboard.press("Enter")
    page.get_by_role("alert").get_by_text("The connection was lost.").wait_for()
    assert page.locator("#text").input_value() == "When?"
    page.unroute("**/turn")
    page.locator("#text").press("Enter")
    page.locator("#m2").get_by_text("In May.").wait_for()
    assert [one.text for one in browser_page.memory.session("trip").history()] == ["When?", "In May."]
    assert len(upstream.requests) == 1
