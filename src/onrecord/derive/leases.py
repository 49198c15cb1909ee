"""An expiring claim on the work of one session, so that a model is not asked for the same thing by everybody.

The claim is a record beside the nodes. It says who works on the session's plan and until when, and how often a model
was asked for each node, before it is asked: whoever takes over after a kill knows. A result rests on the commit's own
condition, never on the claim: without it the same would come about, at a higher price.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from socket import gethostname
from typing import Any

from onrecord.derive.spending import Waits
from onrecord.errors import Outrun
from onrecord.policy.plans import claim_of
from onrecord.ports import Batch, Clock, Store
from onrecord.records import EPOCH, Query, Record, SessionInfo

__all__ = ["AT_IT", "CALLS", "Claims", "Lease"]

CALLS = 2
"""Times that a model is asked for one text at most, by all processes together."""

AT_IT = "Another is at it."
"""Why one waits while another holds the claim."""

HELD = timedelta(minutes=5)  # longer than a call takes with its retries
REST = timedelta(minutes=10)  # before a model that failed is asked for the same range again

FREE: Mapping[str, Any] = {"until": EPOCH.isoformat(), "trouble": "", "owner": "", "calls": {}}
"""What a session's mark says while no worker holds it."""


@dataclass(slots=True)
class Lease:
    """What one worker holds of a session."""

    space: str
    info: SessionInfo  # as it is with the claim in it
    key: str
    calls: dict[str, int] = field(default_factory=dict)  # by node


class Claims:
    """Claims in one store."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        self._owner = os.urandom(8).hex()

    def take(self, space: str, info: SessionInfo, plan: str, *, insist: bool = False) -> Lease:
        """Look whether the work on a plan is free, as the session is now. Raises Waits while another holds it, or while
        it rests after trouble, unless `insist` is set."""
        held = self._store.records(space, info.id, Query(kind="mark", key=claim_of(plan)))
        body = {**FREE, **(held[0].body or {} if held else {})}
        now = self._clock()
        left = (datetime.fromisoformat(body["until"]) - now).total_seconds()
        resting = body["trouble"] and not insist
        # What would last far longer than any was written by a clock that went back since.
        lasts = 2 * (REST if body["trouble"] else HELD).total_seconds()
        if 0 < left <= lasts and (resting or not (body["trouble"] or body["owner"] == self._me() or _gone(body))):
            raise Waits(body["trouble"] or AT_IT, left)
        # After trouble all begins anew; after a kill, what was asked already counts.
        calls = {} if body["trouble"] else dict(body["calls"])
        return Lease(space, info, claim_of(plan), calls)

    def calling(self, claim: Lease, node: str) -> bool:
        """A model is about to be asked for a node: say so to all. False: it was asked often enough."""
        if claim.calls.get(node, 0) >= CALLS:
            return False
        claim.calls[node] = claim.calls.get(node, 0) + 1
        self._write(claim, HELD, "")
        return True

    def give_up(self, claim: Lease, trouble: str) -> str:
        """Let the range rest for a while, and say why. Returns the reason with the time until which it rests."""
        until = (self._clock() + REST).astimezone(UTC)
        trouble = f"{trouble} It is tried again after {until:%H:%M} UTC, or at once by summarize()."
        self._write(claim, REST, trouble)
        return trouble

    def let_go(self, claim: Lease) -> None:
        """Something unforeseen happened: others need not wait until the claim expires. What was asked still counts."""
        with suppress(Outrun):
            self._write(claim, timedelta(0), "")

    def _write(self, claim: Lease, lasting: timedelta, trouble: str) -> None:
        now = self._clock()
        body: dict[str, Any] = {
            "owner": self._me(),
            "host": gethostname(),
            "process": os.getpid(),
            "until": (now + lasting).isoformat(),
            "calls": dict(claim.calls),
            "trouble": trouble,
        }
        record = Record(session=claim.info.id, kind="mark", plan=claim.key, key=claim.key, time=now, body=body)
        batch = Batch(
            space=claim.space,
            session=claim.info.id,
            records=[record],
            unless_changed=claim.info.changes,
            born=claim.info.created,
            time=now,
        )
        self._store.commit(batch)
        claim.info = replace(claim.info, changes=claim.info.changes + 1)

    def _me(self) -> str:
        return f"{self._owner}-{os.getpid()}-{threading.get_ident()}"  # forked processes share all but the second


def _gone(body: dict[str, Any]) -> bool:
    """Whether whoever holds a claim was killed, as far as can be told from this machine."""
    if os.name != "posix" or body.get("host") != gethostname():
        return False
    try:
        os.kill(int(body.get("process", 0)), 0)  # asks whether it is there, and does nothing to it
    except ProcessLookupError:
        return True
    except (OSError, OverflowError, ValueError):
        return False
    return False
