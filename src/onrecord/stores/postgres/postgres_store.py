"""The store itself: each method of the port is one short transaction on one connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from onrecord.errors import InvalidInput, StoreBusy
from onrecord.ports import Batch, Placed, Progress, Revision, Target
from onrecord.records import (
    Arrival,
    Block,
    Erased,
    Health,
    Message,
    Page,
    Query,
    Record,
    SessionInfo,
    digest,
)
from onrecord.settings import Settings
from onrecord.stores.batches import fits
from onrecord.stores.counting import counted, refuse_uncountable
from onrecord.stores.postgres.connection_pool import Ambiguous, ConnectionPool, PostgresOperation
from onrecord.stores.postgres.erasing import erase
from onrecord.stores.postgres.postgres_care import Scrubbed, check, scrub
from onrecord.stores.postgres.postgres_reading import page_values, read_records
from onrecord.stores.postgres.postgres_rows import arrival_of, message_of, session_of
from onrecord.stores.postgres.postgres_writing import commit, is_large, lock
from onrecord.stores.postgres.schema import ready

__all__ = ["DueSession", "PostgresStore"]

LOST = 600.0  # seconds after which somebody who began with a session, and said no more, is not waited for any longer
NOBODY = ""  # the token of what was not due


class DueSession(NamedTuple):
    """A session with work to do."""

    space: str
    session: str


class PostgresStore:
    """Messages in one PostgreSQL database."""

    def __init__(self, url: str, settings: Settings) -> None:
        self._server = ConnectionPool(url, settings)
        try:
            ready(self._server)
        except BaseException:
            self._server.close()
            raise

    def commit(self, batch: Batch) -> list[Placed]:
        return self._server.write(batch.space, lambda turn: commit(turn, batch), slow=is_large(batch))

    def spaces(self) -> list[str]:
        return [name for (name,) in self._server.read(None, "every_space")]

    def sessions(self, space: str, after: str = "", limit: int = 500) -> list[SessionInfo]:
        return [session_of(row) for row in self._server.read(space, "sessions", after=after, limit=limit)]

    def session(self, space: str, session: str) -> SessionInfo | None:
        rows = self._server.read(space, "session", session=session)
        return session_of(rows[0]) if rows else None

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        name = "messages_before" if page.newest else "messages_after"
        rows = self._server.read(space, name, session=session, **page_values(page))
        return [message_of(row, session) for row in (reversed(rows) if page.newest else rows)]

    def find(self, space: str, session: str, id: str) -> Message | None:
        rows = self._server.read(space, "messages_by_id", session=session, ids=[id, digest(id)])
        return message_of(rows[0], session) if rows else None

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        return read_records(self._server, space, session, query)

    def feed(self, space: str, after: int, limit: int = 500, kinds: Sequence[str] = ()) -> list[Arrival]:
        rows = self._server.read(space, "feed", after=after, limit=limit, kinds=list(kinds) or None)
        return [arrival_of(row) for row in rows]

    def revision(self, space: str) -> Revision:
        rows = self._server.read(space, "revision")
        return Revision(*rows[0]) if rows else Revision()

    def blocks(self, space: str, plan: str, after: int = -1, limit: int = 64) -> list[Block]:
        rows = self._server.read(space, "blocks", plan=plan, after=after, limit=limit)
        return [Block(number=number, body=body) for number, body in rows]

    def plans(self, space: str) -> list[str]:
        return [plan for (plan,) in self._server.read(space, "plans")]

    def save_blocks(self, space: str, plan: str, blocks: Sequence[Block], at: Revision) -> bool:
        last = {block.number: block.body for block in blocks}

        def work(turn: PostgresOperation) -> bool:
            head = lock(turn)
            now = Revision() if head is None else Revision(head.born, head.newest, head.removed)
            if last and fits(now, at):
                turn.ask("put_blocks", plan=plan, numbers=list(last), bodies=list(last.values()))
            return fits(now, at)

        return self._server.write(space, work)

    def drop_blocks(self, space: str, plan: str) -> None:
        self._server.write(space, lambda turn: turn.ask("delete_plan", plan=plan) and None)

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        return dict(self._server.read(space, "counters", prefix=prefix))

    def count(self, space: str, changes: Mapping[str, int], at_least: Mapping[str, int] | None = None) -> None:
        least = at_least or {}
        refuse_uncountable(changes)
        refuse_uncountable(least)
        if changes or least:
            try:
                self._server.write(space, lambda turn: _count(turn, changes, least), again=not changes)
            except Ambiguous as error:
                what = f"{self._server.name} went away while it counted; whether it did is not known."
                raise StoreBusy(what, "Look at `tally`, and count again if it is not there.") from error

    def erase(self, target: Target) -> Erased:
        try:
            return self._server.write(target.space, lambda turn: erase(turn, target), slow=True, again=False)
        except Ambiguous as error:
            what = f"{self._server.name} went away while it erased; whether it did is not known."
            raise StoreBusy(what, "Forget the same again: what is gone stays gone.") from error

    def settle(self) -> bool:
        return not self._server.read(None, "lingers")[0][0]

    def check(self, progress: Progress) -> Health:
        return check(self._server, progress)

    def backup(self, target: Path) -> None:
        hint = f"Use pg_dump or pg_basebackup, or `onrecord copy` it into a file: onrecord copy URL {target}."
        raise InvalidInput("A server is not copied into a file by itself.", hint)

    def close(self) -> None:
        self._server.close()

    # For workers: see SharedStore

    def due(self, quiet: float, limit: int = 500, lost: float = LOST) -> list[DueSession]:
        return [DueSession(*row) for row in self._server.read(None, "every_due", quiet=quiet, limit=limit, lost=lost)]

    def make_due(self, space: str, session: str) -> None:
        self._server.write(space, lambda turn: lock(turn) and turn.ask("make_due", session=session) and None)

    def take_due(self, space: str, session: str) -> str:
        rows = self._server.write(space, lambda turn: turn.rows("take_due", session=session))
        return str(rows[0][0]) if rows else NOBODY

    def done_due(self, space: str, session: str, token: str) -> None:
        if token != NOBODY:
            self._server.write(space, lambda turn: turn.ask("done_due", session=session, token=token) and None)

    def all_due(self) -> int:
        return sum(self._server.write(space, _make_all_due) for space in self.spaces())

    def count_due(self) -> tuple[int, float]:
        count, seconds = self._server.read(None, "count_due")[0]
        return int(count), float(seconds or 0.0)

    def flag(self, name: str) -> bool:
        return bool(self._server.read(None, "flag", name=name)[0][0])

    def set_flag(self, name: str, on: bool) -> None:
        self._server.write(None, lambda turn: turn.ask("set_flag" if on else "clear_flag", name=name) and None)

    # For whoever runs the server

    def scrub(self, progress: Progress) -> Scrubbed:
        """Have the bytes of what was erased leave the server's disk; takes the owner of the tables."""
        return scrub(self._server, progress)


def _make_all_due(turn: PostgresOperation) -> int:
    return turn.ask("make_all_due").rowcount if lock(turn) else 0


def _count(turn: PostgresOperation, changes: Mapping[str, int], at_least: Mapping[str, int]) -> None:
    asked = turn.ask("lock_space")
    held = turn.ask("counters_named", names=[*changes, *at_least])
    if asked.fetchone() is None:
        return
    values = counted(dict(held.fetchall()), changes, at_least)
    kept = {name: value for name, value in values.items() if value}
    if kept:
        turn.ask("put_counters", names=list(kept), values=list(kept.values()))
    if len(kept) < len(values):
        turn.ask("delete_counters", names=[name for name in values if name not in kept])
