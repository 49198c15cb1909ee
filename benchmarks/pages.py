"""How long the pages take over a large memory: a file with one long conversation and many others, served, and each page
asked for again and again over HTTP, in turn."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from http.client import HTTPConnection
from importlib.resources import files
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from urllib.parse import quote

from benchmarks.served import served
from benchmarks.texts import messages
from benchmarks.timing import figure, markdown
from recollect.errors import StoreError
from recollect.memory import Memory
from recollect.ports import Progress
from recollect.records import Role

__all__ = ["PAGES", "Page", "measure", "plain", "report"]

LONG = "the long one"
SHARE = 0.6  # of all messages that stand in it
SHORT = 1_000  # messages of each other conversation
AT_ONCE = 1_000
EVERY = 9  # messages, of which one tells a fact
WARM_UP = 5  # rounds that do not count
QUESTION = "What do I like for dinner?"

_HERE, _ASKED = quote(LONG), quote(QUESTION)
PAGES = {
    "conversations": "/ui/",
    "chat": f"/ui/chat/{_HERE}",
    "conversation": f"/ui/sessions/{_HERE}",
    "what the model sees": f"/ui/context/{_HERE}?question={_ASKED}",
    "the same, by two profiles": f"/ui/context/{_HERE}?question={_ASKED}&with_profile=hybrid",
    "story": f"/ui/arc/{_HERE}",
    "recall": f"/ui/recall?q={_ASKED}",
    "facts": "/ui/facts",
    "relations": "/ui/facts/graph",
    "episodes": "/ui/episodes",
    "health": "/ui/health",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """One page."""

    name: str
    p50: float  # milliseconds
    p95: float
    bytes: int


def measure(count: int, runs: int, progress: Progress = lambda done: None) -> list[Page]:
    """Fill a file with so many messages, and ask for each page so often; progress counts messages."""
    with tempfile.TemporaryDirectory(prefix="recollect-pages-") as folder:
        path = Path(folder) / "memory.db"
        _fill(path, count, progress)
        with served(str(path)) as service, closing(HTTPConnection("127.0.0.1", service.port, timeout=120)) as door:
            for _ in range(WARM_UP):  # the first ones open indexes, and what is due in the background gets done
                _round(door)
            rounds = [_round(door) for _ in range(runs)]
    found = []
    for name in PAGES:
        taken = figure(name, 0, sorted(one[name][0] for one in rounds))
        found.append(Page(name=name, p50=taken.p50, p95=taken.p95, bytes=rounds[-1][name][1]))
    return found


def _fill(path: Path, count: int, progress: Progress) -> None:
    said = _told()
    long = int(count * SHARE)
    sizes = [(LONG, long), *((f"chat {start // SHORT}", SHORT) for start in range(long, count, SHORT))]
    with Memory(path, embedder=None, durability="process", summarize="inline") as memory:
        for name, size in sizes:
            session = memory.session(name)
            for start in range(0, size, AT_ONCE):
                batch = list(islice(said, min(AT_ONCE, size - start)))
                session.add_many(batch)
                progress(len(batch))


def _told() -> Iterator[tuple[Role, str]]:
    """Made-up conversation in which people also tell something of themselves."""
    lines = files("benchmarks").joinpath("labelled_facts.jsonl").read_text("utf-8").splitlines()
    facts = cycle(json.loads(line)["text"] for line in lines)
    for number, (role, text) in enumerate(messages()):
        yield (role, next(facts)) if number % EVERY == 0 and role == "user" else (role, text)


def _round(door: HTTPConnection) -> dict[str, tuple[float, int]]:
    """Each page once: milliseconds, and bytes."""
    return {name: _asked(door, name, address) for name, address in PAGES.items()}


def _asked(door: HTTPConnection, name: str, address: str) -> tuple[float, int]:
    begun = perf_counter()
    door.request("GET", address)
    answer = door.getresponse()
    size = len(answer.read())
    if answer.status != 200:
        raise StoreError(f"The page {name} answered {answer.status}.", "Look at the service's log.")
    return 1000 * (perf_counter() - begun), size


def report(pages: Sequence[Page]) -> str:
    """The figures as a table in Markdown."""
    rows = [[page.name, f"{page.p50:.1f} / {page.p95:.1f}", f"{page.bytes / 1000:,.0f}"] for page in pages]
    return "\n".join(markdown(["page", "ms, p50 / p95", "kB"], rows))


def plain(pages: Sequence[Page]) -> list[dict[str, object]]:
    """The figures, for JSON."""
    return [asdict(page) for page in pages]
