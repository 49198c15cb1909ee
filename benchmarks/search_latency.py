"""How long a search takes, and a prompt that recalls by it, as the space grows; and how much others' data matter.

Each space is built twice: in the file that holds everybody's messages, and in a file of its own. Calls to the two are
timed in turn, so that their ratio holds on a busy machine as well. Vectors of messages are free ones: a search compares
them as it would any others. Where the local encoder is installed, it makes those of questions, and a few hundred of
messages, to tell what it costs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from numpy.typing import NDArray

from benchmarks import peers
from benchmarks.texts import FreeEmbedder, messages
from benchmarks.timing import WARM_UP, Figure, Work, alternating, figure, markdown, shown, times
from recollect.memory import Memory
from recollect.models.embedders import embedder_named
from recollect.ports import Embedder, Progress
from recollect.records import Role
from recollect.session import Session

__all__ = ["WORTH", "beside", "found", "measure", "report", "vectors", "work"]

WORTH = 1.3
"""How many times as long a search may take because of others' data."""

TOKENS = 3_000
BATCH = 1_000
SESSION = 500  # messages in a session of the spaces that are searched
QUESTIONS = 150  # of each kind, at most
OPENED = 3  # times that a file is opened for a first search
IMPORTED = 320  # messages that get vectors by the local encoder
WAITING = 640  # messages whose vectors are made in the background while others are added
LIMIT = 10  # hits
PEER_MOST = 10_000  # messages in a peer's index: beyond, some take seconds for a search
PEER_SECONDS = 5.0  # for the searches of one peer at one size

SEARCH = "search"
ASKED = "search, question embedded by the local encoder"
CONTEXT = f"context of {TOKENS} tokens, recalled"
FIRST = "first search after opening the file"
MEMORY = "memory of the index"
DISK = "on disk per message, with vectors"
RATE = "messages given vectors by the local encoder"
QUIET = "add, nothing in the background"
BUSY = "add, vectors made in the background"


class _Vectors:
    """Free vectors; those of questions by an encoder as long as one is set. Under one name, so that both compare."""

    name, dimension = FreeEmbedder.name, FreeEmbedder.dimension

    def __init__(self) -> None:
        self.encoder: Embedder = FreeEmbedder()

    def embed(self, texts: Sequence[str]) -> NDArray[Any]:
        return self.encoder.embed(texts)


def work(spaces: Sequence[int]) -> int:
    """How much progress `measure` will tell of: every message is written and indexed, in two files."""
    return 4 * sum(spaces)


# Spaces


def measure(file: Path, held: int, spaces: Sequence[int], runs: int, progress: Progress) -> Iterator[Figure]:
    """The figures of each space, in `file`, which holds so many messages already, and in a file of its own."""
    encoder = embedder_named("auto")
    for space in spaces:
        paths = (file, file.with_name(f"space-{space}.db"))
        said = list(islice(messages(seed=2), space))
        for path in paths:
            _build(path, said, progress)
        yield from _amounts(paths[1], space)
        both = list(_searched(paths, space, runs, encoder))
        for what, pair in both:
            for alone, taken in zip((False, True), pair, strict=True):
                size = space if alone else held
                yield figure(what, size, taken, topic="search", space=space, alone=alone)
        yield from (_ratio(what, held, space, pair) for what, pair in both)


def _build(path: Path, said: Sequence[tuple[Role, str]], progress: Progress) -> None:
    """Write a space in sessions, summarise the newest, then make all vectors."""
    space = len(said)
    name, length = _name(space), _length(space)
    with Memory(path, space=name, durability="process", summarize="manual", embedder=None) as memory:
        for number, start in enumerate(range(0, space, length)):
            receipts = memory.session(f"session-{number}").add_many(said[start : start + length])
            progress(len(receipts))
        memory.session(_newest(space)).summarize()
    with Memory(path, space=name, durability="process", embedder=FreeEmbedder()) as memory:
        memory.rebuild(vectors=True, progress=progress)


