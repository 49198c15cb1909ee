"""Jobs as workers take and give them back: procrastinate's own, made safe for workers that were thought dead.

A worker that was stopped for long, or cut off, goes on where it was, while another has taken its job over. So a job is
finished or put back only by the worker that still holds it: the worker and the number of the attempt must be those it
was taken with. A worker that was struck off the list puts itself on it again before it takes another job. And one that
could not report the end of a job, because the database was away just then, does not keep it for ever.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

from procrastinate import jobs
from procrastinate.connector import BaseConnector
from procrastinate.exceptions import UniqueViolation
from procrastinate.manager import JobManager

__all__ = ["LOST", "JobQueue"]

LOST = "WorkerLost"
"""The kind of trouble of a job whose workers were killed each time."""

_MINE = "id = %(id)s AND status = 'doing' AND attempts = %(attempts)s AND (worker_id IS NULL OR worker_id = %(worker)s)"

_FINISH = f"""SELECT procrastinate_finish_job_v1(id, %(status)s, %(delete)s)
    FROM (SELECT id FROM procrastinate_jobs WHERE {_MINE} FOR UPDATE) AS mine"""

_BACK = f"""UPDATE procrastinate_jobs
    SET status = 'todo', attempts = attempts + %(counts)s::int, scheduled_at = %(at)s, abort_requested = false
    WHERE {_MINE}"""

_BEAT = """INSERT INTO procrastinate_workers (id, last_heartbeat) OVERRIDING SYSTEM VALUE VALUES (%(worker)s, now())
    ON CONFLICT (id) DO UPDATE SET last_heartbeat = now()"""

_TROUBLE = f"""INSERT INTO troubles (job, kind, what)
    SELECT id, %(kind)s, %(what)s FROM procrastinate_jobs WHERE {_MINE}
    ON CONFLICT (job) DO UPDATE SET kind = excluded.kind, what = excluded.what, at = now()"""


class JobQueue(JobManager):
    """The jobs of one database, as one worker sees them."""

    def __init__(self, connector: BaseConnector, beat: float) -> None:
        super().__init__(connector)
        self.paused = False  # no job is begun
        self._beat = beat
        self._beaten = 0.0  # when the last sign of life was given
        self._worker: int | None = None
        self._held: set[int | None] = set()  # jobs that it is at
        self._fetching = asyncio.Lock()

    async def register_worker(self) -> int:
        self._worker = await super().register_worker()
        self._beaten = monotonic()
        self._held.clear()
        return self._worker

    async def update_heartbeat(self, worker_id: int) -> None:
        await self.connector.execute_query_async(_BEAT, worker=worker_id)
        self._beaten = monotonic()

    async def live(self) -> None:
        """Give a sign of life, if the last one is too long ago: this process may have been stopped."""
        if self._worker is not None and monotonic() - self._beaten > 2 * self._beat:
            await self.update_heartbeat(self._worker)

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> jobs.Job | None:
        if self.paused:
            return None
        await self.live()
        async with self._fetching:
            job = await super().fetch_job(queues, worker_id)
            if job is not None:
                self._held.add(job.id)
            return job

    async def finish_job(self, job: jobs.Job, status: jobs.Status, delete_job: bool) -> None:
        try:
            await self.connector.execute_query_async(_FINISH, status=status.value, delete=delete_job, **_held(job))
        finally:
            self._held.discard(job.id)  # not before: until it is reported, it would look mislaid

    async def retry_job(
        self,
        job: jobs.Job,
        retry_at: datetime | None = None,
        priority: int | None = None,
        queue: str | None = None,
        lock: str | None = None,
    ) -> None:
        await self._back(job, retry_at or datetime.now(UTC), counts=True)

    async def put_back(self, job: jobs.Job, seconds: float = 0.0) -> None:
        """Let any worker do a job later; it does not count as tried."""
        await self._back(job, datetime.now(UTC) + timedelta(seconds=seconds), counts=False)

    async def _back(self, job: jobs.Job, at: datetime, *, counts: bool) -> None:
        try:
            await self.connector.execute_query_async(_BACK, counts=int(counts), at=at, **_held(job))
        except UniqueViolation:  # another job for the same waits already
            await self.finish_job(job, jobs.Status.SUCCEEDED, delete_job=True)
        finally:
            self._held.discard(job.id)

    async def note(self, job: jobs.Job, kind: str, what: str) -> None:
        """Write down what went wrong with a job."""
        await self.connector.execute_query_async(_TROUBLE, kind=kind, what=what, **_held(job))

    async def rescue(self, seconds: float, tries: int) -> int:
        """Put back jobs of workers without a sign of life for `seconds`, and own jobs that this worker is not at.

        One that brought down workers `tries` times is given up. Returns how many jobs there were.
        """
        await self.live()  # or this one might be taken for dead
        found = [*await self.get_stalled_jobs(seconds_since_heartbeat=seconds), *await self._mislaid()]
        for job in found:
            if job.attempts + 1 < tries:
                await self.retry_job(job)
            else:
                await self.note(job, LOST, f"Its worker ended in the middle of it, at the last of {tries} tries.")
                await self.finish_job(job, jobs.Status.FAILED, delete_job=False)
        await self.prune_stalled_workers(10 * seconds)
        return len(found)

    async def _mislaid(self) -> list[jobs.Job]:
        if self._worker is None:
            return []
        async with self._fetching:  # or one that is just being taken would look the same
            own = await self.list_jobs_async(status="doing", worker_id=self._worker)
            return [job for job in own if job.id not in self._held]


def _held(job: jobs.Job) -> dict[str, Any]:
    return {"id": job.id, "attempts": job.attempts, "worker": job.worker_id}
