"""How memories fade: the formula, exactly, at its corners and everywhere between."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longterm_tools import START, day

from onrecord.policy.decay import HALF_LIFE, decay

DAYS = st.floats(0, 5_000, allow_nan=False)
TIMES = st.integers(0, 1_000)


@pytest.mark.parametrize(
    ("days", "times", "left"),
    [
        (0, 0, 1.0),
        (30, 0, 0.5),
        (60, 0, 0.25),
        (90, 0, 0.125),
        (30, 1, 0.6),
        (30, 4, 0.9),
        (30, 5, 1.0),
        (60, 3, 0.55),
        (60, 5, 0.75),
        (60, 500, 0.75),
        (0, 9, 1.0),
        (15, 0, 0.5**0.5),
    ],
)
def test_t06_the_formula(days: float, times: int, left: float) -> None:
    assert decay(START, times, day(days)) == pytest.approx(left, abs=1e-12)


def test_t06_the_half_life_is_thirty_days() -> None:
    assert HALF_LIFE == 30


@given(DAYS, TIMES)
def test_t06_the_formula_everywhere(days: float, times: int) -> None:
    exact = (day(days) - START).total_seconds() / 86_400
    assert decay(START, times, day(days)) == min(1.0, 0.5 ** (exact / 30) + min(0.1 * times, 0.5))


@given(DAYS, DAYS, TIMES, TIMES)
def test_it_falls_with_time_and_rises_with_accesses(days: float, more: float, times: int, again: int) -> None:
    now = decay(START, times, day(days))
    assert 0 <= decay(START, times, day(days + more)) <= now <= decay(START, times + again, day(days)) <= 1


@given(DAYS)
def test_a_moment_to_come_is_now(days: float) -> None:
    assert decay(day(days), 0, START) == 1.0


def test_five_accesses_keep_half_for_ever() -> None:
    assert decay(START, 5, START + timedelta(days=100_000)) == 0.5
