"""What models take is counted by space and day, kept under a limit, paused, and foretold, in every kind of store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest
from model_tools import Scripted, first_words
from talk_tools import fill, nodes, ranges, say, talk

from onrecord import Memory, ModelError, ModelUnreachable, NotFound, Summary
from onrecord.models.tokenizers import counter_for
from onrecord.ports import Reply
from onrecord.settings import ProfileName

NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)
NAME = "openai/gpt-4o"  # whose tokens can be counted
PROFILES: list[ProfileName] = ["balanced", "hybrid", "tiered", "progressive", "rolling"]
LOOSE = {"kept_floor": 0.0}


class Hands:
    """A clock that somebody sets."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now


def places(tmp_path: Path) -> list[str]:
    """One of each kind of store."""
    return [":memory:", str(tmp_path / "memory.db"), f"{tmp_path}/folder/"]


def opened(path: str | Path, model: Any, profile: ProfileName = "hybrid", **more: Any) -> Memory:
    given: dict[str, Any] = {"summarize": "inline", "durability": "process", "options": LOOSE}
    return Memory(path, profile=profile, model=model, **given | more)


def faithful(prompt: str) -> str:
    return "{}" if "JSON object" in prompt else first_words(prompt)


# Counting


def test_tokens_are_counted_by_space_day_and_model(tmp_path: Path) -> None:
    for path in places(tmp_path):
        clock, model = Hands(), Scripted(first_words, name=NAME)
        with opened(path, model, clock=clock) as memory:
            fill(memory.session("s"), 1, 30)  # two nodes
            fill(memory.space("other").session("s"), 1, 15)
            clock.now += timedelta(hours=12)  # midnight: a day begins with it
            fill(memory.session("s"), 31, 45)
            spent, other = memory.spent(), memory.space("other").spent()
            assert list(spent.days) == [
                {"day": "2026-05-05", "model": NAME, "calls": 2, "in": 20, "out": 10},
                {"day": "2026-05-06", "model": NAME, "calls": 1, "in": 10, "out": 5},
            ]
            assert [day["calls"] for day in other.days] == [1]
            assert (spent.today, other.today) == (15, 0)
            assert (spent.limit, spent.paused, spent.refused) == (0, False, {})


def test_a_day_is_that_of_utc_wherever_the_clock_hangs() -> None:
    clock = Hands(datetime(2026, 5, 5, 23, tzinfo=timezone(timedelta(hours=-5))))
    with opened(":memory:", Scripted(first_words), clock=clock) as memory:
        fill(memory.session("s"), 1, 15)
        assert [day["day"] for day in memory.spent().days] == ["2026-05-06"]


def test_a_call_that_fails_takes_what_was_sent_and_one_that_reaches_nobody_nothing() -> None:
    model = Scripted(ModelError("It broke.", "Wait."), ModelUnreachable("Nobody.", "Wait."))
    with opened(":memory:", model, options=LOOSE | {"retries": 2}) as memory:
        made = fill(memory.session("s"), 1, 15).summaries()
        assert [one.refused[:2] for one in made] == [("failed", "unreachable")]
        spent = memory.spent()
        (day,) = spent.days
        assert (day["calls"], day["out"]) == (2, 0)
        sent = sum(counter_for(NAME).text(text) for text in model.prompts)
        assert sent / 2 <= day["in"] < sent  # one of two
        assert spent.refused == {"failed": 1, "unreachable": 1}


def test_calls_that_fail_come_to_an_end_by_the_limit_of_the_day() -> None:
    model = Scripted(ModelError("It broke.", "Wait."))
    with opened(":memory:", model, "balanced", daily_tokens=5_000) as memory:
        fill(memory.session("s"), 1, 200)
        assert 0 < memory.spent().today <= 5_000
        assert model.calls < 12


@pytest.mark.parametrize("length", [100, 101, 5_000])
def test_a_model_with_a_long_name_is_counted(tmp_path: Path, length: int) -> None:
    name = "local/" + "x" * (length - 6)
    for path in places(tmp_path):
        with opened(path, Scripted(first_words, name=name)) as memory:
            fill(memory.session("s"), 1, 15)
            (day,) = memory.spent().days
            assert (day["model"] == name) == (length <= 100)
            assert day["model"].startswith(name[:80])
            assert memory.spent().today == 15
    long = ["local/" + "x" * 200 + end for end in "ab"]
    with opened(":memory:", Scripted(first_words)) as memory:
        fill(memory.session("s"), 1, 1)
        for one in long:
            memory._parts.spending.record("default", one, Reply("", 1, 1))
        assert len({day["model"] for day in memory.spent().days}) == 2


def test_what_was_refused_is_counted_by_name_and_space() -> None:
    model = Scripted("")
    with opened(":memory:", model) as memory:
        fill(memory.session("s"), 1, 30)
        fill(memory.space("other").session("s"), 1, 15)
        assert memory.spent().refused == {"empty": 2}
        assert memory.space("other").spent().refused == {"empty": 1}
        assert memory.space("third").spent().refused == {}


