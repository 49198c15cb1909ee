"""What users say they want, as topic and value: "I prefer dark mode" is theme, dark.

A statement counts if it says how the speaker is or wishes things to be from now on: what they like, avoid, eat, are
allergic to or called, and what they ask for "always". A wish of the moment ("I'd like to book a table"), a question, a
condition or somebody else's words do not count; where a rule is in doubt, it is silent. The topic is chosen so that a
later statement about the same thing has the same topic: a name where there is one (theme, language, name, diet,
answers), otherwise the thing itself, and the value is what the user thinks of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from onrecord.policy.preference_rules import STANCES, VAGUE, rule

__all__ = ["likings", "orders", "preferences", "singular"]

_LONGEST_SENTENCE = 1000  # more is no sentence but a paste
_LONGEST_THING = 300
_LONGEST_TOPIC = 48
_LONGEST_VALUE = 160

_HINTS = (
    " i ",
    "i'm ",
    "i've ",
    "my ",
    " me ",
    "always ",
    "never ",
    "your ",
    "from now on",
    "future",
    " in ",
    "not ",
    "'d ",
    "id ",
    "nothing ",
    "answers ",
    "replies ",
    "responses ",
)
_FEELINGS = {"preference": "prefers", "fear": "fears", "phobia": "fears"}
_HABIT_VALUES = {
    "never": "never",
    "always": "always",
    "don't": "never",
    "do not": "never",
    "can't": "cannot",
    "cannot": "cannot",
}


def preferences(sentence: str) -> list[tuple[str, str]]:
    """The preferences that one sentence of a user states, as topic and value."""
    return _distinct([*orders(sentence), *likings(sentence)])


def orders(sentence: str) -> list[tuple[str, str]]:
    """Only what the sentence asks for to last: "always …", "from now on …", "call me …", "answer in French"."""
    text, asks = _read(sentence)
    return _distinct(_asked_for(text, asks)) if text else []


def likings(sentence: str) -> list[tuple[str, str]]:
    """Only what the sentence says of its speaker: likes, dislikes, habits, allergies, diets."""
    text, _ = _read(sentence)
    return _distinct((*_about_self(text), *_stances(text))) if text else []


def _read(sentence: str) -> tuple[str, bool]:
    """The sentence in plain marks, empty if it can state nothing, and whether it ends as a question."""
    text = sentence[:_LONGEST_SENTENCE].replace("’", "'").strip('"“” \t')
    low = text.lower()
    if not _may_state(low):
        return "", False
    asks = low.rstrip(" \"')").endswith("?")
    return ("" if asks and rule("asking").match(low) else text), asks


def _distinct(stated: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Each topic once, short enough to be one."""
    found: dict[str, str] = {}
    for topic, value in stated:
        topic = _short(topic.lower().strip(" \"'`*_,:"), _LONGEST_TOPIC)
        value = _short(value.strip(" \"'`*_,:."), _LONGEST_VALUE)
        if topic and value:
            found.setdefault(topic, value)
    return list(found.items())


def _may_state(low: str) -> bool:
    """Cheap, and often no."""
    return any(map(f" {low} ".__contains__, _HINTS))


def _asked_for(text: str, asks: bool) -> Iterator[tuple[str, str]]:
    """What is asked for to last: "always …", "from now on …", "call me …", "answer in French"."""
    if asks:
        return
    if name := rule("named").match(text):
        yield "name", name["name"]
    elif language := rule("in_language").match(text):
        yield "language", language["language"].capitalize()
    elif order := rule("standing").match(text):
        yield from _order(order)
    elif answers := rule("answers").match(text):
        yield "answers", answers["how"]


def _order(order: re.Match[str]) -> Iterator[tuple[str, str]]:
    what, often = order["what"].rstrip(" .!"), (order["often"] or "always").lower()
    often = "always" if often == "always" else "never"
    if language := rule("in_language").match(what):
        yield "language", language["language"].capitalize()
    elif name := rule("named").match(what):
        yield "name", name["name"]
    elif answers := rule("answers").match(what):
        yield "answers", answers["how"]
    else:
        what, _, condition = what.partition(" when ")
        yield what, f"{often}, when {condition}" if condition else _whole(often, what)


