"""The form of a fact: what a browser makes of what it is shown, and what somebody changed in it."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Form
from pydantic import AfterValidator, BaseModel, BeforeValidator

from onrecord.records import Fact
from onrecord.ui.view import plain_lines

__all__ = ["FactForm", "Told", "as_fields"]


def _with_seconds(moment: str) -> str:
    """Browsers leave seconds out that are zero."""
    return f"{moment}:00" if len(moment) == len("2026-05-05T09:30") else moment


Word = Annotated[str, AfterValidator(str.strip)]
Number = Annotated[float | None, BeforeValidator(lambda given: None if given == "" else given)]
Moment = Annotated[str, AfterValidator(_with_seconds)]


class FactForm(BaseModel):
    """A fact as somebody tells it; empty: left to the memory."""

    text: Annotated[str, AfterValidator(plain_lines)] = ""
    kind: str = "fact"
    subject: Word = ""
    attribute: Word = ""
    value: Word = ""
    category: Word = ""
    tags: str = ""  # with commas
    confidence: Number = None
    importance: Number = None
    valid_from: Moment = ""
    valid_until: Moment = ""

    def given(self) -> dict[str, Any]:
        """All of it, as the library takes a new fact."""
        told = self.model_dump() | {"tags": self._tags(), "valid_from": self.valid_from or None}
        told |= {"valid_until": self.valid_until or None}
        return told | {"confidence": 1.0 if self.confidence is None else self.confidence}

    def changes(self, fact: Fact) -> dict[str, Any]:
        """What differs from a fact as the form showed it."""
        shown = as_fields(fact)
        told = self.model_dump(exclude={"confidence", "importance"})
        changed: dict[str, Any] = {name: value for name, value in told.items() if value != shown[name]}
        if "tags" in changed:
            changed["tags"] = self._tags()
        if "valid_until" in changed:
            changed["valid_until"] = self.valid_until or None
        numbers = {"confidence": self.confidence, "importance": self.importance}
        return changed | {name: one for name, one in numbers.items() if one is not None and f"{one:g}" != shown[name]}

    def _tags(self) -> list[str]:
        return [tag.strip() for tag in self.tags.split(",") if tag.strip()]


Told = Annotated[FactForm, Form()]


def as_fields(fact: Fact) -> dict[str, str]:
    """A fact as the fields of a form show it."""
    until = fact.valid_until
    return {
        "text": plain_lines(fact.text),
        "kind": fact.kind,
        "subject": fact.subject,
        "attribute": fact.attribute,
        "value": fact.value,
        "category": fact.category,
        "tags": ", ".join(fact.tags),
        "confidence": f"{fact.confidence:g}",
        "importance": f"{fact.importance:g}",
        "valid_from": f"{fact.valid_from:%Y-%m-%dT%H:%M:%S}",
        "valid_until": "" if until is None else f"{until:%Y-%m-%dT%H:%M:%S}",
    }
