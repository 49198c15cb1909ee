"""The queue that many workers share: procrastinate, on the PostgreSQL that holds the memory.

Which sessions are due is written with their messages, so the queue holds nothing that could be lost: it wakes and
spreads the work. Applications put nothing into it. The workers' feeder turns what is due into jobs, one for a session,
whatever its state; a session with new messages has its next job once the one before is done.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from itertools import islice
from time import monotonic, time
from typing import Any, TypeVar

import psycopg
from procrastinate import App, BaseRetryStrategy, JobContext, PsycopgConnector, RetryDecision
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Job
from procrastinate.periodic import PeriodicDeferrer
from procrastinate.worker import Worker

from onrecord.errors import OnrecordError, StoreError
from onrecord.jobs.queue_board import AGAIN
from onrecord.jobs.queue_jobs import JobQueue
from onrecord.jobs.queue_schema import FEEDING, address
from onrecord.jobs.queue_work import PAGE, PAUSED, Chore, JobWork, Times, Trouble, WorkerReport
from onrecord.ports import SharedStore

__all__ = ["DERIVE", "Queue"]

DERIVE = "derive"
"""The task that sees to one session."""

DAY = 86_400.0
_log = logging.getLogger("onrecord.jobs")
_Answer = TypeVar("_Answer")


class Backoff(BaseRetryStrategy):
    """Try again after 10, 30, 90 and 270 seconds, or as the times say; then no more."""

    def __init__(self, times: Times) -> None:
        self._times = times

    def get_retry_decision(self, *, exception: BaseException, job: Job) -> RetryDecision | None:
        if not isinstance(exception, Exception) or job.attempts + 1 >= self._times.tries:
            return None
        seconds = self._times.wait * self._times.growth**job.attempts
        return RetryDecision(retry_at=datetime.now(UTC) + timedelta(seconds=seconds))


class Queue:
    """A worker on the queue of one database. `run` works until `stop`; `once` does what is due and ends."""

    def __init__(
        self, url: str, sessions: SharedStore, work: JobWork, *, concurrency: int = 4, times: Times | None = None
    ) -> None:
        self._sessions = sessions
        self._work = work
        self._times = times or Times()
        self._concurrency = concurrency
        self._connector = PsycopgConnector(conninfo=address(url), min_size=1, max_size=4, timeout=10.0)
        self._app = App(connector=self._connector, periodic_defaults={"max_delay": DAY})
        self._jobs = self._app.job_manager = JobQueue(self._connector, self._times.beat)
        self._threads = ThreadPoolExecutor(concurrency, "onrecord-job")
        self._stopped = asyncio.Event()
        self._worker: Worker | None = None
        self._seen: set[str] | None = None  # locks of what `once` had its turn with
        self.done = WorkerReport()
        self._busy: set[int] = set()  # threads at work
        self._declare()

    @property
    def busy(self) -> bool:
        """Whether a thread still works; after the end: whether it did not end in time."""
        return bool(self._busy)

    def stop(self) -> None:
        """Begin no other job, and end soon; what does not end in time is given back. Call it in the loop's thread."""
        self._stopped.set()
        if self._worker is not None:
            self._worker.stop()  # type: ignore[no-untyped-call]

    async def run(self) -> WorkerReport:
        """Work until `stop`. A database that goes away is waited for."""
        wait = 1.0
        while not self._stopped.is_set():
            began = monotonic()
            try:
                async with self._app.open_async():
                    await self._look()
                    await self._live()
            except (ConnectorException, StoreError, psycopg.Error) as error:
                _log.warning("The database could not be used: %s.", type(error.__cause__ or error).__name__)
            finally:
                await self._connector.close_async()  # also when it could not be opened
            wait = 1.0 if monotonic() - began > self._times.down else min(2 * wait, self._times.down)
            if not self._stopped.is_set():
                await self._pause(wait)
        return self.done

    async def once(self) -> WorkerReport:
        """Do what is due, each session and chore once, and end. What fails is left for another time."""
        self._seen = set()
        try:
            async with self._app.open_async():
                await self._look()
                if not self.done.paused:
                    await self._once()
        except (ConnectorException, psycopg.Error) as error:
            kind = type(error.__cause__ or error).__name__
            raise StoreError(f"The database could not be used ({kind}).", "See whether it runs, then again.") from None
        return self.done

    async def _once(self) -> None:
        await self._jobs.rescue(self._times.lost, self._times.tries)
        deferrer = PeriodicDeferrer(self._app.periodic_registry, max_delay=DAY)
        await deferrer.defer_jobs(deferrer.get_previous_tasks(at=time()))
        ended = -1
        while await self._feed(0.0, alone=True) or ended != self.done.ended:
            ended = self.done.ended
            await self._worked(wait=False)
            await self._look()
            if self._stopped.is_set() or self.done.paused:
                break

    # What jobs do

    def _declare(self) -> None:
        """Register the tasks with procrastinate."""
        task = self._app.task(name=DERIVE, pass_context=True, retry=Backoff(self._times))
        task(self._derive)
        for chore in self._work.chores:
            self._declare_chore(chore)

    def _declare_chore(self, chore: Chore) -> None:
        async def run(context: JobContext, space: str) -> None:
            await self._in_thread(context.job, lambda: chore.run(space, self._going))

        async def run_all(context: JobContext, timestamp: int) -> None:
            spaces = iter(await self._in_thread(context.job, lambda: list(self._work.spaces())))
            while page := await self._in_thread(context.job, lambda: list(islice(spaces, PAGE))):
                wanted: list[str] = await self._in_thread(context.job, partial(list, filter(chore.due, page)))
                async with self._connector.pool.connection() as db:
                    await db.execute("SELECT pg_advisory_xact_lock(%s)", [FEEDING])
                    await self._add(db, [_job(chore.name, priority=-1, space=space) for space in wanted], revive=True)

        retry = Backoff(self._times)
        self._app.task(name=chore.name, pass_context=True, retry=retry)(run)
        look = self._app.task(name=f"{chore.name}-all", pass_context=True, retry=retry, lock=f"{chore.name}-all")
        self._app.periodic(cron=chore.cron)(look(run_all))

    async def _derive(self, context: JobContext, space: str, session: str) -> bool:
        """Derive what is due for a session; return whether that is done, or was given back."""
        job = context.job

        def work() -> float | None:
            token = self._sessions.take_due(space, session)
            later = self._work.derive(space, session, self._going)
            if later is None:
                self._sessions.done_due(space, session, token)
            return later

        later = await self._in_thread(job, work)
        if later is not None:
            # Not at once, or this worker could take it again before it is through with it.
            await self._jobs.put_back(job, 0.0 if self._stopped.is_set() else max(later, 1.0))
        return later is None

    async def _in_thread(self, job: Job, work: Callable[[], _Answer]) -> _Answer:
        """Do something that blocks. The job is given back if it does not end in time for `stop`."""

        def counted() -> _Answer:
            self._busy.add(threading.get_ident())
            try:
                return work()
            finally:
                self._busy.discard(threading.get_ident())

        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, counted)
        except asyncio.CancelledError:
            await self._jobs.put_back(job)
            raise

    def _going(self) -> bool:
        return not self._stopped.is_set()

    async def _watched(self, call: Callable[[], Any], context: JobContext, worker: Worker) -> None:
        """Run a job, and write down what went wrong before its state changes."""
        job, began = context.job, monotonic()
        try:
            back = await call() is False
            self.done.back += back
            self.done.ended += not back
            said = "given back" if back else "done"
            _log.debug("Job %s (%s) %s after %.3f s.", job.id, job.task_name, said, monotonic() - began)
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, it is logged, and tried again
            trouble = Trouble(type(error).__name__, error.what if isinstance(error, OnrecordError) else "")
        self.done.failed += 1
        last = job.attempts + 1 >= self._times.tries
        say = _log.warning if last else _log.info
        say("Job %s (%s) failed%s: %s.", job.id, job.task_name, " for the last time" if last else "", trouble.kind)
        await self._jobs.note(job, trouble.kind, trouble.what)
        raise trouble  # outside of the handler, so that nothing of the error itself hangs on it

    # The worker, and the feeder beside it

    async def _live(self) -> None:
        """Run a worker until `stop`, or until the database goes away."""
        feeder = asyncio.create_task(self._feeding())
        try:
            await self._worked(wait=True)
        finally:
            while not feeder.done():
                feeder.cancel()  # again if need be: what it waits for may swallow that
                await asyncio.wait([feeder], timeout=1.0)

    async def _worked(self, *, wait: bool) -> None:
        times = self._times
        self._worker = Worker(
            app=self._app,
            name="onrecord",
            concurrency=self._concurrency,
            wait=wait,
            fetch_job_polling_interval=times.poll,
            abort_job_polling_interval=DAY,  # no job is ever aborted
            shutdown_graceful_timeout=times.grace,
            listen_notify=False,  # the feeder is no quicker than the poll, and a connection is saved
            delete_jobs="successful",
            install_signal_handlers=False,
            update_heartbeat_interval=times.beat,
            stalled_worker_timeout=10 * times.lost,
            worker_middleware=[self._watched],
        )
        try:
            if not self._stopped.is_set():
                await self._worker.run()  # type: ignore[no-untyped-call]
        finally:
            self._worker = None

    async def _feeding(self) -> None:
        rescued, said = 0.0, ""
        while not self._stopped.is_set():
            try:
                await self._look()
                if not self._jobs.paused:
                    await self._feed(self._times.quiet)
                if monotonic() - rescued >= self._times.rescue:
                    await self._jobs.rescue(self._times.lost, self._times.tries)
                    rescued = monotonic()
                said = ""
            except Exception as error:  # noqa: BLE001 - there is no caller to raise to; it tries again
                if said != (said := type(error).__name__):  # once, not every second
                    _log.warning("What is due cannot be looked up now: %s.", said)
            await self._pause(self._times.feed)

    async def _look(self) -> None:
        """Read whether work is paused."""
        self._jobs.paused = self.done.paused = await asyncio.to_thread(self._sessions.flag, PAUSED)

    async def _feed(self, quiet: float, *, alone: bool = False) -> int:
        """Turn due sessions into jobs, one worker at a time; return how many. `alone` waits for the turn."""
        async with self._connector.pool.connection() as db:
            lock = "pg_advisory_xact_lock(%s) IS NOT NULL" if alone else "pg_try_advisory_xact_lock(%s)"
            row = await (await db.execute(f"SELECT {lock}".encode(), [FEEDING])).fetchone()
            if not row or not row[0]:
                return 0
            found = await asyncio.to_thread(self._sessions.due, quiet, PAGE, self._times.begun)
            return await self._add(db, [_job(DERIVE, space=space, session=session) for space, session in found])

    async def _add(self, db: Any, wanted: Sequence[Job], *, revive: bool = False) -> int:
        """Add the jobs that are not there in any state; `revive`: or that failed. Sessions that have one which rests or
        is dead are put aside, so that they do not stand in the way of others."""
        query = "SELECT lock, status = 'failed', coalesce(scheduled_at > now(), false) FROM procrastinate_jobs"
        rows = await (await db.execute(f"{query} WHERE lock = ANY(%s)", [[job.lock for job in wanted]])).fetchall()
        there = {lock: (failed, rests) for lock, failed, rests in rows}
        new = [job for job in wanted if job.lock not in there and job.lock not in (self._seen or ())]
        if new:
            await self._jobs.batch_defer_jobs_async(new, connection=db)
        if self._seen is not None:
            self._seen |= {str(job.lock) for job in new}
        dead = [lock for lock, (failed, _) in there.items() if failed]
        if revive and dead:
            await db.execute(f"{AGAIN} WHERE status = 'failed' AND lock = ANY(%s)", [dead])
        for job in wanted:
            if job.task_name == DERIVE and any(there.get(str(job.lock), ())):
                await asyncio.to_thread(self._sessions.take_due, *map(str, job.task_kwargs.values()))
        return len(new)

    async def _pause(self, seconds: float) -> None:
        """Wait for `seconds`, or until `stop`."""
        stopped = asyncio.ensure_future(self._stopped.wait())
        try:
            await asyncio.wait([stopped], timeout=seconds)
        finally:
            stopped.cancel()


def _job(task: str, *, priority: int = 0, **names: str) -> Job:
    """Return a job whose lock is a digest of what it is about: names may be long, and a lock is indexed."""
    lock = f"{task}:{sha256(json.dumps(names, sort_keys=True).encode()).hexdigest()}"
    return Job(
        queue="onrecord", lock=lock, queueing_lock=lock, task_name=task, task_kwargs=dict(names), priority=priority
    )
