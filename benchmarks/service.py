"""What a served memory does: requests a second and how long they take, what its proxy costs, and its memory.

The clients ask in a closed loop (`load.py`), at once or a tenth of a second after an answer, each in a session of its
own, in a space of its own that holds a conversation. Contexts come before adds, so that all are built from the same
conversation. The clients, the service and the database share the machine, so the processor time that the first two took
is told beside the figures.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from benchmarks.load import Done, Load, Plan, post
from benchmarks.places import Place
from benchmarks.served import Served, served
from benchmarks.texts import messages
from benchmarks.timing import figure, markdown
from recollect.ports import Progress
from recollect.records import Role

__all__ = ["ADD", "CALM", "CONTEXT", "Cell", "Measured", "Passed", "Resident", "measure", "plain", "report", "work"]

ADD, CONTEXT, CALM = "add", "context", "context, a tenth of a second between two"
PAUSE = 0.1  # seconds for which the calm clients rest
CONVERSATION = 200  # messages that a client's session holds before
TOKENS = 2_000  # of the contexts
DIFFERENT = 4_000  # texts and questions
FASTEST = 2_000  # requests a second that no service here reaches: so many are made before
APART = 61  # places between the first texts of two clients
WARM = 3  # requests of each client that do not count: the first ones read what then is at hand
MODEL = "gpt-4o-mini"  # whose tokens are counted in chat requests
CHATTING = 8  # clients of the proxy, at most
ASKING = 4  # clients while memory is watched
VISIT = 100  # requests in one space while memory is watched; then the client goes on to another
TURN = 10  # of them: so many requests make one context, the others are adds
STEP = 1_000  # requests of one step of progress
INDEXES = 33_554_432  # bytes of search indexes while memory is watched, so that it is seen whether all else stays


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One operation, asked for by so many clients at once."""

    where: str  # title of the place
    processes: int  # of the service
    what: str  # add, context, or context asked calmly
    clients: int
    second: float  # requests a second, of all clients together
    p50: float  # milliseconds
    p95: float
    load: float  # processor time that the clients took, in seconds a second
    cores: float | None  # the same of the service's processes; None: not known here


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed:
    """Chat requests through the proxy, beside the same ones to the upstream itself."""

    where: str
    clients: int
    direct: float  # milliseconds, p50
    through: float
    own: float  # the difference: what the proxy costs


@dataclass(frozen=True, slots=True, kw_only=True)
class Resident:
    """Memory of a service after so many requests."""

    where: str
    requests: int
    megabytes: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """All of it."""

    cells: list[Cell]
    passed: list[Passed]
    resident: list[Resident]  # empty where there is no /proc


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    """What was asked for, and what it is done with."""

    load: Load
    clients: Sequence[int]
    seconds: float  # for which they ask, each time
    progress: Progress


def work(places: int, clients: Sequence[int], processes: Sequence[int], requests: int) -> int:
    """How much progress `measure` will tell of: steps of a few seconds each."""
    asked = len(processes) * (1 + 3 * len(clients))
    return places * (asked + 1 + len(_chatting(clients)) + len(list(_steps(requests))))


def measure(
    server: Place | None,
    upstream: str,  # the address of a server that answers chat requests at once
    clients: Sequence[int],
    processes: Sequence[int],
    seconds: float,  # for which the clients ask, each time
    requests: int,  # while memory is watched
    progress: Progress,
) -> Measured:
    """Measure on a file, and on a database of a server where one is given."""
    measured = Measured(cells=[], passed=[], resident=[])
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name, Load() as load:
        run = _Run(load=load, clients=clients, seconds=seconds, progress=progress)
        file = Place(title="SQLite", address=str(Path(name, "memory.db")))
        for place in [file] if server is None else [file, server]:
            for number in processes:
                measured.cells.extend(_cells(run, place, number))
            with served(place.address, index_bytes=INDEXES) as service:
                measured.resident.extend(_resident(run, place, service, requests))
            with served(place.address, upstream=upstream) as service:
                measured.passed.extend(_passed(run, place, service, upstream))
    return measured


def plain(measured: Measured) -> dict[str, Any]:
    """The figures as plain dictionaries, for JSON."""
    return asdict(measured)


# Adds and contexts


def _cells(run: _Run, place: Place, processes: int) -> Iterator[Cell]:
    spaces = [f"{place.prefix}client-{processes}-{number}" for number in range(max(run.clients))]
    with served(place.address, processes=processes) as service:
        _fill(run, service, spaces)
        for what in (CONTEXT, CALM, ADD):
            for clients in run.clients:
                yield _cell(run, service, place.title, processes, what, spaces[:clients])


