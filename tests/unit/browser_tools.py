"""Pages in a real browser: the service with its pages on a socket of this machine, and Chromium that looks at them.

One browser serves all tests of a process; every test gets a fresh profile, and a server over a memory of its own. What
a person should never meet fails the test: an error on the console or in a script, an alert, a request that leaves the
server.
"""

from __future__ import annotations

import asyncio
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from time import sleep
from typing import Any

import uvicorn
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request, expect, sync_playwright

from onrecord import Memory
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

__all__ = ["Browsing", "Fill", "Looker", "Page", "find_chromium", "keep", "pages_served", "started"]

Fill = Callable[[Memory], object]

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS = (
    "--no-sandbox",  # in containers there is none; the pages are our own
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",  # there is no other machine
)
WAIT = 30_000  # milliseconds until something that does not appear is missed: long, as tests run beside others

SCREENSHOTS = Path(os.environ.get("ONRECORD_SCREENSHOTS") or Path(__file__).parents[2] / ".venv" / "screenshots")


def find_chromium() -> str:
    """Where the browser lies. Without one the tests of the pages fail: they must not be left out unnoticed."""
    for name in NAMES:
        if found := shutil.which(name):
            return found
    raise RuntimeError(
        "The tests of the pages need Chromium, which is not there. `make browser` installs it; "
        "or, on Debian: apt-get install chromium; elsewhere, put chromium or google-chrome on the PATH."
    )


def keep(page: Page, name: str, *, full: bool = True) -> Path:
    """A picture of the page as it is now, for people to look at."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    place = SCREENSHOTS / f"{name}.png"
    page.screenshot(path=place, full_page=full)
    return place


@dataclass(slots=True)
class Browsing:
    """The browser of a process. Its event loop counts as running only while a test looks at pages: other tests of the
    same thread have loops of their own."""

    browser: Browser
    loop: asyncio.AbstractEventLoop

    @contextmanager
    def at_work(self) -> Iterator[Browser]:
        """The browser, as long as the block runs."""
        asyncio._set_running_loop(self.loop)
        try:
            yield self.browser
        finally:
            asyncio._set_running_loop(None)


@contextmanager
def started() -> Iterator[Browsing]:
    """A browser without a window, until the block ends."""
    place = find_chromium()
    expect.set_options(timeout=WAIT)
    playwright = sync_playwright().start()
    loop = asyncio.get_running_loop()  # what the start leaves behind
    try:
        browsing = Browsing(playwright.chromium.launch(executable_path=place, args=ARGUMENTS), loop)
        asyncio._set_running_loop(None)
        yield browsing
        asyncio._set_running_loop(loop)
        browsing.browser.close()
    finally:
        asyncio._set_running_loop(loop)
        playwright.stop()
        asyncio._set_running_loop(None)


@contextmanager
def pages_served(place: Path | str, fill: Fill | None = None, **settings: Any) -> Iterator[tuple[str, Memory]]:
    """The service with its pages over a memory that `fill` filled: its address and the memory."""
    told = {"embedder": None, "summarize": "inline", **settings.pop("memory", {})}
    serving = Serving(db=str(place), memory=told, **settings)
    memory = serving.open()
    try:
        if fill is not None:
            fill(memory)
        app = create_app(memory, serving)
    except BaseException:
        memory.close()
        raise
    config = uvicorn.Config(app, port=0, log_config=None, access_log=False, lifespan="on", log_level="error")
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive(), "the service did not start"
        sleep(0.005)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}", memory
    finally:
        server.should_exit = True
        thread.join()


@dataclass  # without slots: the browser keeps what it needs of listeners in the object
class Looker:
    """Opens pages for one test. The first call starts the server; later ones look at it with a fresh profile each."""

    browser: Browser
    place: Path
    confirms: bool = True  # the answer to questions such as "Forget this?"
    url: str = ""  # of the server
    _memory: Memory | None = None
    _problems: list[str] = field(default_factory=list)
    _allowed: list[str] = field(default_factory=list)
    _open: ExitStack = field(default_factory=ExitStack)

    def __call__(
        self,
        fill: Fill | None = None,
        *,
        phone: bool = False,
        dark: bool = False,
        javascript: bool = True,
        **settings: Any,
    ) -> Page:
        """A page, empty as yet: `page.goto("/ui/")`. Further settings are those of `Serving`."""
        if self._memory is None:
            self.url, self._memory = self._open.enter_context(pages_served(self.place, fill, **settings))
        elif fill is not None:
            fill(self._memory)
        context = self.browser.new_context(
            base_url=self.url,
            viewport={"width": 390, "height": 844} if phone else {"width": 1280, "height": 860},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            has_touch=phone,
            reduced_motion="reduce",
            locale="en-GB",
            timezone_id="UTC",
        )
        self._open.callback(context.close)
        context.set_default_timeout(WAIT)
        self._watch(context)
        return context.new_page()

    @property
    def memory(self) -> Memory:
        """The memory that is served."""
        assert self._memory is not None, "no page was opened yet"
        return self._memory

    def allow(self, words: str) -> None:
        """Problems with these words are what the test is about."""
        self._allowed.append(words)

    def problems(self) -> list[str]:
        """What a person should not have met so far."""
        return [one for one in self._problems if not any(words in one for words in self._allowed)]

    def close(self) -> None:
        """Close all pages and the server."""
        self._open.close()

    def _watch(self, context: BrowserContext) -> None:
        context.on("console", self._heard)
        context.on("weberror", lambda error: self._problems.append(f"error in a script: {error.error}"))
        context.on("request", self._asked)
        context.on("dialog", self._answer)

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._problems.append(f"console: {message.text} ({message.location.get('url', '')})")

    def _asked(self, request: Request) -> None:
        if not request.url.startswith((f"{self.url}/", "data:", "blob:", "about:")):
            self._problems.append(f"a request left the server: {request.url}")

    def _answer(self, dialog: Dialog) -> None:
        if dialog.type not in ("confirm", "beforeunload"):
            self._problems.append(f"{dialog.type}: {dialog.message}")
        with suppress(Exception):  # the page may be gone by now
            dialog.accept() if self.confirms else dialog.dismiss()