def test_counters_hold_no_word_of_a_conversation(tmp_path: Path) -> None:
    with opened(tmp_path / "memory.db", Scripted(first_words)) as memory:
        fill(memory.session("s"), 1, 15)
        names = " ".join(memory._store.tally("default"))
        assert names
        assert not {word for word in say(1).split() if len(word) > 4} & set(names.split())


# The limit of a day


def test_over_the_limit_summaries_are_made_without_a_model_and_say_so() -> None:
    for profile in PROFILES:
        model = Scripted(faithful, name=NAME)
        with (
            opened(":memory:", model, profile, daily_tokens=1) as memory,
            opened(":memory:", "gpt-4o", profile) as plain,
        ):
            chat, other = memory.session("s"), plain.session("s")
            for one in (chat, other):
                one.add_many(talk(1, 130))
            made = list(chat.summaries())
            data = ["data_daily_limit"] if profile == "progressive" else []
            assert {one.refused for one in made} == {("daily_limit", *data)}, profile
            assert {one.method for one in made} == {"extractive"}, profile
            assert nodes(chat) == nodes(other), profile
            assert (model.calls, memory.spent().refused) == (0, {})


def test_over_the_limit_summaries_wait_for_the_next_day(tmp_path: Path) -> None:
    for path in places(tmp_path):
        clock, model = Hands(), Scripted(first_words)
        more: dict[str, Any] = {"clock": clock, "daily_tokens": 2_000, "over_limit": "wait"}
        with opened(path, model, **more) as memory:
            chat = fill(memory.session("s"), 1, 15)
            assert ranges(chat) == [(1, 15)]  # there was room for a first one
            memory._store.count("default", {"2026-05-05 in openai/scripted": 1_900})
            fill(chat, 16, 30)
            assert ranges(chat) == [(1, 15)]
            assert "2,000 tokens of the day" in chat.summarize().note
            assert (len(list(chat.history())), model.calls) == (30, 1)
            clock.now += timedelta(days=1)
            assert [(one.first, one.last) for one in chat.summarize().made] == [(16, 30)]
            assert [one.method for one in chat.summaries()] == ["model", "model"]


def test_a_limit_that_no_call_keeps_to_says_what_one_needs() -> None:
    model = Scripted(first_words)
    with opened(":memory:", model, daily_tokens=300, over_limit="wait") as memory:
        chat = fill(memory.session("s"), 1, 15)
        note = chat.summarize().note
        assert "One call needs about " in note
        assert "the limit of a day is 300" in note
        assert "tomorrow" not in note
        assert (ranges(chat), model.calls) == ([], 0)


def test_the_limit_is_never_passed_by_a_model_that_keeps_to_its_own() -> None:
    counter = counter_for(NAME)
    model = Counting(faithful)
    with opened(":memory:", model, "balanced", daily_tokens=9_000) as memory:
        fill(memory.session("s"), 1, 200)
        assert 4_000 < memory.spent().today <= 9_000
        made = list(memory.session("s").summaries())
        assert {"daily_limit"} == {name for one in made for name in one.refused}
    assert counter.exact
    assert model.sent + model.said <= 9_000


def test_a_range_that_is_asked_for_is_made_without_a_model_and_says_why() -> None:
    model = Scripted(first_words)
    with opened(":memory:", model, "hybrid", daily_tokens=1, over_limit="wait") as memory:
        chat = fill(memory.session("s"), 1, 8)
        assert told(chat.summarize(1, 8).made) == [("extractive", ("daily_limit",))]
    with opened(":memory:", model, "hybrid") as memory:
        chat = fill(memory.session("s"), 1, 8)
        memory.pause()
        assert told(chat.summarize(1, 8).made) == [("extractive", ("paused",))]
    assert model.calls == 0


def told(made: Sequence[Summary]) -> list[tuple[str, tuple[str, ...]]]:
    return [(one.method, one.refused) for one in made]


def test_important_data_that_may_not_be_asked_for_any_more_do_not_cost_the_text() -> None:
    model = Scripted(faithful)
    with opened(":memory:", model, "progressive", daily_tokens=10**6, over_limit="wait") as memory:

        def said(prompt: str) -> str:
            memory.pause()  # in the middle of the first call
            return faithful(prompt)

        model.said = [said]
        chat = memory.session("s")
        fill(chat, 1, 50)
        assert [one.method for one in chat.summaries()][:1] == ["model"]
        assert model.calls == 1


# Pausing


