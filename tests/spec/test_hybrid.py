"""What the hybrid design says: h01 to h11, h15, h17 to h19. (h05, h06 and h08 of messages: test_journal.py.)"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import rs_bpe
from talk_tools import Clock, broken, fill, harm, nodes, ranges, say, seqs, shown, talk

from onrecord import Context, InvalidInput, Memory, NotFound, Session, StoreError
from onrecord.derive.keyword import keyword_summary
from onrecord.policy.estimates import three_quarters
from onrecord.profiles import PROFILES

LATER = "What did we say about the house?"  # a question that is not saved
ENCODING = rs_bpe.openai.o200k_base()


def hybrid(path: str | Path = ":memory:", **more: Any) -> Memory:
    given: dict[str, Any] = {"profile": "hybrid", "summarize": "inline", "durability": "process"}
    return Memory(path, **given | more)


@pytest.fixture(name="memory")
def a_memory() -> Iterator[Memory]:
    with hybrid(clock=Clock()) as memory:
        yield memory


def long(seq: int, size: int = 400) -> str:
    """A message of exactly so many characters."""
    return (f"{seq}: " + say(seq) * size)[:size]


def estimated(context: Context, chat: Session) -> int:
    """The prompt by the design's own estimate: messages, pins and summaries, each rounded up."""
    texts = [message.text for message in context.recent]
    texts += [pin.text for pin in chat.pins() if pin.id in shown(context, "pins")]
    texts += [one.text for one in chat.summaries() if one.id in shown(context, "summaries")]
    return sum(map(three_quarters, texts))


def summary(chat: Session, first: int, last: int, text: str) -> str:
    """A summary of a range with a given text; answers its id."""
    (made,) = chat.summarize(first, last).made
    return chat.edit_summary(made.id, text).id


# h01, h02: what is in a prompt


def test_h01_eight_messages_five_pins_three_summaries(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 61)
    pins = [chat.pin(f"Pin number {number}", importance=number / 10) for number in range(1, 8)]
    context = chat.context(LATER)
    assert context.budget == 3000
    assert seqs(context) == [54, 55, 56, 57, 58, 59, 60, 61]
    assert set(shown(context, "pins")) == {pin.id for pin in pins[2:]}
    assert shown(context, "summaries") == [one.id for one in chat.summaries()][1:]
    assert [(one.first, one.last) for one in context.manifest if one.section == "summaries"] == [
        (16, 30),
        (31, 45),
        (46, 60),
    ]


def test_h01_fewer_of_each_where_there_are_fewer(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 3)
    pin = chat.pin("The only pin")
    context = chat.context(LATER)
    assert seqs(context) == [1, 2, 3]
    assert shown(context, "pins") == [pin.id]
    assert shown(context, "summaries") == []


def test_h01_the_total_is_what_the_prompt_has(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 61)
    chat.pin("Allergic to penicillin")
    context = chat.context("And who paid?")
    counted = 3 + sum(4 + len(ENCODING.encode(one["content"])) for one in context.messages())
    assert counted <= context.tokens <= counted + 5  # some formats need a user's turn before the first answer
    assert context.usage()["used"] == context.tokens


def test_h01_pins_come_by_importance_then_newest(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 2)
    made = [chat.pin(f"Pin {number}", importance=0.5) for number in range(6)]
    best = chat.pin("Best", importance=0.6)
    assert set(shown(chat.context(LATER), "pins")) == {best.id, *(pin.id for pin in made[2:])}


def test_h01_the_figures_are_options() -> None:
    with hybrid(options={"recent": 4, "pins": 2, "summaries": 1, "tokens": 2000}) as memory:
        chat = fill(memory.session("s"), 1, 61)
        for number in range(4):
            chat.pin(f"Pin number {number}")
        context = chat.context(LATER)
        assert context.budget == 2000
        assert seqs(context) == [58, 59, 60, 61]
        assert (len(shown(context, "pins")), len(shown(context, "summaries"))) == (2, 1)


def test_h01_no_message_is_shown_twice(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 61)
    context = chat.context(LATER)
    as_said = {message.id for message in context.recent}
    assert as_said.isdisjoint(shown(context, "earlier"))
    for seq in range(54, 62):
        assert str(context).count(say(seq)) == 1


