"""Summaries that were made elsewhere, and what ids sort by: p16, r08, g03."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from service_tools import serving
from talk_tools import fill, say, seqs, talk

from onrecord import InvalidInput, Memory, NotFound, Session

LATER = "What did we say about the house?"  # a question that is not saved
MADE = "They repair the kitchen in Porto, and Ana pays."
IMPORTANT = {"key_decisions": ["Ana pays for the kitchen"], "custom_fields": {"budget": 1400}}


@pytest.fixture(params=["rolling", "progressive"])
def chat(request: pytest.FixtureRequest) -> Iterator[Session]:
    with Memory(":memory:", profile=request.param, summarize="inline", embedder=None) as memory:
        yield memory.session("s")


def newest(chat: Session) -> tuple[int, int, int, str]:
    one = list(chat.summaries())[-1]
    return one.version, one.first, one.last, one.text


def test_p16_a_summary_made_elsewhere_is_stored_with_its_range_and_important_data(chat: Session) -> None:
    chat.add_many(talk(1, 14))
    made = chat.add_summary(MADE, 8, important=IMPORTANT)
    assert (made.version, made.first, made.last, made.count, made.text) == (1, 1, 8, 8, MADE)
    assert (made.method, made.origins, made.locked) == ("hand", ("hand",), True)
    compression = chat.compression()
    assert compression is not None
    assert (compression.summary, compression.summarized, compression.keep_from) == (MADE, 8, 9)
    assert compression.important.key_decisions == ("Ana pays for the kitchen",)
    context = chat.context(LATER, tokens=2500)
    assert MADE in str(context)
    assert [seq for seq in seqs(context) if seq <= 14] == list(range(9, 15))


def test_r08_later_summaries_build_on_it_and_a_rebuild_keeps_it(chat: Session) -> None:
    chat.add_many(talk(1, 14))
    chat.add_summary(MADE, 8, important=IMPORTANT)
    fill(chat, 15, 160)
    version, first, last, text = newest(chat)
    assert version > 1
    assert first == 1
    assert last > 14
    assert text.startswith(MADE[:20])
    assert chat.important().custom_fields == {"budget": 1400}
    chat.rebuild()
    assert next(chat.summaries()).text == MADE
    assert newest(chat)[:3] == (version, first, last)


def test_r08_it_takes_the_place_of_those_that_cover_as_much(chat: Session) -> None:
    fill(chat, 1, 160)
    before = newest(chat)
    chat.add_summary(MADE, before[2])
    assert newest(chat) == (before[0], 1, before[2], MADE)
    chat.add_summary("Another.", 5)
    assert next(chat.summaries()).text == "Another."


def test_p16_it_goes_with_a_message_that_it_covers(chat: Session) -> None:
    chat.add_many(talk(1, 14))
    chat.add_summary(MADE, 8)
    chat.forget(3)
    assert list(chat.summaries()) == []


def test_p16_a_range_that_is_not_there_is_refused(chat: Session) -> None:
    chat.add_many(talk(1, 4))
    with pytest.raises(NotFound, match="from 1 to 5"):
        chat.add_summary(MADE, 5)
    with pytest.raises(InvalidInput, match="from 4 to 3 is empty"):
        chat.add_summary(MADE, 3, first=4)
    with pytest.raises(InvalidInput, match="would be empty"):
        chat.add_summary(" ", 3)
    assert list(chat.summaries()) == []


@pytest.mark.parametrize("profile", ["balanced", "hybrid", "tiered"])
def test_p16_in_other_profiles_it_is_a_summary_of_a_range(profile: Any) -> None:
    with Memory(":memory:", profile=profile, summarize="inline", embedder=None) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 14))
        made = chat.add_summary(MADE, 8, first=3, important=IMPORTANT)
        assert (made.plan, made.first, made.last, made.text) == ("manual", 3, 8, MADE)
        assert made.data.key_decisions == ("Ana pays for the kitchen",)
        assert [one.id for one in chat.summaries(plan="manual")] == [made.id]


@pytest.mark.embedded
def test_p16_over_the_wire(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", memory={"profile": "progressive"}) as served, Memory(served.url) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 14))
        made = chat.add_summary(MADE, 8, important=IMPORTANT)
        assert [made] == list(chat.summaries()) == list(served.memory.session("s").summaries())
        assert made.data.custom_fields == {"budget": 1400}


def test_g03_ids_sort_by_what_the_reference_says() -> None:
    with Memory(":memory:", profile="hybrid", summarize="inline", embedder=None) as memory:
        chat = memory.session("s")
        added = [chat.add("user", say(seq), time=f"2020-01-{32 - seq:02}").id for seq in range(1, 32)]
        made = [chat.summarize(first, first + 1).made[0].id for first in (5, 1, 3)]
        pins = [chat.pin(text).id for text in ("b", "a", "c")]
        relations = [memory.relate(*pair).id for pair in _pairs(memory)]
        for ids in (added, made, pins, relations):
            assert ids == sorted(ids)
        planned = sorted(chat.summaries(plan="flat-15"), key=lambda one: one.id)
        assert [one.last for one in planned] == [15, 30]
        facts = [fact for fact in memory.facts(status="all") if fact.sources]
        by_id = [max(fact.sources) for fact in sorted(facts, key=lambda fact: fact.id)]
        assert by_id == sorted(by_id)


def _pairs(memory: Memory) -> Iterator[tuple[str, Any, str]]:
    one, other = (memory.add_fact(text).id for text in ("Ana likes tea.", "Ana likes milk."))
    yield one, "related_to", other
    yield other, "depends_on", one
