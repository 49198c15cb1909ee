"""What a served memory does: requests a second and how long they take, what its proxy costs, and its memory.

Each client has a session of its own, in a space of its own that holds a conversation. Contexts come before adds, so
that all are built from the same conversation.
"""

import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Annotated
from urllib.parse import urlsplit

import typer

from benchmarks.figures import Figure, Figures, benchmark, cells, counts, ms
from benchmarks.load import Done, Plan, drive, post, process
from benchmarks.places import Db, Place, servers
from benchmarks.served import Served, served
from benchmarks.texts import messages
from onrecord.records import Role

ADD, CONTEXT, CALM = "add", "context", "context, 0.1 s pause between requests"
PAUSE = 0.1  # seconds for which the calm clients rest
CONVERSATION = 200  # messages that a client's session holds before
TOKENS = 2_000  # of the contexts
DIFFERENT = 4_000  # texts and questions
FASTEST = 2_000  # requests a second that no service here reaches: so many are made before
APART = 61  # places between the first texts of two clients
WARM = 3  # requests of each client that do not count: the first ones read what then is cached
CHATTING = 8  # clients of the proxy, at most
USED = b"x-onrecord-memory: used"  # in the head of an answer; else memory failed, and the request went on without it
ASKING = 4  # clients while memory is watched
VISIT = 100  # requests in one space while memory is watched; then the client goes on to another
TURN = 10  # so many requests of them make one context, the others are adds
INDEXES = 33_554_432  # bytes of search indexes while memory is watched, so that it is seen whether all else stays
WAITING = 128  # callers of the upstream that may wait: one who is turned away tries again only after a second
RATES = "Throughput, requests a second, by concurrent clients"
TIMES = "Latency, ms, p50 / p95, by concurrent clients"
PROXY = "Latency of a chat request, ms, p50"
MEMORY = "Memory of the service, MB, by requests served"

Clients = Annotated[str, typer.Option(help="How many clients ask at once.")]
Processes = Annotated[str, typer.Option(help="How many processes the service has.")]
Seconds = Annotated[float, typer.Option(min=0.05, help="How long clients ask, for each figure.")]
Requests = Annotated[int, typer.Option(min=1, help="After how many requests memory is looked at last.")]


@dataclass(frozen=True, slots=True)
class _Run:
    """The process of the clients, how many ask, and for how long."""

    load: ProcessPoolExecutor
    clients: Sequence[int]
    seconds: float

    def ask(self, plan: Plan) -> Done:
        return self.load.submit(drive, plan).result()


@benchmark
def service(
    clients: Clients = "1,8,64",
    processes: Processes = "1,2",
    seconds: Seconds = 3.0,
    requests: Requests = 10_000,
    db: Db = None,
) -> Figures:
    """Measure a served memory: requests a second, how long they take, what its proxy costs, and its memory.

    Example: python -m benchmarks service --db embedded --json figures.json
    """
    asking, sharing = counts(clients, "--clients"), counts(processes, "--processes")
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="onrecord-bench-"))
        databases = stack.enter_context(servers(db, 1))
        run = _Run(stack.enter_context(process()), asking, seconds)
        upstream = stack.enter_context(process()).submit(_upstream).result()
        for place in (Place("SQLite", str(Path(folder, "memory.db"))), *databases):
            for number in sharing:
                yield from _rates(run, place, number)
            with served(place.address, upstream=upstream) as proxy:
                yield from _proxy(run, place, proxy, upstream)
            with served(place.address, index_bytes=INDEXES) as visited:
                yield from _memory(run, place, visited, requests)


def _upstream() -> str:
    """In a process of its own: the address of a server that answers chat requests at once, until the process ends."""
    from onrecord.testing.scripted_server import ScriptedEndpoint

    endpoint = ScriptedEndpoint()
    endpoint.__enter__()
    endpoint._server.socket.listen(WAITING)
    return endpoint.base_url


# Adds and contexts


def _rates(run: _Run, place: Place, processes: int) -> Figures:
    spaces = [f"client-{processes}-{number}" for number in range(max(run.clients))]
    most = [0.0, 0.0]
    with served(place.address, processes=processes) as service:
        _fill(run, service, spaces)
        for what in (CONTEXT, CALM, ADD):
            for clients in run.clients:
                used, start = service.seconds(), perf_counter()
                done = _asked(run, service, what, spaces[:clients])
                cores = (service.seconds() - used) / (perf_counter() - start)
                most = [max(most[0], done.cores), max(most[1], cores)]
                row = f"{what}, {place.title}, {processes} process{'es' if processes > 1 else ''}"
                yield from cells(RATES, row, {f"{clients}": (done.rate, "n")})
                yield ms(TIMES, row, f"{clients}", done.times)
    took = {"clients": (most[0], "ratio"), "service": (most[1], "ratio")}
    yield from cells("Cores that were taken, at most", f"{place.title}, {processes} of the service", took)


