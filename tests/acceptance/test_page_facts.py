"""The pages of facts, relations, episodes and stories: what they show, what they do, and who may do it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from fact_page_tools import BEGIN, SAID, fill, known
from service_tools import key_of
from starlette.testclient import TestClient

from onrecord import Memory
from onrecord.service.service_settings import Serving
from onrecord.ui.site import create_app

HOSTILE = "<script>alert(1)</script>"


@contextmanager
def looking(place: Path, key: str | None = None, filled: bool = True) -> Iterator[tuple[TestClient, Memory]]:
    serving = Serving(db=str(place), memory={"embedder": None, "summarize": "inline"})
    memory = serving.open()
    if filled:
        fill(memory)
    headers = {"Accept": "text/html"} | ({"Authorization": f"Bearer {key}"} if key else {})
    with TestClient(create_app(memory, serving), base_url="http://127.0.0.1", headers=headers) as client:
        yield client, memory


@pytest.fixture
def seen(tmp_path: Path) -> Iterator[tuple[TestClient, Memory]]:
    with looking(tmp_path / "memory.db") as both:
        yield both


def page(client: TestClient, path: str, **query: str) -> str:
    answer = client.get(f"/ui/{path}", params=query)
    assert answer.status_code == 200, answer.text
    return answer.text


def words(html: str) -> str:
    """What a page says, without its marks."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def listed(html: str) -> list[str]:
    found = re.findall(r'<a class="text"[^>]*>(.*?)</a>', html, re.S)
    return [words(one) for one in found]


def act(client: TestClient, path: str, **fields: Any) -> str:
    """Send a form; answers where it leads."""
    answer = client.post(f"/ui/{path}", data=fields, follow_redirects=False)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


# The list


def test_what_holds_is_listed_the_newest_first(seen: tuple[TestClient, Memory]) -> None:
    client, _ = seen
    html = page(client, "facts")
    assert listed(html) == ["I moved to Lisbon.", SAID[20], SAID[10]]
    assert "every kind 3" in words(html)
    assert 'href="/ui/sessions/trip%2F1?at=7"' in html


