"""What happens when a draft's id, key or number is taken: the same content is answered, other content is refused."""

from __future__ import annotations

from recollect.errors import Conflict, Forgotten
from recollect.records import Draft, Message

__all__ = ["refuse_other_content"]


def refuse_other_content(draft: Draft, earlier: Message) -> None:
    """Return if adding `draft` again changes nothing; raise if it would be other content or bring back a forgotten one.

    An import (a draft with a number) may meet its own message forgotten here: that stays forgotten, without an error.
    """
    if earlier.state == "forgotten":
        if draft.seq is not None:
            return
        raise Forgotten(
            f"Message {earlier.seq} of session {earlier.session!r} was forgotten and is not added again.",
            "Use a new id and key if this is a new message.",
        )
    if draft.state == "forgotten" or _content(draft) == _content(earlier):
        return
    raise Conflict(
        f"Message {earlier.seq} of session {earlier.session!r} already has this id, key or number, with other content.",
        "Use a new id and key for new content; to change a message, forget it and add another.",
    )


def _content(item: Draft | Message) -> tuple[object, ...]:
    return item.role, item.text, item.name, item.tool_calls, item.tool_call_id, item.original
