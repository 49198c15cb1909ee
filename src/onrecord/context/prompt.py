"""The answer to `context(...)`: a prompt that fits its budget, and the reason for everything in it and not in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from math import ceil
from typing import Any

from onrecord.context import formats
from onrecord.context.explain import explained
from onrecord.context.head import Counted, Line
from onrecord.context.stock import Choice, Packed
from onrecord.context.text import one_line
from onrecord.context.units import Unit
from onrecord.policy.trust import TRUST, origin_of
from onrecord.records import Candidate, Message, Section

__all__ = ["Context"]

SHOWN = 120  # characters of a candidate's text that the manifest shows
SECTIONS = ("system", "facts", "pins", "summaries", "earlier", "recent", "recalled", "question")


class Context:
    """A prompt for one turn. `messages()`, `anthropic()` and `str()` give it in the shape that is needed."""

    def __init__(
        self,
        packed: Packed,
        *,
        budget: int,
        profile: str,
        letters: float,
        encoding: str,
        exact: bool,
        stable: float | None,
    ) -> None:
        self._packed = packed
        self._letters = letters
        self.budget = budget
        """The tokens that were allowed."""
        self.tokens = packed.tokens
        """The tokens that the prompt has, the chat format included."""
        self.profile = profile
        """The profile that decided."""
        self.encoding = encoding
        """What counted the tokens; "estimate" is an upper bound."""
        self.exact = exact
        """Whether the count is the model's own."""
        self.stable = stable
        """The share of the prompt's beginning that stands unchanged since this process's previous context for the
        session, the newest turn and the recalled block aside; None for the first."""
        self.confidence = packed.confidence
        """How likely it is, from 0 to 1, that memory holds what is asked; None where nothing was looked for, or the
        profile's ranking does not say."""
        self.warnings = tuple(packed.warnings)
        """What could not be done as it should, in words."""

    @property
    def parts(self) -> list[formats.Spoken]:
        """What the prompt is made of, in order."""
        return self._packed.parts

    @property
    def turns(self) -> list[formats.PromptTurn]:
        """The messages that are sent, and what each is made of."""
        return formats.turns_of(self.parts)

    def messages(self) -> list[dict[str, Any]]:
        """For an OpenAI-style call, and for any chat template: one system message at the beginning, if there is
        anything for it, then user and assistant in turn, the user first. What is recalled stands in the user's newest
        message, before the question."""
        return formats.openai(self.turns)

    def anthropic(self) -> dict[str, Any]:
        """For Anthropic's API: `system` and `messages`."""
        return formats.anthropic(self.turns)

    def __str__(self) -> str:
        return formats.plain(self.parts)

    def __repr__(self) -> str:
        return f"Context({self.tokens} of {self.budget} tokens, {len(self.parts)} messages, profile {self.profile})"

    @property
    def question(self) -> str | None:
        """The question as it stands in the prompt."""
        return None if self._packed.question is None else self._packed.question.text

    @property
    def recent(self) -> list[Message]:
        """The messages that are shown as they were said, oldest first, without the question."""
        return [message for unit in self._packed.turns for message in unit.messages]

    @cached_property
    def manifest(self) -> tuple[Candidate, ...]:
        """Every candidate: in or out, why, its value, tokens and source messages."""
        found = [_candidate(choice, self._packed) for choice in self._packed.choices]
        if self._packed.question is not None:
            found.append(_question(self._packed.question, self._packed.cost))
        order = {name: number for number, name in enumerate(SECTIONS)}
        return tuple(sorted(found, key=lambda one: (order[one.section], one.first, one.last)))

    @cached_property
    def sections(self) -> tuple[Section, ...]:
        """The parts of the prompt, what they take, and up to which limit while others want room too; "frame" is what
        the chat format and headings add."""
        taken = {name: [0, 0, 0] for name in SECTIONS}  # tokens, how many are in it, how many are not
        for section, included, tokens in self._costs():
            of = taken[section]
            of[0] += tokens if included else 0
            of[1 if included else 2] += 1
        frame = self.tokens - sum(tokens for tokens, _, _ in taken.values())
        taken["recent"][0] += min(frame, 0)  # neighbours that are sent as one message take less
        frame = max(frame, 0)
        limits = self._packed.limits
        parts = [
            Section(name=name, tokens=of[0], items=of[1], left_out=of[2], limit=limits.get(name, 0))
            for name, of in taken.items()
        ]
        return (*parts, Section(name="frame", tokens=frame))

    def _costs(self) -> Iterator[tuple[str, bool, int]]:
        """Of each candidate its section, whether it is in the prompt, and its tokens: the manifest at a glance."""
        packed = self._packed
        for choice in packed.choices:
            item = choice.item
            yield choice.section, choice.included, packed.cost(item) if isinstance(item, str) else item.cost
        if packed.question is not None:
            yield "question", True, packed.cost(packed.question.text)

    def usage(self) -> dict[str, int]:
        """The budget: in all, by part, used and available; and what the profile itself would estimate as used."""
        by_part = {section.name: section.tokens for section in self.sections}
        sums = {"used": self.tokens, "available": self.budget - self.tokens, "estimated": self._estimated()}
        return {"total": self.budget, **by_part, **sums}

    def _estimated(self) -> int:
        if not self._letters or self._packed.estimated:
            return self._packed.estimated or self.tokens
        return ceil(sum(len(turn.text()) for turn in self.turns) / self._letters)

    def explain(self) -> str:
        """The manifest as a table."""
        share = "" if self.stable is None else f", {self.stable:.0%} of its beginning unchanged"
        summary = f"{self.tokens:,} of {self.budget:,} tokens ({self.encoding}), profile {self.profile}{share}"
        return explained(self.manifest, self.sections, summary, self.warnings)

    def diff(self, other: Context) -> list[str]:
        """What this prompt has that another has not ("+"), and the other way round ("-"), a line each."""
        mine, theirs = _included(self), _included(other)
        gone = [f"- {one.section}: {one_line(one.text)}" for key, one in theirs.items() if key not in mine]
        return gone + [f"+ {one.section}: {one_line(one.text)}" for key, one in mine.items() if key not in theirs]

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain JSON values."""
        manifest = [candidate.to_dict() for candidate in self.manifest]
        return {**self.in_short(), "messages": self.messages(), "manifest": manifest}

    def in_short(self) -> dict[str, Any]:
        """What is to be said of the prompt, without the prompt and the manifest, as plain JSON values."""
        return {
            "profile": self.profile,
            "budget": self.budget,
            "tokens": self.tokens,
            "encoding": self.encoding,
            "exact": self.exact,
            "stable": self.stable,
            "confidence": self.confidence,
            "warnings": list(self.warnings),
            "sections": [section.to_dict() for section in self.sections],
        }


def _candidate(choice: Choice, packed: Packed) -> Candidate:
    if isinstance(choice.item, str):
        return Candidate(
            kind="system",
            id="system",
            section="system",
            included=choice.included,
            reason=choice.reason,
            tokens=packed.cost(choice.item),
            value=1.0,
            origin="system",
            shortened=choice.shortened,
            text=choice.item[:SHOWN],
        )
    if isinstance(choice.item, Line):
        return _of_line(choice, choice.item)
    return _of_unit(choice, choice.item, packed.values)


def _of_line(choice: Choice, line: Line) -> Candidate:
    return Candidate(
        kind=line.kind,
        id=line.id,
        section=choice.section,
        included=choice.included,
        reason=choice.reason,
        tokens=line.cost,
        value=round(line.value, 3),
        parts=dict(line.parts),
        first=line.first,
        last=line.last,
        session=line.session,
        origin=line.origin,
        trust=line.trust,
        shortened=choice.shortened,
        text=line.text[:SHOWN],
    )


def _of_unit(choice: Choice, unit: Unit, values: Mapping[int, float]) -> Candidate:
    message = unit.messages[0]
    return Candidate(
        kind="message",
        id=message.id,
        section=choice.section,
        included=choice.included,
        reason=choice.reason,
        tokens=unit.cost,
        value=values.get(unit.seq, message.importance),
        parts={"importance": message.importance},
        first=message.seq,
        last=unit.messages[-1].seq,
        origin=origin_of(message),
        trust=min(TRUST.get(origin_of(one), 0.0) for one in unit.messages),
        shortened=choice.shortened,
        text=message.text[:SHOWN],
    )


def _question(message: Message, cost: Counted) -> Candidate:
    return Candidate(
        kind="question",
        id=message.id,
        section="question",
        included=True,
        reason="the newest turn" if message.seq else "asked now",
        tokens=cost(message.text),
        value=1.0,
        first=message.seq,
        last=message.seq,
        origin="user",
        trust=TRUST["user"],
        text=message.text[:SHOWN],
    )


def _included(context: Context) -> dict[tuple[str, str, str], Candidate]:
    return {(one.kind, one.id, one.text): one for one in context.manifest if one.included}
