"""The journal's records: messages, sessions, and what operations on them answer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, dataclass, field, fields, make_dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from hashlib import blake2b
from typing import Any, Literal, Self, cast

__all__ = [
    "EPOCH",
    "ROLES",
    "STATUSES",
    "Draft",
    "Erased",
    "Finding",
    "Health",
    "ImportReport",
    "Jsonable",
    "Message",
    "Page",
    "Receipt",
    "Role",
    "SessionInfo",
    "State",
    "Status",
    "ToolCall",
    "build_message",
    "digest",
    "from_micros",
    "just_after",
    "rough_size",
    "to_micros",
]

Role = Literal["system", "user", "assistant", "tool"]
Status = Literal["active", "paused", "ended"]
State = Literal["kept", "forgotten", "damaged"]
ROLES: tuple[Role, ...] = ("system", "user", "assistant", "tool")
STATUSES: tuple[Status, ...] = ("active", "paused", "ended")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def to_micros(time: datetime) -> int:
    """Microseconds since 1970, exactly; stores keep times as this one integer."""
    since = time - EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds


def from_micros(micros: int) -> datetime:
    """The moment that `to_micros` wrote down, in UTC."""
    return EPOCH + timedelta(0, 0, micros)


def just_after(moment: datetime) -> datetime | None:
    """The next moment, for a bound that does not belong to what it bounds; None, which is no bound, at the calendar's
    end."""
    return None if moment >= _LAST else moment + timedelta(microseconds=1)


_LAST = datetime.max.replace(tzinfo=UTC)


def digest(text: str, secret: str = "") -> str:
    """A short one-way name for an id or key: a tombstone keeps this, never the text itself. Only with the secret of its
    space can the text be guessed at."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16, key=secret.encode()[:64]).hexdigest()


def rough_size(tokens: int) -> int:
    """A length in steps of 64 tokens: all that a tombstone keeps of it. What is planned by lengths uses this alone, so
    that forgetting a message moves nothing that was derived around it."""
    return tokens // 64 * 64


@cache
def _defaults(kind: type) -> list[tuple[str, object]]:
    """The fields of a kind of record, each with its default."""
    return [
        (part.name, part.default if part.default_factory is MISSING else part.default_factory())
        for part in fields(kind)
    ]


