"""What a process knows about itself: response times, settings, its store. No key or password is among it."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

from onrecord.service.service_settings import Serving
from onrecord.service.space_access import ServiceCall
from onrecord.settings import SETTINGS
from onrecord.stores import BESIDE, is_folder, is_server, shown

__all__ = ["Latency", "latencies", "settings_of", "store_figures"]

_BUCKET = re.compile(r'^onrecord_request_seconds_bucket\{le="([^"]+)",route="([^"]*)"\} (\S+)$', re.MULTILINE)
_SESSION = "/v1/sessions/{session}"
ROUTES = {
    "/v1/search": "Recall",
    f"{_SESSION}/search": "Recall",
    "/ui/recall": "Recall",
    f"{_SESSION}/context": "Context",
    f"{_SESSION}/explain": "Context",
    "/ui/context/{session}": "Context",
    f"{_SESSION}/messages": "Add a message",
    f"{_SESSION}/messages/batch": "Add a message",
    "/v1/chat/completions": "Chat",
}
SECRETS = ("upstream_key",)


class Latency(NamedTuple):
    """How long one kind of request took in this process, in milliseconds."""

    name: str
    p50: float
    p95: float
    requests: int


def latencies(metrics: str) -> list[Latency]:
    """Return response times from figures in Prometheus' format."""
    found: dict[str, dict[float, float]] = {name: defaultdict(float) for name in (*ROUTES.values(), "Pages")}
    for edge, route, count in _BUCKET.findall(metrics):
        if name := ROUTES.get(route, "Pages" if route.startswith("/ui/") else ""):
            found[name][float(edge)] += float(count)
    rows = []
    for name, counts in found.items():
        buckets = sorted(counts.items())
        if buckets and (total := round(buckets[-1][1])):
            rows.append(Latency(name, 1000 * quantile(0.5, buckets), 1000 * quantile(0.95, buckets), total))
    return rows


def quantile(share: float, buckets: list[tuple[float, float]]) -> float:
    """Return a quantile of values, given how many are at most each edge; they count as even within a bucket.

    >>> quantile(0.5, [(0.1, 50), (0.2, 90), (inf, 100)]), quantile(0.95, [(0.1, 50), (inf, 100)])
    (0.1, 0.1)
    """
    wanted, start, below = share * buckets[-1][1], 0.0, 0.0
    for edge, count in buckets:
        if count >= wanted and count > below:
            return start if edge == inf else start + (edge - start) * (wanted - below) / (count - below)
        start, below = edge, count
    return start


def settings_of(serving: Serving) -> list[dict[str, str]]:
    """Return all settings of the memory that is served, with where each comes from."""
    given = {"path": serving.db, "space": serving.space, **serving.memory}
    rows = []
    for setting in SETTINGS:
        value = given.get(setting.name, setting.default)
        variable = setting.environment or ""
        source = variable if os.environ.get(variable, "") == str(value) else "given"
        source = "default" if value == setting.default else source
        shown_value, words = _readable(setting.name, value), setting.help.replace("`", "")
        rows.append({"name": setting.name, "value": shown_value, "source": source, "help": words})
    return rows


def _readable(name: str, value: Any) -> str:
    if value is None or value == "":
        return "none"
    if name in SECRETS:
        return "set, not shown"
    if isinstance(value, str):
        return shown(value)
    return f"{value:,}" if isinstance(value, (int, float)) else str(getattr(value, "name", type(value).__name__))


def store_figures(call: ServiceCall) -> dict[str, Any]:
    """Return kind, place, spaces and bytes of the whole store."""
    db, size = call.desk.serving.db, None
    if is_server(db):
        kind = "PostgreSQL"
    elif db == ":memory:":
        kind = "In memory"
    elif is_folder(db):
        kind = "Folder"
    else:
        kind, parts = "SQLite file", [Path(db + ending) for ending in BESIDE]
        size = sum(part.stat().st_size for part in parts if part.exists())
    spaces = [name for name in call.memory.spaces() if call.caller.own(name) is not None]
    return {"kind": kind, "place": shown(db), "spaces": len(spaces), "bytes": size}
