"""The page of searches: what is found for a question, what a score is the sum of, and what other weights would do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import chain, groupby
from operator import itemgetter
from textwrap import shorten
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request
from starlette.responses import Response

from onrecord.errors import InvalidInput
from onrecord.journal.asking import KINDS
from onrecord.memory import Memory, engine_of
from onrecord.policy.lexemes import lexemes
from onrecord.policy.secrets import masked
from onrecord.recall.hits import Hits
from onrecord.records import Hit
from onrecord.service.calling import Threaded, in_turn
from onrecord.service.forms import hits_form
from onrecord.ui.drawing.parts_bar import ScoreBar, bars, probability_bar
from onrecord.ui.view import Look, View, wants_json

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

LOOKED_AT = 100  # hits of the usual ranking that a move is told against
OFFERED = 50  # conversations to choose from
MOST = 200  # hits on a page

SIGNALS = {
    "words": "the same words, rare ones more",
    "near": "the question's words there, or a few messages away",
    "meaning": "means the same",
    "around": "means the same, with the messages beside it",
    "speaker": "said by whom the question is about",
    "self": "the speaker speaks of themselves",
    "time": "said when the question names",
    "semantic": "alike in rare words",
    "keyword": "share of the question's words",
    "recency": "said lately",
    "importance": "matters by itself",
    "access": "was found often before",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sought:
    """What the page is to find, as it stands in the address."""

    q: str = ""
    limit: int = 10
    kinds: tuple[str, ...] = ()
    session: str = ""
    since: str = ""
    until: str = ""
    weights: Mapping[str, float]

    def but(self, **changes: Any) -> dict[str, Any]:
        """The same with some changes, for an address."""
        wanted = replace(self, **changes)
        weights = {f"w.{name}": f"{value:g}" for name, value in wanted.weights.items()}
        plain = {"q": wanted.q, "kinds": list(wanted.kinds), "session": wanted.session}
        times = {"since": wanted.since, "until": wanted.until}
        return plain | times | weights | {"limit": wanted.limit if wanted.limit != 10 else None}

    @property
    def filtered(self) -> bool:
        return bool(self.kinds or self.session or self.since or self.until or self.limit != 10)

    def found(self, memory: Memory, **changes: Any) -> Hits:
        """What is found: the question as the API is asked it."""
        asked: dict[str, Any] = {
            "kinds": list(self.kinds) or None,
            "sessions": [self.session] if self.session else None,
            "since": self.since or None,
            "until": self.until or None,
            "limit": self.limit,
            "weights": dict(self.weights) or None,
        }
        return memory.search(self.q, **asked | changes)


@dataclass(frozen=True, slots=True, kw_only=True)
class HitView:
    """One hit, made ready to be looked at."""

    hit: Hit
    rank: int
    moved: int | None  # places up since the usual weights; None: it was not among them
    pieces: list[tuple[bool, str]]  # of its text: whether it is a word of the question
    bar: ScoreBar


@dataclass(frozen=True, slots=True, kw_only=True)
class Slider:
    """The weight of a signal."""

    name: str
    value: float
    usual: float
    says: bool  # whether it bears on this question
    meaning: str


def _sought(
    request: Request,
    q: str = "",
    limit: str = "",
    kinds: Annotated[list[str] | None, Query()] = None,
    session: str = "",
    since: str = "",
    until: str = "",
) -> Sought:
    given = {name[2:]: _number(value, name) for name, value in request.query_params.items() if name.startswith("w.")}
    return Sought(
        q=q.strip(),
        limit=min(MOST, max(1, int(_number(limit or "10", "limit")))),
        kinds=tuple(kind for kind in kinds or () if kind),
        session=session.strip(),
        since=since.strip(),
        until=until.strip(),
        weights=given,
    )


def _number(text: str, what: str) -> float:
    try:
        value = float(text)
        if abs(value) < 1e6:  # not so for what is no number, either
            return value
    except ValueError:
        pass
    raise InvalidInput(f"{what}={text[:32]!r} is no number that fits.", "Give one such as 1.5.")


@router.get("/ui/recall")
@in_turn
def recall(look: Look, sought: Annotated[Sought, Depends(_sought)], part: str = "") -> Response:
    """A question, what is found, and why."""
    if not sought.q and not wants_json(look.request):
        examples = _examples(look.memory)
        return look.page("recall.html", {"sought": sought, "found": None, "examples": examples, **_choices(look)})
    hits = sought.found(look.memory)
    if wants_json(look.request):
        return look.page("recall.html", {}, lambda: hits_form(hits))
    found = _found(look.memory, sought, hits)
    if part == "found":
        return look.part("recall_found.html", {"sought": sought, "found": found})
    values = {"sought": sought, "found": found, "examples": [], **_choices(look)}
    return look.page("recall.html", values, lambda: hits_form(hits))


def _choices(look: View) -> dict[str, Any]:
    offered = engine_of(look.memory).store.sessions(look.memory.name, "", OFFERED)
    return {"kinds": KINDS, "offered": [one.id for one in offered]}


def _found(memory: Memory, sought: Sought, hits: Hits) -> dict[str, Any]:
    usual = hits.weights
    changed = {name: value for name, value in sought.weights.items() if value != usual.get(name)}
    places: dict[tuple[str, str, str], int] = {}
    if changed:
        others = sought.found(memory, weights=None, limit=max(LOOKED_AT, sought.limit))
        places = {_key(hit): place for place, hit in enumerate(others, 1)}
    words = frozenset(lexemes(sought.q))
    drawn = _drawn(hits)
    shown = [
        HitView(
            hit=hit,
            rank=rank,
            moved=places[_key(hit)] - rank if _key(hit) in places else None if changed else 0,
            pieces=marked(masked(hit.text), words),
            bar=bar,
        )
        for rank, (hit, bar) in enumerate(zip(hits, drawn, strict=True), 1)
    ]
    says = {name for hit in hits for name in hit.parts}
    sliders = [
        Slider(
            name=name,
            value=sought.weights.get(name, weight),
            usual=weight,
            says=name in says or sought.weights.get(name) == 0,
            meaning=SIGNALS.get(name, ""),
        )
        for name, weight in usual.items()
    ]
    most = max(1.0, *(one.usual * 1.5 for one in sliders), *(one.value for one in sliders))
    return {
        "hits": shown,
        "confidence": hits.confidence,
        "irrelevant": hits.irrelevant,
        "stages": hits.stages,
        "notes": hits.notes,
        "sliders": sliders,
        "most": most,
    }


def _drawn(hits: Hits) -> list[ScoreBar]:
    """A bar for each hit; without probabilities, the best is as long as there is room."""
    likely = [probability_bar(hit.parts, hit.probability) for hit in hits if hit.probability is not None]
    return likely if len(likely) == len(hits) else bars([hit.parts for hit in hits])


def _key(hit: Hit) -> tuple[str, str, str]:
    return hit.kind, hit.session, hit.id


def _examples(memory: Memory) -> list[str]:
    """Questions that the space may have something about: how its newest conversations' users began to speak."""
    found: dict[str, None] = {}
    for info in engine_of(memory).store.sessions(memory.name, "", 8):
        for message in memory.session(info.id).history(role="user", last=3):
            words = shorten(masked(message.text[:300]), 56, placeholder="")
            if " " in words:
                found[words] = None
    return list(found)[-6:]


@cache
def _words() -> re.Pattern[str]:
    return re.compile(r"(\w+(?:['’]\w+|[.,]\d+)*)")


def marked(text: str, words: frozenset[int]) -> list[tuple[bool, str]]:
    """A text in pieces: whether each is a word of the question. Joined, they are the text.

    >>> marked("Trams, and a tram!", frozenset(lexemes("the tram")))
    [(True, 'Trams'), (False, ', and a '), (True, 'tram'), (False, '!')]
    """
    runs = enumerate(_words().split(text))
    pieces = chain.from_iterable(_held(run, words) if at % 2 else [(False, run)] for at, run in runs if run)
    return [(hit, "".join(piece for _, piece in same)) for hit, same in groupby(pieces, key=itemgetter(0))]


def _held(run: str, words: frozenset[int]) -> list[tuple[bool, str]]:
    """A word; or, of a script without spaces, characters that are compared two by two."""
    held = lexemes(run)
    if len(held) <= 1:
        return [(bool(held) and held[0] in words, run)]
    pairs = [not words.isdisjoint(lexemes(run[at : at + 2])) for at in range(len(run) - 1)]
    return [(any(pairs[max(0, at - 1) : at + 1]), letter) for at, letter in enumerate(run)]
