"""The relations between facts and episodes, as a drawing and as a list."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query
from starlette.responses import Response

from onrecord.journal.clean import clean_time
from onrecord.records import RELATION_TYPES, Episode, Fact, Relation, RelationType
from onrecord.service.forms import listed
from onrecord.service.routing import Threaded
from onrecord.ui.drawing.graph import GraphEdge, chosen, draw
from onrecord.ui.view import Look, PageQuery, every_fact

__all__ = ["edges_of", "graph_of", "router", "telling"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

BOXES = 80


class GraphQuery(PageQuery):
    """Which relations to draw."""

    type: RelationType | Literal[""] = ""
    as_of: str = ""
    episodes: str = ""  # "no": without them


@router.get("/ui/facts/graph")
def graph(look: Look, query: Annotated[GraphQuery, Query()]) -> Response:
    """Draw the relations of the space, around what matters most."""
    memory, moment = look.memory, query.as_of or None
    relations = memory.relations(type=query.type or None, as_of=moment)
    edges = edges_of(relations)
    episodes = memory.episodes(as_of=moment)
    if query.episodes != "no" and not query.type:
        edges += telling(episodes, {end for edge in edges for end in (edge.source, edge.target)})
    things: dict[str, Fact | Episode] = {fact.id: fact for fact in every_fact(memory, query.as_of)}
    things |= {episode.id: episode for episode in memory.episodes(status=None)}
    values = {
        "query": query,
        "moment": clean_time(query.as_of, "as_of") if moment else None,
        "graph": graph_of(edges, things, BOXES),
        "all_types": RELATION_TYPES,
    }
    return look.page("fact_graph.html", values, lambda: listed([relation.to_dict() for relation in relations]))


def edges_of(relations: Iterable[Relation]) -> list[GraphEdge]:
    """Return the relations as edges."""
    return [GraphEdge(relation.source, relation.target, relation.type) for relation in relations]


def telling(episodes: Iterable[Episode], facts: Collection[str]) -> list[GraphEdge]:
    """Return which episodes tell of some facts."""
    return [GraphEdge(episode.id, id, "tells_of") for episode in episodes for id in episode.links if id in facts]


def graph_of(
    edges: Sequence[GraphEdge], things: Mapping[str, Fact | Episode], limit: int, centre: str = ""
) -> dict[str, Any]:
    """Return what a template needs to draw the relations between facts and episodes, given by id; `centre`: the one
    that is never left out."""
    weights = {
        id: (thing.importance if isinstance(thing, Fact) else thing.significance) + 9 * (id == centre)
        for id, thing in things.items()
    }
    kept, between = chosen(weights, edges, limit)
    texts = {id: thing.text if isinstance(thing := things[id], Fact) else thing.title for id in kept}
    ends = {end for edge in edges for end in (edge.source, edge.target)}
    return {
        "drawing": draw(texts, between),
        "things": things,
        "types": sorted({edge.type for edge in between}),
        "left": len(ends & things.keys()) - len(kept),
        "centre": centre,
    }
