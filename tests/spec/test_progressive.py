"""What the progressive design says: p01 to p10, p12 to p14. (p01, p02: test_tokens.py; p05, p06: test_important.py.)"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest
import rs_bpe
from talk_tools import Clock, fill, harm, nodes, say, seqs, shown, talk, watched, words

from onrecord import Context, ImportantData, InvalidInput, Memory, Session
from onrecord.models import tokenizers

LATER = "What did we say about the house?"  # a question that is not saved
BANDS = {1: (100, 150), 2: (200, 250), 3: (300, 350), 4: (400, 450)}


def progressive(path: str | Path = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {
        "profile": "progressive",
        "summarize": "inline",
        "model": "gpt-4o-mini",
        "durability": "process",
    }
    return Memory(path, **given | more)


def versions(chat: Session) -> list[tuple[int, int]]:
    """Version and number of messages of each summary."""
    return [(one.version, one.last) for one in chat.summaries() if one.plan != "manual"]


def window(chat: Session) -> int:
    """Tokens of the messages that are not summarised."""
    compression = chat.compression()
    kept = chat.history(after=0 if compression is None else compression.summarized)
    return sum(message.tokens + message.overhead for message in kept)


# p01, p02: counting


@pytest.mark.parametrize(
    ("model", "encoding"), [("gpt-4o-mini", rs_bpe.openai.o200k_base), ("gpt-4", rs_bpe.openai.cl100k_base)]
)
def test_p01_a_prompt_is_counted_by_the_models_own_encoding(model: str, encoding: Callable[[], Any]) -> None:
    reference = encoding()
    with progressive(model=model) as memory:
        chat = fill(memory.session("s"), 1, 151)
        chat.update(system="Be kind.")
        for context in (chat.context(), chat.context(LATER), chat.context(LATER, tokens=700)):
            counted = 3 + sum(4 + len(reference.encode(one["content"])) for one in context.messages())
            first = next(one for one in context.messages() if one["role"] != "system")
            before = 0 if first["role"] == "user" else 5  # some formats need a user's turn before an answer
            assert context.tokens == counted + before
            assert context.exact


def test_p01_the_session_may_name_another_model() -> None:
    with progressive() as memory:
        chat = fill(memory.session("s"), 1, 11)
        chat.update(model="gpt-4")
        context = chat.context(LATER)
        assert context.encoding == "cl100k_base"
        counted = 3 + sum(4 + len(rs_bpe.openai.cl100k_base().encode(one["content"])) for one in context.messages())
        assert context.tokens == counted


def test_p02_where_counting_fails_prompts_are_built_by_an_estimate(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(vocabulary: str) -> object:
        raise OSError(f"{vocabulary} cannot be read")

    monkeypatch.setattr(tokenizers, "_encoder", broken)
    tokenizers._counter.cache_clear()
    try:
        with progressive() as memory:
            chat = memory.session("s")
            with pytest.warns(RuntimeWarning, match="cannot be counted"):
                chat.add("user", say(1))
            context = fill(chat, 2, 80).context(LATER)
    finally:
        tokenizers._counter.cache_clear()
    assert not context.exact
    assert any("estimate" in warning for warning in context.warnings)
    reference = rs_bpe.openai.o200k_base()
    assert 3 + sum(4 + len(reference.encode(one["content"])) for one in context.messages()) <= 3000


# p03, p04: when, and what stays


def test_p03_over_three_thousand_tokens_and_not_at_three_thousand() -> None:
    with progressive() as memory:
        chat, other = memory.session("s"), memory.session("t")
        for _ in range(30):  # 100 each with what the chat format adds
            chat.add("user", words(96))
        assert chat.compression() is None
        for _ in range(29):
            other.add("user", words(96))
        assert other.compression() is None
        other.add("user", words(97))
        assert other.compression() is not None
        chat.add("user", "x")
        assert chat.compression() is not None


def test_p03_the_system_prompt_counts() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        chat.update(system=words(1000))
        for _ in range(20):
            chat.add("user", words(96))
        assert chat.compression() is None
        chat.add("user", words(96))
        assert chat.compression() is not None


def test_p03_a_new_system_prompt_counts_from_the_next_message_on() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        for _ in range(20):
            chat.add("user", words(96))
        chat.update(system=words(1000))
        assert chat.compression() is None
        chat.add("user", words(96))
        assert chat.compression() is not None


def test_p03_what_is_covered_counts_no_more() -> None:
    with progressive() as memory:
        chat, fired = memory.session("s"), []
        for seq, (role, text) in enumerate(talk(1, 160), start=1):
            before = versions(chat)
            chat.add(role, text)
            if versions(chat) != before:
                fired.append(seq)
        assert fired[0] > 80
        gaps = [later - earlier for earlier, later in pairwise(fired)]
        assert min(gaps) >= 5  # not at every message
        assert window(chat) <= 2500


def test_p04_p15_the_newest_that_fit_1000_tokens_stay() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        for _ in range(31):
            chat.add("user", words(96))
        compression = chat.compression()
        assert compression is not None
        assert (compression.summarized, compression.keep_from) == (21, 22)
        assert window(chat) == 1000
        assert seqs(chat.context(LATER)) == list(range(22, 32))


def test_p04_fewer_where_the_system_prompt_takes_room() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        chat.update(system=words(1500))
        for _ in range(16):
            chat.add("user", words(96))
        compression = chat.compression()
        assert compression is not None
        assert compression.summarized == 9
        assert window(chat) == 700  # half of what is left, in whole messages


def test_p04_later_the_memory_takes_room_too() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        for seq, (role, text) in enumerate(talk(1, 160), start=1):
            before = versions(chat)
            chat.add(role, text)
            if versions(chat) != before:
                compression = chat.compression()
                assert compression is not None
                assert compression.summarized < seq
                assert window(chat) <= 2500
                assert chat.context(LATER).tokens <= 3000


def test_p04_one_message_over_the_window_stays_alone() -> None:
    with progressive() as memory:
        chat = fill(memory.session("s"), 1, 10)
        chat.add("user", words(2900))
        compression = chat.compression()
        assert compression is not None
        assert compression.summarized == 10
        assert [message.seq for message in chat.history(after=compression.summarized)] == [11]


def test_p04_the_figures_are_options() -> None:
    with progressive(options={"over": 300, "keep": 200}) as memory:
        chat = memory.session("s")
        for _ in range(4):
            chat.add("user", words(96))
        compression = chat.compression()
        assert compression is not None
        assert compression.summarized == 2


# p05, p06: important data


def small(path: str | Path = ":memory:", **more: Any) -> Memory:
    """Compresses soon and often."""
    return progressive(path, options={"over": 400, "keep": 150, "least": 50}, **more)


def test_p05_the_documents_example() -> None:
    with small() as memory:
        chat = memory.session("s")
        chat.add("user", "I prefer dark mode. My document should have sections for Introduction, Methods, Results.")
        chat.add("assistant", "Noted. I'll structure your document accordingly.")
        chat.add("user", "Important sources: https://example.com/paper1, https://example.com/paper2")
        chat.add("user", "The key finding is that X causes Y. This is critical for the paper.")
        assert not chat.important()
        fill(chat, 5, 25)
        data = chat.important()
        assert data.user_preferences == {"theme": "dark"}
        assert data.document_structure == {"sections": ["Introduction", "Methods", "Results"]}
        assert data.source_urls == ("https://example.com/paper1", "https://example.com/paper2")
        assert "X causes Y" in data.important_facts
        text = str(chat.context(LATER))
        for part in ("theme: dark", "Introduction, Methods, Results", "https://example.com/paper1", "X causes Y"):
            assert part in text


def test_p06_newer_wins_and_the_older_value_is_kept() -> None:
    with small() as memory:
        chat = memory.session("s")
        for number, theme in enumerate(("dark", "light")):
            chat.add("user", f"I prefer {theme} mode.")
            chat.add("user", f"See https://example.com/both and https://example.com/{theme}")
            fill(chat, 100 * number, 100 * number + 30)
        data = chat.important()
        assert data.user_preferences == {"theme": "light"}
        assert data.history == {"user_preferences.theme": ["dark"]}
        assert data.source_urls == (
            "https://example.com/both",
            "https://example.com/dark",
            "https://example.com/light",
        )


def test_p06_nothing_is_lost_over_many_rounds() -> None:
    with small() as memory:
        chat = memory.session("s")
        for seq in range(1, 41):
            chat.add("user", f"{say(seq)} See https://example.com/page{seq} for it.")
        compression = chat.compression()
        assert compression is not None
        assert compression.version > 10
        expected = tuple(f"https://example.com/page{seq}" for seq in range(1, compression.summarized + 1))
        assert chat.important().source_urls == expected
        assert compression.important == chat.important()
        chat.rebuild()
        assert chat.important().source_urls == expected


# p07: the summary


def test_p07_the_word_target_grows_with_the_version() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        for seq in range(1, 101):
            chat.add("user" if seq % 2 else "assistant", " ".join(say(5 * seq + part) for part in range(5)))
        found = {one.version: len(one.text.split()) for one in chat.summaries()}
        assert max(found) >= 6
        for version, count in found.items():
            least, most = BANDS.get(version, (500, 750))
            assert least <= count <= most, version


def test_p07_one_running_summary_rebuilt_from_the_old_one_and_the_new_messages() -> None:
    with progressive() as memory:
        chat = fill(memory.session("s"), 1, 150)
        found = versions(chat)
        assert [version for version, _ in found] == list(range(1, len(found) + 1))
        assert [last for _, last in found] == sorted({last for _, last in found})
        assert all(one.first == 1 and one.count == one.last for one in chat.summaries())
        assert shown(chat.context(LATER), "summaries") == [list(chat.summaries())[-1].id]


def test_p07_a_correction_is_carried_on_word_for_word() -> None:
    with small() as memory:
        chat = fill(memory.session("s"), 1, 20)
        text = "The user is allergic to penicillin."
        newest = list(chat.summaries())[-1]
        chat.edit_summary(newest.id, text)
        fill(chat, 21, 50)
        later = [one for one in chat.summaries() if one.version > newest.version]
        assert len(later) > 3
        assert all(one.text.startswith(text) for one in later)
        before = nodes(chat)
        chat.rebuild()
        assert nodes(chat) == before
        assert chat.compression() is not None
        assert text in str(chat.context(LATER))


def test_p07_made_again_from_the_start_a_corrected_version_loses_nothing_before_it() -> None:
    with small() as memory:
        chat = memory.session("s")
        for seq in range(1, 41):
            chat.add("user", f"{say(seq)} See https://example.com/page{seq} for it.")
        newest = list(chat.summaries())[-1]
        chat.edit_summary(newest.id, "The user is allergic to penicillin.")
        urls, before = chat.important().source_urls, versions(chat)
        chat.rebuild()
        assert chat.important().source_urls == urls
        assert versions(chat) == before
        assert list(chat.summaries())[-1].text == "The user is allergic to penicillin."


# p08: what is stored


def test_p08_what_is_stored(tmp_path: Path) -> None:
    clock = Clock()
    with progressive(tmp_path / "m.db", clock=clock) as memory:
        chat = fill(memory.session("s"), 1, 150)
        newest, end = list(chat.summaries())[-1], clock.now
    with progressive(tmp_path / "m.db") as memory:
        chat = memory.session("s")
        found = chat.compression()
        assert found is not None
        assert (found.summary, found.version, found.summarized) == (newest.text, newest.version, newest.last)
        assert found.keep_from == found.summarized + 1
        assert found.time == newest.time <= end
        assert found.important == chat.important()


def test_p08_important_data_can_be_replaced_and_cleared() -> None:
    with small() as memory:
        chat = memory.session("s")
        chat.add("user", "I prefer dark mode.")
        chat.add("user", "See https://example.com/old")
        fill(chat, 2, 30)
        assert chat.important().user_preferences == {"theme": "dark"}
        chat.set_important({"user_preferences": {"theme": "light"}, "custom_fields": {"client": "Ana"}})
        assert chat.important() == ImportantData(user_preferences={"theme": "light"}, custom_fields={"client": "Ana"})
        assert "theme: light" in str(chat.context(LATER))
        assert "https://example.com/old" not in [one.text for one in chat.context(LATER).manifest]
        chat.set_important({})
        assert not chat.important()
        assert shown(chat.context(LATER), "facts") == []
        chat.add("user", "I prefer high contrast mode. See https://example.com/new")
        fill(chat, 31, 60)
        assert chat.important().source_urls == ("https://example.com/new",)
        with pytest.raises(InvalidInput):
            chat.set_important({"unknown": []})


def test_p08_what_was_set_survives_a_rebuild_and_is_this_sessions_alone(tmp_path: Path) -> None:
    with small(tmp_path / "m.db") as memory:
        chat = fill(memory.session("s"), 1, 30)
        chat.set_important({"key_decisions": ["Paint it green"]})
        chat.rebuild()
    with small(tmp_path / "m.db") as memory:
        assert memory.session("s").important().key_decisions == ("Paint it green",)
        assert not memory.session("t").important()


def test_p08_the_summary_can_be_replaced() -> None:
    with small() as memory:
        chat = fill(memory.session("s"), 1, 20)
        newest = list(chat.summaries())[-1]
        chat.edit_summary(newest.id, "All of it is about a house.")
        compression = chat.compression()
        assert compression is not None
        assert compression.summary == "All of it is about a house."
        assert compression.summarized == newest.last


def test_p08_a_ranked_and_capped_part_goes_into_the_prompt() -> None:
    given = {"over": 400, "keep": 150, "least": 50, "facts": 3}
    with progressive(options=given) as memory:
        chat = memory.session("s")
        chat.add("user", "I prefer dark mode.")
        for seq in range(1, 41):
            chat.add("user", f"{say(seq)} See https://example.com/page{seq} for it.")
        assert len(chat.important().source_urls) > 20
        facts = [one for one in chat.context(LATER).manifest if one.section == "facts" and one.included]
        assert 0 < len(facts) <= 3
        assert any("theme: dark" in one.text for one in facts)


# p15: a round leaves room


def turn_of(seq: int) -> str:
    """150 words, as in the document's own script."""
    return " ".join([say(5 * seq + part) for part in range(5)]).rsplit(" ", 1)[0] + f" {seq}"


