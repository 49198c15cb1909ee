"""The in-memory store: the reference that every other store must behave like. Nothing survives the process.

Planning (what would this batch do?) is apart from applying (do it), so that the JSON folder can write in between.
"""

from __future__ import annotations

import threading
from bisect import bisect_left
from collections.abc import Hashable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from recollect.errors import InvalidInput, StoreClosed
from recollect.policy.placing import place
from recollect.policy.terms import terms
from recollect.ports import Batch, Placed, Progress, Target
from recollect.records import Erased, Health, Message, Page, Posting, SessionInfo, digest

__all__ = ["MemoryStore", "SessionData"]


@dataclass(slots=True)
class SessionData:
    """One session: its messages by number, and where their ids and keys stand."""

    info: SessionInfo
    messages: list[Message] = field(default_factory=list)  # message n stands at n - 1
    ids: dict[str, int] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)

    def append(self, message: Message) -> None:
        self.messages.append(message)
        self.ids[message.id] = message.seq
        if message.key is not None:
            self.keys[message.key] = message.seq

    def by_seq(self, seq: int) -> Message | None:
        return self.messages[seq - 1]

    def by_key(self, key: str) -> Message | None:
        seq = self.keys.get(key)
        return None if seq is None else self.messages[seq - 1]

    def by_id(self, id: str) -> Message | None:
        seq = self.ids.get(id) or self.ids.get(digest(id))
        return None if seq is None else self.messages[seq - 1]

    def known(self) -> SessionInfo:
        return replace(self.info, last_seq=len(self.messages), meta=deepcopy(dict(self.info.meta)))


@dataclass(slots=True)
class SpaceData:
    """One space: its sessions, and its lexical index, built when it is first asked for."""

    sessions: dict[str, SessionData] = field(default_factory=dict)
    arrived: dict[tuple[str, int], None] = field(default_factory=dict)  # (session, seq) in order of arrival
    index: dict[str, dict[tuple[str, int], None]] | None = None  # term → places in order of arrival

    def indexed(self) -> dict[str, dict[tuple[str, int], None]]:
        if self.index is None:
            self.index = {}
            for name, seq in self.arrived:
                self.index_message(name, self.sessions[name].messages[seq - 1])
        return self.index

    def index_message(self, session: str, message: Message) -> None:
        if self.index is not None:
            for term in terms(message.text):
                self.index.setdefault(term, {})[session, message.seq] = None

    def unindex_message(self, session: str, message: Message) -> int:
        found = terms(message.text)
        for term in found if self.index is not None else ():
            places = self.indexed()[term]
            del places[session, message.seq]
            if not places:
                del self.indexed()[term]
        return len(found)