def _searched(
    paths: tuple[Path, Path], space: int, runs: int, encoder: Embedder | None
) -> Iterator[tuple[str, list[list[float]]]]:
    """What was timed, and the times in both files."""
    questions = _questions()
    first = [[_first(path, space, question) for path in paths] for question in islice(questions, OPENED)]
    many = min(runs, QUESTIONS) + WARM_UP
    with ExitStack() as stack:
        embedder = _Vectors()
        memories = [stack.enter_context(_opened(path, space, embedder)) for path in paths]
        searches: list[Work] = [memory.search for memory in memories]
        known = list(islice(questions, many))
        for memory in memories:  # their vectors are made here, and kept: what is timed is the search alone
            for question in known:
                memory.search(question)
        yield SEARCH, alternating(searches, known)
        if encoder is not None and encoder.dimension == embedder.dimension:
            embedder.encoder = encoder
            yield ASKED, alternating(searches, list(islice(questions, many)))
            embedder.encoder = FreeEmbedder()
        sessions = [memory.session(_newest(space)) for memory in memories]
        asked = list(islice(questions, many))
        # The question is added before, as in a conversation: the index follows it, which is part of what is timed.
        yield CONTEXT, alternating([_prompt(one) for one in sessions], asked, [_said(one) for one in sessions])
    yield FIRST, [sorted(taken) for taken in zip(*first, strict=True)]


def _prompt(session: Session) -> Work:
    return lambda _: session.context(tokens=TOKENS)


def _said(session: Session) -> Work:
    return lambda text: session.add("user", text)


def _first(path: Path, space: int, question: str) -> float:
    with _opened(path, space, _Vectors()) as memory:
        start = perf_counter()
        memory.search(question)
        return (perf_counter() - start) * 1000


def _amounts(path: Path, space: int) -> Iterator[Figure]:
    """What a space takes in memory and on disk."""
    with _opened(path, space, _Vectors()) as memory:
        memory.search(next(_questions()))
        held = memory._parts.recall.bytes[memory.name]
    taken = sum(part.stat().st_size for part in path.parent.glob(f"{path.name}*"))
    for what, amount in ((MEMORY, float(held)), (DISK, round(taken / space, 1))):
        yield Figure(
            what=what, size=space, p50=amount, p95=amount, topic="search", space=space, alone=True, unit="bytes"
        )


def _ratio(what: str, held: int, space: int, pair: Sequence[Sequence[float]]) -> Figure:
    beside, alone = (figure(what, held, taken) for taken in pair)
    return Figure(
        what=what,
        size=held,
        p50=round(beside.p50 / alone.p50, 3),
        p95=round(beside.p95 / alone.p95, 3),
        topic="search",
        space=space,
        unit="times as long as in a file of its own",
    )


def _opened(path: Path, space: int, embedder: Embedder) -> Memory:
    return Memory(path, space=_name(space), durability="process", embedder=embedder, summarize="inline")


def _name(space: int) -> str:
    return f"searched-{space}"


