"""What the tests of a store share: how it is opened, drafts to write, and short ways to use the port."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from onrecord.journal.clean import clean_text
from onrecord.ports import Batch, Placed, Store, Target
from onrecord.records import KINDS, Draft, Erased, Message, Page, Query, Record, SessionInfo, ToolCall, digest

__all__ = [
    "ALL",
    "LATER",
    "NOON",
    "PLACE",
    "RICH",
    "StoreCase",
    "again",
    "changes",
    "derive",
    "derived",
    "draft",
    "everything",
    "fed",
    "forget",
    "known",
    "node",
    "put",
    "read",
    "texts",
]

NOON = datetime(2026, 5, 5, 12, tzinfo=UTC)
LATER = NOON + timedelta(days=1)
PLACE = "memory"
ALL = Page(limit=10_000, forgotten=True)

_ids = count(1)


def draft(text: str, role: str = "user", *, id: str | None = None, key: str | None = None, **parts: Any) -> Draft:
    """Return a draft as the journal makes them; an id is made unless one is given."""
    kept, original = clean_text(text)
    values: dict[str, Any] = {"name": None, "time": NOON, "tokens": len(kept), "overhead": 4, "encoding": "test"}
    values |= {"importance": 0.25, "original": original} | parts
    return Draft(
        id=id or f"made_{next(_ids)}",
        own_id=id is not None,
        role=role,  # type: ignore[arg-type]
        text=kept,
        key=None if key is None else digest(key),
        **values,
    )


def again(message: Message, **changes: Any) -> Draft:
    """Return a draft of a message that is imported under its number."""
    names = set(Draft.__dataclass_fields__) - {"own_id"}
    return Draft(own_id=True, **{name: getattr(message, name) for name in names} | changes)


def put(store: Store, *drafts: Draft | str, space: str = "s", session: str = "a", **info: Any) -> list[Placed]:
    """Commit drafts, or plain texts, and what is known of the session."""
    whole = [draft(item) if isinstance(item, str) else item for item in drafts]
    return store.commit(Batch(space=space, session=session, drafts=whole, info=info, time=NOON))


def read(store: Store, page: Page = ALL, space: str = "s", session: str = "a") -> list[Message]:
    return store.messages(space, session, page)


def texts(store: Store, page: Page = ALL, space: str = "s", session: str = "a") -> list[str]:
    return [message.text for message in store.messages(space, session, page)]


def forget(store: Store, *seqs: int, space: str = "s", session: str | None = "a") -> Erased:
    """Erase, down to the disk: what was pending is done once `settle` says so, or on a server later."""
    erased = store.erase(Target(space=space, session=session, seqs=seqs or None, time=LATER))
    assert store.settle() or erased.pending or erased == Erased()
    return replace(erased, pending=False)


def fed(store: Store, space: str = "s", after: int = 0, limit: int = 500) -> list[str]:
    """Return a page of the feed: "session number" for each message and "session kind key" for each derived record."""
    return [
        f"{item.session} {item.seq}" if isinstance(item, Message) else f"{item.session} {item.kind} {item.key}"
        for item in (arrival.item for arrival in store.feed(space, after, limit))
    ]


def node(key: str, first: int = 0, last: int | None = None, **parts: Any) -> Record:
    """Return a derived record: a summary node of session "a", unless something else is said."""
    end = first if last is None else last
    values: dict[str, Any] = {"session": "a", "kind": "summary", "plan": "p", "level": 1, "first": first, "last": end}
    body = {"text": f"of {key}", **_NEEDED.get(parts.get("kind", ""), {})}
    return Record(**values | {"until": end, "key": key, "time": NOON, "body": body} | parts)


_NEEDED: Mapping[str, Mapping[str, Any]] = {
    "fact": {"kind": "fact"},
    "episode": {"kind": "decision", "title": "a title"},
    "change": {"of": "f"},
    "relation": {"source": "f", "type": "related_to", "target": "g"},
}


def derive(store: Store, *records: Record, space: str = "s", session: str = "a", **parts: Any) -> list[Placed]:
    """Commit derived records, and other parts of a batch."""
    return store.commit(Batch(space=space, session=session, records=records, time=NOON, **parts))


def derived(store: Store, space: str = "s", session: str = "a", **query: Any) -> list[Record]:
    """Return a page of derived records, summaries unless another kind is asked for."""
    return store.records(space, session, Query(**{"kind": "summary"} | query))


def known(store: Store, space: str = "s", session: str = "a") -> SessionInfo:
    """Return what is known of a session that is there, but for how often it was changed."""
    info = store.session(space, session)
    assert info is not None
    return replace(info, changes=0)


def changes(store: Store, space: str = "s", session: str = "a") -> int:
    info = store.session(space, session)
    return 0 if info is None else info.changes


def everything(store: Store) -> dict[str, list[tuple[SessionInfo, list[Message], list[Record]]]]:
    """Return all that reading gives."""

    def content(space: str, info: SessionInfo) -> tuple[SessionInfo, list[Message], list[Record]]:
        records = [record for kind in KINDS for record in store.records(space, info.id, Query(kind=kind, limit=10_000))]
        return info, store.messages(space, info.id, ALL), records

    return {space: [content(space, info) for info in store.sessions(space)] for space in store.spaces()}


RICH = (
    draft("plain"),
    draft("", name="Zoë 👩‍🚀", id="ключ/../ with spaces?", model="gpt-x", importance=1.0, tokens=0),
    draft("lines\r\n\t\u2028 and “quotes” \\ \" '; DROP TABLE", key="k", role="system"),
    draft("broken \ud83d half and \0 nul"),
    draft(
        "",
        role="assistant",
        tool_calls=(ToolCall(id="c1", name="weather", arguments='{"city": "Łódź"}'), ToolCall(id="c2", name="now")),
    ),
    draft("22 °C", role="tool", tool_call_id="c1", meta={"nested": {"list": [1, 2.5, None, True, "é\ud800"]}}),
    draft("old", time=datetime(1, 1, 1, tzinfo=UTC)),
    draft("precise", time=datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)),
    draft("zoned", time=NOON.astimezone(timezone(timedelta(hours=5, minutes=45)))),
)


class StoreCase:
    """How a store comes to be, and where it is. Subclasses hold the tests."""

    persistent = True
    on_a_server = False  # whose operator has erased bytes leave the disk, and makes the backups

    def open(self, path: Path) -> Store:
        """The store at this path: new the first time, the same again the next. A server's store may use its name."""
        raise NotImplementedError

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        store = self.open(tmp_path / PLACE)
        yield store
        store.close()
