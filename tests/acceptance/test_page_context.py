"""What the model sees: the prompt on the page is the one that is sent, line by line, with its reasons."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from threading import current_thread
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from browser_tools import Looker
from service_tools import Served, key_of, serving
from starlette.testclient import TestClient

from onrecord import Memory, Session
from onrecord.profiles import PROFILES
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

PAGE = {"Accept": "text/html"}
ASKED = "What must the doctor know?"


def _filled(memory: Memory) -> Session:
    chat = memory.session("trip")
    chat.update(system="You plan journeys.")
    chat.add("user", "I'm allergic to penicillin, and I live in Berlin.", name="Ana")
    turns = (f"Stop {n}: the tram to museum {n} costs {n} euros.\n\n  Indented line." for n in range(120))
    chat.add_many([("assistant" if n % 2 else "user", text) for n, text in enumerate(turns)])
    chat.pin("Window seats only", importance=0.9)
    chat.add("user", ASKED)
    chat.flush()
    return chat


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "memory.db") as served:
        _filled(served.memory)
        yield served


class _Said(HTMLParser):
    """The texts of the messages on the page, as a browser reads them."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.texts: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self._depth:
            self._depth += 1
        elif ("class", "said") in attrs:
            self._depth = 1
            self.texts.append("")

    def handle_endtag(self, tag: str) -> None:
        self._depth -= bool(self._depth)

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.texts[-1] += data


def _page(service: Served, session: str = "trip", **query: Any) -> str:
    answer = service.call("GET", f"/ui/context/{quote(session, safe='')}?{urlencode(query)}", headers=PAGE)
    assert answer.status_code == 200, answer.text
    return answer.text


def _said(page: str) -> list[str]:
    parser = _Said()
    parser.feed(page)
    return parser.texts


def _prompt(service: Served, **asked: Any) -> Any:
    return service.ok("POST", "/v1/sessions/trip/context", asked)["prompt"]


@pytest.mark.parametrize(
    "asked",
    [
        {},
        {"question": "Which museum has a tram?", "tokens": 700},
        {"tokens": 500, "before": 60},
        {"tokens": 800, "profile": "hybrid"},
        {"profile": "tiered"},
    ],
)
def test_the_prompt_on_the_page_is_the_one_that_is_sent(service: Served, asked: dict[str, Any]) -> None:
    page = _page(service, **asked)
    assert _said(page) == [message["content"] for message in _prompt(service, **asked)]


def test_the_twin_is_what_explain_answers(service: Served) -> None:
    for asked in (
        {},
        {"question": "Which museum?", "tokens": 900, "profile": "rolling"},
        {"before": 80, "tokens": 400},
    ):
        wanted = service.ok("POST", "/v1/sessions/trip/explain", asked)
        wanted = service.ok("POST", "/v1/sessions/trip/explain", asked)  # now nothing changed since the last one
        assert service.ok("GET", f"/ui/context/trip?{urlencode({**asked, 'format': 'json'})}") == wanted


def test_every_line_leads_to_where_it_comes_from(service: Served) -> None:
    page = _page(service, tokens=900)
    assert 'class="piece p-pins' in page
    assert 'class="piece p-summaries' in page
    assert 'href="/ui/sessions/trip?at=1"' in page  # what Ana is allergic to
    assert 'aria-label="question from message 122"' in page


def test_both_formats_can_be_copied(service: Served) -> None:
    page = _page(service, tokens=900)
    for name in ("openai", "anthropic"):
        found = re.search(rf'<pre class="json" id="{name}1" tabindex="0">(.*?)</pre>', page, re.DOTALL)
        assert found is not None
        assert json.loads(unescape(found[1])) == _prompt(service, tokens=900, format=name)
        assert f'data-copy="{name}1"' in page


def test_what_is_unchanged_since_the_last_turn_is_said_and_marked(service: Served) -> None:
    page = _page(service, tokens=900)
    share = re.search(r"Unchanged since the last turn: <strong>(\d+) %", page)
    assert share is not None
    assert 0 < int(share[1]) < 100
    assert page.count(f'data-says="unchanged since the last turn: {share[1]} %"') == 1
    assert page.index(" same") < page.index('class="piece p-question')
    assert "This is the first prompt." in _page(service, before=2)