def _about_self(text: str) -> Iterator[tuple[str, str]]:
    """What users are: allergic, vegan, and what is their favourite."""
    for match in _said("allergy", text):
        kind = "intolerance" if match["intolerant"] or match["intolerance"] else "allergy"
        degree = "no" if match["not"] else (match["degree"] or match["degrees"] or "yes").lower()
        things = next(part for part in match.group("what", "to", "of", "intolerant", "intolerance") if part)
        yield from ((f"{kind} to {singular(thing)}", degree) for thing in _things(things))
    for match in _said("diet", text):
        yield "diet", match["named"] or match["kept"] or match["kosher"] or f"no {match['without']}"
    for match in _said("mine", text):
        if not _fleeting(match["value"]):
            yield match["topic"].lower().replace("favourite", "favorite"), _until_clause(match["value"])
    yield from _turned(text)
    for match in _said("best", text):
        yield f"{match['does']}s best", _until_clause(match["how"])
    for match in _said("finds", text):
        what = match["to"] or match["what"]
        if what and not _fleeting(what):
            what = _until_clause(what)
            yield what, _whole(f"finds it {match['adjective'].lower()}", what)


def _turned(text: str) -> Iterator[tuple[str, str]]:
    """What is said the other way round: "Teal is my colour", "give me rain over sun any day"."""
    low = text.lower()
    if " my " in low and (match := rule("is_mine").match(text)):
        yield match["topic"].lower().replace("favourite", "favorite"), match["value"]
    if " me " in low and (match := rule("maddens").match(text)):
        yield match["what"], "dislikes"
    if (" over " in low or " instead of " in low or " than " in low) and (match := rule("rather_have").match(text)):
        one, other = _bare(match["one"] or match["thing"]), _bare(match["other"] or match["others"])
        yield " or ".join(sorted((one.lower(), other.lower()))), one
    yield from _otherwise(text, low)
    for name, value in (("goes_for", "prefers"), ("not_fan", "dislikes")):
        for match in _said(name, text) if ("always" if value == "prefers" else "not ") in low else ():
            if not _fleeting(match["what"]):
                yield _bare(_until_clause(match["what"])), value


def _otherwise(text: str, low: str) -> Iterator[tuple[str, str]]:
    """Likings without a word for it: "nothing beats tea", "crowds make me anxious", "I take my coffee black"."""
    if " my " in low and (match := rule("takes_it").search(text)):
        yield match["what"], match["how"]
    if " rather " in low and (match := rule("rather_than").search(text)):
        yield " or ".join(sorted((match["one"].lower(), match["other"].lower()))), match["one"]
    if " person" in low and (match := rule("kind_of_person").search(text)):
        yield "kind of person", match["what"]
    for name, value in (("not_mine", "dislikes"), ("nothing_beats", "likes")):
        if match := rule(name).search(text):
            yield _bare(_until_clause(next(filter(None, match.groups())))), value


def _said(name: str, text: str) -> Iterator[re.Match[str]]:
    return (match for match in rule(name).finditer(text) if _stated(text[: match.start()]))


def _stances(text: str) -> Iterator[tuple[str, str]]:
    """What users like, avoid, refuse, only or never do. One sentence may say several: "I like tea and avoid coffee"."""
    matches = list(rule("stance").finditer(text))
    spoken = False  # whether the speaker is the subject of what follows an "and"
    for place, match in enumerate(matches):
        if match["subject"]:
            spoken = _stated(text[: match.start()])
        elif place == 0:
            spoken = rule("speaks").match(text, 0, match.start()) is not None
        if not spoken:
            continue
        end = matches[place + 1].start() if place + 1 < len(matches) else len(text)
        family = next(name for name in STANCES if match[name])
        clause = _clause(text[match.end() : end])
        stated = list(_stance_of(family, match, clause))
        spoken = bool(stated)  # in "I love the peace and love theme", the second love is no verb either
        yield from stated


def _stance_of(family: str, match: re.Match[str], clause: str) -> Iterator[tuple[str, str]]:
    value, thing = STANCES[family][1], _trimmed(clause)
    if family == "feels":
        value = _FEELINGS.get((match["feeling"] or "fear").lower(), "dislikes")
        thing = _bare(thing)  # a fear of the ocean is of all oceans
    elif family == "habit":
        if rule("amount").search(clause):
            return
        value = _HABIT_VALUES.get((match["often"] or match["able"]).lower(), "only")
    if not _lasts(family, match[family].lower(), thing):
        return
    if family in ("prefers", "likes"):
        yield _favoured(thing, value)
    elif theme := _theme(thing):
        yield "theme", f"not {theme}"
    else:
        thing = _bare(thing)
        yield thing, _whole(value, thing)


