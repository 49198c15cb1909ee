"""Routes that look after a memory and its service: what models took, whether all is well, what is measured, what
workers do. Those of jobs are for a memory on PostgreSQL, and show all of the store: for the operator alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from anyio import fail_after, move_on_after, to_thread
from fastapi import Request
from starlette.responses import Response

from onrecord.errors import Denied, InvalidInput, NotFound, StoreError
from onrecord.ports import SharedStore
from onrecord.records import Estimate, Health, Spent
from onrecord.service import bodies, responses
from onrecord.service.error_responses import Json
from onrecord.service.metrics import TYPE
from onrecord.service.routing import api_router, in_turn, open_to_all
from onrecord.service.space_access import Admin, Desk, Read, ServiceCall
from onrecord.stores import is_server
from onrecord.version import __version__

if TYPE_CHECKING:
    from onrecord.jobs.queue_board import Board

__all__ = ["jobs_router", "must_be_operator", "router"]

PATIENCE = 5.0
"""Seconds in which a store that is well answers."""

router, jobs_router = api_router("Care"), api_router("Jobs")


@router.get("/v1/spent")
def spent(call: Read) -> Spent:
    """What models took for the space: calls and tokens by day and model, and what was refused."""
    return call.memory.spent()


@router.get("/v1/estimate")
@in_turn
def estimate(call: Read) -> Estimate:
    """What making every summary of the space that is due would take."""
    return call.memory.estimate()


@router.post("/v1/pause")
def pause(call: Admin) -> Spent:
    """Have no model called for the space: what one would write waits."""
    call.memory.pause()
    return call.memory.spent()


@router.post("/v1/resume")
def resume(call: Admin) -> Spent:
    """Let models go on."""
    call.memory.resume()
    return call.memory.spent()


@router.get("/v1/check")
@in_turn
def check(call: Admin) -> Health:
    """Look at every item of the store: structure, checksums, numbers, index."""
    must_be_operator(call)
    return call.memory.check()


@router.get("/healthz")
@open_to_all
async def healthz() -> responses.Ready:
    """Whether the process is alive."""
    return responses.Ready(status="ok", version=__version__)


@router.get("/readyz", response_model=responses.Ready)
@open_to_all
async def readyz(request: Request) -> Json:
    """Whether the service can do its work: its store answers, and spaces that were asked for lately can be searched,
    asked for facts and prompted from. It is not ready if all of them fail; `failing` counts them."""
    desk: Desk = request.app.state.desk
    try:
        with fail_after(PATIENCE):
            await to_thread.run_sync(desk.readiness.reach, limiter=desk.auth.checking, abandon_on_cancel=True)
    except (StoreError, TimeoutError) as error:
        return Json({"status": f"not ready: {type(error).__name__}"}, 503)
    with move_on_after(PATIENCE):  # a space that takes long is no reason to be taken off
        await to_thread.run_sync(desk.readiness.look, limiter=desk.auth.checking, abandon_on_cancel=True)
    tried = desk.readiness.tried
    counts = {name: count for name in ("failing", "unreadable") if (count := getattr(tried, name))}
    if tried.failing and tried.failing == tried.spaces:
        return Json({"status": "not ready: search, facts or context fail", **counts}, 503)
    return Json({"status": "ready", **counts})


@router.get("/metrics", response_class=Response, include_in_schema=False)
def metrics(call: Admin) -> Response:
    """What is counted and measured, for Prometheus."""
    must_be_operator(call)
    return Response(call.desk.metrics.text(), media_type=TYPE)


# Jobs


def must_be_operator(call: ServiceCall) -> None:
    """Raise unless the whole store is theirs."""
    if not call.caller.operator:
        raise Denied("This is about the whole store.", "Use a key with the scope admin and without a tenant or space.")


def _board(call: ServiceCall) -> tuple[Board, SharedStore]:
    must_be_operator(call)
    if not is_server(call.desk.serving.db):
        raise InvalidInput("Jobs are for a memory on PostgreSQL.", "On a file this process does the work by itself.")
    from onrecord.jobs.queue_board import Board
    from onrecord.jobs.queue_schema import check

    check(call.desk.serving.db)
    return Board(call.desk.serving.db), cast("SharedStore", call.desk.store)


@jobs_router.get("/v1/jobs", response_model=responses.JobsResponse)
def jobs(call: Admin) -> dict[str, Any]:
    """What workers have to do, what failed, and why."""
    board, store = _board(call)
    return board.overview(store)


@jobs_router.post("/v1/jobs/retry")
def retry_jobs(call: Admin, body: bodies.Retry) -> responses.JobsChanged:
    """Have a job tried again now; or, without a number, all that failed."""
    board, _ = _board(call)
    count = board.retry(body.id)
    if not count and body.id is not None:
        raise NotFound(f"There is no job {body.id} that failed or waits.", "See /v1/jobs.")
    return responses.JobsChanged(done=count)


@jobs_router.post("/v1/jobs/drop")
def drop_job(call: Admin, body: bodies.JobNumber) -> responses.JobsChanged:
    """Drop a job that does not run."""
    board, store = _board(call)
    board.discard(store, body.id)
    return responses.JobsChanged(done=1)


@jobs_router.post("/v1/jobs/pause")
def pause_jobs(call: Admin) -> responses.Paused:
    """Have no worker begin another job; what runs is finished."""
    return _pause(call, True)


@jobs_router.post("/v1/jobs/resume")
def resume_jobs(call: Admin) -> responses.Paused:
    """Let the workers go on."""
    return _pause(call, False)


def _pause(call: ServiceCall, on: bool) -> responses.Paused:
    from onrecord.jobs.queue_work import PAUSED

    _, store = _board(call)
    store.set_flag(PAUSED, on)
    return responses.Paused(paused=on)
