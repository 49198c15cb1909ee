"""Which row and which place of it each thing of a graph has, before anything is measured.

What hangs together is ordered in layers, so that arrows point downwards where there is no circle; a layer is cut into
rows of a few; within a row things stand near what they are joined to. Groups are put on shelves beside each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

__all__ = ["GraphRow", "rows_of"]

SWEEPS = 4  # times that rows are put in order by their neighbours

Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class GraphRow:
    """Some things beside each other: how far down, how far from the left (in boxes), and which."""

    top: int
    left: float
    ids: tuple[str, ...]


def rows_of(ids: Sequence[str], edges: Sequence[Pair], columns: int) -> list[GraphRow]:
    """The rows of all groups, the largest groups first.

    >>> rows_of(["a", "b", "c"], [("a", "b"), ("a", "c")], 4)
    [Row(top=0, left=0.5, ids=('a',)), Row(top=1, left=0.0, ids=('b', 'c'))]
    """
    groups = [_group(part, edges, columns) for part in _parts(ids, edges)]
    groups.sort(key=lambda rows: -len(rows))  # on a shelf the first is the highest
    shelves: list[tuple[int, int, int]] = []  # top, height, and how much of it is taken
    found: list[GraphRow] = []
    for rows in groups:
        wide = max(len(row) for row in rows)
        at = next((at for at, shelf in enumerate(shelves) if shelf[2] + wide <= columns), None)
        if at is None:
            at = len(shelves)
            shelves.append((sum(shelf[1] for shelf in shelves), len(rows), 0))
        top, height, taken = shelves[at]
        shelves[at] = (top, height, taken + wide)
        found += [GraphRow(top + below, taken + (wide - len(row)) / 2, tuple(row)) for below, row in enumerate(rows)]
    return found


def _parts(ids: Sequence[str], edges: Sequence[Pair]) -> list[list[str]]:
    """Groups that hang together, each in the given order."""
    joined: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        joined[one].append(other)
        joined[other].append(one)
    seen: set[str] = set()
    found = []
    for id in ids:
        if id in seen:
            continue
        group, waiting = {id}, [id]
        while waiting:
            fresh = [other for other in joined[waiting.pop()] if other not in group]
            group.update(fresh)
            waiting += fresh
        seen |= group
        found.append([one for one in ids if one in group])
    return found


def _group(ids: Sequence[str], edges: Sequence[Pair], columns: int) -> list[list[str]]:
    """The rows of one group."""
    mine = set(ids)
    inner = [edge for edge in edges if edge[0] in mine and edge[0] != edge[1]]
    depth = _depths(ids, _without_circles(ids, inner))
    layers = [[id for id in ids if depth[id] == at] for at in sorted(set(depth.values()))]
    ordered = _by_neighbours(layers, inner)
    return [layer[at : at + columns] for layer in ordered for at in range(0, len(layer), columns)]


def _without_circles(ids: Sequence[str], edges: Sequence[Pair]) -> list[Pair]:
    """The edges, less those that lead back to where one came from."""
    after: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        after[one].append(other)
    state: dict[str, int] = {}  # 1: on the way, 2: done
    kept: list[Pair] = []
    for root in ids:
        way = [(root, iter(after[root]))] if root not in state else []
        state.setdefault(root, 1)
        while way:
            here, rest = way[-1]
            below = next(rest, None)
            if below is None:
                state[here] = 2
                way.pop()
            elif state.get(below) != 1:
                kept.append((here, below))
                if below not in state:
                    state[below] = 1
                    way.append((below, iter(after[below])))
    return kept


def _depths(ids: Sequence[str], edges: Sequence[Pair]) -> Mapping[str, int]:
    """How far down each stands: below all that point at it, and no higher above the next than it must."""
    above: defaultdict[str, list[str]] = defaultdict(list)
    below: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        above[other].append(one)
        below[one].append(other)
    depth: dict[str, int] = {}
    waiting = list(ids)
    while waiting:  # as many rounds as there are layers
        ready = [id for id in waiting if all(one in depth for one in above[id])]
        depth.update({id: max((depth[one] + 1 for one in above[id]), default=0) for id in ready})
        waiting = [id for id in waiting if id not in depth]
    for id in sorted(ids, key=lambda id: -depth[id]):
        if below[id] and not above[id]:
            depth[id] = min(depth[other] for other in below[id]) - 1
    return depth


def _by_neighbours(layers: list[list[str]], edges: Sequence[Pair]) -> list[list[str]]:
    """Each layer in the order of what its things are joined to."""
    joined: defaultdict[str, list[str]] = defaultdict(list)
    for one, other in edges:
        joined[one].append(other)
        joined[other].append(one)
    for _ in range(SWEEPS):
        place = {id: at / max(len(layer) - 1, 1) for layer in layers for at, id in enumerate(layer)}
        for layer in layers:
            middle = {id: sum(place[one] for one in joined[id]) / max(len(joined[id]), 1) for id in layer}
            layer.sort(key=lambda id: middle[id])
            place.update({id: at / max(len(layer) - 1, 1) for at, id in enumerate(layer)})
    return layers
