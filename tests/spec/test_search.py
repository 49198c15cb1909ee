"""What the designs say of search: t14 to t16, and h21's search over the whole history by meaning."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from recall_tools import Toy, noted, texts_of
from talk_tools import say, talk

from onrecord import Memory
from onrecord.policy.lexemes import lexemes
from onrecord.recall.indexed_texts import analysed
from onrecord.recall.postings import Postings
from onrecord.records import Hit, Message

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SCORING = {"semantic": 0.4, "keyword": 0.3, "recency": 0.2, "importance": 0.1, "access": 0.0}
TABLE = {"recency": 0.3, "importance": 0.4}  # what the configuration table says instead
QUESTIONS = [
    "Who repairs the boiler in Lisbon?",
    "What did Greta pay for the piano near Vienna?",
    "the landlord wants the kitchen finished before winter, and the kitchen and the roof",
    "euros",
    "an unknown zeppelin",
]


def tiered(path: str = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {"profile": "tiered", "summarize": "manual", "durability": "process", "clock": lambda: NOW}
    return Memory(path, **given | more)


@pytest.fixture(scope="module")
def house() -> Iterator[Memory]:
    """Ninety messages of the last ninety days in three conversations."""
    rng = random.Random(7)
    with tiered() as memory:
        for seq in range(1, 91):
            memory.session(f"s{seq % 3}").add(
                "user" if seq % 2 else "assistant",
                say(seq),
                time=NOW - timedelta(hours=rng.randrange(2_160)),
                importance=rng.randrange(101) / 100,
                meta={"category": "work" if seq % 5 else "home", "tags": [f"tag{seq % 4}"]},
            )
        yield memory


def messages(memory: Memory) -> list[Message]:
    return [message for info in memory.sessions() for message in memory.session(info.id).history()]


def reference(
    said: Sequence[Message], question: str, weights: Mapping[str, float]
) -> dict[str, tuple[float, dict[str, float]]]:
    """Every message's score as the document says it, worked out word by word; and each part before its weight."""
    bags = [Counter(lexemes(message.text)) for message in said]
    holding = Counter(word for bag in bags for word in bag)
    idf = {word: math.log(len(said) / many) for word, many in holding.items()}

    def vector(bag: Counter[int]) -> dict[int, float]:
        most = max(bag.values(), default=1)
        return {word: count / most * idf[word] for word, count in bag.items() if word in idf}

    asked = Counter(lexemes(question))
    wanted = vector(asked)
    found = {}
    for message, bag in zip(said, bags, strict=True):
        has = vector(bag)
        dot = sum(weight * has.get(word, 0) for word, weight in wanted.items())
        lengths = math.hypot(*wanted.values()) * math.hypot(*has.values())
        parts = {
            "semantic": dot / lengths if lengths else 0.0,
            "keyword": sum(word in bag for word in asked) / len(asked),
            "recency": 0.5 ** ((NOW - message.time) / timedelta(days=30)),
            "importance": message.importance,
            "access": 0.0,
        }
        total = sum(weights.values())
        found[message.id] = (sum(weights[name] * value for name, value in parts.items()) / total, parts)
    return found


def check(
    hits: Sequence[Hit], said: Sequence[Message], question: str, weights: Mapping[str, float], limit: int
) -> None:
    expected = reference(said, question, weights)
    over = sorted((score for score, _ in expected.values() if score > 0.3), reverse=True)
    assert [hit.score for hit in hits] == pytest.approx(over[:limit], abs=1e-3)
    total = sum(weights.values())
    for hit in hits:
        score, parts = expected[hit.id]
        assert hit.score == pytest.approx(score, abs=1e-3)
        for name, value in hit.parts.items():
            assert value == pytest.approx(parts[name] * weights[name] / total, abs=1e-3)


# t14: the score


@pytest.mark.parametrize("question", QUESTIONS)
def test_t14_the_score_is_the_documents(house: Memory, question: str) -> None:
    check(house.search(question), messages(house), question, SCORING, 10)
    check(house.search(question, limit=1_000), messages(house), question, SCORING, 1_000)


@pytest.mark.parametrize(
    "weights",
    [
        TABLE,
        {"semantic": 1, "keyword": 0, "recency": 0, "importance": 0},
        {"keyword": 3.0},
        {"recency": 5, "semantic": 0.1},
        {"access": 1.0},
        {"semantic": 40, "keyword": 30, "recency": 20, "importance": 10},
    ],
    ids=repr,
)
def test_t14_weights_can_be_given_with_a_query(house: Memory, weights: dict[str, float]) -> None:
    for question in QUESTIONS:
        check(house.search(question, weights=weights), messages(house), question, SCORING | weights, 10)


def test_t14_the_ten_best_over_three_tenths(house: Memory) -> None:
    hits = house.search(QUESTIONS[0])
    assert 0 < len(hits) <= 10
    assert all(hit.score > 0.3 for hit in hits)
    assert len(house.search(QUESTIONS[0], weights={"recency": 9, "importance": 9})) == 10
    nothing = house.search("an unknown zeppelin", weights={"recency": 0, "importance": 0})
    assert list(nothing) == []


def test_t14_the_parts_are_explained(house: Memory) -> None:
    for hit in house.search(QUESTIONS[1]):
        assert set(hit.parts) == {"semantic", "keyword", "recency", "importance"}
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-3)


def test_t14_the_query_may_hold_the_recent_messages(house: Memory) -> None:
    recent = "The boiler in Lisbon was mentioned."
    asked = f"Who paid?\n{recent}"
    hits = house.search("Who paid?", context=recent)
    check(hits, messages(house), asked, SCORING, 10)
    assert texts_of(hits) != texts_of(house.search("Who paid?"))


