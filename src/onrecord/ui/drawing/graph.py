"""Things and how they stand to each other, as boxes and arrows.

Each group of things that hang together is laid out in rows: what points stands above what is pointed at. Rows hold a
few boxes at most, and groups are packed beside each other, so that boxes never overlap; labels look for a free place
along their line. The same things always make the same drawing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import hypot
from typing import Any, NamedTuple
from unicodedata import east_asian_width

from onrecord.ui.drawing.graph_rows import GraphRow, rows_of

__all__ = ["Arrow", "Box", "GraphDrawing", "GraphEdge", "GraphNode", "chosen", "draw", "wrapped"]

WIDE, HIGH = 216.0, 74.0  # of a box
ASIDE, BELOW = 28.0, 62.0  # between boxes
MARGIN = 10.0
COLUMNS = 4  # boxes in a row
LETTER, LINE = 6.6, 14.0  # size of a label's letters
LETTERS = 28  # that fit into a line of a box
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)  # of a line, where its word may stand
BENDS = (0.0, 60.0, -60.0, 125.0, -125.0, 200.0, -200.0, 270.0, -270.0)  # how far a line may be bent aside

Point = tuple[float, float]
Place = tuple[float, float, float, float]
"""Left, top, width and height."""


class GraphNode(NamedTuple):
    """A thing."""

    id: str
    text: str


class GraphEdge(NamedTuple):
    """How one thing stands to another. There may be many thousands to choose from, so they are light."""

    source: str
    target: str
    type: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """Where a thing is drawn, and what is written in it."""

    id: str
    x: float
    y: float
    width: float
    height: float
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrow:
    """Where a relation is drawn, and where its word stands."""

    edge: GraphEdge
    path: str  # its line, bent where a box would be in the way
    head: str  # the points of its head
    label: Point  # the middle of its word
    reach: Point  # how far to the left and to the right it goes, with its word


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphDrawing:
    """All of it."""

    left: float  # where it begins: under nought where a line is bent to the left of all boxes
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def chosen(weights: Mapping[str, float], edges: Iterable[GraphEdge], most: int) -> tuple[list[str], list[GraphEdge]]:
    """The things that matter most of those that stand in a relation, and the relations between them; `weights`: how
    much each thing matters."""
    told = [edge for edge in dict.fromkeys(edges) if edge.source in weights and edge.target in weights]
    degree = Counter(end for edge in told for end in (edge.source, edge.target))

    def rank(id: str) -> tuple[float, int, str]:
        return -weights[id], -degree[id], id

    kept = _with_partners(nsmallest(most, degree, key=rank), told, rank, most)
    return sorted(kept, key=rank), [edge for edge in told if edge.source in kept and edge.target in kept]


def _with_partners(first: Sequence[str], edges: Iterable[GraphEdge], rank: Callable[[str], Any], most: int) -> set[str]:
    """The first of a ranking, each with one that it stands in a relation to: nobody stands alone."""
    wanted, partner = set(first), dict[str, str]()
    for edge in edges:
        for one, other in ((edge.source, edge.target), (edge.target, edge.source)):
            if one in wanted and (one not in partner or rank(other) < rank(partner[one])):
                partner[one] = other
    kept: set[str] = set()
    for id in first:
        if len(kept) >= most:
            break
        both = {id, partner[id]} - kept
        if len(kept) + len(both) <= most:
            kept |= both
    return kept


def draw(nodes: Sequence[GraphNode], edges: Sequence[GraphEdge]) -> GraphDrawing:
    """Boxes and arrows for things and the relations between them."""
    joined = [(edge.source, edge.target) for edge in edges]
    rows = rows_of([node.id for node in nodes], joined, COLUMNS)
    text = {node.id: node.text for node in nodes}
    boxes = {id: _box(id, text[id], row, at) for row in rows for at, id in enumerate(row.ids)}
    arrows = _arrows(boxes, edges)
    left = min([0.0, *(arrow.reach[0] - MARGIN for arrow in arrows)])
    right = max([box.x + box.width for box in boxes.values()] + [arrow.reach[1] for arrow in arrows], default=0.0)
    height = max([box.y + box.height for box in boxes.values()], default=0.0) + MARGIN
    ordered = tuple(boxes[node.id] for node in nodes)
    width = round(right + MARGIN - left, 1)
    return GraphDrawing(left=round(left, 1), width=width, height=height, boxes=ordered, arrows=arrows)


def _box(id: str, text: str, row: GraphRow, at: int) -> Box:
    x = MARGIN + (row.left + at) * (WIDE + ASIDE)
    y = MARGIN + row.top * (HIGH + BELOW)
    return Box(id=id, x=round(x, 1), y=round(y, 1), width=WIDE, height=HIGH, lines=wrapped(text, LETTERS, 2))


def wrapped(text: str, letters: int, lines: int) -> tuple[str, ...]:
    """A text in a few short lines; what does not fit is cut off.

    >>> wrapped("I moved to Lisbon in spring", 12, 2)
    ('I moved to', 'Lisbon in…')
    """
    words, made = text.split(), [""]
    while words:
        word = words.pop(0)
        tried = f"{made[-1]} {word}".strip()
        if _long(tried) <= letters:
            made[-1] = tried
        elif made[-1] and len(made) < lines:
            made.append("")
            words.insert(0, word)
        elif made[-1]:
            return (*made[:-1], _cut(made[-1], letters))
        else:  # one word that is longer than a line
            return (*made[:-1], _cut(word, letters))
    return tuple(line for line in made if line)


def _long(text: str) -> int:
    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)


def _cut(text: str, letters: int) -> str:
    while _long(text) > letters - 1:
        text = text[:-1]
    return text + "…"


# Arrows


def _arrows(boxes: dict[str, Box], edges: Sequence[GraphEdge]) -> tuple[Arrow, ...]:
    beside: defaultdict[frozenset[str], int] = defaultdict(int)  # lines between the same two
    places = {box.id: (box.x, box.y, box.width, box.height) for box in boxes.values()}
    taken = list(places.values())
    found = []
    for edge in edges:
        pair = frozenset((edge.source, edge.target))
        number = beside[pair]
        beside[pair] += 1
        start, end = _ends(boxes[edge.source], boxes[edge.target], number)
        between = [place for id, place in places.items() if id not in pair and _is_level(place, start[1], end[1])]
        middle = _bent(start, end, between)
        label, place = _label(edge.type, [_at(share, start, middle, end) for share in SHARES], taken)
        taken.append(place)
        widest = _at(0.5, start, middle, end)[0]
        reach = min(widest, place[0]), max(widest, place[0] + place[2])
        path = _path(start, middle, end)
        found.append(Arrow(edge=edge, path=path, head=_head(middle, end), label=label, reach=reach))
    return tuple(found)


def _ends(source: Box, target: Box, number: int) -> tuple[Point, Point]:
    """Where a line leaves one box and meets the other; the second between the same two runs beside the first."""
    aside = (number + 1) // 2 * 40.0 * (1 if number % 2 else -1)
    if source.y == target.y:
        left = source.x < target.x
        start = source.x + (source.width if left else 0), source.y + source.height / 2 + aside / 3
        end = target.x + (0 if left else target.width), target.y + target.height / 2 + aside / 3
    else:
        above = source.y < target.y
        lean = max(-60.0, min(60.0, (target.x - source.x) / 6))
        start = source.x + source.width / 2 + lean + aside, source.y + (source.height if above else 0)
        end = target.x + target.width / 2 - lean + aside, target.y + (0 if above else target.height)
    return start, end


def _bent(start: Point, end: Point, boxes: Sequence[Place]) -> Point:
    """The point towards which a line is bent, so that it runs behind as few boxes as it can."""
    best: tuple[float, Point] | None = None
    for bend in BENDS:
        middle = (start[0] + end[0]) / 2 + bend, (start[1] + end[1]) / 2
        way = [_at(step / 16, start, middle, end) for step in range(1, 16)]
        behind = sum(any(_holds(box, point) for box in boxes) for point in way)
        if best is None or behind < best[0]:
            best = behind, middle
        if behind == 0:
            break
    assert best is not None
    return best[1]


def _is_level(box: Place, start: float, end: float) -> bool:
    """Whether a line from one height to another can meet it at all."""
    return box[1] < max(start, end) and box[1] + box[3] > min(start, end)


def _holds(box: Place, point: Point) -> bool:
    return box[0] <= point[0] <= box[0] + box[2] and box[1] <= point[1] <= box[1] + box[3]


def _at(share: float, start: Point, middle: Point, end: Point) -> Point:
    """A point of the curve."""
    a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]


def _path(start: Point, middle: Point, end: Point) -> str:
    return f"M{start[0]:.1f} {start[1]:.1f} Q{middle[0]:.1f} {middle[1]:.1f} {end[0]:.1f} {end[1]:.1f}"


def _head(middle: Point, end: Point) -> str:
    long = hypot(end[0] - middle[0], end[1] - middle[1]) or 1.0
    along = (end[0] - middle[0]) / long, (end[1] - middle[1]) / long
    foot = end[0] - 9 * along[0], end[1] - 9 * along[1]
    one = foot[0] - 4.5 * along[1], foot[1] + 4.5 * along[0]
    other = foot[0] + 4.5 * along[1], foot[1] - 4.5 * along[0]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in (end, one, other))


def _label(word: str, points: Sequence[Point], taken: Sequence[Place]) -> tuple[Point, Place]:
    """The first of the points of a line, or else the best, where the word covers nothing."""
    wide = LETTER * len(word) + 6
    best: tuple[float, Point, Place] | None = None
    for x, y in points:
        place = (x - wide / 2, y - LINE / 2, wide, LINE)
        covered = sum(_overlap(place, other) for other in taken if _is_level(other, place[1], place[1] + LINE))
        if best is None or covered < best[0]:
            best = covered, (round(x, 1), round(y, 1)), place
        if covered == 0:
            break
    assert best is not None
    return best[1], best[2]


def _overlap(one: Place, other: Place) -> float:
    aside = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    below = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    return max(0.0, aside) * max(0.0, below)
