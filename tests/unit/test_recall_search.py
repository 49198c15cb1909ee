"""The fused ranking: what each signal does, how they add up, and what a hit shows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recall_tools import Toy, opened, texts_of, told

from onrecord import Memory
from onrecord.policy.fusion import BY_ROLE_AND_WORDS, BY_WORDS, WEIGHTS
from onrecord.policy.passages import passages

DAY = datetime(2023, 1, 1, 12, tzinfo=UTC)
HAY = [
    f"{what} {how} in the {where}."
    for what in ("Rain", "Bread", "Paint")
    for how in ("dries", "smells")
    for where in ("yard", "attic", "shop", "tower")
]


def spoken(memory: Memory, session: str, *said: tuple[str, str], start: datetime = DAY) -> None:
    """A conversation between people, a message a minute."""
    for minute, (name, text) in enumerate(said):
        memory.session(session).add("user", text, name=name, time=start + timedelta(minutes=minute))


def best(memory: Memory, question: str, **more: Any) -> str:
    return memory.search(question, **{"limit": 1} | more)[0].text


# Signals


def test_rare_words_count_more() -> None:
    with opened() as memory:
        told(memory, "s", *HAY[:9], "The zeppelin landed in a field", *HAY[9:])
        assert best(memory, "bread zeppelin", weights={"near": 0}) == "The zeppelin landed in a field"
        assert best(memory, "bread zeppelin", weights={"words": 0}) == "The zeppelin landed in a field"


def test_forms_of_words() -> None:
    with opened() as memory:
        told(memory, "s", *HAY, "We planned two trips", *HAY)
        assert best(memory, "planning a trip") == "We planned two trips"


def test_scripts_without_spaces_and_others() -> None:
    said = {
        "里斯本": "我们去年五月住在里斯本的老城区",
        "القاهرة": "سافرنا إلى القاهرة في الشتاء",
        "東京": "先週は東京に行きました",
        "москве": "Мы жили в Москве три года",
        "café": "The CAFE on the corner",
    }
    with opened() as memory:
        for number, text in enumerate([*HAY, *said.values(), *HAY]):
            told(memory, f"s{number}", text)
        for question, text in said.items():
            assert best(memory, question) == text


def test_a_message_near_the_words_is_found_too() -> None:
    with opened() as memory:
        talk = [*HAY[:8], "What is your favourite zeppelin?", "The silver one, clearly", *HAY[8:]]
        told(memory, "s", *talk)
        hits = memory.search("favourite zeppelin", limit=3)
        assert hits[0].text == talk[8]
        assert talk[9] in texts_of(hits)
        answer = next(hit for hit in hits if hit.text == talk[9])
        assert "words" not in answer.parts or answer.parts["words"] == 0
        assert answer.parts["near"] > 0


def test_neighbours_lend_their_meaning() -> None:
    with opened(embedder=Toy(dimension=512)) as memory:
        talk = [*HAY[:8], "Which zeppelin do you like?", "Silver ones, clearly", *HAY[8:], "Bronze ones, clearly"]
        told(memory, "s", *talk)
        hits = memory.search("zeppelin", weights={"words": 0, "near": 0, "around": 6}, limit=50)
        scores = {hit.text: hit.parts["around"] for hit in hits}
        assert scores["Silver ones, clearly"] > scores["Bronze ones, clearly"] + 1


def test_who_is_asked_about() -> None:
    with opened() as memory:
        spoken(memory, "s", ("Caroline", "The pottery class was nice"), ("Melanie", "The pottery class was nice, oh"))
        for name in ("Caroline", "Melanie"):
            (first, second) = memory.search(f"What did {name} say about the pottery class?")
            assert first.name == name
            assert first.parts["speaker"] == BY_WORDS["speaker"]
            assert second.parts["speaker"] == -BY_WORDS["speaker"]
        assert "speaker" not in memory.search("pottery class")[0].parts


def test_what_nobody_said_is_for_nobody_and_against_nobody() -> None:
    with opened() as memory:
        spoken(memory, "s", ("Caroline", "The pottery class was nice"), ("Melanie", "It was"))
        memory.session("s").pin("The pottery class")
        (pin,) = memory.search("What did Caroline say about the pottery class?", kinds="pin")
        assert pin.parts["speaker"] == 0


def test_a_name_is_not_looked_for_among_words() -> None:
    with opened() as memory:
        spoken(memory, "s", ("Melanie", "Hey Caroline! Caroline, oh Caroline"), ("Caroline", "I bought a kayak"))
        assert best(memory, "What did Caroline buy, Caroline?") == "I bought a kayak"


def test_whoever_speaks_of_himself() -> None:
    with opened() as memory:
        told(memory, "a", "Kayaks are long")
        told(memory, "b", "My kayak is long")
        assert best(memory, "Which kayak is long?") == "My kayak is long"
        assert memory.search("Which kayak is long?")[0].parts["self"] == BY_ROLE_AND_WORDS["self"]
        assert "self" not in memory.search("kayak long")[0].parts  # some words, and no question


def test_a_time_that_the_question_names() -> None:
    with opened() as memory:
        for month in range(1, 13):
            memory.session("s").add("user", f"We went to concert {month}", time=datetime(2023, month, 10, tzinfo=UTC))
        hits = memory.search("Which concert was it in May 2023?")
        assert hits[0].text == "We went to concert 5"
        assert hits[0].parts["time"] == WEIGHTS["time"]
        assert any(stage.name == "time" and "2023-05-01" in stage.said for stage in hits.stages)
        assert best(memory, "Which concert was it last month?") == "We went to concert 11"
        assert "time" not in memory.search("Which concert?")[0].parts


def test_a_time_that_an_event_tells() -> None:
    with opened() as memory:
        for month in range(1, 13):
            text = "We moved to the new house" if month == 7 else f"We heard a concert of jazz, number {month}"
            memory.session("s").add("user", text, time=datetime(2023, month, 10, tzinfo=UTC))
        before = memory.search("Which concert of jazz was before we moved to the new house?", limit=5)
        concerts = [int(hit.text.split()[-1]) for hit in before if "jazz" in hit.text]
        assert max(concerts) <= 7
        after = memory.search("Which concert of jazz was after we moved to the new house?", limit=5)
        assert min(int(hit.text.split()[-1]) for hit in after if "jazz" in hit.text) >= 7
        unknown = memory.search("Which concert of jazz was before the earthquake in Peru?", limit=5)
        assert "time" not in unknown[0].parts


@pytest.mark.parametrize("when", ["9800-01-01", "0100-01-01"])
def test_events_at_the_ends_of_the_calendar(when: str) -> None:
    with opened() as memory:
        memory.session("s").add("user", "We moved to the new house", time=when)
        assert len(memory.search("What was before we moved to the new house?")) == 1
        assert len(memory.search("What was after we moved to the new house?")) == 1


def test_more_words_that_bear_on_it() -> None:
    with opened() as memory:
        told(memory, "s", *HAY, "A jaguar with two doors", *HAY, "A jaguar with two cubs")
        assert best(memory, "jaguar", context="We looked at cars with doors") == "A jaguar with two doors"
        assert best(memory, "jaguar", context="animals and their cubs") == "A jaguar with two cubs"


def test_by_meaning_with_the_real_encoder() -> None:
    with opened(embedder="local") as memory:
        told(memory, "s", "The stock market fell again", "I adore felines", "My bicycle has a flat tyre")
        hits = memory.search("Do I like cats?")
        assert hits[0].text == "I adore felines"
        assert hits[0].parts["words"] == 0 if "words" in hits[0].parts else True
        told(memory, "s", "My sister moved to Oslo")
        assert best(memory, "Where does my sibling live?") == "My sister moved to Oslo"


# Scores


@settings(max_examples=25, deadline=None)
@given(st.text(min_size=1, max_size=60).filter(str.strip), st.booleans())
def test_parts_add_up_and_the_best_comes_first(question: str, vectors: bool) -> None:
    with opened(embedder=Toy() if vectors else None) as memory:
        spoken(memory, "s", ("Ana", "I like " + HAY[0]), ("Bo", question), ("Ana", "Always " + HAY[1] * 60), ("Bo", ""))
        hits = memory.search(question, limit=10)
        assert len(hits) == 4
        for hit in hits:
            assert hit.score == pytest.approx(sum(hit.parts.values()), abs=1e-3)
            assert set(hit.parts) <= set(WEIGHTS)
        assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_weights_of_one_call() -> None:
    with opened(embedder=Toy()) as memory:
        told(memory, "a", "kayak kayak kayak")
        told(memory, "b", "My dog sleeps")
        assert best(memory, "kayak") == "kayak kayak kayak"
        assert best(memory, "Which kayak?", weights={"self": 50}) == "My dog sleeps"
        hit = memory.search("kayak", weights={"words": 2.5, "meaning": 0})[0]
        usual = memory.search("kayak")[0]
        assert "meaning" not in hit.parts
        assert hit.parts["words"] == pytest.approx(usual.parts["words"] / WEIGHTS["words"] * 2.5, abs=1e-3)
        assert best(memory, "kayak") == "kayak kayak kayak"


@pytest.mark.parametrize("many", [7, 60, 500])
def test_of_equals_the_newest_come_first(many: int) -> None:
    with opened() as memory:
        for number in range(many):
            told(memory, f"s{number}", "A kayak" if number % 3 else "A dog")
        newest = [f"s{number}" for number in range(many - 1, -1, -1) if number % 3]
        for limit in (1, 3, 50):
            hits = memory.search("kayak", limit=limit)
            assert [hit.session for hit in hits if hit.text == "A kayak"] == newest[:limit]


def test_spaces_never_see_each_other() -> None:
    with opened(embedder=Toy()) as memory:
        for name in ("one", "two"):
            told(memory.space(name), "s", f"The kayak of {name}")
        assert texts_of(memory.space("one").search("kayak of two")) == ["The kayak of one"]
        assert texts_of(memory.space("two").search("kayak of one")) == ["The kayak of two"]
        assert texts_of(memory.search("kayak")) == []


def test_nothing_is_there() -> None:
    with opened(embedder=Toy()) as memory:
        hits = memory.search("kayak")
        assert (len(hits), list(hits), hits.notes) == (0, [], ())
        assert hits.explain()


def test_ids_are_never_searched() -> None:
    with opened() as memory:
        memory.session("session-zebra").add("user", "The dog sleeps", id="walrus", meta={"note": "unicorn"})
        for word in ("walrus", "unicorn", "zebra"):
            hit = memory.search(word)[0]
            assert not hit.parts.get("words")
            assert not hit.parts.get("near")


# Hits


def long_text() -> str:
    many = [f"Paragraph {number} tells of bread, rain and paint in the yard of the tower." for number in range(60)]
    many[30] = "The zeppelin landed beside the lighthouse on a Tuesday."
    return " ".join(many)


@pytest.mark.parametrize("embedder", [None, Toy()])
def test_a_long_message_is_one_hit_with_its_best_passages(embedder: Toy | None) -> None:
    text = long_text()
    with opened(embedder=embedder) as memory:
        told(memory, "s", text, "Something else")
        hits = memory.search("zeppelin at the lighthouse")
        assert [hit.seq for hit in hits] == [1, 2]
        hit = hits[0]
        assert "The zeppelin landed beside the lighthouse on a Tuesday." in hit.text
        assert hit.text.startswith("[…] ")
        assert hit.text.endswith(" […]")
        assert len(hit.text) < 1_500
        assert set(hit.passages) <= set(passages(text))
        assert list(hit.passages) == sorted(hit.passages)
        assert all(text[start:end] in hit.text for start, end in hit.passages)
        assert hits[1].passages == ()


def test_a_hit_says_what_it_is() -> None:
    with opened() as memory:
        chat = memory.session("s")
        receipt = chat.add("assistant", "The kayak is red", name="Bot", time=DAY, importance=0.8)
        (hit,) = memory.search("kayak")
        assert (hit.kind, hit.id, hit.session, hit.seq) == ("message", receipt.id, "s", 1)
        assert (hit.role, hit.name, hit.time, hit.importance, hit.text) == (
            "assistant",
            "Bot",
            DAY,
            0.8,
            "The kayak is red",
        )
        assert hit.to_dict()["parts"] == dict(hit.parts)


def test_explaining() -> None:
    with opened(embedder=Toy()) as memory:
        spoken(memory, "s", ("Ana", "I like\nkayaks " + "x" * 200), ("Bo", "Me too"))
        told = memory.search("Does Ana like kayaks?").explain()
        assert "about Ana" in told
        assert 'read as "Does I like kayaks?"' in told
        assert "meaning: 2 passages compared" in told
        assert "I like kayaks" in told
        assert max(map(len, told.splitlines())) < 200


class Backwards:
    """A reranker that likes long texts."""

    def __init__(self) -> None:
        self.seen = 0

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        self.seen = len(texts)
        return [len(text) for text in texts]


def test_a_reranker_has_the_last_word() -> None:
    reranker = Backwards()
    with opened(reranker=reranker) as memory:
        told(memory, "s", "kayak", "kayak and more words", "kayak and")
        hits = memory.search("kayak")
        assert texts_of(hits) == ["kayak and more words", "kayak and", "kayak"]
        assert hits.stages[-1].name == "reranker"


def test_a_reranker_chooses_among_more_than_are_wanted() -> None:
    reranker = Backwards()
    with opened(reranker=reranker) as memory:
        for number in range(30):
            told(memory, f"s{number}", "kayak " + "x" * number)
        assert memory.search("kayak", limit=1)[0].session == "s29" or reranker.seen == 30
        assert reranker.seen == 30


@pytest.mark.parametrize("embedder", [None, Toy()])
def test_a_rare_word_finds_the_message_that_has_it(embedder: Toy | None) -> None:
    with opened(embedder=embedder) as memory:
        chat = memory.session("work")
        for number in range(40):
            chat.add("user", f"How should I do step {number}? My plan changes, and I wonder.")
            chat.add("assistant", "Raise pool_size to 16." if number == 7 else f"Do step {number} slowly.")
        assert memory.search("pool_size", kinds="message")[0].text == "Raise pool_size to 16."


def test_who_has_a_name_is_nobody_else() -> None:
    """One chat with an assistant does not make everyone else in the space less likely to be meant."""
    with opened() as memory:
        memory.session("bot").add_many([("user", "Hello"), ("assistant", "Hi")])
        memory.session("home").add("user", "Our cats broke the vase", name="Ben")
        (hit, *_) = memory.search("Who broke the vase?")
        assert (hit.name, hit.parts.get("speaker", 0.0)) == ("Ben", 0.0)


def test_a_summary_has_the_time_of_what_it_stands_for() -> None:
    with opened() as memory:
        chat = memory.session("old")
        for number in range(40):
            chat.add("user", f"The kayak number {number} leaks again", time=f"2020-02-{number // 2 + 1:02d}")
        chat.summarize()
        found = memory.search("kayak", kinds="summary", until="2020-03-01")
        assert len(found)
        assert all(hit.time.year == 2020 for hit in found)
        told_when = [stage.said for stage in memory.search("What leaked last month?").stages if stage.name == "time"]
        assert told_when == ['"last month" is 2020-01-01 to 2020-02-01']


def test_a_message_at_the_end_of_all_times_keeps_nothing_from_being_found() -> None:
    with Memory(":memory:", embedder=None) as memory:
        memory.session("a").add("user", "The last tram.", time=datetime.max.replace(tzinfo=UTC))
        memory.session("b").add("user", "The first tram goes at five.")
        assert {hit.session for hit in memory.search("tram last week")} == {"a", "b"}
        assert "last tram" in str(memory.session("b").context("When is the last tram?"))
