"""Arguments about facts and episodes, checked."""

from __future__ import annotations

from typing import Any

from onrecord.errors import InvalidInput
from onrecord.journal.asking import listed
from onrecord.journal.clean import clean_choice, clean_importance, clean_name, clean_past, clean_plain, clean_time
from onrecord.records import FACT_KINDS, FACT_STATUSES, FactFilter

LONGEST = 100_000  # characters of a fact or a title

__all__ = ["clean_correction", "clean_filter", "clean_label", "clean_words"]


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
