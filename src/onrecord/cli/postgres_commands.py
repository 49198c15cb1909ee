"""Commands of memories on PostgreSQL: make and grant the tables, derive what is due beside other workers, steer their
jobs, and have erased bytes leave the disk."""

from __future__ import annotations

import logging
import os
import signal
import sys
from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from onrecord.cli.options import CommandRequest, opened_store
from onrecord.cli.output import STORE, WRONG, note, plural, progress, size
from onrecord.cli.printing import reply, show
from onrecord.cli.program import in_panel
from onrecord.errors import InvalidInput, NotFound
from onrecord.jobs.queue_work import PAUSED
from onrecord.memory import Memory, engine_of
from onrecord.parts import Parts
from onrecord.settings import Settings
from onrecord.stores import driver, is_server, open_store, shown

if TYPE_CHECKING:
    from onrecord.jobs.queue_work import Going, JobWork, Times, WorkerReport
    from onrecord.ports import SharedStore
    from onrecord.stores.postgres import PostgresStore


AT_IT, RESTS = 30.0, 600.0  # seconds until another is done with a session, or a model that failed is asked again
DAILY, HOURLY = "20 3 * * *", "40 * * * *"  # when spaces are looked through: to consolidate, to make vectors anew

_NAMED = {"retry": [(True, False), (False, True)], "drop": [(True, False)]}  # whether there may be an id, and --all

Action = Literal["list", "retry", "drop", "pause", "resume"]


