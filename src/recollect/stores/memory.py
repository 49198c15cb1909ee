"""The in-memory store: the reference that every other store must behave like. Nothing survives the process.

Planning (what would this batch do?) is apart from applying (do it), so that the JSON folder can write in between.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_left, bisect_right
from collections.abc import Hashable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path

from recollect.errors import InvalidInput, StoreClosed
from recollect.policy.placing import place
from recollect.policy.terms import terms
from recollect.ports import Batch, Placed, Progress, Target
from recollect.records import Erased, Health, Message, Page, Posting, Query, Record, SessionInfo, digest
from recollect.stores.batches import body_text, changes_something, refuse_misplaced, refuse_outrun

__all__ = ["MemoryStore", "SessionData"]


@dataclass(slots=True)
class SessionData:
    """One session: its messages by number, where their ids and keys stand, and what is derived from them."""

    info: SessionInfo
    messages: list[Message] = field(default_factory=list)  # message n stands at n - 1
    ids: dict[str, int] = field(default_factory=dict)
    keys: dict[str, int] = field(default_factory=dict)
    records: dict[tuple[str, str], Record] = field(default_factory=dict)  # by kind and key
    ordered: dict[str, list[Record]] = field(default_factory=dict)  # by kind, each in its order; made when asked for

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

    def living(self, seqs: Sequence[int]) -> list[int]:
        """Those of the numbers whose messages are there and not forgotten, in order."""
        there = (seq for seq in set(seqs) if 1 <= seq <= len(self.messages))
        return sorted(seq for seq in there if self.messages[seq - 1].state != "forgotten")

    def known(self) -> SessionInfo:
        return replace(self.info, last_seq=len(self.messages), meta=deepcopy(dict(self.info.meta)))

    def derive(
        self,
        records: Sequence[Record],
        drops: Sequence[tuple[str, str]] = (),
        scores: Mapping[int, float] | None = None,
    ) -> None:
        """Take out and put in derived records, and set the importance of messages that are kept."""
        for kind, key in drops:
            self.records.pop((kind, key), None)
        self.records.update({(record.kind, record.key): record for record in records})
        self.ordered.clear()
        for seq, importance in (scores or {}).items():
            if 1 <= seq <= len(self.messages) and self.messages[seq - 1].state == "kept":
                self.messages[seq - 1] = replace(self.messages[seq - 1], importance=importance)

    def page_of_records(self, query: Query) -> list[Record]:
        if query.kind not in self.ordered:
            chosen = (record for record in self.records.values() if record.kind == query.kind)
            self.ordered[query.kind] = sorted(chosen, key=_place)
        part = self.ordered[query.kind]
        if query.plan is not None:
            start = bisect_left(part, query.plan, key=_plan)
            part = part[start : bisect_right(part, query.plan, start, key=_plan)]
        fitting = (record for record in (reversed(part) if query.newest else part) if query.wants(record))
        found = list(islice(fitting, query.limit))
        return found[::-1] if query.newest else found

    def bury_records(self, seqs: Sequence[int]) -> int:
        """Take what came from these messages out of the derived records; answers how many lost something."""
        touched = [record for record in self.records.values() if record.comes_from(seqs)]
        losing = [record for record in touched if record.body is not None or record.tombstone() is None]
        self.derive(
            [left for record in losing if (left := record.tombstone())],
            [(record.kind, record.key) for record in losing],
        )
        return len(losing)


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

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        with self._lock:
            found = self._space(space).sessions.get(session)
            chosen = [] if found is None else found.page_of_records(query)
            return [replace(record, body=deepcopy(record.body)) for record in chosen]

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
                records=sum(len(session.records) for session in sessions),
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
        """Where each draft would stand, and the messages that are new; raises if anything cannot be written."""
        data = self._space(batch.space).sessions.get(batch.session) or SessionData(info=SessionInfo(id=batch.session))
        refuse_outrun(batch, data.info.changes)
        placed, fresh = place(batch.drafts, batch.session, len(data.messages), data)
        refuse_misplaced(batch, len(data.messages) + len(fresh))
        return placed, [draft.placed(batch.session, seq) for seq, draft in fresh]

    def _info(self, batch: Batch, fresh: list[Message]) -> SessionInfo | None:
        """What is known of the session once the batch is written, or None if nothing of it is to be written."""
        data = self._space(batch.space).sessions.get(batch.session)
        changed = changes_something(batch)
        if not (fresh or batch.info or batch.records or (data is not None and changed)):
            return None
        info = SessionInfo(id=batch.session, created=batch.time) if data is None else data.info
        # An unknown field fails here, before anything is there.
        return replace(info, **{**batch.info, "changes": info.changes + changed})

    def _apply(self, batch: Batch, fresh: list[Message]) -> None:
        info = self._info(batch, fresh)
        if info is not None:
            records = [_kept(record) for record in batch.records]
            data = self._extend(batch.space, info, fresh)
            data.derive(records, batch.drops, batch.scores)

    def _extend(self, space: str, info: SessionInfo, fresh: list[Message]) -> SessionData:
        """The session, made if it is new, with what is known of it now and new messages."""
        inside = self._spaces.setdefault(space, SpaceData())
        data = inside.sessions.setdefault(info.id, SessionData(info=info))
        data.info = info
        for message in fresh:
            data.append(message)
            inside.arrived[info.id, message.seq] = None
            inside.index_message(info.id, message)
        self._changes += 1
        return data

    def _erase(self, target: Target) -> Erased:
        space = self._spaces.get(target.space)
        if space is None:
            return Erased()
        self._changes += 1
        if target.session is None:
            kept = [message for session in space.sessions.values() for message in session.messages]
            del self._spaces[target.space]
            return Erased(
                messages=_living(kept),
                sessions=len(space.sessions),
                spaces=1,
                terms=_terms(kept),
                records=sum(len(session.records) for session in space.sessions.values()),
            )
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
            return Erased(messages=_living(data.messages), sessions=1, terms=gone, records=len(data.records))
        return self._bury(space, data, target)

    def _bury(self, space: SpaceData, data: SessionData, target: Target) -> Erased:
        gone = 0
        buried = data.living(target.seqs or ())
        for seq in buried:
            old = data.messages[seq - 1]
            gone += space.unindex_message(old.session, old)
            data.messages[seq - 1] = tombstone = old.tombstone(target.time)
            del data.ids[old.id]
            data.ids[tombstone.id] = seq
        if buried:
            data.info = replace(data.info, changes=data.info.changes + 1)
        return Erased(messages=len(buried), terms=gone, records=data.bury_records(buried))


def _handed_out(message: Message) -> Message:
    """The message as a caller gets it: what they do to its meta must not change what is kept."""
    return replace(message, meta=deepcopy(dict(message.meta)))


def _kept(record: Record) -> Record:
    """The record as it is kept: its body as JSON gives it back, and nothing that the caller may change later."""
    text = body_text(record.body)
    return replace(record, body=None if text is None else json.loads(text))


def _place(record: Record) -> tuple[str, int, int, str]:
    return record.place


def _plan(record: Record) -> str:
    return record.plan


def _living(messages: list[Message]) -> int:
    return sum(message.state != "forgotten" for message in messages)


def _terms(messages: list[Message]) -> int:
    return sum(len(terms(message.text)) for message in messages)
