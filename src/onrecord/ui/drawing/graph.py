"""Facts and episodes as boxes, the relations between them as arrows.

What is connected forms a group. Each group is laid out in rows, what points above what it points at, and groups stand
on shelves next to each other, so boxes never overlap. The same input always gives the same drawing.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import hypot
from textwrap import wrap
from typing import NamedTuple
from unicodedata import east_asian_width

__all__ = ["Arrow", "Box", "GraphDrawing", "GraphEdge", "chosen", "draw", "rows_of"]

WIDE, HIGH = 216.0, 74.0  # of a box
ASIDE, BELOW = 28.0, 62.0  # between boxes
MARGIN = 10.0
COLUMNS = 4  # boxes in a row
LETTERS = 28  # that fit into a line of a box; wide letters count twice
LETTER, LINE = 6.6, 14.0  # size of a label's letters
SHARES = (0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.18, 0.82)  # of a line, where its label may stand
BENDS = (0.0, 60.0, -60.0, 125.0, -125.0, 200.0, -200.0, 270.0, -270.0)  # how far a line may be bent

Point = tuple[float, float]


class GraphEdge(NamedTuple):
    """A relation."""

    source: str
    target: str
    type: str


class Box(NamedTuple):
    """A rectangle: that of a fact or episode, or of a label."""

    x: float
    y: float
    width: float = WIDE
    height: float = HIGH
    id: str = ""
    lines: tuple[str, ...] = ()

    def overlap(self, other: Box) -> float:
        """Return the area that both cover."""
        aside = min(self.x + self.width, other.x + other.width) - max(self.x, other.x)
        below = min(self.y + self.height, other.y + other.height) - max(self.y, other.y)
        return max(0.0, aside) * max(0.0, below)

    def contains(self, point: Point) -> bool:
        """Return whether a point lies in it."""
        return self.x <= point[0] <= self.x + self.width and self.y <= point[1] <= self.y + self.height


class Arrow(NamedTuple):
    """A relation in the drawing."""

    edge: GraphEdge
    path: str  # bent where a box would be in the way
    head: str  # the points of its head
    label: Point  # the middle of its label
    left: float
    right: float


class GraphDrawing(NamedTuple):
    """Boxes and arrows, and the size of the drawing."""

    left: float  # negative where a line is bent beyond all boxes
    width: float
    height: float
    boxes: tuple[Box, ...]
    arrows: tuple[Arrow, ...]


def chosen(weights: Mapping[str, float], edges: Iterable[GraphEdge], limit: int) -> tuple[list[str], list[GraphEdge]]:
    """Return at most `limit` ids that stand in a relation, the weightiest first, and the relations between them."""
    known = [edge for edge in dict.fromkeys(edges) if edge.source in weights and edge.target in weights]

    def rank(edge: GraphEdge) -> tuple[float, float]:
        low, high = sorted((weights[edge.source], weights[edge.target]))
        return -high, -low

    kept: dict[str, None] = {}
    for edge in sorted(known, key=rank):
        fresh = {edge.source, edge.target} - kept.keys()
        if len(kept) + len(fresh) <= limit:
            kept |= dict.fromkeys(fresh)
    between = [edge for edge in known if edge.source in kept and edge.target in kept]
    return sorted(kept, key=lambda id: (-weights[id], id)), between


def draw(texts: Mapping[str, str], edges: Sequence[GraphEdge]) -> GraphDrawing:
    """Return boxes with these texts, by id, and arrows between them."""
    rows = rows_of([*texts], [(edge.source, edge.target) for edge in edges], COLUMNS)
    boxes = {id: _box(id, texts[id], top, left + at) for top, left, ids in rows for at, id in enumerate(ids)}
    arrows = _arrows(boxes, edges)
    left = min([0.0, *(arrow.left - MARGIN for arrow in arrows)])
    right = max([*(box.x + WIDE for box in boxes.values()), *(arrow.right for arrow in arrows)], default=0.0)
    height = max((box.y + HIGH for box in boxes.values()), default=0.0)
    ordered = tuple(boxes[id] for id in texts)
    return GraphDrawing(round(left, 1), round(right + MARGIN - left, 1), height + MARGIN, ordered, arrows)


def _box(id: str, text: str, row: int, column: float) -> Box:
    wide = any(east_asian_width(letter) in "WF" for letter in text)
    letters = LETTERS // 2 if wide else LETTERS
    first, *others = wrap(text, letters) or [""]
    lines = (first, *others) if len(others) < 2 else (first, f"{others[0][: letters - 1]}…")
    return Box(MARGIN + column * (WIDE + ASIDE), MARGIN + row * (HIGH + BELOW), id=id, lines=lines)


# Rows


def rows_of(ids: Sequence[str], edges: Sequence[tuple[str, str]], columns: int) -> list[tuple[int, float, list[str]]]:
    """Return the rows of all groups: number from the top, column where the row begins, ids.

    >>> rows_of(["a", "b", "c"], [("a", "b"), ("a", "c")], 4)
    [(0, 0.5, ['a']), (1, 0.0, ['b', 'c'])]
    """
    groups = [
        [layer[at : at + columns] for layer in _layers(group, edges) for at in range(0, len(layer), columns)]
        for group in _groups(ids, edges)
    ]
    groups.sort(key=lambda rows: -len(rows))  # the first group of a shelf is the highest
    found, top, height, taken = [], 0, 0, columns
    for rows in groups:
        width = max(map(len, rows))
        if taken + width > columns:  # a new shelf
            top, height, taken = top + height, len(rows), 0
        found += [(top + below, taken + (width - len(row)) / 2, row) for below, row in enumerate(rows)]
        taken += width
    return found


def _groups(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return what is connected, each group in the given order."""
    group = {id: {id} for id in ids}
    for source, target in edges:
        joined = group[source] | group[target]
        group.update(dict.fromkeys(joined, joined))
    distinct = {id(members): members for members in group.values()}
    return [[name for name in ids if name in members] for members in distinct.values()]


