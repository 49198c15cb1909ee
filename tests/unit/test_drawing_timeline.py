"""Where summaries stand over their messages: always within the drawing, never lost, whatever is looked at."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from onrecord.ui.drawing.timeline import SummarySpan, Window, apart

NUMBERS = st.integers(0, 200_000)
WINDOWS = st.builds(Window.of, st.none() | NUMBERS, st.none() | NUMBERS, st.integers(1, 150_000))


def span(first: int, last: int, **more: object) -> SummarySpan:
    return SummarySpan(key=f"{first}-{last}", first=first, last=last, **more)  # type: ignore[arg-type]


@given(WINDOWS)
def test_a_window_lies_within_the_conversation_and_every_step_from_it_does(window: Window) -> None:
    steps = [window.nearer(window.first), window.nearer(window.last), window.wider(), window.moved(1), window.moved(-1)]
    for here in [window, *steps, *(closer for _, _, closer in window.places())]:
        assert 1 <= here.first <= here.last <= here.total == window.total
        assert here.size >= min(20, here.total)


@given(WINDOWS, st.integers(1, 150_000))
def test_looking_closer_often_enough_shows_any_message(window: Window, number: int) -> None:
    here = Window.of(None, None, window.total)
    number = min(number, window.total)
    for _ in range(12):
        here = here.nearer(number)
        assert here.holds(number)
    assert here.closest
    for _ in range(12):
        here = here.wider()
    assert here.whole


@given(WINDOWS, st.lists(st.tuples(NUMBERS, st.integers(1, 5_000)), max_size=40))
def test_whatever_is_in_sight_has_a_place_within_the_drawing(window: Window, given_: list[tuple[int, int]]) -> None:
    spans = sorted((span(first + 1, first + long) for first, long in given_), key=lambda one: one.last)
    for row in apart(spans, limit=1_000):
        bars = [*window.bars(row)]
        seen = [one for one in row if one.first <= window.last and one.last >= window.first]
        assert [bar.span for bar in bars] == seen
        assert all(0 <= bar.x <= 100 and 0 < bar.width <= 100.001 - bar.x for bar in bars)


def test_bars_and_what_is_shown_stand_over_their_messages() -> None:
    window = Window.of(None, None, 80)
    assert [(bar.x, bar.width) for bar in window.bars([span(1, 20), span(21, 40)])] == [(0, 25), (25, 25)]
    assert window.between(41, 80) == (50, 50)
    assert Window.of(100, 200, 1_000).between(1, 50) is None


def test_a_version_that_covers_everything_again_is_drawn_over_what_it_adds() -> None:
    bars = Window.of(None, None, 40).bars([span(1, 20), span(1, 30), span(1, 40)])
    assert [(bar.x, bar.width) for bar in bars] == [(0, 50), (50, 25), (75, 25)]


def test_words_stand_only_where_there_is_room() -> None:
    spans = [span(1, 50, words=("Lisbon", "train")), span(51, 60, words=("Lisbon", "train")), span(61, 62, words="x")]
    bars = Window.of(None, None, 100).bars(spans)
    assert [bar.label for bar in bars] == ["Lisbon, train", "Lisbon", "x"]


def test_summaries_that_lie_over_each_other_come_apart() -> None:
    over = [span(1, 20), span(10, 30), span(25, 40), span(1, 50)]
    assert apart(over) == [[over[0], over[2]], [over[1]], [over[3]]]
    assert apart(over, limit=1) == [over]
    assert apart([]) == []


@given(WINDOWS)
def test_there_are_a_few_round_numbers_below(window: Window) -> None:
    ticks = window.ticks()
    assert 1 <= len(ticks) <= 8
    assert all(window.holds(tick.number) and 0 <= tick.x <= 100 for tick in ticks)
    assert [tick.number for tick in ticks] == sorted({tick.number for tick in ticks})


def test_an_empty_conversation_is_no_trouble() -> None:
    assert Window.of(None, None, 0).whole
