"""Questions made from statements by rules: what somebody said of themselves, asked about by somebody else.

"I have two dogs" said by Ana becomes "How many dogs does Ana have?", "Does Ana have two dogs?", "What does Ana have?",
"Ana has two dogs" and "Ana dogs". The rules know clauses that begin with I and a verb; others give key words alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

__all__ = ["Clause", "asked", "clauses", "keywords", "told"]

_ADVERBS = "really also just always never still usually often only actually".split()
_CLAUSE = re.compile(
    r"(?:^|[.,;!?]\s*|\b(?:and|but|so|because|well|yeah|yes|no|oh|ah|lol|haha)\s+)"
    rf"I(?P<short>'(?:m|ve|d|ll))?\s+(?P<verb>(?:(?:{'|'.join(_ADVERBS)})\s+)*[a-z']+)"
    r"\s+(?P<rest>[^.,;!?]{3,120}?)(?=[.,;!?]|$|\s+(?:and|but|so|because|lol)\b)"
)
_SHORT = {"'m": "am", "'ve": "have", "'ll": "will", "'d": "would"}
_BE = {"am": "is", "was": "was"}
_HELPING = frozenset("will would can could should might must may".split())
_PAST = dict(
    pair.split(":")
    for pair in (
        "went:go had:have did:do got:get made:make took:take came:come saw:see bought:buy found:find told:tell "
        "left:leave felt:feel met:meet ran:run ate:eat drank:drink wrote:write read:read grew:grow lost:lose won:win "
        "spent:spend thought:think knew:know began:begin broke:break chose:choose drove:drive fell:fall flew:fly "
        "forgot:forget heard:hear kept:keep paid:pay rode:ride sang:sing sat:sit slept:sleep spoke:speak swam:swim "
        "taught:teach threw:throw wore:wear built:build caught:catch fought:fight held:hold sold:sell sent:send "
        "said:say gave:give"
    ).split()
)
_STATIVE = frozenset("guess think know mean see hope wish bet hear agree understand say wonder believe suppose".split())
_NUMBER = re.compile(
    r"\b(?P<many>\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|hundred)\s+"
    r"(?P<what>[a-z]+s|children|people)\b"
)
_PLACE = re.compile(r"\b(?P<by>in|at|to|from|near)\s+(?P<where>(?:the |a |an )?[a-z]+(?: [a-z]+)?)", re.IGNORECASE)
_MONTHS = "january|february|march|april|may|june|july|august|september|october|november|december"
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow"
    r"|(?:last|next|this) (?:week|weekend|month|year|night|summer|winter|spring|fall|\w+day)"
    r"|(?:in|on|at|since|until|for|every) (?:\d+ ?(?:am|pm|years?|months?|weeks?|days?|hours?)?"
    rf"|{_MONTHS}|\w+days?|the morning|the evening|weekends?)|\w+ (?:years?|months?|weeks?|days?) ago)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][a-z'-]+", re.IGNORECASE)
_COMMON = frozenset(
    """
    i a an the and or but so if of to in on at for from with by as is am are was were be been being do does did have
    has had will would can could should may might must not no yes it its this that these those there here he she
    they we you me him her them us my your his their our mine yours who what when where why how which than then too
    very just really also about up out get got go going like lot some any all more much many one i'm don't it's
    that's can't i've you're didn't oh well yeah okay ok um uh hmm lol haha wow hey hi hello thanks thank please
    sure right good great nice cool know think mean
    """.split()
)
_OTHER_WORDS = {
    "love": ("like", "enjoy", "adore"),
    "like": ("enjoy", "be fond of"),
    "hate": ("dislike", "not stand"),
    "dog": ("pet",),
    "dogs": ("pets",),
    "cat": ("pet",),
    "cats": ("pets", "animals"),
    "job": ("work", "occupation"),
    "kids": ("children",),
    "kid": ("child",),
    "mom": ("mother",),
    "dad": ("father",),
    "car": ("vehicle",),
    "house": ("home",),
    "movie": ("film",),
    "movies": ("films",),
    "buy": ("purchase", "get"),
    "big": ("large",),
    "begin": ("start",),
    "sister": ("sibling",),
    "brother": ("sibling",),
    "pizza": ("food",),
    "guitar": ("instrument",),
    "soccer": ("sport", "football"),
    "college": ("university",),
}


@dataclass(frozen=True, slots=True)
class Clause:
    """What somebody says of themselves: I, a verb, the rest."""

    verb: str  # in its base form; "be" for am and was
    said: str  # the form that was said
    adverbs: tuple[str, ...]
    rest: str

    @property
    def past(self) -> bool:
        return self.said == "was" or (self.said in _PAST and self.said != "read") or self.said.endswith("ed")


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of a text that begin with I and a verb that asserts something."""
    for found in _CLAUSE.finditer(text):
        *adverbs, verb = found["verb"].split()
        rest = found["rest"].strip()
        if short := _SHORT.get(found["short"] or ""):
            verb, rest = short, f"{verb} {rest}"
        base = "be" if verb in _BE else _base(verb)
        perfect = base == "have" and re.match(r"been|never|\w+ed\b", rest)
        if base and not perfect and base not in _STATIVE.union(_ADVERBS) and len(rest) > 2:
            yield Clause(base, verb, tuple(adverbs), rest)


