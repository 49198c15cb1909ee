"""Summaries over the messages that they cover: across by message number, one lane for each level.

Places across are percentages of the drawing's width, so that it fits any screen without being stretched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["SummaryBar", "SummarySpan", "Tick", "Window", "apart"]

CLOSEST = 20  # messages in the closest window
ZOOM = 4  # how much closer one step is
PLACES = 12  # where a click zooms in
LETTERS = 1.05  # that a percent of the width has room for
EDGE = 4.0  # percent from either end within which a number does not stand in the middle of its place

Extent = tuple[float, float]
"""Place and width, in percent."""


class SummarySpan(NamedTuple):
    """A summary to be drawn."""

    key: str
    first: int
    last: int
    words: Sequence[str] = ()  # its topics, for a bar that has room
    text: str = ""  # empty: it waits to be made again
    locked: bool = False


class SummaryBar(NamedTuple):
    """A summary in the drawing."""

    span: SummarySpan
    x: float
    width: float
    label: str  # empty where it has no room


class Tick(NamedTuple):
    """A number below the messages."""

    x: float
    number: int
    anchor: str  # on which side of its place it stands: start, middle or end


@dataclass(frozen=True, slots=True)
class Window:
    """The messages that a timeline shows, of all that there are."""

    first: int
    last: int
    total: int  # messages of the conversation

    @classmethod
    def of(cls, first: int | None, last: int | None, total: int) -> Window:
        """Return the window from `first` to `last`, within the conversation.

        >>> Window.of(None, None, 60), Window.of(90, 10, 60)
        (Window(first=1, last=60, total=60), Window(first=10, last=60, total=60))
        """
        ends = sorted((1 if first is None else first, total if last is None else last))
        start, end = (min(max(1, number), max(1, total)) for number in ends)
        window = cls(start, end, total)
        return window if window.size >= min(CLOSEST, total) else window.around((start + end) // 2, CLOSEST)

    @property
    def size(self) -> int:
        return self.last - self.first + 1

    @property
    def whole(self) -> bool:
        """Whether it shows all messages."""
        return self.size >= self.total

    @property
    def closest(self) -> bool:
        return self.size <= min(CLOSEST, self.total)

    def holds(self, number: float) -> bool:
        return self.first <= number <= self.last

    def around(self, number: int, size: int) -> Window:
        """Return a window of this size around a message."""
        size = min(size, max(1, self.total))
        start = min(max(1, number - size // 2), max(1, self.total - size + 1))
        return Window(start, start + size - 1, self.total)

    def nearer(self, number: int) -> Window:
        """Return a closer window around a message."""
        return self.around(number, max(CLOSEST, self.size // ZOOM))

    def wider(self) -> Window:
        return self.around((self.first + self.last) // 2, self.size * ZOOM)

    def moved(self, halves: int) -> Window:
        """Return a window of the same size, moved by halves of it."""
        return self.around((self.first + self.last) // 2 + halves * self.size // 2, self.size)

    def across(self, number: float) -> float:
        """Return where a number begins, in percent; what lies outside stands at the end."""
        return round(min(max(0.0, 100.0 * (number - self.first) / self.size), 100.0), 3)

    def between(self, first: int, last: int) -> Extent | None:
        """Return place and width of a range of messages; None if it lies outside."""
        if last < self.first or first > self.last:
            return None
        start = self.across(first)
        return start, round(self.across(last + 1) - start, 3)

    def bars(self, spans: Iterable[SummarySpan]) -> Iterator[SummaryBar]:
        """Yield a bar for each summary; one that covers again what the one before covers begins after it."""
        before = 0
        for span in spans:
            place = self.between(max(span.first, before + 1) if before < span.last else span.first, span.last)
            before = max(before, span.last)
            if place is not None:
                yield SummaryBar(span, *place, _label(span.words, place[1]))

    def places(self) -> list[tuple[float, float, Window]]:
        """Return where a click zooms in: place, width, and the closer window."""
        width = 100 / PLACES
        middles = [self.first + round((at + 0.5) * self.size / PLACES) for at in range(PLACES)]
        return [
            (round(at * width, 3), round(width, 3), self.nearer(middle))
            for at, middle in enumerate([] if self.closest else middles)
        ]

    def ticks(self) -> list[Tick]:
        """Return about six round numbers.

        >>> [tick.number for tick in Window.of(None, None, 100_000).ticks()]
        [1, 20000, 40000, 60000, 80000, 100000]
        """
        steps = (unit * 10**power for power in range(20) for unit in (1, 2, 5))
        step = next(step for step in steps if self.size <= 6 * step)
        first = self.first if self.first == 1 else -(-self.first // step) * step
        found = []
        for number in [first, *range((first // step + 1) * step, self.last + 1, step)]:
            if self.holds(number):
                x = self.across(number + 0.5)
                found.append(Tick(x, number, "start" if x < EDGE else "end" if x > 100 - EDGE else "middle"))
        return found


def apart(spans: Iterable[SummarySpan], limit: int = 3) -> list[list[SummarySpan]]:
    """Return the summaries in rows within which none overlaps, as far as `limit` rows allow."""
    rows: list[list[SummarySpan]] = []
    for span in spans:
        free = next((row for row in rows if row[-1].last < span.first), None)
        if free is None and len(rows) < limit:
            rows.append(free := [])
        (rows[-1] if free is None else free).append(span)
    return rows


def _label(words: Sequence[str], width: float) -> str:
    """Return as many of the words as a bar has room for.

    >>> _label(["Lisbon", "train"], 20.0), _label(["Lisbon", "train"], 9.0), _label(["Lisbon"], 3.0)
    ('Lisbon, train', 'Lisbon', '')
    """
    while words and len(", ".join(words)) > width * LETTERS - 1:
        words = words[:-1]
    return ", ".join(words)