def test_h01_nothing_of_other_sessions_and_spaces(tmp_path: Path) -> None:
    with hybrid(tmp_path / "m.db") as memory:
        for space, name in (("default", "other"), ("ana", "s")):
            beside = memory.space(space).session(name)
            beside.add_many([("user", f"Secret {number} of {space}") for number in range(40)])
            beside.pin("Secret pin")
        chat = fill(memory.session("s"), 1, 40)
        assert "Secret" not in str(chat.context(LATER))
        assert ranges(chat) == [(1, 15), (16, 30)]
        assert chat.pins() == []
        assert "Lisbon" not in str(memory.space("ana").session("s").context(LATER))


def test_h02_the_message_being_answered_is_no_recent_message(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 13)
    context = chat.context()
    assert context.question == say(13)
    assert seqs(context) == [5, 6, 7, 8, 9, 10, 11, 12]
    assert context.messages()[-1] == {"role": "user", "content": say(13)}
    assert str(context).count(say(13)) == 1
    assert chat.context(say(13)).messages() == context.messages()


def test_h02_a_question_that_is_not_saved_leaves_all_newest_in(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 13)
    context = chat.context(LATER)
    assert seqs(context) == [6, 7, 8, 9, 10, 11, 12, 13]
    assert context.messages()[-1]["content"] == f"{say(13)}\n\n{LATER}"
    assert chat.info().last_seq == 13


# h03, h04: over the limit


