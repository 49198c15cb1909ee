"""Episodes for people and programs: listing them, adding one by hand, and the arc of a conversation."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from onrecord.derive.accesses import Accesses
from onrecord.derive.book import Book, SpacePages
from onrecord.derive.compare_and_set import Written, written
from onrecord.derive.extractive import SpokenPiece, extract
from onrecord.derive.sources import RECIPE
from onrecord.errors import InvalidInput, NotFound
from onrecord.guard import Guard
from onrecord.policy.consolidating import ARCHIVED
from onrecord.policy.episodes import significant, thirds
from onrecord.policy.secrets import redacted
from onrecord.ports import Clock, Counter, Ids, Store
from onrecord.records import MANUAL, Arc, Change, Episode, Fact, Message, Page, Query, Record, SessionInfo

__all__ = ["Episodes", "standing_episodes"]

SIGNIFICANT = 0.7  # what an arc shows
THIRD_WORDS = (30, 70)  # of a third of an arc
SAMPLE = 120  # messages of a third that are read at most,
STRETCH = 8  # so many that follow each other, evenly spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Episodes:
    """The episodes of one store."""

    store: Store
    book: Book
    accesses: Accesses
    ids: Ids
    clock: Clock
    counter: Counter

    def listed(
        self,
        space: str,
        *,
        session: str | None,
        kinds: frozenset[str],
        status: str | None,
        significance: float,
        as_of: datetime | None,
    ) -> list[Episode]:
        """Episodes in the order in which they happened."""
        with self.book.locked():
            pages = self.book.open(space)
            found = standing_episodes(pages if as_of is None else pages.known_at(as_of))
        known = self.accesses.of(space)
        told = []
        for one in found:
            fits = (session is None or one.session == session) and (not kinds or one.kind in kinds)
            if fits and (status is None or one.status == status) and one.significance >= significance:
                access = known.get(one.id)
                told.append(replace(one, access_count=access[0], last_access=access[1]) if access else one)
        return told

    def add(self, space: str, session: str, episode: Episode) -> Episode:
        """An episode that a person or program tells of."""
        if episode.last and not episode.first:  # nobody could say with which messages it is to go
            raise InvalidInput("An episode that has a last message has a first one too.", "Give first as well.")
        info = self.store.session(space, session)
        there = info is not None and episode.last <= info.last_seq
        messages = self._messages(space, session, episode.first, episode.last) if episode.first and there else []
        if episode.first and not messages:
            raise NotFound(
                f"There are no messages from {episode.first} to {episode.last} in session {session!r}.",
                "See history() for the numbers.",
            )
        with self.book.locked():
            missing = [id for id in episode.links if not self.book.open(space).holds(id)]
        if missing:
            raise NotFound(
                f"There is no fact or episode {missing[0]!r} in space {space!r}.",
                "Give ids that facts() or episodes() list.",
            )
        now = self.clock()
        whole = replace(
            episode,
            id=self.ids.new("episode"),
            session=session,
            method="hand",
            began=messages[0].time if messages else now,
            ended=messages[-1].time if messages else now,
            tokens=self.counter.text(f"{episode.title}\n{episode.summary}"),
            time=now,
        )
        self._write(space, session, [whole.record(MANUAL)])
        return whole

    def change(self, space: str, id: str, status: str, why: str = "", by: str = "hand") -> Episode:
        """Take an episode out of use, or bring it back."""
        with self.book.locked():
            held = self.book.open(space).episodes.get(id)
        if held is None:
            raise NotFound(f"There is no episode {id!r} in space {space!r}.", "Give the id that episodes() lists.")
        change = Change(
            id=self.ids.new("change"), of=id, session=held.session, status=status, why=why, by=by, time=self.clock()
        )
        self._write(space, held.session, [change.record(held.first, held.last)])
        with self.book.locked():
            return next(one for one in standing_episodes(self.book.open(space)) if one.id == id)

    def arc(self, space: str, session: str) -> Arc:
        """The beginning, middle and end of a conversation in short, and what mattered most."""
        info = self.store.session(space, session)
        if info is None or not info.last_seq:
            return Arc(session=session)
        ranges = thirds(info.last_seq)
        told = [self._short(space, session, first, last) for first, last in ranges]
        mine = self.listed(
            space, session=session, kinds=frozenset(), status="active", significance=SIGNIFICANT, as_of=None
        )
        moments = tuple(sorted(significant(mine, SIGNIFICANT), key=lambda one: (one.first, one.id)))
        beginning, middle, end = told
        return Arc(session=session, beginning=beginning, middle=middle, end=end, ranges=tuple(ranges), moments=moments)

    def _short(self, space: str, session: str, first: int, last: int) -> str:
        messages = [
            message for start, end in _sample(first, last) for message in self._messages(space, session, start, end)
        ]
        return Guard(self.store, space, session).read(RECIPE, messages, _shortened, str)

    def _messages(self, space: str, session: str, first: int, last: int) -> list[Message]:
        if last < first:
            return []
        page = Page(after=first - 1, before=last + 1, limit=last - first + 1, roles=("user", "assistant"))
        return [message for message in self.store.messages(space, session, page) if message.state == "kept"]

    def _write(self, space: str, session: str, records: Sequence[Record]) -> None:
        of = [str((record.body or {}).get("of", "")) for record in records if record.kind == "change"]

        def made(info: SessionInfo | None) -> Written:
            if of and not self.store.records(space, session, Query(kind="episode", key=of[0])):
                raise NotFound("What it comes from was forgotten meanwhile.", "See episodes().")
            return records, []

        written(self.store, self.clock, space, session, made)


def _shortened(messages: Sequence[Message]) -> str:
    """What messages say, in short."""
    pieces = [SpokenPiece(message.name or message.role, redacted(message.text)) for message in messages if message.text]
    return extract(pieces, *THIRD_WORDS).text


def _sample(first: int, last: int) -> list[tuple[int, int]]:
    """All of a third; of a long one stretches of it.

    >>> _sample(1, 30), len(_sample(1, 9_000)), _sample(1, 9_000)[-1]
    ([(1, 30)], 15, (8401, 8408))
    """
    many, stretches = last - first + 1, SAMPLE // STRETCH
    if many <= SAMPLE:
        return [(first, last)]
    starts = (first + many * at // stretches for at in range(stretches))
    return [(start, start + STRETCH - 1) for start in starts]


def standing_episodes(pages: SpacePages) -> Sequence[Episode]:
    """All episodes with their status and the facts that come from their messages, in the order they happened. Found
    once, until something changes."""
    if pages.told is None or pages.told[0] != pages.version:
        pages.told = (pages.version, _standing(pages))
    return pages.told[1]


def _standing(pages: SpacePages) -> list[Episode]:
    links = _links(pages.episodes.values(), pages.claims.values())
    merged: dict[str, list[str]] = {}
    found = []
    for episode in pages.episodes.values():
        changes = sorted(pages.changes.get(episode.id, ()), key=lambda change: (change.time, change.id))
        status = next((one.status for one in reversed(changes) if one.status), "active")
        history = tuple(
            {"status": one.status, "time": one.time.isoformat(), "why": one.why, "by": one.by} for one in changes
        )
        into = next((str(one.values["into"]) for one in reversed(changes) if "into" in one.values), "")
        if into and status == ARCHIVED:
            merged.setdefault(into, []).append(episode.id)
        given = [id for id in episode.links if pages.holds(id)]
        found.append(replace(episode, status=status, history=history, links=(*given, *links.get(episode.id, ()))))
    found = [replace(one, merged=tuple(merged.get(one.id, ()))) for one in found]
    return sorted(found, key=lambda one: (one.began, one.session, one.first, one.id))


def _links(episodes: Iterable[Episode], facts: Iterable[Fact]) -> dict[str, list[str]]:
    """The facts of each episode's messages."""
    said: dict[str, list[tuple[int, str]]] = {}
    for fact in facts:
        for seq in fact.sources:
            said.setdefault(fact.session, []).append((seq, fact.id))
    for part in said.values():
        part.sort()
    found: dict[str, list[str]] = {}
    for one in episodes:
        mine = said.get(one.session, [])
        start, end = bisect_left(mine, (one.first, "")), bisect_left(mine, (one.last + 1, ""))
        found[one.id] = sorted({id for _, id in mine[start:end]}) if one.first else []
    return found
