"""Routes that look after a memory and its service: what models took, whether all is well, what is measured."""

from __future__ import annotations

from functools import partial

from anyio import fail_after, move_on_after, to_thread
from fastapi import APIRouter, Request
from starlette.responses import Response

from onrecord.errors import StoreError
from onrecord.records import Estimate, Health, Spent
from onrecord.service.calling import Admin, Desk, Read, Threaded, in_turn, open_to_all
from onrecord.service.error_responses import FAILURES, Json
from onrecord.service.forms import whole
from onrecord.service.metrics import TYPE
from onrecord.service.responses import Ready, answers
from onrecord.service.routes.jobs import must_be_operator
from onrecord.version import __version__

__all__ = ["router"]

PATIENCE = 5.0
"""Seconds in which a store that is well answers."""

router = APIRouter(tags=["Care"], responses=FAILURES, route_class=Threaded)


@router.get("/v1/spent", operation_id="spent", responses=answers(Spent))
def spent(call: Read) -> Json:
    """What models took for the space: calls and tokens by day and model, and what was refused."""
    return Json(call.memory.spent().to_dict())


@router.get("/v1/estimate", operation_id="estimate", responses=answers(Estimate))
@in_turn
def estimate(call: Read) -> Json:
    """What making every summary of the space that is due would take."""
    return Json(call.memory.estimate().to_dict())


@router.post("/v1/pause", operation_id="pause", responses=answers(Spent))
def pause(call: Admin) -> Json:
    """Have no model called for the space: what one would write waits."""
    call.memory.pause()
    return Json(call.memory.spent().to_dict())


@router.post("/v1/resume", operation_id="resume", responses=answers(Spent))
def resume(call: Admin) -> Json:
    """Let models go on."""
    call.memory.resume()
    return Json(call.memory.spent().to_dict())


@router.get("/v1/check", operation_id="check", responses=answers(Health))
@in_turn
def check(call: Admin) -> Json:
    """Look at every item of the store: structure, checksums, numbers, index."""
    must_be_operator(call)
    health = call.memory.check()
    return Json({"ok": health.ok, **whole(health)})


@router.get("/healthz", operation_id="healthz", responses=answers(Ready))
@open_to_all
async def healthz() -> Json:
    """Whether the process is alive."""
    return Json({"status": "ok", "version": __version__})


@router.get("/readyz", operation_id="readyz", responses=answers(Ready))
@open_to_all
async def readyz(request: Request) -> Json:
    """Whether the service can do its work: its store answers, and spaces that were asked for lately can be searched,
    asked for facts and prompted from. It is not ready if all of them fail; `failing` counts them."""
    desk: Desk = request.app.state.desk
    look = partial(desk.memory._store.session, desk.memory.name, "ready")
    try:
        with fail_after(PATIENCE):
            await to_thread.run_sync(look, limiter=desk.checking, abandon_on_cancel=True)
    except (StoreError, TimeoutError) as error:
        return Json({"status": f"not ready: {type(error).__name__}"}, 503)
    with move_on_after(PATIENCE):  # a space that takes long is no reason to be taken off
        await to_thread.run_sync(desk.readiness.look, limiter=desk.checking, abandon_on_cancel=True)
    tried = desk.readiness.tried
    told = {name: many for name in ("failing", "unreadable") if (many := getattr(tried, name))}
    if tried.failing and tried.failing == tried.spaces:
        return Json({"status": "not ready: search, facts or context fail", **told}, 503)
    return Json({"status": "ready", **told})


@router.get("/metrics", operation_id="metrics", response_class=Response, include_in_schema=False)
def metrics(call: Admin) -> Response:
    """What is counted and measured, for Prometheus."""
    must_be_operator(call)
    return Response(call.desk.metrics.text(), media_type=TYPE)