def test_p15_the_next_round_comes_ten_to_fifteen_messages_later() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        fired: list[int] = []
        for seq in range(1, 61):
            before = versions(chat)
            chat.add("user" if seq % 2 else "assistant", f"User message {seq}: " + "word " * 150)
            fired += [seq] * (versions(chat) != before)
    assert len(fired) == 4  # it was twenty
    assert all(abs(found - wanted) <= 3 for found, wanted in zip(fired, (20, 33, 45, 57), strict=True))


def test_p15_where_the_memory_fills_the_window_a_round_still_leaves_half_of_the_rest() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        chat.update(system=words(900))
        fired: list[int] = []
        for seq in range(1, 161):
            before = versions(chat)
            chat.add("user" if seq % 2 else "assistant", say(seq))
            fired += [seq] * (versions(chat) != before)
    assert min(later - earlier for earlier, later in pairwise(fired)) >= 8


@pytest.mark.parametrize("summarize", ["inline", "manual", "background"])
def test_p15_a_backlog_is_one_round(summarize: str) -> None:
    with progressive(summarize=summarize) as memory:
        chat = memory.session("s")
        chat.add_many([("user" if seq % 2 else "assistant", turn_of(seq)) for seq in range(1, 201)])
        assert chat.due() == ([] if summarize == "inline" else [(1, 194)])
        estimate = chat.estimate()
        memory.flush()
        made = chat.summarize().made
        (found,) = versions(chat)
        assert found == (1, 194)
        assert window(chat) <= 1000
        assert estimate.summaries == len(made) if summarize == "manual" else not made