def _lasts(family: str, verb: str, thing: str) -> bool:
    """Whether this can be meant for longer than the moment."""
    low = thing.lower()
    if not low or _fleeting(low) or rule("moment").search(low):
        return False
    if family == "habit":
        return not low.endswith(" diet")  # said as a diet already
    if family == "prefers":
        return not low.startswith("the ")
    if family == "likes":  # "I like a mocha" is how many say what they want now
        return not low.startswith(("a ", "an ", "some ", "one ", "two ", "the ") if verb == "like" else "the ")
    return not (family == "dislikes" and low.startswith("to "))


def _fleeting(thing: str) -> bool:
    return rule("fleeting").match(thing) is not None


def _favoured(thing: str, value: str) -> tuple[str, str]:
    """Topic and value of what is preferred: the kind of thing, and which."""
    if theme := _theme(thing):
        return "theme", theme
    if mine := rule("my_thing").fullmatch(thing):
        return mine[1], mine[2]
    if answers := rule("answers_like").fullmatch(_bare(thing)):
        return "answers", f"{answers[1].strip()}{answers[2] or ''}"
    if value == "prefers":
        if rule("language").fullmatch(thing):
            return "language", thing.capitalize()
        if pair := _pair(thing):
            return " or ".join(sorted(map(str.lower, pair))), pair[0]
        kind = rule("kind_of").fullmatch(_bare(thing))
        if kind and kind["noun"] not in VAGUE and not thing.lower().startswith("to "):
            return kind["noun"], f"{kind['which']} {kind['rest'] or ''}".strip()
    thing = _bare(thing)
    return thing, _whole(value, thing)


def _pair(thing: str) -> tuple[str, str] | None:
    """What is preferred and to what, if both are short."""
    pair = rule("rather").fullmatch(thing) or rule("one_to_other").fullmatch(thing)
    apart = pair is not None and " over " not in thing and pair[1][0].isupper() != pair[2][0].isupper()
    if pair is None or len(thing) > _LONGEST_TOPIC or apart:
        return None
    return _bare(pair[1]), _bare(pair[2])


def _theme(thing: str) -> str | None:
    theme = rule("theme").search(thing)
    return (theme[1] or theme[2]).lower() if theme else None


def _bare(thing: str) -> str:
    """Without the words before the thing that do not change what it is."""
    return rule("before_thing").sub("", thing)


def _whole(value: str, thing: str) -> str:
    """The value, with the thing itself where the topic has no room for all of it."""
    return value if len(thing) <= _LONGEST_TOPIC else f"{value}: {thing}"


def _short(text: str, most: int) -> str:
    """Cut between words."""
    text = " ".join(text.split())
    if len(text) <= most:
        return text
    return _trimmed(text[: most + 1].rpartition(" ")[0] or text[:most])


def _trimmed(text: str) -> str:
    """Without the words at its end that lead to something or only stress it."""
    return rule("behind_thing").sub("", text).rstrip(" ,;:-")


def _until_clause(text: str) -> str:
    return _trimmed(_clause(text))


def _clause(text: str) -> str:
    text = text[:_LONGEST_THING]
    end = rule("clause_end").search(text)
    return (text[: end.start()] if end else text).strip(" ,;:.!?-\"'")


def _stated(before: str) -> bool:
    """Whether a statement may begin behind these words: they end a clause, and make nothing unreal of it."""
    before = before.rstrip().lower()
    if not before or rule("remark").fullmatch(before):
        return True
    return rule("leads_in").search(before) is not None and rule("unreal").search(before) is None


def _things(text: str) -> list[str]:
    """The things of a list: "nuts, eggs and milk"."""
    whole = _until_clause(text)
    parts = [_bare(part.strip()) for part in re.split(r"\s*(?:,|\band\b|\bor\b|&|/)\s*", whole)]
    return [part for part in parts if part and len(part.split()) <= 3 and not _fleeting(part)]


def singular(thing: str) -> str:
    """So that "a peanut allergy" and "allergic to peanuts" are about the same."""
    for ending, instead in (("ies", "y"), ("oes", "o"), ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", "")):
        if thing.endswith(ending):
            return thing.removesuffix(ending) + instead
    return thing
