"""Whether what a summary states was stated: not the opposite, not by somebody else, not about something never said.

Statements are compared by their telling words, without a model: it finds a summary that turns a clause around, gives it
to the other speaker or speaks of other things, and lets pass what is only said in other words.
"""

from __future__ import annotations

import re

from onrecord.policy.checks_reading import CheckedClause, SummarySources, clauses, told
from onrecord.policy.sentences import FENCE, sentences
from onrecord.policy.terms import words

__all__ = ["denies", "swaps", "unheard"]

_LEAST_SHARED = 2  # telling words that two clauses about the same thing have in common
_OF_SHORTER, _OF_LONGER = 0.75, 0.6  # of their words

LEAST_SAID = 0.3
"""The share of a sentence's telling words that must have been said; chosen by the labelled set's first half."""
_LEAST_TOLD = 4  # telling words a sentence must have to be judged by them
_LEAST_CLAUSE = 4  # and a clause, all of whose words are new

_OF_SELF = re.compile(r"\b(?:i|i['’](?:m|ll|ve|d)|my|me|ich|mein\w*|yo|mi|je|mon|ma)\b", re.IGNORECASE)
_OF_OTHER = re.compile(r"\b(?:you|your|we|us|our|du|dein\w*|wir|tú|tu|vous|nous)\b", re.IGNORECASE)
_REPORTED = re.compile(r"\b(?:tell|told|ask|explain|help|suggest|recommend|advise|offer|show|want|say|think)\w*\b")
_SWAPPED = 0.6  # of a statement's telling words in one sentence of somebody else


def denies(text: str, said: SummarySources) -> str | None:
    """A sentence with a clause that says the opposite of what was said."""
    for sentence in sentences(text):
        if sentence.startswith(FENCE) or sentence.rstrip().endswith(("?", "？")):
            continue
        for clause in clauses(sentence, said.speakers):
            if clause.denies is not None and len(clause.roots) >= _LEAST_SHARED and _opposed(clause, said):
                return sentence
    return None


def _opposed(clause: CheckedClause, said: SummarySources) -> bool:
    """Whether there is a clause about the same, and each such clause says the opposite."""
    about = [one for one in said.related(clause) if _alike(clause.roots, one.roots)]
    return bool(about) and all(_opposite(clause, one) for one in about)


def _opposite(one: CheckedClause, other: CheckedClause) -> bool:
    """Whether the one denies what the other states; what is denied must stand in both."""
    if one.denies is None or other.denies is None or one.denies == other.denies:
        return False
    hinge = one.hinge if one.denies else other.hinge
    return hinge in one.roots and hinge in other.roots


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    shared = len(one & other)
    if shared < _LEAST_SHARED:
        return False
    short, long = sorted((len(one), len(other)))
    return shared >= _OF_SHORTER * short and shared >= _OF_LONGER * long


def swaps(text: str, said: SummarySources) -> str | None:
    """A statement about one speaker that another made of himself."""
    names = {spoken.who: frozenset(words(spoken.who)) for spoken in said.spoken if spoken.who}
    if len(names) < 2:
        return None
    for part in (
        part for sentence in sentences(text) for part in re.split(r"[;,]|\b(?:and|because|while|as)\b", sentence)
    ):
        who = _subject(part, names)
        roots = told(part, said.speakers)
        if (
            who
            and not _REPORTED.search(part.lower())
            and len(roots) >= _LEAST_SHARED
            and _by_another(who, names, roots, said)
        ):
            return part.strip()
    return None


def _subject(part: str, names: dict[str, frozenset[str]]) -> str:
    """The one speaker a part of a sentence begins with and names."""
    own = words(part)
    mentioned = [who for who, name in names.items() if name & set(own)]
    return mentioned[0] if len(mentioned) == 1 and names[mentioned[0]] & set(own[:2]) else ""


def _by_another(who: str, names: dict[str, frozenset[str]], roots: frozenset[str], said: SummarySources) -> bool:
    about = [one for one in said.spoken if len(roots & one.roots) >= max(_LEAST_SHARED, _SWAPPED * len(roots))]
    return bool(about) and all(
        one.who
        and one.who != who
        and _OF_SELF.search(one.text)
        and not _OF_OTHER.search(one.text)
        and not names[who] & set(words(one.text))
        for one in about
    )


def unheard(text: str, said: SummarySources) -> str | None:
    """A sentence whose telling words mostly were not said."""
    for sentence in sentences(text):
        if sentence.startswith(FENCE):
            continue
        if _new(told(sentence, said.speakers), said) or any(
            _all_new(told(part, said.speakers), said) for part in re.split(r"[,;:—]|\band\b|\bund\b| y | et ", sentence)
        ):
            return sentence
    return None


def _new(roots: frozenset[str], said: SummarySources) -> bool:
    heard = sum(said.has(one) for one in roots)
    return len(roots) >= _LEAST_TOLD and heard < LEAST_SAID * len(roots)


def _all_new(roots: frozenset[str], said: SummarySources) -> bool:
    return len(roots) >= _LEAST_CLAUSE and not any(said.has(one) for one in roots)
