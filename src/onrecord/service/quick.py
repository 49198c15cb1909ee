"""Routes that are asked for most: what was sent is read here, and the work is done in few threads.

The framework describes them as any other, but to read a request of a known shape it takes as long as a prompt takes in
part. So a plain JSON object of the right shape is read here; whatever else comes is left to the framework, which says
in its own words what is wrong with it.

The interpreter computes in one thread at a time: many that compute at once only take it from each other.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, get_type_hints

from fastapi import Request, Response
from pydantic import BaseModel

from onrecord.service.calling import ServiceCall, Threaded
from onrecord.service.paths import decoded

__all__ = ["Quick"]

JSON = "application/json"


class Quick(Threaded):
    """A route whose work is to compute. If it takes a call, perhaps a session, and a body, these are read here."""

    pool = "computing"

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        usual = super().get_route_handler()
        hints = get_type_hints(self.endpoint, include_extras=True)
        hints.pop("return", None)
        if not {"call", "body"} <= hints.keys() <= {"call", "session", "body"}:
            return usual
        let_in: Callable[[Request], Awaitable[ServiceCall]] = hints["call"].__metadata__[0].dependency
        shape: type[BaseModel] = hints["body"]
        work = self.endpoint

        async def handle(request: Request) -> Response:
            body = await _read(request, shape)
            if body is None:
                return await usual(request)
            call = await let_in(request)
            given = {"session": decoded(request.path_params["session"])} if "session" in hints else {}
            answer: Response = await work(call=call, body=body, **given)
            return answer

        return handle


async def _read(request: Request, shape: type[BaseModel]) -> BaseModel | None:
    """The body, if it is a JSON object of this shape."""
    if request.headers.get("content-type") != JSON:
        return None
    try:
        sent = json.loads(await request.body())
        return shape.model_validate(sent) if isinstance(sent, dict) else None
    except (ValueError, RecursionError):
        return None