def test_facts_are_narrowed_by_kind_status_words_subject_and_session(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    memory.add_fact("Ines likes tea.", subject="Ines", attribute="drink", value="tea")
    assert listed(page(client, "facts", kind="decision")) == [SAID[20]]
    assert listed(page(client, "facts", status="pending")) == [SAID[50]]
    assert listed(page(client, "facts", q="LISBON home")) == [SAID[40]]
    assert listed(page(client, "facts", subject="ines")) == ["Ines likes tea."]
    assert listed(page(client, "facts", session="facts")) == ["Ines likes tea."]
    assert "No fact matches." in page(client, "facts", q="nowhere")
    narrowed = words(page(client, "facts", kind="decision", status="all"))
    assert "pending 1" in narrowed
    assert "any status 2" in narrowed


def test_what_was_replaced_is_struck_through_and_says_by_what(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    html = page(client, "facts", status="superseded")
    assert "<del>I live in Berlin.</del>" in html
    assert f'superseded by <a href="/ui/facts/{known(memory, "I moved").id}"' in html


def test_a_moment_shows_what_was_true_then(seen: tuple[TestClient, Memory]) -> None:
    client, _ = seen
    html = page(client, "facts", as_of="2026-01-20")
    assert listed(html) == [SAID[10], SAID[0]]
    assert "What was true at 20 Jan 2026, 00:00 UTC" in words(html)
    assert 'value="2026-01-20"' in html
    assert 'data-first="2026-01-05"' in html


def test_many_facts_come_page_by_page(tmp_path: Path) -> None:
    with looking(tmp_path / "memory.db", filled=False) as (client, memory):
        rows = [
            {"role": "user", "name": f"P{at}", "text": "I live in Porto.", "time": BEGIN + timedelta(minutes=at)}
            for at in range(230)
        ]
        memory.session("big").add_many(rows)
        pages, address = [], "/ui/facts"
        while address:
            html = client.get(address).text
            pages.append(re.findall(r"by (P\d+),", html))
            more = re.search(r'href="([^"]+)">Older facts', html)
            address = unescape(more[1]) if more else ""
        assert [len(one) for one in pages] == [50, 50, 50, 50, 30]
        assert [name for one in pages for name in one] == [f"P{at}" for at in reversed(range(230))]


def test_a_space_without_facts_says_so(tmp_path: Path) -> None:
    with looking(tmp_path / "memory.db", filled=False) as (client, _):
        assert "There are no facts yet." in page(client, "facts")
        assert "No relations match." in page(client, "facts/graph")
        assert "No episodes yet." in page(client, "episodes")
        assert "Story" in page(client, "episodes", session="none")


@pytest.mark.parametrize(
    ("path", "query"), [("facts", "kind=poem"), ("facts", "as_of=sometime"), ("facts/graph", "type=loves")]
)
def test_a_question_that_means_nothing_is_a_page_of_its_own(
    seen: tuple[TestClient, Memory], path: str, query: str
) -> None:
    answer = seen[0].get(f"/ui/{path}?{query}")
    assert answer.status_code in (400, 422)
    assert "<html" in answer.text


# Twins


def test_twins_are_what_the_api_answers(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    fact = known(memory, "I live").id
    for path, query, route in [
        ("facts", "", "/v1/facts"),
        ("facts", "kind=&status=all&as_of=2026-01-20", "/v1/facts?status=all&as_of=2026-01-20"),
        ("facts", "kind=decision&session=trip%2F1", "/v1/facts?kind=decision&session=trip%2F1"),
        (f"facts/{fact}", "", f"/v1/facts/{fact}"),
        ("facts/graph", "type=supersedes", "/v1/relations?type=supersedes"),
        ("episodes", "kind=pivot", "/v1/episodes?kind=pivot"),
        ("episodes", "status=all", "/v1/episodes?status=all"),
    ]:
        twin, answer = client.get(f"/ui/{path}?{query}&format=json"), client.get(route)
        assert answer.status_code == 200
        assert twin.json() == answer.json(), path


def test_a_twin_with_words_has_only_what_says_them(seen: tuple[TestClient, Memory]) -> None:
    found = seen[0].get("/ui/facts?q=lisbon&format=json").json()
    assert [one["text"] for one in found["items"]] == [SAID[40]]


# One fact


def test_a_fact_is_shown_with_evidence_and_its_line_through_time(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    old, new = known(memory, "I live"), known(memory, "I moved")
    html = page(client, f"facts/{old.id}")
    said = words(html)
    assert "A newer fact superseded it." in said
    assert "superseded · 5 Jan 2026 – 14 Feb 2026" in said
    assert re.search(r'<article class="message user".*?<div class="text"[^>]*>I live in Berlin.</div>', html, re.S)
    assert html.count('class="life"') == 2
    assert html.count(f'href="/ui/facts/{new.id}"') >= 3  # its bar, its box, and the list of relations
    assert "supersedes" in said


def test_deciding_about_a_fact(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    unsure, new = known(memory, "I think").id, known(memory, "I moved").id
    assert act(client, f"facts/{unsure}/promote") == f"/ui/facts/{unsure}"
    assert memory.fact(unsure).status == "active"
    act(client, f"facts/{new}/reject")
    assert memory.fact(new).status == "rejected"
    assert known(memory, "I live").status == "active"
    act(client, f"facts/{new}/restore")
    act(client, f"facts/{unsure}/archive")
    assert (memory.fact(new).status, memory.fact(unsure).status) == ("active", "archived")
    assert "Restore" in page(client, f"facts/{unsure}")


def fields_of(html: str) -> dict[str, str]:
    """The fields of the form that corrects a fact, as they were sent to the browser."""
    form = html[html.index("/edit") :]
    found = dict(re.findall(r'<input name="(\w+)"[^>]*? value="([^"]*)"', form))
    text = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", form, re.S)  # as browsers read it
    kind = re.search(r"<option selected>(\w+)", form)
    assert text is not None
    assert kind is not None
    return {name: unescape(value) for name, value in found.items()} | {"text": unescape(text[1]), "kind": kind[1]}


def test_only_what_differs_is_corrected(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    id = known(memory, "We decided").id
    fields = fields_of(page(client, f"facts/{id}"))
    before = memory.fact(id)
    act(client, f"facts/{id}/edit", **fields)
    assert memory.fact(id) == before
    act(client, f"facts/{id}/edit", **fields | {"value": "SQLite 3", "importance": "0.95", "tags": "work, base"})
    after = memory.fact(id)
    assert (after.value, after.importance, after.tags) == ("SQLite 3", 0.95, ("work", "base"))
    assert (after.text, after.valid_from, after.confidence) == (before.text, before.valid_from, before.confidence)
    assert after.history[-1]["status"] == "edited"
    act(client, f"facts/{id}/edit", **fields_of(page(client, f"facts/{id}")) | {"valid_until": "2026-03-01T00:00:00"})
    assert memory.fact(id).valid_until == datetime(2026, 3, 1, tzinfo=UTC)


def test_a_fact_is_told_by_hand_and_replaces_what_was_known(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    where = act(
        client, "facts", text="I live in Rome.", kind="fact", subject="user", attribute="home", value="Rome", tags=""
    )
    made = memory.fact(where.rpartition("/")[2])
    assert (made.method, made.value, made.status) == ("hand", "Rome", "active")
    assert known(memory, "I moved").superseded_by == made.id
    assert "it was added by hand" in words(page(client, where.removeprefix("/ui/")))
    empty = client.post("/ui/facts", data={"text": "  "})
    assert empty.status_code in (400, 422)
    assert "empty" in words(empty.text)


def test_forgetting_a_fact_says_what_went(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    id = known(memory, "I'm allergic").id
    where = act(client, f"facts/{id}/forget")
    told = words(client.get(where).text)
    assert "Forgotten: 1 record erased for good" in told
    assert client.get(f"/ui/facts/{id}").status_code == 404
    assert not [fact for fact in memory.facts(status=None) if "penicillin" in fact.text]
    assert "penicillin" in [*memory.session("trip/1").history()][2].text


def test_relations_are_made_and_taken_back(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    backup, base = memory.add_fact("We copy the file every night."), known(memory, "We decided")
    act(client, f"facts/{backup.id}/relate", type="depends_on", target=base.id)
    (relation,) = memory.relations(backup.id)
    html = page(client, f"facts/{backup.id}")
    assert f'value="{relation.id}"' in html
    memory.reject_fact(base.id)
    assert "It depends on a fact that is no longer valid." in page(client, f"facts/{backup.id}")
    assert listed(page(client, "facts", status="suspect")) == [backup.text]
    act(client, f"facts/{backup.id}/unrelate", relation=relation.id)
    assert memory.relations(backup.id) == []
    assert "No relations." in page(client, f"facts/{backup.id}")


# Relations as a drawing


def test_relations_are_drawn_and_listed(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    memory.relate(known(memory, "We decided").id, "related_to", known(memory, "I'm allergic").id)
    html = page(client, "facts/graph")
    said = words(html)
    assert "I moved to Lisbon. supersedes I live in Berlin." in said
    assert "We decided to use SQLite for the journal. related to I'm allergic to penicillin." in said
    assert "The visa came tells of" in said
    assert html.count('class="box ') == len({*re.findall(r'class="box .*?aria-label="([^"]+)"', html)})
    alone = page(client, "facts/graph", type="supersedes")
    assert alone.count('class="box ') == 2
    assert "tells of" not in words(page(client, "facts/graph", episodes="no"))
    assert "No relations match." in page(client, "facts/graph", as_of="2026-01-20", type="supersedes")


def test_of_many_relations_the_most_important_are_drawn(tmp_path: Path) -> None:
    with looking(tmp_path / "memory.db", filled=False) as (client, memory):
        for name in range(60):
            for place in ("Porto", "Rome"):
                memory.session("big").add("user", f"I live in {place}.", name=f"Person{name}")
        html = page(client, "facts/graph")
        assert html.count('class="box ') == 80
        assert "the most important; 40 others are left out" in words(html)


# Episodes and stories


def test_episodes_are_listed_in_order_and_taken_out_of_use(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    visa = next(one for one in memory.episodes() if one.title == "The visa came")
    said = words(page(client, "episodes", session="trip/1"))
    assert said.index("A quiet week") < said.index("The visa came")
    assert "trip/1 #5–8" in said
    assert "Outcome: We can fly." in said
    assert "A quiet week" not in page(client, "episodes", kind="breakthrough")
    act(client, f"episodes/{visa.id}/archive", session="trip/1")
    assert "The visa came" not in page(client, "episodes")
    assert "The visa came" in page(client, "episodes", status="archived")
    act(client, f"episodes/{visa.id}/restore")
    assert "The visa came" in page(client, "episodes")


def test_the_story_of_a_conversation(seen: tuple[TestClient, Memory]) -> None:
    client, _ = seen
    html = page(client, "episodes", session="trip/1")
    said = words(html)
    assert all(third in said for third in ("Beginning #1–4", "Middle #5–7", "End #8–10"))
    assert "I live in Berlin." in said
    assert 'href="/ui/sessions/trip%2F1?at=5"' in html
    assert 'aria-current="page">Story' in html


def test_a_long_story_is_read_when_it_is_asked_for(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    memory.session("long").add_many([("user", f"Message {at} about the garden.") for at in range(1600)])
    html = page(client, "episodes", session="long")
    assert 'href="/ui/episodes?session=long&amp;story=yes"' in html
    assert "Beginning" not in html
    assert "Beginning" in page(client, "episodes", session="long", story="yes")


# Safety


def test_what_people_wrote_is_never_markup(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    one = memory.add_fact(HOSTILE, subject=HOSTILE, attribute='" onload="x', value=HOSTILE, tags=[HOSTILE])
    two = memory.add_fact(f"{HOSTILE} again", subject=HOSTILE, attribute='" onload="x', value="other")
    chat = memory.session(f"{HOSTILE}/ü")
    chat.add("user", HOSTILE)
    chat.add_episode(HOSTILE, first=1, summary=HOSTILE, outcome=HOSTILE, participants=[HOSTILE])
    memory.relate(one.id, "related_to", two.id)
    for path in (
        "facts?status=all",
        f"facts?q={quote(HOSTILE)}&subject={quote(HOSTILE)}&session={quote(HOSTILE)}",
        f"facts/{one.id}",
        f"facts/{two.id}",
        "facts/graph",
        f"episodes?session={quote(HOSTILE + '/ü', safe='')}",
    ):
        html = page(client, path)
        assert "alert(1)" in html
        assert "<script>alert" not in html
        assert ' onload="x' not in html
        assert "style=" not in html


def test_a_key_that_may_only_read_sees_no_buttons_and_changes_nothing(tmp_path: Path) -> None:
    place = tmp_path / "memory.db"
    with looking(place) as (_, memory):
        fact, episode = known(memory, "I moved").id, memory.episodes()[0].id
    with looking(place, key_of(place, "read"), filled=False) as (client, memory):
        for path in ("facts", f"facts/{fact}", "episodes", "facts/graph", "episodes?session=trip%2F1"):
            assert 'method="post"' not in page(client, path).replace('<form method="post" action="/ui/leave">', "")
        for path in (
            *(f"facts/{fact}/{verb}" for verb in ("edit", "promote", "reject", "archive", "restore", "forget")),
            f"episodes/{episode}/archive",
        ):
            assert client.post(f"/ui/{path}").status_code == 403
        assert client.post("/ui/facts", data={"text": "x"}).status_code == 403
        assert memory.fact(fact).status == "active"
    with looking(place, key_of(place, "read", "write"), filled=False) as (client, _):
        html = page(client, f"facts/{fact}")
        assert "/reject" in html
        assert "/forget" not in html
        assert client.post(f"/ui/facts/{fact}/forget").status_code == 403


def test_a_space_stays_in_every_address(seen: tuple[TestClient, Memory]) -> None:
    client, memory = seen
    fill(memory.space("ana"))
    html = page(client, "facts", space="ana", status="all")
    links = [unescape(one) for one in re.findall(r'(?:href|action)="(/ui/[^"]*)"', html)]
    about = [one for one in links if "/ui/static/" not in one and "format=json" not in one and one != "/ui/leave"]
    assert about
    assert all("space=ana" in one for one in about)
    assert 'name="space" value="ana"' in html
