"""The ports: what the core needs from outside, as small protocols. Stores, counters and clocks implement them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from onrecord.records import (
    Arrival,
    Block,
    Draft,
    Erased,
    Health,
    Message,
    Page,
    Query,
    Record,
    Role,
    SessionInfo,
    ToolCall,
)

if TYPE_CHECKING:
    import numpy

__all__ = [
    "TOMBSTONES",
    "Batch",
    "Clock",
    "Counter",
    "Embedder",
    "Ids",
    "Model",
    "Placed",
    "Progress",
    "Reply",
    "Reranker",
    "Revision",
    "SharedStore",
    "Store",
    "Target",
    "secrets_of",
]

Clock = Callable[[], datetime]
"""Now, with a zone."""

Progress = Callable[[int], None]
"""Told now and then how many more items are done."""


class Ids(Protocol):
    """Makes ids that sort by time, name their kind and never repeat."""

    def new(self, kind: str) -> str: ...


class Counter(Protocol):
    """Counts tokens for one model. Never raises on any text."""

    @property
    def encoding(self) -> str:
        """Its name: an encoding such as `o200k_base`, or a labelled estimate."""

    @property
    def exact(self) -> bool:
        """Whether the count is the model's own; otherwise it is an upper estimate."""

    def text(self, text: str) -> int:
        """Tokens of a text."""

    def overhead(self, role: Role, name: str | None = None, tool_calls: Sequence[ToolCall] = ()) -> int:
        """Tokens the chat format adds to one message."""

    @property
    def priming(self) -> int:
        """Tokens the chat format adds once per prompt."""


class Embedder(Protocol):
    """Turns texts into vectors whose cosine tells how near they are in meaning.

    One with an attribute `knows_names` that is true is given messages as "Ana: I moved" or "user: I moved", and
    questions with the names as they stand there; others get messages as they are, and questions in the first person
    where a speaker is asked about.
    """

    @property
    def name(self) -> str:
        """Which model made a vector, with its version: vectors of two names are never compared."""

    @property
    def dimension(self) -> int:
        """Numbers in a vector."""

    def embed(self, texts: Sequence[str]) -> numpy.ndarray[Any, numpy.dtype[numpy.float32]]:
        """A row of length 1 for each text, in order; the same row alone or among others. Raises ModelError."""


class Reranker(Protocol):
    """Reads a question together with what was found, and says how well each answers it. None is shipped."""

    def rerank(self, question: str, texts: Sequence[str]) -> Sequence[float]:
        """A score for each text, higher is better."""


class Reply(NamedTuple):
    """What a model answered."""

    text: str
    tokens_in: int  # of the prompt, as the model's server counted them, or as we do
    tokens_out: int  # of the answer
    whole: bool = True  # False: the answer was cut off at the limit


class Model(Protocol):
    """A language model. A message is {"role", "content"} and what else OpenAI's chat format knows."""

    @property
    def name(self) -> str:
        """With its provider, such as `openai/gpt-4.1-mini`."""

    @property
    def local(self) -> bool:
        """Whether it runs on this machine, or on a server that was named local."""

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokens: int,
        temperature: float = 0.1,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """An answer of at most so many tokens; `schema`: a JSON schema that it must fit, where the model can be held to
        one (whoever asks checks it anyway). Raises ModelError, and ModelUnreachable if it could not be asked at all."""

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        """The answer piece by piece, as it is made. Raises as `complete` does, at the start or on the way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """One atomic write to one session: all of it happens, or nothing."""

    space: str
    session: str
    drafts: Sequence[Draft] = ()  # messages to append, in order
    info: Mapping[str, Any] = field(default_factory=dict)  # fields of SessionInfo to set
    records: Sequence[Record] = ()  # derived records to write; one with the same kind and key is replaced
    drops: Sequence[tuple[str, str]] = ()  # kind and key of derived records to remove; unknown ones are ignored
    scores: Mapping[int, float] = field(default_factory=dict)  # importance to set, by number; unknown ones are ignored
    unless_changed: int | None = None  # write nothing, and raise Outrun, if `SessionInfo.changes` is not this (of a
    # session that is not there it is 0), or if a record comes from messages that the session does not have
    born: datetime | None = None  # the same if the session is not there, or was not created at this moment: then it was
    # forgotten, and perhaps begun anew
    secrets: Sequence[str] = ()  # that tombstones of the space were made with: see `digest`
    forgets: bool = False  # what is replaced or taken out was forgotten: its bytes are to go as those of an `erase`
    time: datetime  # when the session is created, if it is new


@dataclass(frozen=True, slots=True, kw_only=True)
class Placed:
    """Where a draft came to stand: its number, and the message that was there already, if any."""

    seq: int
    earlier: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What to erase: some messages of a session, a whole session, or (both left out) a whole space."""

    space: str
    session: str | None = None
    seqs: tuple[int, ...] | None = None
    time: datetime  # when it was forgotten; the tombstones say so
    secret: str = ""  # that the digests in the tombstones are made with


class Revision(NamedTuple):
    """How far a space is: two that are equal mean that nothing was written in between."""

    born: int = 0  # tells a space from one of the same name that was erased before; 0: there is none
    newest: int = 0  # number of the newest arrival
    removed: int = 0  # counts what makes earlier arrivals untrue: erasing, replacing or dropping a record, rescoring

    @property
    def exists(self) -> bool:
        """Whether the space holds anything. Of one that does not, nothing is cached: anyone can invent names."""
        return self.born != 0


