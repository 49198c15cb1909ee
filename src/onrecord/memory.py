"""Memory: what a user opens. It wires the ports to the paths and has no logic of its own."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, TextIO

from onrecord.choosing import ModelServer
from onrecord.default_store import prepare_default
from onrecord.errors import InvalidInput, InvalidSetting, ModelError, NotFound, StoreFull, shown
from onrecord.journal.asking import clean_asked
from onrecord.journal.clean import clean_name
from onrecord.journal.contents import all_sessions
from onrecord.journal.drafting import Drafter, TimeIds
from onrecord.journal.transfer import bounded, export_lines, import_lines, rescue
from onrecord.longterm import LongTerm
from onrecord.parts import Parts
from onrecord.ports import Clock, Embedder, Model, Progress, Reranker, Store, Target
from onrecord.profiles import PROFILES, with_options
from onrecord.records import Erased, Estimate, Health, ImportReport, SessionInfo, Spent
from onrecord.session import Session
from onrecord.settings import Settings, check_settings
from onrecord.stores import is_part_of, is_server, open_store, salvage
from onrecord.stores.new_files import keep_mode, owner_only
from onrecord.stores.unfinished import unfinished

if TYPE_CHECKING:
    from onrecord.recall.hits import Hits

__all__ = ["Memory", "doctor", "engine_of", "listed_messages", "opened_lines", "restore", "saved"]


def _now() -> datetime:
    return datetime.now(UTC)


def _quiet(done: int) -> None:
    """Progress without a display."""


class _Anywhere:
    """Makes a memory the one that its address means."""

    def __new__(cls, path: object = "", *others: Any, **settings: Any) -> Any:
        if cls is Memory and isinstance(path, str) and path.startswith(("http://", "https://")):
            from onrecord.client import RemoteMemory

            return object.__new__(RemoteMemory)
        return object.__new__(cls)


class Memory(LongTerm, AbstractContextManager["Memory"], _Anywhere):
    """The memory at one place, seen through one space.

    `path` is a file, a folder ending in a slash (readable sheets), "postgresql://…", ":memory:", or the "http://…" of a
    service (with `key=`; what decides about it is the service's); left out, it is the file that `onrecord path` prints.
    `profile` names the design that decides what a prompt holds; `options` changes single values of it. `model` is the
    language model of the conversation: its tokens are counted, and if it can be asked (docs/models.md) it writes the
    summaries. More settings: docs/reference.md. Threads may share it; after a fork each process goes on by itself.
    """

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        space: str = "default",
        profile: str = "balanced",
        model: str | Model | None = None,
        summarize: str = "background",
        embedder: str | Embedder | None = "auto",
        reranker: Reranker | None = None,
        options: Mapping[str, Any] | None = None,
        clock: Clock = _now,
        **settings: Any,
    ) -> None:
        from onrecord.models.tokenizers import counter_for

        address = prepare_default() if path is None else _address(path)
        name: Any = getattr(model, "name", model)  # what is no name is refused with the other settings
        given = {"path": address, "space": space, "profile": profile, "model": name, "summarize": summarize}
        named = {"embedder": embedder} if isinstance(embedder, str) else {}
        values = check_settings(given | named | settings)
        rules = with_options(PROFILES[values["profile"]], options or {})
        self._space = clean_name(space, "space")
        self._clock = clock
        self._drafter = Drafter(
            counter=counter_for(name),
            profile=rules,
            max_bytes=values["max_message_bytes"],
            clock=clock,
            ids=TimeIds(clock),
        )
        upstream = ModelServer(values["upstream"], values["upstream_key"], values["local_server"])
        upstream.check(name, embedder)
        if values["summarize"] == "worker" and not is_server(address):
            raise InvalidSetting(
                "Workers are for memories on PostgreSQL.", "Leave summarize out, or open postgresql://…"
            )
        self._address = address
        self._store: Store = open_store(address, _store_settings(values))
        self._parts = Parts(
            self._store,
            self._drafter,
            rules,
            lambda info: counter_for(info.model or name),
            model=model,
            embedder=embedder,
            upstream=upstream,
            reranker=reranker,
            **{one: values[one] for one in ("summarize", "debounce", "index_bytes", "daily_tokens", "over_limit")},
        )
        if named and embedder != "auto":
            self._parts.embedder  # noqa: B018 - a name that means nothing is said now, not at the first search
        self._parts.model  # noqa: B018 - the same

    @property
    def name(self) -> str:
        """The space this memory looks through."""
        return self._space

    @property
    def chat_tokens(self) -> int | None:
        """The budget that the profile or its option `tokens` sets for chat requests; None if neither does."""
        profile = self._parts.profile
        return profile.tokens if profile.bounds_chats else None

    def space(self, name: str) -> Memory:
        """The same place seen through another space. It shares the connection: closing either closes both."""
        view = object.__new__(type(self))
        view._space = clean_name(name, "space")
        view._address, view._clock = self._address, self._clock
        view._drafter, view._store, view._parts = self._drafter, self._store, self._parts
        return view

    def spaces(self) -> list[str]:
        """The spaces that hold something."""
        return self._store.spaces()

    def session(self, id: str) -> Session:
        """A conversation of this space; it is made when something is first written to it."""
        return Session(self._parts, self._space, clean_name(id, "session id"))

    def sessions(self) -> Iterator[SessionInfo]:
        """The conversations of this space, by id, read a page at a time."""
        return all_sessions(self._store, self._space)

    def search(
        self,
        text: str,
        *,
        kinds: str | Iterable[str] | None = None,
        sessions: str | Iterable[str] | None = None,
        since: datetime | str | None = None,
        until: datetime | str | None = None,
        as_of: datetime | str | None = None,
        known_at: datetime | str | None = None,
        importance: float = 0.0,
        categories: str | Iterable[str] | None = None,
        tags: str | Iterable[str] | None = None,
        limit: int | None = None,
        tokens: int | None = None,
        context: str = "",
        weights: Mapping[str, float] | None = None,
    ) -> Hits:
        """Find what the space holds about a text, by words, by meaning, by who said it and when; the best first.

        `kinds`: only "message", "summary", "pin", "fact" or "episode", or only facts and episodes of a kind of theirs,
        such as "decision"; `sessions`: only these conversations; `since`: from that moment on, `until`: before it;
        `as_of`: only what was said and true at that moment, for all that is known today; `known_at`: only what was
        known then; `importance`: at least; `categories`, `tags`: of facts, and of messages as their meta says; `limit`:
        at most so many hits, ten unless `tokens` are given; `tokens`: what fits into so many together, chosen for its
        length too; `context`: more words that bear on it; `weights`: of single signals, for this call. The answer is a
        sequence of hits with `explain()`.
        """
        asked = clean_asked(
            text,
            kinds=kinds,
            sessions=sessions,
            since=since,
            until=until,
            as_of=as_of,
            known_at=known_at,
            importance=importance,
            categories=categories,
            tags=tags,
            limit=limit,
            tokens=tokens,
            context=context,
            weights=weights,
            now=self._clock(),
        )
        return self._parts.search(self._space, asked)

    def forget(
        self,
        *,
        session: str | None = None,
        messages: int | str | Iterable[int | str] | None = None,
        space: str | None = None,
        fact: str | None = None,
    ) -> Erased:
        """Erase messages of a session (by number or id), a whole session, a whole space, or a fact, down to the bytes
        on disk. The messages that a fact comes from stay; it is not found in them again.

        Messages leave a tombstone that keeps their number. What was derived from them goes too, and is made again
        without them. The report says `pending` while an open reader keeps the old bytes in the write-ahead log;
        `flush()` tries again.
        """
        given = [one is not None for one in (session, space, fact)]
        if sum(given) != 1 or (session is None and messages is not None):
            raise InvalidInput(
                "forget needs to know what.",
                "Pass session=…, session=… and messages=…, space=…, or fact=…, and nothing else.",
            )
        if fact is not None:
            gone = self._parts.learned(self._space).facts.forget(self._space, clean_name(fact, "id"))
            return Erased(records=gone, pending=not self._store.settle())
        if space is not None:
            return self._store.erase(Target(space=clean_name(space, "space"), time=self._clock()))
        assert session is not None
        name = clean_name(session, "session id")
        if messages is not None:
            return self.session(name).forget(*listed_messages(messages))
        if self._store.session(self._space, name) is None:
            raise NotFound(f"There is no session {name!r} in space {self._space!r}.", "See sessions().")
        return self._store.erase(Target(space=self._space, session=name, time=self._clock()))

    def rebuild(self, *, session: str | None = None, vectors: bool = False, progress: Progress | None = None) -> int:
        """Make every derived record of the space, or of one session, again from its messages, but for hand-made and
        locked ones; answers how many summaries were made. `vectors`: instead, make every vector of the space that is
        missing, by the embedder of today; answers how many parts of the index were written. Stopped halfway, it goes
        on there at the next call."""
        if vectors:
            return self._parts.index(self._space, progress)
        if session is not None and self._store.session(self._space, clean_name(session, "session id")) is None:
            raise NotFound(f"There is no session {session!r} in space {self._space!r}.", "See sessions().")
        names = [info.id for info in self.sessions()] if session is None else [session]
        return sum(self.session(name).rebuild(progress=progress) for name in names)

    def export(
        self,
        target: str | Path | TextIO,
        *,
        session: str | None = None,
        mask_secrets: bool = False,
        progress: Progress | None = None,
    ) -> int:
        """Write this space, or one session of it, as JSON Lines; answers how many lines. Nothing is lost on the way,
        unless `mask_secrets` leaves no more than the first characters of passwords, keys, card and account numbers.
        A file that is there is replaced; a link stays, and the file that it leads to is replaced."""
        if session is not None and self._store.session(self._space, clean_name(session, "session id")) is None:
            raise NotFound(f"There is no session {session!r} in space {self._space!r}.", "See sessions().")
        lines = export_lines(self._store, self._space, session, progress or _quiet, mask_secrets)
        if isinstance(target, (str, Path)) and is_part_of(self._address, Path(_address(target))):
            raise InvalidInput(f"{target} is the memory itself.", "Export to another file.")
        return saved(lines, target)

    def import_(
        self, source: str | Path | Iterable[str], *, vectors: bool = True, progress: Progress | None = None
    ) -> ImportReport:
        """Bring an export into this space, and make the vectors that it lacks then. What is there already stays; doing
        it twice changes nothing; stopped anywhere, it goes on there the next time. `vectors` False: they are made in
        the background. `progress` is told of messages, then of items that have vectors. Summaries that are due are made
        as messages are added, or all at once by `rebuild` or a session's `summarize`."""
        with opened_lines(source, self._drafter.max_bytes) as lines:
            report = import_lines(self._store, self._drafter, self._space, lines, progress or _quiet)
        if vectors:
            with suppress(ModelError):  # they are made another time
                self._parts.index(self._space, progress)
        else:
            self._parts.added(self._space, report.added)
        return report

    def backup(self, target: str | Path) -> None:
        """Copy the whole store, all spaces, to a new place while others go on writing."""
        path = Path(_address(target))
        if is_part_of(self._address, path):
            raise InvalidInput(f"{target} is the memory itself.", "Back up to another place.")
        with _file_errors(target):
            self._store.backup(path)

    def check(self, *, progress: Progress | None = None) -> Health:
        """Look at every item of the store: structure, checksums, numbers, index, and unreadable messages."""
        from onrecord.guard import skipped

        health = self._store.check(progress or _quiet)
        return replace(health, findings=(*health.findings, *skipped(self._store)))

    def spent(self) -> Spent:
        """What models took for this space: calls and tokens by day and model, and what was refused."""
        return self._parts.spending.spent(self._space)

    def estimate(self) -> Estimate:
        """What making every summary of the space that is due would take, and reading it for facts."""
        return self._parts.estimate(self._space, [info.id for info in self.sessions()])

    def pause(self) -> None:
        """Have no model called for this space, by any process: summaries that a model would write wait for `resume`."""
        self._parts.spending.pause(self._space, True)

    def resume(self) -> None:
        """Let models go on; what waits is made with the next message, or by `summarize` and `flush`."""
        self._parts.spending.pause(self._space, False)

    def flush(self) -> bool:
        """Finish what is under way: summaries in the background, vectors that are missing, and the disk. True when
        nothing that was forgotten lingers there."""
        self._parts.finish(self._space)
        return self._store.settle()

    def close(self) -> None:
        """Finish and let go of the store. Closing twice is fine. Missing vectors are made another time."""
        self._close(finish=True)

    def _close(self, *, finish: bool) -> None:
        self._parts.close(finish=finish)
        self._store.close()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._close(finish=kind is None or issubclass(kind, Exception))  # not after Ctrl-C: a model may take long

    def __repr__(self) -> str:
        return f"Memory(space={self._space!r})"


def engine_of(memory: Memory) -> Parts:
    """Return the parts that a memory of this process is built from, for programs that look inside: its store, profile,
    models and indexes. They are the package's own and may change with any version."""
    return memory._parts


def doctor(
    path: str | Path, *, rescue_to: str | Path | None = None, progress: Progress | None = None, clock: Clock = _now
) -> Health | ImportReport:
    """Check a store; or, with `rescue_to`, read every message its bytes still hold into a new store there."""
    address = _address(path)
    if rescue_to is None:
        if not is_server(address) and not _exists(address):
            raise NotFound(f"There is nothing at {path}.", "Check the path.")
        with Memory(path, clock=clock) as memory:
            return memory.check(progress=progress)
    if _exists(rescue_to):
        raise InvalidInput(f"{rescue_to} is there already.", "Name a new file for what is rescued.")
    with Memory(rescue_to, clock=clock, max_message_bytes=1_000_000_000) as memory:
        return rescue(salvage(address, progress or _quiet), memory._store, memory._drafter)


def restore(backup: str | Path, path: str | Path, *, progress: Progress | None = None) -> Health:
    """Put a backup in the place of a memory, as one step: what was there goes. Returns what the check of it found.

    The backup stays as it is. It is copied and checked first: nothing is replaced by one that is damaged. Raises
    `StoreBusy` while a program has the memory open.
    """
    from onrecord.stores.restoring import restore_store

    with _file_errors(backup):
        settings = _store_settings(check_settings({}))
        return restore_store(_address(backup), _address(path), settings, progress or _quiet)


def _address(path: object) -> str:
    """A path as text; what no file system could take is refused before anything is made of it."""
    if not isinstance(path, (str, os.PathLike)):
        raise InvalidInput(f"{shown(path)} is not a path.", "Pass a text or a pathlib.Path.")
    address = os.fspath(path)
    try:
        if isinstance(address, str) and address and "\0" not in address and address.encode():
            return address
    except UnicodeEncodeError:
        pass
    raise InvalidInput(f"{address!r} cannot be a path.", "Pass a path of ordinary characters.")


def _exists(path: object) -> bool:
    with _file_errors(path):
        return Path(_address(path)).exists()


@contextmanager
def _file_errors(path: object) -> Iterator[None]:
    """What goes wrong with a file that the caller named, as errors of ours."""
    try:
        yield
    except FileNotFoundError:
        raise NotFound(f"There is no {path}.", "Check the path.") from None
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{path} is not UTF-8 ({error.reason}).", "Give a file that export wrote.") from None
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise StoreFull(f"There is no room left for {path}.", "Free some disk space.") from None
        raise InvalidInput(f"{path}: {error.strerror or error}.", "Check the path.") from None


def listed_messages(messages: int | str | Iterable[int | str]) -> Iterable[int | str]:
    return messages if isinstance(messages, Iterable) and not isinstance(messages, str) else [messages]


def _store_settings(values: Mapping[str, Any]) -> Settings:
    return Settings(
        durability=values["durability"],
        busy_timeout=values["busy_timeout"],
    )


@contextmanager
def opened_lines(source: object, largest: int = 0) -> Iterator[Iterable[str]]:
    """The lines of an export, bounded for messages of at most `largest` bytes."""
    if isinstance(source, (str, Path)):
        with _file_errors(source), open(_address(source), encoding="utf-8") as file:
            yield bounded(file, largest)
    elif isinstance(source, Iterable):
        yield bounded(source, largest)
    else:
        raise InvalidInput(f"An export cannot be read from a {type(source).__name__}.", "Pass a path or lines of text.")


def saved(lines: Iterable[str], target: str | Path | TextIO) -> int:
    """Write an export to a file, or into one that is open; answers how many lines."""
    if isinstance(target, (str, Path)):
        with _file_errors(target):
            return _written_whole(lines, Path(_address(target)).resolve())
    if not hasattr(target, "write"):
        raise InvalidInput(f"An export cannot be written to a {type(target).__name__}.", "Pass a path or an open file.")
    return _written(lines, target)


def _written_whole(lines: Iterable[str], path: Path) -> int:
    """Write beside the file, then take its place: an earlier export is never left half replaced."""
    if path.exists() and not path.is_file():  # a device or a pipe has no place to take
        with path.open("w", encoding="utf-8", newline="\n") as file:
            return _written(lines, file)
    with unfinished(path) as part:
        with open(part, "w", encoding="utf-8", newline="\n", opener=owner_only) as file:
            count = _written(lines, file)
        keep_mode(path, part)
        part.replace(path)
        return count


def _written(lines: Iterable[str], file: TextIO) -> int:
    count = 0
    for line in lines:
        file.write(line)
        count += 1
    return count
