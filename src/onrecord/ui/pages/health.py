"""The page of health: growth, savings, response times, use of models, jobs, the store and its settings.

Figures of a space are for every key that may read it; those of the process and its store for the operator.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from onrecord.errors import OnrecordError
from onrecord.service.forms import whole
from onrecord.service.routes.care_routes import jobs, must_be_operator
from onrecord.service.routing import Threaded
from onrecord.stores import is_server
from onrecord.ui.drawing.time_columns import chart_of
from onrecord.ui.pages.health_figures import latencies, settings_of, store_figures
from onrecord.ui.pages.health_growth import KINDS, Growth
from onrecord.ui.view import Look, LookAdmin, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

AT_ONCE = 0.2  # seconds that a request counts, where there is much to count
DAYS = 60  # rows of what models used


@router.get("/ui/health")
def health(look: Look) -> Response:
    """Show the page."""
    spent, operator = look.memory.spent(), look.call.caller.operator
    days = list(reversed(spent.days))[:DAYS]
    values = {
        "spent": spent,
        "days": days,
        "operator": operator,
        **_growth(look),
        **(_process(look) if operator else {}),
    }
    return look.page("health.html", values, spent.to_dict)


@router.get("/ui/health/growth")
def growth(look: Look) -> Response:
    """Show the part about growth, counted on."""
    return look.part("health_growth.html", _growth(look))


@router.get("/ui/health/check")
async def check(look: LookAdmin) -> Response:
    """Check every item of the store."""
    must_be_operator(look.call)
    found = await look.call.run(look.memory.check, "long")
    return look.page("health_check.html", {"found": found}, lambda: {"ok": found.ok, **whole(found)})


def _growth(look: View) -> dict[str, Any]:
    counts: Growth = look.request.app.state.growth
    with counts.of(look.memory, AT_ONCE) as found:
        return {"growth": found, "chart": chart_of(found.days), "saving": found.saving(), "names": KINDS}


def _process(look: View) -> dict[str, Any]:
    desk = look.call.desk
    try:
        board = jobs(look.call) if is_server(desk.serving.db) else {}
    except OnrecordError as error:
        board = {"problem": error.what, "hint": error.hint}
    return {
        "latencies": latencies(desk.metrics.text().decode()),
        "settings": settings_of(desk.serving),
        "store": store_figures(look.call),
        "jobs": board,
        "summarize": desk.serving.memory.get("summarize", "background"),
    }
