"""How long the pages take over a large memory that is served, each asked for again and again, in turn."""

import tempfile
from contextlib import closing
from http.client import HTTPConnection
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Annotated
from urllib.parse import quote

import typer

from benchmarks import facts
from benchmarks.figures import Figures, benchmark, cells, ms
from benchmarks.served import served
from onrecord.errors import StoreError
from onrecord.memory import Memory

LONG = "the long one"
SHARE = 0.6  # of all messages that stand in it
SHORT = 1_000  # messages of each other conversation
AT_ONCE = 1_000
EVERY = 10  # messages, of which one states something
WARM_UP = 5  # rounds that do not count
QUESTION = quote("What do I like for dinner?")
PAGES = {
    "conversations": "/ui/",
    "chat": f"/ui/chat/{quote(LONG)}",
    "conversation": f"/ui/sessions/{quote(LONG)}",
    "what the model sees": f"/ui/context/{quote(LONG)}?question={QUESTION}",
    "the same, by two profiles": f"/ui/context/{quote(LONG)}?question={QUESTION}&with_profile=hybrid",
    "story": f"/ui/episodes?session={quote(LONG)}",
    "recall": f"/ui/recall?q={QUESTION}",
    "facts": "/ui/facts",
    "relations": "/ui/facts/graph",
    "episodes": "/ui/episodes",
    "health": "/ui/health",
}

Count = Annotated[int, typer.Option("--messages", min=10, help="How many messages the file holds.")]
Runs = Annotated[int, typer.Option(min=1, help="How often each page is asked for.")]


@benchmark
def pages(count: Count = 100_000, runs: Runs = 40) -> Figures:
    """Measure how long each page takes over a large memory.

    Example: python -m benchmarks pages --messages 10000
    """
    with tempfile.TemporaryDirectory(prefix="onrecord-pages-") as folder:
        path = Path(folder) / "memory.db"
        _fill(path, count)
        with served(str(path)) as service, closing(HTTPConnection("127.0.0.1", service.port, timeout=120)) as door:
            rounds = [{name: _ask(door, name) for name in PAGES} for _ in range(WARM_UP + runs)]
    for name in PAGES:
        times = sorted(taken for taken, _ in (answers[name] for answers in rounds[WARM_UP:]))
        yield ms("Pages", name, "latency, ms, p50 / p95", times)
        yield from cells("Pages", name, {"size, kB": (rounds[-1][name][1] / 1000, "n")})


def _fill(path: Path, count: int) -> None:
    source, long = facts.conversation(1, EVERY), int(count * SHARE)
    lengths = [(LONG, long), *((f"chat {start // SHORT}", SHORT) for start in range(long, count, SHORT))]
    with Memory(path, embedder=None, durability="process", summarize="inline") as memory:
        for name, length in lengths:
            for start in range(0, length, AT_ONCE):
                memory.session(name).add_many(islice(source, min(AT_ONCE, length - start)))


def _ask(door: HTTPConnection, name: str) -> tuple[float, int]:
    """Milliseconds that a page takes, and its bytes. Raises `StoreError`."""
    begun = perf_counter()
    door.request("GET", PAGES[name])
    answer = door.getresponse()
    size = len(answer.read())
    if answer.status != 200:
        raise StoreError(f"The page {name} answered {answer.status}.", "Look at the service's log.")
    return 1000 * (perf_counter() - begun), size
