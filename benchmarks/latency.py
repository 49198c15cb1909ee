"""How long adding, reading and searching take, and how much other people's messages matter; peers beside it.

A file grows to each size in turn, and a server's database where one is given. The same calls with the same data go in
turn to these and to twins, which hold nothing of others: how many times as long they take because of others then holds
on a busy machine as well. At the largest size, spaces of several sizes are searched, with free vectors. Peers run at
the smallest size: most of them would take hours for the largest.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import typer

from benchmarks import peers as others
from benchmarks.figures import WARM_UP, Figure, Figures, Work, benchmark, cells, counts, ms, timed
from benchmarks.places import Db, Place, servers
from benchmarks.texts import FreeEmbedder, messages
from onrecord.memory import Memory

PAGE = 20
BATCH = 1_000
SESSION = 1_000  # messages in the session that is measured
TOKENS = 3_000  # of the contexts
SEARCHED_SESSION = 500  # messages in a session of the spaces that are searched
QUESTIONS = 150  # of each kind, at most
LIMIT = 10  # hits
OPENED = 3  # times that a memory is opened for a first search
PEER_SECONDS, PEER_MOST = 20.0, 10_000  # for one operation of a peer; messages in its index
ALONE = "in brackets the ratio to the p50 in a file without other spaces"
JOURNAL = f"Latency, ms, p50 / p95, by messages in other spaces; {ALONE}"
SEARCHES = f"Latency, ms, p50 / p95, by messages in the space; {ALONE}"
BESIDE = "Latency next to other libraries, ms, p50 / p95, every message synced to disk, ours without vectors"
FOUND = f"Search latency next to other libraries, ms, p50 / p95, {LIMIT} hits, same vectors, by messages in the store"
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
    peers = peers and db is None
    levels, spaces = sorted(counts(sizes, "--sizes")), sorted(counts(space_sizes, "--space-sizes"))
    with tempfile.TemporaryDirectory(prefix="onrecord-bench-") as name, servers(db, 2) as databases:
        folder = Path(name)
        filled = [Place("SQLite", str(folder / "memory.db")), *databases[:1]]
        places = [*filled, Place("SQLite", str(folder / "alone.db")), *databases[1:]]
        for size in levels:
            for place in filled:
                place.fill(size)
            calls = [_journal(place, f"measured-{size}", runs) for place in places]
            for figure in _in_turn(JOURNAL, f"{size:,}", places, calls):
                yield figure
                if peers and size == levels[0] and figure.row in COLUMNS:
                    column = COLUMNS[figure.row] or figure.row
                    yield replace(figure, table=BESIDE, row="onrecord", column=column, times=None)
        for space in (space for space in spaces if space <= levels[-1]):
            for figure in _in_turn(SEARCHES, f"{space:,}", places, [_searches(p, space, runs) for p in places]):
                yield figure
                if peers and figure.row == SEARCH and space <= PEER_MOST:
                    yield replace(figure, table=FOUND, row="onrecord", times=None)
            with filled[0].open(f"searched-{space}", embedder=FreeEmbedder()) as memory:
                memory.search(next(_questions()))
                taken = memory._parts.recall.bytes[memory.name] / 1e6
            yield from cells(SEARCHES, "memory of the index, MB", {f"{space:,}": (taken, "MB")})
        if peers:
            yield from _peers(folder, levels[0], [space for space in spaces if space <= PEER_MOST], runs)


def _in_turn(
    table: str, column: str, places: Sequence[Place], calls: Sequence[Iterator[Operation]]
) -> Iterator[Figure]:
    """The figures of operations that are the same in all places; places without others come last."""
    several = len({place.title for place in places}) > 1
    for same in zip(*calls, strict=True):
        taken = timed([one.call for one in same], same[0].inputs, [one.prepare for one in same])
        for place, times in zip(places, taken, strict=True):
            if place.others:
                twins = (at for at, twin in enumerate(places) if twin.title == place.title and not twin.others)
                row = f"{same[0].name}, {place.title}" if several else same[0].name
                yield ms(table, row, column, times, next((taken[at] for at in twins), ()))


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


def _searches(place: Place, space: int, runs: int) -> Iterator[Operation]:
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
        opened.append(place.open(name, embedder=FreeEmbedder(), summarize="inline"))

    first = list(islice(questions, OPENED))
    yield Operation("first search after opening", lambda text: opened[0].search(text), first, reopen)
    reopen("")
    with opened[0] as memory:
        asked = list(islice(questions, many))
        for question in asked:  # their vectors are made here, and cached: what is timed is the search alone
            memory.search(question)
        yield Operation(SEARCH, memory.search, asked)
        session, asked = memory.session(newest), list(islice(questions, many))
        # The question is added before, as in a conversation: the index follows it, which is part of what is timed.
        add: Work = lambda text: session.add("user", text)  # noqa: E731
        yield Operation(f"context of {TOKENS} tokens, recalled", lambda _: session.context(tokens=TOKENS), asked, add)


def _questions() -> Iterator[str]:
    """Endless questions, of other words than the messages."""
    return (" ".join(text.rstrip(".").split()[:7]) + "?" for _, text in messages(seed=3))


# Peers


def _peers(folder: Path, size: int, spaces: Sequence[int], runs: int) -> Figures:
    for peer in others.installed():
        with peer.opened(folder / peer.name.replace(" ", "-")):
            source, held = messages(seed=2), 0
            for space in (spaces if peer.searches else ()) if not peer.journal else [size]:
                for start in range(held, space, BATCH):
                    peer.add_many(list(islice(source, min(BATCH, space - start))))
                held = space
                if peer.searches:
                    asked = list(islice(_questions(), min(runs, QUESTIONS)))
                    (taken,) = timed([lambda text: peer.search(text, LIMIT)], asked, seconds=PEER_SECONDS)  # noqa: B023
                    yield ms(FOUND, peer.name, f"{space:,}", taken)
            if peer.journal:
                turns = list(islice(source, min(runs, 200)))  # fewer: some take tens of milliseconds
                batches = [list(islice(source, BATCH)) for _ in range(3)]
                for column, call, inputs in (
                    ("add", lambda turn: peer.add(*turn), turns),  # noqa: B023
                    (f"add_many of {BATCH}", peer.add_many, batches),
                    (f"history, newest {PAGE}", lambda _: peer.page(PAGE), turns),  # noqa: B023
                ):
                    (taken,) = timed([call], inputs, seconds=PEER_SECONDS)
                    yield ms(BESIDE, peer.name, column, taken)
    yield "None of them does the same work: docs/benchmarks.md says what differs."
