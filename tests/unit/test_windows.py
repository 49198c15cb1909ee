"""Where the window begins, and which nodes stand for what is before it."""

from __future__ import annotations

from itertools import pairwise
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from talk_tools import seqs, talk

from onrecord import Memory
from onrecord.policy.plans import DueNode, PlannedMessage, Pyramid
from onrecord.policy.windows import LEAST, NodeSpan, WindowEdge, cover, longest_shown, window_start

LATER = "What did we say about the house?"
quick = settings(max_examples=50, deadline=None)
lengths = st.lists(st.one_of(st.integers(1, 60), st.integers(1, 400)), min_size=1, max_size=150)
fans = st.integers(2, 5)


def planned(sizes: list[int], units: int = 4, fan: int = 3) -> list[DueNode]:
    plan = Pyramid(units=units, fan=fan)
    state = plan.begin(0)
    return [
        due
        for seq, size in enumerate(sizes, start=1)
        for due in plan.step(state, PlannedMessage(seq, "user", size, size + 4, size))
    ]


def spans(nodes: list[DueNode], newest: int | None = None) -> dict[int, list[NodeSpan]]:
    """The nodes by level; only so many of the newest."""
    levels: dict[int, list[NodeSpan]] = {}
    for due in nodes:
        levels.setdefault(due.level, []).append(NodeSpan(due.first, due.last, due.level, f"{due.level}.{due.last}"))
    return {level: found[-newest:] if newest else found for level, found in levels.items()}


@quick
@given(lengths, fans, st.integers(0, 5), st.data())
def test_nodes_before_a_window_tile_the_journal(sizes: list[int], fan: int, detail: int, data: st.DataObject) -> None:
    nodes = planned(sizes, fan=fan)
    edges = [0, *(due.last for due in nodes if due.level == 1)]
    start = data.draw(st.sampled_from(edges)) + 1
    levels = spans([due for due in nodes if due.last < start])
    found = cover(levels, start, detail)
    assert [seq for span in found for seq in range(span.first, span.last + 1)] == list(range(1, start))


@quick
@given(lengths, fans, st.integers(0, 5))
def test_the_finest_nodes_stand_next_to_the_window(sizes: list[int], fan: int, detail: int) -> None:
    nodes = planned(sizes, fan=fan)
    last = max((due.last for due in nodes), default=0)
    levels = [span.level for span in cover(spans(nodes), last + 1, detail)]
    assert levels == sorted(levels, reverse=True)
    bottom = sum(due.level == 1 for due in nodes)
    assert levels.count(1) >= min(detail, bottom)


@pytest.mark.parametrize("detail", [0, 2, 4])
@pytest.mark.parametrize("fan", [2, 4])
def test_few_nodes_for_many_messages(fan: int, detail: int) -> None:
    for count in (100, 1000, 10_000, 50_000):
        nodes = planned([10] * count, units=12, fan=fan)
        last = max(due.last for due in nodes)
        found = cover(spans(nodes, newest=16), last + 1, detail)  # no more are read of each level
        assert [found[0].first, found[-1].last] == [1, last]
        assert all(later.first == earlier.last + 1 for earlier, later in pairwise(found))
        assert len(found) <= (detail + fan) * (1 + log(count / 12, fan))


def test_nothing_stands_for_nothing() -> None:
    assert cover({}, 1, 2) == []
    assert cover({1: [NodeSpan(1, 4, 1, "a")]}, 1, 2) == []


def _window(sizes: list[int], room: int, units: int = 4) -> int:
    nodes = planned(sizes, units=units)
    edges = [WindowEdge(due.last, due.number) for due in nodes if due.level == 1]
    costs = [(seq, size + 4) for seq, size in enumerate(sizes, start=1)]
    return window_start(edges, costs, room)


