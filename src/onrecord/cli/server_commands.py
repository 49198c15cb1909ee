"""Commands for memories on PostgreSQL: make and grant the tables, and have erased bytes leave the disk."""

from __future__ import annotations

from dataclasses import asdict
from importlib.util import find_spec
from typing import TYPE_CHECKING, Annotated, cast

import typer

from onrecord.cli.options import CommandRequest
from onrecord.cli.output import STORE, note, plural, progress, size
from onrecord.cli.printing import reply
from onrecord.errors import InvalidInput
from onrecord.settings import Settings
from onrecord.stores import driver, is_server, open_store

if TYPE_CHECKING:
    from onrecord.stores.postgres import PostgresStore

__all__ = ["migrate", "must_be_server", "scrub"]

PATIENT = Settings(durability="power", busy_timeout=60.0)


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
    must_be_server(request)
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


def scrub(request: CommandRequest) -> None:
    """Have what was erased leave the disk of a PostgreSQL server, at once.

    Example: onrecord scrub --db postgresql://postgres@localhost/onrecord

    Writes the partitions again from which something was erased, while others wait for them, and cuts off the
    write-ahead log. Run it as a superuser, or as the owner with the rights that docs/postgres.md names. Replicas,
    archives and backups are yours to see to.
    """
    must_be_server(request)
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


def must_be_server(request: CommandRequest) -> None:
    """Refuse what is no whole memory on PostgreSQL."""
    if not is_server(request.db):
        raise InvalidInput("This is for memories on PostgreSQL; a file looks after itself.", "Give --db postgresql://…")
    if "space" in request.typed:
        raise InvalidInput("This is about all spaces of a memory.", "Leave out --space.")
