"""The page of a conversation in a real browser: timeline, pages of messages, forgetting; on a phone, and without
scripts."""

from __future__ import annotations

from urllib.parse import quote

from browser_tools import Looker, keep
from playwright.sync_api import expect

from onrecord import Memory

NAME = "trip/to Lisbon"
HERE = f"/ui/sessions/{quote(NAME, safe='')}"


def fill(memory: Memory, many: int = 120) -> None:
    trip = memory.session(NAME)
    trip.add("user", "<script>alert(1)</script> Hello!")
    trip.add("user", "I'm allergic to penicillin.", name="Ana")
    said = [
        {"role": ("user", "assistant")[at % 2], "text": f"Day {at}: we walk along the river."} for at in range(many)
    ]
    trip.add_many(said)
    trip.pin("Allergic to penicillin", source=2)


def test_the_timeline_is_looked_at_closer_with_mouse_and_keys(browser_page: Looker) -> None:
    page = browser_page(lambda memory: fill(memory, 700))
    page.goto(HERE)
    last = page.locator(".message").last
    expect(last).to_have_id("m702")
    page.get_by_role("link", name="Closer").click()
    expect(page.locator(".range")).to_contain_text("of 702")
    assert "from=" in page.url
    page.locator(".node").last.click()
    expect(page.locator("#node")).to_be_visible()
    opened = page.url
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.locator("#timeline")).not_to_have_attribute("aria-busy", "true")
    page.wait_for_function("before => location.href !== before", arg=opened)
    page.go_back()
    page.wait_for_function("before => location.href === before", arg=opened)
    expect(page.locator("#node")).to_be_visible()
    keep(page, "session", full=False)


def test_messages_go_on_where_they_end(browser_page: Looker) -> None:
    page = browser_page(lambda memory: fill(memory, 200))
    page.goto(f"{HERE}?after=60")
    expect(page.locator("#m110")).to_be_attached()
    page.locator(".said > .pager").last.scroll_into_view_if_needed()
    expect(page.locator("#m160")).to_be_attached()
    page.get_by_role("link", name="Older").first.click()
    expect(page.locator("#m11")).to_be_attached()
    seen = page.locator(".message").evaluate_all("all => all.map(one => Number(one.id.slice(1)))")
    assert seen == list(range(seen[0], seen[-1] + 1))


def test_a_message_is_forgotten_by_hand(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto(f"{HERE}?after=0")
    page.get_by_label("Forget message 2", exact=True).click()
    page.locator("#m2").get_by_role("button", name="Forget it").click()
    expect(page.locator("main")).to_contain_text("would be erased with it")  # the pin that comes from it
    page.get_by_role("button", name="Forget it").click()
    expect(page.get_by_role("status").first).to_contain_text("Forgotten: message 2")
    expect(page.locator("#m2")).to_contain_text("Only its number is left")
    expect(page.locator("body")).not_to_contain_text("allergic to penicillin")


def test_what_was_opened_is_closed_again(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto(f"{HERE}?after=0")
    before = page.url
    page.locator(".node").first.click()
    expect(page.locator("#node")).to_be_visible()
    page.get_by_label("Forget message 2", exact=True).click()
    page.keyboard.press("Escape")
    expect(page.locator(".forget[open]")).to_have_count(0)
    expect(page.locator("#node")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#node")).to_have_count(0)
    expect(page.locator(".node").first).to_be_focused()
    assert page.url == before
    page.get_by_label("Forget message 2", exact=True).click()
    page.locator("#m2").get_by_role("link", name="Cancel").click()
    expect(page.locator(".forget[open]")).to_have_count(0)
    assert page.url == before


def test_it_fits_a_phone_and_needs_no_script(browser_page: Looker) -> None:
    def long(memory: Memory) -> None:
        fill(memory)
        memory.session(NAME).add("user", "w" * 5_000)

    phone = browser_page(long, phone=True, dark=True)
    phone.goto(HERE)
    assert phone.evaluate("document.documentElement.scrollWidth") <= 390
    for tab in phone.locator(".tabs a").all():
        box = tab.bounding_box()
        assert box is not None
        assert 0 <= box["x"] <= box["x"] + box["width"] <= 390
    expect(phone.get_by_role("link", name="Prompt")).to_be_visible()
    expect(phone.get_by_role("link", name="Chats")).to_be_visible()
    keep(phone, "session-phone", full=False)
    bare = browser_page(javascript=False)
    bare.goto(HERE)
    bare.locator(".node").first.click()
    expect(bare.locator("#node")).to_be_visible()
    bare.get_by_role("link", name="Older").first.click()
    expect(bare.locator("#m40")).to_be_visible()