def _fill(run: _Run, service: Served, spaces: Sequence[str]) -> None:
    """Write a conversation to each space, and wait for its summaries."""
    source, path = messages(), "/v1/sessions/said/messages/batch?wait=true"
    scripts = [
        [post(path, {"messages": [_message(*one) for one in islice(source, CONVERSATION)]}, X_Recollect_Space=space)]
        for space in spaces
    ]
    run.load.run(Plan(port=service.port, scripts=scripts))
    run.progress(1)


def _cell(run: _Run, service: Served, where: str, processes: int, what: str, spaces: Sequence[str]) -> Cell:
    most = _enough(run, len(spaces))
    scripts = [_script(what, space, number, most) for number, space in enumerate(spaces)]
    used, start = service.seconds(), perf_counter()
    pause = PAUSE if what == CALM else 0.0
    done = run.load.run(Plan(port=service.port, scripts=scripts, seconds=run.seconds, warm=WARM, pause=pause))
    now, taken = service.seconds(), perf_counter() - start
    if what == ADD:  # what is derived from it is not made while others are measured
        flushes = [[post("/v1/flush", X_Recollect_Space=space)] for space in spaces]
        run.load.run(Plan(port=service.port, scripts=flushes))
    run.progress(1)
    p50, p95 = _p50_p95(done)
    return Cell(
        where=where,
        processes=processes,
        what=what,
        clients=len(spaces),
        second=round(done.second, 1),
        p50=p50,
        p95=p95,
        load=round(done.cores, 3),
        cores=None if used is None or now is None else round((now - used) / taken, 2),
    )


def _enough(run: _Run, clients: int) -> int:
    """How many different requests each of so many clients needs."""
    return min(DIFFERENT, WARM + int(FASTEST * max(run.seconds, 1.0) / clients))


def _script(what: str, space: str, number: int, most: int) -> list[bytes]:
    """What one client asks: other texts than the one beside it at the same time."""
    if what == ADD:
        return [_add(space, "said", *one) for one in _texts(number, most)]
    return [_context(space, "said", text) for _, text in _texts(number, most)]


def _texts(number: int, most: int) -> list[tuple[Role, str]]:
    start = number * APART % DIFFERENT
    return [*_said()[start:], *_said()[:start]][:most]


@cache
def _said() -> list[tuple[Role, str]]:
    return list(islice(messages(seed=3), DIFFERENT))


def _message(role: str, text: str) -> dict[str, str]:
    return {"role": role, "text": text}


def _add(space: str, session: str, role: str, text: str) -> bytes:
    return post(f"/v1/sessions/{session}/messages", _message(role, text), X_Recollect_Space=space)


def _context(space: str, session: str, text: str) -> bytes:
    asked = {"question": _question(text), "tokens": TOKENS}
    return post(f"/v1/sessions/{session}/context", asked, X_Recollect_Space=space)


def _question(text: str) -> str:
    return " ".join(text.split()[:7]) + "?"


def _p50_p95(done: Done) -> tuple[float, float]:
    found = figure("", 0, done.times)
    return found.p50, found.p95


# The proxy


def _chatting(clients: Sequence[int]) -> list[int]:
    return [number for number in clients if number <= CHATTING] or [CHATTING]


def _passed(run: _Run, place: Place, service: Served, upstream: str) -> Iterator[Passed]:
    """Ask the upstream itself and through the service, with the same requests."""
    spaces = [f"{place.prefix}chat-{number}" for number in range(max(_chatting(run.clients)))]
    _fill(run, service, spaces)
    there = urlsplit(upstream)
    for clients in _chatting(run.clients):
        most, path = _enough(run, clients), "/chat/completions"
        direct = [_chat(there.path + path, space, at, most) for at, space in enumerate(spaces[:clients])]
        through = [_chat("/v1" + path, space, at, most) for at, space in enumerate(spaces[:clients])]
        asked = run.load.run(Plan(port=there.port or 80, scripts=direct, seconds=run.seconds, warm=WARM))
        used = b"x-recollect-memory: used"  # else memory failed, and the request went on without it
        passed = run.load.run(Plan(port=service.port, scripts=through, seconds=run.seconds, warm=WARM, sign=used))
        alone, both = _p50_p95(asked)[0], _p50_p95(passed)[0]
        yield Passed(where=place.title, clients=clients, direct=alone, through=both, own=round(both - alone, 4))
        run.progress(1)


