"""Labelled conversations for the benchmarks of recall: read from files, and put into a memory.

The shape of the files is in docs/benchmarks.md. Ids of messages are never stored: hits are known by session and number.
"""

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.figures import read
from onrecord import ports
from onrecord.errors import InvalidInput
from onrecord.memory import Memory
from onrecord.models.embedders import embedder_named
from onrecord.models.tokenizers import counter_for
from onrecord.recall.index import SpaceIndex
from onrecord.recall.spaces import Spaces
from onrecord.records import Hit, Message, Role

INDEX_BYTES = 2_000_000_000  # every conversation of a run stays cached
COUNT = counter_for(None).text

Sets = Annotated[list[str] | None, typer.Option("--set", help="Only this set; may be repeated.", metavar="NAME")]
Embedder = Annotated[str, typer.Option(help="What makes the vectors: auto, local, none, or another.")]


@dataclass(frozen=True, slots=True)
class Turn:
    """One message."""

    session: str
    speaker: str
    said: str
    time: str | None = None

    @property
    def text(self) -> str:
        """What is kept of it."""
        return f"{self.speaker}: {self.said}"

    @property
    def role(self) -> Role:
        return "assistant" if self.speaker.lower() == "assistant" else "user"


@dataclass(frozen=True, slots=True)
class Question:
    """A question, and where its evidence stands."""

    id: str
    text: str
    category: str
    gold: frozenset[int]  # numbers of turns, from 0


@dataclass(frozen=True, slots=True)
class Conversation:
    """A conversation with its questions."""

    set: str  # the collection that it is from
    id: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]

    @property
    def space(self) -> str:
        return f"{self.set} {self.id}"


@dataclass(frozen=True, slots=True)
class Held:
    """A conversation in a memory."""

    conversation: Conversation
    memory: Memory  # its space
    places: dict[tuple[str, int], int]  # number of a turn, by session and number of its message
    sizes: tuple[int, ...]  # tokens of each turn
    embedder: ports.Embedder | None = None

    def turn(self, hit: Hit) -> int:
        return self.places[hit.session, hit.seq]

    @contextmanager
    def index(self) -> Iterator[tuple[Spaces, SpaceIndex]]:
        """The index of the space."""
        spaces = Spaces(self.memory._store, self.embedder, INDEX_BYTES)
        with spaces.at(self.memory.name) as index:
            yield spaces, index

    def owners(self, index: SpaceIndex) -> NDArray[Any]:
        """The turn that each passage of the index is from; -1: none, it is from a summary."""
        items = [self.places[item.session, item.seq] if isinstance(item, Message) else -1 for item in index.items]
        return np.asarray(np.asarray(items)[index.item.values])

    def vectors(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """The vectors that the index has of the messages, and whose each is. Long messages have several."""
        with self.index() as (_, index):
            owners = self.owners(index)
            whole, scales = index.matrix.rows(slice(None))
            return (whole * scales[:, None])[owners >= 0], owners[owners >= 0]


def load(path: Path, sets: Sequence[str] = ()) -> list[Conversation]:
    """The conversations of a file or of all JSON files of a folder; only of these sets, or of all. Raises
    `InvalidInput`."""
    found = read(path, "labelled conversations", _conversations)
    check_sets(found, sets)
    found = [talk for talk in found if not sets or talk.set in sets]
    if not any(talk.questions for talk in found):
        raise InvalidInput(f"There are no questions with evidence at {path}.", "Give conversations that have some.")
    return found


def check_sets(conversations: Sequence[Conversation], names: Sequence[str]) -> None:
    """Raises if one of these sets is not there."""
    known = list(dict.fromkeys(one.set for one in conversations))
    if unknown := [name for name in names if name not in known]:
        raise InvalidInput(f"There is no set {unknown[0]!r}.", f"There are {', '.join(known)}.")


@contextmanager
def held(conversations: Sequence[Conversation], embedder: str | ports.Embedder | None) -> Iterator[list[Held]]:
    """The conversations in one memory that is thrown away afterwards, with all vectors made."""
    maker = embedder_named(embedder) if embedder is None or isinstance(embedder, str) else embedder
    with tempfile.TemporaryDirectory(prefix="onrecord-recall-") as folder:
        path = Path(folder) / "memory.db"
        common: dict[str, Any] = {"durability": "process", "index_bytes": INDEX_BYTES}
        # Without an embedder first: vectors are then made once and in large batches, by nobody else in the background.
        with Memory(path, embedder=None, **common) as memory:
            numbers = [_fill(memory.space(one.space), one) for one in conversations]
        with Memory(path, embedder=maker, **common) as memory:
            for conversation in conversations:
                memory.space(conversation.space).flush()
            yield [
                Held(one, memory.space(one.space), turns, tuple(COUNT(turn.text) for turn in one.turns), maker)
                for one, turns in zip(conversations, numbers, strict=True)
            ]


def _fill(memory: Memory, conversation: Conversation) -> dict[tuple[str, int], int]:
    """Add the turns in their order; answers which message each became."""
    places: dict[tuple[str, int], int] = {}
    for session, stretch in groupby(enumerate(conversation.turns), key=lambda pair: pair[1].session):
        numbered = list(stretch)
        messages = [
            {"role": turn.role, "text": turn.text, "name": turn.speaker, "time": turn.time} for _, turn in numbered
        ]
        receipts = memory.session(session).add_many(messages)
        places |= {(session, receipt.seq): at for (at, _), receipt in zip(numbered, receipts, strict=True)}
    return places


def _conversations(file: str, data: Any) -> Iterator[Conversation]:
    return (_conversation(data.get("name", file), entry) for entry in data["conversations"])


def _conversation(name: str, entry: dict[str, Any]) -> Conversation:
    turns = tuple(
        Turn(str(message["session"]), str(message["speaker"]), str(message["text"]), message.get("time"))
        for message in entry["messages"]
    )
    numbers = {message["id"]: at for at, message in enumerate(entry["messages"])}
    questions = tuple(
        Question(str(one["id"]), str(one["text"]), str(one["category"]), frozenset(numbers[id] for id in one["gold"]))
        for one in entry["questions"]
        if one["gold"]  # nothing can be found for the others
    )
    return Conversation(name, str(entry["id"]), turns, questions)


# Messages to an assistant, and questions without evidence


@dataclass(frozen=True, slots=True)
class Opener:
    """One message to an assistant."""

    part: Literal["train", "test"]
    asks: bool  # whether a memory is needed to answer it
    kind: str  # greeting, thanks, task, world, statement, meta, paste; own, assistant, named, apply, work, list
    language: str
    text: str


def requests(part: Literal["train", "test"], *, asks: bool) -> list[Opener]:
    """What people send to an assistant, written for this: what asks a memory for nothing, and what does. One part is to
    learn from, and one, by another hand, to judge by."""
    lines = Path(__file__).with_name("openers.jsonl").read_text(encoding="utf-8").splitlines()
    openers = [Opener(**json.loads(line)) for line in lines]
    return [opener for opener in openers if opener.part == part and opener.asks is asks]


def unanswerable(path: Path, conversation: Conversation) -> list[str]:
    """Questions that a conversation does not answer, from `unanswerable.json` in or beside the folder of the data."""
    for folder in (path, path.parent, path.parent.parent):
        if (file := folder / "unanswerable.json").is_file():
            questions: list[str] = (
                json.loads(file.read_text("utf-8")).get(conversation.set, {}).get(conversation.id, [])
            )
            return questions
    return []
