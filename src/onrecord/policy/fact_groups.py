"""The verb group of a clause: its last verb, and what stands around it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from onrecord.policy.fact_tokens import Word
from onrecord.policy.fact_verbs import ADVERBS, MODALS, forms, verb_of
from onrecord.policy.signs import COMMON

__all__ = ["Group", "group_at"]


class Group(NamedTuple):
    """What a verb group says."""

    verb: str
    form: str
    modal: str
    negative: bool
    adverbs: frozenset[str]
    perfect: bool
    passive: bool
    behind: int  # where the words behind it begin


_TO = frozenset("need needs have has had going used able allowed permitted supposed required forbidden got".split())
_PLAIN = {"needs": "need", "has": "have", "had": "had", "got": "have"}
_UNCHANGED = frozenset("cut put set let shut read spread split run come become".split())  # past like present
_ALLOWED = frozenset("allowed permitted supposed required forbidden".split())


def group_at(found: Sequence[Word], at: int, end: int) -> Group:
    """The verb group that begins here: its last verb, and what stands around that."""
    modal, verb, form, adverbs = "", "", "", set[str]()
    negative = perfect = passive = False
    while at < end:
        word, after = found[at].low, found[at + 1].low if at + 1 < end else ""
        if word == "not" or word == "never" or (word == "no" and after == "longer"):
            negative = True
            adverbs.add("no longer" if word == "no" else word)
            at += 1 if word != "no" else 2
        elif word in ADVERBS and not (verb and verb not in ("be", "have", "do")):
            adverbs.add(word)
            at += 1
        elif word in _TO and after == "to" and at + 2 < end and not (verb == "be" and word in ("have", "has")):
            modal, verb, at = "allowed" if word in _ALLOWED else _PLAIN.get(word, word), "", at + 2
        elif word in MODALS:
            modal, negative, at = word, negative or word == "cannot", at + 1
        elif verb in ("", "be", "have", "do"):
            known = verb_of(word) if not verb else _participle(verb, word)
            if known is None or not _goes_on(verb, known):
                break
            perfect, passive = perfect or verb == "have", verb == "be" and known[1] == "past"
            went_on = verb == "be" and form == "past" and known[1] == "ing" and not perfect
            verb, form = known[0], "past" if went_on else known[1]
            at += 1
        else:
            break
    return Group(verb, form, modal, negative, frozenset(adverbs), perfect, passive, at)


def _participle(verb: str, word: str) -> tuple[str, str] | None:
    if verb in ("be", "have") and word in _UNCHANGED:
        return word, "past"
    if known := forms().get(word):
        return known
    return verb_of(word) if verb == "be" and word.endswith(("ed", "ing")) and _may_be_verb(word) else None


def _may_be_verb(word: str) -> bool:
    return "-" not in word and word not in COMMON


def _goes_on(verb: str, known: tuple[str, str]) -> bool:
    if not verb:
        return True
    if verb == "be":
        return known[1] in ("ing", "past")
    return known[1] == ("past" if verb == "have" else "base")