def _chat(path: str, space: str, number: int, most: int) -> list[bytes]:
    headers = {"X_Recollect_Space": space, "X_Recollect_Session": "said", "X_Recollect_Tokens": str(TOKENS)}
    bodies = (
        {"model": MODEL, "messages": [{"role": "user", "content": _question(text)}]} for _, text in _texts(number, most)
    )
    return [post(path, body, **headers) for body in bodies]


# Memory


def _resident(run: _Run, place: Place, service: Served, requests: int) -> Iterator[Resident]:
    """The memory of the service at the beginning, after a thousand requests, ten thousand, …, and at the end."""
    if service.resident() is None:
        return
    marks = {requests, *(10**power for power in range(3, 9) if 10**power < requests)}
    asking = [_visits(f"{place.prefix}visit-{number}") for number in range(ASKING)]
    done = 0
    yield Resident(where=place.title, requests=0, megabytes=round(service.resident() or 0.0, 1))
    for step in _steps(requests):
        share = [len(range(number, step, ASKING)) for number in range(ASKING)]
        scripts = [list(islice(one, count)) for one, count in zip(asking, share, strict=True) if count]
        run.load.run(Plan(port=service.port, scripts=scripts))
        done += step
        run.progress(1)
        if done in marks:
            yield Resident(where=place.title, requests=done, megabytes=round(service.resident() or 0.0, 1))


def _steps(requests: int) -> Iterator[int]:
    """So many in all, a thousand at a time."""
    while requests > 0:
        yield min(STEP, requests)
        requests -= STEP


def _visits(name: str) -> Iterator[bytes]:
    """Nine adds, then a context, in one new space after the other."""
    for number, (role, text) in enumerate(cycle(_said())):
        space = f"{name}-{number // VISIT}"
        yield _context(space, "said", text) if number % TURN == TURN - 1 else _add(space, "said", role, text)


# The report


def report(measured: Measured) -> str:
    """The figures as Markdown: adds and contexts, then the proxy, then memory."""
    parts = (_cell_table(measured.cells), _passed_table(measured.passed), _resident_table(measured.resident))
    return "\n\n".join("\n".join(part) for part in parts)


def _cell_table(cells: Sequence[Cell]) -> Iterator[str]:
    yield "Requests a second, and milliseconds p50 / p95, by clients that ask at once:"
    yield ""
    numbers = sorted({one.clients for one in cells})
    found = {(one.what, one.where, one.processes, one.clients): one for one in cells}
    names = sorted(dict.fromkeys(key[:3] for key in found), key=lambda name: name[0])
    rows = []
    for what, where, processes in names:
        row = [found[what, where, processes, number] for number in numbers]
        title = f"{what}, {where}, {processes} process{'es' if processes > 1 else ''}"
        rows.append([title, *(f"{one.second:,.0f} · {_ms(one.p50)} / {_ms(one.p95)}" for one in row)])
    yield from markdown(["", *(f"{number:,}" for number in numbers)], rows)
    yield ""
    yield f"The clients took at most {max(one.load for one in cells):.2f} of a core, the service {_cores(cells)}."


def _cores(cells: Sequence[Cell]) -> str:
    by_processes: dict[int, float] = {}
    for one in cells:
        if one.cores is not None:
            by_processes[one.processes] = max(one.cores, by_processes.get(one.processes, 0.0))
    told = [f"{most:.2f} with {number}" for number, most in sorted(by_processes.items())]
    return ", ".join(told) or "an amount that cannot be told here"


def _passed_table(passed: Sequence[Passed]) -> Iterator[str]:
    yield "A chat request, milliseconds, p50:"
    yield ""
    rows = [
        [f"{one.where}, {one.clients} at once", _ms(one.direct), _ms(one.through), f"**{_ms(one.own)}**"]
        for one in passed
    ]
    yield from markdown(["", "to the upstream", "through the service", "the service's own"], rows)


def _resident_table(resident: Sequence[Resident]) -> Iterator[str]:
    if not resident:
        yield "The memory of the service is left out: there is no /proc here."
        return
    yield "Memory of the service, in MB, after so many requests:"
    yield ""
    marks = sorted({one.requests for one in resident})
    found = {(one.where, one.requests): one.megabytes for one in resident}
    rows = [
        [where, *(f"{found[where, mark]:.0f}" for mark in marks)] for where in dict.fromkeys(key[0] for key in found)
    ]
    yield from markdown(["", *(f"{mark:,}" for mark in marks)], rows)


def _ms(value: float) -> str:
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"
