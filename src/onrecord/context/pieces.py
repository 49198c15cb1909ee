"""A prompt in pieces, for people: which words of it belong to which section, where they come from, and how far it
begins as an earlier one did."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from onrecord.context.formats import PromptTurn
from onrecord.context.head import Line, Row, head_rows, recalled_rows
from onrecord.context.prompt import Context
from onrecord.context.stock import Packed
from onrecord.profiles import PROFILES, Layout
from onrecord.records import Message

__all__ = ["PromptPiece", "Unchanged", "pieces_of", "unchanged"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptPiece:
    """A run of a prompt's text that belongs together."""

    section: str  # the part of the prompt it belongs to; "frame": headings and marks
    text: str  # as it is sent
    kind: str = ""  # message, pin, fact or summary
    first: int = 0  # first message that it comes from; 0 for none
    last: int = 0  # last one
    session: str = ""  # the conversation it comes from, if that is another one


@dataclass(frozen=True, slots=True)
class Unchanged:
    """With how much of it a prompt begins as an earlier one did."""

    pieces: int  # as many from the first on, across messages
    tokens: int
    share: float  # of the tokens of all texts of the prompt


def pieces_of(context: Context) -> list[list[PromptPiece]]:
    """The pieces of each message that is sent, in the order of `messages()`: joined, they are its text."""
    out, layout = context._packed, PROFILES[context.profile].layout  # type: ignore[index]
    head = head_rows(out.system, out.lines, layout, bool(out.turns))
    return [_joined(head) if turn.role == "system" else _of_turn(turn, out, layout) for turn in context.turns]


def _of_turn(turn: PromptTurn, out: Packed, layout: Layout) -> list[PromptPiece]:
    if not turn.parts:
        return [PromptPiece(section="frame", text=turn.text())]
    found: list[PromptPiece] = []
    for part, text in zip(turn.parts, turn.texts(), strict=True):
        if not text.strip() and len(turn.parts) > 1:
            continue
        if found:
            found[-1] = replace(found[-1], text=found[-1].text + "\n\n")
        if isinstance(part, str):
            found += _joined([recalled_rows(out.lines["recalled"], layout)])
        else:
            found.append(_said(part, text, part is out.question))
    return found


def _said(message: Message, text: str, asked: bool) -> PromptPiece:
    return PromptPiece(
        section="question" if asked else "recent",
        text=text,
        kind="question" if asked else "message",
        first=message.seq,
        last=message.seq,
    )


def _joined(parts: Sequence[Sequence[Row]]) -> list[PromptPiece]:
    """Rows as pieces, with what stands between them."""
    rows = [(row, at == len(rows) - 1) for rows in parts for at, row in enumerate(rows)]
    last = len(rows) - 1
    return [
        _piece(row, "" if at == last else "\n\n" if ends else "\n")  # a paragraph ends with an empty line
        for at, (row, ends) in enumerate(rows)
    ]


def _piece(row: Row, after: str) -> PromptPiece:
    section, text, line = row
    if line is None:
        return PromptPiece(section=section, text=text + after)
    return _of_line(section, text + after, line)


def _of_line(section: str, text: str, line: Line) -> PromptPiece:
    return PromptPiece(
        section=section, text=text, kind=line.kind, first=line.first, last=line.last, session=line.session
    )


def unchanged(context: Context, earlier: Context) -> Unchanged:
    """How far a prompt begins as an earlier one did: what a provider that remembers prompts need not read again."""
    cost, mine = context._packed.cost, pieces_of(context)
    pieces = tokens = 0
    both = zip(mine, pieces_of(earlier), context.messages(), earlier.messages(), strict=False)
    for one, other, said, before in both:
        same = len(one) if said == before else _alike(one, other) if said["role"] == before["role"] else 0
        pieces, tokens = pieces + same, tokens + cost(_text(one[:same]))
        if said != before:
            break
    return Unchanged(pieces, tokens, tokens / max(1, sum(cost(_text(one)) for one in mine)))


def _alike(one: Sequence[PromptPiece], other: Sequence[PromptPiece]) -> int:
    """How many pieces two texts begin with that are the same; the last of a text has no line below it."""
    pairs = enumerate(
        (mine.text.rstrip("\n"), theirs.text.rstrip("\n")) for mine, theirs in zip(one, other, strict=False)
    )
    return next((at for at, (mine, theirs) in pairs if mine != theirs), min(len(one), len(other)))


def _text(pieces: Sequence[PromptPiece]) -> str:
    return "".join(piece.text for piece in pieces)
