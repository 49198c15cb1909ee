"""What the rolling design says: r01 to r05."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from talk_tools import Clock, fill, harm, nodes, ranges, say, seqs, shown, talk, watched

from onrecord import InvalidInput, Memory, Session

LATER = "What did we say about the house?"  # a question that is not saved


def rolling(path: str | Path = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {"profile": "rolling", "summarize": "inline", "durability": "process"}
    return Memory(path, **given | more)


def covered(chat: Session) -> list[int]:
    return [last for _, last in ranges(chat)]


# r01, r02: when


def test_r01_first_at_twenty_messages_and_the_newest_ten_stay() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 19)
        assert covered(chat) == []
        assert chat.due() == []
        fill(chat, 20, 20)
        assert ranges(chat) == [(1, 10)]
        assert seqs(chat.context(LATER)) == list(range(11, 21))


@pytest.mark.parametrize(("size", "count", "first"), [(2000, 16, 6), (1999, 16, 6), (1996, 17, 7), (40_000, 11, 1)])
def test_r01_or_at_eight_thousand_estimated_tokens(size: int, count: int, first: int) -> None:
    with rolling() as memory:  # a started token counts whole: 2000 and 1999 characters are 500 tokens each
        chat = memory.session("s")
        for seq in range(1, count + 1):
            assert covered(chat) == []
            chat.add("user", (f"{seq}. " + say(seq) * size)[:size])
        assert covered(chat) == [first]


def test_r01_ten_messages_however_long_leave_nothing_to_cover() -> None:
    with rolling() as memory:
        chat = memory.session("s")
        for _ in range(10):
            chat.add("user", "A very long story. " * 3000)
        assert chat.due() == []
        assert list(chat.summaries()) == []


def test_r01_the_thresholds_are_options() -> None:
    with rolling(options={"from_messages": 8, "keep": 4, "again": 3}) as memory:
        chat = fill(memory.session("s"), 1, 15)
        assert covered(chat) == [4, 7, 10]


def test_r02_again_every_ten_messages() -> None:
    with rolling() as memory:
        chat = memory.session("s")
        for seq, (role, text) in enumerate(talk(1, 61), start=1):
            chat.add(role, text)
            assert covered(chat) == list(range(10, seq - 9, 10))


def test_r02_ten_after_what_is_covered_however_it_began() -> None:
    with rolling() as memory:
        chat = memory.session("s")
        for seq in range(1, 17):
            chat.add("user", (f"{seq}. " + say(seq) * 2000)[:2000])
        fill(chat, 17, 25)
        assert covered(chat) == [6]
        fill(chat, 26, 26)
        assert covered(chat) == [6, 16]


def test_r02_a_late_run_covers_the_same() -> None:
    with rolling() as memory, rolling(summarize="manual") as late:
        chat, other = fill(memory.session("s"), 1, 57), late.session("s")
        other.add_many(talk(1, 33))
        assert other.due() == [(1, 10)]
        assert [one.last for one in other.summarize().made] == [10, 20]
        other.add_many(talk(34, 57))
        other.summarize()
        assert nodes(other) == nodes(chat)
        assert covered(chat) == [10, 20, 30, 40]


# r03: what it is made from


def test_r03_each_round_reads_only_what_it_newly_covers() -> None:
    with rolling(options={"learns": False}) as memory:
        chat = fill(memory.session("s"), 1, 29)
        read = []
        for seq in range(30, 301, 10):
            with watched(memory) as work:
                fill(chat, seq, seq)
            read.append(len(work.messages))
            assert min(message.seq for message in work.messages) > seq - 20
            fill(chat, seq + 1, seq + 9)
        assert max(read) <= 40


def test_r03_it_is_made_from_the_old_summary_not_from_the_old_messages() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 20)
        chat.edit_summary(next(chat.summaries()).id, "They spoke about a lighthouse.")
        fill(chat, 21, 30)
        newest = list(chat.summaries())[-1]
        assert newest.text.startswith("They spoke about a lighthouse.")
        assert newest.count == 20
        first = " ".join(say(seq) for seq in range(1, 11))
        later = " ".join(say(seq) for seq in range(11, 21))
        prices = [word for word in newest.text.split() if word.isdigit()]
        assert prices
        assert all(price in later.split() or price not in first.split() for price in prices)


def test_r03_a_correction_is_carried_on_word_for_word() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 20)
        text = "The user is allergic to penicillin. The flight is on 5 May."
        corrected = chat.edit_summary(next(chat.summaries()).id, text)
        fill(chat, 21, 120)
        assert all(one.text.startswith(text) for one in chat.summaries())
        before = nodes(chat)
        chat.rebuild()
        assert nodes(chat) == before
        assert next(chat.summaries()).locked
        assert next(chat.summaries()).id == corrected.id


# r04: the record


def test_r04_what_a_summary_says_of_itself(tmp_path: Path) -> None:
    clock = Clock()
    with rolling(tmp_path / "m.db", clock=clock) as memory:
        fill(memory.session("s"), 1, 20)
        end = clock.now
    with rolling(tmp_path / "m.db") as memory:
        (made,) = memory.session("s").summaries()
    assert (made.first, made.last, made.count, made.version) == (1, 10, 10, 1)
    assert made.text
    assert made.model is None
    assert made.time <= end


def test_r04_at_most_two_thousand_characters() -> None:
    with rolling() as memory:
        chat = memory.session("s")
        long = "Incomprehensibilities characteristically counterrevolutionize institutionalizations"
        for seq in range(1, 101):
            chat.add("user", f"{long} in room {seq} of {WHERE[seq % 5]} {seq * 7}. " * 3)
        assert all(0 < len(one.text) <= 2000 for one in chat.summaries())
        assert len(list(chat.summaries())) == 9


WHERE = ("Lisbon", "Vienna", "Oslo", "Athens", "Prague")


def test_r04_none_is_empty() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 45)
        chat.forget(*range(1, 11))
        assert all(one.text and one.count > 0 for one in chat.summaries())
        chat.forget(*range(11, 31))
        assert all(one.text and one.count > 0 for one in chat.summaries())
        assert chat.due() == []
        context = chat.context(LATER)
        assert seqs(context) == list(range(31, 46))


def test_r04_a_summary_cannot_be_emptied_by_hand() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 20)
        (made,) = chat.summaries()
        with pytest.raises(InvalidInput):
            chat.edit_summary(made.id, "  ")
        assert list(chat.summaries()) == [made]


@pytest.mark.embedded
def test_r04_a_damaged_version_is_left_out_and_made_again(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with rolling(path) as memory:
        before = nodes(fill(memory.session("s"), 1, 45))
    assert harm(path, "kind = 'summary' AND last = 30") == 1
    with rolling(path) as memory:
        chat = memory.session("s")
        context = chat.context(LATER)
        assert seqs(context) == list(range(21, 46))  # behind the version that is left
        assert len(list(chat.history())) == 45
        chat.summarize()
        assert nodes(chat) == before
        assert seqs(chat.context(LATER)) == list(range(31, 46))


@pytest.mark.embedded
def test_r04_damaged_all_of_it(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with rolling(path, options={"learns": False}) as memory:
        before = nodes(fill(memory.session("s"), 1, 45))
    assert harm(path, "1") == 4
    with rolling(path, options={"learns": False}) as memory:
        chat = memory.session("s")
        assert seqs(chat.context(LATER)) == list(range(1, 46))
        chat.rebuild()
        assert nodes(chat) == before


def test_r04_two_threads_make_one_result(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with rolling(path, summarize="manual") as one, rolling(path, summarize="manual") as two, rolling() as alone:
        one.session("s").add_many(talk(1, 100))
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda number: (one, two)[number % 2].session("s").summarize().made, range(4)))
        assert sum(map(len, made)) == 9
        assert nodes(one.session("s")) == nodes(fill(alone.session("s"), 1, 100))


# r05: what goes to the model


def test_r05_the_summary_and_the_messages_after_it() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 46)
        newest = list(chat.summaries())[-1]
        messages = chat.context(LATER).messages()
        assert messages[0]["role"] == "system"
        assert newest.text in messages[0]["content"]
        assert [one["content"] for one in messages[1:-1]] == [say(seq) for seq in range(31, 47)]
        assert messages[-1] == {"role": "user", "content": LATER}


def test_r05_only_the_newest_version_is_shown() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 45)
        assert shown(chat.context(LATER), "summaries") == [list(chat.summaries())[-1].id]


def test_r05_without_a_summary_all_of_them() -> None:
    with rolling() as memory:
        chat = fill(memory.session("s"), 1, 18)
        context = chat.context(LATER)
        assert [one["content"] for one in context.messages()] == [*(say(seq) for seq in range(1, 19)), LATER]


def test_r05_without_a_summary_a_hundred_at_most() -> None:
    with rolling(summarize="manual") as memory, rolling(summarize="manual", options={"recent": 30}) as other:
        for opened, count in ((memory, 100), (other, 30)):
            chat = opened.session("s")
            chat.add_many(talk(1, 150))
            assert seqs(chat.context(LATER)) == list(range(151 - count, 151))


def test_r05_nothing_of_another_session() -> None:
    with rolling() as memory:
        memory.session("other").add_many([("user", f"Secret number {number} of them.") for number in range(50)])
        chat = fill(memory.session("s"), 1, 45)
        assert "Secret" not in str(chat.context(LATER))
        assert all("Secret" not in one.text for one in chat.summaries())
