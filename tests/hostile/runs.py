"""Runs cases of all areas in processes of their own, until the time is up, and counts what they found.

Each process is forked from this one, which has imported everything and opened nothing: so it starts at once, may be
killed, and what it leaves in memory ends with it. One that hangs or dies is a fault of the case that it was at.
"""

from __future__ import annotations

import json
import os
import selectors
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.hostile.trial import Area, Trial

__all__ = ["Run", "Tally", "run"]

BLOCK = 20.0  # seconds that a process works on one area
STRIDE = 100_000  # numbers of cases that are set aside for each process
HANGS = 120.0  # seconds after which a case is given up
TOLD = 3  # faults of one kind that are told


@dataclass(slots=True)
class Tally:
    """What was done in one area."""

    cases: int = 0
    inputs: int = 0
    refused: int = 0
    kills: int = 0
    faults: int = 0

    def add(self, other: Tally) -> None:
        self.cases += other.cases
        self.inputs += other.inputs
        self.refused += other.refused
        self.kills += other.kills
        self.faults += other.faults


def _say(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


@dataclass(slots=True, kw_only=True)
class Run:
    """What to do, and what came of it."""

    seed: int
    areas: Mapping[str, Area]
    seconds: float = 0.0  # or
    cases: int = 0  # of each area, from the number
    first: int = 0  # on
    processes: int = 2
    keep: bool = False  # the folders of faults
    postgres: str = ""
    say: Callable[[str], None] = _say
    tallies: dict[str, Tally] = field(default_factory=dict)
    kinds: dict[str, int] = field(default_factory=dict)  # how often a fault was met, by what it is

    @property
    def faults(self) -> int:
        return sum(tally.faults for tally in self.tallies.values())


@dataclass(slots=True)
class _Worker:
    """A process at work."""

    area: str
    pid: int
    pipe: int
    case: int
    since: float  # when it began the case
    rest: bytes = b""


def run(plan: Run) -> Run:
    """Carry it out."""
    plan.tallies |= {name: Tally() for name in plan.areas}
    end = time.monotonic() + plan.seconds if plan.seconds else float("inf")
    blocks: dict[str, int] = dict.fromkeys(plan.areas, 0)
    due = _due(plan, end)
    workers: list[_Worker] = []
    told = time.monotonic()
    with selectors.DefaultSelector() as selector:
        while True:
            while len(workers) < plan.processes and (area := next(due, None)) is not None:
                until = min(end, time.monotonic() + BLOCK) if plan.seconds else end
                worker = _forked(plan, area, blocks[area] * STRIDE, until)
                blocks[area] += 1
                workers.append(worker)
                selector.register(worker.pipe, selectors.EVENT_READ, worker)
            if not workers:
                return plan
            for key, _ in selector.select(1.0):
                _hear(plan, key.data, os.read(key.fd, 1 << 16))
            for worker in [one for one in workers if _is_over(plan, one)]:
                selector.unregister(worker.pipe)
                os.close(worker.pipe)
                workers.remove(worker)
            if time.monotonic() - told > 60:
                told = time.monotonic()
                plan.say(_progress(plan, end))


def _due(plan: Run, end: float) -> Iterator[str]:
    """The areas, each as often as its weight says; each once, where cases are counted."""
    if not plan.seconds:
        yield from plan.areas
        return
    given = dict.fromkeys(plan.areas, 0.0)
    while time.monotonic() < end - 1:
        area = min(given, key=lambda name: given[name] / plan.areas[name].WEIGHT)
        given[area] += BLOCK
        yield area


def _forked(plan: Run, area: str, first: int, until: float) -> _Worker:
    sys.stdout.flush()
    ours, theirs = os.pipe()
    pid = os.fork()
    now = time.monotonic()
    if pid:
        os.close(theirs)
        os.set_blocking(ours, False)
        return _Worker(area, pid, ours, first, now)
    try:
        os.setpgid(0, 0)  # so that it can be ended with all that it started
        os.close(ours)
        _work(plan, area, first, until, theirs)
    finally:
        os._exit(0)


def _work(plan: Run, area: str, first: int, until: float, pipe: int) -> None:
    first += plan.first
    for number in range(first, first + (plan.cases or STRIDE)):
        if time.monotonic() > until:
            break
        os.write(pipe, json.dumps({"case": number}).encode() + b"\n")
        os.write(pipe, json.dumps(_done(plan, area, number)).encode() + b"\n")


def _done(plan: Run, area: str, number: int) -> dict[str, Any]:
    """One case, and what is to be told of it."""
    folder = Path(tempfile.mkdtemp(prefix="hostile-"))
    trial = Trial(plan.seed, area, number, folder, plan.postgres)
    fault: dict[str, str] = {}
    try:
        plan.areas[area].case(trial)
    except Exception as error:  # noqa: BLE001 - this is what is looked for
        fault = {"kind": _kind(error), "fault": "".join(traceback.format_exception(error)[-6:])[-3_000:]}
    if plan.keep and fault:
        fault["fault"] += f"Its files: {folder}\n"
    else:
        shutil.rmtree(folder, ignore_errors=True)
    return {"inputs": trial.inputs, "refused": trial.refused, "kills": trial.kills} | fault


def _kind(error: BaseException) -> str:
    """What a fault is, to tell it from others: its error, and where in the product or in the area it was raised."""
    places = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    own = [place for place in places if "onrecord/" in place or ("/hostile/" in place and "trial.py" not in place)]
    what = f" ({str(error).partition(':')[0][:60]})" if isinstance(error, AssertionError) else ""
    return f"{type(error).__name__} at {(own or places or ['?'])[-1]}{what}"


def _hear(plan: Run, worker: _Worker, data: bytes) -> None:
    *lines, worker.rest = (worker.rest + data).split(b"\n")
    tally = plan.tallies[worker.area]
    for line in lines:
        told = json.loads(line)
        if "case" in told:
            worker.case, worker.since = told["case"], time.monotonic()
            continue
        tally.add(Tally(1, told["inputs"], told["refused"], told["kills"]))
        if "fault" in told:
            _fault(plan, worker, told["kind"], told["fault"])
        worker.case = -1


def _is_over(plan: Run, worker: _Worker) -> bool:
    pid, status = os.waitpid(worker.pid, os.WNOHANG)
    if not pid and time.monotonic() - worker.since < HANGS:
        return False
    if not pid:
        os.killpg(worker.pid, signal.SIGKILL)
        os.waitpid(worker.pid, 0)
        _fault(plan, worker, f"{worker.area} hangs", f"no answer for {HANGS:.0f} s\n")
    else:
        while data := _rest(worker.pipe):
            _hear(plan, worker, data)
        if status or worker.case >= 0:
            _fault(plan, worker, f"{worker.area} dies", f"the process ended with {os.waitstatus_to_exitcode(status)}\n")
    return True


def _rest(pipe: int) -> bytes:
    try:
        return os.read(pipe, 1 << 16)
    except BlockingIOError:
        return b""


def _fault(plan: Run, worker: _Worker, kind: str, what: str) -> None:
    plan.tallies[worker.area].faults += 1
    plan.kinds[kind] = plan.kinds.get(kind, 0) + 1
    if plan.kinds[kind] <= TOLD:
        again = f"python -m tests.hostile --seed {plan.seed} --only {worker.area} --case {worker.case}"
        plan.say(f"FAULT in {worker.area}: {kind}\n{what}Again: {again}\n")


def _progress(plan: Run, end: float) -> str:
    left = f"{(end - time.monotonic()) / 60:.0f} min left, " if plan.seconds else ""
    parts = (f"{name} {one.inputs + one.kills:,}" for name, one in plan.tallies.items() if one.cases)
    return f"{left}{plan.faults} faults; {', '.join(parts)}"
