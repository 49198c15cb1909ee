"""What holds for all pages, in a real browser: nothing breaks, nothing leaves the server, nothing of what people say is
run, and everything can be reached with keys."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Callable
from contextlib import suppress
from urllib.parse import quote

import httpx
import pytest
from browser_tools import Browsing, Looker, Page, find_chromium, keep
from contrast_tools import too_faint
from playwright.sync_api import Error, expect
from starlette.routing import Route

from onrecord import Memory
from onrecord.ui.pages import ROUTERS

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'`${7}{{7*7}}"
NAME = f"trip/to {HOSTILE[:31]}"
LONG = "w" * 3_000


def fill(memory: Memory) -> None:
    """Everything that a person may say, with the worst in all places that take a text."""
    trip = memory.session(NAME)
    trip.add("system", HOSTILE)
    trip.add("user", "I'm allergic to penicillin. We decided to take the train. We moved to Porto.", name=HOSTILE[:60])
    call = {"id": "call_1", "name": "find", "arguments": '{"to": "<img src=x onerror=alert(3)>"}'}
    trip.add("assistant", HOSTILE, tool_calls=[call])
    trip.add("tool", HOSTILE, name="find", tool_call_id="call_1")
    trip.add("user", f"\N{RIGHT-TO-LEFT OVERRIDE}مرحبا 🎉 {LONG}")
    turns = [("user", "assistant")[at % 2] for at in range(60)]
    trip.add_many([{"role": role, "text": f"{at}. {HOSTILE} We walk."} for at, role in enumerate(turns)])
    trip.update(title=HOSTILE, system=HOSTILE)
    trip.pin(HOSTILE, source=2)
    trip.edit_summary(next(trip.summaries()).id, HOSTILE)
    first = memory.add_fact(HOSTILE, subject=HOSTILE, attribute="<b>", value=LONG[:500], tags=[HOSTILE[:40]])
    memory.relate(first.id, "depends_on", memory.add_fact("Trains are quick.").id)
    trip.add_episode(HOSTILE[:60], summary=HOSTILE, participants=[HOSTILE[:40]], first=2, last=4)


def addresses(looker: Looker) -> list[str]:
    """Every page that somebody can open, as the routes say."""
    fact = looker.memory.facts()[0].id
    found = []
    for router in ROUTERS:
        for route in router.routes:
            assert isinstance(route, Route)
            path = re.sub(r"\{(\w+)(?::\w+)?\}", r"{\1}", route.path)
            address = path.format(session=quote(NAME, safe=""), id=quote(fact, safe=""), seq=2, action="archive")
            if "GET" in (route.methods or ()) and _is_page(f"{looker.url}{address}"):
                found.append(address)
    return found


def _is_page(url: str) -> bool:
    """Whether it is a page, rather than a part of one, or a stream."""
    with httpx.stream("GET", url, headers={"Accept": "text/html"}, trust_env=False) as answer:
        assert answer.status_code in (200, 303), (url, answer.status_code)
        if not answer.headers.get("content-type", "").startswith("text/html"):
            return False
        return next(answer.iter_text(), "").startswith("<!doctype html>")


@pytest.mark.parametrize(("phone", "dark"), [(False, False), (True, True)], ids=["desk-light", "phone-dark"])
def test_every_page_loads_and_nothing_of_it_is_run(browser_page: Looker, phone: bool, dark: bool) -> None:
    page = browser_page(fill, phone=phone, dark=dark)
    asked = "/ui/recall?q=penicillin"
    for address in dict.fromkeys([*addresses(browser_page), asked]):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 200, address
        expect(page.locator("main h1").first).to_be_visible()
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{address} is {wide} px too wide"
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert (sum(map(int, re.findall(r"\d+", paper)[:3])) < 300) is dark, address
        assert too_faint(page) == [], address
        assert browser_page.problems() == [], address
        if os.environ.get("ONRECORD_SCREENSHOTS"):
            keep(page, f"{_name(address)}-{'phone' if phone else 'desk'}-{'dark' if dark else 'light'}")


def _name(address: str) -> str:
    return "-".join(re.findall(r"[a-z]+", re.sub(r"%\w\w.*?(?=/|$)", "", address)))


def test_every_page_is_there_without_scripts(browser_page: Looker) -> None:
    page = browser_page(fill, javascript=False)
    for address in addresses(browser_page):
        page.goto(address)
        expect(page.locator("main h1").first).to_be_visible()


def test_keys_lead_to_the_content_and_to_every_page(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto("/ui/")
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()
    page.goto("/ui/")
    seen = []
    for _ in range(8):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.innerText.trim()"))
        assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none", seen
    assert [name for name in seen if name in ("Conversations", "Recall", "Facts", "Health")] == [
        "Conversations",
        "Recall",
        "Facts",
        "Health",
    ]
    page.get_by_role("navigation", name="Pages").get_by_role("link", name="Health").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("link", name="Health").first).to_have_attribute("aria-current", "page")


def test_a_slash_goes_to_the_main_field_but_not_while_typing(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto("/ui/")
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("a/b")
    expect(page.get_by_role("searchbox")).to_have_value("a/b")


def test_light_and_dark_are_the_persons_choice_and_stay_so(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto("/ui/")
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.goto("/ui/health")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_an_address_that_leads_nowhere_is_told_as_a_page(browser_page: Looker) -> None:
    browser_page.allow("404 (Not Found)")
    page = browser_page(fill)
    answer = page.goto("/ui/facts/<img src=x onerror=alert(1)>")
    assert answer is not None
    assert answer.status == 404
    expect(page.locator("main")).to_contain_text("no fact", ignore_case=True)


# The ground that these tests stand on


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (lambda page: page.evaluate("console.error('broken')"), "console: broken"),
        (lambda page: page.evaluate("void setTimeout(() => { throw new Error('thrown') })"), "error in a script"),
        (lambda page: page.evaluate("void setTimeout(() => alert('boo'))"), "alert: boo"),
        (lambda page: page.evaluate("void fetch('http://127.0.0.2:9/').catch(() => 0)"), "127.0.0.2:9"),
        (lambda page: page.goto("http://127.0.0.2:9/", wait_until="commit"), "a request left the server"),
    ],
)
def test_what_nobody_should_meet_is_noticed(browser_page: Looker, spoil: Callable[[Page], object], said: str) -> None:
    page = browser_page(fill)
    page.goto("/ui/")
    with suppress(Error):  # a page that cannot be reached
        spoil(page)
    for _ in range(200):
        if any(said in one for one in browser_page.problems()):
            break
        page.wait_for_timeout(20)
    assert any(said in one for one in browser_page.problems()), browser_page.problems()
    browser_page.allow("")


def test_what_is_hard_to_read_is_noticed(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto("/ui/")
    assert too_faint(page) == []
    page.evaluate("document.querySelector('h1').style.opacity = 0.3")
    assert [one for one in too_faint(page) if "Conversations" in one]


def test_a_missing_browser_is_an_error_that_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(RuntimeError, match="make browser"):
        find_chromium()


def test_other_event_loops_run_beside_the_browser(browsing: Browsing) -> None:
    asyncio.run(asyncio.sleep(0))
    with browsing.at_work() as browser:
        browser.new_context().close()
    asyncio.run(asyncio.sleep(0))
