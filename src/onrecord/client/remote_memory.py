"""RemoteMemory: a memory that a service keeps, with the methods of `Memory`. `Memory("http://…")` is one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from onrecord import records
from onrecord.client.operations import Asking, asked, like
from onrecord.client.remote_session import RemoteSession, hits_of
from onrecord.client.service import Service, ServiceRequest
from onrecord.client.wire import built, path_of
from onrecord.errors import InvalidInput, InvalidSetting, StoreError
from onrecord.journal.clean import clean_name
from onrecord.memory import Memory, listed_messages, opened_lines, saved
from onrecord.ports import Progress

__all__ = ["RemoteMemory"]

PAGE = 500
"""Sessions that are asked for at once, and lines after which progress is reported."""


def _fact_or_episode(data: Any) -> records.Fact | records.Episode:
    kind = records.Episode if isinstance(data, dict) and str(data.get("id")).startswith("episode_") else records.Fact
    found: records.Fact | records.Episode = built(kind, data)
    return found


class RemoteMemory(Memory):
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
        self._asking = Asking(Service(str(path), key=key, timeout=timeout, retries=retries), clean_name(space, "space"))

    @property
    def name(self) -> str:
        return self._asking.space

    @property
    def chat_tokens(self) -> int | None:
        """None: a service does not say which profile it has."""
        return None

    def space(self, name: str) -> RemoteMemory:
        view = object.__new__(type(self))
        view._asking = Asking(self._asking.service, clean_name(name, "space"))
        return view

    def session(self, id: str) -> RemoteSession:
        return RemoteSession(self, self._asking._replace(session=clean_name(id, "session id")))

    spaces = asked(Memory.spaces, "GET spaces", list[str])
    sessions = asked(Memory.sessions, "GET sessions", Iterator[records.SessionInfo], fixed={"limit": PAGE})
    search = asked(Memory.search, "POST search", read=hits_of, again=True)
    facts = asked(Memory.facts, "GET facts", list[records.Fact])
    fact = asked(Memory.fact, "GET facts/{id}", records.Fact)
    add_fact = asked(Memory.add_fact, "POST facts", records.Fact)
    edit_fact = asked(Memory.edit_fact, "PATCH facts/{id}", records.Fact)
    promote_fact = asked(Memory.promote_fact, "POST facts/{id}/promote", records.Fact)
    reject_fact = asked(Memory.reject_fact, "POST facts/{id}/reject", records.Fact)
    archive = asked(Memory.archive, "POST archive", read=_fact_or_episode)
    restore = asked(Memory.restore, "POST restore", read=_fact_or_episode)
    relate = asked(Memory.relate, "POST relations", records.Relation)
    unrelate = asked(Memory.unrelate, "DELETE relations/{id}")
    relations = asked(Memory.relations, "GET relations", list[records.Relation])
    episodes = asked(Memory.episodes, "GET episodes", list[records.Episode])
    consolidate = asked(
        Memory.consolidate,
        "POST consolidate",
        records.Consolidation,
        count=lambda done: int(done.kept + done.archived + done.merged),
        long=True,
    )
    rebuild = asked(Memory.rebuild, "POST rebuild", int, field="made", long=True)
    check = asked(
        Memory.check, "GET check", records.Health, count=lambda health: int(health.messages + health.records), long=True
    )
    spent = asked(Memory.spent, "GET spent", records.Spent)
    estimate = asked(Memory.estimate, "GET estimate", records.Estimate)
    pause = asked(Memory.pause, "POST pause", again=True)
    resume = asked(Memory.resume, "POST resume", again=True)
    flush = asked(Memory.flush, "POST flush", bool, field="clean", again=True, long=True)
    _erase = asked(Memory.forget, "POST forget", records.Erased, long=True)

    @like(Memory.forget)
    def forget(self, given: dict[str, Any]) -> records.Erased:
        if given["session"] is None or given["messages"] is None or given["space"] or given["fact"]:
            return self._erase(**given)
        return self.session(given["session"]).forget(*listed_messages(given["messages"]))

    @like(Memory.export)
    def export(self, given: dict[str, Any]) -> int:
        query: dict[str, Any] = {"mask_secrets": bool(given["mask_secrets"])}
        if given["session"] is not None:
            query["session"] = clean_name(given["session"], "session id")
        lines = _whole(
            self._asking.service.lines(ServiceRequest("GET", path_of("export"), self.name, query=query, long=True))
        )
        return saved(lines if given["progress"] is None else _watched(lines, given["progress"]), given["target"])

    @like(Memory.import_)
    def import_(self, given: dict[str, Any]) -> records.ImportReport:
        with opened_lines(given["source"]) as lines:
            watched = lines if given["progress"] is None else _watched(lines, given["progress"])
            sent = (_line(line, number) for number, line in enumerate(watched, 1))
            query = {"vectors": bool(given["vectors"])}
            request = ServiceRequest("POST", path_of("import"), self.name, query=query, body=sent, long=True)
            report: records.ImportReport = built(records.ImportReport, self._asking.service.ask(request))
        return report

    def backup(self, target: str | Path) -> None:
        raise InvalidInput(
            "A service does not hand out a backup of its store.",
            "Run onrecord backup where the memory lies, or export() this space.",
        )

    def close(self) -> None:
        self._close(finish=True)

    def _close(self, *, finish: bool) -> None:
        """The service goes on with what it has begun."""
        self._asking.service.close()

    def __repr__(self) -> str:
        return f"Memory(space={self.name!r}, service={self._asking.service.host!r})"


def _whole(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines of an export, which must not end before the one that says so."""
    line = ""
    for line in lines:
        yield line
    if not line.startswith('{"end":'):
        raise StoreError("The export was cut off on its way.", "Try again.")


def _watched(lines: Iterable[str], progress: Progress) -> Iterator[str]:
    """Yield the lines of an export and report the messages among them."""
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