def test_past_questions_can_be_chosen_and_stepped_through(service: Served) -> None:
    page = _page(service)
    assert '<option value="123">message 122: What must the doctor know?</option>' in page
    assert 'rel="prev" href="/ui/context/trip?before=121"' in page
    past = _page(service, before=121)
    assert "The prompt for" in past
    assert 'href="/ui/sessions/trip?at=120"' in past
    assert 'rel="next" href="/ui/context/trip?before=123"' in past
    assert _said(past)[-1].startswith("Stop 118:")


def test_a_manifest_says_why_and_can_be_filtered(service: Served) -> None:
    told = service.ok("POST", "/v1/sessions/trip/explain", {"tokens": 400})["manifest"]
    out = [one for one in told if not one["included"]]
    assert out
    for show, wanted in (("in", len(told) - len(out)), ("out", len(out)), ("", len(told))):
        rows = _manifest(_page(service, tokens=400, show=show))
        assert rows.count("<tr") == wanted
        assert rows.count("– out") == (0 if show == "in" else len(out))
    pins = _manifest(_page(service, tokens=400, section="pins"))
    assert pins.count("<tr") == sum(one["section"] == "pins" for one in told)
    assert "Window seats only" in pins


def _manifest(page: str) -> str:
    return page.partition('<table class="why">')[2].partition("<tbody>")[2].partition("</tbody>")[0]


def test_two_prompts_stand_side_by_side_with_their_differences(service: Served) -> None:
    page = _page(service, tokens=900, with_profile="hybrid", with_tokens=600)
    here = service.memory.session("trip")
    one, other = here.context(tokens=900), here.context(tokens=600, profile="hybrid")
    texts = [message["content"] for context in (one, other) for message in context.messages()]
    assert _said(page) == texts
    told = one.diff(other)
    assert told
    mine, theirs = (sum(line.startswith(sign) for line in told) for sign in "+-")
    assert f"Only here, not in hybrid within 600: {mine}<" in page
    assert f"Only here, not in balanced within 900: {theirs}<" in page
    budgets = _page(service, tokens=900, with_tokens=300)
    assert "Only here, not in balanced within 300" in budgets


def test_summaries_of_another_profile_are_made_by_a_button(service: Served) -> None:
    path = "/ui/context/trip?profile=hybrid&tokens=500"
    page = service.call("GET", path, headers=PAGE).text
    assert "nor summarised yet: make the summaries" in page
    assert "Make the summaries of hybrid" in page
    action = "/ui/context/trip/summarize?profile=hybrid&tokens=500"
    answer = service.call("POST", action, data={"profile": "hybrid"})
    assert (answer.status_code, answer.headers["location"]) == (303, "/ui/context/trip?profile=hybrid&tokens=500")
    assert "Make the summaries" not in service.call("GET", path, headers=PAGE).text
    plan = PROFILES["hybrid"].strategy.plan
    assert any(one.plan == plan for one in service.memory.session("trip").summaries(plan="all"))


def test_whoever_may_only_read_has_no_button(service: Served, tmp_path: Path) -> None:
    reader, writer = (key_of(tmp_path / "memory.db", *scopes) for scopes in (("read",), ("read", "write")))
    path = "/ui/context/trip?profile=hybrid&tokens=500"
    assert "Make the summaries" in service.call("GET", path, key=writer, headers=PAGE).text
    assert "Make the summaries" not in service.call("GET", path, key=reader, headers=PAGE).text
    assert service.call("POST", "/ui/context/trip/summarize", key=reader, data={}).status_code == 403


def test_what_was_said_is_never_run(service: Served) -> None:
    name, text = "a/b <i>?", '</div><script>alert(1)</script>&lt; " \u202e olleh'
    service.memory.session(name).add("user", text)
    page = _page(service, name)
    assert "<script>alert" not in page
    assert _said(page)[-1].endswith(text)
    assert 'href="/ui/sessions/a%2Fb%20%3Ci%3E%3F?at=1"' in page
    assert _said(_page(service, name, question=text + "!"))[-1].endswith(text + "!")