def test_p15_a_long_backlog_takes_rounds_of_400_messages() -> None:
    with progressive(summarize="manual", options={"learns": False}) as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 1000))
        made = chat.summarize().made
        assert [one.version for one in made] == [1, 2, 3]
        assert chat.estimate().summaries == 0


def test_p15_a_rebuild_makes_the_same_rounds_again() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        for seq in range(1, 61):
            chat.add("user" if seq % 2 else "assistant", turn_of(seq))
        before = nodes(chat)
        assert len(before) > 3
        assert chat.rebuild() == len(before)
        assert nodes(chat) == before


# p09: no work for nothing


def test_p09_under_the_threshold_nothing_is_read() -> None:
    with progressive(options={"learns": False}) as memory:
        chat = memory.session("s")
        while chat.compression() is None:
            fill(chat, chat.info().last_seq + 1, chat.info().last_seq + 1)
        at = chat.info().last_seq
        with watched(memory) as work:
            fill(chat, at + 1, at + 3)
        assert work.size == 0
        assert chat.due() == []


def test_p09_the_next_round_reads_only_what_came_since_the_window(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with progressive(path) as memory:
        fill(memory.session("s"), 1, 150)
    with progressive(path) as memory:  # a memory that has not seen the earlier rounds
        chat = memory.session("s")
        for seq in range(151, 200):
            before = chat.compression()
            assert before is not None
            with watched(memory) as work:
                fill(chat, seq, seq)
            assert all(message.seq > before.summarized for message in work.messages)


# p10: the prompt


def test_p10_system_important_data_summary_recent_messages() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        chat.update(system="Be kind.")
        chat.add("user", "I prefer dark mode.")
        fill(chat, 2, 150)
        context = chat.context(LATER)
        text = str(context)
        newest = list(chat.summaries())[-1]
        parts = [
            "Be kind.",
            "# Important data",
            "theme: dark",
            "# Conversation summary",
            newest.text[:40],
            "# Recent messages",
            context.recent[0].text,
            say(150),
            LATER,
        ]
        places = [text.index(part) for part in parts]
        assert places == sorted(places)
        assert text.count("# ") == 3


def test_p10_under_three_thousand_after_compression_and_everything_shown_or_covered() -> None:
    with progressive() as memory:
        chat, first = memory.session("s"), True
        for seq in range(1, 201):
            before = versions(chat)
            fill(chat, seq, seq)
            if versions(chat) != before:
                context = chat.context(LATER)
                assert context.budget == 3000
                assert context.tokens < 3000
                assert seqs(context) == list(range(versions(chat)[-1][1] + 1, seq + 1))
                if first:
                    assert context.tokens < 1000 + window(chat)
                first = False


# p12: edges


def test_p12_no_messages() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        assert chat.compression() is None
        assert chat.due() == []
        assert chat.context().messages() == []
        assert chat.context(LATER).messages() == [{"role": "user", "content": LATER}]
        assert chat.summarize().made == ()
        assert chat.rebuild() == 0


def test_p12_one_message_over_the_whole_budget_is_cut_in_the_middle() -> None:
    with progressive() as memory:
        chat = memory.session("s")
        text = "The beginning is here. " + "And so it goes on. " * 2000 + "The end is here."
        chat.add("user", text)
        for context in (chat.context(), chat.context(LATER)):
            assert context.tokens <= 3000
            (turn,) = context.messages()
            assert turn["content"].startswith("The beginning is here.")
            assert turn["content"].removesuffix(f"\n\n{LATER}").endswith("The end is here.")
            assert " […] " in turn["content"]
            assert context.warnings
        assert next(chat.history()).text == text
        assert chat.compression() is None


@pytest.mark.embedded
def test_p12_damaged_data_are_reset_and_the_messages_kept(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with progressive(path) as memory:
        chat = fill(memory.session("s"), 1, 150)
        before, newest = nodes(chat), versions(chat)[-1]
    assert harm(path, f"kind = 'summary' AND last = {newest[1]}") == 1
    with progressive(path) as memory:
        chat = memory.session("s")
        assert not memory.check().ok
        assert [message.text for message in chat.history()] == [say(seq) for seq in range(1, 151)]
        context = chat.context(LATER)
        assert context.tokens <= 3000
        assert seqs(context)[-1] == 150
        compression = chat.compression()
        assert compression is not None
        assert compression.version == newest[0] - 1
        chat.summarize()
        assert nodes(chat)[:-1] == before[:-1]
        assert versions(chat)[-1][0] == newest[0]


@pytest.mark.embedded
def test_p12_damaged_data_are_told_of(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with progressive(path) as memory:
        chat = fill(memory.session("s"), 1, 150)
        chat.set_important({"key_decisions": ["Paint it green"]})
    assert harm(path, "kind IN ('summary', 'important')") > 1
    with progressive(path) as memory:
        chat = memory.session("s")
        context = chat.context(LATER)
        assert any("damaged" in warning for warning in context.warnings)
        assert len(list(chat.history())) == 150


@pytest.mark.embedded
def test_p12_all_of_it_damaged_and_made_again(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with progressive(path, options={"learns": False}) as memory:
        before = nodes(fill(memory.session("s"), 1, 150))
    assert harm(path, "1") == len(before) + 1
    with progressive(path, options={"learns": False}) as memory:
        chat = memory.session("s")
        assert chat.compression() is None
        assert not chat.important()
        assert chat.context(LATER).tokens <= 3000
        chat.add("user", say(151))
        (again,) = versions(chat)  # all that is there, in one round
        assert again[1] > before[-1][4]


def test_p12_two_requests_compress_at_once_and_there_is_one_result(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with (
        progressive(path, summarize="manual") as one,
        progressive(path, summarize="manual") as two,
    ):
        one.session("s").add_many(talk(1, 150))
        barrier = Barrier(4)

        def compress(number: int) -> int:
            barrier.wait()
            return len((one, two)[number % 2].session("s").summarize().made)

        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(compress, range(4)))
        assert sum(made) == len(nodes(one.session("s"))) == 1
        assert nodes(one.session("s")) == nodes(two.session("s"))


def test_p12_two_threads_add_to_one_session() -> None:
    with progressive() as memory:

        def add(number: int) -> int:
            return memory.session("s").add("user", f"{number}. {say(number)}").seq

        with ThreadPoolExecutor(4) as pool:
            assert sorted(pool.map(add, range(1, 151))) == list(range(1, 151))
        chat = memory.session("s")
        chat.summarize()
        found = versions(chat)
        assert [version for version, _ in found] == list(range(1, len(found) + 1))
        assert window(chat) <= 3000


# p13, p14


def test_p13_the_full_history_stays_readable() -> None:
    with progressive() as memory:
        chat = fill(memory.session("s"), 1, 200)
        assert [message.text for message in chat.history()] == [say(seq) for seq in range(1, 201)]


def test_p13_sessions_never_see_each_others_data(tmp_path: Path) -> None:
    with small(tmp_path / "m.db") as memory:
        for opened, name in ((memory, "other"), (memory.space("ana"), "s")):
            beside = opened.session(name)
            for number in range(25):
                beside.add("user", f"We decided to paint room {number} in secret green. I prefer dark mode.")
        chat = fill(memory.session("s"), 1, 30)
        assert "secret" not in str(chat.context(LATER)) + str(chat.important()) + str(nodes(chat))
        assert "dark" not in str(chat.important())
        assert "Lisbon" not in str(memory.session("other").context(LATER))


def test_p13_compressing_a_backlog_adds_a_bounded_delay_to_one_send(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with progressive(path, summarize="manual") as memory:
        memory.session("s").add_many(talk(1, 2000))
    with progressive(path) as memory:
        chat = memory.session("s")
        with watched(memory) as first:
            fill(chat, 2001, 2001)
        assert 0 < len(first.messages) <= 1200
        assert chat.info().last_seq == 2001


def test_p13_later_sends_read_as_little_as_before() -> None:
    with small() as memory:
        chat = memory.session("s")
        most: list[int] = []
        for part in range(4):
            most.append(0)
            for seq in range(25 * part + 1, 25 * part + 26):
                with watched(memory) as work:
                    fill(chat, seq, seq)
                    chat.context(LATER)
                most[-1] = max(most[-1], work.size)
        assert max(most[2:]) <= 1.5 * max(most[:2])


def test_p14_a_short_conversation_has_no_record_at_all(tmp_path: Path) -> None:
    with progressive(tmp_path / "m.db", options={"learns": False}) as memory:
        chat = fill(memory.session("s"), 1, 20)
        context: Context = chat.context(LATER)
        chat.flush()
        assert chat.compression() is None
        assert list(chat.summaries()) == []
        assert not chat.important()
        assert memory.check().records == 0
        assert [one["content"] for one in context.messages()] == [*(say(seq) for seq in range(1, 21)), LATER]


def test_p08_all_of_it_can_be_cleared(tmp_path: Path) -> None:
    with progressive(tmp_path / "m.db") as memory:
        chat = fill(memory.session("s"), 1, 150)
        pin = chat.pin("Stays")
        chat.set_important({"key_decisions": ["Paint it green"]})
        before = len(list(chat.summaries()))
        assert chat.clear() == before + 1
        assert (chat.compression(), list(chat.summaries()), bool(chat.important())) == (None, [], False)
        assert [one.id for one in chat.pins()] == [pin.id]
        assert len(list(chat.history())) == 150
        assert len(chat.summarize().made) == 1
