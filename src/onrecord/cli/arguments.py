"""Arguments and options that several commands take, each described once, and how a text or a message is named.

The TypedDicts are keywords of the library: a command takes them as `**options` and passes on those that were given.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Annotated, TypedDict

import typer

from onrecord.cli.output import note
from onrecord.errors import InvalidInput
from onrecord.journal.clean import clean_name
from onrecord.records import EpisodeKind, FactKind, FactStatus, Role

REPEATED = "may be repeated."

SessionName = Annotated[str, typer.Argument(help="The conversation.")]
NewSession = Annotated[str, typer.Argument(help="The conversation; made on first use.")]
InSession = Annotated[str | None, typer.Option(help="Only of this conversation.")]
AsOf = Annotated[str | None, typer.Option(help="What was said and true at this moment (ISO), as known today.")]
KnownAt = Annotated[str | None, typer.Option(help="What was known at this moment (ISO).")]
Since = Annotated[str | None, typer.Option(help="Only from this moment on (ISO).")]
Until = Annotated[str | None, typer.Option(help="Only before this moment (ISO).")]
Categories = Annotated[list[str], typer.Option("--category", help=f"Only of this category; {REPEATED}")]
Tags = Annotated[list[str], typer.Option("--tag", help=f"Only with this tag; {REPEATED}")]
Limit = Annotated[int | None, typer.Option("--limit", "-n", min=1, help="At most this many.")]
Tokens = Annotated[int | None, typer.Option("--tokens", "-t", min=1, help="At most this many tokens together.")]
Unit = Annotated[float, typer.Option(min=0, max=1, help="From 0 to 1.")]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Question = Annotated[
    str | None,
    typer.Argument(help="What to answer; -: from standard input; left out: the conversation goes on as it stands."),
]


class MessageValues(TypedDict, total=False):
    """What is known of a message beside its text."""

    name: Annotated[str, typer.Option(help="The speaker's name, where a role holds several.")]
    time: Annotated[str, typer.Option(help="When it was said (ISO; without a zone: UTC); now.")]
    id: Annotated[str, typer.Option(help="Your own id for it.")]
    key: Annotated[str, typer.Option(help="Makes repeating safe: the same key is added once.")]


class HistoryFilters(TypedDict, total=False):
    """Which messages of a conversation."""

    limit: Annotated[int, typer.Option(min=0, help="The oldest, at most this many.")]
    last: Annotated[int, typer.Option(min=0, help="The newest, at most this many.")]
    after: Annotated[int, typer.Option(min=0, help="Only numbers over this.")]
    before: Annotated[int, typer.Option(min=0, help="Only numbers under this.")]
    since: Since
    until: Until
    role: Annotated[list[Role], typer.Option(help=f"Only this role; {REPEATED}")]
    forgotten: Annotated[bool, typer.Option("--forgotten", help="Show where messages were forgotten.")]


class PromptOptions(TypedDict, total=False):
    """What a prompt holds."""

    tokens: Annotated[
        int, typer.Option("--tokens", "-t", min=1, help="The most tokens it may have; the profile's default.")
    ]
    as_of: AsOf
    known_at: KnownAt
    recalled: Annotated[int, typer.Option(min=0, help="At most this many recalled messages; 0: none.")]


class SearchFilters(TypedDict, total=False):
    """What a search may find."""

    kinds: Annotated[
        list[str],
        typer.Option("--kind", help=f"Only this kind; {REPEATED}", metavar="message|summary|pin|fact|episode"),
    ]
    sessions: Annotated[list[str], typer.Option("--session", help=f"Only of this conversation; {REPEATED}")]
    since: Since
    until: Until
    as_of: AsOf
    known_at: KnownAt
    importance: Annotated[float, typer.Option(min=0, max=1, help="Only what is at least this important.")]
    categories: Categories
    tags: Tags
    limit: Annotated[
        int, typer.Option("--limit", "-n", min=1, help="At most this many hits; 10 unless --tokens is given.")
    ]
    tokens: Tokens
    context: Annotated[str, typer.Option(help="More words that bear on it, such as what was said before.")]


class FactFilters(TypedDict, total=False):
    """Which facts."""

    kind: Annotated[list[FactKind], typer.Option(help=f"Only this kind; {REPEATED}")]
    session: InSession
    subject: Annotated[str, typer.Option(help="Only about this, such as user.")]
    attribute: Annotated[str, typer.Option(help="Only this of it, such as home.")]
    categories: Categories
    tags: Tags
    limit: Limit
    as_of: AsOf
    known_at: KnownAt


class FactValues(TypedDict, total=False):
    """What a fact says."""

    kind: Annotated[FactKind, typer.Option(help="What sort of fact.")]
    subject: Annotated[str, typer.Option(help="Whom or what it is about, such as user.")]
    attribute: Annotated[str, typer.Option(help="The attribute, such as home.")]
    value: Annotated[str, typer.Option(help="What that is, such as Lisbon.")]
    confidence: Unit
    importance: Unit
    category: Annotated[str, typer.Option(help="A coarse topic.")]
    tags: Annotated[list[str], typer.Option("--tag", help=f"A label; {REPEATED}")]
    valid_from: Annotated[str, typer.Option(help="Since when it holds (ISO).")]
    valid_until: Annotated[str, typer.Option(help="Until when it holds (ISO).")]
    session: Annotated[str, typer.Option(help="To add: the conversation it belongs to.")]


class EpisodeFilters(TypedDict, total=False):
    """Which episodes."""

    session: InSession
    kind: Annotated[list[EpisodeKind], typer.Option(help=f"Only this kind; {REPEATED}")]
    significance: Annotated[float, typer.Option(min=0, max=1, help="Only what is at least this significant.")]
    as_of: AsOf


class EpisodeValues(TypedDict, total=False):
    """What an episode was."""

    kind: Annotated[EpisodeKind, typer.Option(help="What sort of episode; a decision.")]
    first: Annotated[int, typer.Option(min=1, help="The message it began with.")]
    last: Annotated[int, typer.Option(min=1, help="The message it ended with; the first if left out.")]
    summary: Annotated[str, typer.Option(help="In a few sentences.")]
    context: Annotated[str, typer.Option(help="What it was about.")]
    outcome: Annotated[str, typer.Option(help="How it ended.")]
    participants: Annotated[list[str], typer.Option("--participant", help=f"Who took part; {REPEATED}")]
    links: Annotated[list[str], typer.Option("--link", help=f"Id of a fact or episode it belongs to; {REPEATED}")]
    valence: Annotated[float, typer.Option(min=-1, max=1, help="From -1, bad, to 1, good.")]
    significance: Unit


class KeyValues(TypedDict, total=False):
    """What a key allows."""

    tenant: Annotated[str, typer.Option(help="Whose spaces it sees; left out: those of no tenant.")]
    for_space: Annotated[str, typer.Option(help="The one space that it sees; left out: all of them.")]
    name: Annotated[str, typer.Option(help="What it is for.")]
    expires: Annotated[str, typer.Option(help="When it ends (ISO; without a zone: UTC), or in 90d.")]


Statuses = Annotated[
    list[str] | None,
    typer.Option(
        help=f"Only this status, active if left out; {REPEATED}",
        metavar="|".join((*FactStatus.__args__, "all")),
    ),
]


def text_given(text: str | None) -> str:
    """Return the text, or all of standard input for "-" and None."""
    if text not in (None, "-"):
        return text
    if sys.stdin is None:
        raise InvalidInput("There is no text and no standard input.", "Give the text after the session.")
    if sys.stdin.isatty():
        note("Type the text, then end it with Ctrl-D on a line of its own.")
    text = sys.stdin.read()
    if not text:
        raise InvalidInput("Nothing came from standard input.", 'Give the text itself; "" is an empty one.')
    return text.removesuffix("\n").removesuffix("\r")


def message_named(item: str) -> int | str:
    """Return what names a message: its number, if it has only digits, or its id."""
    if not (item.isascii() and item.isdigit()):
        return clean_name(item, "message id")
    if len(item) > 18:
        raise InvalidInput(f"{item[:20]} is not the number of a message.", "Numbers have at most 18 digits.")
    return int(item)


def numbers_given(items: Iterable[str], example: str) -> dict[str, float]:
    """Return numbers by name, each given as NAME=NUMBER."""
    found = {}
    for item in items:
        name, equals, value = item.partition("=")
        try:
            found[name.strip()] = float(value if equals else "")
        except ValueError:
            raise InvalidInput(f"{item!r} gives no number.", f"Write it as {example}.") from None
    return found