def test_a_conversation_that_is_not_there_says_what_to_do(service: Served) -> None:
    assert "There is no prompt yet." in _page(service, "nobody")
    assert _said(_page(service, "nobody", question="Hello?", space="empty")) == ["Hello?"]


@pytest.mark.parametrize(
    "query", ["tokens=many", "tokens=0", "before=-1", "profile=best", "known_at=soon", "before=9e9"]
)
def test_what_makes_no_sense_is_told_in_words(service: Served, query: str) -> None:
    answer = service.call("GET", f"/ui/context/trip?{query}", headers=PAGE)
    assert answer.status_code == 422
    assert query.partition("=")[0] in answer.text


@pytest.mark.parametrize("query", ["tokens=200001", "tokens=10000000", "tokens=900&with_tokens=200001"])
def test_a_budget_beyond_what_a_page_shows_is_refused(service: Served, query: str) -> None:
    answer = service.call("GET", f"/ui/context/trip?{query}", headers=PAGE)
    assert answer.status_code == 422
    assert "200,000 at most" in answer.text
    assert _said(_page(service, tokens=200_000))


@pytest.mark.parametrize("path", ["/ui/context/trip", "/ui/recall?q=tram"])
def test_only_a_few_long_pages_are_made_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    told = Serving(db=str(tmp_path / "memory.db"), memory={"embedder": None})
    app = create_app(told.open(), told)
    busy: list[str] = []

    def noted(work: Callable[..., Any]) -> Callable[..., Any]:
        def run(memory: Memory, asked: str, **more: Any) -> Any:
            busy.append(current_thread().name)
            return work(memory, asked, **more)

        return run

    monkeypatch.setattr(Memory, "session", noted(Memory.session))
    monkeypatch.setattr(Memory, "search", noted(Memory.search))
    with TestClient(app, base_url="http://127.0.0.1") as client:
        assert client.get(path, headers=PAGE).status_code == 200
    assert busy[0].startswith("onrecord-long")


def test_another_space_stays_another_space(service: Served) -> None:
    service.memory.space("ana").session("trip").add("user", "Mine alone.")
    page = _page(service, space="ana")
    assert _said(page) == ["Mine alone."]
    assert 'name="space" value="ana"' in page
    assert 'href="/ui/sessions/trip?space=ana&amp;at=1"' in page


def test_a_browser_reads_the_exact_text_and_shows_it_on_a_phone(browser_page: Looker) -> None:
    page = browser_page(_filled)
    page.goto("/ui/context/trip?tokens=900")
    wanted = [message["content"] for message in browser_page.memory.session("trip").context(tokens=900).messages()]
    assert page.locator(".said").evaluate_all("all => all.map(one => one.textContent)") == wanted
    page.get_by_label("Question", exact=True).fill("Which museum?")
    page.get_by_label("Question", exact=True).press("Enter")
    page.wait_for_url("**/ui/context/trip?question=Which+museum%3F&tokens=900")
    small = browser_page(phone=True, dark=True)
    small.goto("/ui/context/trip?tokens=900&with_profile=hybrid")
    assert small.evaluate("document.documentElement.scrollWidth") <= 390


def test_looking_changes_nothing_of_the_next_prompt(service: Served) -> None:
    chat = service.memory.session("trip")
    chat.context(tokens=900)
    _page(service, tokens=900)
    assert chat.context(tokens=900).stable == 1


def test_an_earlier_turn_can_be_looked_at_with_what_was_known_then(service: Served) -> None:
    chat = service.memory.session("then")
    chat.add("user", "I live in Berlin.", time="2026-01-01T10:00:00Z")
    chat.add("user", "Where do I live?", time="2026-01-02T10:00:00Z")
    chat.add("user", "I live in Lisbon now.", time="2026-03-01T10:00:00Z")
    today = service.call("GET", "/ui/context/then?before=3").text
    assert "With what is known today." in today
    then = service.call("GET", "/ui/context/then?before=3&known_at=2026-01-02T10:00:00%2B00:00").text
    twin = service.call("GET", "/ui/context/then?before=3&known_at=2026-01-02T10:00:00%2B00:00&format=json").text
    assert "Lisbon now" not in twin
    assert "With what is known today." not in then
