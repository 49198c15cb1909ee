"""Where summaries stand over the messages that they cover: across by message number, one lane for each level.

Places across are percentages of the drawing's width, so that it fits any screen without being stretched; places down
are pixels. The coarsest level is on top, the messages are at the bottom.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile

__all__ = [
    "AXIS",
    "LANE",
    "Lane",
    "SummaryBar",
    "SummarySpan",
    "Tick",
    "TimelineDrawing",
    "TimelineRow",
    "Window",
    "apart",
    "draw",
    "ticks_of",
]

LANE = 28
"""Pixels from one lane to the next."""

AXIS = 22
"""Pixels for the numbers below the messages."""

CLOSEST = 20  # messages that the closest look shows
NEARER = 4  # times closer that one step goes
PLACES = 12  # places to click on, to look closer there
LETTERS = 1.05  # that a percent of the width has room for
EDGE = 4.0  # percent from either end within which a number does not stand in the middle of its place


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The messages that are looked at, of all that there are."""

    first: int  # number of the first one
    last: int  # number of the last one
    total: int  # messages of the conversation

    @classmethod
    def of(cls, first: int | None, last: int | None, total: int) -> Window:
        """What was asked for, within what there is.

        >>> Window.of(None, None, 60), Window.of(90, 10, 60)
        (Window(first=1, last=60, total=60), Window(first=10, last=60, total=60))
        """
        ends = sorted((1 if first is None else first, total if last is None else last))
        start, end = (min(max(1, one), max(1, total)) for one in ends)
        return cls(first=start, last=end, total=total).at_least(CLOSEST)

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def whole(self) -> bool:
        """Whether nothing lies outside."""
        return self.size >= self.total

    @property
    def closest(self) -> bool:
        return self.size <= min(CLOSEST, self.total)

    def across(self, number: float) -> float:
        """Where a number begins, in percent; what lies outside stands at the end."""
        return round(min(max(0.0, 100.0 * (number - self.first) / self.size), 100.0), 3)

    def holds(self, number: int) -> bool:
        return self.first <= number <= self.last

    def nearer(self, number: int) -> Window:
        """A closer look around a number."""
        return self._around(number, max(CLOSEST, self.size // NEARER))

    def wider(self) -> Window:
        return self._around((self.first + self.last) // 2, self.size * NEARER)

    def moved(self, halves: int) -> Window:
        """As wide, so many halves of it further on."""
        return self._around((self.first + self.last) // 2 + halves * self.size // 2, self.size)

    def _around(self, number: int, size: int) -> Window:
        kept = min(size, max(1, self.total))
        start = min(max(1, number - kept // 2), max(1, self.total - kept + 1))
        return Window(first=start, last=start + kept - 1, total=self.total)

    def at_least(self, size: int) -> Window:
        return self if self.size >= min(size, self.total) else self._around((self.first + self.last) // 2, size)


@dataclass(frozen=True, slots=True, kw_only=True)
class SummarySpan:
    """A summary to be drawn."""

    key: str  # its id
    first: int  # first message that it covers
    last: int  # last message that it covers
    words: Sequence[str] = ()  # what it is about, for a bar that has room
    title: str = ""  # what is said of it when somebody points at it
    locked: bool = False  # a person changed it
    empty: bool = False  # it waits to be made again


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineRow:
    """The summaries of one level, as far as they are looked at."""

    name: str  # what the lane is called
    spans: Sequence[SummarySpan] = ()  # in the order of their last messages
    covers: tuple[int, int] | None = None  # instead of them, first and last message of a level that is too fine


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryBar:
    """A summary in the drawing."""

    span: SummarySpan
    x: float  # percent
    width: float  # percent
    label: str  # empty where it has no room


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A level in the drawing."""

    name: str
    y: int  # pixels
    bars: tuple[SummaryBar, ...] = ()
    strip: tuple[float, float] | None = None  # place and width of what is too fine to be drawn


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A number below the messages."""

    x: float  # percent
    number: int
    anchor: str  # on which side of the place it stands: start, middle or end


@dataclass(frozen=True, slots=True, kw_only=True)
class TimelineDrawing:
    """The whole of it."""

    window: Window
    lanes: tuple[Lane, ...]  # from the top down
    ground: int  # pixels down to the messages
    height: int  # pixels
    ticks: tuple[Tick, ...]
    shown: tuple[float, float] | None  # place and width of the messages that are read below; None: they lie outside
    places: tuple[tuple[float, float, Window], ...]  # place, width, and the closer look that it leads to

    @property
    def too_fine(self) -> bool:
        """Whether something appears only at a closer look."""
        return any(lane.strip for lane in self.lanes)

    @property
    def has_locked(self) -> bool:
        """Whether a summary that a person changed is in sight."""
        return any(bar.span.locked for lane in self.lanes for bar in lane.bars)


def draw(window: Window, rows: Sequence[TimelineRow], shown: tuple[int, int] | None = None) -> TimelineDrawing:
    """Draw the levels, the coarsest first, over the messages; `shown`: first and last of those that are read now."""
    lanes = tuple(_lane(window, row, at * LANE) for at, row in enumerate(rows))
    ground = len(rows) * LANE
    return TimelineDrawing(
        window=window,
        lanes=lanes,
        ground=ground,
        height=ground + LANE + AXIS,
        ticks=tuple(ticks_of(window)),
        shown=None if shown is None else _between(window, *shown),
        places=() if window.closest else tuple(_places(window)),
    )


def apart(spans: Iterable[SummarySpan], most: int = 3) -> list[list[SummarySpan]]:
    """The same in rows within which none lies over another, as far as so many rows allow."""
    rows: list[list[SummarySpan]] = []
    for span in spans:
        free = next((row for row in rows if row[-1].last < span.first), None)
        if free is None and len(rows) < most:
            rows.append(free := [])
        (rows[-1] if free is None else free).append(span)
    return rows


def _lane(window: Window, row: TimelineRow, y: int) -> Lane:
    strip = None if row.covers is None else _between(window, *row.covers)
    return Lane(name=row.name, y=y, bars=tuple(_bars(window, row.spans)), strip=strip)


def _bars(window: Window, spans: Iterable[SummarySpan]) -> Iterable[SummaryBar]:
    """A summary that covers again what the one before it covers is drawn over what it adds."""
    before = 0
    for span in spans:
        place = _between(window, max(span.first, before + 1) if before < span.last else span.first, span.last)
        before = max(before, span.last)
        if place is not None:
            yield SummaryBar(span=span, x=place[0], width=place[1], label=_label(span.words, place[1]))


def _label(words: Sequence[str], width: float) -> str:
    """As many of the words as a bar has room for.

    >>> _label(["Lisbon", "train"], 20.0), _label(["Lisbon", "train"], 9.0), _label(["Lisbon"], 3.0)
    ('Lisbon, train', 'Lisbon', '')
    """
    while words and len(", ".join(words)) > width * LETTERS - 1:
        words = words[:-1]
    return ", ".join(words)


def _between(window: Window, first: int, last: int) -> tuple[float, float] | None:
    """Place and width of a range of messages; None where nothing of it is looked at."""
    if last < window.first or first > window.last:
        return None
    start = window.across(first)
    return start, round(window.across(last + 1) - start, 3)


def _places(window: Window) -> Iterable[tuple[float, float, Window]]:
    width = 100 / PLACES
    for at in range(PLACES):
        middle = window.first + round((at + 0.5) * window.size / PLACES)
        yield round(at * width, 3), round(width, 3), window.nearer(middle)


def ticks_of(window: Window) -> Iterable[Tick]:
    """Round numbers, about six of them.

    >>> [tick.number for tick in ticks_of(Window.of(None, None, 100_000))]
    [1, 20000, 40000, 60000, 80000, 100000]
    """
    step = _step(window.size)
    first = window.first if window.first == 1 else -(-window.first // step) * step
    numbers = [first, *range((first // step + 1) * step, window.last + 1, step)]
    for number in takewhile(window.holds, numbers):
        x = window.across(number + 0.5)
        yield Tick(x=x, number=number, anchor="start" if x < EDGE else "end" if x > 100 - EDGE else "middle")


def _step(size: int) -> int:
    """A round number that is about a sixth of another."""
    step = 1
    while True:
        for round_ in (step, 2 * step, 5 * step):
            if size <= 6 * round_:
                return round_
        step *= 10