# t15: filters


@pytest.mark.parametrize("profile", ["tiered", "balanced"])
def test_t15_types_categories_tags_dates_and_importance(profile: str) -> None:
    with tiered(profile=profile) as memory:
        chat = memory.session("s")
        for number in range(8):
            chat.add(
                "user",
                f"The boat {number} is red",
                time=NOW - timedelta(days=8 - number),
                importance=0.5 + number / 20,
                meta={"category": "work" if number % 2 else "home", "tags": [f"t{number % 3}", "all"]},
            )
        chat.pin("The boat of the pin is red")
        (chunk,) = chat.summarize(1, 8).made
        chat.edit_summary(chunk.id, "All boats are red")

        def numbers(**filters: Any) -> list[int]:
            hits = memory.search("red boat", limit=50, kinds="message", **filters)
            return sorted(int(hit.text.split()[2]) for hit in hits)

        assert numbers() == list(range(8))
        assert numbers(categories="work") == [1, 3, 5, 7]
        assert numbers(tags=["t0", "t1"]) == [0, 1, 3, 4, 6, 7]
        assert numbers(since=NOW - timedelta(days=3)) == [5, 6, 7]
        assert numbers(until=NOW - timedelta(days=6)) == [0, 1]
        assert numbers(importance=0.7) == [4, 5, 6, 7]
        assert numbers(categories="home", tags="t0", importance=0.6) == [6]
        assert numbers(sessions="other") == []
        kinds = {hit.kind for hit in memory.search("red boat", limit=50)}
        assert kinds == {"message", "pin", "summary"}
        assert [hit.text for hit in memory.search("red boat", kinds="summary")] == ["All boats are red"]
        without = memory.search("red boat", limit=50, kinds=("message", "pin"))
        assert {hit.kind for hit in without} == {"message", "pin"}


@pytest.mark.parametrize("profile", ["tiered", "balanced"])
def test_t15_text_and_extra_context(profile: str) -> None:
    with tiered(profile=profile) as memory:
        for session, (_, text) in enumerate(
            [*talk(1, 20), ("user", "A jaguar with doors"), ("user", "A jaguar with cubs")]
        ):
            memory.session(f"s{session}").add("user", text)
        assert memory.search("jaguar", context="doors of a car")[0].text == "A jaguar with doors"
        assert memory.search("jaguar", context="lions and their cubs")[0].text == "A jaguar with cubs"


# t16: the index


@pytest.mark.parametrize("profile", ["tiered", "balanced"])
def test_t16_the_search_after_a_write_sees_it(profile: str) -> None:
    with tiered(profile=profile) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 30))
        memory.search("zeppelin")
        receipt = chat.add("user", "A zeppelin landed")
        assert memory.search("zeppelin")[0].id == receipt.id
        chat.forget(receipt.seq)
        assert all("zeppelin" not in hit.text for hit in memory.search("zeppelin", limit=100))
        pin = chat.pin("The zeppelin is pinned")
        assert memory.search("zeppelin pinned", kinds="pin")[0].id == pin.id
        chat.unpin(pin.id)
        assert list(memory.search("zeppelin pinned", kinds="pin")) == []


@pytest.mark.parametrize("profile", ["tiered", "balanced"])
def test_t16_nothing_is_made_again_when_nothing_was_written(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = Toy()
    with tiered(profile=profile, embedder=toy) as memory:
        memory.session("s").add_many(talk(1, 30))
        memory.search("boiler")
        work: list[str] = []
        store = memory._store
        for name in ("feed", "blocks", "messages", "records"):
            monkeypatch.setattr(store, name, noted(work, name, getattr(store, name)))
        for module in ("index", "spaces", "known_texts"):
            monkeypatch.setattr(f"onrecord.recall.{module}.analysed", noted(work, "analysed", analysed))
        before = len(toy.embedded)
        for _ in range(3):
            memory.search("boiler")
        assert work == []
        assert len(toy.embedded) == before
        memory.session("s").add("user", "One more")
        memory.search("boiler")
        assert work.count("analysed") == 1
        assert toy.embedded[before:] in (["One more"], [])


def test_t16_what_follows_from_all_words_is_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with tiered() as memory:
        memory.session("s").add_many(talk(1, 30))
        memory.search("boiler")
        made: list[int] = []
        monkeypatch.setattr(Postings, "entries", noted(made, 1, Postings.entries))
        for _ in range(3):
            memory.search("boiler")
        assert made == []
        memory.session("s").add("user", "One more")
        memory.search("boiler")
        memory.search("piano")
        assert made == [1]


# h21: search over the whole history


def test_h21_search_over_the_whole_history_by_meaning() -> None:
    with tiered(profile="hybrid", embedder=Toy(dimension=512)) as memory:
        for number in range(5):
            memory.session(f"s{number}").add_many(talk(number * 40 + 1, number * 40 + 40))
        memory.session("s0").add("assistant", "Catnip grows on the sill", time=NOW - timedelta(days=300))
        hit = memory.search("catamaran")[0]
        assert (hit.text, hit.session, hit.seq) == ("Catnip grows on the sill", "s0", 41)
        assert hit.parts["meaning"] > 0
        assert not hit.parts.get("words")


def test_h21_with_the_real_encoder() -> None:
    with tiered(profile="hybrid", embedder="local") as memory:
        memory.session("old").add_many([*talk(1, 12), ("user", "I adore felines, mine is called Minka"), *talk(13, 24)])
        memory.session("new").add_many(talk(25, 40))
        hits = memory.search("What is the name of my cat?")
        assert hits[0].text == "I adore felines, mine is called Minka"
        assert hits[0].session == "old"
