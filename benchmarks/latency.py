"""How long adding, reading and searching take, and how much other people's messages matter; peers beside it.

One file grows to each size in turn, and a database of a server where one is given. The same calls with the same data go
in turn to all of these and to their twins, which hold nothing of others: how many times as long they take because of
others then holds on a busy machine as well. At the largest size, spaces of several sizes are searched. Vectors of
messages are free ones: a search compares them as it would any others. Where the local encoder is installed, it makes
those of questions, and of a few hundred messages, to tell what it costs. Peers run at the smallest size: most of them
would take hours for the largest.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any, NamedTuple

import typer
from numpy.typing import NDArray

from benchmarks import peers as others
from benchmarks.figures import WARM_UP, Figure, Figures, Work, benchmark, cells, counts, ms, timed
from benchmarks.places import Db, Place, servers
from benchmarks.texts import FreeEmbedder, messages
from recollect.memory import Memory
from recollect.models.embedders import embedder_named
from recollect.ports import Embedder

__all__ = ["Operation", "latency"]

PAGE = 20
BATCH = 1_000
SESSION = 1_000  # messages in the session that is measured
TOKENS = 3_000  # of the contexts
SEARCHED_SESSION = 500  # messages in a session of the spaces that are searched
QUESTIONS = 150  # of each kind, at most
LIMIT = 10  # hits
OPENED = 3  # times that a memory is opened for a first search
EMBEDDED = 320  # messages that get vectors by the local encoder
PEER_SECONDS, PEER_MOST = 20.0, 10_000  # for one operation of a peer; messages in its index
ALONE = "in brackets how many times as long as where there are none of others"
JOURNAL = f"Milliseconds, p50 / p95, by messages of others; {ALONE}"
SEARCHES = f"Milliseconds, p50 / p95, by messages in the space; {ALONE}"
BESIDE = "Beside others, p50 / p95, ms, every message synced to disk, ours without vectors"
FOUND = f"Searches beside others, {LIMIT} hits, the same free vectors, by messages in the store"
ENCODER = "The local encoder"
SEARCH = "search"
COLUMNS = {"add, durability=power": "add", f"add_many of {BATCH}": "", f"history, newest {PAGE}": ""}

Counts = Annotated[str, typer.Option(help="How many messages others have there, one number or several.")]
Spaces = Annotated[str, typer.Option(help="How many messages the spaces hold that are searched.")]
Runs = Annotated[int, typer.Option(min=1, help="How often each operation is timed.")]
Peers = Annotated[bool, typer.Option(help="Measure other libraries beside ours.")]


class Operation(NamedTuple):
    """What is measured: its name, the call, what it is called with, and what happens before each call."""

    name: str
    call: Work
    inputs: Sequence[Any]
    prepare: Work = lambda _: None


@benchmark
def latency(
    sizes: Counts = "1000,100000,1000000",
    space_sizes: Spaces = "1000,10000,100000",
    peers: Peers = True,
    runs: Runs = 200,
    db: Db = None,
) -> Figures:
    """Measure adding, reading and searching as others have more messages.

    Example: python -m benchmarks latency --sizes 1000,100000 --no-peers --json figures.json
    """
    levels, spaces = sorted(counts(sizes, "--sizes")), sorted(counts(space_sizes, "--space-sizes"))
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name, servers(db, 2) as databases:
        folder = Path(name)
        filled = [Place("SQLite", str(folder / "memory.db")), *databases[:1]]
        places = [*filled, Place("SQLite", str(folder / "alone.db")), *databases[1:]]
        yield from _floors(folder, databases, runs)
        for size in levels:
            for place in filled:
                place.fill(size)
            calls = [_journal(place, f"measured-{size}", runs) for place in places]
            for figure in _in_turn(JOURNAL, f"{size:,}", places, calls):
                yield figure
                if peers and size == levels[0] and figure.row in COLUMNS:
                    column = COLUMNS[figure.row] or figure.row
                    yield replace(figure, table=BESIDE, row="recollect", column=column, times=None)
        embedder = _Vectors()
        for space in (space for space in spaces if space <= levels[-1]):
            for figure in _in_turn(
                SEARCHES, f"{space:,}", places, [_searches(p, space, runs, embedder) for p in places]
            ):
                yield figure
                if peers and figure.row == SEARCH and space <= PEER_MOST:
                    yield replace(figure, table=FOUND, row="recollect", times=None)
            yield from _amounts(filled[0], space)
        yield from _encoder(folder, runs)
        if peers:
            yield from _peers(folder, levels[0], [space for space in spaces if space <= PEER_MOST], runs)


def _in_turn(
    table: str, column: str, places: Sequence[Place], calls: Sequence[Iterator[Operation]]
) -> Iterator[Figure]:
    """The figures of operations that are the same in all places; places without others come last."""
    several = len({place.title for place in places}) > 1
    for same in zip(*calls, strict=True):
        taken = timed([one.call for one in same], same[0].inputs, [one.prepare for one in same])
        for at, place in enumerate(places):
            if place.others:
                twins = [ms(taken[n]) for n, twin in enumerate(places) if twin.title == place.title and not twin.others]
                times = ms(taken[at])
                ratio = times["value"] / twins[0]["value"] if twins else None
                row = f"{same[0].name}, {place.title}" if several else same[0].name
                yield Figure(table=table, row=row, column=column, times=ratio, **times)


def _floors(folder: Path, databases: Sequence[Place], runs: int) -> Iterator[Figure]:
    """What a small durable write and a round trip to the server cost: nothing can be faster."""
    handle = os.open(folder / "probe", os.O_RDWR | os.O_CREAT)

    def write(_: int) -> None:
        os.pwrite(handle, b"x" * 4096, 0)
        os.fdatasync(handle)

    (taken,) = timed([write], range(runs))
    os.close(handle)
    table = "What no call can be faster than"
    yield Figure(table=table, row="writing 4 KiB to this disk, and syncing them", column="ms", **ms(taken))
    for place in databases[:1]:
        (taken,) = place.ask(lambda db: timed([lambda _: db.execute("SELECT 1").fetchone()], range(runs)))
        yield Figure(table=table, row="a statement that does nothing, PostgreSQL", column="ms", **ms(taken))


def _journal(place: Place, name: str, runs: int) -> Iterator[Operation]:
    source = messages()
    with place.open(name) as memory, place.open(name, summarize="inline") as inline:
        session, bulk = memory.session("said"), inline.session("bulk")
        session.add_many(islice(source, SESSION))
        session.flush()
        turns = list(islice(source, runs + WARM_UP))
        batches = [list(islice(source, BATCH)) for _ in range(max(5, runs // 50))]
        yield Operation("add, durability=process", lambda turn: session.add(*turn), turns)
        session.flush()
        at_once = inline.session("said")  # summaries are made before a call returns, so that prompts have them
        yield Operation("the same, summarize=inline", lambda turn: at_once.add(*turn), turns)
        yield Operation(f"history, newest {PAGE}", lambda _: list(at_once.history(last=PAGE)), turns)
        yield Operation(
            f"history, page of {PAGE}", lambda _: list(at_once.history(after=SESSION // 2, limit=PAGE)), turns
        )
        # A message is added before each context, as in a conversation; adding is not timed again.
        add: Work = lambda turn: at_once.add("user", turn[1])  # noqa: E731
        yield Operation(f"context of {TOKENS} tokens", lambda _: at_once.context(tokens=TOKENS), turns, add)
        yield Operation(f"add_many of {BATCH}, with summaries", bulk.add_many, batches[:3])
        with place.open(name, summarize="manual") as manual:
            yield Operation(f"add_many of {BATCH}", manual.session("journal").add_many, batches)
    with place.open(name, durability="power") as memory:
        durable = memory.session("said")
        turns = list(islice(source, runs + WARM_UP))
        yield Operation("add, durability=power", lambda turn: durable.add(*turn), turns)


# Searches


class _Vectors:
    """Free vectors; those of questions by an encoder as long as one is set. Under one name, so that both compare."""

    name, dimension = FreeEmbedder.name, FreeEmbedder.dimension

    def __init__(self) -> None:
        self.encoder: Embedder = FreeEmbedder()

    def embed(self, texts: Sequence[str]) -> NDArray[Any]:
        return self.encoder.embed(texts)


def _searches(place: Place, space: int, runs: int, embedder: _Vectors) -> Iterator[Operation]:
    name, length = f"searched-{space}", max(1, min(SEARCHED_SESSION, space // 2))
    texts = list(islice(messages(seed=2), space))
    with place.open(name, summarize="manual") as memory:
        for start in range(0, space, length):
            memory.session(f"session-{start // length}").add_many(texts[start : start + length])
        newest = f"session-{(space - 1) // length}"
        memory.session(newest).summarize()
    with place.open(name, embedder=FreeEmbedder()) as memory:
        memory.rebuild(vectors=True)
    questions, many = _questions(), min(runs, QUESTIONS) + WARM_UP
    opened: list[Memory] = []

    def reopen(_: str) -> None:
        while opened:
            opened.pop().close()
        opened.append(place.open(name, embedder=embedder, summarize="inline"))

    first = list(islice(questions, OPENED))
    yield Operation("first search after opening", lambda text: opened[0].search(text), first, reopen)
    reopen("")
    with opened[0] as memory:
        asked = list(islice(questions, many))
        for question in asked:  # their vectors are made here, and cached: what is timed is the search alone
            memory.search(question)
        yield Operation(SEARCH, memory.search, asked)
        if (encoder := embedder_named("auto")) is not None and encoder.dimension == embedder.dimension:
            embedder.encoder = encoder
            yield Operation(
                "search, question embedded by the local encoder", memory.search, list(islice(questions, many))
            )
            embedder.encoder = FreeEmbedder()
        session, asked = memory.session(newest), list(islice(questions, many))
        # The question is added before, as in a conversation: the index follows it, which is part of what is timed.
        add: Work = lambda text: session.add("user", text)  # noqa: E731
        yield Operation(f"context of {TOKENS} tokens, recalled", lambda _: session.context(tokens=TOKENS), asked, add)


def _questions() -> Iterator[str]:
    """Endless questions, of other words than the messages."""
    return (" ".join(text.rstrip(".").split()[:7]) + "?" for _, text in messages(seed=3))


def _amounts(place: Place, space: int) -> Iterator[Figure]:
    """What the index of a space takes in memory."""
    with place.open(f"searched-{space}", embedder=FreeEmbedder()) as memory:
        memory.search(next(_questions()))
        taken = memory._parts.recall.bytes[memory.name] / 1e6
    return cells(SEARCHES, "memory of the index, MB", {f"{space:,}": (taken, "MB")})


def _encoder(folder: Path, runs: int) -> Figures:
    """How many messages a second the local encoder gives vectors to, and what that does to adding meanwhile."""
    encoder = embedder_named("auto")
    if encoder is None:
        yield "The local encoder is not installed (recollect[embeddings]): nothing was embedded by it."
        return
    encoder.embed(["Loads the model."])
    source, place = messages(seed=4), Place("SQLite", str(folder / "embedded.db"))
    with place.open("embedded", summarize="manual") as memory:
        memory.session("embedded").add_many(islice(source, EMBEDDED))
    with place.open("embedded", summarize="manual", embedder=encoder) as memory:
        start = perf_counter()
        memory.rebuild(vectors=True)
        rate = EMBEDDED / (perf_counter() - start)
    yield from cells(ENCODER, "messages given vectors, a second", {encoder.name: (rate, "n")})
    for row, maker in (
        ("add, nothing in the background, ms", None),
        ("add, vectors made in the background, ms", encoder),
    ):
        with Place("SQLite", str(folder / f"busy-{maker is not None}.db")).open("busy", embedder=maker) as memory:
            memory.session("before").add_many(islice(source, 2 * EMBEDDED))  # wakes the thread, if there is an embedder
            session = memory.session("meanwhile")
            turns = list(islice(source, min(runs, QUESTIONS) + WARM_UP))
            (taken,) = timed([lambda turn: session.add(*turn)], turns)  # noqa: B023
            yield Figure(table=ENCODER, row=row, column=encoder.name, **ms(taken))


# Peers


def _peers(folder: Path, size: int, spaces: Sequence[int], runs: int) -> Figures:
    notes = []
    for peer in others.installed():
        with peer.opened(folder / peer.name.replace(" ", "-")):
            source, held = messages(seed=2), 0
            for space in (spaces if peer.searches else ()) if not peer.journal else [size]:
                peer.add_many(list(islice(source, space - held)))
                held = space
                if peer.searches:
                    asked = list(islice(_questions(), min(runs, QUESTIONS)))
                    (taken,) = timed([lambda text: peer.search(text, LIMIT)], asked, seconds=PEER_SECONDS)  # noqa: B023
                    yield Figure(table=FOUND, row=peer.name, column=f"{space:,}", **ms(taken))
            if peer.journal:
                turns = list(islice(source, min(runs, 200)))  # fewer: some take tens of milliseconds
                batches = [list(islice(source, BATCH)) for _ in range(3)]
                for column, call, inputs in (
                    ("add", lambda turn: peer.add(*turn), turns),  # noqa: B023
                    (f"add_many of {BATCH}", peer.add_many, batches),
                    (f"history, newest {PAGE}", lambda _: peer.page(PAGE), turns),  # noqa: B023
                ):
                    (taken,) = timed([call], inputs, seconds=PEER_SECONDS)
                    yield Figure(table=BESIDE, row=peer.name, column=column, **ms(taken))
        notes.append(f"- {peer.name}: {peer.note}.")
    yield "\n".join(notes)