@in_panel("On PostgreSQL")
def worker(
    request: CommandRequest,
    concurrency: Annotated[int, typer.Option(min=1, max=256, help="Sessions that are seen to at once.")] = 4,
    once: Annotated[bool, typer.Option("--once", help="Do what is due, then end.")] = False,
    replan: Annotated[bool, typer.Option("--replan", help="First have every session looked at again.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="Say what each job took.")] = False,
) -> None:
    """Derive what is due in a memory on PostgreSQL: summaries, facts, vectors.

    Example: onrecord worker --db postgresql://localhost/onrecord --concurrency 8

    Start as many as you like, anywhere. Each ends in order on Ctrl-C or SIGTERM; killed, its work goes to another.
    """
    _must_be_server(request)
    _speak(verbose)
    from onrecord.jobs.queue_schema import check, needed

    needed()
    check(request.db)
    memory = request.open(request.embedder())
    if replan:
        note(f"{plural(_shared(memory).all_due(), 'session')} will be looked at.")
    what = "once, then it ends" if once else "until it is stopped"
    note(f"A worker on {shown(request.db)}: {plural(concurrency, 'session')} at a time, {what}.")
    done = serve(memory, request.db, concurrency=concurrency, once=once)
    back = f", {plural(done.back, 'job')} given back" if done.back else ""
    line = f"{plural(done.ended, 'job')} done{back}, {plural(done.failed, 'try', 'tries')} failed."
    reply(request, asdict(done), *([] if done.paused else [line]))
    if done.paused and not request.json:
        note(f"The work is paused. Let it go on: {request.command('jobs resume')}")
    if once and done.failed:
        note(f"See what failed: {request.command('jobs')}")
        raise typer.Exit(WRONG)


def serve(
    memory: Memory, url: str, *, concurrency: int = 4, once: bool = False, times: Times | None = None
) -> WorkerReport:
    """Work on a memory until a signal says to stop, or once; then close it."""
    import asyncio

    from onrecord.jobs.queue import Queue

    queue = Queue(url, _shared(memory), work_of(engine_of(memory)), concurrency=concurrency, times=times)

    async def run() -> WorkerReport:
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, queue.stop)
        return await (queue.once() if once else queue.run())

    done = asyncio.run(run())
    if queue.busy:
        # A thread waits for a model. Its job was given back, and it must not hold up the end: another worker takes it.
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(0)
    memory.close()
    return done


def work_of(parts: Parts) -> JobWork:
    """Return what jobs do with a memory."""
    from onrecord.jobs.queue_work import Chore, JobWork

    consolidator = parts.knowing.consolidator

    def reembeds(space: str) -> bool:
        plans = parts.store.plans(space)
        return parts.embedder is not None and bool(plans) and plans != [parts.embedder.name]

    consolidate = Chore(
        name="consolidate",
        cron=DAILY,
        due=lambda space: parts.profile.shared and consolidator.due(space),
        run=lambda space, going: consolidator.run(space),
    )
    reembed = Chore(
        name="reembed",
        cron=HOURLY,
        due=reembeds,
        run=lambda space, going: parts.recall.catch_up(space, going=going),
    )
    return JobWork(
        derive=lambda space, session, going: _derive(parts, space, session, going),
        spaces=parts.store.spaces,
        chores=(consolidate, reembed),
    )


def _derive(parts: Parts, space: str, session: str, going: Going) -> float | None:
    """Derive what is due for a session: facts, summaries, vectors. Return None when it is done, otherwise the seconds
    after which to look again."""
    from onrecord.derive import leases

    parts.knowing.learn(space, session, going=going)
    caught = parts.upkeep.catch_up(space, session, going=going)
    if parts.embedder is not None and going():
        parts.recall.keep_up(space, going)
    if not going():
        return 0.0
    if not caught.waits:
        return None
    return AT_IT if caught.waits == leases.AT_IT else RESTS


@in_panel("On PostgreSQL")
def jobs(
    request: CommandRequest,
    action: Annotated[
        Action, typer.Argument(help="list them; retry what failed, or drop it; pause all workers, or resume.")
    ] = "list",
    id: Annotated[
        int | None, typer.Argument(help="The job to retry or drop.", metavar="[ID]", show_default=False)
    ] = None,
    all: Annotated[bool, typer.Option("--all", help="Retry every job that failed.")] = False,
) -> None:
    """Show what workers have to do and what failed; try that again; pause.

    Example: onrecord jobs retry --all --db postgresql://localhost/onrecord
    """
    _must_be_server(request)
    if (id is not None, all) not in _NAMED.get(action, [(False, False)]):
        raise InvalidInput(
            "retry takes an ID or --all, drop an ID, and the others neither.", "See onrecord jobs --help"
        )
    from onrecord.jobs.queue_schema import check

    check(request.db)
    if action == "list":
        _list(request)
    elif action in ("pause", "resume"):
        _pause(request, action == "pause")
    else:
        _repeat_or_drop(request, action, id)


def _list(request: CommandRequest) -> None:
    from onrecord.jobs.queue_board import SHOWN, Board

    board = Board(request.db)
    with opened_store(request.db) as store:
        found = board.overview(cast("SharedStore", store))
    if not request.json:
        show(request, "job", board.jobs(SHOWN) if found["jobs"] else [])
        if len(found["jobs"]) == SHOWN:
            note(f"Only the first {SHOWN} jobs are listed.")
    waits = f" (the first for {found['due_seconds']:,.0f} s)" if found["due"] else ""
    counts = ", ".join(f"{count:,} {state}" for state, count in found["counts"].items())
    workers = plural(found["workers"], "worker") + ("; paused: nothing begins" if found["paused"] else "")
    reply(request, found, f"{plural(found['due'], 'session')} due{waits}; jobs: {counts}; {workers}.")


def _repeat_or_drop(request: CommandRequest, action: Action, id: int | None) -> None:
    from onrecord.jobs.queue_board import Board

    board, count = Board(request.db), 1
    if action == "retry":
        count = board.retry(id)
        if not count and id is not None:
            raise NotFound(f"There is no job {id} that failed or waits.", f"See {request.command('jobs')}")
    else:
        assert id is not None
        with opened_store(request.db) as store:
            board.discard(cast("SharedStore", store), id)
    done = "will be tried again" if action == "retry" else "dropped"
    reply(request, {action: count}, f"{plural(count, 'job')} {done}.")


def _pause(request: CommandRequest, on: bool) -> None:
    with opened_store(request.db) as store:
        cast("SharedStore", store).set_flag(PAUSED, on)
    line = "No worker begins another job; what runs is finished." if on else "The workers go on."
    reply(request, {"paused": on}, line)


def _shared(memory: Memory) -> SharedStore:
    return cast("SharedStore", engine_of(memory).store)


def _speak(verbose: bool) -> None:
    """Set what is logged: of jobs, what onrecord says. procrastinate would print the course of each error."""
    logging.getLogger("procrastinate").setLevel(logging.CRITICAL)
    for name in ("psycopg.pool", "asyncio"):  # while the server is away they repeat themselves
        logging.getLogger(name).setLevel(logging.CRITICAL)
    if verbose:
        logging.basicConfig(format="%(asctime)s %(name)s %(message)s")
        logging.getLogger("onrecord").setLevel(logging.DEBUG)


PATIENT = Settings(durability="power", busy_timeout=60.0)


@in_panel("On PostgreSQL")
def migrate(
    request: CommandRequest,
    partitions: Annotated[
        int | None, typer.Option(min=1, max=1024, help="Cut each new table into this many.", show_default="16")
    ] = None,
    grant: Annotated[str | None, typer.Option(help="Let this role use the memory.", metavar="ROLE")] = None,
) -> None:
    """Make the tables of a memory on PostgreSQL, or bring them up to this version.

    Example: onrecord migrate --db postgresql://owner@localhost/onrecord --grant app

    Run it as the role that shall own them. A memory that is opened by such a role does the same by itself; run it where
    applications have a role of their own, and before a new version of them is rolled out: old ones go on meanwhile.
    """
    _must_be_server(request)
    with driver():
        from onrecord.stores.postgres import schema
        from onrecord.stores.postgres.connection_pool import ConnectionPool

    server = ConnectionPool(request.db, PATIENT)
    try:
        done = schema.migrate(server, partitions or schema.PARTITIONS)
        if grant is not None:
            schema.grant(server, grant)
        queue = _prepare_queue(request.db, grant)
        now = schema.version(server)
        steps = f"{plural(len(done), 'step')} done" if done else "nothing to do"
        line = f"{server.name}: version {now}, {steps}.{f' {grant} may use it.' if grant else ''}"
        reply(request, {"version": now, "steps": done, "queue": queue, "granted": grant}, line)
        if not queue:
            note("Workers need tables of their own: pip install 'onrecord[postgres]', and run this again.")
        if schema.bypasses(server):
            note("This role is above row-level security. Let applications use one that is not, and --grant it.")
        there = server.plainly(schema.partitions)
        if partitions not in (None, there):
            note(f"It has {there} partitions; that cannot be changed any more.")
    finally:
        server.close()


def _prepare_queue(url: str, grant: str | None) -> bool:
    """Make the tables of the workers' queue, where its package is installed."""
    from onrecord.jobs.queue_schema import prepare

    if find_spec("procrastinate") is None:
        return False
    prepare(url, [] if grant is None else [grant])
    return True


@in_panel("On PostgreSQL")
def scrub(request: CommandRequest) -> None:
    """Have what was erased leave the disk of a PostgreSQL server, at once.

    Example: onrecord scrub --db postgresql://postgres@localhost/onrecord

    Writes the partitions again from which something was erased, while others wait for them, and cuts off the
    write-ahead log. Run it as a superuser, or as the owner with the rights that docs/postgres.md names. Replicas,
    archives and backups are yours to see to.
    """
    _must_be_server(request)
    store = cast("PostgresStore", open_store(request.db, PATIENT))
    try:
        with progress("Writing again") as step:
            done = store.scrub(step)
        clean = store.settle()
    finally:
        store.close()
    lines = [f"{plural(done.partitions, 'partition')} written anew ({size(done.bytes)} before)."]
    if not done.partitions:
        lines = ["Nothing that was erased lingers on the disk."] if clean else []
    reply(request, {**asdict(done), "clean": clean}, *lines)
    if done.left:
        note(done.left)
    if not clean:
        raise typer.Exit(STORE)


def _must_be_server(request: CommandRequest) -> None:
    """Refuse what is no whole memory on PostgreSQL."""
    if not is_server(request.db):
        raise InvalidInput("This is for memories on PostgreSQL; a file looks after itself.", "Give --db postgresql://…")
    if "space" in request.typed:
        raise InvalidInput("This is about all spaces of a memory.", "Leave out --space.")
