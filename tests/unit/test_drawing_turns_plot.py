"""Tokens by turn: everything stands within the drawing, on one scale, and every place across belongs to one turn."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.ui.drawing.turns_plot import HEIGHT, TICKS, PlottedTurn, plot_of
from onrecord.ui.pages.context_turns import SAMPLED, _spread

TOKENS = st.integers(1, 10**7)
TURNS = st.dictionaries(st.integers(1, 10**6), st.tuples(TOKENS, TOKENS), min_size=2, max_size=SAMPLED + 1)


def _turns(told: dict[int, tuple[int, int]]) -> list[PlottedTurn]:
    return [
        PlottedTurn(number=number, seq=number * 2, memory=told[number][0], whole=told[number][1])
        for number in sorted(told)
    ]


@given(TURNS, TOKENS)
def test_everything_stands_within_the_drawing_on_one_scale(told: dict[int, tuple[int, int]], budget: int) -> None:
    turns = _turns(told)
    plot = plot_of(turns, budget)
    assert [mark.turn for mark in plot.marks] == turns
    most = max(budget, *(max(pair) for pair in told.values()))
    for tokens, y in [
        (budget, plot.budget_y),
        *plot.ticks,
        *((mark.turn.memory, mark.memory_y) for mark in plot.marks),
        *((mark.turn.whole, mark.whole_y) for mark in plot.marks),
    ]:
        assert y == pytest.approx(HEIGHT * (1 - tokens / most), abs=0.06)
        assert 0 <= y <= HEIGHT
    assert 1 <= len(plot.ticks) <= TICKS


@given(TURNS, TOKENS)
def test_every_place_across_belongs_to_one_turn(told: dict[int, tuple[int, int]], budget: int) -> None:
    plot = plot_of(_turns(told), budget)
    assert (plot.marks[0].x, plot.marks[-1].x) == (0, 100)
    assert sum(mark.width for mark in plot.marks) == pytest.approx(100, abs=0.5)
    for mark, following in pairwise(plot.marks):
        assert mark.x <= following.x
        assert mark.start + mark.width == pytest.approx(following.start, abs=0.03)
        assert mark.x - 0.01 <= following.start <= following.x + 0.01


def test_a_line_is_a_path_through_all_turns() -> None:
    plot = plot_of(_turns({1: (100, 100), 2: (50, 200), 5: (100, 400)}), 300)
    assert plot.memory == "0.0 150.0 L 25.0 175.0 L 100.0 150.0"
    assert plot.whole == "0.0 150.0 L 25.0 100.0 L 100.0 0.0"
    assert plot.ticks == ((200, 100.0), (400, 0.0))


@given(st.integers(1, 10**6), st.integers(2, SAMPLED))
def test_a_sample_has_the_first_and_the_newest_turn_and_no_more_than_is_quick(total: int, count: int) -> None:
    places = sorted(_spread(total, count))
    assert len(places) == min(total, count)
    assert (places[0], places[-1]) == (0, total - 1)
    steps = [later - earlier for earlier, later in pairwise(places)]
    assert not steps or max(steps) - min(steps) <= 1
