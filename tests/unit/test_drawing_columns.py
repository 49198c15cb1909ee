"""Columns over time: nothing is lost, nothing is higher than the drawing, and the unit is one that people can read."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta

from hypothesis import given
from hypothesis import strategies as st

from onrecord.ui.drawing.time_columns import COLUMNS, WIDTH, chart_of

NAMES = ("messages", "facts")
DAYS = st.dates(min_value=date(1, 1, 1), max_value=date(9999, 12, 31))
COUNTS = st.dictionaries(
    DAYS, st.fixed_dictionaries({name: st.integers(0, 10**6) for name in NAMES}).map(Counter), max_size=12
)


@given(COUNTS)
def test_every_day_counts_once_and_stays_within_the_drawing(counts: dict[date, Counter[str]]) -> None:
    chart = chart_of(counts)
    total = sum(many.total() for many in counts.values())
    if chart is None:
        assert total == 0
        return
    assert sum(column.counts.total() for column in chart.columns) == total
    assert len(chart.columns) <= COLUMNS + 1
    for column in chart.columns:
        assert 0 <= column.x <= column.x + column.width <= WIDTH
        assert column.counts.total() <= chart.top


def test_the_unit_grows_with_the_time() -> None:
    first = date(2025, 1, 15)

    def unit(days: int) -> str:
        chart = chart_of({first: Counter(messages=1), first + timedelta(days): Counter(messages=1)})
        assert chart is not None
        return chart.unit

    assert [unit(days) for days in (0, 20, 90, 400, 3_000, 30_000)] == [
        "day", "day", "week", "month", "year", "3 years",
    ]  # fmt: skip


def test_weeks_begin_on_monday_and_only_some_are_labelled() -> None:
    days = {date(2026, 5, 1) + timedelta(at): Counter(messages=1) for at in range(140)}
    chart = chart_of(days)
    assert chart is not None
    assert chart.columns[0].label == "Week of 27 Apr 2026"
    assert chart.columns[1].counts.total() == 7
    marked = [column for column in chart.columns if column.marked]
    assert 4 <= len(marked) <= 8


def test_the_calendar_ends_with_the_year_9999() -> None:
    for days in (0, 5, 90, 400, 3_000, 30_000):
        chart = chart_of({date.max - timedelta(days): Counter(messages=1), date.max: Counter(messages=1)})
        assert chart is not None
        assert sum(column.counts.total() for column in chart.columns) == 2 - (days == 0)


def test_a_day_without_anything_is_no_day() -> None:
    assert chart_of({date(2026, 5, 1): Counter(messages=0)}) is None
