"""The arguments of searches, and those about facts and episodes, checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from onrecord.errors import InvalidInput, shown
from onrecord.journal.clean import (
    clean_choice,
    clean_count,
    clean_importance,
    clean_mapping,
    clean_name,
    clean_past,
    clean_plain,
    clean_text,
    clean_time,
)
from onrecord.records import EPISODE_KINDS, FACT_KINDS, FACT_STATUSES, SEARCHED, FactFilter, SearchRequest

__all__ = [
    "clean_asked",
    "clean_correction",
    "clean_filter",
    "clean_label",
    "clean_words",
    "listed",
    "only_known",
    "usual_limit",
]

KINDS = ("message", *SEARCHED)
TYPES = {"fact": FACT_KINDS, "episode": EPISODE_KINDS}
ALL_KINDS = tuple(dict.fromkeys((*KINDS, *FACT_KINDS, *EPISODE_KINDS)))
MOST = 10_000  # hits at once
LONGEST = 100_000  # characters of a fact or a title


def clean_asked(
    text: object,
    *,
    kinds: object = None,
    sessions: object = None,
    since: object = None,
    until: object = None,
    as_of: object = None,
    known_at: object = None,
    importance: object = 0.0,
    categories: object = None,
    tags: object = None,
    limit: object = None,
    tokens: object = None,
    context: object = "",
    weights: object = None,
    now: datetime,
) -> SearchRequest:
    """Return the checked form of the arguments of `search`."""
    asked, _ = clean_text(text)
    if not asked.strip():
        raise InvalidInput("The text to search for is empty.", "Give some words.")
    given = frozenset(clean_choice(kind, ALL_KINDS, "kind") for kind in listed(kinds, "kinds"))
    wanted = given.intersection(KINDS)
    types = frozenset(
        (kind, type) for kind in TYPES.keys() - wanted for type in given.intersection(TYPES[kind]) - wanted
    )
    room = None if tokens is None else clean_count(tokens, "tokens", least=1)
    return SearchRequest(
        text=asked,
        context=clean_text(context, "context")[0],
        kinds=wanted | {kind for kind, _ in types},
        types=types,
        sessions=frozenset(clean_name(name, "session id") for name in listed(sessions, "sessions")),
        since=None if since is None else clean_time(since, "since"),
        until=None if until is None else clean_time(until, "until"),
        past=clean_past(as_of, known_at),
        importance=clean_importance(importance),
        categories=frozenset(clean_name(name, "category") for name in listed(categories, "categories")),
        tags=frozenset(clean_name(name, "tag") for name in listed(tags, "tags")),
        limit=usual_limit(room) if limit is None else clean_count(limit, "limit", least=1, most=MOST),
        tokens=room,
        weights=None if weights is None else clean_mapping(weights, "weights"),
        now=now,
    )


def clean_filter(
    *,
    kinds: object = None,
    statuses: object = "active",
    as_of: object = None,
    known_at: object = None,
    session: str | None = None,
    subject: object = None,
    attribute: object = None,
    categories: object = None,
    tags: object = None,
    importance: object = 0.0,
    confidence: object = 0.0,
    since: object = None,
    until: object = None,
) -> FactFilter:
    """Return the checked form of the arguments of `facts`."""
    statuses = None if statuses == "all" else statuses
    return FactFilter(
        kinds=frozenset(clean_choice(kind, FACT_KINDS, "kind") for kind in listed(kinds, "kind")),
        statuses=frozenset(clean_choice(status, FACT_STATUSES, "status") for status in listed(statuses, "status")),
        past=clean_past(as_of, known_at),
        session="" if session is None else clean_name(session, "session id"),
        subject="" if subject is None else clean_name(subject, "subject"),
        attribute="" if attribute is None else clean_name(attribute, "attribute"),
        categories=frozenset(clean_name(category, "category") for category in listed(categories, "categories")),
        tags=frozenset(clean_name(tag, "tag") for tag in listed(tags, "tags")),
        importance=clean_importance(importance),
        confidence=clean_importance(confidence, "confidence"),
        since=None if since is None else clean_time(since, "since"),
        until=None if until is None else clean_time(until, "until"),
    )


def clean_correction(name: str, value: object) -> Any:
    """Return the new value of a fact's field, checked."""
    if name in ("subject", "attribute", "value", "category"):
        return clean_label(value, name)
    if name in ("importance", "confidence"):
        return clean_importance(value, name)
    if name == "kind":
        return clean_choice(value, FACT_KINDS, "kind")
    if name == "tags":
        return [clean_name(tag, "tag") for tag in listed(value, "tags")]
    if name in ("valid_from", "valid_until"):
        return None if value is None and name == "valid_until" else clean_time(value, name).isoformat()
    known = "text, kind, subject, attribute, value, importance, confidence, category, tags, valid_from, valid_until"
    raise InvalidInput(f"A fact has no {name} that can be corrected.", f"Pass one of {known}.")


def clean_words(value: object, what: str) -> str:
    """Return a text that is not empty."""
    text = clean_plain(value, what)
    if not text.strip():
        raise InvalidInput(f"The {what} is empty.", "Give it some words.")
    if len(text) > LONGEST:
        raise InvalidInput(f"The {what} has {len(text):,} characters.", f"Use {LONGEST:,} of them at most.")
    return text


def clean_label(value: object, what: str) -> str:
    """Return a short text, or none."""
    return clean_name(value, what) if value != "" else ""


def only_known(given: Mapping[str, object], checked_by: Callable[..., object], name: str) -> None:
    """Raise `TypeError` for a keyword that the method `name` does not have."""
    for argument in given.keys() - (checked_by.__kwdefaults__ or {}).keys():
        raise TypeError(f"{name}() got an unexpected keyword argument {argument!r}")


def usual_limit(tokens: int | None) -> int:
    """Return the default limit: ten hits, or as many as fit into `tokens`."""
    return 10 if tokens is None else MOST


def listed(value: object, what: str) -> Iterable[Any]:
    """Return a value that is a text, several or None as a list."""
    if value is None:
        return ()
    if isinstance(value, str):
        return (value,)
    if not isinstance(value, Iterable):
        raise InvalidInput(f"{what}={shown(value)} is no list.", f"Pass {what} as a text or several.")
    return value
