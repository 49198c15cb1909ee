"""Decisions, goals, limits, ways of doing things and who is who, as one sentence states them.

Of a sentence that could be read in several ways the more binding reading counts: a decision before a goal, a goal
before a limit, a limit before a way, a way before a name.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from recollect.policy.fact_table import check, places, plans
from recollect.policy.fact_values import LONGEST_ATTRIBUTE, LONGEST_VALUE, Said, aim, bare, choice, short, value_of
from recollect.policy.signs import COMMON

__all__ = ["planned"]

_UNLIKE = ("procedure", "entity", "constraint", "decision")  # a statement of a liking is none of these
_LETTERS = 5  # of an abbreviation, which is no name


def planned(text: str, words: frozenset[str], speaker: str, *, liked: bool, ordered: bool) -> list[Said]:
    """What a sentence plans, with its words in lower case. What states a liking is no limit or way
    besides; an order that was found already is not read again."""
    tried: dict[str, list[int]] = {}
    for kind, number in {place for word in words for place in places().get(word, ())}:
        tried.setdefault(kind, []).append(number)
    found: list[Said] = []
    for kind, read in _READERS.items():
        if kind not in tried or (liked and kind in _UNLIKE) or (ordered and kind == "standing"):
            continue
        for number in sorted(tried[kind]):
            match = plans(kind)[number].pattern.search(text)
            if match and (said := read(match, text, speaker)):
                found.append(said)
                break
        if found and kind != "constraint":
            break
    return found


def _decision(match: re.Match[str], text: str, speaker: str) -> Said | None:
    if check("undecided").search(text) or check("moment").search(text) or check("cheer").search(text):
        return None
    attribute, value = choice(_first(match, "v", "w"))
    return Said("decision", _subject(match, speaker), attribute, value)


def _goal(match: re.Match[str], text: str, speaker: str) -> Said | None:
    what = _first(match, "v", "w")
    before = text[match.start() : match.start("v")]
    if check("moment").search(text.replace("from now", "")):
        return None
    if check("wants").search(before):
        distant = check("horizon").search(text) is not None
        if check("trifle").match(what) or not (distant or check("large").match(what)):
            return None
        if check("will").search(before) and not distant:
            return None
    activity, rest = aim(what)
    return Said("goal", _subject(match, speaker), activity, rest or "goal")


def _constraint(match: re.Match[str], text: str, speaker: str) -> Said | None:
    if any(check(name).search(text) for name in ("moment", "general", "you", "favourite")):
        return None
    parts = match.groupdict()
    what = value_of(parts.get("v") or "")
    if parts.get("a"):
        return Said("constraint", "we", parts["a"].lower(), what)
    subject = (parts.get("s") or "").strip()
    who = {"": speaker, "i": speaker, "we": "we"}.get(subject.lower()) or bare(subject)
    return Said("constraint", who, short(what, LONGEST_ATTRIBUTE).lower(), (parts.get("m") or "limit").lower())


def _standing(match: re.Match[str], text: str, speaker: str) -> Said | None:
    what = short(value_of(match["v"]), LONGEST_ATTRIBUTE).lower()
    return Said("constraint", speaker, what, "standing", "style", tags=("standing",))


def _procedure(match: re.Match[str], text: str, speaker: str) -> Said | None:
    if any(check(name).search(text) for name in ("moment", "general", "your", "past")) or check("feeling").search(
        match["v"]
    ):
        return None
    parts = match.groupdict()
    activity = bare(parts.get("a") or parts.get("b") or "").strip().lower()
    if (parts.get("s") or "").lower() == "i" and not check("in_steps").search(text):
        return Said("fact", speaker)  # what somebody does now and then is a habit, no instruction
    if not activity:
        return Said("procedure", _subject(match, speaker))
    return Said("procedure", short(activity, LONGEST_ATTRIBUTE), "procedure", short(match["v"], LONGEST_VALUE))


def _entity(match: re.Match[str], text: str, speaker: str) -> Said | None:
    parts = match.groupdict()
    if name := (parts.get("s") or "").strip(' "'):
        if name.split()[0].lower() in COMMON and " " not in name:
            return None
        return Said("entity", name, "role", value_of(match["v"]), "people")
    if not parts.get("a"):
        return Said("entity", "we")
    value = match["v"].strip(' "')
    if not _may_be_name(value, match["a"]) or (value.isupper() and len(value) <= _LETTERS):
        return None
    return Said("entity", speaker if parts.get("d", "my") == "my" else "we", bare(match["a"]).lower(), value, "people")


def _may_be_name(value: str, head: str) -> bool:
    first = value.removeprefix("the ").split()[0]
    return not (first.lower() in COMMON or check("not_name").match(first) or check("opinion").search(head))


_READERS: dict[str, Callable[[re.Match[str], str, str], Said | None]] = {
    "decision": _decision,
    "standing": _standing,
    "goal": _goal,
    "constraint": _constraint,
    "procedure": _procedure,
    "entity": _entity,
}


def _subject(match: re.Match[str], speaker: str) -> str:
    said = (match.groupdict().get("s") or "").strip()
    if said.lower() in ("i", "my", ""):
        return speaker
    return "we" if said.lower() in ("we", "our", "the", "they", "everyone") else bare(said).removesuffix("'s")


def _first(match: re.Match[str], *names: str) -> str:
    parts = match.groupdict()
    return next((parts[name] for name in names if parts.get(name)), "") or ""