def test_pausing_counts_for_all_that_have_the_file_open(tmp_path: Path) -> None:
    model = Scripted(first_words)
    path = tmp_path / "memory.db"
    with opened(path, model) as one, opened(path, model) as two:
        chat = fill(two.session("s"), 1, 5)
        one.pause()
        one.pause()
        fill(chat, 6, 15)
        assert two.spent().paused
        assert (ranges(chat), model.calls) == ([], 0)
        assert "paused" in chat.summarize().note
        assert ranges(fill(two.space("other").session("s"), 1, 15)) == [(1, 15)]  # another space does not care
        assert model.calls == 1
        two.resume()
        assert not one.spent().paused
        assert [(one.first, one.method) for one in chat.summarize().made] == [(1, "model")]


def test_two_that_resume_in_the_same_moment_do_not_pause_it_again() -> None:
    with opened(":memory:", Scripted(first_words)) as memory:
        fill(memory.session("s"), 1, 1)
        memory.pause()
        held = memory._store.tally("default")
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(memory._store, "tally", lambda space, prefix: dict(held))  # both see it paused
            memory.resume()
            memory.resume()
        assert not memory.spent().paused
        assert ranges(fill(memory.session("s"), 2, 15)) == [(1, 15)]
        memory.pause()
        assert memory.spent().paused
        memory.resume()
        assert not memory.spent().paused


def test_without_a_model_a_pause_stops_nothing() -> None:
    with opened(":memory:", None) as memory:
        chat = fill(memory.session("s"), 1, 1)
        memory.pause()
        assert ranges(fill(chat, 2, 15)) == [(1, 15)]


def test_a_space_that_holds_nothing_cannot_be_paused_and_says_so(tmp_path: Path) -> None:
    for path in places(tmp_path):
        with opened(path, Scripted(first_words)) as memory:
            with pytest.raises(NotFound, match="nothing in space 'default'"):
                memory.pause()
            memory.resume()
            assert not memory.spent().paused


# What it would take


class Counting:
    """A model that counts what it is sent and says in its own tokens, and keeps to the limit that it is given."""

    name, local = NAME, False

    def __init__(self, said: Any, local: bool = False) -> None:
        self.answer = said
        self.local = local
        self.calls = self.sent = self.said = 0

    def complete(self, messages: Sequence[Mapping[str, Any]], *, tokens: int, **more: Any) -> Reply:
        counter = counter_for(NAME)
        text = self.answer(str(messages[-1]["content"]))
        sent = counter.priming + sum(counter.text(str(one["content"])) + counter.overhead("user") for one in messages)
        said = counter.text(text)
        assert said <= tokens
        self.calls, self.sent, self.said = self.calls + 1, self.sent + sent, self.said + said
        return Reply(text, sent, said)

    def stream(self, messages: Sequence[Mapping[str, Any]], **more: Any) -> Any:
        raise NotImplementedError


@pytest.mark.parametrize("profile", PROFILES)
def test_without_a_model_it_takes_no_tokens(profile: ProfileName) -> None:
    with opened(":memory:", None, profile, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 160))
        foretold = memory.estimate()
        assert (foretold.model, foretold.tokens_in, foretold.tokens_out) == (None, 0, 0)
        assert foretold.summaries == len(chat.summarize().made) > 0
        assert memory.estimate().summaries == 0


def test_an_estimate_knows_the_limit_of_the_day_and_a_pause() -> None:
    for over, made in (("extractive", 4), ("wait", 2)):
        model = Counting(faithful)
        more: dict[str, Any] = {"summarize": "manual", "daily_tokens": 2_000, "over_limit": over}
        with opened(":memory:", model, **more) as memory:
            memory.session("a").add_many(talk(1, 30))
            memory.session("b").add_many(talk(1, 30))
            foretold = memory.estimate()
            assert (foretold.summaries, foretold.calls) == (made, 2)
            done = [chat.summarize().made for chat in (memory.session("a"), memory.session("b"))]
            assert (sum(map(len, done)), model.calls) == (made, 2)
            memory.pause()
            memory.session("b").add_many(talk(31, 60))
            assert (memory.estimate().summaries, memory.estimate().calls) == (0, 0)


def test_an_estimate_knows_what_forgetting_took_away() -> None:
    with opened(":memory:", None, "tiered", summarize="manual", options={"most": 2}) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 80))
        chat.summarize()
        chat.forget(5)
        assert memory.estimate().summaries == len(chat.summarize().made) > 2


def test_an_estimate_counts_its_own_space_and_asks_nobody() -> None:
    model = Scripted(first_words)
    with opened(":memory:", model, summarize="manual") as memory:
        memory.session("a").add_many(talk(1, 15))
        memory.session("b").add_many(talk(1, 30))
        memory.space("other").session("a").add_many(talk(1, 15))
        assert (memory.estimate().summaries, memory.space("other").estimate().summaries) == (3, 1)
        assert memory.session("b").estimate().summaries == 2
        assert memory.session("nobody").estimate().summaries == 0
        assert model.calls == 0
        assert memory.spent().days == ()
