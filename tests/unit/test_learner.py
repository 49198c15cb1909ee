"""What is learned does not depend on when, where or how often somebody looked."""

from datetime import UTC, datetime, timedelta
from itertools import cycle
from pathlib import Path
from typing import Any

import pytest

from onrecord import Memory, Outrun
from onrecord.records import Query

START = datetime(2026, 3, 1, 9, tzinfo=UTC)
TOPICS = [
    [
        ("user", "Can you help me with the budget for the garden shed?"),
        ("assistant", "Sure. How large should the shed be?"),
        ("user", "Three metres by two. The wood costs 400 euros."),
        ("assistant", "And the roof?"),
        ("user", "We decided to take a metal roof for 150 euros, it is final."),
        ("assistant", "Good choice, metal lasts."),
        ("user", "Thanks, that is all for the shed."),
    ],
    [
        ("user", "By the way, another question: the server fails with an error at night."),
        ("assistant", "What does the log say?"),
        ("user", "I found the bug: the disk was full."),
        ("assistant", "Then delete the old logs."),
        ("user", "I deleted them and it works now, the problem is solved!"),
        ("assistant", "Great to hear."),
        ("user", "Thank you, bye."),
    ],
    [
        ("user", "Let us plan the trip to Porto. I'm allergic to shellfish."),
        ("assistant", "Noted. When do you leave?"),
        ("user", "We booked the flights for 5 May."),
        ("assistant", "Do you need a hotel?"),
        ("user", "Yes, but I prefer small hotels without a lift."),
        ("assistant", "I will look for one."),
    ],
]


def talk(many: int) -> list[dict[str, Any]]:
    turns = [turn for topic, _ in zip(cycle(TOPICS), range(many), strict=False) for turn in topic]
    return [
        {"role": role, "text": f"{text} ({number})", "time": START + timedelta(minutes=number)}
        for number, (role, text) in enumerate(turns)
    ]


def learned(memory: Memory) -> list[Any]:
    """All of it, but when it was learned."""
    records = [
        record for kind in ("fact", "episode") for record in memory._store.records("default", "s", Query(kind=kind))
    ]
    return [(record.key, record.first, record.last, record.body) for record in records]


def test_message_by_message_or_at_once() -> None:
    with Memory(":memory:") as slowly, Memory(":memory:") as once, Memory(":memory:", summarize="manual") as late:
        for message in talk(12):
            slowly.session("s").add(**message)
        once.session("s").add_many(talk(12))
        for part in (talk(12)[:31], talk(12)[31:]):
            late.session("s").add_many(part)
            late.facts()
        for memory in (slowly, once, late):
            memory.session("s").flush()
            memory.facts()
        assert learned(slowly) == learned(once) == learned(late)
        kinds = {episode.kind for episode in once.episodes()}
        assert "decision" in kinds
        assert len(kinds) > 1


def test_two_at_a_time_and_a_rebuild(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with Memory(path, summarize="manual") as one, Memory(path, summarize="manual") as two:
        one.session("s").add_many(talk(9))
        one.facts()
        two.facts()
        before = learned(one)
        assert before
        assert learned(two) == before
        two.session("s").rebuild()
        assert learned(one) == before


def test_killed_before_the_commit_nothing_happened(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", summarize="manual") as memory:
        memory.session("s").add_many(talk(6))
        store = memory._store
        with monkeypatch.context() as patch:
            patch.setattr(store, "commit", lambda batch: (_ for _ in ()).throw(KeyboardInterrupt))
            with pytest.raises(KeyboardInterrupt):
                memory.facts()
        assert learned(memory) == []
        assert memory.facts()
        with Memory(":memory:") as other:
            other.session("s").add_many(talk(6))
            other.facts()
            assert learned(memory) == learned(other)


def test_outrun_by_others_it_looks_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", summarize="manual") as memory:
        memory.session("s").add_many(talk(3))
        real, left = memory._store.commit, [3]

        def outrun(batch: Any) -> Any:
            if left[0]:
                left[0] -= 1
                raise Outrun("Somebody was quicker.", "Try again.")
            return real(batch)

        monkeypatch.setattr(memory._store, "commit", outrun)
        assert memory.facts()
        assert left == [0]


def test_a_long_pause_ends_a_stretch() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        for day, (role, text) in enumerate(TOPICS[0]):
            chat.add(role, text, time=START + timedelta(days=day // 6))  # type: ignore[arg-type]
        for number in range(6):
            chat.add("user", f"Hello again, number {number}.", time=START + timedelta(days=30))
        (episode,) = memory.episodes()
        assert (episode.first, episode.last) == (1, 6)
        assert episode.ended == START


def test_an_ended_conversation_closes_its_last_stretch() -> None:
    with Memory(":memory:") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1))
        assert memory.episodes() == []
        chat.end()
        (episode,) = memory.episodes()
        assert episode.kind == "decision"
        assert "metal roof" in episode.title
