"""Responses to what goes wrong: one shape, with a code, what happened, and what to do."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, Field
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from onrecord import errors
from onrecord.errors import OnrecordError
from onrecord.service.forms import failure, failure_form
from onrecord.service.responses import form_of

__all__ = ["FAILURES", "ErrorResponse", "Json", "failed", "handlers", "status_of"]

_STATUS: Mapping[type[OnrecordError], int] = {
    errors.TooLarge: 413,
    errors.InvalidInput: 422,
    errors.NotFound: 404,
    errors.Conflict: 409,
    errors.Limited: 429,
    errors.Denied: 403,
    errors.ModelError: 502,
    errors.StoreFull: 507,
    errors.StoreError: 503,
}

_STORE: Mapping[type[OnrecordError], tuple[str, str]] = {
    errors.StoreBusy: ("The memory is busy, or away for a moment.", "Try again."),
    errors.StoreFull: ("There is no room left where the memory lies.", "Tell the operator; what was kept is safe."),
    errors.StoreReadOnly: ("The memory can be read and not written.", "Tell the operator."),
    errors.StoreDamaged: ("The memory is damaged.", "Tell the operator: onrecord doctor says more."),
    errors.StoreVersion: ("The memory was made by another version.", "Tell the operator."),
    errors.StoreError: ("The memory cannot be reached.", "Try again, or tell the operator."),
}

_UNROUTED = {404: ("There is no such route.", "See /docs."), 405: ("The route takes another method.", "See /docs.")}


class Reason(BaseModel):
    """Why a call failed."""

    code: str = Field(description="The name of the error, as in the library.")
    message: str = Field(description="What happened.")
    hint: str = Field(description="What to do about it.")


class ErrorResponse(BaseModel):
    """What is answered to a call that failed."""

    error: Reason


FAILURES: dict[int | str, dict[str, Any]] = {
    401: {"model": ErrorResponse, "description": "No key, or none that is known."},
    403: {"model": ErrorResponse, "description": "The key does not allow this."},
    404: {"model": ErrorResponse, "description": "There is no such thing."},
    409: {"model": ErrorResponse, "description": "Taken by other content, forgotten, or changed meanwhile."},
    413: {"model": ErrorResponse, "description": "Over the size limit."},
    422: {"model": ErrorResponse, "description": "What was sent cannot be taken as it is."},
    429: {"model": ErrorResponse, "description": "Asked too often."},
    502: {"model": ErrorResponse, "description": "A model, or the server it runs on, did not do what was asked."},
    503: {"model": ErrorResponse, "description": "The store could not do it: busy, away, damaged."},
    507: {"model": ErrorResponse, "description": "There is no room left on the disk."},
}


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Json(Response):
    """A JSON answer, made of plain values and records without another look at them."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        return _ENCODER.encode(form_of(content)).encode("utf-8", "replace")


def status_of(error: OnrecordError) -> int:
    """The status that an error of the library is answered with."""
    if isinstance(error, errors.Denied) and not error.known:
        return 401
    return next(status for kind, status in _STATUS.items() if isinstance(error, kind))


def failed(error: OnrecordError, *, headers: Mapping[str, str] | None = None) -> Json:
    """The answer to a call that failed."""
    sent = dict(headers or {})
    if isinstance(error, errors.Limited):
        sent["Retry-After"] = str(error.seconds)
    return Json(_form_of(error), status_of(error), sent)


def _form_of(error: OnrecordError) -> dict[str, Any]:
    """Return the body for an error; of the store not its own words, which say where it is."""
    if not isinstance(error, errors.StoreError):
        return failure_form(error)
    what, hint = next(said for kind, said in _STORE.items() if isinstance(error, kind))
    return failure(type(error).__name__, what, hint)


async def _onrecord(request: Request, error: Exception) -> Response:
    assert isinstance(error, OnrecordError)
    return failed(error)


async def _unfit(request: Request, error: Exception) -> Response:
    """Where the input is wrong and how; never what it was, which may be private."""
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    kind, loc = found[0]["type"], found[0]["loc"]
    if kind == "json_invalid":
        at = f" (see character {loc[1]})" if len(loc) > 1 else ""
        what, hint = f"The body is not JSON{at}.", "Send an object, with Content-Type: application/json."
    elif kind in ("model_attributes_type", "model_type") or (kind == "missing" and loc == ("body",)):
        what, hint = "The body is not a JSON object.", "Send one, with Content-Type: application/json."
    else:
        what = "; ".join(f"{_place(fault['loc'])}: {_wrong(fault)}" for fault in found[:SAID]) + "."
        hint = "See /docs for what is expected."
    return Json(failure("InvalidInput", what, hint), 422)


SAID = 5
"""Faults of one request that are reported."""


def _wrong(fault: Mapping[str, Any]) -> str:
    words = {"missing": "is missing", "extra_forbidden": "is not known here"}
    return words.get(fault["type"], str(fault["msg"]))


def _place(loc: Sequence[Any]) -> str:
    """Where in the request; names that a caller made up are not repeated at length."""
    return ".".join(str(part)[:64] for part in loc[loc[0] == "body" and len(loc) > 1 :]) or "request"


async def _unrouted(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    status = 422 if error.status_code == 400 else error.status_code  # a body that is not even text
    what, hint = _UNROUTED.get(status, ("The body cannot be read.", "Send JSON, as UTF-8."))
    code = "NotFound" if status == 404 else "InvalidInput"
    if status == 405 and error.headers:
        hint = f"Use {error.headers.get('Allow', 'another')}; see /docs."
    return Json(failure(code, what, hint), status, dict(error.headers or {}))


handlers: dict[int | type[Exception], Any] = {
    OnrecordError: _onrecord,
    RequestValidationError: _unfit,
    HTTPException: _unrouted,
}
