"""Where the messages that are shown as they were said begin, and which nodes stand for those before.

Both are pure functions of what is stored, so every process builds the same prompt. A window may begin behind any node,
but it prefers round places: behind the node whose number has the most trailing zeros. While the conversation grows,
the roundest place that fits stays the roundest, so the window moves seldom and in large steps, and between two steps
the prompt's beginning stays the same. That is what a provider's prompt cache needs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from onrecord.policy.passages import WHOLE

__all__ = ["NodeSpan", "WindowEdge", "cover", "longest_shown", "window_start"]

ENOUGH, LEAST = 0.4, 0.2  # of the room: what a window should fill, and what it must if it begins behind a node


class WindowEdge(NamedTuple):
    """The end of a node: where a window may begin."""

    last: int  # the node's last message
    number: int  # the node's own number: 1, 2, 3 …


class NodeSpan(NamedTuple):
    """What a node covers."""

    first: int
    last: int
    level: int
    key: str


def longest_shown(room: int) -> int:
    """Tokens from which on a message of the window is shortened: a third of its room, so that a long message and a long
    answer to it leave as much for the turns around them; never what is no longer than a passage. It depends on the
    room alone, so a message stays as it is shown while the conversation grows."""
    return max(room // 3, WHOLE // 4)


def window_start(edges: Sequence[WindowEdge], costs: Sequence[tuple[int, int]], room: int) -> int:
    """Number of the first message of the window: `room` tokens at most, from the end of a node on where that leaves
    enough of them. `costs` are number and tokens of the newest messages, oldest first."""
    left, reached = room, {}  # message → tokens of the window that begins with it
    for seq, cost in reversed(costs):
        left -= cost
        if left < 0:
            break
        reached[seq] = room - left
    if not reached:
        return costs[-1][0]
    ends = [(edge.number, edge.last + 1) for edge in edges if edge.last + 1 in reached]
    anywhere = [(seq, seq) for seq in reached]
    widest = min([start for _, start in ends if reached[start] >= LEAST * room], default=0)
    return (
        _roundest(ends, reached, ENOUGH * room) or widest or _roundest(anywhere, reached, ENOUGH * room) or min(reached)
    )


def _roundest(places: Iterable[tuple[int, int]], reached: Mapping[int, int], enough: float) -> int:
    """The start at the roundest place, of those whose window has enough tokens; 0 if there is none."""
    fitting = [(_zeros(number), -start) for number, start in places if reached[start] >= enough]
    return -max(fitting)[1] if fitting else 0


def _zeros(number: int) -> int:
    return (number & -number).bit_length()


def cover(levels: Mapping[int, Sequence[NodeSpan]], start: int, detail: int) -> list[NodeSpan]:
    """The nodes that stand for the messages before `start`, oldest first: near it those of level 1, at least `detail`
    of them, then of level 2, and so on up; every message once, and O(log n) nodes in all. Where a node is missing,
    those of lower levels that are there stand in for it."""
    ends = {level: {span.last: span for span in spans} for level, spans in levels.items()}
    found: list[NodeSpan] = []
    level, taken, end = 1, 0, start - 1  # everything after `end` is covered
    while end > 0:
        there = [one for one in sorted(ends) if end in ends[one]]
        higher = [one for one in there if one > level]
        if not there or (level not in there and not higher):
            level = there[-1] if there else 0
        elif level not in there or (taken >= detail and level + 1 in there):
            level, taken = higher[0], 0
        if not level:
            break
        found.append(ends[level][end])
        end, taken = found[-1].first - 1, taken + 1
    return found[::-1]
