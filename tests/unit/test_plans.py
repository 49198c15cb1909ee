"""Which summary nodes exist: a fold over the journal that does not know when, where or how often it runs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from talk_tools import NODE, WHERE, fill, harm, nodes, ranges, say, watched

from onrecord import Memory, Session
from onrecord.policy.plans import (
    Chunks,
    DueNode,
    Extending,
    Flat,
    PlannedMessage,
    Pyramid,
    State,
    Strategy,
    Threshold,
    seen,
)
from onrecord.records import Message, Role, rough_size
from onrecord.settings import ProfileName

PLANS: dict[str, Strategy] = {
    "flat": Flat(every=4),
    "chunks": Chunks(over=6, size=3, most=3),
    "extending": Extending(from_messages=8, from_tokens=400, keep=4, again=3),
    "threshold": Threshold(over=500, keep=300, least=40),
    "pyramid": Pyramid(units=4, fan=2),
}
OPTIONS: dict[ProfileName, dict[str, Any]] = {
    "hybrid": {"every": 4},
    "tiered": {"over": 6, "size": 3, "most": 3},
    "rolling": {"from_messages": 8, "from_tokens": 200, "keep": 4, "again": 3},
    "progressive": {"over": 500, "keep": 300, "least": 40},
    "balanced": {"units": 4, "fan": 2},
}
"""Small figures, so that short conversations have many nodes."""

FIXED = ("flat", "chunks", "pyramid")
profiles = pytest.mark.parametrize("profile", get_args(ProfileName))
quick = settings(max_examples=40, deadline=None)
slow = settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.too_slow])
roles = st.sampled_from(["user", "assistant", "user", "assistant", "tool", "system"])
sizes = st.one_of(st.integers(0, 40), st.integers(0, 400))
journals = st.lists(st.tuples(roles, sizes), max_size=60).map(
    lambda made: [PlannedMessage(seq, role, size, size + 4, size) for seq, (role, size) in enumerate(made, start=1)]  # type: ignore[arg-type]
)
MEMORY = 60  # tokens that a node is said to bring to a prompt


def folded(
    plan: Strategy, journal: Sequence[PlannedMessage], state: State | None = None
) -> tuple[list[DueNode], State]:
    """The nodes that are due one after the other, each made at once."""
    state = plan.begin(20) if state is None else state
    found: list[DueNode] = []
    for message in journal:
        for due in plan.step(state, message):
            plan.made(state, due, MEMORY)
            found.append(due)
    return found, state


# The rules alone


@pytest.mark.parametrize("name", PLANS)
@quick
@given(journals)
def test_no_message_is_covered_twice_and_none_is_left_between(name: str, journal: list[PlannedMessage]) -> None:
    plan = PLANS[name]
    found, _ = folded(plan, journal)
    covered = 0
    for due in (due for due in found if due.level == 1):
        if plan.extends:
            assert (due.first, due.fresh) == (1, covered + 1 if covered else 0)
            assert due.last > covered
        else:
            assert due.first == covered + 1
            assert due.last >= due.first
        assert due.last <= due.until <= len(journal)
        covered = due.last


@pytest.mark.parametrize("name", PLANS)
@quick
@given(journals, st.integers(0, 60))
def test_the_state_is_plain_json_and_the_fold_can_stop_anywhere(
    name: str, journal: list[PlannedMessage], at: int
) -> None:
    plan = PLANS[name]
    whole, end = folded(plan, journal)
    first, state = folded(plan, journal[:at])
    second, other = folded(plan, journal[at:], json.loads(json.dumps(state)))
    assert first + second == whole
    assert json.dumps(other) == json.dumps(end)


@pytest.mark.parametrize("name", ["flat", "extending", "threshold"])
@quick
@given(journals)
def test_a_node_depends_on_nothing_after_it(name: str, journal: list[PlannedMessage]) -> None:
    whole, _ = folded(PLANS[name], journal)
    for due in whole:
        assert folded(PLANS[name], journal[: due.until])[0][-1] == due


@pytest.mark.parametrize("name", FIXED)
@quick
@given(journals, st.sets(st.integers(1, 60)))
def test_forgetting_moves_no_fixed_node(name: str, journal: list[PlannedMessage], gone: set[int]) -> None:
    left = [
        one._replace(tokens=rough_size(one.tokens), whole=0, quarters=0) if one.seq in gone else one for one in journal
    ]
    before, after = folded(PLANS[name], journal)[0], folded(PLANS[name], left)[0]
    assert before == after


@quick
@given(journals)
def test_when_nothing_is_due_little_is_left_open(journal: list[PlannedMessage]) -> None:
    count = len(journal)
    flat = [due.last for due in folded(PLANS["flat"], journal)[0]]
    assert count - (flat[-1] if flat else 0) < 4
    chunks = [due.last for due in folded(PLANS["chunks"], journal)[0] if due.level == 1]
    assert count - (chunks[-1] if chunks else 0) <= 6
    extending = [due.last for due in folded(PLANS["extending"], journal)[0]]
    assert count - extending[-1] < 7 if extending else count < 8
    pyramid = [due.last for due in folded(PLANS["pyramid"], journal)[0] if due.level == 1]
    open_ = journal[pyramid[-1] if pyramid else 0 :]
    talked = [one for one in open_ if one.role != "tool"]
    assert sum(1 + one.tokens // 64 for one in talked[:-1]) < 4 or not talked


@quick
@given(journals)
@example(
    [PlannedMessage(seq, "user", size, size + 4, size) for seq, size in enumerate((0, 0, 21, 400, 40, 373), start=1)]
)
def test_a_threshold_is_kept_to(journal: list[PlannedMessage]) -> None:
    plan = Threshold(over=500, keep=300, least=40)
    state = plan.begin(20)
    for message in journal:
        made = False
        for due in plan.step(state, message):
            plan.made(state, due, MEMORY)
            made = True
        memory = MEMORY if state["version"] else 0
        kept = journal[state["covered"] : message.seq]
        total = sum(one.whole for one in kept)
        assert total == state["sum"]
        assert 20 + memory + total <= 500 or len(kept) == 1
        if made:
            assert total <= 300 or len(kept) == 1
            assert kept  # the newest always stays


@quick
@given(journals)
def test_a_pyramid_stands_on_full_nodes(journal: list[PlannedMessage]) -> None:
    plan = Pyramid(units=3, fan=3)
    found, _ = folded(plan, journal)
    by_level: dict[int, list[DueNode]] = {}
    for due in found:
        by_level.setdefault(due.level, []).append(due)
    for level, above in by_level.items():
        spans = [(due.first, due.last) for due in above]
        assert spans == sorted(spans)
        assert all(later[0] == earlier[1] + 1 for earlier, later in pairwise(spans))
        assert all(due.of_nodes is (level > 2) for due in above)
        if level > 1:
            below = by_level[level - 1]
            for number, due in enumerate(above):
                children = below[3 * number : 3 * number + 3]
                assert (due.first, due.last) == (children[0].first, children[-1].last)


@quick
@given(journals)
def test_a_pyramids_node_never_ends_before_a_tools_result(journal: list[PlannedMessage]) -> None:
    for due in folded(PLANS["pyramid"], journal)[0]:
        assert journal[due.last].role != "tool"


@quick
@given(journals)
def test_a_pyramids_nodes_over_messages_are_numbered(journal: list[PlannedMessage]) -> None:
    numbers = [due.number for due in folded(PLANS["pyramid"], journal)[0] if due.level == 1]
    assert numbers == list(range(1, len(numbers) + 1))


@quick
@given(journals, st.integers(0, 20))
def test_lost_merges_are_done_again(journal: list[PlannedMessage], kept: int) -> None:
    plan = PLANS["chunks"]
    found, state = folded(plan, journal)
    merges = [due for due in found if due.level == 2]
    left = merges[: kept % (len(merges) + 1)]
    assert list(plan.lost(state, left[-1].last if left else 0)) == merges[len(left) :]


def test_what_a_plan_sees_of_a_message() -> None:
    message = Message(session="s", seq=3, id="x", role="user", text="x" * 9, tokens=7, overhead=4)
    assert seen(message) == PlannedMessage(3, "user", 7, 11, 3)


def test_plans_of_other_figures_have_other_names() -> None:
    plans: list[Strategy] = [
        *(Flat(), Flat(every=14)),
        *(Chunks(), Chunks(over=21), Chunks(size=9), Chunks(most=49)),
        *(Extending(), Extending(from_messages=21), Extending(from_tokens=1), Extending(keep=9), Extending(again=9)),
        *(Threshold(), Threshold(over=3001), Threshold(keep=1001), Threshold(least=501)),
        *(Pyramid(), Pyramid(units=13), Pyramid(fan=5)),
    ]
    assert len({plan.plan for plan in plans}) == len(plans)


# Through the public door

counts = st.integers(0, 36)
batches = st.lists(st.tuples(st.integers(1, 12), st.booleans()), min_size=1, max_size=6)
Turn = tuple[Role, str]


def opened(profile: ProfileName, path: str | Path = ":memory:", summarize: str = "inline") -> Memory:
    options = OPTIONS[profile]
    return Memory(path, profile=profile, summarize=summarize, options=options, durability="process")


def said(seq: int) -> Turn:
    """Message `seq`: some are long, some are from tools or the system."""
    role: Role = "tool" if seq % 11 == 5 else "system" if seq % 17 == 0 else "user" if seq % 2 else "assistant"
    return role, " ".join(say(seq * 31 + part) for part in range(3)) if seq % 9 == 0 else say(seq).split(". ")[0] + "."


def added(chat: Session, first: int, last: int) -> Session:
    for seq in range(first, last + 1):
        role, text = said(seq)
        chat.add(role, text, tool_call_id="call" if role == "tool" else None)
    return chat


def as_dict(seq: int) -> dict[str, Any]:
    role, text = said(seq)
    return {"role": role, "text": text} | ({"tool_call_id": "call"} if role == "tool" else {})


def one_by_one(profile: ProfileName, count: int) -> list[NODE]:
    with opened(profile) as memory:
        return nodes(added(memory.session("s"), 1, count))


def tiles(chat: Session, profile: ProfileName) -> None:
    """Every message is covered or open; none is covered twice at one level."""
    count = chat.info().last_seq
    by_level: dict[int, list[tuple[int, int]]] = {}
    for node in chat.summaries():
        if node.plan != "manual":
            by_level.setdefault(node.level, []).append((node.first, node.last))
    if profile in ("rolling", "progressive") or (profile == "tiered" and 2 in by_level):
        extending = by_level.pop(2 if profile == "tiered" else 1, [])
        assert all(first == 1 for first, _ in extending)
        assert [last for _, last in extending] == sorted({last for _, last in extending})
    for spans in by_level.values():
        assert spans[0][0] == 1
        assert all(later[0] == earlier[1] + 1 for earlier, later in pairwise(spans))
        assert spans[-1][1] <= count
    assert chat.due() == []
    covered = max((node.last for node in chat.summaries(level=1)), default=0)
    assert [message.seq for message in chat.conversation().recent] == [
        message.seq for message in chat.history() if message.seq > covered
    ]


@profiles
@slow
@given(batches)
def test_the_same_journal_gives_the_same_nodes_whenever_it_runs(
    profile: ProfileName, parts: list[tuple[int, bool]]
) -> None:
    with opened(profile, summarize="manual") as memory:
        chat, at = memory.session("s"), 0
        for size, run in parts:
            chat.add_many([as_dict(seq) for seq in range(at + 1, at + size + 1)])
            at += size
            if run:
                chat.summarize()
        chat.summarize()
        # What is there already, progressive takes in at once: its ranges depend on when it runs.
        expected = nodes(chat) if profile == "progressive" else one_by_one(profile, at)
        assert nodes(chat) == expected
        tiles(chat, profile)
        chat.rebuild()
        assert nodes(chat) == expected


@profiles
@settings(max_examples=4, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.integers(1, 6), st.booleans()), min_size=4, max_size=12))
def test_two_memories_that_take_turns_make_the_same_nodes(
    profile: ProfileName, turns: list[tuple[bool, int, bool]]
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "m.db"
        with opened(profile, path) as one, opened(profile, path) as two:
            at = 0
            for first, size, together in turns:
                chat = (one if first else two).session("s")
                if together:
                    chat.add_many([as_dict(seq) for seq in range(at + 1, at + size + 1)])
                else:
                    added(chat, at + 1, at + size)
                at += size
            expected = nodes(one.session("s")) if profile == "progressive" else one_by_one(profile, at)
            assert nodes(one.session("s")) == nodes(two.session("s")) == expected


@profiles
@slow
@given(counts, st.lists(st.tuples(st.integers(1, 45), st.integers(0, 12), st.booleans()), max_size=5))
def test_forgetting_leaves_what_a_rebuild_makes(
    profile: ProfileName, count: int, steps: list[tuple[int, int, bool]]
) -> None:
    with opened(profile, summarize="manual") as memory:
        chat, at = added(memory.session("s"), 1, count), count
        chat.summarize()
        for gone, more, run in steps:
            if gone <= at:
                chat.forget(gone)
            if run:
                chat.summarize()
            added(chat, at + 1, at + more)
            at += more
        chat.summarize()
        found = nodes(chat)
        tiles(chat, profile)
        chat.rebuild()
        assert nodes(chat) == found


@profiles
@slow
@given(counts, st.sets(st.integers(1, 45), min_size=1, max_size=6))
def test_what_is_forgotten_is_in_no_node(profile: ProfileName, count: int, gone: set[int]) -> None:
    with opened(profile) as memory:
        chat = memory.session("s")
        for seq in range(1, count + 1):
            secret = f"I prefer zebra{seq}x mode. We decided on Zebra{seq}. See https://example.com/zebra{seq}"
            chat.add("user", secret if seq in gone else said(seq)[1])
        if there := [seq for seq in gone if seq <= count]:
            chat.forget(*there)
        text = str([node.to_dict() for node in chat.summaries(plan="all")]) + str(chat.important())
        assert "zebra" not in text
        tiles(chat, profile)


@profiles
def test_a_damaged_mark_doubles_and_loses_nothing(profile: ProfileName, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(profile, path) as memory:
        added(memory.session("s"), 1, 30)
    assert harm(path, "kind = 'mark' AND plan <> 'learned'") == 1
    with opened(profile, path) as memory:
        chat = added(memory.session("s"), 31, 36)
        chat.summarize()
        assert nodes(chat) == one_by_one(profile, 36)


@profiles
def test_writers_workers_and_one_who_forgets_at_once(profile: ProfileName, tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened(profile, path) as one, opened(profile, path, "manual") as two:
        added(one.session("s"), 1, 12)

        def act(number: int) -> None:
            chat = (one if number % 2 else two).session("s")
            if number % 10 == 0:
                chat.forget(1 + number % 12)
            elif number % 3 == 0:
                chat.summarize()
            else:
                chat.add(*said(number * 22))

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(act, range(1, 50)))
        chat = two.session("s")
        chat.summarize()
        found = nodes(chat)
        tiles(chat, profile)
        chat.rebuild()
        assert nodes(chat) == found


@profiles
def test_a_locked_node_survives_a_rebuild(profile: ProfileName) -> None:
    with opened(profile) as memory:
        chat = added(memory.session("s"), 1, 40)
        before = nodes(chat)
        middle = [node for node in chat.summaries() if node.level == 1][1]
        chat.edit_summary(middle.id, "Corrected by a person.")
        changed = nodes(chat)
        assert chat.rebuild() > 0
        upto = middle.last if profile == "progressive" else 40  # there the length of a text decides what comes after it
        same = [node[:5] for node in before if node[4] <= upto]
        assert [node[:5] for node in nodes(chat) if node[4] <= upto] == same
        assert [node.text for node in chat.summaries() if node.id == middle.id] == ["Corrected by a person."]
        again = nodes(chat)
        chat.rebuild()
        assert nodes(chat) == again
        assert [node for node in changed if node[4] < middle.last] == [node for node in again if node[4] < middle.last]


@profiles
def test_a_node_that_is_let_go_of_is_made_again(profile: ProfileName) -> None:
    with opened(profile) as memory:
        chat = added(memory.session("s"), 1, 40)
        before = nodes(chat)
        first = next(chat.summaries())
        chat.edit_summary(first.id, "Corrected by a person.")
        assert chat.lock_summary(first.id, False).locked is False
        chat.rebuild()
        if profile == "progressive":  # the versions after it went with the correction, and are one now
            assert nodes(chat)[0] == before[0]
            assert nodes(chat)[-1][4] > before[0][4]
        else:
            assert nodes(chat) == before


@pytest.mark.parametrize("profile", ["rolling", "progressive"])
def test_extending_nodes_carry_a_correction_on(profile: ProfileName) -> None:
    with opened(profile) as memory:
        chat = added(memory.session("s"), 1, 25)
        newest = list(chat.summaries())[-1]
        chat.edit_summary(newest.id, "Ana is allergic to penicillin. She flies on 5 May.")
        added(chat, 26, 60)
        later = [node for node in chat.summaries() if node.version > newest.version]
        assert len(later) > 2
        assert all(node.text.startswith("Ana is allergic to penicillin. She flies on 5 May.") for node in later)
        again = list(chat.summaries())[-1]
        chat.edit_summary(again.id, "Ana is well again.")
        added(chat, 61, 75)
        last = list(chat.summaries())[-1]
        assert last.version > again.version
        assert last.text.startswith("Ana is well again.")
        assert "penicillin" not in last.text


@pytest.mark.parametrize(("profile", "level"), [("balanced", 2), ("tiered", 2)])
def test_nodes_above_are_built_on_corrected_ones(profile: ProfileName, level: int) -> None:
    with opened(profile) as memory:
        chat = memory.session("s")
        while len(ranges(chat, level=1)) < 1:
            added(chat, chat.info().last_seq + 1, chat.info().last_seq + 1)
        corrected = chat.edit_summary(next(chat.summaries(level=1)).id, "Ana decided to sell the lighthouse in Faro.")
        while not ranges(chat, level=level):
            added(chat, chat.info().last_seq + 1, chat.info().last_seq + 1)
        above = next(chat.summaries(level=level))
        assert above.first <= corrected.first <= corrected.last <= above.last
        assert "lighthouse" in above.text
        chat.rebuild()
        assert "lighthouse" in next(chat.summaries(level=level)).text


def test_nodes_above_are_made_again_when_one_below_is_corrected() -> None:
    with opened("balanced") as memory:
        chat = added(memory.session("s"), 1, 60)
        before = nodes(chat)
        for number, node in enumerate(list(chat.summaries(level=1))[:4]):
            chat.edit_summary(node.id, f"Ana decided to sell lighthouse number {number} in Faro.")
        chat.summarize()
        after = nodes(chat)
        assert [node[:5] for node in after] == [node[:5] for node in before]
        above = [node.text for node in chat.summaries() if node.level > 1 and node.first == 1]
        assert len(above) > 2
        assert all("lighthouse" in text for text in above)
        chat.rebuild()
        assert nodes(chat) == after


@profiles
def test_work_per_message_is_bounded(profile: ProfileName) -> None:
    with opened(profile) as memory:
        chat, work = memory.session("s"), []
        for part in range(4):
            most = total = 0
            for seq in range(36 * part + 1, 36 * part + 37):
                with watched(memory) as one:
                    chat.add("user", f"Room {seq} in {WHERE[seq % 19]} is done.")
                most, total = max(most, one.size), total + one.size
            work.append((most, total))
        most_early, total_early = max(one for one, _ in work[:2]), max(total for _, total in work[:2])
        assert work[3][0] <= 1.5 * most_early + 20
        assert work[3][1] <= 1.5 * total_early + 20


@profiles
def test_a_backlog_is_worked_off_in_bounded_rounds(profile: ProfileName) -> None:
    with Memory(":memory:", profile=profile, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many([("user", f"Room {seq} is done.") for seq in range(1, 1001)])
        reads: list[int] = []
        with watched(memory) as work:
            for _ in range(20):
                before = len(work.messages)
                done = memory._parts.deriver.round("default", "s")
                reads.append(len(work.messages) - before)
                if done.done:
                    break
        assert 3 <= len(reads) < 20
        assert max(reads) <= 2400
        assert chat.due() == []


@profiles
def test_every_store_holds_the_same_nodes(profile: ProfileName, tmp_path: Path) -> None:
    for path in (tmp_path / "m.db", f"{tmp_path}/folder/"):
        for part in range(3):  # opened again and again
            with opened(profile, path) as memory:
                chat = added(memory.session("s"), 12 * part + 1, 12 * part + 12)
        with opened(profile, path) as memory:
            chat = memory.session("s")
            assert nodes(chat) == one_by_one(profile, 36)
            chat.forget(3, 14)
            chat.summarize()
            found = nodes(chat)
            tiles(chat, profile)
            chat.rebuild()
            assert nodes(chat) == found


def test_two_profiles_on_one_file_do_not_fight(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened("hybrid", path) as one, opened("rolling", path) as two:
        for seq in range(1, 41):
            added((one if seq % 2 else two).session("s"), seq, seq)
        one.session("s").summarize()
        two.session("s").summarize()
        assert nodes(one.session("s")) == one_by_one("hybrid", 40)
        assert nodes(two.session("s")) == one_by_one("rolling", 40)
        one.session("s").rebuild()
        two.session("s").summarize()
        assert nodes(two.session("s")) == one_by_one("rolling", 40)


def test_forgetting_in_one_memory_is_made_good_by_another(tmp_path: Path) -> None:
    path = tmp_path / "m.db"
    with opened("hybrid", path) as one, opened("hybrid", path, summarize="manual") as two:
        fill(one.session("s"), 1, 21)
        two.session("s").forget(6)
        fill(one.session("s"), 22, 25)
        assert ranges(one.session("s")) == [(1, 4), (5, 8), (9, 12), (13, 16), (17, 20), (21, 24)]
