"""How long adding and reading take, and how that grows with what the file already holds; peers beside it.

One file grows to each size in turn. The session that is measured always has the same length, so a figure that grows
does so because of the other data. Peers run at the smallest size: most of them would take hours for the largest.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

from recollect.bench import peers
from recollect.bench.texts import messages
from recollect.memory import Memory
from recollect.ports import Progress
from recollect.records import Role

__all__ = ["Figure", "measure", "report", "table"]

PAGE = 20
BATCH = 1_000
WARM_UP = 50
SESSION = 1_000  # messages in the session that is measured
TOKENS = 3_000  # of the contexts that are measured
SPACES = 10  # over which the other messages are spread


Operation = tuple[str, Callable[[Any], object], list[Any], Callable[[Any], object] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One measured operation."""

    who: str  # recollect or a peer, with its version
    what: str  # the operation
    size: int  # messages in the file
    p50: float  # milliseconds; for add_many per batch of 1000
    p95: float
    note: str = ""


def measure(sizes: Sequence[int], with_peers: bool, runs: int, progress: Progress) -> Iterator[Figure]:
    """The figures as they come: ours at every size, then the disk's own, then the peers'."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as folder:
        yield from _ours(Path(folder), sorted(sizes), runs, progress)
        yield _disk(Path(folder), runs)
        if with_peers:
            for peer in peers.installed():
                yield from _peer(peer, Path(folder), min(sizes), runs)


def table(figures: Sequence[Figure]) -> list[dict[str, object]]:
    """The figures as plain dictionaries, for JSON."""
    return [asdict(figure) for figure in figures]


def report(figures: Sequence[Figure]) -> str:
    """The figures as Markdown: ours by size, then everyone at the smallest size, then what differs between them."""
    ours = [figure for figure in figures if figure.who == "recollect"]
    sizes = sorted({figure.size for figure in ours})
    operations = list(dict.fromkeys(figure.what for figure in ours))
    found = {(figure.what, figure.size): figure for figure in ours}
    lines = ["Milliseconds, p50 / p95, by messages in the file:", ""]
    lines += _markdown(
        ["recollect", *(f"{size:,}" for size in sizes), "growth"],
        [
            [what, *(_shown(found[what, size]) for size in sizes), f"{_growth(found, what, sizes):.2f}×"]
            for what in operations
        ],
    )
    others = [figure for figure in figures if figure.who != "recollect"]
    disk = [f"{figure.what}: {_shown(figure)} ms" for figure in others if not figure.size]
    lines += ["", f"On {disk[0]}." if disk else ""]
    if any(figure.size for figure in others):
        lines += ["", *_beside(figures, min(sizes))]
    return "\n".join(lines)


def _beside(figures: Sequence[Figure], size: int) -> Iterator[str]:
    """Everyone at one size. Peers sync each message, so our synced `add` stands beside theirs."""
    columns = {"add": ("add", "add, durability=power"), "add_many of 1000": (), "history, newest 20": ()}
    names = list(dict.fromkeys(figure.who for figure in figures if figure.size == size))
    found = {(figure.who, figure.what): figure for figure in figures if figure.size == size}
    rows = []
    for name in names:
        cells = [
            next(found[name, key] for key in (what, *also) if (name, key) in found) for what, also in columns.items()
        ]
        rows.append([name, *(_shown(cell) for cell in cells)])
    yield f"Beside others, {size:,} messages in the store, every message synced to disk:"
    yield ""
    yield from _markdown(["", *columns], rows)
    yield ""
    for name in names:
        for remark in {figure.note for figure in figures if figure.who == name and figure.note}:
            yield f"- {name}: {remark}."


def _markdown(head: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---", *["--:"] * (len(head) - 1)], *rows)]


def _shown(figure: Figure) -> str:
    return f"{figure.p50:.3f} / {figure.p95:.3f}" if figure.p95 < 10 else f"{figure.p50:.1f} / {figure.p95:.1f}"


def _growth(found: dict[tuple[str, int], Figure], what: str, sizes: Sequence[int]) -> float:
    return found[what, sizes[-1]].p50 / found[what, sizes[0]].p50


def _ours(folder: Path, sizes: Sequence[int], runs: int, progress: Progress) -> Iterator[Figure]:
    path = folder / "memory.db"
    source = messages()
    held = 0
    for size in sizes:
        held = _grow(path, held, size, source, progress)
        with Memory(path, durability="process") as memory:
            for what, work, inputs, prepare in _operations(memory, size, source, runs):
                yield _figure(what, size, _times(work, inputs, prepare))
        with Memory(path) as memory:
            durable = memory.space(f"measured-{size}").session(f"at-{size}")
            inputs = list(islice(source, runs + WARM_UP))
            yield _figure("add, durability=power", size, _times(lambda turn: durable.add(*turn), inputs))  # noqa: B023


def _operations(memory: Memory, size: int, source: Iterator[tuple[Role, str]], runs: int) -> Iterator[Operation]:
    """What is measured: its name, the call, what it is called with, and what happens before each call."""
    space = memory.space(f"measured-{size}")
    session, bulk = space.session(f"at-{size}"), space.session(f"bulk-{size}")
    session.add_many(islice(source, SESSION))
    session.flush()
    turns = list(islice(source, runs + WARM_UP))
    batches = [list(islice(source, BATCH)) for _ in range(max(5, runs // 50))]
    yield "add, durability=process", lambda turn: session.add(*turn), turns, None
    yield "history, newest 20", lambda _: list(session.history(last=PAGE)), turns, None
    yield "history, page of 20", lambda _: list(session.history(after=SESSION // 2, limit=PAGE)), turns, None
    # A message is added before each context, as in a conversation; adding is not timed again.
    said = lambda turn: session.add("user", turn[1])  # noqa: E731
    yield f"context of {TOKENS} tokens", lambda _: session.context(tokens=TOKENS), turns, said
    yield "add_many of 1000, with summaries", bulk.add_many, batches[:3], None
    with Memory(memory._address, durability="process", summarize="manual") as plain:
        journal = plain.space(space.name).session(f"journal-{size}")
        yield "add_many of 1000", journal.add_many, batches, None


def _grow(path: Path, held: int, size: int, source: Iterator[tuple[Role, str]], progress: Progress) -> int:
    """Fill the file up to `size` messages, in sessions of a thousand over several spaces."""
    with Memory(path, durability="process", summarize="manual") as memory:
        while held < size:
            count = min(BATCH, size - held)
            space = memory.space(f"space-{held // BATCH % SPACES}")
            space.session(f"session-{held}").add_many(islice(source, count))
            held += count
            progress(count)
    return held


def _disk(folder: Path, runs: int) -> Figure:
    """What one small durable write costs on this disk: no durable add can be faster."""
    handle = os.open(folder / "probe", os.O_RDWR | os.O_CREAT)

    def write(_: int) -> None:
        os.pwrite(handle, b"x" * 4096, 0)
        os.fdatasync(handle)

    try:
        times = _times(write, list(range(runs)))
    finally:
        os.close(handle)
    return Figure(
        who="this disk",
        what="this disk, writing 4 KiB and syncing them",
        size=0,
        p50=_at(times, 0.5),
        p95=_at(times, 0.95),
    )


def _peer(peer: peers.Peer, folder: Path, size: int, runs: int) -> Iterator[Figure]:
    source = messages()
    place = folder / peer.name.replace(" ", "-")
    place.mkdir()
    peer.open(place)
    try:
        peer.add_many(list(islice(source, size)))
        turns = list(islice(source, min(runs, 200)))  # fewer: some take tens of milliseconds
        batches = [list(islice(source, BATCH)) for _ in range(3)]
        for what, work, inputs in (
            ("add", lambda turn: peer.add(*turn), turns),
            ("history, newest 20", lambda _: peer.page(PAGE), turns),
            ("add_many of 1000", peer.add_many, batches),
        ):
            yield replace(_figure(what, size, _times(work, inputs)), who=peer.name, note=peer.note)
    finally:
        peer.close()


def _figure(what: str, size: int, times: list[float]) -> Figure:
    return Figure(who="recollect", what=what, size=size, p50=_at(times, 0.5), p95=_at(times, 0.95))


def _times(
    work: Callable[[Any], object], inputs: Sequence[Any], prepare: Callable[[Any], object] | None = None
) -> list[float]:
    """Milliseconds of each call, sorted; the first few warm up and do not count."""
    times = []
    for given in inputs:
        if prepare is not None:
            prepare(given)
        start = perf_counter()
        work(given)
        times.append((perf_counter() - start) * 1000)
    return sorted(times[min(WARM_UP, len(times) // 5) :])


def _at(times: list[float], share: float) -> float:
    return round(times[min(len(times) - 1, int(len(times) * share))], 4)