def _length(space: int) -> int:
    """Messages in each session: there are at least two."""
    return max(1, min(SESSION, space // 2))


def _newest(space: int) -> str:
    return f"session-{(space - 1) // _length(space)}"


def _questions(words: int = 7) -> Iterator[str]:
    """Endless questions, of other words than the messages."""
    return (" ".join(text.rstrip(".").split()[:words]) + "?" for _, text in messages(seed=3))


# The local encoder


def vectors(folder: Path, runs: int) -> Iterator[Figure]:
    """How many messages a second the local encoder gives vectors to, and what that does to adding meanwhile."""
    encoder = embedder_named("auto")
    if encoder is None:
        return
    encoder.embed(["Loads the model."])
    source = messages(seed=4)
    path = folder / "imported.db"
    with Memory(path, durability="process", summarize="manual", embedder=None) as memory:
        memory.session("imported").add_many(islice(source, IMPORTED))
    with Memory(path, durability="process", summarize="manual", embedder=encoder) as memory:
        start = perf_counter()
        memory.rebuild(vectors=True)
        rate = round(IMPORTED / (perf_counter() - start), 1)
    yield Figure(
        what=RATE, size=IMPORTED, p50=rate, p95=rate, note=encoder.name, topic="vectors", unit="messages a second"
    )
    for what, embedder in ((QUIET, None), (BUSY, encoder)):
        with Memory(
            folder / f"background-{embedder is not None}.db", durability="process", embedder=embedder
        ) as memory:
            memory.session("before").add_many(islice(source, WAITING))  # wakes the thread, if there is an embedder
            session = memory.session("meanwhile")
            turns = list(islice(source, min(runs, QUESTIONS) + WARM_UP))
            yield figure(what, WAITING, times(lambda turn: session.add(*turn), turns), topic="vectors")  # noqa: B023


# Peers


def beside(folder: Path, spaces: Sequence[int], runs: int) -> Iterator[Figure]:
    """The searches of what only searches, with the same free vectors."""
    for index in peers.indexes():
        index.open(folder / index.name.replace(" ", "-"))
        try:
            source, held = messages(seed=2), 0
            for space in (size for size in spaces if size <= PEER_MOST):
                for start in range(held, space, BATCH):
                    index.add_many(list(islice(source, min(BATCH, space - start))))
                held = space
                yield found(index, space, runs)
        finally:
            index.close()


def found(peer: peers.Finder, size: int, runs: int) -> Figure:
    """The searches of a peer that holds so many messages."""
    asked = list(islice(_questions(), min(runs, QUESTIONS)))
    taken = times(lambda text: peer.search(text, LIMIT), asked, seconds=PEER_SECONDS)
    return figure(SEARCH, size, taken, who=peer.name, note=peer.about, topic="search", space=size)


# The report


def report(figures: Sequence[Figure]) -> Iterator[str]:
    """What was measured here, as Markdown."""
    ours = [one for one in figures if one.topic == "search" and one.who == "recollect"]
    theirs = [one for one in figures if one.topic == "search" and one.who != "recollect"]
    if ours:
        yield from _spaces_table(ours)
    if theirs:
        yield ""
        yield from _peers_table(ours, theirs)
    if ours:
        yield ""
        yield from _encoder_lines([one for one in figures if one.topic == "vectors"])


def _spaces_table(ours: Sequence[Figure]) -> Iterator[str]:
    spaces = sorted({one.space for one in ours})
    timed = {(one.what, one.space): one for one in ours if one.unit == "ms" and not one.alone}
    ratios = {(one.what, one.space): one.p50 for one in ours if one.unit.startswith("times")}
    amounts = {(one.what, one.space): one.p50 for one in ours if one.unit == "bytes"}
    held = next(iter(timed.values())).size
    yield (
        f"Milliseconds, p50 / p95, by messages in the space, in a file with {held:,} messages of others; "
        "in brackets how many times as long as in a file of its own:"
    )
    yield ""
    rows = [
        [what, *(f"{shown(timed[what, space])} ({ratios[what, space]:.2f}×)" for space in spaces)]
        for what in dict.fromkeys(what for what, _ in timed)
    ]
    rows.append([MEMORY, *(f"{amounts[MEMORY, space] / 1e6:.1f} MB" for space in spaces)])
    rows.append([DISK, *(f"{amounts[DISK, space]:,.0f} bytes" for space in spaces)])
    yield from markdown(["recollect", *(f"{space:,}" for space in spaces)], rows)
    yield ""
    worst, at = max((ratios[what, space], (what, space)) for what, space in ratios if what in (SEARCH, CONTEXT))
    verdict = "within" if worst <= WORTH else "over"
    yield f"Others' data: at most {worst:.2f}× ({at[0]}, {at[1]:,} messages), {verdict} the {WORTH}× that we allow."


def _peers_table(ours: Sequence[Figure], theirs: Sequence[Figure]) -> Iterator[str]:
    alone = [one for one in ours if one.what == SEARCH and one.alone and one.unit == "ms"]
    found = {(one.who, one.space): one for one in (*alone, *theirs)}
    names = list(dict.fromkeys(who for who, _ in found))
    spaces = sorted({one.space for one in theirs})
    yield f"Searches beside others, {LIMIT} hits, the same free vectors, by messages in the store:"
    yield ""
    yield from markdown(
        ["", *(f"{space:,}" for space in spaces)],
        [[name, *(_cell(found.get((name, space))) for space in spaces)] for name in names],
    )
    yield ""
    yield "- recollect: vectors, words, neighbours, speakers and times; a file."
    for name, note in dict.fromkeys((one.who, one.note) for one in theirs):
        yield f"- {name}: {note}."


def _cell(one: Figure | None) -> str:
    return "–" if one is None else shown(one)


def _encoder_lines(measured: Sequence[Figure]) -> Iterator[str]:
    found = {one.what: one for one in measured}
    if not found:
        yield "The local encoder is not installed (recollect[embeddings]): nothing was embedded by it."
        return
    yield f"The local encoder ({found[RATE].note}) gives vectors to {found[RATE].p50:,.0f} messages a second."
    yield (
        f"`add` takes {shown(found[BUSY])} ms while it does so in the background, "
        f"{shown(found[QUIET])} ms with nothing there."
    )
