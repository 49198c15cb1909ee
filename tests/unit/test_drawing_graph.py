"""Boxes and arrows: nothing overlaps, the same things always make the same drawing, the most important ones stay."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from onrecord.ui.drawing.graph import Box, GraphEdge, chosen, draw, rows_of

TYPES = ("supersedes", "contradicts", "depends_on", "part_of", "caused_by", "related_to")


def tangle(seed: int, count: int, joined: int) -> tuple[dict[str, str], list[GraphEdge]]:
    random = Random(seed)
    nodes = {f"n{at:02}": f"Thing number {at}" for at in range(count)}
    edges = []
    for _ in range(joined):
        one, other = random.sample([*nodes], 2)
        edges.append(GraphEdge(source=one, target=other, type=random.choice(TYPES)))
    return nodes, list(dict.fromkeys(edges))


def is_apart(one: Box, other: Box) -> bool:
    return (
        one.x + one.width <= other.x
        or other.x + other.width <= one.x
        or one.y + one.height <= other.y
        or other.y + other.height <= one.y
    )


@pytest.mark.parametrize(("seed", "count", "joined"), [(1, 2, 1), (2, 12, 10), (3, 40, 60), (4, 80, 50), (5, 80, 400)])
def test_boxes_never_overlap_and_lie_within(seed: int, count: int, joined: int) -> None:
    nodes, edges = tangle(seed, count, joined)
    drawing = draw(nodes, edges)
    assert [box.id for box in drawing.boxes] == [*nodes]
    assert all(is_apart(one, other) for one, other in combinations(drawing.boxes, 2))
    assert all(box.x >= 0 and box.x + box.width <= drawing.left + drawing.width for box in drawing.boxes)
    assert all(box.y >= 0 and box.y + box.height <= drawing.height for box in drawing.boxes)
    assert [arrow.edge for arrow in drawing.arrows] == edges
    assert draw(nodes, edges) == drawing


def test_an_arrow_points_down_and_a_chain_is_a_column() -> None:
    nodes = {name: name for name in "abc"}
    drawing = draw(nodes, [GraphEdge(source="c", target="b", type="supersedes"), GraphEdge("b", "a", "supersedes")])
    tops = {box.id: box.y for box in drawing.boxes}
    assert tops["c"] < tops["b"] < tops["a"]
    assert len({box.x for box in drawing.boxes}) == 1


def test_words_of_lines_do_not_cover_each_other_where_there_is_room() -> None:
    nodes = {name: name for name in "abcd"}
    edges = [GraphEdge("a", other, "depends_on") for other in "bcd"]
    arrows = draw(nodes, edges).arrows
    places = [arrow.label for arrow in arrows]
    wide = 6.6 * len("depends_on")
    for one, other in combinations(places, 2):
        assert abs(one[0] - other[0]) >= wide or abs(one[1] - other[1]) >= 14


def test_two_relations_between_the_same_run_beside_each_other() -> None:
    nodes = {name: name for name in "ab"}
    first, second = draw(nodes, [GraphEdge("a", "b", "supersedes"), GraphEdge("b", "a", "contradicts")]).arrows
    assert first.path != second.path
    assert first.label != second.label


def test_a_line_bends_around_a_box_in_its_way() -> None:
    nodes = {name: name for name in "abcdefgh"}
    edges = [GraphEdge("a", other, "depends_on") for other in "bcdefgh"]  # four below it, then three
    drawing = draw(nodes, edges)
    places = {box.id: box for box in drawing.boxes}
    behind = [arrow for arrow in drawing.arrows if places[arrow.edge.target].y == max(box.y for box in drawing.boxes)]
    straight = 0
    for arrow in behind:
        start, _, rest = arrow.path.removeprefix("M").partition(" Q")
        middle, end = float(rest.split()[0]), float(rest.split()[2])
        straight += abs(middle - (float(start.split()[0]) + end) / 2) < 1
        assert drawing.left <= arrow.left <= arrow.right <= drawing.left + drawing.width
    assert straight < len(behind)


@pytest.mark.parametrize("edges", [[("a", "b"), ("b", "a")], [("a", "b"), ("b", "c"), ("c", "a")]])
def test_a_circle_is_drawn_all_the_same(edges: list[tuple[str, str]]) -> None:
    rows = rows_of(["a", "b", "c"], edges, 4)
    assert sorted(id for _, _, ids in rows for id in ids) == ["a", "b", "c"]


def test_a_row_holds_a_few_and_groups_share_a_shelf() -> None:
    wide = rows_of([f"n{at}" for at in range(11)], [("n0", f"n{at}") for at in range(1, 11)], 4)
    assert [len(ids) for _, _, ids in wide] == [1, 4, 4, 2]
    pairs = rows_of(["a", "b", "c", "d"], [("a", "b"), ("c", "d")], 4)
    assert {top for top, _, _ in pairs} == {0, 1}
    assert {left for _, left, _ in pairs} == {0, 1}


def test_the_most_important_are_chosen_and_none_stands_alone() -> None:
    nodes, edges = tangle(7, 60, 45)
    weights = {id: at / len(nodes) for at, id in enumerate(nodes)}
    kept, between = chosen(weights | {"alone": 1.0}, [*edges, GraphEdge("n00", "gone", "part_of")], 10)
    ends = {end for edge in between for end in (edge.source, edge.target)}
    assert len(kept) <= 10
    assert set(kept) == ends
    assert max((end for edge in edges for end in edge[:2]), key=weights.__getitem__) == kept[0]
    everything, all_edges = chosen(weights, edges, 1000)
    assert set(all_edges) == set(edges)
    assert set(everything) == {end for edge in edges for end in edge[:2]}


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("", ("",)),
        ("short", ("short",)),
        ("one two " * 10, ("one two one two one two one", "two one two one two one two…")),
        ("Donaudampfschifffahrtsgesellschaft", ("Donaudampfschifffahrtsgesell", "schaft")),
        ("日本語" * 20, ("日本語日本語日本語日本語日本", "語日本語日本語日本語日本語…")),
    ],
)
def test_a_text_is_cut_into_short_lines(text: str, lines: tuple[str, ...]) -> None:
    assert draw({"a": text}, []).boxes[0].lines == lines


def test_nothing_makes_an_empty_drawing() -> None:
    assert draw({}, []).boxes == ()
    assert chosen({}, [], 80) == ([], [])