def test_h03_over_the_limit_exactly_the_three_newest_stay(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([("user", long(seq)) for seq in range(1, 13)])
    context = chat.context(LATER, tokens=1500)
    assert seqs(context) == [10, 11, 12]
    assert context.tokens <= 1500


def test_h03_fewer_than_three_where_there_are_fewer(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([("user", long(seq, 4000)) for seq in (1, 2)])
    assert seqs(chat.context(LATER)) == [1, 2]


def test_h03_the_three_are_there_even_where_the_estimate_is_over() -> None:
    with hybrid(options={"refill": False}) as memory:
        chat = memory.session("s")
        chat.add_many([("user", long(seq, 1600)) for seq in range(1, 9)])
        pin = chat.pin("Too much already")
        context = chat.context(LATER)
        assert seqs(context) == [6, 7, 8]
        assert estimated(context, chat) == 3600
        assert pin.id not in shown(context, "pins")


def test_h03_the_limit_itself_is_not_over() -> None:
    with hybrid(options={"refill": False}) as memory:
        chat = memory.session("s")
        chat.add_many([("user", long(seq, 500)) for seq in range(1, 9)])
        assert seqs(chat.context(LATER, tokens=3000)) == [1, 2, 3, 4, 5, 6, 7, 8]
        assert seqs(chat.context(LATER, tokens=2999)) == [6, 7, 8]


def test_h03_pins_by_importance_while_the_sum_is_under_the_limit() -> None:
    with hybrid(options={"refill": False}) as memory:
        chat = memory.session("s")
        chat.add_many([("user", long(seq)) for seq in range(1, 9)])  # 300 each: 900 for the three
        last = chat.pin("c" * 396, importance=0.7)  # 297: 1497
        skipped = chat.pin("b" * 400, importance=0.8)  # 300: 1500, which is not under 1500
        first = chat.pin("a" * 400, importance=0.9)  # 300: 1200
        context = chat.context(LATER, tokens=1500)
        assert set(shown(context, "pins")) == {first.id, last.id}
        assert estimated(context, chat) == 1497
        (why,) = [one for one in context.manifest if one.id == skipped.id]
        assert not why.included
        assert "room" in why.reason
        assert skipped.id in shown(chat.context(LATER, tokens=1501), "pins")


def test_h03_a_summary_that_does_not_fit_is_skipped_and_an_older_smaller_one_fits() -> None:
    with hybrid(options={"refill": False}) as memory:
        chat = memory.session("s")
        chat.add_many([("user", long(seq)) for seq in range(1, 13)])
        oldest = summary(chat, 1, 2, "Small and old. " * 10)
        middle = summary(chat, 3, 4, "Far too long for it. " * 80)
        newest = summary(chat, 5, 6, "Small and new. " * 10)
        context = chat.context(LATER, tokens=1500)
        assert shown(context, "summaries") == [oldest, newest]
        assert middle not in shown(context, "summaries")
        assert seqs(context) == [10, 11, 12]
        assert str(context).index("Small and old") < str(context).index("Small and new")


def test_h03_pins_go_before_summaries() -> None:
    with hybrid(options={"refill": False}) as memory:
        chat = memory.session("s")
        chat.add_many([("user", long(seq)) for seq in range(1, 13)])
        summary(chat, 1, 2, "s" * 600)  # 450
        pins = {chat.pin(letter * 300, importance=0.1).id for letter in "ab"}  # 225 each
        context = chat.context(LATER, tokens=1400)
        assert set(shown(context, "pins")) == pins
        assert shown(context, "summaries") == []


def test_h03_room_left_goes_to_older_messages_by_importance(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([{"role": "user", "text": long(seq, 900), "importance": seq % 10 / 10} for seq in range(1, 14)])
    context = chat.context(LATER, tokens=2600)  # the three newest take 2025 of it
    assert seqs(context) == [11, 12, 13]
    earlier = [one for one in context.manifest if one.section == "earlier"]
    taken = [one for one in earlier if one.included]
    assert taken
    assert {one.first for one in taken} == set(sorted(range(1, 10), reverse=True)[: len(taken)])
    assert [one.first for one in taken] == sorted(one.first for one in taken)
    assert context.tokens <= 2600


def test_h03_the_refill_can_be_turned_off() -> None:
    for refill in (True, False):
        with hybrid(options={"refill": refill}) as memory:
            chat = memory.session("s")
            chat.add_many([("user", long(seq, 500)) for seq in range(1, 14)])
            context = chat.context(LATER, tokens=2600)
            assert bool(shown(context, "earlier")) is refill
            assert seqs(context) == [11, 12, 13]


def test_h03_the_budget_wins_over_the_three_newest(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([("user", long(seq, 4000)) for seq in range(1, 9)])
    context = chat.context(LATER, tokens=300)
    assert context.tokens <= 300
    assert seqs(context) == [6, 7, 8]
    assert all(" […] " in message.text for message in context.recent[:1])
    assert context.question == LATER
    assert context.warnings


def test_h04_the_estimate_decides_and_the_exact_count_is_an_option() -> None:
    for estimate, expected in ((True, [6, 7, 8]), (False, [1, 2, 3, 4, 5, 6, 7, 8])):
        with hybrid(options={"estimate": estimate}) as memory:
            chat = memory.session("s")
            chat.add_many([("user", long(seq, 600)) for seq in range(1, 9)])  # 450 each, about 130 in truth
            context = chat.context(LATER)
            assert seqs(context) == expected
            assert context.tokens < 2000
            assert (estimated(context, chat) < 3000) is estimate


def test_h04_each_text_is_rounded_up_by_itself() -> None:
    with hybrid(options={"refill": False}) as memory:
        chat = memory.session("s")
        chat.add_many([("user", long(seq, 101)) for seq in range(1, 9)])  # 75.75 each
        assert len(seqs(chat.context(LATER, tokens=608))) == 8
        assert len(seqs(chat.context(LATER, tokens=607))) == 3


# h05, h06: importance


@pytest.mark.parametrize(
    ("text", "score"),
    [
        ("How do I fix this error in my function? Here's the code:\n```typescript\nfunction f() {}\n```", 0.95),
        ("Look at this function", 0.65),
        ("x" * 200, 0.5),
        ("x" * 201, 0.6),
        ("Somehow it works", 0.5),
        ("However it works", 0.7),  # "how" at the start, whatever follows
    ],
)
def test_h05_the_documents_examples(memory: Memory, text: str, score: float) -> None:
    assert memory.session("s").add("user", text).importance == score


def test_h06_a_whole_session_is_scored_again_in_one_call(tmp_path: Path) -> None:
    with Memory(tmp_path / "m.db", profile="rolling") as memory:
        for name in ("s", "other"):
            memory.session(name).add_many([("user", "A classic."), ("user", "Thanks!"), ("user", "Why?")])
    with hybrid(tmp_path / "m.db") as memory:
        assert memory.session("s").rescore() == 1
        assert memory.session("s").rescore() == 0
        assert [one.importance for one in memory.session("other").history()] == [0.5, 0.5, 0.7]
    with hybrid(tmp_path / "m.db") as memory:
        assert [one.importance for one in memory.session("s").history()] == [0.65, 0.5, 0.7]


def test_h06_scores_from_outside_are_clamped(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 4)
    chat.rescore({1: 7, 2: -3, 3: 0.25})
    assert [one.importance for one in chat.history()] == [1.0, 0.0, 0.25, 0.55]
    for wrong in ({1: float("nan")}, {0: 0.5}):
        with pytest.raises(InvalidInput):
            chat.rescore(wrong)


def test_h06_only_messages_that_are_there_are_scored(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 2)
    before = [one.importance for one in chat.history()]
    with pytest.raises(NotFound, match="no message 99"):
        chat.rescore({1: 0.9, 99: 0.9})
    assert [one.importance for one in chat.history()] == before


def test_h06_new_scores_are_in_the_next_prompt(memory: Memory) -> None:
    chat = memory.session("s")
    chat.add_many([("user", long(seq, 900)) for seq in range(1, 14)])
    chat.context(LATER, tokens=2600)
    chat.rescore({4: 1.0})
    context = chat.context(LATER, tokens=2600)
    assert 4 in [one.first for one in context.manifest if one.section == "earlier" and one.included]


# h07, h08: pins and ids


def test_h07_a_pin_has_defaults(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 2)
    pin = chat.pin("Allergic to penicillin")
    assert (pin.text, pin.source, pin.importance, pin.type) == ("Allergic to penicillin", None, 0.8, "manual")
    assert pin.tokens == len(ENCODING.encode(pin.text))
    assert chat.pins() == [pin]


def test_h07_a_pin_may_have_a_source_and_a_type(memory: Memory) -> None:
    chat = memory.session("s")
    receipt = chat.add("user", "def f(): pass")
    for source in (receipt.seq, receipt.id):
        assert chat.pin("f", source=source, type="code").source == 1
    assert {chat.pin("x", type=kind).type for kind in ("manual", "auto", "code", "concept", "system")} == {
        "manual",
        "auto",
        "code",
        "concept",
        "system",
    }


def test_h07_pins_are_checked(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 2)
    with pytest.raises(InvalidInput):
        chat.pin("x", type="other")  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        chat.pin("  ")
    with pytest.raises(NotFound):
        chat.pin("x", source=3)
    with pytest.raises(NotFound):
        chat.unpin("pin_none")
    assert (chat.pin("x", importance=5).importance, chat.pin("x", importance=-1).importance) == (1.0, 0.0)


def test_h07_pins_are_listed_by_importance_then_newest(tmp_path: Path) -> None:
    with hybrid(tmp_path / "m.db", clock=Clock()) as memory:
        chat = memory.session("s")
        for text, importance in (("a", 0.5), ("b", 0.9), ("c", 0.5), ("d", 0.9), ("e", 0.1)):
            chat.pin(text, importance=importance)
    with hybrid(tmp_path / "m.db") as memory:
        chat = memory.session("s")
        assert [pin.text for pin in chat.pins()] == ["d", "b", "c", "a", "e"]
        chat.unpin(chat.pins()[0].id)
        assert [pin.text for pin in chat.pins()] == ["b", "c", "a", "e"]


@pytest.mark.embedded
def test_h07_a_damaged_pin_is_left_out_and_the_others_stay(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with hybrid(path) as memory:
        chat = fill(memory.session("s"), 1, 4)
        gone, kept = chat.pin("The one here"), chat.pin("The other here")
    assert harm(path, f"key = '{gone.id}'") == 1
    with hybrid(path) as memory:
        chat = memory.session("s")
        assert chat.pins() == [kept]
        assert shown(chat.context(LATER), "pins") == [kept.id]
        assert not memory.check().ok
        assert len(list(chat.history())) == 4


def test_h07_a_pin_goes_with_the_message_it_comes_from(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 4)
    chat.pin("from the second", source=2)
    kept = chat.pin("from none")
    chat.forget(2)
    assert chat.pins() == [kept]
    assert "from the second" not in str(chat.context(LATER))


def test_h08_ids_name_their_kind_and_sort_by_time(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 60)
    pins = [chat.pin("x").id for _ in range(20)]
    asked = [chat.summarize(seq, seq + 1).made[0].id for seq in range(1, 20)]
    planned = [one.id for one in chat.summaries(plan="flat-15")]
    for ids, kind in ((pins, "pin"), (asked, "summary"), (planned, "summary")):
        assert ids == sorted(ids)
        assert len(set(ids)) == len(ids)
        assert all(id.split("_")[0] == kind and len(id.split("_")) == 3 for id in ids)


def test_h08_ids_are_unique_under_concurrency(tmp_path: Path) -> None:
    with hybrid(tmp_path / "m.db") as one, hybrid(tmp_path / "m.db") as two:
        one.session("s").add("user", "x")
        with ThreadPoolExecutor(8) as pool:
            made = list(pool.map(lambda number: (one, two)[number % 2].session("s").pin("x").id, range(60)))
        assert len(set(made)) == 60
        assert {pin.id for pin in one.session("s").pins()} == set(made)


# h09 to h11: summaries


@pytest.mark.parametrize(("count", "due"), [(0, []), (14, []), (15, [(1, 15)]), (29, [(1, 15)])])
def test_h09_due_from_fifteen_messages_on(count: int, due: list[tuple[int, int]]) -> None:
    with hybrid(summarize="manual") as memory:
        chat = fill(memory.session("s"), 1, count)
        assert chat.due() == due
        assert list(chat.summaries()) == []


def test_h09_again_fifteen_messages_after_the_covered_range() -> None:
    with hybrid(summarize="manual") as memory:
        chat = fill(memory.session("s"), 1, 20)
        chat.summarize()
        fill(chat, 21, 29)
        assert chat.due() == []
        chat.add("user", say(30))
        assert chat.due() == [(16, 30)]


def test_h09_what_was_asked_for_by_hand_moves_nothing() -> None:
    with hybrid(summarize="manual") as memory:
        chat = fill(memory.session("s"), 1, 15)
        chat.summarize(1, 15)
        assert chat.due() == [(1, 15)]


def test_h10_each_covers_the_next_fifteen(memory: Memory) -> None:
    chat = memory.session("s")
    for seq, (role, text) in enumerate(talk(1, 61), start=1):
        chat.add(role, text)
        assert ranges(chat) == [(15 * n + 1, 15 * n + 15) for n in range(seq // 15)]


@pytest.mark.parametrize("sizes", [[47], [1, 46], [14, 1, 1, 31], [16, 14, 17]])
def test_h10_when_it_runs_does_not_matter(sizes: list[int]) -> None:
    with hybrid(summarize="manual") as memory, hybrid() as other:
        chat, at = memory.session("s"), 0
        for size in sizes:
            chat.add_many(talk(at + 1, at + size))
            chat.summarize()
            at += size
        assert ranges(chat) == [(1, 15), (16, 30), (31, 45)]
        assert nodes(chat) == nodes(fill(other.session("s"), 1, 47))


def test_h10_below_the_threshold_nothing_happens_and_the_call_says_so() -> None:
    with hybrid(summarize="manual") as memory:
        chat = fill(memory.session("s"), 1, 14)
        answer = chat.summarize()
        assert answer.made == ()
        assert "14" in answer.note
        assert list(chat.summaries()) == []
        assert memory.session("unknown").summarize().made == ()
        chat.add("user", say(15))
        (made,) = chat.summarize().made
        assert (made.first, made.last) == (1, 15)
        again = chat.summarize()
        assert again.made == ()
        assert again.note


def test_h10_a_range_can_be_asked_for(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 20)
    (made,) = chat.summarize(3, 7).made
    assert (made.first, made.last, made.count, made.plan) == (3, 7, 5, "manual")
    assert made.text
    assert [one.id for one in chat.summaries(plan="manual")] == [made.id]
    (rest,) = chat.summarize(18, 500).made
    assert (rest.first, rest.last) == (18, 20)
    assert ranges(chat) == [(1, 15)]


def test_h10_an_empty_range_has_a_clear_answer(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 20)
    with pytest.raises(InvalidInput, match="empty"):
        chat.summarize(7, 3)
    with pytest.raises(InvalidInput):
        chat.summarize(0, 3)
    with pytest.raises(NotFound, match="21 to 30"):
        chat.summarize(21, 30)
    chat.forget(4, 5)
    with pytest.raises(NotFound):
        chat.summarize(4, 5)


def test_h10_a_range_goes_with_a_message_that_is_forgotten(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 20)
    gone = summary(chat, 3, 7, "About the boiler.")
    (kept,) = chat.summarize(8, 12).made
    chat.forget(5)
    assert [one.id for one in chat.summaries(plan="manual")] == [kept.id] != [gone]
    assert "About the boiler." not in str(chat.context(LATER))


def test_h10_two_threads_at_once_make_each_summary_once(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with hybrid(path, summarize="manual") as one, hybrid(path, summarize="manual") as two:
        one.session("s").add_many(talk(1, 200))
        with ThreadPoolExecutor(4) as pool:
            made = list(pool.map(lambda number: (one, two)[number % 2].session("s").summarize().made, range(4)))
        assert sum(map(len, made)) == 13
        assert ranges(one.session("s")) == [(15 * n + 1, 15 * n + 15) for n in range(13)]


@pytest.mark.embedded
def test_h10_another_process_goes_on_where_this_one_stopped(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    script = (
        "import sys; from onrecord import Memory\n"
        "with Memory(sys.argv[1], profile='hybrid', summarize='inline') as memory:\n"
        "    chat = memory.session('s')\n"
        "    for number in range(12): chat.add('user', f'The other process said {number}.')\n"
        "    chat.pin('Pinned over there')\n"
    )
    with hybrid(path) as memory:
        chat = fill(memory.session("s"), 1, 20)
        chat.context(LATER)
        subprocess.run([sys.executable, "-c", script, str(path)], check=True, timeout=60)
        assert ranges(chat) == [(1, 15), (16, 30)]
        context = chat.context(LATER)
        assert seqs(context) == list(range(25, 33))
        assert "Pinned over there" in str(context)
        fill(chat, 33, 45)
        assert ranges(chat) == [(1, 15), (16, 30), (31, 45)]


def test_h11_a_summary_stores_what_it_is_made_of(tmp_path: Path) -> None:
    with hybrid(tmp_path / "m.db", clock=Clock()) as memory:
        fill(memory.session("s"), 1, 15)
        newest = [one.time for one in memory.session("s").history()][-1]
    with hybrid(tmp_path / "m.db") as memory:
        (made,) = memory.session("s").summaries()
    assert (made.first, made.last, made.count, made.importance) == (1, 15, 15, 0.7)
    assert made.time > newest
    assert made.session == "s"
    assert made.tokens == len(ENCODING.encode(made.text))
    assert "euros" in made.text
    assert made.method == "extractive"
    assert made.model is None


def test_h11_forgotten_messages_do_not_count(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 15)
    chat.forget(2, 9)
    (made,) = chat.summaries()
    assert (made.first, made.last, made.count) == (1, 15, 13)
    assert "13 euros" not in made.text.replace("113", "").replace("213", "") or say(2) not in made.text


@pytest.mark.embedded
def test_h11_a_damaged_summary_is_left_out_and_made_again(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with hybrid(path, options={"learns": False}) as memory:
        before = nodes(fill(memory.session("s"), 1, 40))
    assert harm(path, "first = 1") == 1
    with hybrid(path, options={"learns": False}) as memory:
        chat = memory.session("s")
        assert ranges(chat) == [(16, 30)]
        assert len(list(chat.history())) == 40
        assert chat.context(LATER).messages()
        assert not memory.check().ok
        chat.rebuild()
        assert nodes(chat) == before
        assert memory.check().ok


def test_h11_a_locked_summary_whose_message_is_forgotten_is_made_again(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 30)
    chat.edit_summary(next(chat.summaries()).id, "A person wrote this about message three.")
    chat.forget(3)
    chat.summarize()
    assert ranges(chat) == [(1, 15), (16, 30)]
    assert all("A person wrote this" not in one.text for one in chat.summaries())


# h15: the summary that needs nothing


def test_h15_counts_per_role_and_up_to_three_topics() -> None:
    turns = [
        ("user", "I need help with my database"),
        ("assistant", "A poem about music and stories?"),
        ("user", "The API gives an error"),
    ]
    text = keyword_summary(turns)
    assert "3 messages" in text
    assert "2 user" in text
    assert "1 assistant" in text
    assert "database, help/explanation, API" in text
    assert "troubleshooting" not in text
    assert "poetry" not in text
    assert keyword_summary(turns) == text


@pytest.mark.parametrize(
    ("word", "topic"),
    [
        ("programming", "programming"),
        ("SQL", "database"),
        ("endpoint", "API"),
        ("a bug", "troubleshooting"),
        ("a verse", "poetry"),
        ("narrative", "creative writing"),
        ("lyrics", "music"),
        ("how to", "help/explanation"),
        ("a project", "project work"),
        ("why", "Q&A"),
    ],
)
def test_h15_each_topic_of_the_table(word: str, topic: str) -> None:
    assert topic in keyword_summary([("user", word)])
    assert topic not in keyword_summary([("assistant", word)])


def test_h15_without_a_topic_the_first_and_last_user_message() -> None:
    first, last = "Good morning everyone over there, nice day", "See you soon, and thanks again for all of it"
    text = keyword_summary([("user", first), ("assistant", "Hello"), ("user", "In between"), ("user", last)])
    assert first[:30] in text
    assert last[:30] in text
    assert first[:31] not in text
    assert last[:31] not in text
    assert "In between" not in text


def test_h15_it_is_what_a_session_gets_where_nothing_can_be_extracted(memory: Memory) -> None:
    chat = memory.session("s")
    for _ in range(15):
        chat.add("user", "…", name="Ana")
    (made,) = chat.summaries()
    assert made.method == "keyword"
    assert "15 user" in made.text
    assert "Ana" not in made.text
    assert "…" in made.text


# h17: nothing stale


def test_h17_a_write_is_in_the_next_prompt(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 14)
    assert len(chat.context(LATER).recent) == 8
    chat.add("user", "The fifteenth")
    context = chat.context(LATER)
    assert context.recent[-1].text == "The fifteenth"
    assert len(shown(context, "summaries")) == 1
    pin = chat.pin("A pin")
    assert shown(chat.context(LATER), "pins") == [pin.id]
    chat.unpin(pin.id)
    assert shown(chat.context(LATER), "pins") == []
    (made,) = chat.summaries()
    chat.edit_summary(made.id, "Corrected by hand.")
    assert "Corrected by hand." in str(chat.context(LATER))
    chat.update(system="Be kind.")
    assert str(chat.context(LATER)).startswith("Be kind.")
    chat.forget(15)
    assert "The fifteenth" not in str(chat.context(LATER))
    assert chat.info().last_seq == 15


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_h17_what_another_memory_wrote_is_in_the_next_prompt(tmp_path: Path, profile: str) -> None:
    path = tmp_path / "m.db"
    with hybrid(path, profile=profile) as one, hybrid(path, profile=profile) as two:
        mine, theirs = one.session("s"), two.session("s")
        fill(mine, 1, 5)
        for seq in range(6, 40):
            mine.context(LATER)
            theirs.add("user", f"Said over there: {seq}")
            assert f"Said over there: {seq}" in str(mine.context(LATER))
        theirs.pin("Pinned over there")
        assert "Pinned over there" in str(mine.context(LATER))
        theirs.forget(39)
        assert "Said over there: 39" not in str(mine.context(LATER))
        assert nodes(mine) == nodes(theirs)


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_h17_nothing_stale_with_many_threads(profile: str) -> None:
    with hybrid(profile=profile) as memory:
        chat = fill(memory.session("s"), 1, 5)

        def turn(number: int) -> tuple[int, Context]:
            return chat.add("user", f"Thread turn {number}").seq, chat.context(f"Answer {number}")

        with ThreadPoolExecutor(4) as pool:
            for seq, context in pool.map(turn, range(40)):
                newest = seqs(context)[-1]
                assert newest >= seq
                assert seqs(context) == list(range(seqs(context)[0], newest + 1))
                assert "\n\nAnswer" in context.messages()[-1]["content"]


def test_h17_a_session_that_was_forgotten_and_begun_again(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 20)
    chat.pin("Old pin")
    chat.context(LATER)
    memory.forget(session="s")
    fill(chat, 101, 120)
    context = chat.context(LATER)
    assert [message.text for message in context.recent] == [say(seq) for seq in range(113, 121)]
    assert "Old pin" not in str(context)


def test_h17_what_is_at_hand_is_bounded(memory: Memory) -> None:
    for number in range(300):
        chat = memory.session(f"s{number}")
        chat.add("user", "x")
        chat.context()
    assert len(memory._parts.builder._shelves._held) <= 256


# h18: a prompt in any case


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_h18_where_derived_records_cannot_be_read_the_newest_ten_stand_alone(profile: str) -> None:
    with hybrid(profile=profile) as memory:
        chat = fill(memory.session("s"), 1, 60)
        chat.pin("A pin")
        with broken(memory._store, StoreError("The table is broken.", "Run `onrecord doctor`.")):
            context = chat.context(LATER)
            assert seqs(context) == list(range(51, 61))
            assert any("The table is broken." in warning for warning in context.warnings)
            assert "A pin" not in str(context)
            assert context.question == LATER


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_h18_all_is_there_again_when_it_can_be_read_again(profile: str) -> None:
    with hybrid(profile=profile) as memory, hybrid(profile=profile) as other:
        chat, same = fill(memory.session("s"), 1, 120), fill(other.session("s"), 1, 120)
        with broken(memory._store, StoreError("The table is broken.", "Run `onrecord doctor`.")):
            assert chat.context(LATER).warnings
        context = chat.context(LATER)
        assert not any("could not be read" in warning for warning in context.warnings)
        assert context.messages() == same.context(LATER).messages()


def test_h18_neither_when_it_breaks_between_two_reads() -> None:
    with hybrid(profile="balanced") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 400))
        with broken(memory._store, StoreError("The table is broken.", "Run `onrecord doctor`."), level=2):
            context = chat.context(LATER, tokens=1000)
            assert seqs(context)[-1] == 400
            assert context.warnings
            assert context.tokens <= 1000


@pytest.mark.parametrize("profile", sorted(PROFILES))
def test_h18_messages_are_still_taken(profile: str) -> None:
    with hybrid(profile=profile) as memory:
        chat = memory.session("s")
        with broken(memory._store, StoreError("The table is broken.", "Run `onrecord doctor`.")):
            receipts = [chat.add(role, text) for role, text in talk(1, 40)]
            receipts += chat.add_many(talk(41, 60))
        assert [receipt.seq for receipt in receipts] == list(range(1, 61))
        assert chat.info().last_seq == 60
        chat.summarize()
        assert chat.due() == []


# h19: the order


def test_h19_instruction_background_facts_earlier_divider_recent(memory: Memory) -> None:
    chat = memory.session("s")
    chat.update(system="Be kind.")
    chat.add_many([("user" if seq % 2 else "assistant", long(seq, 300)) for seq in range(1, 31)])
    chat.pin("Allergic to penicillin")
    text = str(chat.context(LATER))
    parts = [
        "Be kind.",
        "Answer the user's newest message.",
        "Background, in short:",
        "[1-15, ",
        "[16-30, ",
        "Facts to keep in mind:",
        "Allergic to penicillin",
        "Earlier messages, shortened:",
        "--- Recent conversation ---",
        f"User: {long(29, 300)}",
        f"Assistant: {long(30, 300)}",
        f"User: {LATER}",
    ]
    places = [text.index(part) for part in parts]
    assert places == sorted(places)
    assert text.endswith(parts[-1])


def test_h19_turns_keep_their_roles(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 20)
    messages = chat.context(LATER).messages()
    assert [one["role"] for one in messages] == ["system", *["user", "assistant"] * 4, "user"]
    assert [one["content"] for one in messages[1:-1]] == [say(seq) for seq in range(13, 21)]


def test_h17_what_is_at_hand_can_be_dropped_on_request(memory: Memory) -> None:
    chat = fill(memory.session("s"), 1, 20)
    before = chat.context(LATER).messages()
    chat.refresh()
    assert chat.context(LATER).messages() == before
