"""The queue as people see it: what waits, what runs, what failed and why; to try that again, or drop it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from onrecord.errors import NotFound
from onrecord.jobs.queue_schema import connected
from onrecord.jobs.queue_work import PAUSED
from onrecord.ports import SharedStore

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["AGAIN", "SHOWN", "Board", "JobInfo", "JobState"]

SHOWN = 100  # jobs listed

JobState = Literal["waiting", "running", "failed"]

_STATES: dict[str, JobState] = {"todo": "waiting", "doing": "running", "failed": "failed"}

_LIST = """
SELECT job.id, job.task_name AS task, job.args ->> 'space' AS space, job.args ->> 'session' AS session,
    CASE job.status WHEN 'todo' THEN 'waiting' WHEN 'doing' THEN 'running' ELSE 'failed' END AS state,
    job.attempts AS tries, trouble.kind, nullif(trouble.what, '') AS what,
    CASE WHEN job.status = 'todo' AND job.scheduled_at IS NOT NULL THEN job.scheduled_at ELSE (
        SELECT max(event.at) FROM procrastinate_events AS event
        WHERE event.job_id = job.id AND event.type <> 'scheduled') END AS time
FROM procrastinate_jobs AS job LEFT JOIN troubles AS trouble ON trouble.job = job.id
WHERE job.status IN ('todo', 'doing', 'failed') AND (%(id)s::bigint IS NULL OR job.id = %(id)s)
ORDER BY CASE job.status WHEN 'failed' THEN 1 WHEN 'doing' THEN 2 ELSE 3 END, job.id
LIMIT %(limit)s
"""
AGAIN = "UPDATE procrastinate_jobs SET status = 'todo', attempts = 0, scheduled_at = NULL"
"""Has jobs tried again, as often as new ones."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobInfo:
    """A job that waits, runs or failed."""

    id: int
    task: str  # "derive" for a session; "consolidate" or "reembed" for a space
    space: str | None
    session: str | None
    state: JobState
    tries: int  # that ended without success
    time: datetime | None  # waiting: not before then, or since then; running and failed: since then
    kind: str | None  # of the last error
    what: str | None  # onrecord's own words for it


class Board:
    """The jobs of the memory at one URL."""

    def __init__(self, url: str) -> None:
        self._url = url

    def jobs(self, limit: int = 100) -> list[JobInfo]:
        """Return the jobs: failed first, then running, then waiting, the oldest first in each."""
        with connected(self._url) as db:
            return _listed(db, limit=limit)

    def counts(self) -> dict[JobState, int]:
        """Return how many jobs there are in each state."""
        with connected(self._url) as db:
            rows = db.execute("SELECT status::text, count(*) FROM procrastinate_jobs GROUP BY status").fetchall()
        found = dict(rows)
        return {name: found.get(status, 0) for status, name in _STATES.items()}

    def workers(self) -> int:
        """Return how many workers gave a sign of life in the last half minute."""
        alive = "SELECT count(*) FROM procrastinate_workers WHERE last_heartbeat > now() - interval '30 seconds'"
        with connected(self._url) as db:
            row = db.execute(alive).fetchone()
        return 0 if row is None else int(row[0])

    def overview(self, store: SharedStore) -> dict[str, Any]:
        """Return all of it as JSON values: what is due, how many workers there are, what waits and what failed."""
        due, seconds = store.count_due()
        return {
            "due": due,
            "due_seconds": round(seconds, 1),
            "workers": self.workers(),
            "paused": store.flag(PAUSED),
            "counts": self.counts(),
            "jobs": [{**asdict(job), "time": job.time and job.time.isoformat()} for job in self.jobs(SHOWN)],
        }

    def discard(self, store: SharedStore, id: int) -> None:
        """Drop a job that does not run, and have the feeder of the workers not make it again."""
        gone = "DELETE FROM procrastinate_jobs WHERE status IN ('failed', 'todo') AND id = %s"
        with connected(self._url) as db, db.transaction():
            found = _listed(db, id=id, limit=1)
            if not found or not db.execute(gone, [id]).rowcount:
                raise NotFound(f"There is no job {id} that failed or waits.", "List them.")
        space, session = found[0].space, found[0].session
        if space is not None and session is not None:
            store.done_due(space, session, store.take_due(space, session))

    def retry(self, id: int | None = None) -> int:
        """Try a job again now that failed or waits, as often as a new one; without an id, all that failed.

        Returns how many there were.
        """
        with connected(self._url) as db:
            if id is None:
                return db.execute(f"{AGAIN} WHERE status = 'failed'".encode()).rowcount
            return db.execute(f"{AGAIN} WHERE status IN ('failed', 'todo') AND id = %s".encode(), [id]).rowcount


def _listed(db: Connection, *, limit: int, id: int | None = None) -> list[JobInfo]:
    from psycopg.rows import class_row

    return db.cursor(row_factory=class_row(JobInfo)).execute(_LIST, {"id": id, "limit": limit}).fetchall()
