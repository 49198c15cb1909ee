"""The pages of facts in a real browser: with scripts and without, on a desk and on a phone."""

from __future__ import annotations

from browser_tools import Looker
from fact_page_tools import fill, known
from playwright.sync_api import expect

from onrecord import Memory


def test_the_slider_of_time_changes_the_list(browser_page: Looker) -> None:
    looker = browser_page(fill)
    looker.goto("/ui/facts")
    slider = looker.get_by_label("Move through time")
    expect(slider).to_be_visible()
    expect(looker.locator("#found")).to_contain_text("I moved to Lisbon.")
    slider.focus()
    slider.press("Home")
    for _ in range(15):
        slider.press("ArrowRight")
    expect(looker.locator("#found")).to_contain_text("I live in Berlin.")
    expect(looker.locator("#found")).to_contain_text("What was true at 20 Jan 2026")
    assert looker.url.endswith("/ui/facts?as_of=2026-01-20")
    expect(looker.get_by_label("As of")).to_have_value("2026-01-20")
    slider.press("End")
    expect(looker.locator("#found")).to_contain_text("I moved to Lisbon.")
    assert looker.url.endswith("/ui/facts")
    looker.keyboard.press("Tab")
    looker.keyboard.press("/")
    looker.get_by_label("Words").fill("penicillin")
    expect(looker.locator("#found .facts > li")).to_have_count(1)


def test_forgetting_asks_first(browser_page: Looker) -> None:
    looker = browser_page(fill)
    id = known(browser_page.memory, "I'm allergic").id
    looker.goto(f"/ui/facts/{id}")
    looker.get_by_text("Forget", exact=True).click()
    assert browser_page.memory.fact(id).status == "active"
    looker.get_by_role("button", name="Forget it").click()
    expect(looker.get_by_text("Forgotten: 1 record erased for good")).to_be_visible()


def test_a_fact_is_corrected_from_its_head(browser_page: Looker) -> None:
    looker = browser_page(fill, javascript=False)
    id = known(browser_page.memory, "I'm allergic").id
    looker.goto(f"/ui/facts/{id}")
    looker.get_by_role("link", name="Correct", exact=True).click()
    words = looker.locator("#correct textarea")
    expect(words).to_be_in_viewport()
    words.fill("I'm allergic to penicillin and to nuts.")
    looker.get_by_role("button", name="Save").click()
    expect(looker.get_by_role("heading", level=1)).to_have_text("I'm allergic to penicillin and to nuts.")


def test_facts_work_without_scripts(browser_page: Looker) -> None:
    looker = browser_page(fill, javascript=False)
    looker.goto("/ui/facts")
    looker.get_by_label("As of").fill("2026-01-20")
    looker.get_by_role("button", name="Show").click()
    expect(looker.locator("#found")).to_contain_text("I live in Berlin.")
    looker.get_by_role("link", name="I live in Berlin.").click()
    looker.get_by_role("button", name="Archive").click()
    expect(looker.get_by_role("button", name="Restore")).to_be_visible()


def test_no_page_is_wider_than_a_phone(browser_page: Looker) -> None:
    def hostile(memory: Memory) -> None:
        fill(memory)
        long = "Donaudampfschifffahrt" * 40
        memory.add_fact(long, subject=long[:400], attribute=long[:200], value=long[:300], kind="entity")
        memory.add_fact("x " + long, subject=long[:400], attribute=long[:200], value="short", tags=[long[:200]])
        memory.session("trip/1").add_episode(long, first=1, summary=long, participants=[long[:300]])

    looker = browser_page(hostile, phone=True, dark=True)
    newest = browser_page.memory.facts()[-1].id
    for path in ("facts?status=all", f"facts/{newest}", "facts/graph", "episodes", "episodes?session=trip%2F1"):
        looker.goto(f"/ui/{path}")
        for details in looker.locator("details").all():
            details.locator("summary").click()
        assert looker.evaluate("document.documentElement.scrollWidth") <= 390, path


def test_a_line_through_time_leads_to_what_held_before(browser_page: Looker) -> None:
    looker = browser_page(fill)
    looker.goto(f"/ui/facts/{known(browser_page.memory, 'I moved').id}")
    looker.locator(".lives a", has_text="Berlin").click()
    expect(looker.get_by_role("heading", level=1)).to_have_text("I live in Berlin.")
    looker.locator("svg a.box", has_text="I moved to Lisbon.").click()
    expect(looker.get_by_role("heading", level=1)).to_have_text("I moved to Lisbon.")
