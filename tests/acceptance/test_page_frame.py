"""The frame of all pages, in a real browser: nothing breaks, nothing leaves, everything can be reached with keys."""

from __future__ import annotations

import asyncio

import pytest
from browser_tools import Looker, find_chromium, keep
from playwright.sync_api import expect

from recollect import Memory


def fill(memory: Memory) -> None:
    trip = memory.session("trip/to Lisbon")
    trip.add("user", "We fly to Lisbon on 5 May.", name="Ana")
    trip.add("assistant", "<script>alert(1)</script><img src=x onerror=alert(2)>")


def test_first(browser_page: Looker) -> None:
    page = browser_page(fill)
    page.goto("/ui/")
    expect(page.get_by_role("heading", name="Conversations")).to_be_visible()
    keep(page, "home")
    phone = browser_page(phone=True, dark=True)
    phone.goto("/ui/")
    keep(phone, "home-phone")
    plain = browser_page(javascript=False)
    plain.goto("/ui/")


def test_other_loops_run_beside_the_browser(browser_page: Looker, browsing: object) -> None:
    browser_page(fill).goto("/ui/")


def test_loops() -> None:
    asyncio.run(asyncio.sleep(0))
