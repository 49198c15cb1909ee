"""RemoteMemory: a memory that a service keeps, with the methods of `Memory`. `Memory("http://…")` is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from onrecord.client.arguments import asked_form, now
from onrecord.client.queries import Asking
from onrecord.client.remote_longterm import RemoteLongTerm
from onrecord.client.remote_session import RemoteSession, hits_of
from onrecord.client.service import Service, encoded
from onrecord.client.wire import built, part
from onrecord.errors import InvalidInput, InvalidSetting, StoreError
from onrecord.journal.asking import clean_asked
from onrecord.journal.clean import clean_name
from onrecord.memory import Memory, _lines_of, _listed, _saved
from onrecord.ports import Progress
from onrecord.records import Erased, Estimate, Health, ImportReport, SessionInfo, Spent

if TYPE_CHECKING:
    from onrecord.recall.hits import Hits

__all__ = ["RemoteMemory"]

PAGE = 500
"""Sessions that are asked for at once, and lines after which progress is told."""


class RemoteMemory(RemoteLongTerm, Memory):
    """The memory behind a service, seen through one space.

    `path` is the service's address, `key` what it wants to see. How the memory works (profile, model, …) was decided
    where the service runs. `timeout` is in seconds and counts for each of the `retries` + 1 attempts; making summaries,
    exporting and the like may take as long as they need. Safe to share between threads; after a fork each process goes
    on by itself.
    """

    def __init__(
        self,
        path: str | Path,
        *,
        space: str = "default",
        key: str | None = None,
        timeout: float = 30.0,
        retries: int = 2,
        **settings: Any,
    ) -> None:
        if settings:
            raise InvalidSetting(
                f"{', '.join(sorted(settings))}: that is decided where the service runs.",
                "Leave it out here; pass it to onrecord serve.",
            )
        _check(timeout, retries)
        self._space = clean_name(space, "space")
        self._service = Service(str(path), key=key, timeout=timeout, retries=retries)
        self._asking = Asking(self._service, self._space)

    @property
    def name(self) -> str:
        return self._space

    @property
    def chat_tokens(self) -> int | None:
        """None: a service does not say which profile it has."""
        return None

    def space(self, name: str) -> RemoteMemory:
        view = object.__new__(type(self))
        view._space = clean_name(name, "space")
        view._service = self._service
        view._asking = Asking(self._service, view._space)
        return view

    def spaces(self) -> list[str]:
        return list(self._asking.pages(str, "spaces"))

    def session(self, id: str) -> RemoteSession:
        return RemoteSession(self._asking, clean_name(id, "session id"))

    def sessions(self) -> Iterator[SessionInfo]:
        return self._asking.pages(SessionInfo, "sessions", limit=PAGE)

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
            now=now(),
        )
        return hits_of(self._asking.ask("POST", "search", body=asked_form(asked), again=True))

    def forget(
        self,
        *,
        session: str | None = None,
        messages: int | str | Iterable[int | str] | None = None,
        space: str | None = None,
        fact: str | None = None,
    ) -> Erased:
        given = [one is not None for one in (session, space, fact)]
        if sum(given) != 1 or (session is None and messages is not None):
            raise InvalidInput(
                "forget needs to know what.",
                "Pass session=…, session=… and messages=…, space=…, or fact=…, and nothing else.",
            )
        if session is not None and messages is not None:
            return self.session(session).forget(*_listed(messages))
        what = {"session": "session id", "space": "space", "fact": "id"}
        named_ = {"session": session, "space": space, "fact": fact}
        body = {name: clean_name(value, what[name]) for name, value in named_.items() if value is not None}
        return built(Erased, self._asking.ask("POST", "forget", body=body, long=True))

    def rebuild(self, *, session: str | None = None, vectors: bool = False, progress: Progress | None = None) -> int:
        name = None if session is None else clean_name(session, "session id")
        body = {"session": name, "vectors": bool(vectors)}
        made = built(int, part(self._asking.ask("POST", "rebuild", body=body, long=True), "made"))
        if progress is not None and made:
            progress(made)
        return made

    def export(
        self,
        target: str | Path | TextIO,
        *,
        session: str | None = None,
        mask_secrets: bool = False,
        progress: Progress | None = None,
    ) -> int:
        name = None if session is None else clean_name(session, "session id")
        asked = {"session": name, "mask_secrets": "true" if mask_secrets else None}
        lines = _whole(self._service.lines(encoded("export"), self._space, asked))
        if progress is not None:
            lines = _watched(lines, progress)
        return _saved(lines, target)

    def import_(
        self, source: str | Path | Iterable[str], *, vectors: bool = True, progress: Progress | None = None
    ) -> ImportReport:
        with _lines_of(source) as lines:
            told = lines if progress is None else _watched(lines, progress)
            sent = (_line(line, number) for number, line in enumerate(told, 1))
            query = {"vectors": bool(vectors)}
            return built(ImportReport, self._service.upload(encoded("import"), self._space, query, sent))

    def backup(self, target: str | Path) -> None:
        raise InvalidInput(
            "A service does not hand out a backup of its store.",
            "Run onrecord backup where the memory lies, or export() this space.",
        )

    def check(self, *, progress: Progress | None = None) -> Health:
        health = built(Health, self._service.ask("GET", encoded("check"), self._space, long=True))
        if progress is not None:
            progress(health.messages + health.records)
        return health

    def spent(self) -> Spent:
        return self._asking.one(Spent, "spent")

    def estimate(self) -> Estimate:
        return self._asking.one(Estimate, "estimate")

    def pause(self) -> None:
        self._asking.ask("POST", "pause", again=True)

    def resume(self) -> None:
        self._asking.ask("POST", "resume", again=True)

    def flush(self) -> bool:
        return built(bool, part(self._asking.ask("POST", "flush", again=True, long=True), "clean"))

    def close(self) -> None:
        self._close(finish=True)

    def _close(self, *, finish: bool) -> None:
        """The service goes on with what it has begun."""
        self._service.close()

    def __repr__(self) -> str:
        return f"Memory(space={self._space!r}, service={self._service.host!r})"


def _check(timeout: object, retries: object) -> None:
    if isinstance(timeout, bool) or not isinstance(timeout, (int, float)) or not 0 < timeout < float("inf"):
        raise InvalidSetting(f"timeout={timeout!r} is no number of seconds.", "Pass one over 0.")
    if isinstance(retries, bool) or not isinstance(retries, int) or not 0 <= retries <= 100:
        raise InvalidSetting(f"retries={retries!r} is no number of attempts.", "Pass one from 0 to 100.")


def _whole(lines: Iterable[str]) -> Iterator[str]:
    """The lines of an export, which must not end before the one that says so."""
    line = ""
    for line in lines:
        yield line
    if not line.startswith('{"end":'):
        raise StoreError("The export was cut off on its way.", "Try again.")


def _watched(lines: Iterable[str], progress: Progress) -> Iterator[str]:
    """Lines of an export, telling of the messages among them."""
    done = 0
    for line in lines:
        yield line
        done += isinstance(line, str) and line.startswith('{"message"')
        if done == PAGE:
            progress(done)
            done = 0
    if done:
        progress(done)


def _line(line: object, number: int) -> bytes:
    """A line of an export as it is sent: exactly one, and broken characters, which are none in UTF-8, escaped."""
    if not isinstance(line, str):
        raise InvalidInput(f"Line {number}: it is of type {type(line).__name__}.", "Pass lines of text.")
    return line.strip().replace("\n", " ").replace("\r", " ").encode("utf-8", "backslashreplace") + b"\n"
