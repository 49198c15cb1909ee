"""Facts over time, as lines and as columns."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from onrecord.ui.drawing.lifelines import lifelines, tide

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def after(days: float) -> datetime:
    return DAY + timedelta(days=days)


def test_one_value_follows_the_other_without_a_gap() -> None:
    bars, _ = lifelines([(DAY, after(25)), (after(25), None)], after(100))
    assert bars == [(0, 250), (250, 750)]


def test_what_lasted_a_moment_is_still_seen_and_stays_within() -> None:
    (_, bar), _ = lifelines([(DAY, None), (after(1000), after(1000))], after(1000))
    assert bar.width >= 8
    assert bar.x + bar.width <= 1000


def test_what_begins_later_makes_the_scale_longer() -> None:
    bars, days = lifelines([(DAY, after(5)), (after(10), after(20))], after(5))
    assert days == [DAY, *(after(20 * share / 3) for share in (1, 2)), after(20)]
    assert bars[1].x == 500


def test_a_single_moment_is_a_bar() -> None:
    (bar,), _ = lifelines([(DAY, None)], DAY)
    assert (bar.x, 8 <= bar.width <= 1000) == (0, True)


def test_days_are_counted_several_in_a_column() -> None:
    first = date(2026, 1, 1)
    days = [first, first, first + timedelta(days=364)]
    columns = tide(days, first, days[-1], limit=100)
    assert [(column.facts, column.height) for column in columns] == [(2, 100.0), (1, 50.0)]
    assert columns[0].last == first + timedelta(days=3)
    assert columns[-1].last == days[-1]
    assert columns[-1].x + columns[-1].width == pytest.approx(1000, abs=0.02)
    assert tide([], first, first) == []


def test_the_calendar_ends_with_the_year_9999() -> None:
    end = datetime.max.replace(tzinfo=UTC)
    for begin in (DAY, after(1 / 86_400)):  # of which a third of the way may be rounded up
        _, days = lifelines([(begin, end), (end, None)], after(1))
        assert days[-1] == end
    columns = tide([DAY.date(), date.max], DAY.date(), date.max)
    assert columns[-1].last == date.max
    assert tide([date.max], date.max, date.max)[0].last == date.max
