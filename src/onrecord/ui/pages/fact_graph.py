"""How facts and episodes stand to each other, as a drawing and as a list."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from onrecord.journal.clean import clean_choice, clean_time
from onrecord.records import RELATION_TYPES, Episode, Fact
from onrecord.service.calling import Threaded
from onrecord.service.forms import listed
from onrecord.ui.drawing.graph import Box, GraphDrawing, GraphEdge, GraphNode, chosen, draw
from onrecord.ui.pages.knowledge_view import KnowledgeView, opened, telling
from onrecord.ui.view import Look, View

__all__ = ["drawn", "router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

MOST = 80  # boxes


@dataclass(frozen=True, slots=True, kw_only=True)
class GraphBox:
    """A box with what it stands for."""

    box: Box
    kind: str
    status: str
    text: str
    address: str
    is_fact: bool


@router.get("/ui/facts/graph")
def graph(look: Look, type: str = "", as_of: str = "", episodes: str = "") -> Response:
    """The relations of the space, around what matters most."""
    moment = clean_time(as_of, "as_of") if as_of else None
    kind: Any = clean_choice(type, RELATION_TYPES, "type") if type else None
    edges = _edges(look, kind, as_of)
    told = telling(
        look.memory.episodes(as_of=as_of or None), {end for edge in edges for end in (edge.source, edge.target)}
    )
    drawing = drawn(look, [*edges, *(told if episodes != "no" and not type else ())], MOST, moment=moment)
    values = {
        "type": type,
        "as_of": as_of,
        "moment": moment,
        "with_episodes": episodes != "no",
        "graph": drawing,
        "total": len(edges),
        "all_types": RELATION_TYPES,
    }
    return look.page(
        "fact_graph.html",
        values,
        lambda: listed([one.to_dict() for one in look.memory.relations(type=kind, as_of=as_of or None)]),
    )


def _edges(look: View, type: Any, as_of: str) -> list[GraphEdge]:
    if as_of:
        found = look.memory.relations(type=type, as_of=as_of)
        return [GraphEdge(source=one.source, target=one.target, type=one.type) for one in found]
    with opened(look.memory) as known:
        return [edge for edge in known.relations(known.pages.facts()) if type in (None, edge.type)]


def drawn(
    look: View, edges: Sequence[GraphEdge], most: int, centre: str = "", moment: datetime | None = None
) -> dict[str, Any]:
    """What a template needs for the drawing of some relations; `centre`: what must not be left out; `moment`: with
    the status that things had then."""
    ends = list(dict.fromkeys(end for edge in edges for end in (edge.source, edge.target)))
    with opened(look.memory, moment) as known:
        things: dict[str, Fact | Episode] = {**known.pages.episodes, **known.among(ends)}
        there = {id: things[id] for id in ends if id in things}
        kept, between = chosen({id: _weight(one) + 9 * (id == centre) for id, one in there.items()}, edges, most)
        status = {id: _status(known, there[id]) for id in kept}
    drawing = draw([GraphNode(id=id, text=_text(there[id])) for id in kept], between)
    boxes = {box.id: _shown(look, box, there[box.id], status[box.id]) for box in drawing.boxes}
    return {"drawing": drawing, "boxes": boxes, "left": len(there) - len(kept), "centre": centre, **_legend(drawing)}


def _status(known: KnowledgeView, thing: Fact | Episode) -> str:
    if isinstance(thing, Fact):
        return known.status(thing)
    return "active" if known.pages.in_use(thing.id) else "archived"


def _text(thing: Fact | Episode) -> str:
    return thing.text if isinstance(thing, Fact) else thing.title


def _weight(thing: Fact | Episode) -> float:
    return thing.importance if isinstance(thing, Fact) else thing.significance


def _shown(look: View, box: Box, thing: Fact | Episode, status: str) -> GraphBox:
    if isinstance(thing, Fact):
        address = look.link("facts", thing.id)
    else:
        address = f"{look.link('episodes', session=thing.session)}#{thing.id}"
    return GraphBox(
        box=box,
        kind=thing.kind,
        status=status,
        text=_text(thing),
        address=address,
        is_fact=isinstance(thing, Fact),
    )


def _legend(drawing: GraphDrawing) -> dict[str, Iterable[str]]:
    return {"types": sorted({arrow.edge.type for arrow in drawing.arrows})}
