"""The page of searches: what is found, why, and what another weight would do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from browser_tools import Looker
from hypothesis import given
from hypothesis import strategies as st
from relevance_tools import likely
from service_tools import Served, serving

from onrecord import Memory
from onrecord.policy.brevity import CONFIDENT
from onrecord.policy.lexemes import lexemes
from onrecord.ui.pages.recall_page import marked

PAGE = {"Accept": "text/html"}
ASKED = "Which pottery class was it in June?"


TWINS: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"q": ASKED}, {"text": ASKED}),
    (
        {"q": ASKED, "w.time": "0", "w.near": 2.5, "limit": 3},
        {"text": ASKED, "weights": {"time": 0, "near": 2.5}, "limit": 3},
    ),
    (
        {"q": "pottery", "kinds": ["message", "pin"], "session": "friends"},
        {"text": "pottery", "kinds": ["message", "pin"], "sessions": ["friends"]},
    ),
    (
        {"q": "pottery", "since": "2026-06-01", "until": "2026-06-30"},
        {"text": "pottery", "since": "2026-06-01", "until": "2026-06-30"},
    ),
]
"""Questions to the page, and the same ones to the API."""


def _filled(memory: Memory) -> None:
    said = [
        ("2026-05-02", "Caroline", "I signed up for a pottery class at last!"),
        ("2026-05-02", "Melanie", "Lovely. Is it the class by the river?"),
        ("2026-05-09", "Caroline", "Yes. My first bowl broke in the kiln."),
        ("2026-06-20", "Melanie", "I went to a pottery class too, and we painted our own bowls."),
        ("2026-06-20", "Caroline", "Wonderful! Show me a picture."),
    ]
    chat = memory.session("friends")
    chat.add_many({"role": "user", "name": name, "text": text, "time": day} for day, name, text in said)
    memory.session("work").add("user", "The pottery supplier wants 300 euros.", time="2026-07-01")


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "memory.db") as served:
        _filled(served.memory)
        yield served


def _page(service: Served, **query: Any) -> str:
    answer = service.call("GET", f"/ui/recall?{urlencode(query, doseq=True)}", headers=PAGE)
    assert answer.status_code == 200, answer.text
    return answer.text


def _places(page: str) -> list[str]:
    """Where each hit was said, in order."""
    return re.findall(r'<a href="/ui/sessions/(\w+\?at=\d+)">', page)


def test_hits_come_in_order_with_the_words_marked_and_the_parts_of_their_score(service: Served) -> None:
    page = _page(service, q=ASKED)
    hits = service.memory.search(ASKED)
    assert _places(page) == [f"{hit.session}?at={hit.seq}" for hit in hits]
    assert "I went to a <mark>pottery</mark> <mark>class</mark> too" in page
    first = page.partition('<li class="hit">')[2].partition("</li>\n  <li")[0]
    for name, value in hits[0].parts.items():
        assert (f"{name} <b>{value:+.2f}</b>" in first) is bool(round(value, 2))  # what adds nothing is not told
    for stage in hits.stages:
        assert f"<b>{stage.name}</b>" in page
    assert "2026-06-01 to 2026-07-01" in page


def test_the_twin_is_what_the_api_answers(service: Served) -> None:
    for query, body in TWINS:
        told = service.ok("GET", f"/ui/recall?{urlencode({**query, 'format': 'json'}, doseq=True)}")
        assert told == service.ok("POST", "/v1/search", body)


def test_another_weight_changes_the_order_and_says_by_how_much(service: Served) -> None:
    usual = _page(service, q=ASKED)
    assert "↑" not in usual
    assert 'name="w.time"' in usual
    page = _page(service, q=ASKED, **{"w.time": 0})
    assert _places(usual)[0] == "friends?at=4"
    assert _places(page)[0] == "friends?at=1"
    before = _places(usual).index("friends?at=1")
    assert f"↑{before}</b>" in page.partition('<li class="hit">')[2].partition("</li>")[0]
    assert "↓" in page
    assert f'href="/ui/recall?{urlencode({"q": ASKED})}" data-reset' in page  # back to the usual ones


def test_where_there_are_no_vectors_the_usual_weights_are_those_without(service: Served) -> None:
    page = _page(service, q=ASKED)
    sliders = dict(re.findall(r'name="w\.(\w+)"[^>]*data-usual="([\d.]+)"', page))
    assert sliders["words"] == "1.4"
    assert sliders["near"] == "4.3"
    assert 'class="weight silent" data-signal="meaning"' in page
    assert 'class="weight" data-signal="time"' in page


def test_a_part_is_what_was_found_and_nothing_else(service: Served) -> None:
    part = _page(service, q=ASKED, part="found")
    assert "<html" not in part
    assert "<form" not in part
    assert _places(part) == _places(_page(service, q=ASKED))


def test_filters_let_only_some_through(service: Served) -> None:
    page = _page(service, q="pottery", session="work")
    assert _places(page) == ["work?at=1"]
    assert 'value="work"' in page
    assert "The filters may be too narrow" in _page(service, q="pottery", since="2027-01-01")
    assert len(_places(_page(service, q="pottery", limit=2))) == 2


def test_without_a_question_it_says_what_can_be_asked(service: Served, tmp_path: Path) -> None:
    page = _page(service)
    assert "Search everything that was said." in page
    assert f'href="/ui/recall?{urlencode({"q": "The pottery supplier wants 300 euros."})}"' in page
    with serving(tmp_path / "empty.db") as empty:
        assert "There are no messages in this space yet." in _page(empty)
        assert "There is nothing in this space yet." in _page(empty, q="hello")


def test_what_was_said_is_never_run(service: Served) -> None:
    service.memory.session('<img src="x">/2').add("user", "<script>alert('kiln')</script> & kiln")
    page = _page(service, q="<script>kiln")
    assert "<script>alert" not in page
    assert "<script>kiln" not in page
    assert "&lt;<mark>script</mark>&gt;alert(&#39;<mark>kiln</mark>&#39;)" in page
    assert 'href="/ui/sessions/%3Cimg%20src%3D%22x%22%3E%2F2?at=1"' in page


@pytest.mark.parametrize(
    "query", ["w.time=much", "w.luck=1", "w.time=nan", "limit=ten", "kinds=rumour", "since=someday"]
)
def test_what_makes_no_sense_is_told_in_words(service: Served, query: str) -> None:
    answer = service.call("GET", f"/ui/recall?q=pottery&{query}", headers=PAGE)
    assert answer.status_code == 422
    assert "<html" in answer.text


@given(st.text(alphabet="tram Trams,.'7日本語 \n", max_size=60))
def test_marked_words_are_pieces_of_the_text(text: str) -> None:
    pieces = marked(text, frozenset(lexemes("the tram in 日本")))
    assert "".join(piece for _, piece in pieces) == text
    assert all(piece for _, piece in pieces)
    assert all(one[0] != other[0] for one, other in pairwise(pieces))


class Whole(str):
    """A text that cannot be made longer bit by bit."""

    __slots__ = ()

    def __add__(self, other: str) -> str:
        raise AssertionError("what was put together before is copied again for every piece")


def test_long_texts_are_not_copied_for_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.ui.pages.recall_page._matches", lambda run, words: [(False, Whole(run))])
    assert marked("one two three", frozenset()) == [(False, "one two three")]
    letters = [(False, Whole("o")), (False, Whole("n"))]
    monkeypatch.setattr("onrecord.ui.pages.recall_page._matches", lambda run, words: letters)
    assert marked("on", frozenset()) == [(False, "on")]


def _bars(page: str) -> list[float]:
    """How far the bar of each hit reaches, of a thousand."""
    drawn = re.findall(r'<svg class="sum".*?</svg>', page, re.S)
    return [max((float(x) + float(wide) for x, wide in re.findall(_SEGMENT, one)), default=0.0) for one in drawn]


_SEGMENT = r'<rect class="g-\w+" x="([\d.]+)" width="([\d.]+)"'


def test_a_bar_is_as_long_as_the_hit_is_likely(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    likely(monkeypatch, 0.9, [0.82, 0.4, 0.004])
    page = _page(service, q=ASKED)
    assert _bars(page) == pytest.approx([820, 400, 4], abs=0.05)
    assert re.findall(r"<strong[^>]*>(.*?)</strong>", page) == ["82 %", "40 %", "0.4 %"]
    assert 'aria-label="Probability 82 %, score ' in page
    assert "No relevant hit" not in page


def test_nonsense_looks_like_nonsense(service: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    likely(monkeypatch, CONFIDENT - 0.01, [0.03, 0.01])
    page = _page(service, q="Which submarine?", part="found")
    assert max(_bars(page)) <= 30.05
    assert "No relevant hit.</b> These are only the nearest: 34 % that the answer is among them." in page
    likely(monkeypatch, CONFIDENT, [0.2])
    assert "No relevant hit" not in _page(service, q="Which submarine?")


def test_without_probabilities_the_best_score_is_the_longest_bar(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    likely(monkeypatch, None, [None, None])
    page = _page(service, q=ASKED)
    assert max(_bars(page)) == pytest.approx(1000, abs=0.05)
    scores = [f"{hit.score:.2f}" for hit in service.memory.search(ASKED)]
    assert re.findall(r"<strong[^>]*>(.*?)</strong>", page) == scores
    assert "Probability" not in page


def test_the_tiered_profile_has_its_own_signals(tmp_path: Path) -> None:
    with serving(tmp_path / "tiered.db", memory={"profile": "tiered"}) as served:
        _filled(served.memory)
        page = _page(served, q="pottery class")
        assert dict(re.findall(r'name="w\.(\w+)"[^>]*data-usual="([\d.]+)"', page))["semantic"] == "0.4"
        assert "semantic <b>" in page


def test_moving_a_slider_changes_the_list_in_place(browser_page: Looker) -> None:
    page = browser_page(_filled)
    page.goto(f"/ui/recall?{urlencode({'q': ASKED})}")
    first = page.locator(".hit").first
    assert "painted" in first.inner_text()
    slider = page.get_by_label("time said when the question names")
    slider.focus()
    page.evaluate("window.stayed = true")
    slider.press("Home")
    page.locator(".hit .up").first.wait_for()
    assert "signed up" in first.inner_text()
    assert "w.time=0.00" in page.url
    assert page.evaluate("document.activeElement.name") == "w.time"
    assert page.evaluate("window.stayed")
    page.get_by_role("link", name="Reset").click()
    page.locator(".hit .up").first.wait_for(state="detached")
    assert "w." not in page.url
    assert page.evaluate("window.stayed")


def test_without_scripts_a_form_does_it_and_a_phone_shows_it(browser_page: Looker) -> None:
    page = browser_page(_filled, javascript=False, phone=True)
    page.goto("/ui/recall")
    page.get_by_label("What to find").fill("pottery")
    page.get_by_role("button", name="Find", exact=True).click()
    page.locator(".hit").first.wait_for()
    assert "q=pottery" in page.url
    page.get_by_role("button", name="Find with these weights").click()
    page.locator(".hit").first.wait_for()
    assert "w.words=1.4" in page.url
    assert page.locator(".hit .up").count() == 0
    small = browser_page(phone=True)
    small.goto(f"/ui/recall?{urlencode({'q': 'x' * 300 + ' pottery'})}")
    assert small.evaluate("document.documentElement.scrollWidth") <= 390
