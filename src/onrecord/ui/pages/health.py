"""How the memory is: how it grew, what summaries save, how quick it is, what models took, and what it was told to do.

Figures of the space are for whoever may read it; those of the whole process and its store for the operator.
"""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from onrecord.service.calling import Threaded
from onrecord.service.forms import whole
from onrecord.service.routes.care_routes import must_be_operator
from onrecord.ui.drawing.time_columns import chart_of
from onrecord.ui.pages.health_figures import environment, jobs_of, latencies, settings_of, store_figures
from onrecord.ui.pages.health_growth import LAYERS, Grown, Growth
from onrecord.ui.view import Look, LookAdmin, View

__all__ = ["router"]

router = APIRouter(include_in_schema=False, route_class=Threaded)

AT_ONCE = 0.2  # seconds that a page counts, where there is much to count
DAYS = 60  # rows of what models took


@router.get("/ui/health")
def health(look: Look) -> Response:
    """The page. Its twin is what models took: the part of it that the API answers to everybody who may read."""
    spent = look.memory.spent()
    values: dict[str, Any] = {
        **_grown(look),
        "spent": spent,
        "days": list(reversed(spent.days))[:DAYS],
        "most": max((day["in"] + day["out"] for day in spent.days[-DAYS:]), default=0),
        "operator": look.call.caller.operator,
        "checked": None,
        **(_process(look) if look.call.caller.operator else {}),
    }
    return look.page("health.html", values, lambda: spent.to_dict())


@router.get("/ui/health/growth")
def growth(look: Look) -> Response:
    """The part about how the space grew, counted on."""
    return look.part("health_growth.html", _grown(look))


@router.get("/ui/health/check")
async def check(look: LookAdmin) -> Response:
    """Look at every item of the store, and say what was found."""
    must_be_operator(look.call)
    found = await look.call.run(look.memory.check, "long")
    return look.page("health_check.html", {"found": found}, lambda: {"ok": found.ok, **whole(found)})


def _grown(look: View) -> dict[str, Any]:
    growth: Growth = look.request.app.state.growth
    tally = growth.of(look.memory, AT_ONCE)
    names = list(LAYERS.values())
    return {
        "tally": tally,
        "chart": chart_of(tally.days, names),
        "compressed": tally.compressed,
        "layers": _layers(tally),
    }


def _layers(tally: Grown) -> list[tuple[str, int]]:
    """What there is of each kind, as a legend."""
    return [(name, tally.kinds[kind]) for kind, name in LAYERS.items() if tally.kinds[kind]]


def _process(look: View) -> dict[str, Any]:
    desk = look.call.desk
    return {
        "latencies": latencies(desk.metrics.text().decode()),
        "settings": settings_of(desk.serving, environment()),
        "store": store_figures(look.call),
        "jobs": jobs_of(look.call),
        "summarize": desk.serving.memory.get("summarize", "background"),
    }
