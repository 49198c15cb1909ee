"""What every door answers, as plain JSON values: the same for the command line, HTTP and agents.

Pure functions from the library's records to dictionaries; nothing here knows of a protocol.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

from onrecord.context.told import parts_form
from onrecord.errors import OnrecordError
from onrecord.journal.clean import clean_choice

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from onrecord.context.prompt import Context
    from onrecord.recall.hits import Hits
    from onrecord.records import Summaries

__all__ = ["FORMATS", "context_form", "failure", "failure_form", "hits_form", "listed", "summaries_form", "whole"]

FORMATS = ("text", "openai", "anthropic", "parts")
"""The shapes of a prompt; "parts" is for programs that put it together themselves."""


def whole(record: DataclassInstance) -> dict[str, Any]:
    """Every field of a record, defaults too.

    >>> from onrecord.records import Erased
    >>> whole(Erased(messages=2))
    {'messages': 2, 'sessions': 0, 'spaces': 0, 'records': 0, 'pending': False}
    """
    return {name: _plain(value) for name, value in asdict(record).items()}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    return value


def listed(items: Iterable[Any], next: str | None = None) -> dict[str, Any]:
    """A page of a list, and where the next one begins, if there is one."""
    return {"items": list(items), "next": next}


def hits_form(hits: Hits) -> dict[str, Any]:
    """What a search found, and how."""
    return {
        "hits": [hit.to_dict() for hit in hits],
        "confidence": hits.confidence,
        "weights": hits.weights,
        "stages": [asdict(stage) for stage in hits.stages],
        "notes": list(hits.notes),
    }


def summaries_form(done: Summaries) -> dict[str, Any]:
    """The summaries that were made, and why no others."""
    return {"made": [summary.to_dict() for summary in done.made], "note": done.note}


def context_form(context: Context, format: str, manifest: bool = False) -> dict[str, Any]:
    """A prompt in a shape, with what is to be said of it; `manifest`: also why each thing is in it or not."""
    shape = clean_choice(format, FORMATS, "format")
    form = {**context.in_short(), "format": shape, "prompt": _prompt(context, shape)}
    if manifest:
        form["manifest"] = [candidate.to_dict() for candidate in context.manifest]
    if shape == "parts":
        form |= {"estimated": context.usage()["estimated"], "question": context.question}
    return form


def _prompt(context: Context, shape: str) -> Any:
    if shape == "openai":
        return context.messages()
    if shape == "text":
        return str(context)
    if shape == "anthropic":
        return context.anthropic()
    return parts_form(context)


def failure_form(error: BaseException) -> dict[str, Any]:
    """Return what is sent of an error: what happened and what to do, or nothing at all.

    >>> failure_form(ZeroDivisionError("the secret is 7"))
    {'error': {'code': 'Internal', 'message': 'Internal error.', 'hint': ''}}
    """
    if not isinstance(error, OnrecordError):
        return failure("Internal", "Internal error.", "")  # its own words may be private
    return failure(type(error).__name__, error.what, error.hint)


def failure(code: str, message: str, hint: str) -> dict[str, Any]:
    """The one shape of everything that goes wrong."""
    return {"error": {"code": code, "message": message, "hint": hint}}
