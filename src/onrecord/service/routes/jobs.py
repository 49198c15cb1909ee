"""Routes of what workers do, where the memory is on PostgreSQL. They show all of the store: for the operator alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from fastapi import APIRouter

from onrecord.errors import Denied, InvalidInput, NotFound
from onrecord.ports import SharedStore
from onrecord.service.bodies import JobNumber, Retry
from onrecord.service.calling import Admin, ServiceCall, Threaded
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.responses import JobsChanged, JobsResponse, Paused, answers
from onrecord.stores import is_server

if TYPE_CHECKING:
    from onrecord.jobs.queue_board import Board

__all__ = ["router"]

router = APIRouter(tags=["Jobs"], responses=FAILURES, route_class=Threaded)


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
    return Board(call.desk.serving.db), cast("SharedStore", call.memory._store)


@router.get("/v1/jobs", operation_id="jobs", responses=answers(JobsResponse))
def jobs(call: Admin) -> Json:
    """What workers have to do, what failed, and why."""
    board, store = _board(call)
    return Json(board.overview(store))


@router.post("/v1/jobs/retry", operation_id="retry_jobs", responses=answers(JobsChanged))
def retry_jobs(call: Admin, body: Retry) -> Json:
    """Have a job tried again now; or, without a number, all that failed."""
    board, _ = _board(call)
    count = board.retry(body.id)
    if not count and body.id is not None:
        raise NotFound(f"There is no job {body.id} that failed or waits.", "See /v1/jobs.")
    return Json({"done": count})


@router.post("/v1/jobs/drop", operation_id="drop_job", responses=answers(JobsChanged))
def drop_job(call: Admin, body: JobNumber) -> Json:
    """Drop a job that does not run."""
    board, store = _board(call)
    board.discard(store, body.id)
    return Json({"done": 1})


@router.post("/v1/jobs/pause", operation_id="pause_jobs", responses=answers(Paused))
def pause_jobs(call: Admin) -> Json:
    """Have no worker begin another job; what runs is finished."""
    return _pause(call, True)


@router.post("/v1/jobs/resume", operation_id="resume_jobs", responses=answers(Paused))
def resume_jobs(call: Admin) -> Json:
    """Let the workers go on."""
    return _pause(call, False)


def _pause(call: ServiceCall, on: bool) -> Json:
    from onrecord.jobs.queue_work import PAUSED

    _, store = _board(call)
    store.set_flag(PAUSED, on)
    return Json({"paused": on})
