"""Lines through time and through a conversation."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest

from onrecord.ui.drawing.lifelines import Life, LifeEvent, lifelines, stretches, tide

DAY = datetime(2026, 5, 1, tzinfo=UTC)


def after(days: float) -> datetime:
    return DAY + timedelta(days=days)


def test_one_value_follows_the_other_without_a_gap() -> None:
    lives = [Life(id="old", since=DAY, until=after(25)), Life(id="new", since=after(25))]
    old, new = lifelines(lives, after(100)).bars
    assert (old.x, old.width, old.open) == (0, 250, False)
    assert (new.x, new.width, new.open) == (250, 750, True)


def test_what_lasted_a_moment_is_still_seen_and_stays_within() -> None:
    lives = [Life(id="long", since=DAY), Life(id="now", since=after(1000), until=after(1000))]
    bar = lifelines(lives, after(1000)).bars[1]
    assert bar.width >= 8
    assert bar.x + bar.width <= 1000


def test_what_begins_later_makes_the_scale_longer() -> None:
    drawn = lifelines(
        [Life(id="a", since=DAY, until=after(5)), Life(id="b", since=after(10), until=after(20))], after(5)
    )
    assert drawn.days == (DAY, *(after(20 * share / 3) for share in (1, 2)), after(20))
    assert drawn.bars[1].x == 500


def test_a_single_moment_and_nothing_at_all() -> None:
    assert lifelines([], DAY).bars == ()
    (bar,) = lifelines([Life(id="a", since=DAY)], DAY).bars
    assert (bar.x, 8 <= bar.width <= 1000) == (0, True)


def test_days_are_counted_several_in_a_column() -> None:
    first = date(2026, 1, 1)
    days = [first, first, first + timedelta(days=364)]
    columns = tide(days, first, days[-1], most=100)
    assert [(one.count, one.height) for one in columns] == [(2, 100.0), (1, 50.0)]
    assert columns[0].last == first + timedelta(days=3)
    assert columns[-1].last == days[-1]
    assert columns[-1].x + columns[-1].width == pytest.approx(1000, abs=0.02)
    assert tide([], first, first) == ()


def test_the_calendar_ends_with_the_year_9999() -> None:
    end = datetime.max.replace(tzinfo=UTC)
    for begin in (DAY, after(1 / 86_400)):  # of which a third of the way may be rounded up
        drawn = lifelines([Life(id="a", since=begin, until=end), Life(id="b", since=end)], after(1))
        assert drawn.days[-1] == end
    columns = tide([DAY.date(), date.max], DAY.date(), date.max)
    assert columns[-1].last == date.max
    assert tide([date.max], date.max, date.max)[0].last == date.max


def test_what_mattered_more_is_higher_and_nothing_is_covered() -> None:
    told = [
        LifeEvent(id="a", first=1, last=40, weight=0.9),
        LifeEvent(id="b", first=30, last=50, weight=0.2),
        LifeEvent(id="c", first=41, last=60, weight=0.5),
        LifeEvent(id="d", first=100, last=100, weight=1.0),
    ]
    drawn = stretches(told, 100)
    by_id = {one.id: one for one in drawn.stretches}
    assert by_id["a"].height > by_id["c"].height > by_id["b"].height
    assert len(drawn.lanes) == 2
    assert by_id["c"].y + by_id["c"].height == by_id["a"].y + by_id["a"].height == drawn.lanes[0]
    assert by_id["b"].y + by_id["b"].height == drawn.lanes[1]
    assert all(one.x >= 0 and one.x + one.width <= 1000.01 for one in drawn.stretches)
    assert all(one.y >= 0 and one.y + one.height <= drawn.height for one in drawn.stretches)


def test_a_conversation_without_anything_is_an_empty_line() -> None:
    drawn = stretches([], 0)
    assert (drawn.stretches, len(drawn.lanes)) == ((), 1)
