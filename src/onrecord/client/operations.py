"""How a method of the library is asked over HTTP: one line of `asked` names its route and what comes back.

Its arguments go into the path where the route names them, else into the query or the body. The service checks them,
with the library's own checks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from functools import wraps
from inspect import Parameter, signature
from string import Formatter
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin

from onrecord.client.service import Service, ServiceRequest
from onrecord.client.wire import as_json, built, built_all, part, path_of, unknown
from onrecord.errors import InvalidInput

__all__ = ["Asking", "asked", "like"]

_Method = TypeVar("_Method", bound=Callable[..., Any])
_Work = Callable[[Any, dict[str, Any]], Any]


class Asking(NamedTuple):
    """The space of a service that is asked, and the conversation in it."""

    service: Service
    space: str
    session: str = ""

    def ask(self, verb: str, template: str, given: Mapping[str, Any], **how: bool) -> Any:
        """Return the JSON that a route answers, of the conversation if one is asked."""
        if self.session:
            template = f"sessions/{{session}}/{template}".rstrip("/")
        places = [name for _, name, _, _ in Formatter().parse(template) if name]
        path = path_of(template, **{name: given.get(name, self.session) for name in places})
        rest = {name: as_json(name, value) for name, value in given.items() if name not in places}
        query, body = (rest, None) if verb in ("GET", "DELETE") else (None, rest)
        return self.service.ask(ServiceRequest(verb, path, self.space, query, body, **how))

    def pages(self, kind: Any, template: str, given: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the items of a list. A page is asked for when the one before is used up."""
        cursor = None
        while True:
            page = self.ask("GET", template, given if cursor is None else {**given, "cursor": cursor})
            items, before, cursor = built_all(kind, part(page, "items")), cursor, part(page, "next")
            yield from items
            if cursor is None:
                return
            if not items or cursor == before:
                raise unknown("page that goes on")


def like(method: _Method) -> Callable[[_Work], _Method]:
    """Return a decorator that makes a function of `self` and a dictionary a method with the parameters of `method`."""
    takes = signature(method)
    (rest,) = [name for name, taken in takes.parameters.items() if taken.kind is Parameter.VAR_KEYWORD] or [""]

    def mark(work: _Work) -> _Method:
        @wraps(method)
        def call(self: Any, /, *args: Any, **options: Any) -> Any:
            try:
                bound = takes.bind(self, *args, **options)
            except TypeError as error:
                raise TypeError(f"{method.__name__}() {error}") from None
            bound.apply_defaults()
            given = dict(bound.arguments)
            del given["self"]
            return work(self, given | given.pop(rest, {}))

        return cast(_Method, call)

    return mark


def asked(
    method: _Method,
    route: str,
    kind: Any = None,
    *,
    field: str = "",
    read: Callable[[Any], Any] | None = None,
    count: Callable[[Any], int] = int,
    fixed: Mapping[str, Any] | None = None,
    again: bool = False,
    long: bool = False,
) -> _Method:
    """Return `method` as it is asked over HTTP.

    Args:
        route: The verb, and the path below /v1/ or below the conversation, with the arguments that stand in it.
        kind: The type of what comes back: a record, `list[…]`, or `Iterator[…]` of pages that are read as needed.
        field: The field of the answer that holds it.
        read: Makes the result of the JSON, where that is more than a record.
        count: How many things a result stands for, for `progress`.
        fixed: Arguments of the route that the method does not have.
        again: Whether the request may be sent twice.
        long: Whether it may take its time.
    """
    verb, template = route.split(" ")
    takes = signature(method).parameters

    @like(method)
    def ask(self: Any, given: dict[str, Any]) -> Any:
        progress = given.pop("progress", None)
        if verb == "GET" and not given.get("status", "active"):
            given["status"] = "all"
        usual = {name for name, taken in takes.items() if taken.default is None and given.get(name) is None}
        given = {name: value for name, value in given.items() if name not in usual} | dict(fixed or {})
        if verb == "GET":
            _check_query(given, {name: str(taken.annotation) for name, taken in takes.items()})
        if get_origin(kind) in (list, Iterator):
            items = self._asking.pages(get_args(kind)[0], template, given)
            return list(items) if get_origin(kind) is list else items
        data = self._asking.ask(verb, template, given, again=again, long=long)
        if kind is None and read is None:
            return None
        found = read(data) if read else built(kind, part(data, field) if field else data)
        if progress is not None and (done := count(found)):
            progress(done)
        return found

    return ask


def _check_query(given: Mapping[str, Any], annotations: Mapping[str, str]) -> None:
    """Refuse what a query would turn into a text that is taken for another value."""
    for name, value in given.items():
        wanted = ("int", "float", "bool") if isinstance(value, (int, float)) else ("Iterable",)
        if not isinstance(value, (str, datetime)) and not any(kind in annotations.get(name, "int") for kind in wanted):
            raise InvalidInput(f"{name} is of type {type(value).__name__}.", "See the parameters of the method.")
