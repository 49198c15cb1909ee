"""What a process knows of itself: how long answers took, what it was told to do, how its store and its workers are.

Nothing here shows a key or a password.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from onrecord.errors import OnrecordError
from onrecord.memory import engine_of
from onrecord.ports import SharedStore
from onrecord.service.calling import ServiceCall
from onrecord.service.service_settings import Serving
from onrecord.settings import SETTINGS, Setting
from onrecord.stores import BESIDE, is_folder, is_server, shown

__all__ = ["Latency", "ShownSetting", "StoreFigures", "jobs_of", "latencies", "settings_of", "store_figures"]

_BUCKET = re.compile(r'^onrecord_request_seconds_bucket\{le="([^"]+)",route="([^"]*)"\} (\S+)$', re.MULTILINE)
_SESSION = "/v1/sessions/{session}"
WORK = {  # what people wait for, and the routes that do it
    "Recall": ("/v1/search", f"{_SESSION}/search", "/ui/recall"),
    "Context": (f"{_SESSION}/context", f"{_SESSION}/explain", "/ui/context/{session}"),
    "Add a message": (f"{_SESSION}/messages", f"{_SESSION}/messages/batch"),
    "Chat": ("/v1/chat/completions",),
}
SECRET = ("upstream_key",)  # settings that are never shown


@dataclass(frozen=True, slots=True, kw_only=True)
class Latency:
    """How long one kind of work took in this process."""

    name: str
    count: int
    middle: float  # seconds: half of the answers took less
    most: float  # seconds: 95 of 100 took less

    @property
    def shown(self) -> tuple[str, str]:
        """Both, as people read them."""
        return spoken(self.middle), spoken(self.most)


def spoken(seconds: float) -> str:
    """A time, as people say it.

    >>> spoken(0.0042), spoken(0.75), spoken(1.5)
    ('4.2 ms', '750 ms', '1.5 s')
    """
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{seconds * 1000:.1f} ms" if seconds < 0.01 else f"{seconds * 1000:.0f} ms"


def latencies(text: str) -> list[Latency]:
    """From the figures of a process, in Prometheus' format; what was not done is left out. Within a bucket, times are
    taken to be spread evenly."""
    found: dict[str, dict[float, float]] = defaultdict(lambda: defaultdict(float))
    names = {route: name for name, routes in WORK.items() for route in routes}
    for edge, route, count in _BUCKET.findall(text):
        if route in names or route.startswith("/ui/"):
            found[names.get(route, "Pages")][float(edge)] += float(count)
    rows = []
    for name in (*WORK, "Pages"):
        buckets = sorted(found.get(name, {}).items())
        if buckets and buckets[-1][1]:
            middle, most = quantile(0.5, buckets), quantile(0.95, buckets)
            rows.append(Latency(name=name, count=round(buckets[-1][1]), middle=middle, most=most))
    return rows


def quantile(part: float, buckets: list[tuple[float, float]]) -> float:
    """The time under which this part of all answers lies: (upper edge, how many took no longer) by edge.

    >>> quantile(0.5, [(0.1, 50), (0.2, 90), (float("inf"), 100)]), quantile(0.95, [(0.1, 50), (float("inf"), 100)])
    (0.1, 0.1)
    """
    wanted, edge_before, below = part * buckets[-1][1], 0.0, 0.0
    for edge, count in buckets:
        if count >= wanted and count > below:
            if edge == float("inf"):
                return edge_before  # longer than the last edge: nobody knows how much
            return edge_before + (edge - edge_before) * (wanted - below) / (count - below)
        edge_before, below = edge, count
    return edge_before


@dataclass(frozen=True, slots=True, kw_only=True)
class ShownSetting:
    """A setting as it is, and who said so."""

    name: str
    value: str
    origin: str  # default, given, or the environment's variable
    help: str


def settings_of(serving: Serving, environment: Mapping[str, str]) -> list[ShownSetting]:
    """All settings of the memory that is served."""
    given = {"path": serving.db, "space": serving.space, **serving.memory}
    return [_known(row, given, environment) for row in SETTINGS]


def _known(row: Setting, given: Mapping[str, Any], environment: Mapping[str, str]) -> ShownSetting:
    value = given.get(row.name, row.default)
    if row.name == "embedder" and value is None:
        value = "none"
    said = environment.get(row.environment or "")
    if value == row.default:
        origin = "default"
    elif row.environment and said and said == str(value):
        origin = row.environment
    else:
        origin = "given"
    return ShownSetting(name=row.name, value=_readable(row.name, value), origin=origin, help=row.help)


def _readable(name: str, value: Any) -> str:
    if value is None or value == "":
        return "none"
    if name in SECRET:
        return "set, not shown"
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, (int, float)):
        return f"{value:,}"
    return str(getattr(value, "name", type(value).__name__))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreFigures:
    """The store in a few figures, none of which takes long."""

    kind: str
    place: str
    spaces: int
    bytes: int | None  # on disk; None: on a server


def store_figures(call: ServiceCall) -> StoreFigures:
    """Of the whole store: for the operator alone."""
    db = call.desk.serving.db
    if is_server(db):
        kind, size = "PostgreSQL", None
    elif db == ":memory:":
        kind, size = "In memory", 0
    elif is_folder(db):
        kind, size = "Folder", None
    else:
        kind, size = "SQLite file", sum(_size(Path(db + ending)) for ending in BESIDE)
    return StoreFigures(kind=kind, place=shown(db), spaces=len(_visible(call, call.memory.spaces())), bytes=size)


def _visible(call: ServiceCall, stored: Iterable[str]) -> list[str]:
    return [name for name in stored if call.caller.own(name) is not None]


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def jobs_of(call: ServiceCall) -> dict[str, Any]:
    """What workers have to do, as the API tells it; or why that cannot be said. Nothing where there are no workers."""
    db = call.desk.serving.db
    if not is_server(db):
        return {}
    from onrecord.jobs.queue_board import Board
    from onrecord.jobs.queue_schema import check

    try:
        check(db)
        return Board(db).overview(cast("SharedStore", engine_of(call.memory).store))
    except OnrecordError as error:
        return {"problem": error.what, "hint": error.hint}


def environment() -> Mapping[str, str]:
    """The variables that settings may come from."""
    return {row.environment: os.environ.get(row.environment, "") for row in SETTINGS if row.environment}