class MemoryStore:
    """Dictionaries under one lock."""

    kind = "memory"
    version = 1

    def __init__(self) -> None:
        self._spaces: dict[str, SpaceData] = {}
        self._changes = 0
        self._lock = threading.RLock()
        self._closed = False

    def commit(self, batch: Batch) -> list[Placed]:
        with self._lock:
            self._open()
            placed, fresh = self._plan(batch)
            self._apply(batch, fresh)
            return [replace(one, earlier=_handed_out(one.earlier)) if one.earlier else one for one in placed]

    def spaces(self) -> list[str]:
        with self._lock:
            self._open()
            return sorted(self._spaces)

    def sessions(self, space: str, after: str = "", limit: int = 500) -> list[SessionInfo]:
        with self._lock:
            found = self._space(space).sessions
            names = sorted(found)
            start = bisect_left(names, after) + (after in found)
            return [found[name].known() for name in names[start : start + limit]]

    def session(self, space: str, session: str) -> SessionInfo | None:
        with self._lock:
            found = self._space(space).sessions.get(session)
            return None if found is None else found.known()

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        with self._lock:
            found = self._space(space).sessions.get(session)
            if found is None:
                return []
            part = found.messages[page.after : None if page.before is None else max(0, page.before - 1)]
            fitting = (message for message in (reversed(part) if page.newest else part) if page.wants(message))
            chosen = [_handed_out(message) for message in islice(fitting, page.limit)]
            return chosen[::-1] if page.newest else chosen

    def find(self, space: str, session: str, id: str) -> Message | None:
        with self._lock:
            found = self._space(space).sessions.get(session)
            message = None if found is None else found.by_id(id)
            return None if message is None else _handed_out(message)

    def match(self, space: str, terms: Sequence[str], limit: int) -> list[Posting]:
        with self._lock:
            index = self._space(space).indexed()
            return [
                Posting(term=term, count=len(places), places=tuple(islice(reversed(places), limit)))
                for term in terms
                for places in (index.get(term, {}),)
            ]

    def erase(self, target: Target) -> Erased:
        with self._lock:
            self._open()
            return self._erase(target)

    def settle(self) -> bool:
        self._open()
        return True

    def revision(self, space: str, session: str) -> Hashable:
        self._open()
        return self._changes

    def check(self, progress: Progress) -> Health:
        with self._lock:
            self._open()
            sessions = [session for space in self._spaces.values() for session in space.sessions.values()]
            kept = [message for session in sessions for message in session.messages]
            gone = sum(message.state == "forgotten" for message in kept)
            progress(len(kept))
            return Health(
                store=self.kind,
                version=self.version,
                spaces=len(self._spaces),
                sessions=len(sessions),
                messages=len(kept) - gone,
                tombstones=gone,
            )

    def backup(self, target: Path) -> None:
        raise InvalidInput("A memory without a file has nothing to back up.", "Use export instead.")

    def close(self) -> None:
        self._closed = True

    def _open(self) -> None:
        if self._closed:
            raise StoreClosed("This memory was closed.", "Open it again with Memory(path).")

    def _space(self, name: str) -> SpaceData:
        self._open()
        return self._spaces.get(name) or SpaceData()

    def _plan(self, batch: Batch) -> tuple[list[Placed], list[Message]]:
        """Where each draft would stand, and the messages that are new; raises if any cannot be placed."""
        data = self._space(batch.space).sessions.get(batch.session) or SessionData(info=SessionInfo(id=batch.session))
        placed, fresh = place(batch.drafts, batch.session, len(data.messages), data)
        return placed, [draft.placed(batch.session, seq) for seq, draft in fresh]

    def _apply(self, batch: Batch, fresh: list[Message]) -> None:
        if not fresh and not batch.info:
            return
        data = self._space(batch.space).sessions.get(batch.session)
        data = data or SessionData(info=SessionInfo(id=batch.session, created=batch.time))
        data.info = replace(data.info, **batch.info)  # an unknown field fails here, before anything is there
        space = self._spaces.setdefault(batch.space, SpaceData())
        space.sessions[batch.session] = data
        for message in fresh:
            data.append(message)
            space.arrived[batch.session, message.seq] = None
            space.index_message(batch.session, message)
        self._changes += 1

    def _erase(self, target: Target) -> Erased:
        space = self._spaces.get(target.space)
        if space is None:
            return Erased()
        self._changes += 1
        if target.session is None:
            kept = [message for session in space.sessions.values() for message in session.messages]
            del self._spaces[target.space]
            return Erased(messages=_living(kept), sessions=len(space.sessions), spaces=1, terms=_terms(kept))
        data = space.sessions.get(target.session)
        if data is None:
            return Erased()
        if target.seqs is None:
            gone = sum(space.unindex_message(target.session, message) for message in data.messages)
            del space.sessions[target.session]
            for message in data.messages:
                space.arrived.pop((target.session, message.seq), None)
            if not space.sessions:
                del self._spaces[target.space]
            return Erased(messages=_living(data.messages), sessions=1, terms=gone)
        return self._bury(space, data, target)

    def _bury(self, space: SpaceData, data: SessionData, target: Target) -> Erased:
        messages = gone = 0
        for seq in set(target.seqs or ()):
            if 1 <= seq <= len(data.messages) and (old := data.messages[seq - 1]).state != "forgotten":
                gone += space.unindex_message(old.session, old)
                data.messages[seq - 1] = tombstone = old.tombstone(target.time)
                del data.ids[old.id]
                data.ids[tombstone.id] = seq
                messages += 1
        return Erased(messages=messages, terms=gone)


def _handed_out(message: Message) -> Message:
    """The message as a caller gets it: what they do to its meta must not change what is kept."""
    return replace(message, meta=deepcopy(dict(message.meta)))


def _living(messages: list[Message]) -> int:
    return sum(message.state != "forgotten" for message in messages)


def _terms(messages: list[Message]) -> int:
    return sum(len(terms(message.text)) for message in messages)