@quick
@given(lengths, st.integers(1, 2000))
def test_a_window_fits_its_room(sizes: list[int], room: int) -> None:
    start = _window(sizes, room)
    assert 1 <= start <= len(sizes)
    shown = sum(size + 4 for size in sizes[start - 1 :])
    assert shown <= room or start == len(sizes)


@quick
@given(lengths, st.integers(1, 2000))
def test_a_window_begins_behind_a_node_where_that_leaves_enough(sizes: list[int], room: int) -> None:
    starts = [due.last + 1 for due in planned(sizes) if due.level == 1]
    filled = {start: sum(size + 4 for size in sizes[start - 1 :]) for start in starts}
    fitting = [start for start in starts if LEAST * room <= filled[start] <= room]
    assert _window(sizes, room) in fitting or not fitting


@quick
@given(st.lists(st.integers(15, 40), min_size=1, max_size=150), st.integers(1000, 2000))
def test_a_window_of_ordinary_messages_never_moves_back(sizes: list[int], room: int) -> None:
    starts = [_window(sizes[:count], room) for count in range(1, len(sizes) + 1)]
    assert starts == sorted(starts)


def test_two_long_messages_leave_a_third_of_the_window_to_the_turns_around_them() -> None:
    room, long = 3000, longest_shown(3000)
    costs = [(seq, long if seq in (50, 55) else 20) for seq in range(1, 61)]
    assert window_start([], costs, room) < 50


def test_a_window_moves_in_steps() -> None:
    sizes = [28] * 600
    starts = [_window(sizes[:count], 1600, units=4) for count in range(1, len(sizes) + 1)]
    assert len(set(starts)) < 60  # 50 messages fit: it stays for ten or more at a time
    assert starts[-1] > 540


@pytest.mark.parametrize("size", [1, 20, 60, 70, 120])
def test_a_window_uses_a_good_part_of_its_room(size: int) -> None:
    room = 40 * (size + 4)
    for count in range(100, 400):
        start = _window([size] * count, room)
        assert 16 <= count - start + 1 <= 40


# Through the public door


@pytest.mark.parametrize("count", [60, 240, 700])
def test_the_pyramid_shows_few_nodes_and_they_tile(count: int) -> None:
    with Memory(":memory:", summarize="manual", options={"units": 6, "fan": 3}) as memory:
        chat = memory.session("s")
        chat.add_many([(role, text.split(". ")[0] + ".") for role, text in talk(1, count)])
        chat.summarize()
        context = chat.context(LATER, tokens=1500)
        nodes = [one for one in context.manifest if one.section == "summaries" and one.included]
        shown = seqs(context)
        between = sorted(one.first for one in context.manifest if one.section == "earlier" and one.included)
        covered = [seq for node in nodes for seq in range(node.first, node.last + 1)]
        assert covered + between + shown == list(range(1, count + 1))
        assert len(nodes) <= 7 * (1 + log(count / 6, 3))


def test_the_window_moves_on_and_stays_long_where_messages_are_short() -> None:
    with Memory(":memory:", summarize="inline") as memory:
        chat = memory.session("s")
        chat.add_many([("user", f"Ok {seq}.") for seq in range(1, 401)])
        starts = []
        for seq in range(401, 461):
            chat.add("user", f"Ok {seq}.")
            shown = seqs(chat.context(LATER, tokens=600))
            starts.append(shown[0])
            assert len(shown) >= 10  # of more than 40 that fit
        assert starts == sorted(starts)
        assert len(set(starts)) < 20


def test_the_beginning_of_the_prompt_stays_the_same_between_two_steps() -> None:
    with Memory(":memory:", summarize="inline") as memory:
        chat = memory.session("s")
        chat.add_many(talk(1, 400))
        stable, starts = [], set()
        for seq in range(401, 461):
            chat.add(*talk(seq, seq)[0])
            context = chat.context(LATER, tokens=3000)
            starts.add(seqs(context)[0])
            stable.append(context.stable)
        assert len(starts) <= 6
        assert sum(share is not None and share >= 0.99 for share in stable) >= 50
