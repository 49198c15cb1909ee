"""What callers may send: the keywords of the library's methods, as JSON. The library checks the rest."""

from __future__ import annotations

from typing import Annotated, Any, Literal
from urllib.parse import unquote

from fastapi import Header, Path, Query
from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from onrecord.records import EpisodeKind, FactKind, PinType, RelationType, Role, Status

MOST_LISTED = 1_000
"""Items of one page."""

MOST_HITS = 10_000

SessionId = Annotated[str, AfterValidator(unquote), Path(description="The conversation, percent-encoded.")]
Id = Annotated[str, AfterValidator(unquote), Path(description="Its id, percent-encoded.")]
Limit = Annotated[int, Query(ge=1, le=MOST_LISTED, description="At most so many in one answer.")]
Cursor = Annotated[str | None, Query(max_length=2_048, description="`next` of the answer before.")]
Wait = Annotated[bool, Query(description="Answer when what is derived from it is made.")]
Vectors = Annotated[bool, Query(description="Answer when the vectors are made, too; false: in the background.")]
AsOf = Annotated[str | None, Query(description="What was true at this moment (ISO).")]
KnownAt = Annotated[str | None, Query(description="What was known at this moment (ISO).")]
IdempotencyKey = Annotated[
    str | None, Header(alias="Idempotency-Key", description="Makes repeating safe: the same key is added once.")
]


class RequestBody(BaseModel):
    """A JSON object with these fields and no others."""

    model_config = ConfigDict(extra="forbid", strict=True)

    def given(self, part: type[BaseModel] | None = None) -> dict[str, Any]:
        """Return the fields that were sent; of those of `part` if that is given."""
        return self.model_dump(exclude_unset=True, include=None if part is None else set(part.model_fields))


class NewMessage(RequestBody):
    """A message."""

    role: Role = Field(description="Who speaks.")
    text: str | None = Field(description="What was said; null for a message of tool calls alone.")
    name: str | None = Field(None, description="The speaker's name, where a role holds several.")
    time: str | None = Field(None, description="When it was said (ISO; without a zone: UTC); now.")
    id: str | None = Field(None, description="Your own id for it.")
    key: str | None = Field(None, description="Makes repeating safe: the same key is added once.")
    tool_calls: list[dict[str, Any]] | None = Field(None, description="In OpenAI's shape, or as id, name, arguments.")
    tool_call_id: str | None = Field(None, description="Which call a tool's message answers.")
    model: str | None = Field(None, description="Which model wrote it.")
    importance: float | None = Field(None, description="From 0 to 1; left out: by the profile's rules.")
    meta: dict[str, Any] | None = Field(None, description="Your own JSON object.")


class AddMany(RequestBody):
    """Messages, all or none."""

    messages: list[NewMessage]


class Changes(RequestBody):
    """What is to be changed of a session."""

    title: str | None = None
    status: Status | None = None
    model: str | None = None
    system: str | None = None
    meta: dict[str, Any] | None = None


class Explain(RequestBody):
    """A question to build a prompt for."""

    question: str | None = Field(None, description="Left out: the conversation goes on as it stands.")
    tokens: int | None = Field(None, description="The most tokens the prompt may have; the profile's default.")
    as_of: str | None = Field(None, description="With what was said and true at this moment (ISO), as known today.")
    known_at: str | None = Field(None, description="The prompt as it would have been at this moment (ISO).")
    before: int | None = Field(None, description="As if only messages with lower numbers had been said.")
    profile: str | None = Field(None, description="By the rules of another profile than the service's own.")
    recalled: int | None = Field(None, description="At most so many recalled messages; 0: none.")


class Build(Explain):
    """A question to build a prompt for, and the shape of the prompt."""

    format: Literal["openai", "anthropic", "text", "parts"] = "openai"
    manifest: bool = Field(False, description="Also list everything that could be in it, and why it is or is not.")