class Jsonable:
    """The dictionary form of a record: plain JSON values, defaults left out."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        known = _defaults(cast(Any, type(self)))
        return {name: _plain(value) for name, default in known if (value := getattr(self, name)) != default}


def _plain(value: Any) -> Any:
    if isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Jsonable):
        return value.to_dict()
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, (tuple, list)):
        return [_plain(item) for item in value]
    if isinstance(value, Mapping):
        return dict(value)
    return value


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall(Jsonable):
    """One call of a tool that an assistant's message asks for."""

    id: str  # joins the call to its result
    name: str  # the function's name
    arguments: str = "{}"  # the arguments as the model wrote them, usually JSON

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(id=data["id"], name=data["name"], arguments=data.get("arguments", "{}"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Message(Jsonable):
    """One message of a session, as the journal keeps it."""

    session: str  # the conversation it belongs to
    seq: int  # its number there: 1, 2, 3 … without gaps
    id: str  # the caller's own id, or one of ours that sorts by time
    role: Role  # system, user, assistant or tool
    text: str = ""  # what was said; broken characters stand as U+FFFD
    name: str | None = None  # who said it, where a role holds several speakers
    time: datetime = EPOCH  # when it was said, in UTC
    tokens: int = 0  # tokens of the text in `encoding`
    overhead: int = 0  # tokens the chat format adds: role, name, tool calls
    encoding: str = ""  # what counted the tokens
    importance: float = 0.5  # from 0 to 1
    model: str | None = None  # which model wrote it
    tool_calls: tuple[ToolCall, ...] = ()  # what an assistant asks its tools
    tool_call_id: str | None = None  # which call a tool's message answers
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)  # the caller's own JSON object
    original: str | None = None  # the text as given, JSON-escaped, where `text` had to differ
    key: str | None = None  # digest of the caller's idempotency key
    state: State = "kept"  # kept, forgotten (a tombstone) or damaged (checksum does not match)

    def tombstone(self, time: datetime, secret: str = "") -> Message:
        """What stays when it is forgotten at `time`: its number, role and rough length, and one-way digests of its id
        and key, made with the secret of the space."""
        return Message(
            session=self.session,
            seq=self.seq,
            id=digest(self.id, secret),
            role=self.role,
            time=time,
            tokens=rough_size(self.tokens),
            key=digest(self.key, secret) if secret and self.key is not None else self.key,
            state="forgotten",
        )

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        values = {part.name: data[part.name] for part in fields(cls) if part.name in data}
        values["tool_calls"] = tuple(ToolCall.from_dict(call) for call in data.get("tool_calls", ()))
        if "time" in values:
            values["time"] = datetime.fromisoformat(values["time"])
        return cls(**values)


def build_message(values: tuple[Any, ...]) -> Message:
    """A Message from its fields in order, for reading pages: frozen records are slow to construct one field at a time,
    so its open twin, which has the same fields, is filled and then becomes one."""
    message: Any = _OpenMessage(*values)
    message.__class__ = Message
    return cast(Message, message)


_OpenMessage = make_dataclass(
    "_OpenMessage", [(part.name, Any) for part in fields(Message)], bases=(Jsonable,), slots=True, eq=False
)


@dataclass(slots=True, kw_only=True)
class Draft:
    """A message on its way into a store: everything but its number. Made by the journal, never changed after."""

    id: str  # given or made
    role: Role
    text: str
    name: str | None
    time: datetime
    tokens: int
    overhead: int
    encoding: str
    importance: float
    model: str | None = None
    tool_calls: tuple[ToolCall, ...] = ()
    tool_call_id: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)
    original: str | None = None
    key: str | None = None  # digest of the caller's idempotency key
    state: State = "kept"  # "forgotten" when a tombstone is imported
    own_id: bool = False  # the caller chose the id, so it may be there already
    seq: int | None = None  # the number it must get (import), or None for the next

    def placed(self, session: str, seq: int) -> Message:
        """The message it becomes as number `seq` of `session`."""
        return build_message(
            (
                session,
                seq,
                self.id,
                self.role,
                self.text,
                self.name,
                self.time,
                self.tokens,
                self.overhead,
                self.encoding,
                self.importance,
                self.model,
                self.tool_calls,
                self.tool_call_id,
                self.meta,
                self.original,
                self.key,
                self.state,
            )
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt(Jsonable):
    """What `add` answers: the message is on disk."""

    id: str  # the message's id
    seq: int  # its number in the session
    tokens: int  # tokens of its text
    importance: float  # from 0 to 1
    repeated: bool = False  # the key or id was there already; nothing was added
    repaired: bool = False  # the text had broken characters; the original is kept beside it


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionInfo(Jsonable):
    """What is known of a session beside its messages."""

    id: str  # the caller's own id
    title: str | None = None  # for people
    status: Status = "active"  # active, paused or ended
    model: str | None = None  # the model this conversation is held with
    system: str | None = None  # its system prompt
    meta: Mapping[str, Any] = field(default_factory=dict, hash=False)  # the caller's own JSON object
    created: datetime | None = None  # when it was first used; None: it was not
    last_seq: int = 0  # number of its newest message, 0 when empty
    ended: datetime | None = None  # when its status became "ended"
    changes: int = 0  # how often anything but new messages was written; counted by the store
    damaged: bool = False  # its row's checksum does not match


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """Which messages to read: one bounded page, oldest first."""

    after: int = 0  # only numbers over this
    before: int | None = None  # only numbers under this
    limit: int = 500  # at most so many
    newest: bool = False  # the newest of them instead of the oldest (still given oldest first)
    since: datetime | None = None  # only at or after this moment
    until: datetime | None = None  # only before this moment
    roles: tuple[Role, ...] = ()  # only these roles; empty: all
    forgotten: bool = False  # tombstones too

    @property
    def filtered(self) -> bool:
        """Whether more than the numbers decides."""
        return bool(self.roles) or self.since is not None or self.until is not None

    def wants(self, message: Message) -> bool:
        """Whether a message within the numbers belongs on the page."""
        return (
            (self.forgotten or message.state != "forgotten")
            and (not self.roles or message.role in self.roles)
            and (self.since is None or message.time >= self.since)
            and (self.until is None or message.time < self.until)
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Erased(Jsonable):
    """What `forget` answers: what went, and whether its bytes are gone from the disk."""

    messages: int = 0  # how many messages lost their text
    sessions: int = 0  # how many sessions went whole
    spaces: int = 0  # how many spaces went whole
    records: int = 0  # derived records that came from them, and went too: summaries, pins …
    pending: bool = False  # bytes may still be on the disk: with an open reader or a kept copy, flush() later; a server


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportReport(Jsonable):
    """What `import_` did."""

    sessions: int = 0  # sessions met in the file
    added: int = 0  # messages that were new
    present: int = 0  # messages that were there already
    forgotten: int = 0  # messages that were forgotten here since, and stay so
    records: int = 0  # derived records that were new: summaries, pins …


FindingKind = Literal["structure", "checksum", "missing", "index", "unreadable", "edited", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding(Jsonable):
    """One thing that `doctor` found wrong."""

    kind: FindingKind  # what sort; edited and skipped are no damage
    what: str  # in words
    space: str | None = None  # where, as far as it can be told
    session: str | None = None  # in which session
    seq: int | None = None  # at which message


@dataclass(frozen=True, slots=True, kw_only=True)
class Health(Jsonable):
    """What `doctor` answers."""

    store: str  # what kind of store, and where
    version: int  # schema version
    spaces: int = 0  # how many there are
    sessions: int = 0  # in all spaces
    messages: int = 0  # without the forgotten
    tombstones: int = 0  # of forgotten messages
    records: int = 0  # derived ones: summaries, pins …
    bytes: int = 0  # on disk
    findings: tuple[Finding, ...] = ()  # what is wrong; empty if nothing is

    @property
    def ok(self) -> bool:
        return all(finding.kind in ("edited", "skipped") for finding in self.findings)
