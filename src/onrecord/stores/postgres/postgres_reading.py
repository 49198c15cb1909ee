"""Reading pages from PostgreSQL: which statement answers a page or a query, and with which values."""

from __future__ import annotations

from typing import Any

from onrecord.records import Page, Query, Record, to_micros
from onrecord.stores.postgres.connection_pool import ConnectionPool
from onrecord.stores.postgres.postgres_rows import record_of

__all__ = ["page_values", "read_records"]

ENDLESS = 2**31 - 1  # beyond every number of a message
FAR = 2**62  # beyond every number that a record has
BEFORE = -1  # before every number


def page_values(page: Page) -> dict[str, Any]:
    """The values of a page of messages."""
    since, until = (None if time is None else to_micros(time) for time in (page.since, page.until))
    return {
        "after": min(max(page.after, BEFORE), ENDLESS),
        "before": ENDLESS if page.before is None else min(max(page.before, BEFORE), ENDLESS),
        "limit": page.limit,
        "forgotten": page.forgotten,
        "since": since,
        "until": until,
        "roles": list(page.roles) or None,
    }


def read_records(server: ConnectionPool, space: str, session: str, wanted: Query) -> list[Record]:
    """A page of a session's derived records."""
    if wanted.key is not None or wanted.empty:
        name = "empty_records" if wanted.key is None else "record_by_key"
        rows = server.read(space, name, session=session, kind=wanted.kind, key=wanted.key)
        fitting = [record for row in rows if wanted.wants(record := record_of(row, session))]
        return fitting[max(0, len(fitting) - wanted.limit) :] if wanted.newest else fitting[: wanted.limit]
    name, values = _asked(wanted)
    rows = server.read(space, name, session=session, **values)
    records = [record_of(row, session) for row in rows]
    return records[::-1] if wanted.newest else records


def _asked(wanted: Query) -> tuple[str, dict[str, Any]]:
    """The statement that reads a page in the index's own order, and its values."""
    way = "before" if wanted.newest else "after"
    plan, level, last, key = wanted.beyond or ("", BEFORE, BEFORE, "")
    values: dict[str, Any] = {
        "kind": wanted.kind,
        "plan": wanted.plan,
        "level": wanted.level,
        "after": wanted.after or BEFORE,
        "before": FAR if wanted.before is None else wanted.before,
        "limit": wanted.limit,
        "from_last": last,
        "from_key": key,
    }
    if wanted.plan is None or wanted.level is None:
        return f"records_{way}", values | {"from_plan": plan, "from_level": level}
    if (plan, level) != (wanted.plan, wanted.level):  # before all of this plan's level, or behind it
        values["from_last"] = BEFORE if (plan, level) < (wanted.plan, wanted.level) else FAR
        values["from_key"] = ""
    return f"records_of_level_{way}", values
