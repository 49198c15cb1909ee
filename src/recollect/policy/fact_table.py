"""Tables of wordings, written as plain text so that many long patterns stay readable, and compiled when first needed.

An entry is a head and, indented under it, a pattern that may go on over several lines (nothing stands between them).
`<NAME>` stands for the words of that name. The head of a plan is `? word word …`: one of these words is in every
sentence that the pattern can match, so that most patterns are never tried. The head of a rule is `attribute = value`,
then `~ category` and `#tag`s; "{v}" is the part of the wording of that name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from recollect.policy import (
    fact_rules_checks,
    fact_rules_decisions,
    fact_rules_limits,
    fact_rules_others,
    fact_rules_self,
    fact_rules_ways,
)
from recollect.policy.fact_words import JOB, NATIONS, PETS, RELATIONS

__all__ = ["Plan", "Rule", "check", "places", "plans", "rules"]

_PLANS = {
    "decision": fact_rules_decisions.DECISION,
    "standing": fact_rules_limits.STANDING,
    "goal": fact_rules_decisions.GOAL,
    "constraint": fact_rules_limits.CONSTRAINT,
    "procedure": fact_rules_ways.PROCEDURE,
    "entity": fact_rules_ways.ENTITY,
}
_RULES = {
    "self": fact_rules_self.SELF,
    "project": fact_rules_self.PROJECT,
    "milestone": fact_rules_self.MILESTONE,
    "others": fact_rules_others.OTHERS,
    "things": fact_rules_others.THINGS,
}
_NAMED = re.compile("<([A-Z]+)>")


class Plan(NamedTuple):
    """A wording that is searched in a sentence."""

    words: frozenset[str]  # one of them is in the sentence
    pattern: re.Pattern[str]


class Rule(NamedTuple):
    """A wording that is matched from the verb of a clause on, and what it says."""

    attribute: str
    value: str
    category: str
    tags: tuple[str, ...]
    pattern: re.Pattern[str]


@cache
def plans(kind: str) -> tuple[Plan, ...]:
    """The wordings of a kind of plan, in the order in which they are tried."""
    return tuple(Plan(frozenset(head.split()), _compiled(text)) for head, text in _entries(_PLANS[kind]))


@cache
def places() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """By word, the kinds and numbers of the plans whose head has it."""
    found: dict[str, list[tuple[str, int]]] = {}
    for kind in _PLANS:
        for number, plan in enumerate(plans(kind)):
            for word in plan.words:
                found.setdefault(word, []).append((kind, number))
    return {word: tuple(where) for word, where in found.items()}


@cache
def rules(group: str) -> tuple[Rule, ...]:
    """The rules of a group, in the order in which they are tried."""
    return tuple(_rule(head, text) for head, text in _entries(_RULES[group]))


@cache
def check(name: str) -> re.Pattern[str]:
    """A pattern by its name: what rules something out, or where something ends."""
    return _compiled(_checks()[name])


@cache
def _checks() -> Mapping[str, str]:
    return dict(_entries(fact_rules_checks.CHECKS))


def _rule(head: str, text: str) -> Rule:
    head, *tags = head.split(" #")
    head, _, category = head.partition(" ~ ")
    attribute, _, value = head.partition("=")
    return Rule(attribute.strip(), value.strip(), category.strip(), tuple(tags), _compiled(text))


def _entries(table: str) -> Iterator[tuple[str, str]]:
    """Heads and patterns. A head that goes on over several lines begins with "?" on each."""
    head: list[str] = []
    text: list[str] = []
    for line in table.strip("\n").split("\n"):
        if line.startswith("    "):
            text.append(line[4:])
            continue
        if text:
            yield " ".join(head), "".join(text)
            head, text = [], []
        head.append(line.removeprefix("? "))
    yield " ".join(head), "".join(text)


@cache
def _words() -> Mapping[str, str]:
    known = {"JOB": JOB, "NATIONS": NATIONS, "PETS": PETS, "RELATIONS": RELATIONS}
    for room in (fact_rules_decisions, fact_rules_limits, fact_rules_ways, fact_rules_self, fact_rules_others):
        known.update(_entries(room.WORDS))
    return known


def _compiled(text: str) -> re.Pattern[str]:
    while "<" in text and (filled := _NAMED.sub(lambda match: _words()[match[1]], text)) != text:
        text = filled
    return re.compile(text, re.IGNORECASE)