class FindHere(RequestBody):
    """What to find in one conversation."""

    text: str
    kinds: list[str] | None = None
    since: str | None = None
    until: str | None = None
    as_of: str | None = Field(None, description="Only what was said and true at this moment (ISO), as known today.")
    known_at: str | None = Field(None, description="Only what was known at this moment (ISO).")
    importance: float = 0.0
    categories: list[str] | None = None
    tags: list[str] | None = None
    limit: int | None = Field(None, ge=1, le=MOST_HITS, description="At most so many hits; 10, or what `tokens` allow.")
    tokens: int | None = Field(None, ge=1, description="Only what fits into so many together.")
    context: str = ""
    weights: dict[str, float] | None = None


class Find(FindHere):
    """What to find."""

    sessions: list[str] | None = None


class Range(RequestBody):
    """Which messages to summarise; left out: whatever is due."""

    first: int | None = None
    last: int | None = None
    profile: str | None = Field(None, description="For prompts by another profile than the service's own.")


class Important(BaseModel):
    """What must not be lost of a conversation, by category; as `important` answers it."""

    model_config = ConfigDict(extra="allow")


class NewSummary(RequestBody):
    """A summary that was made elsewhere, and the messages that it covers."""

    text: str
    last: int
    first: int = 1
    important: Important = Field(default_factory=Important, description="What must not be lost of these messages.")


class SummaryChange(RequestBody):
    """A correction of a summary, or its lock."""

    text: str | None = None
    locked: bool | None = None


class Closing(RequestBody):
    """How a conversation ends."""

    summary: str | None = Field(None, description="Your own closing summary; left out: one is made.")


class Scores(RequestBody):
    """Importance by message number; left out: every message is scored again by the profile's rules."""

    importance: dict[str, float] | None = None


class NewPin(RequestBody):
    """A text that belongs into every prompt."""

    text: str
    source: int | str | None = Field(None, description="The message it comes from, by number or id.")
    importance: float = 0.8
    type: PinType = "manual"


class AddFact(RequestBody):
    """A fact."""

    text: str
    kind: FactKind = "fact"
    subject: str = ""
    attribute: str = ""
    value: str = ""
    confidence: float = 1.0
    importance: float | None = None
    category: str = ""
    tags: list[str] = []
    valid_from: str | None = None
    valid_until: str | None = None
    session: str = "facts"


class Correction(RequestBody):
    """Fields of a fact to be corrected."""

    text: str | None = None
    kind: FactKind | None = None
    subject: str | None = None
    attribute: str | None = None
    value: str | None = None
    confidence: float | None = None
    importance: float | None = None
    category: str | None = None
    tags: list[str] | None = None
    valid_from: str | None = None
    valid_until: str | None = None


class ByIdBody(RequestBody):
    """A fact or an episode, by its id."""

    id: str


class NewRelation(RequestBody):
    """How one fact or episode stands to another."""

    source: str
    type: RelationType
    target: str
    strength: float = 1.0


class NewEpisode(RequestBody):
    """An episode."""

    title: str
    kind: EpisodeKind = "decision"
    first: int | None = None
    last: int | None = None
    summary: str = ""
    context: str = ""
    outcome: str = ""
    participants: list[str] = []
    links: list[str] = Field([], description="Ids of facts and episodes that it has to do with.")
    valence: float = 0.0
    significance: float = 0.5


class Consolidate(RequestBody):
    """Whether anything is to be done, or only said."""

    dry_run: bool = False


class Rebuild(RequestBody):
    """What is to be made again."""

    session: str | None = None
    vectors: bool = False


class Forget(RequestBody):
    """What is to be erased: a session, some of its messages, a fact, or a whole space."""

    session: str | None = None
    messages: list[int | str] | None = Field(None, max_length=MOST_LISTED)
    fact: str | None = None
    space: str | None = None


class JobNumber(RequestBody):
    """A job, by its number."""

    id: int


class Retry(RequestBody):
    """A job, by its number; left out: all that failed."""

    id: int | None = None
