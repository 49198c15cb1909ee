"""What the tiered design says of conversations, chunks and the budget: t01 to t03, t12, t13, t20."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from talk_tools import Clock, fill, harm, nodes, ranges, say, seqs, shown, talk, words

from onrecord import Memory, NotFound

LATER = "What did we say about the house?"  # a question that is not saved


def tiered(path: str | Path = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {"profile": "tiered", "summarize": "inline", "durability": "process"}
    return Memory(path, **given | more)


# t01: conversations


def test_t01_a_conversation_at_a_glance(tmp_path: Path) -> None:
    clock = Clock()
    with tiered(tmp_path / "m.db", space="house", clock=clock) as memory:
        begun = clock.now
        chat = fill(memory.session("s"), 1, 25)
    with tiered(tmp_path / "m.db", space="house") as memory:
        chat = memory.session("s")
        found = chat.conversation()
        assert (found.id, found.project, found.status, found.turns) == ("s", "house", "active", 25)
        assert found.started is not None
        assert begun < found.started < clock.now
        assert found.ended is None
        assert [message.seq for message in found.recent] == list(range(11, 26))
        assert [(chunk.first, chunk.last) for chunk in found.chunks] == [(1, 10)]
        assert found.facts == tuple(fact.id for fact in chat.facts())
        assert found.milestones == tuple(episode.id for episode in chat.episodes())


def test_t01_active_paused_ended_with_a_closing_summary() -> None:
    clock = Clock()
    with tiered(clock=clock) as memory:
        chat = fill(memory.session("s"), 1, 12)
        chat.update(status="paused")
        assert chat.conversation().status == "paused"
        assert chat.conversation().ended is None
        before = clock.now
        closing = chat.end()
        assert closing is not None
        assert (closing.first, closing.last) == (1, 12)
        assert closing.text
        found = chat.conversation()
        assert found.status == "ended"
        assert found.ended is not None
        assert before < found.ended <= clock.now
        chat.update(status="active")
        assert chat.conversation().ended is None


def test_t01_an_empty_conversation() -> None:
    with tiered() as memory:
        found = memory.session("s").conversation()
        assert (found.turns, found.recent, found.chunks, found.status) == (0, (), (), "active")


def test_t01_each_turn_has_its_working_memory() -> None:
    with tiered(options={"learns": False}) as memory:
        chat = fill(memory.session("s"), 1, 45)
        chat.update(system="Be kind.")
        context = chat.context(LATER)
        usage = context.usage()
        parts = sum(usage[name] for name in usage if name not in ("total", "used", "available", "estimated"))
        assert usage["total"] == 128_000
        assert usage["used"] == context.tokens
        assert usage["available"] == 128_000 - context.tokens
        assert usage["system"] > 0
        assert usage["recent"] == sum(message.tokens + message.overhead for message in context.recent)
        assert usage["summaries"] >= sum(one.tokens for one in chat.summaries())
        assert usage["used"] == parts
        assert usage["frame"] < 60  # headings and what the chat format adds


def test_t01_a_forgotten_turn_is_no_recent_message() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 5)
        chat.forget(3)
        found = chat.conversation()
        assert [message.seq for message in found.recent] == [1, 2, 4, 5]
        assert found.turns == 5


# t02: chunks


def test_t02_over_twenty_recent_messages_the_oldest_ten_become_a_chunk() -> None:
    with tiered() as memory:
        chat = memory.session("s")
        for seq, (role, text) in enumerate(talk(1, 62), start=1):
            chat.add(role, text)
            count = max(0, (seq - 11) // 10)  # at 21, 31, 41 …
            assert ranges(chat) == [(10 * n + 1, 10 * n + 10) for n in range(count)]


def test_t02_250_messages_give_23_chunks() -> None:
    with tiered() as memory, tiered(summarize="manual") as late:
        chat = fill(memory.session("s"), 1, 250)
        assert ranges(chat) == [(10 * n + 1, 10 * n + 10) for n in range(23)]
        other = late.session("s")
        other.add_many(talk(1, 250))
        assert len(other.due()) == 23
        assert len(other.summarize().made) == 23
        assert nodes(other) == nodes(chat)


def test_t02_a_chunk_has_a_summary_topics_and_a_token_count() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 250)
        for chunk in chat.summaries():
            assert 100 <= chunk.tokens <= 200
            assert chunk.topics
            assert len(set(chunk.topics)) == len(chunk.topics)
            assert chunk.count == 10
            assert chunk.level == 1


def test_t02_its_messages_stay_readable_but_are_not_sent() -> None:
    with tiered(options={"learns": False}) as memory:
        chat = fill(memory.session("s"), 1, 31)
        assert [message.text for message in chat.history()] == [say(seq) for seq in range(1, 32)]
        context = chat.context(LATER)
        assert seqs(context) == list(range(21, 32))
        assert shown(context, "summaries") == [chunk.id for chunk in chat.summaries()]
        sent = [one["content"] for one in context.messages()[1:]]
        assert sent == [*(say(seq) for seq in range(21, 31)), f"{say(31)}\n\n{LATER}"]


def test_t02_two_threads_make_each_chunk_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with tiered(path, summarize="manual") as one, tiered(path, summarize="manual") as two:
        one.session("s").add_many(talk(1, 250))
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda number: (one, two)[number % 2].session("s").summarize().made, range(4)))
        assert sum(map(len, made)) == 23
        assert ranges(two.session("s")) == [(10 * n + 1, 10 * n + 10) for n in range(23)]


def test_t02_two_memories_on_one_file_take_turns(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with tiered(path) as one, tiered(path) as two, tiered() as alone:
        for seq, (role, text) in enumerate(talk(1, 60), start=1):
            (one, two)[seq % 3 == 0].session("s").add(role, text)
        expected = nodes(fill(alone.session("s"), 1, 60))
        assert nodes(one.session("s")) == nodes(two.session("s")) == expected


@pytest.mark.embedded
def test_t02_a_damaged_chunk_leaves_the_messages_whole(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with tiered(path) as memory:
        before = nodes(fill(memory.session("s"), 1, 60))
    assert harm(path, "kind = 'summary' AND first = 11") == 1
    with tiered(path) as memory:
        chat = memory.session("s")
        context = chat.context(LATER)
        assert len(shown(context, "summaries")) == 3
        assert seqs(context) == list(range(41, 61))
        assert [message.text for message in chat.history()] == [say(seq) for seq in range(1, 61)]
        chat.rebuild()
        assert nodes(chat) == before


@pytest.mark.embedded
def test_t02_a_damaged_mark_doubles_nothing(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with tiered(path) as memory:
        fill(memory.session("s"), 1, 60)
    assert harm(path, "kind = 'mark' AND plan <> 'learned'") == 1
    with tiered(path) as memory, tiered() as alone:
        chat = fill(memory.session("s"), 61, 75)
        assert nodes(chat) == nodes(fill(alone.session("s"), 1, 75))
        assert memory.check().ok


# t03: merging


def test_t03_more_than_the_most_and_the_oldest_two_merge() -> None:
    with tiered(options={"most": 3}) as memory:
        chat = fill(memory.session("s"), 1, 50)
        assert ranges(chat, level=2) == []
        fill(chat, 51, 51)
        (merged,) = chat.summaries(level=2)
        assert (merged.first, merged.last, merged.count, merged.version) == (1, 20, 20, 1)
        assert merged.text.startswith("Earlier: ")
        assert merged.text.count("Earlier:") == merged.text.count("Then:") == 1
        earlier, then = merged.text.removeprefix("Earlier: ").split(" Then: ")
        assert earlier
        assert then
        below = list(chat.summaries(level=1))
        assert set(merged.topics) <= {topic for node in below[:2] for topic in node.topics}
        assert len(set(merged.topics)) == len(merged.topics) > 0


def test_t03_each_half_says_what_its_chunk_said() -> None:
    with tiered(options={"most": 2}) as memory:
        chat = memory.session("s")
        for seq in range(1, 42):
            place = ("Lisbon", "Vienna", "Oslo", "Athens")[(seq - 1) // 10 % 4]
            chat.add("user", f"On day {seq} in {place} we visited museum {seq * 7} and paid {seq * 11} euros.")
        (merged,) = chat.summaries(level=2)
        earlier, then = merged.text.removeprefix("Earlier: ").split(" Then: ")
        assert "Lisbon" in earlier
        assert "Vienna" not in earlier
        assert "Vienna" in then
        assert "Lisbon" not in then


def test_t03_it_goes_on_merging_and_the_marks_do_not_pile_up() -> None:
    with tiered(options={"most": 3}) as memory:
        chat = fill(memory.session("s"), 1, 91)
        merged = list(chat.summaries(level=2))
        assert [(one.first, one.last, one.version) for one in merged] == [
            (1, 20, 1),
            (1, 30, 2),
            (1, 40, 3),
            (1, 50, 4),
            (1, 60, 5),
        ]
        for one in merged:
            assert one.text.count("Earlier:") == one.text.count("Then:") == 1
            assert one.count == one.last


def test_t03_the_prompt_shows_the_merged_one_and_those_after_it_each_message_once() -> None:
    with tiered(options={"most": 3}) as memory:
        chat = fill(memory.session("s"), 1, 91)
        context = chat.context(LATER)
        covers = [(one.first, one.last) for one in context.manifest if one.section == "summaries" and one.included]
        assert covers == [(1, 60), (61, 70), (71, 80)]
        assert seqs(context) == list(range(81, 92))


def test_t03_raw_messages_remain() -> None:
    with tiered(options={"most": 2}) as memory:
        chat = fill(memory.session("s"), 1, 100)
        assert [message.text for message in chat.history()] == [say(seq) for seq in range(1, 101)]
        assert len(ranges(chat, level=1)) == 8


def test_t03_fifty_by_default() -> None:
    with tiered(summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 520))
        chat.summarize()
        assert len(ranges(chat, level=1)) == 50
        assert ranges(chat, level=2) == []
        chat.add("user", say(521))
        chat.summarize()
        assert ranges(chat, level=2) == [(1, 20)]
        assert len(shown(chat.context(LATER), "summaries")) == 50


def test_t03_forgetting_a_merged_message_merges_again_without_it() -> None:
    with tiered(options={"most": 2}) as memory:
        chat = memory.session("s")
        for seq in range(1, 72):
            chat.add("user", "The secret word is xylophone." if seq == 12 else say(seq))
        chat.forget(12)
        after = nodes(chat)
        assert chat.due() == []
        chat.rebuild()
        assert nodes(chat) == after
        assert ranges(chat, level=2)[-1] == (1, 50)
        assert all("xylophone" not in one.text for one in chat.summaries())


# t12, t13: the budget


def test_t12_the_default_budget_and_its_reserves() -> None:
    with tiered() as memory:
        chat = memory.session("s")
        chat.add_many([("user", words(4996)) for _ in range(30)])  # 5000 each with what the chat format adds
        assert ranges(chat) == [(1, 10)]
        context = chat.context(LATER)
        assert context.budget == 128_000
        # 60 % of what 2000 for the system prompt and 8000 for the turn leave: 70 800, the question among it
        assert len(context.recent) == 14
        asked = next(one.tokens for one in context.manifest if one.kind == "question")
        assert sum(message.tokens + message.overhead for message in context.recent) + asked <= 70_800


def test_t12_all_shrink_in_proportion_in_a_smaller_budget() -> None:
    with tiered() as memory:
        chat = memory.session("s")
        chat.add_many([("user", words(496)) for _ in range(30)])  # 500 each
        assert len(chat.context(LATER, tokens=12_800).recent) == 14  # 60 % of 11 800 are 7080
        assert len(chat.context(LATER, tokens=6_400).recent) == 7  # 60 % of 5900 are 3540
        assert len(chat.context(LATER, tokens=1_600).recent) == 1
        for tokens in (12_800, 6_400, 1_600, 100):
            assert chat.context(LATER, tokens=tokens).tokens <= tokens


def test_t12_chunk_summaries_take_what_remains() -> None:
    with tiered(options={"learns": False}) as memory:
        chat = fill(memory.session("s"), 1, 250)
        few, all_of_them = chat.context(LATER, tokens=1_600), chat.context(LATER)
        assert len(shown(all_of_them, "summaries")) == 23
        assert 0 < len(shown(few, "summaries")) < 23
        newest = [chunk.id for chunk in chat.summaries()][-len(shown(few, "summaries")) :]
        assert shown(few, "summaries") == newest
        assert few.tokens <= 1_600


def test_t12_a_warning_where_the_system_prompt_is_over_its_reserve() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 5)
        chat.update(system=words(200))
        assert chat.context(LATER).warnings == ()
        assert chat.context(LATER, tokens=12_800).warnings == ()  # 200 are set aside
        chat.update(system=words(201))
        assert any("system prompt" in warning for warning in chat.context(LATER, tokens=12_800).warnings)
        assert chat.context(LATER).warnings == ()


def test_t12_a_warning_where_what_must_be_there_is_over() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 5)
        context = chat.context(words(500), tokens=200)
        assert context.tokens <= 200
        assert context.warnings


def test_t13_system_then_recent_then_chunks() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 60)
        chat.update(system="Be kind and brief.")
        assert len(seqs(chat.context(LATER))) == 20
        sizes = [(len(seqs(one)), len(shown(one, "summaries"))) for one in _shrinking(memory)]
        assert sizes[0] == (20, 4)
        assert sizes == sorted(sizes, reverse=True)
        for context in _shrinking(memory):
            assert seqs(context) == list(range(61 - len(seqs(context)), 61))  # the newest first
            assert "Be kind and brief." in str(context)


def _shrinking(memory: Memory) -> list[Any]:
    return [memory.session("s").context(LATER, tokens=tokens) for tokens in (4000, 1600, 1200, 900, 600, 400, 200)]


def test_t13_the_values_are_those_of_the_table() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 60)
        chat.update(system="Be kind.")
        manifest = chat.context(LATER).manifest
        value = {(one.section, one.first): one.value for one in manifest}
        assert value["system", 0] == 1.0
        recent = [value["recent", seq] for seq in range(60, 40, -1)]
        assert recent[0] == 0.9
        assert recent == sorted(set(recent), reverse=True)
        chunks = [value["summaries", first] for first in (31, 21, 11, 1)]
        assert chunks[0] == 0.5
        assert chunks == sorted(set(chunks), reverse=True)
        assert min(recent) > max(chunks)


# t20: from start to end


def test_t20_start_add_context_end_flush(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with tiered(path) as memory, memory.session("s") as chat:
        chat.update(title="The house")
        fill(chat, 1, 25)
        assert chat.context(LATER).messages()
        closing = chat.end()
        assert closing is not None
        assert chat.flush() is True
    with tiered(path) as memory:
        chat = memory.session("s")
        assert chat.conversation().status == "ended"
        assert closing in list(chat.summaries(plan="manual"))
        assert (closing.first, closing.last, closing.count) == (1, 25, 25)
        assert len(list(chat.history())) == 25
        assert ranges(chat) == [(1, 10)]


def test_t20_a_closing_summary_of_your_own() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 5)
        closing = chat.end("We agreed on the green paint.")
        assert closing is not None
        assert (closing.text, closing.locked, closing.method) == ("We agreed on the green paint.", True, "hand")
        chat.rebuild()
        assert [one.text for one in chat.summaries(plan="manual")] == ["We agreed on the green paint."]


def test_t20_nothing_was_said_nothing_to_close() -> None:
    with tiered() as memory:
        assert memory.session("s").end() is None
        assert memory.session("s").conversation().status == "ended"
        chat = fill(memory.session("t"), 1, 2)
        chat.forget(1, 2)
        assert chat.end() is None


def test_t20_flush_makes_what_is_due(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with tiered(path, summarize="manual") as memory:
        memory.session("s").add_many(talk(1, 45))
        memory.session("s").flush()
        assert list(memory.session("s").summaries()) == []  # by hand is by hand
    with tiered(path) as memory:
        memory.session("s").flush()
        assert ranges(memory.session("s")) == [(1, 10), (11, 20), (21, 30)]


def test_t20_an_ended_conversation_can_be_asked_for_again() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 12)
        chat.end()
        context = chat.context(LATER)
        assert seqs(context) == list(range(1, 13))
        with pytest.raises(NotFound):
            memory.forget(session="unknown")


def test_t12_the_profile_reports_four_characters_a_token_beside_the_exact_count() -> None:
    with tiered() as memory:
        chat = fill(memory.session("s"), 1, 30)
        context = chat.context(LATER)
        letters = sum(len(message["content"]) for message in context.messages())
        assert context.usage()["estimated"] == -(-letters // 4)
        assert context.usage()["used"] == context.tokens
