"""The page of searches: what is found for a question, what its score is made of, and what other weights would do."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain, groupby, islice
from operator import itemgetter
from textwrap import shorten
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator, BeforeValidator, Field
from starlette.responses import Response

from onrecord.errors import InvalidInput
from onrecord.journal.asking import KINDS
from onrecord.memory import Memory
from onrecord.policy.lexemes import lexemes
from onrecord.policy.secrets import masked
from onrecord.recall.hits import Hits
from onrecord.records import Hit
from onrecord.service.forms import hits_form
from onrecord.service.routing import Threaded, in_turn
from onrecord.ui.view import Look, PageQuery, wants_json

__all__ = ["marked", "router", "score_bar"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

COMPARED = 100  # hits by the default weights that others are compared with
SESSIONS = 50  # to choose from
LIMIT, MOST = 10, 200  # hits on a page
WIDTH = 1_000.0  # of a bar

SIGNALS = {
    "words": "the same words, rare ones more",
    "near": "the question's words there, or a few messages away",
    "meaning": "means the same",
    "around": "means the same, with its neighbours",
    "speaker": "said by the person that the question is about",
    "self": "the speaker speaks of themselves",
    "time": "said when the question names",
    "semantic": "alike in rare words",
    "keyword": "share of the question's words",
    "recency": "said lately",
    "importance": "its importance",
    "access": "was found often before",
}

Limit = Annotated[int, BeforeValidator(lambda text: text or LIMIT), AfterValidator(lambda n: min(MOST, max(1, n)))]
Word = Annotated[str, AfterValidator(str.strip)]


class RecallQuery(PageQuery):
    """What to find; the weights stand next to it in the address, as w.time=0.5."""

    q: Word = ""
    limit: Limit = LIMIT
    kinds: list[str] = Field([])
    session: Word = ""
    since: Word = ""
    until: Word = ""
    part: str = ""  # "found": only what is found, for the page's script

    def search(self, memory: Memory, weights: Mapping[str, float] | None, limit: int) -> Hits:
        """Search as the API does."""
        return memory.search(
            self.q,
            kinds=[kind for kind in self.kinds if kind] or None,
            sessions=[self.session] if self.session else None,
            since=self.since or None,
            until=self.until or None,
            limit=limit,
            weights=weights,
        )


@router.get("/ui/recall")
@in_turn
def recall(look: Look, request: Request, query: Annotated[RecallQuery, Query()]) -> Response:
    """Show a question and its hits."""
    memory = look.memory
    weights = {name[2:]: _weight(text, name) for name, text in request.query_params.items() if name.startswith("w.")}
    hits = query.search(memory, weights or None, query.limit) if query.q or wants_json(request) else None
    if hits is not None and (query.part or wants_json(request)):
        values = {"query": query, "found": _found(memory, query, weights, hits)}
        return look.part("recall_found.html", values) if query.part else look.page("", {}, lambda: hits_form(hits))
    sessions = [info.id for info in islice(memory.sessions(), SESSIONS)]
    values = {
        "query": query,
        "found": None if hits is None else _found(memory, query, weights, hits),
        "filtered": bool(any(query.kinds) or query.session or query.since or query.until or query.limit != LIMIT),
        "examples": [] if query.q else _examples(memory, sessions[:8]),
        "kinds": KINDS,
        "sessions": sessions,
        "signals": SIGNALS,
    }
    return look.page("recall.html", values, lambda: hits_form(hits) if hits is not None else {})


def _weight(text: str, name: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not abs(value) < 1e6:
        raise InvalidInput(f"{name}={text[:32]!r} must be a number.", "Give one such as 1.5.")
    return value


def _found(memory: Memory, query: RecallQuery, weights: Mapping[str, float], hits: Hits) -> dict[str, Any]:
    changed = any(value != hits.weights.get(name) for name, value in weights.items())
    default = query.search(memory, None, max(COMPARED, query.limit)) if changed else hits
    ranks = {_key(hit): rank for rank, hit in enumerate(default, 1)}
    words = frozenset(lexemes(query.q))
    best = max((_positive(hit.parts) for hit in hits), default=0.0) or 1.0
    rows = []
    for rank, hit in enumerate(hits, 1):
        length = _positive(hit.parts) / best if hit.probability is None else hit.probability
        moved = ranks[_key(hit)] - rank if _key(hit) in ranks else None
        pieces, bar = marked(masked(hit.text), words), score_bar(hit.parts, length)
        rows.append({"hit": hit, "rank": rank, "moved": moved, "pieces": pieces, "bar": bar})
    used = {name for hit in hits for name in hit.parts} | {name for name, value in weights.items() if value == 0}
    sliders = [(name, weights.get(name, default), default, name in used) for name, default in hits.weights.items()]
    top = max(1.0, *(max(value, 1.5 * default) for _, value, default, _ in sliders))
    return {"hits": rows, "answer": hits, "sliders": sliders, "top": top}


def _key(hit: Hit) -> tuple[str, str, str]:
    return hit.kind, hit.session, hit.id


def _examples(memory: Memory, sessions: list[str]) -> list[str]:
    """Return questions that the space may have something about: the first words of newest messages of users."""
    found: dict[str, None] = {}
    for session in sessions:
        for message in memory.session(session).history(role="user", last=3):
            words = shorten(masked(message.text[:300]), 56, placeholder="")
            if " " in words:
                found[words] = None
    return list(found)[-6:]


# Bars


class Segment(NamedTuple):
    """One part of a score in its bar."""

    name: str
    value: float
    x: float
    width: float


def _positive(parts: Mapping[str, float]) -> float:
    return sum(max(0.0, value) for value in parts.values())


def score_bar(parts: Mapping[str, float], length: float) -> list[Segment]:
    """Return a bar of a length from 0 to 1, shared by the parts of a score; one that is negative has no width.

    >>> [(part.x, part.width) for part in score_bar({"words": 3.0, "near": 1.0, "self": -1.0}, 0.4)]
    [(0.0, 300.0), (300.0, 100.0), (400.0, 0.0)]
    """
    unit, x, segments = length * WIDTH / (_positive(parts) or 1.0), 0.0, []
    for name, value in parts.items():
        width = max(0.0, value) * unit
        segments.append(Segment(name, value, x, width))
        x += width
    return segments


# The question's words

_WORDS = r"(\w+(?:['’]\w+|[.,]\d+)*)"


def marked(text: str, words: frozenset[int]) -> list[tuple[bool, str]]:
    """Return a text in pieces: whether each is a word of the question. Joined, they are the text.

    >>> marked("Trams, and a tram!", frozenset(lexemes("the tram")))
    [(True, 'Trams'), (False, ', and a '), (True, 'tram'), (False, '!')]
    """
    runs = enumerate(re.split(_WORDS, text))
    pieces = chain.from_iterable(_matches(run, words) if at % 2 else [(False, run)] for at, run in runs if run)
    return [(match, "".join(piece for _, piece in same)) for match, same in groupby(pieces, key=itemgetter(0))]


def _matches(run: str, words: frozenset[int]) -> Iterator[tuple[bool, str]]:
    """Yield a word; or, of a script without spaces, letters, which are compared in pairs."""
    found = lexemes(run)
    if len(found) <= 1:
        yield bool(found) and found[0] in words, run
        return
    pairs = [not words.isdisjoint(lexemes(run[at : at + 2])) for at in range(len(run) - 1)]
    yield from ((any(pairs[max(0, at - 1) : at + 1]), letter) for at, letter in enumerate(run))
