"""What may be found: each filter alone, at its bounds, and all together; and what is refused."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recall_tools import opened, texts_of

from onrecord import InvalidInput, Memory

DAY = datetime(2026, 3, 1, 12, tzinfo=UTC)
META: list[dict[str, Any]] = [
    {},
    {"category": "work"},
    {"category": "home", "tags": ["red", "blue"]},
    {"tags": "red"},
    {"category": ["work", "home"], "tags": []},
    {"category": "Work", "tags": ["green", 5, None]},
]


def text(number: int) -> str:
    return f"Boat number {number}"


@pytest.fixture(scope="module")
def memory() -> Iterator[Memory]:
    """Twelve messages about boats, in two sessions, a day apart; and a pin and a summary of the second session."""
    with opened(clock=lambda: DAY + timedelta(days=40)) as memory:
        for number in range(12):
            memory.session("ab"[number % 2]).add(
                "user",
                text(number),
                time=DAY + timedelta(days=number),
                importance=number / 10 if number < 10 else 1.0,
                meta=META[number % 6],
            )
        memory.session("b").pin("Boat of the pin", importance=0.9)
        (made,) = memory.session("b").summarize(1, 3).made
        memory.session("b").edit_summary(made.id, "Boats in short")
        yield memory


def numbers(memory: Memory, **filters: Any) -> set[int]:
    """Which of the messages are found."""
    given: dict[str, Any] = {"limit": 100, "kinds": "message"}
    hits = memory.search("boat", **given | filters)
    return {int(hit.text.split()[-1]) for hit in hits}


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, range(12)),
        ({"sessions": "a"}, range(0, 12, 2)),
        ({"sessions": ["a", "b"]}, range(12)),
        ({"sessions": ["b", "unknown"]}, range(1, 12, 2)),
        ({"sessions": "unknown"}, []),
        ({"since": DAY + timedelta(days=3)}, range(3, 12)),
        ({"since": DAY + timedelta(days=3, microseconds=1)}, range(4, 12)),
        ({"until": DAY + timedelta(days=3)}, range(3)),
        ({"until": DAY + timedelta(days=3, microseconds=1)}, range(4)),
        ({"as_of": DAY + timedelta(days=3)}, range(4)),
        ({"as_of": DAY + timedelta(days=3, microseconds=-1)}, range(3)),
        ({"since": "2026-03-03", "until": "2026-03-06"}, [2, 3, 4]),
        ({"since": DAY + timedelta(days=5), "until": DAY}, []),
        ({"importance": 0.7}, [7, 8, 9, 10, 11]),
        ({"importance": 0.701}, [8, 9, 10, 11]),
        ({"importance": 1}, [10, 11]),
        ({"importance": 0}, range(12)),
        ({"categories": "work"}, [1, 4, 7, 10]),
        ({"categories": ["home", "Work"]}, [2, 4, 5, 8, 10, 11]),
        ({"categories": "none"}, []),
        ({"tags": "red"}, [2, 3, 8, 9]),
        ({"tags": ["blue", "green"]}, [2, 5, 8, 11]),
        ({"sessions": "b", "since": "2026-03-04", "importance": 0.5, "tags": ["red", "green"]}, [5, 9, 11]),
        ({"sessions": "a", "categories": "home", "tags": "blue", "until": "2026-03-05"}, [2]),
        ({"sessions": [], "kinds": []}, range(12)),
    ],
    ids=repr,
)
def test_filters(memory: Memory, filters: dict[str, Any], expected: Any) -> None:
    if filters.get("kinds") == []:
        assert len(memory.search("boat", limit=100, **filters)) == 14
    else:
        assert numbers(memory, **filters) == set(expected)


def test_kinds(memory: Memory) -> None:
    assert texts_of(memory.search("boat", kinds="pin")) == ["Boat of the pin"]
    assert texts_of(memory.search("boat", kinds=["summary"])) == ["Boats in short"]
    both = memory.search("boat", kinds=("pin", "summary"))
    assert {(hit.kind, hit.session) for hit in both} == {("pin", "b"), ("summary", "b")}
    assert {hit.kind for hit in memory.search("boat", limit=100)} == {"message", "pin", "summary"}
    (summary,) = memory.search("boat", kinds="summary")
    assert (summary.first, summary.seq) == (1, 3)


def test_importance_of_pins_and_summaries(memory: Memory) -> None:
    assert texts_of(memory.search("boat", kinds=["pin", "summary"], importance=0.8)) == ["Boat of the pin"]
    assert len(memory.search("boat", kinds=["pin", "summary"], importance=0.6)) == 2


def test_hits_of_pins_tell_their_importance(memory: Memory) -> None:
    (pin,) = memory.search("boat", kinds="pin")
    assert pin.importance == 0.9


@pytest.mark.parametrize("label", [5, None, True])
def test_labels_of_any_kind(label: object) -> None:
    with opened() as memory:
        memory.session("s").add("user", "A boat", meta={"tags": label, "category": label})
        assert len(memory.search("boat", tags="red")) == 0
        assert len(memory.search("boat", categories="red")) == 0


def test_limit(memory: Memory) -> None:
    whole = texts_of(memory.search("boat number 7", limit=100))
    assert whole[0] == text(7)
    for limit in (1, 3, 14):
        assert texts_of(memory.search("boat number 7", limit=limit)) == whole[:limit]
    assert len(memory.search("boat")) == 10
    assert len(memory.search("boat", limit=10_000)) == 14


def test_within_one_session(memory: Memory) -> None:
    hits = memory.session("a").search("boat", limit=100)
    assert {hit.session for hit in hits} == {"a"}
    assert len(memory.session("a").search("boat", limit=100, importance=0.9)) == 1
    assert {hit.session for hit in memory.session("a").search("boat", sessions="b")} == {"a"}


@settings(max_examples=60, deadline=None)
@given(
    st.sets(st.sampled_from(["a", "b"])),
    st.none() | st.integers(0, 12),
    st.none() | st.integers(0, 12),
    st.none() | st.integers(0, 12),
    st.integers(0, 10),
    st.sets(st.sampled_from(["work", "home"])),
    st.sets(st.sampled_from(["red", "green"])),
    st.integers(1, 12),
)
def test_all_together(
    memory: Memory,
    sessions: set[str],
    since: int | None,
    until: int | None,
    as_of: int | None,
    importance: int,
    categories: set[str],
    tags: set[str],
    limit: int,
) -> None:
    def labels(number: int, name: str) -> set[Any]:
        given = META[number % 6].get(name, [])
        return {given} if isinstance(given, str) else set(given)

    def when(number: int | None) -> datetime | None:
        return None if number is None else DAY + timedelta(days=number)

    expected = {
        number
        for number in range(12)
        if (not sessions or "ab"[number % 2] in sessions)
        and (since is None or number >= since)
        and (until is None or number < until)
        and (as_of is None or number <= as_of)
        and min(number, 10) >= importance
        and (not categories or categories & labels(number, "category"))
        and (not tags or tags & labels(number, "tags"))
    }
    filters: dict[str, Any] = {"sessions": sessions, "since": when(since), "until": when(until), "as_of": when(as_of)}
    filters |= {"importance": importance / 10, "categories": categories, "tags": tags}
    assert numbers(memory, **filters) == expected
    assert len(numbers(memory, **filters, limit=limit)) == min(limit, len(expected))


@pytest.mark.parametrize(
    "wrong",
    [
        {"text": ""},
        {"text": " \n"},
        {"text": None},
        {"kinds": "song"},
        {"kinds": 5},
        {"sessions": 5},
        {"sessions": [""]},
        {"since": "yesterday"},
        {"until": 5},
        {"as_of": [1]},
        {"importance": "high"},
        {"limit": 0},
        {"limit": 10_001},
        {"limit": "ten"},
        {"weights": {"wit": 1}},
        {"weights": {"words": "much"}},
        {"weights": {"words": True}},
        {"weights": {"words": float("nan")}},
        {"weights": {"words": 1e7}},
        {"weights": [1, 2]},
        {"context": 5},
        {"tags": 5},
        {"categories": [5]},
    ],
    ids=repr,
)
def test_what_is_refused(memory: Memory, wrong: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        memory.search(**{"text": "boat"} | wrong)


def test_wrong_weights_are_refused_by_an_empty_space_too() -> None:
    with opened() as memory, pytest.raises(InvalidInput):
        memory.search("boat", weights={"wit": 1})
