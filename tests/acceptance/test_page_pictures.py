"""Pictures of the pages over the example, for people to look at; `make pictures` puts the README's in its place."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from browser_tools import Looker, keep
from playwright.sync_api import expect

from onrecord import Memory
from onrecord.ui.example import fill

LISBON = quote("trip to Lisbon", safe="")
PAGES = {
    "home": "/ui/",
    "chat": f"/ui/chat/{LISBON}",
    "conversation": f"/ui/sessions/{LISBON}",
    "context": f"/ui/context/{LISBON}?question=What+must+the+doctor+know%3F&tokens=2300",
    "story": f"/ui/episodes?session={LISBON}",
    "recall": "/ui/recall?q=What+must+the+doctor+know%3F",
    "facts": "/ui/facts",
    "health": "/ui/health",
}


def _example(memory: Memory) -> None:
    fill(memory)


@pytest.mark.parametrize("phone", [False, True], ids=["desk", "phone"])
def test_the_example_can_be_looked_at(browser_page: Looker, phone: bool) -> None:
    page = browser_page(_example, phone=phone, dark=phone)
    for name, address in PAGES.items():
        page.goto(address, wait_until="networkidle")
        expect(page.locator("main h1").first).to_be_visible()
        if name == "context":  # from the figures on: the form above says little in a picture
            page.evaluate("scrollBy(0, document.querySelector('.tokens').getBoundingClientRect().top - 70)")
        keep(page, f"{name}-phone" if phone else name, full=False)
