"""The first page: the conversations of a space."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form
from starlette.responses import Response

from recollect.service.forms import listed
from recollect.ui.view import Look, LookWrite, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False)

MOST = 100  # conversations on one page


@router.get("/ui/")
def home(look: Look, cursor: str = "") -> Response:
    """The conversations, by id."""
    found = look.memory._store.sessions(look.memory.name, cursor, MOST + 1)
    page, more = found[:MOST], len(found) > MOST
    after = page[-1].id if more else None
    values = {"sessions": page, "next": after, "cursor": cursor, "spaces": _spaces(look)}
    return look.page("home.html", values, lambda: listed([one.to_dict() for one in page], after))


def _spaces(look: View) -> list[str]:
    """The spaces that whoever looks may look at; the one at hand among them, even while it is empty."""
    names = (look.call.caller.own(stored) for stored in look.memory.spaces())
    return sorted({look.call.space, *(name for name in names if name is not None)})


@router.post("/ui/begin")
def begin(look: LookWrite, session: Annotated[str, Form()]) -> Response:
    """On to a conversation, which is made when something is first said."""
    return look.go("chat", session.strip() or "chat")
