"""The measurements of latency on a server beside a file, in one run: the same calls with the same data, in turn.

Others' messages grow in spaces of their own, and what is measured is always a new space of the same size. The same
calls go in turn to a file, and where there is one to a database, that holds nothing of others: how much longer they
take because of others then holds on a busy machine as well. In the end spaces of several sizes are searched, and
several processes work at once.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import islice, tee
from pathlib import Path
from time import perf_counter
from typing import Any

from benchmarks import clients as several
from benchmarks.latency import Operation, disk, operations
from benchmarks.places import Others, Place, levels
from benchmarks.search_latency import CONTEXT, FIRST, SEARCH, TOKENS, WORTH
from benchmarks.texts import FreeEmbedder, messages
from benchmarks.timing import WARM_UP, Figure, Work, alternating, figure, markdown, shown
from recollect.memory import Memory
from recollect.ports import Progress
from recollect.records import Role
from recollect.session import Session

__all__ = ["about", "measure", "report", "work"]

SEARCHED = 1_000  # messages in the space that is searched beside ever more messages of others
SHARE = 10  # spaces that are searched in the end hold at most this part of what others do
SESSION = 500  # messages in each session of a space that is searched
QUESTIONS = 150  # that are timed, at most
OPENED = 3  # times that a first search is timed
SECONDS = 4.0  # that clients work, for each kind of operation
EMPTY = "a statement that does nothing"
POWER = "add, durability=power"
GROWTH = ("add, durability=process", POWER, "history, newest 20", SEARCH, CONTEXT)  # what must not grow
FILE = "SQLite"


def work(others: int, spaces: Sequence[int]) -> int:
    """How much progress `measure` will tell of: messages of others, and messages in spaces that are searched."""
    grown = 3 * min(SEARCHED, others) * len(levels(others))
    return 2 * (others + sum(_searched_spaces(others, spaces))) + grown


def measure(
    server: Place,
    alone: Place | None,  # a database of the same server without messages of others
    others: int,
    spaces: Sequence[int],
    clients: Sequence[int],
    runs: int,
    progress: Progress,
) -> Iterator[Figure]:
    """The figures as they come; `who` is where it was measured, `size` the messages of others, or of clients their
    number."""
    with tempfile.TemporaryDirectory(prefix="recollect-bench-") as name:
        places = [Place(title=FILE, address=str(Path(name, "memory.db"))), server]
        controls = [Place(title=FILE, address=str(Path(name, "alone.db")), alone=True)]
        controls += [] if alone is None else [replace(alone, alone=True)]
        yield disk(Path(name), runs)
        yield server.ask(lambda db: _empty(db, runs))
        filled = [Others(place, others) for place in places]
        for size in levels(others):
            for one in filled:
                one.grow(size, progress)
            paired = _Pass(places=[*places, *controls], topic="growth", others=size, runs=runs)
            yield from paired.journal(GROWTH)
            yield from paired.searches(min(SEARCHED, others), progress)
        last = _Pass(places=places, topic="beside", others=others, runs=runs)
        yield from last.journal()
        for space in _searched_spaces(others, spaces):
            yield from last.searches(space, progress)
        for number in clients:
            for place in places:
                for rate in several.measure(place, number, SECONDS):
                    yield from _rates(rate)


def about(server: Place) -> str:
    """What the server is, in words."""

    def ask(db: Any) -> str:
        names = ("server_version", "shared_buffers", "fsync", "synchronous_commit")
        version, *rest = (db.execute(f"SHOW {name}").fetchone()[0] for name in names)
        settings = ", ".join(f"{name} {value}" for name, value in zip(names[1:], rest, strict=True))
        return f"PostgreSQL {version.split()[0]} ({settings}); clients on a machine with {os.cpu_count()} cores"

    return server.ask(ask)


def _empty(db: Any, runs: int) -> Figure:
    """What going to the server and back takes: nothing there can be faster."""
    taken = alternating([lambda _: db.execute("SELECT 1").fetchone()], range(runs + WARM_UP))[0]
    return figure(EMPTY, 0, taken, who="PostgreSQL", topic="server")


def _rates(rate: several.Rate) -> Iterator[Figure]:
    amounts = ((rate.second, "a second"), (rate.cores, "cores"), (float(rate.connections), "connections"))
    for amount, unit in amounts:
        yield Figure(
            who=rate.where, what=rate.what, size=rate.clients, p50=amount, p95=amount, topic="clients", unit=unit
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Pass:
    """Calls that go to several places in turn, in new spaces there."""

    places: Sequence[Place]
    topic: str  # of the figures
    others: int  # messages of others
    runs: int  # of each call

    def journal(self, wanted: Sequence[str] = ()) -> Iterator[Figure]:
        """Adding and reading: every operation, or only the wanted ones."""
        name = f"measured-{self.topic}-{self.others}"
        sources = tee(messages(), len(self.places))
        with ExitStack() as stack:
            pairs = zip(self.places, sources, strict=True)
            each = [_operations(stack, place, name, source, self.runs) for place, source in pairs]
            for same in zip(*each, strict=True):
                if not wanted or same[0][0] in wanted:
                    yield from self._timed(same)
        with ExitStack() as stack:
            sessions = [stack.enter_context(place.open(name)).session("said") for place in self.places]
            inputs = list(islice(sources[0], self.runs + WARM_UP))
            yield from self._figures(POWER, alternating([_adding(one) for one in sessions], inputs))

    def _timed(self, same: Sequence[Operation]) -> Iterator[Figure]:
        """The figures of one operation that is the same in all places."""
        what, _, inputs, prepared = same[0]
        prepares = [prepare for _, _, _, prepare in same if prepare is not None]
        calls = [call for _, call, _, _ in same]
        yield from self._figures(what, alternating(calls, inputs, prepares if prepared else None))

    def searches(self, space: int, progress: Progress) -> Iterator[Figure]:
        """Searches in a new space of so many messages, and prompts that recall by them."""
        name = f"searched-{self.topic}-{space}-{self.others}"
        said = list(islice(messages(seed=2), space))
        for place in self.places:
            _build(place, name, said)
            progress(space)
        many = min(self.runs, QUESTIONS) + WARM_UP
        questions = [" ".join(text.split()[:7]) + "?" for _, text in islice(messages(seed=3), many)]
        first = [sorted(_first(place, name, question) for question in questions[:OPENED]) for place in self.places]
        yield from self._figures(FIRST, first, space)
        with ExitStack() as stack:
            memories = [stack.enter_context(_opened(place, name)) for place in self.places]
            for memory in memories:  # vectors of the questions are made here, and kept
                for question in questions:
                    memory.search(question)
            searches: list[Work] = [memory.search for memory in memories]
            yield from self._figures(SEARCH, alternating(searches, questions), space)
            sessions = [memory.session(_session((space - 1) // SESSION)) for memory in memories]
            # The question is added before, as in a conversation: the index follows it, which is part of what is timed.
            prompts, asked = [_prompt(one) for one in sessions], [_asking(one) for one in sessions]
            yield from self._figures(CONTEXT, alternating(prompts, questions, asked), space)

    def _figures(self, what: str, taken: Sequence[Sequence[float]], space: int = 0) -> Iterator[Figure]:
        for place, one in zip(self.places, taken, strict=True):
            yield figure(what, self.others, one, who=place.title, topic=self.topic, space=space, alone=place.alone)


def _operations(
    stack: ExitStack, place: Place, name: str, source: Iterator[tuple[Role, str]], runs: int
) -> Iterator[Operation]:
    memory = stack.enter_context(place.open(name, durability="process"))
    inline = stack.enter_context(place.open(name, durability="process", summarize="inline"))
    return operations(memory, inline, memory.name, source, runs)


def _adding(session: Session) -> Work:
    return lambda turn: session.add(*turn)


def _build(place: Place, name: str, said: Sequence[tuple[Role, str]]) -> None:
    """Write a space in sessions, summarise the newest, then make all vectors."""
    with place.open(name, durability="process", summarize="manual") as memory:
        for start in range(0, len(said), SESSION):
            memory.session(_session(start // SESSION)).add_many(said[start : start + SESSION])
        memory.session(_session((len(said) - 1) // SESSION)).summarize()
    with _opened(place, name) as memory:
        memory.rebuild(vectors=True)


def _opened(place: Place, name: str) -> Memory:
    return place.open(name, durability="process", summarize="inline", embedder=FreeEmbedder())


def _first(place: Place, name: str, question: str) -> float:
    with _opened(place, name) as memory:
        start = perf_counter()
        memory.search(question)
        return (perf_counter() - start) * 1000


def _session(number: int) -> str:
    return f"session-{number}"


def _prompt(session: Session) -> Work:
    return lambda _: session.context(tokens=TOKENS)


def _asking(session: Session) -> Work:
    return lambda text: session.add("user", text)


def _searched_spaces(others: int, spaces: Sequence[int]) -> list[int]:
    """The spaces that are searched: one beside each level of others, larger ones beside most of them."""
    least = min(SEARCHED, others)
    return [least, *sorted({space for space in spaces if least < space <= others // SHARE})]


# The report


def report(figures: Sequence[Figure], server: str) -> str:
    """The figures as Markdown: side by side, how they grow, searches by size of the space, and several clients."""
    parts = (_side_by_side(figures, server), _growth(figures), _spaces(figures), _clients(figures))
    return "\n\n".join("\n".join(lines) for part in parts if (lines := list(part)))


def _side_by_side(figures: Sequence[Figure], server: str) -> Iterator[str]:
    ours = [one for one in figures if one.topic == "beside"]
    least = min(one.space for one in ours if one.space)
    titles = list(dict.fromkeys(one.who for one in ours))
    found = {(one.what, one.who): one for one in ours if one.space in (0, least)}
    yield (
        f"Milliseconds, p50 / p95, beside {ours[0].size:,} messages in other spaces; searches and recalled contexts in "
        f"a space of {least:,} messages:"
    )
    yield ""
    rows = [
        [what, *(shown(found[what, title]) for title in titles), _times(*(found[what, title].p50 for title in titles))]
        for what in dict.fromkeys(what for what, _ in found)
    ]
    yield from markdown(["", *titles, "times as long"], rows)
    yield ""
    yield f"{server}."
    alone = [one for one in figures if one.topic == "server" or one.who == "this disk"]
    yield from (f"{one.what[0].upper()}{one.what[1:]}: {shown(one)} ms." for one in alone)


def _growth(figures: Sequence[Figure]) -> Iterator[str]:
    ours = [one for one in figures if one.topic == "growth" and one.what in GROWTH]
    sizes = sorted({one.size for one in ours})
    found = {(one.what, one.who, one.alone, one.size): one.p50 for one in ours}
    names = list(dict.fromkeys((what, who) for what, who, _, _ in found))
    grown = {name: _ratios(found, *name, sizes) for name in names}
    yield (
        "p50 in milliseconds, by messages in other spaces; in brackets how many times as long as the same calls in "
        "turn where there are none, or else as with the fewest:"
    )
    yield ""
    rows = []
    for what, who in sorted(names, key=lambda name: GROWTH.index(name[0])):
        cells = zip(sizes, grown[what, who], strict=True)
        rows.append([f"{what}, {who}", *(f"{found[what, who, False, size]:.3f} ({one:.2f}×)" for size, one in cells)])
    yield from markdown(["", *(f"{size:,}" for size in sizes)], rows)
    yield ""
    for title in dict.fromkeys(who for _, who in names):
        worst, what = max((grown[name][-1], name[0]) for name in names if name[1] == title)
        verdict = "within" if worst <= WORTH else "over"
        yield f"Others' data, {title}: at most {worst:.2f}× ({what}), {verdict} the {WORTH}× that we allow."


def _ratios(
    found: Mapping[tuple[str, str, bool, int], float], what: str, who: str, sizes: Sequence[int]
) -> list[float]:
    """How many times as long it takes beside so many messages of others."""
    fewest = found[what, who, False, sizes[0]]
    return [found[what, who, False, size] / found.get((what, who, True, size), fewest) for size in sizes]


def _spaces(figures: Sequence[Figure]) -> Iterator[str]:
    ours = [one for one in figures if one.topic == "beside" and one.space]
    found = {(one.what, one.who, one.space): one for one in ours}
    spaces = sorted({space for _, _, space in found})
    if len(spaces) < 2:  # the first table has it
        return
    yield f"Milliseconds, p50 / p95, by messages in the space, beside {ours[0].size:,} in others:"
    yield ""
    names = dict.fromkeys((what, who) for what, who, _ in found)
    rows = [[f"{what}, {who}", *(shown(found[what, who, space]) for space in spaces)] for what, who in names]
    yield from markdown(["", *(f"{space:,}" for space in spaces)], rows)


def _clients(figures: Sequence[Figure]) -> Iterator[str]:
    found = {(one.what, one.who, one.unit, one.size): one.p50 for one in figures if one.topic == "clients"}
    if not found:
        return
    numbers = sorted({number for _, _, _, number in found})
    yield (
        "Operations a second in all, by client processes, each in a space of its own; in brackets how many times as "
        f"many as with {numbers[0]}, and how many cores the clients took (the server takes its own):"
    )
    yield ""
    rows = []
    for what, who in sorted({(what, who) for what, who, _, _ in found}):
        rates = [found[what, who, "a second", number] for number in numbers]
        cores = [found[what, who, "cores", number] for number in numbers]
        cells = [f"{rate:,.0f} ({_times(rates[0], rate)}, {took:.1f})" for rate, took in zip(rates, cores, strict=True)]
        rows.append([f"{what}, {who}", *cells])
    yield from markdown(["", *(f"{number:,}" for number in numbers)], rows)
    yield ""
    most = [max(found[key] for key in found if key[2:] == ("connections", number)) for number in numbers]
    yield f"Connections to the server, at most: {', '.join(f'{one:.0f}' for one in most)}."


def _times(first: float, second: float) -> str:
    return f"{second / first:.2f}×" if first else "–"
