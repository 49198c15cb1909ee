"""A person's way through the pages, in a real browser: what is done on one shows on the others."""

from __future__ import annotations

from browser_tools import Looker
from playwright.sync_api import Page, expect

from onrecord import Memory

SECRET = "The door code is quicksilver."
PLACES = (
    "/ui/",
    "/ui/chat/trip",
    "/ui/sessions/trip?after=0",
    "/ui/context/trip?question=door+code&tokens=3000",
    "/ui/recall?q=door+code",
    "/ui/facts?status=all",
    "/ui/episodes?session=trip",
)


def _fill(memory: Memory) -> None:
    trip = memory.session("trip")
    trip.add("user", SECRET, name="Ana")
    for at in range(60):
        trip.add("assistant" if at % 2 else "user", f"Day {at}: tram {at} goes to the river, then up.")


def _say(page: Page, text: str) -> None:
    """Say something on the chat page, with keys alone; the page without a model shows the prompt that it would send."""
    page.goto("/ui/chat/trip")
    expect(page.get_by_placeholder("Write a message…")).to_be_focused()
    page.keyboard.type(text)
    page.keyboard.press("Enter")
    expect(page.locator(".message .text", has_text=text).last).to_be_visible()


def test_what_is_pinned_in_the_chat_is_in_what_the_model_sees(browser_page: Looker) -> None:
    page = browser_page(_fill)
    _say(page, "No shellfish for me, ever.")
    said = page.locator(".message", has_text="No shellfish for me")
    said.get_by_role("button", name="Pin").focus()
    page.keyboard.press("Enter")
    expect(said.get_by_role("button", name="Pinned")).to_be_visible()
    page.goto("/ui/context/trip?question=Where+shall+we+eat%3F&tokens=600")
    expect(page.locator("table tr", has_text="No shellfish").filter(has_text="pinned").first).to_be_visible()


def test_a_summary_that_was_corrected_survives_the_next_round(browser_page: Looker) -> None:
    page = browser_page(_fill)
    page.goto("/ui/sessions/trip")
    page.locator(".node").first.click()
    page.get_by_text("Edit", exact=True).click()
    page.get_by_label("The summary, in your words.").fill("Sixty days of trams, in short.")
    page.get_by_role("button", name="Save and lock").click()
    expect(page.locator("#node")).to_contain_text("locked")
    trip = browser_page.memory.session("trip")
    trip.add_many([("user", f"Another {at} of many questions about the trams.") for at in range(40)])
    trip.summarize()
    trip.rebuild()
    page.reload()
    expect(page.locator("#node")).to_contain_text("Sixty days of trams, in short.")
    expect(page.locator("#node")).to_contain_text("locked")


def test_what_is_forgotten_is_on_no_page(browser_page: Looker) -> None:
    page = browser_page(_fill)
    page.goto("/ui/context/trip?question=door+code&tokens=3000")
    expect(page.locator("main")).to_contain_text("quicksilver")
    page.goto("/ui/sessions/trip?after=0")
    page.get_by_label("Forget message 1", exact=True).click()
    page.locator("#m1").get_by_role("button", name="Forget it").click()
    expect(page.get_by_role("status").first).to_contain_text("Forgotten: message 1")
    for place in PLACES:
        page.goto(place, wait_until="networkidle")
        expect(page.locator("main")).to_be_visible()
        assert "quicksilver" not in page.content(), place