def _layers(ids: Sequence[str], edges: Sequence[tuple[str, str]]) -> list[list[str]]:
    """Return a group in layers: what nothing points at, then what that points at, and so on."""
    members, below = set(ids), defaultdict(list)
    for source, target in edges:
        if source in members:
            below[source].append(target)
    pointed_at = {target for targets in below.values() for target in targets}
    layer = [id for id in ids if id not in pointed_at] or list(ids[:1])
    layers = []
    while layer:
        layers.append(layer)
        members.difference_update(layer)
        targets = dict.fromkeys(target for id in layer for target in below[id] if target in members)
        layer = list(targets) or [id for id in ids if id in members][:1]
    return layers


# Arrows


def _arrows(boxes: Mapping[str, Box], edges: Sequence[GraphEdge]) -> tuple[Arrow, ...]:
    parallel: defaultdict[frozenset[str], int] = defaultdict(int)  # lines between the same two
    taken, arrows = [*boxes.values()], []
    for edge in edges:
        pair = frozenset((edge.source, edge.target))
        start, end = _ends(boxes[edge.source], boxes[edge.target], parallel[pair])
        parallel[pair] += 1
        middle = _bend(start, end, [box for box in boxes.values() if box.id not in pair and _between(box, start, end)])
        label = _label(edge.type, [_at(share, start, middle, end) for share in SHARES], taken)
        taken.append(label)
        widest = _at(0.5, start, middle, end)[0]
        points = " ".join(f"{x:.1f} {y:.1f}" for x, y in (middle, end))
        arrow = Arrow(
            edge=edge,
            path=f"M{start[0]:.1f} {start[1]:.1f} Q{points}",
            head=_head(middle, end),
            label=(round(label.x + label.width / 2, 1), round(label.y + LINE / 2, 1)),
            left=min(widest, label.x),
            right=max(widest, label.x + label.width),
        )
        arrows.append(arrow)
    return tuple(arrows)


def _ends(source: Box, target: Box, number: int) -> tuple[Point, Point]:
    """Return where a line leaves one box and meets the other; a second line between both runs next to the first."""
    aside = (number + 1) // 2 * 40.0 * (1 if number % 2 else -1)
    if source.y == target.y:
        left, right = (WIDE, 0.0) if source.x < target.x else (0.0, WIDE)
        y = source.y + HIGH / 2 + aside / 3
        return (source.x + left, y), (target.x + right, y)
    upper, lower = (HIGH, 0.0) if source.y < target.y else (0.0, HIGH)
    lean = max(-60.0, min(60.0, (target.x - source.x) / 6))
    center = WIDE / 2 + aside
    return (source.x + center + lean, source.y + upper), (target.x + center - lean, target.y + lower)


def _between(box: Box, start: Point, end: Point) -> bool:
    """Return whether a line from one height to another can meet a box."""
    return box.y < max(start[1], end[1]) and box.y + HIGH > min(start[1], end[1])


def _bend(start: Point, end: Point, boxes: Sequence[Box]) -> Point:
    """Return the point towards which a line is bent, so that it runs behind as few boxes as it can."""
    middles = [((start[0] + end[0]) / 2 + bend, (start[1] + end[1]) / 2) for bend in BENDS]

    def hidden(middle: Point) -> int:
        points = [_at(step / 16, start, middle, end) for step in range(1, 16)]
        return sum(any(box.contains(point) for box in boxes) for point in points)

    return next((middle for middle in middles if not hidden(middle)), None) or min(middles, key=hidden)


def _at(share: float, start: Point, middle: Point, end: Point) -> Point:
    """Return a point of the curve."""
    a, b, c = (1 - share) ** 2, 2 * share * (1 - share), share**2
    return a * start[0] + b * middle[0] + c * end[0], a * start[1] + b * middle[1] + c * end[1]


def _head(middle: Point, end: Point) -> str:
    length = hypot(end[0] - middle[0], end[1] - middle[1]) or 1.0
    x, y = (end[0] - middle[0]) / length, (end[1] - middle[1]) / length
    foot = end[0] - 9 * x, end[1] - 9 * y
    points = [end, (foot[0] - 4.5 * y, foot[1] + 4.5 * x), (foot[0] + 4.5 * y, foot[1] - 4.5 * x)]
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in points)


def _label(word: str, points: Sequence[Point], taken: Sequence[Box]) -> Box:
    """Return the place on a line where its label covers least."""
    width = LETTER * len(word) + 6
    places = [Box(x - width / 2, y - LINE / 2, width, LINE) for x, y in points]
    return min(places, key=lambda place: sum(map(place.overlap, taken)))