def _base(verb: str) -> str:
    if verb in _PAST:
        return _PAST[verb]
    if "'" in verb or len(verb) < 2:
        return ""
    if verb.endswith("ied"):
        return verb[:-3] + "y"
    if verb.endswith("ed") and len(verb) > 4:
        stem = verb[:-2]
        if len(stem) > 2 and stem[-1] == stem[-2] and stem[-1] not in "ls":
            return stem[:-1]
        return (
            stem + "e"
            if re.search(r"(?:[^aeiou][aiu][a-z]|v|c|s|g|iz|at)$", stem)
            and not re.search(r"(?:sh|ch|ss|x|ng|it|in|en|er)$", stem)
            else stem
        )
    return verb


def _third(verb: str) -> str:
    """A verb of the present, with he or she."""
    if verb == "have":
        return "has"
    if verb in _HELPING:
        return verb
    if re.search(r"(?:s|sh|ch|x|z|o)$", verb):
        return verb + "es"
    return verb[:-1] + "ies" if re.search(r"[^aeiou]y$", verb) else verb + "s"


def told(clause: Clause, name: str) -> str:
    """The clause with a name in place of I."""
    verb = _BE.get(clause.said) or (clause.said if clause.past else _third(clause.verb))
    return " ".join([name, *clause.adverbs, verb, _theirs(clause.rest)])


def asked(clause: Clause, name: str, chance: random.Random) -> str:
    """A question about the clause, of one of the forms that fit it."""
    forms = [_whether(clause, name)]
    if clause.verb != "be":  # "What is Ana?" could be about anything
        forms.append(f"What {_did(clause, name)}?")
    rest = _theirs(clause.rest)
    if number := _NUMBER.search(rest):
        forms += [_many(clause, name, number)] * 3
    if time := _TIME.search(rest):
        left = " ".join((rest[: time.start()] + rest[time.end() :]).split())
        forms += [f"When {_did(clause, name)} {left}?"] * 3
    if place := _PLACE.search(rest):
        left = rest[: place.start()].strip()
        forms += [
            f"Where {_did(clause, name)} {left}".strip()
            + ("?" if place["by"] in ("in", "at", "to") else f" {place['by']}?")
        ] * 2
    return _reworded(chance.choice(forms), chance)


def _did(clause: Clause, name: str) -> str:
    """The helping verb, the name, and the verb."""
    if clause.verb == "be":
        return f"{_BE[clause.said]} {name}"
    if clause.verb in _HELPING:
        return f"{clause.verb} {name}"
    return f"{'did' if clause.past else 'does'} {name} {clause.verb}"


def _whether(clause: Clause, name: str) -> str:
    done = _did(clause, name)
    return f"{done[0].upper()}{done[1:]} {_theirs(clause.rest)}?"


def _many(clause: Clause, name: str, number: re.Match[str]) -> str:
    after = _theirs(clause.rest)[number.end() :].strip()
    return f"How many {number['what']} {_did(clause, name)} {after}".strip() + "?"


def _theirs(rest: str) -> str:
    """What belongs to the speaker belongs to somebody else in the question."""
    rest = re.sub(r"\bmy\b", "their", rest)
    rest = re.sub(r"\b(?:me|myself)\b", "them", rest)
    return re.sub(r"\bI\b.*$", "", rest).strip()


def _reworded(question: str, chance: random.Random) -> str:
    """Some of its words replaced by others that mean about the same."""

    def other(found: re.Match[str]) -> str:
        known = _OTHER_WORDS.get(found[0])
        return chance.choice(known) if known and chance.random() < 0.5 else found[0]

    return _WORD.sub(other, question)


def keywords(text: str, name: str, chance: random.Random) -> str | None:
    """A query of a few key words, with the name; None where there are too few."""
    words = [word for word in dict.fromkeys(_WORD.findall(text.lower())) if word not in _COMMON and len(word) > 3]
    if len(words) < 2:
        return None
    some = sorted(chance.sample(words, min(len(words), chance.randint(2, 4))), key=words.index)
    return " ".join([name, *some] if chance.random() < 0.8 else some)
