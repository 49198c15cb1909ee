"""The store that every other must behave like: dictionaries under one lock."""

from __future__ import annotations

import json
import threading
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from onrecord.errors import InvalidInput, StoreClosed
from onrecord.policy.placing import place
from onrecord.ports import Batch, Placed, Progress, Revision, Target
from onrecord.records import Arrival, Block, Erased, Health, Message, Page, Query, Record, SessionInfo
from onrecord.stores.batches import body_text, changes_something, fits, refuse_misplaced, refuse_outrun
from onrecord.stores.counting import counted
from tests.reference_data import SessionData, SpaceData, own_message, own_record

__all__ = ["ReferenceStore"]


class ReferenceStore:
    """Messages in dictionaries."""

    kind = "memory"
    version = 1

    def __init__(self) -> None:
        self._spaces: dict[str, SpaceData] = {}
        self._births = 0
        self._lock = threading.RLock()
        self._closed = False

    def commit(self, batch: Batch) -> list[Placed]:
        with self._lock:
            self._open()
            placed = self._commit(batch)
            return [replace(one, earlier=own_message(one.earlier)) if one.earlier else one for one in placed]

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
            chosen = [own_message(message) for message in islice(fitting, page.limit)]
            return chosen[::-1] if page.newest else chosen

    def find(self, space: str, session: str, id: str) -> Message | None:
        with self._lock:
            found = self._space(space).sessions.get(session)
            message = None if found is None else found.by_id(id)
            return None if message is None else own_message(message)

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        with self._lock:
            found = self._space(space).sessions.get(session)
            chosen = [] if found is None else found.page_of_records(query)
            return [own_record(record) for record in chosen]

    def feed(self, space: str, after: int, limit: int = 500, kinds: Sequence[str] = ()) -> list[Arrival]:
        with self._lock:
            return list(islice(self._space(space).feed(after, kinds), limit))

    def revision(self, space: str) -> Revision:
        with self._lock:
            return self._space(space).revision

    def blocks(self, space: str, plan: str, after: int = -1, limit: int = 64) -> list[Block]:
        with self._lock:
            found = self._space(space).blocks.get(plan, {})
            return [found[number] for number in sorted(found) if number > after][:limit]

    def plans(self, space: str) -> list[str]:
        with self._lock:
            return sorted(plan for plan, blocks in self._space(space).blocks.items() if blocks)

    def save_blocks(self, space: str, plan: str, blocks: Sequence[Block], at: Revision) -> bool:
        with self._lock:
            inside = self._space(space)
            if fits(inside.revision, at):
                inside.blocks.setdefault(plan, {}).update({block.number: block for block in blocks})
            return fits(inside.revision, at)

    def drop_blocks(self, space: str, plan: str) -> None:
        with self._lock:
            self._space(space).blocks.pop(plan, None)

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        with self._lock:
            held = self._space(space).counters
            return {name: value for name, value in held.items() if name.startswith(prefix)}

    def count(self, space: str, changes: Mapping[str, int], at_least: Mapping[str, int] | None = None) -> None:
        with self._lock:
            inside = self._space(space)
            inside.set_counters(counted(inside.counters, changes, at_least or {}))

    def erase(self, target: Target) -> Erased:
        with self._lock:
            self._open()
            return self._erase(target)

    def settle(self) -> bool:
        self._open()
        return True

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
        return self._spaces.get(name) or SpaceData(born=0)

    def _commit(self, batch: Batch) -> list[Placed]:
        held = self._space(batch.space).sessions.get(batch.session)
        refuse_outrun(batch, None if held is None else held.info)
        data = held or SessionData(info=SessionInfo(id=batch.session, created=batch.time))
        placed, fresh = place(batch.drafts, batch.session, len(data.messages), data, batch.secrets)
        refuse_misplaced(batch, len(data.messages) + len(fresh))
        changed = changes_something(batch)
        if fresh or batch.info or batch.records or (held is not None and changed):
            # An unknown field, and a body that is no JSON, fail here, before anything is there.
            info = replace(data.info, **{**batch.info, "changes": data.info.changes + changed})
            records = [_kept(record) for record in batch.records]
            inside = self._made(batch.space)
            data.info = info
            inside.sessions[batch.session] = data
            inside.append(data, [draft.placed(batch.session, seq) for seq, draft in fresh])
            inside.derive(data, records, batch.drops, batch.scores)
        return placed

    def _made(self, space: str) -> SpaceData:
        """The space, made if it is new."""
        if space not in self._spaces:
            self._births += 1
            self._spaces[space] = SpaceData(born=self._births)
        return self._spaces[space]

    def _erase(self, target: Target) -> Erased:
        space = self._spaces.get(target.space)
        if space is None:
            return Erased()
        if target.session is None:
            del self._spaces[target.space]
            return _went(list(space.sessions.values()), spaces=1)
        data = space.sessions.get(target.session)
        if data is None:
            return Erased()
        if target.seqs is None:
            space.remove(data)
            if not space.sessions:
                del self._spaces[target.space]
            return _went([data])
        buried = data.living(target.seqs)
        space.bury(data, [data.messages[seq - 1].tombstone(target.time, target.secret) for seq in buried])
        if buried:
            data.info = replace(data.info, changes=data.info.changes + 1)
        return Erased(messages=len(buried), records=space.bury_records(data, buried))


def _went(sessions: list[SessionData], spaces: int = 0) -> Erased:
    """What went with whole sessions."""
    return Erased(
        messages=sum(message.state != "forgotten" for data in sessions for message in data.messages),
        sessions=len(sessions),
        spaces=spaces,
        records=sum(len(data.records) for data in sessions),
    )


def _kept(record: Record) -> Record:
    """The record as it is kept: its body as JSON gives it back, and nothing that the caller may change later."""
    text = body_text(record.body)
    return replace(record, body=None if text is None else json.loads(text))
