"""The tables' small language, and its reading.

A table is text. Each entry begins with `= name @group mood`; only one entry of a group is used in a talk, since their
questions would fit each other's facts. Then lines, each with its mark:

    ~ slot: one; two; three      values of a slot of this entry ("poodle>dog": a general word after the mark)
    +  what a speaker says: "a // b" is b answering the other's a, "a ++ b" is a and then b by the same speaker
    ^  what is said later, when it has changed
    -  the same about somebody else;   *  the same words with another meaning;   !  what the other replies
    ?  a question; "slot, slot|" before it are the slots that hold the answer
    ?n about now, after a change; ?b before it; ?h how it changed
    ?w which of the two it was; ?d (of a standing order) asked outright
    ?* a list; ?= what both have in common; ?- about somebody else (of "-")

`{slot}` is a value, `{slot^}` its general word, `[a|b]` a choice.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

__all__ = ["SLOT", "Ask", "Kind", "merge", "read", "slots"]

SLOT = re.compile(r"\{(\w+)(\^?)\}")
PERSON = {"N", "Ns", "Nm", "K", "M", "Ms", "does", "is", "has", "his", "he", "him", "was"}


def slots(text: str) -> frozenset[str]:
    """The slots of a form, less those of the person."""
    return frozenset(name for name, _ in SLOT.findall(text)) - PERSON


@dataclass(frozen=True, slots=True)
class Ask:
    """A question form and the slots a turn must hold to answer it."""

    text: str
    needs: frozenset[str]


@dataclass(slots=True)
class Kind:
    """One entry of a table."""

    name: str
    group: str
    mood: str
    values: dict[str, tuple[str, ...]] = field(default_factory=dict)
    says: list[str] = field(default_factory=list)
    changes: list[str] = field(default_factory=list)
    thirds: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    replies: list[str] = field(default_factory=list)
    asks: dict[str, list[Ask]] = field(default_factory=dict)


def read(table: str) -> list[Kind]:
    """The entries of a table."""
    kinds: list[Kind] = []
    for line in table.strip().splitlines():
        if not line.strip():
            continue
        mark, _, rest = line.strip().partition(" ")
        rest = rest.strip()
        if mark == "=":
            kinds.append(_head(rest))
        else:
            _add(kinds[-1], mark, rest)
    return kinds


def merge(kinds: Iterable[Kind]) -> list[Kind]:
    """Entries of one name made one, so that a later table can add forms to an earlier one."""
    found: dict[str, Kind] = {}
    for kind in kinds:
        if kind.name not in found:
            found[kind.name] = kind
            continue
        first = found[kind.name]
        for slot, values in kind.values.items():
            first.values[slot] = first.values.get(slot, ()) + values
        first.says += kind.says
        first.changes += kind.changes
        first.thirds += kind.thirds
        first.others += kind.others
        first.replies += kind.replies
        for mark, asks in kind.asks.items():
            first.asks.setdefault(mark, []).extend(asks)
    return list(found.values())


def _head(text: str) -> Kind:
    name, group, mood = text.split()[0], "", "."
    for part in text.split()[1:]:
        if part.startswith("@"):
            group = part[1:]
        else:
            mood = part
    return Kind(name, group or name, mood)


def _add(kind: Kind, mark: str, rest: str) -> None:
    plain = {"+": kind.says, "^": kind.changes, "-": kind.thirds, "*": kind.others, "!": kind.replies}
    if mark in plain:
        plain[mark].append(rest)
    elif mark == "~":
        name, _, values = rest.partition(":")
        found = tuple(value.strip() for value in values.split(";") if value.strip())
        kind.values[name] = kind.values.get(name, ()) + found
    elif mark.startswith("?") and len(mark) <= 2:
        # so that "I" gets its own form of the verb, and "Does {N}" can be written as it is read
        rest = re.sub(r"\b(does|is|has) \{N\}", r"{\1} {N}", re.sub(r"\{(Does|Is|Has)\}", _small, rest))
        before, bar, text = rest.partition("| ")
        if not bar or "[" in before:
            before, text = "", rest
        named = {part.strip() for part in before.strip("| ").split(",") if part.strip()}
        kind.asks.setdefault(mark[1:], []).append(Ask(text.lstrip("| "), frozenset(named) | slots(text)))
    else:
        raise ValueError(f"{kind.name}: {mark} {rest}")


def _small(found: re.Match[str]) -> str:
    return found[0].lower()