class Store(Protocol):
    """Keeps messages, and what is derived from them. `onrecord.testing` has the suite that every store must pass.

    A store never invents a number: within a session they are 1, 2, 3 … in the order of commits. What `commit` has
    returned survives. Reading methods answer one bounded page, see what was committed before they were called,
    and never wait for a writer.
    """

    def commit(self, batch: Batch) -> list[Placed]:
        """Write the batch, or nothing. Drafts whose id or key is there already are answered, not added
        (`policy.placing` decides, and raises where the content differs). A batch that holds anything but messages adds
        one to `SessionInfo.changes`. Drops and scores alone do not make a session. Derived records can also be written
        where messages are damaged."""

    def spaces(self) -> list[str]:
        """The spaces that hold something, sorted."""

    def sessions(self, space: str, after: str = "", limit: int = 500) -> list[SessionInfo]:
        """A page of the space's sessions, sorted by id."""

    def session(self, space: str, session: str) -> SessionInfo | None:
        """One session, or None."""

    def messages(self, space: str, session: str, page: Page) -> list[Message]:
        """A page of messages, oldest first. Damaged ones come with state "damaged"."""

    def find(self, space: str, session: str, id: str) -> Message | None:
        """The message with this id, or None."""

    def records(self, space: str, session: str, query: Query) -> list[Record]:
        """A page of derived records, in the order of plan, level, last, key. A damaged one is left out; `check` finds
        it, and writing it anew replaces it."""

    def feed(self, space: str, after: int, limit: int = 500, kinds: Sequence[str] = ()) -> list[Arrival]:
        """Messages (kind "message") and records of the kinds `FED`, or only some of these, in the order in which they
        came to the space, with numbers over `after`. A record that is written anew comes again under a new number.
        What was forgotten, emptied, dropped, replaced or is damaged is left out; a page may then be short without being
        the last: only an empty one is."""

    def revision(self, space: str) -> Revision:
        """How far the space is, with the writes of all processes. One short read, whatever the space holds."""

    def blocks(self, space: str, plan: str, after: int = -1, limit: int = 64) -> list[Block]:
        """A page of the index blocks of a plan, by number. A damaged one is left out."""

    def plans(self, space: str) -> list[str]:
        """The plans of which the space has blocks, sorted."""

    def save_blocks(self, space: str, plan: str, blocks: Sequence[Block], at: Revision) -> bool:
        """Write blocks, each in place of the one with its number. False, and nothing is written, if `born` or `removed`
        are no longer those of `at`: what the blocks were made of may be gone."""

    def drop_blocks(self, space: str, plan: str) -> None:
        """Remove all blocks of a plan."""

    def tally(self, space: str, prefix: str = "") -> dict[str, int]:
        """The counters of a space, such as tokens spent on a day, by name; those that are 0 are left out. Only those
        whose names begin so."""

    def count(self, space: str, changes: Mapping[str, int], at_least: Mapping[str, int] | None = None) -> None:
        """Add to counters of a space, and raise others that are less to what is given, all or none; one that is not
        there yet is 0. They hold no word of a message, make no space where there is none, change no revision, and go
        with the space when it is erased."""

    def erase(self, target: Target) -> Erased:
        """Remove the text, the index blocks that hold something of it, and the bytes. Unknown numbers are ignored.

        Derived records with `first <= number <= until` lose theirs in the same transaction: a fixed one stays, emptied
        (body None, not locked any more); every other goes."""

    def settle(self) -> bool:
        """Finish what is still under way on the disk; True when nothing erased lingers there."""

    def check(self, progress: Progress) -> Health:
        """Look at every item: structure, versions, counts, checksums."""

    def backup(self, target: Path) -> None:
        """Write a copy of the whole store to a new place, while others go on writing."""

    def close(self) -> None:
        """Finish and let go. Closing twice is fine."""


TOMBSTONES = "tombstones "
"""Begins the names of the counters that hold the secrets with which digests in tombstones were made."""


def secrets_of(store: Store, space: str) -> tuple[str, ...]:
    """The secrets that tombstones of a space were made with."""
    return tuple(sorted(name.removeprefix(TOMBSTONES) for name in store.tally(space, TOMBSTONES)))


class SharedStore(Store, Protocol):
    """A store that many machines share. It also keeps which sessions workers have to see to: those with messages that
    nobody has derived from yet, written in one transaction with the messages."""

    def due(self, quiet: float, limit: int = 500, lost: float = 600.0) -> Sequence[tuple[str, str]]:
        """Space and session of those whose first such message came so many seconds ago, and that nobody is at; oldest
        first. Who began and never finished for `lost` seconds is at it no more."""

    def make_due(self, space: str, session: str) -> None:
        """Have a session seen to, without a new message."""

    def take_due(self, space: str, session: str) -> str:
        """Say that somebody begins with a session: messages that come from now on make it due again. Answers a token
        for saying that it is finished."""

    def done_due(self, space: str, session: str, token: str) -> None:
        """Say that it is finished: it leaves the list, unless messages came since, or somebody else took it."""

    def all_due(self) -> int:
        """Have every session of every space seen to; answers how many there are."""

    def count_due(self) -> tuple[int, float]:
        """How many sessions are due, whoever is at them, and for how many seconds the first of them has been."""

    def flag(self, name: str) -> bool:
        """Whether something holds for the whole store, such as "paused"."""

    def set_flag(self, name: str, on: bool) -> None:
        """Say that it holds, or no longer."""