def _fill(run: _Run, service: Served, spaces: Sequence[str]) -> None:
    """Write a conversation to each space, and wait for its summaries."""
    source, path = messages(), "/v1/sessions/said/messages/batch?wait=true"
    scripts = []
    for space in spaces:
        body = {"messages": [{"role": role, "text": text} for role, text in islice(source, CONVERSATION)]}
        scripts.append([post(path, body, X_Onrecord_Space=space)])
    run.ask(Plan(service.port, scripts))


def _asked(run: _Run, service: Served, what: str, spaces: Sequence[str]) -> Done:
    scripts = []
    for number, space in enumerate(spaces):
        texts = _texts(run, number, len(spaces))
        scripts.append([_add(space, *turn) if what == ADD else _context(space, turn[1]) for turn in texts])
    pause = PAUSE if what == CALM else 0.0
    done = run.ask(Plan(service.port, scripts, run.seconds, WARM, pause))
    if what == ADD:  # what is derived from it is not made while others are measured
        run.ask(Plan(service.port, [[post("/v1/flush", X_Onrecord_Space=space)] for space in spaces]))
    return done


def _texts(run: _Run, number: int, clients: int) -> list[tuple[Role, str]]:
    """What one of so many clients says: other texts than the one beside it at the same time."""
    start, most = number * APART % DIFFERENT, WARM + int(FASTEST * max(run.seconds, 1.0) / clients)
    return [*_conversation()[start:], *_conversation()[:start]][:most]


@cache
def _conversation() -> list[tuple[Role, str]]:
    return list(islice(messages(seed=3), DIFFERENT))


def _add(space: str, role: str, text: str) -> bytes:
    return post("/v1/sessions/said/messages", {"role": role, "text": text}, X_Onrecord_Space=space)


def _context(space: str, text: str) -> bytes:
    body = {"question": _question(text), "tokens": TOKENS}
    return post("/v1/sessions/said/context", body, X_Onrecord_Space=space)


def _question(text: str) -> str:
    return " ".join(text.split()[:7]) + "?"


# The proxy


def _proxy(run: _Run, place: Place, service: Served, upstream: str) -> Iterator[Figure]:
    """Ask the upstream itself and through the service, with the same requests."""
    numbers = [number for number in run.clients if number <= CHATTING] or [CHATTING]
    spaces = [f"chat-{number}" for number in range(max(numbers))]
    _fill(run, service, spaces)
    there = urlsplit(upstream)
    for clients in numbers:
        medians = []
        for port, prefix, sign in ((there.port or 80, there.path, b""), (service.port, "/v1", USED)):
            scripts = [
                [_chat(f"{prefix}/chat/completions", space, text) for _, text in _texts(run, number, clients)]
                for number, space in enumerate(spaces[:clients])
            ]
            done = run.ask(Plan(port, scripts, run.seconds, WARM, sign=sign))
            medians.append(median(done.times))
        direct, through = medians
        columns = {"upstream alone": direct, "through the service": through, "added": through - direct}
        row = f"{place.title}, {clients} at once"
        yield from cells(PROXY, row, {column: (value, "ms") for column, value in columns.items()})


def _chat(path: str, space: str, text: str) -> bytes:
    headers = {"X_Onrecord_Space": space, "X_Onrecord_Session": "said", "X_Onrecord_Tokens": str(TOKENS)}
    body = {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": _question(text)}]}
    return post(path, body, **headers)


# Memory


def _memory(run: _Run, place: Place, service: Served, requests: int) -> Figures:
    """The memory of the service at the beginning, after a thousand requests, ten thousand, …, and at the end."""
    asking = [_visits(f"visit-{number}") for number in range(ASKING)]
    before = 0
    for mark in sorted({0, requests, *(10**power for power in range(3, 9) if 10**power < requests)}):
        for start in range(before, mark, 1_000):
            shares = [len(range(number, min(1_000, mark - start), ASKING)) for number in range(ASKING)]
            scripts = [list(islice(visits, share)) for visits, share in zip(asking, shares, strict=True) if share]
            run.ask(Plan(service.port, scripts))
        before = mark
        if (megabytes := service.resident()) is None:
            yield "The memory of the service is left out: there is no /proc here."
            return
        yield from cells(MEMORY, place.title, {f"{mark:,}": (megabytes, "n")})


def _visits(name: str) -> Iterator[bytes]:
    """Nine adds, then a context, in one new space after the other."""
    for number, (role, text) in enumerate(cycle(_conversation())):
        space = f"{name}-{number // VISIT}"
        yield _context(space, text) if number % TURN == TURN - 1 else _add(space, role, text)
