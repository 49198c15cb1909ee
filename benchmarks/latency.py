"""How long adding and reading take, and how that grows with what the file already holds; peers beside it.

One file grows to each size in turn. The session that is measured always has the same length, so a figure that grows
does so because of the other data. Peers run at the smallest size: most of them would take hours for the largest. In the
file at its largest, spaces of several sizes are then searched (`search_latency.py`). Vectors are made only there: what
making them costs is measured by itself.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks import peers, search_latency
from benchmarks.texts import messages
from benchmarks.timing import WARM_UP, Figure, Work, figure, markdown, shown, times
from recollect.memory import Memory
from recollect.ports import Progress
from recollect.records import Role

__all__ = ["Operation", "disk", "measure", "operations", "report", "table", "work"]

PAGE = 20
BATCH = 1_000
SESSION = 1_000  # messages in the session that is measured
TOKENS = 3_000  # of the contexts that are measured
SPACES = 10  # over which the other messages are spread
OTHERS = 50_000  # different ones among them: making up a million takes longer than keeping them
PEER_SECONDS = 20.0  # for one operation of a peer


Operation = tuple[str, Work, list[Any], Work | None]
"""What is measured: its name, the call, what it is called with, and what happens before each call."""


def measure(
    sizes: Sequence[int], spaces: Sequence[int], with_peers: bool, runs: int, progress: Progress
) -> Iterator[Figure]:
    """The figures as they come: ours at every size, the disk's own, searches in spaces of these sizes, the peers'."""
    searched = _within(spaces, max(sizes))
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        folder = Path(name)
        file = folder / "memory.db"
        yield from _ours(file, sorted(sizes), runs, progress)
        yield disk(folder, runs)
        yield from search_latency.measure(file, max(sizes), searched, runs, progress)
        yield from search_latency.vectors(folder, runs)
        if with_peers:
            for peer in peers.installed():
                yield from _peer(peer, folder, min(sizes), runs)
            yield from search_latency.beside(folder, searched, runs)


def work(sizes: Sequence[int], spaces: Sequence[int]) -> int:
    """How much progress `measure` will tell of."""
    return max(sizes) + search_latency.work(_within(spaces, max(sizes)))


def table(figures: Sequence[Figure]) -> list[dict[str, object]]:
    """The figures as plain dictionaries, for JSON."""
    return [asdict(one) for one in figures]


def report(figures: Sequence[Figure]) -> str:
    """The figures as Markdown: ours by size, then everyone at the smallest size, then what differs between them; then
    the same of searches."""
    journal = [one for one in figures if one.topic == "journal"]
    ours = [one for one in journal if one.who == "recollect"]
    sizes = sorted({one.size for one in ours})
    operations = list(dict.fromkeys(one.what for one in ours))
    found = {(one.what, one.size): one for one in ours}
    lines = ["Milliseconds, p50 / p95, by messages in the file:", ""]
    lines += markdown(
        ["recollect", *(f"{size:,}" for size in sizes), "growth"],
        [
            [what, *(shown(found[what, size]) for size in sizes), f"{_growth(found, what, sizes):.2f}×"]
            for what in operations
        ],
    )
    others = [one for one in journal if one.who != "recollect"]
    disk = [f"{one.what}: {shown(one)} ms" for one in others if not one.size]
    lines += ["", f"On {disk[0]}." if disk else ""]
    if any(one.size for one in others):
        lines += ["", *_beside(journal, min(sizes))]
    lines += ["", *search_latency.report(figures)]
    return "\n".join(lines)


def _beside(figures: Sequence[Figure], size: int) -> Iterator[str]:
    """Everyone at one size. Peers sync each message, so our synced `add` stands beside theirs."""
    columns = {"add": ("add", "add, durability=power"), "add_many of 1000": (), "history, newest 20": ()}
    names = list(dict.fromkeys(one.who for one in figures if one.size == size))
    found = {(one.who, one.what): one for one in figures if one.size == size}
    rows = []
    for name in names:
        cells = [
            next(found[name, key] for key in (what, *also) if (name, key) in found) for what, also in columns.items()
        ]
        rows.append([name, *(shown(cell) for cell in cells)])
    yield f"Beside others, {size:,} messages in the store, every message synced to disk, ours without vectors:"
    yield ""
    yield from markdown(["", *columns], rows)
    yield ""
    for name in names:
        for remark in {one.note for one in figures if one.who == name and one.note}:
            yield f"- {name}: {remark}."


def _growth(found: dict[tuple[str, int], Figure], what: str, sizes: Sequence[int]) -> float:
    return found[what, sizes[-1]].p50 / found[what, sizes[0]].p50


def _ours(path: Path, sizes: Sequence[int], runs: int, progress: Progress) -> Iterator[Figure]:
    source = messages()
    others = cycle(list(islice(messages(seed=5), min(OTHERS, sizes[-1]))))
    held = 0
    for size in sizes:
        held = _grow(path, held, size, others, progress)
        with (
            Memory(path, durability="process", embedder=None) as memory,
            Memory(path, durability="process", embedder=None, summarize="inline") as inline,
        ):
            for what, call, inputs, prepare in operations(memory, inline, f"measured-{size}", source, runs):
                yield figure(what, size, times(call, inputs, prepare))
        with Memory(path, embedder=None) as memory:
            durable = memory.space(f"measured-{size}").session("said")
            inputs = list(islice(source, runs + WARM_UP))
            yield figure("add, durability=power", size, times(lambda turn: durable.add(*turn), inputs))  # noqa: B023


def operations(
    memory: Memory, inline: Memory, name: str, source: Iterator[tuple[Role, str]], runs: int
) -> Iterator[Operation]:
    """What is measured in a space of this name. `inline` makes summaries before a call returns, so that what they take
    is seen, and prompts have them."""
    space, at_once = memory.space(name), inline.space(name)
    session, bulk = space.session("said"), at_once.session("bulk")
    session.add_many(islice(source, SESSION))
    session.flush()
    turns = list(islice(source, runs + WARM_UP))
    batches = [list(islice(source, BATCH)) for _ in range(max(5, runs // 50))]
    yield "add, durability=process", lambda turn: session.add(*turn), turns, None
    session.flush()
    session = at_once.session(session.id)
    yield "the same, summarize=inline", lambda turn: session.add(*turn), turns, None
    yield "history, newest 20", lambda _: list(session.history(last=PAGE)), turns, None
    yield "history, page of 20", lambda _: list(session.history(after=SESSION // 2, limit=PAGE)), turns, None
    # A message is added before each context, as in a conversation; adding is not timed again.
    said = lambda turn: session.add("user", turn[1])  # noqa: E731
    yield f"context of {TOKENS} tokens", lambda _: session.context(tokens=TOKENS), turns, said
    yield "add_many of 1000, with summaries", bulk.add_many, batches[:3], None
    with Memory(memory._address, durability="process", summarize="manual", embedder=None) as plain:
        journal = plain.space(name).session("journal")
        yield "add_many of 1000", journal.add_many, batches, None


def _grow(path: Path, held: int, size: int, source: Iterator[tuple[Role, str]], progress: Progress) -> int:
    """Fill the file up to `size` messages, in sessions of a thousand over several spaces."""
    with Memory(path, durability="process", summarize="manual", embedder=None) as memory:
        while held < size:
            count = min(BATCH, size - held)
            space = memory.space(f"space-{held // BATCH % SPACES}")
            space.session(f"session-{held}").add_many(islice(source, count))
            held += count
            progress(count)
    return held


def disk(folder: Path, runs: int) -> Figure:
    """What one small durable write costs on this disk: no durable add can be faster."""
    handle = os.open(folder / "probe", os.O_RDWR | os.O_CREAT)

    def write(_: int) -> None:
        os.pwrite(handle, b"x" * 4096, 0)
        os.fdatasync(handle)

    try:
        taken = times(write, list(range(runs)))
    finally:
        os.close(handle)
    return figure("this disk, writing 4 KiB and syncing them", 0, taken, who="this disk")


def _peer(peer: peers.Peer, folder: Path, size: int, runs: int) -> Iterator[Figure]:
    source = messages()
    place = folder / peer.name.replace(" ", "-")
    place.mkdir()
    peer.open(place)
    try:
        peer.add_many(list(islice(source, size)))
        if isinstance(peer, peers.Finder):
            yield search_latency.found(peer, size, runs)
        turns = list(islice(source, min(runs, 200)))  # fewer: some take tens of milliseconds
        batches = [list(islice(source, BATCH)) for _ in range(3)]
        for what, call, inputs in (
            ("add", lambda turn: peer.add(*turn), turns),
            ("history, newest 20", lambda _: peer.page(PAGE), turns),
            ("add_many of 1000", peer.add_many, batches),
        ):
            taken = times(call, inputs, seconds=PEER_SECONDS)
            yield figure(what, size, taken, who=peer.name, note=peer.note)
    finally:
        peer.close()


def _within(spaces: Sequence[int], most: int) -> list[int]:
    """The spaces that are no larger than the file, or one as large as it."""
    return sorted({space for space in spaces if space <= most} or {most})
