"""What a single sentence tells of: a decision, an issue, its solution, an insight, something finished, a "
"change of course.

The turns of phrase are in `episode_phrases`; here are the guards around them, which throw out what only sounds so:
questions, wishes, conditions, plans, denials, habits, and what is said of whoever listens, or of people in general.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from onrecord.policy.episode_phrases import TROUBLE, Rule, rules
from onrecord.records import EpisodeKind

__all__ = ["SentenceReading", "names_trouble", "read"]

_CLAUSE = 60  # characters before the turn of phrase in which a denial or a plan counts
_FAINT = 0.6  # of its certainty: long ago, or told of people in general
_ING = re.compile(r"\w+ing\b")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)*")


class SentenceReading(NamedTuple):
    """What a sentence tells of."""

    kind: EpisodeKind
    certainty: float  # from 0 to 1
    start: int  # where the turn of phrase begins
    end: int  # and where it ends
    leans: bool  # it needs something told before


def read(sentence: str, *, own: bool) -> SentenceReading | None:
    """What a sentence tells of, if anything. `own`: said by a person, or by an assistant that goes by a name. "
    "A nameless
    one must speak of its own doing, for most of what it says is advice."""
    low = _lowered(sentence)
    words = set(_WORD.findall(low))
    if words.isdisjoint(_hints()) or _shut(low, words):
        return None
    for rule in rules():
        if not words.isdisjoint(rule.hints) and (match := _first(sentence, low, rule)) is not None:
            if not own and (_doing().search(low, 0, match.end()) is None or _proposed().search(match.group())):
                return None
            certainty = rule.certainty * (_FAINT if _distant().search(low) is not None else 1.0)
            return SentenceReading(rule.kind, certainty, match.start(), match.end(), rule.leans)
    return None


def _lowered(text: str) -> str:
    """Small letters and straight apostrophes, each in its place."""
    low = text.lower()
    if len(low) != len(text):
        low = "".join(small if len(small := letter.lower()) == 1 else letter for letter in text)
    return low.replace("’", "'")


def names_trouble(sentence: str) -> bool:
    """Whether a sentence says what is wrong: then its solution needs nothing told before."""
    return _trouble().search(sentence.lower()) is not None


def _first(sentence: str, low: str, rule: Rule) -> re.Match[str] | None:
    """The first place where the turn of phrase is meant."""
    for match in rule.pattern.finditer(low):
        if _holds(low, match, rule.kind) and (not rule.done or _somebody(sentence, match.start())):
            return match
    return None


def _somebody(sentence: str, at: int) -> bool:
    """Whether somebody one knows does what is told at this place: companies and fighters finish things all the time."""
    before = _joint().split(sentence[max(0, at - _CLAUSE) : at])[-1].split()
    while before and before[-1].lower() in _ADVERBS:
        before.pop()
    return not before or before[-1].lower().replace("’", "'") in _DOERS or before[-1][0].isupper()


def _shut(low: str, words: set[str]) -> bool:
    """Whether nothing in the sentence can be meant: it asks, it only reacts, or it speaks of what is to come."""
    if low.rstrip("\"'”) *_").endswith("?") or not words.isdisjoint(_SHUTTING):
        return True
    return _asks().match(low) is not None


def _holds(low: str, match: re.Match[str], kind: EpisodeKind) -> bool:
    """Whether the turn of phrase is meant: not denied, imagined, planned, or told of whoever listens."""
    at = match.start()
    if _imagined().search(low, 0, match.end()) is not None:
        return False
    before = low[max(0, at - _CLAUSE) : at]
    clause = _joint().split(before)[-1]
    last = clause.split()[-1:]
    if _theirs().search(clause) is not None or (last and last[0] in _NO_LEAD):
        return False
    if _aside().search(clause) is not None:
        return False  # "after we had sold the house": only the background of what is told
    if last and last[0] not in _DOING and _ING.match(low, at) is not None:
        return False  # "such as switching to": of the thing in general
    if kind == "issue_found":
        return _dismissed().search(clause) is None and _dismissed().search(match.group()) is None
    return _denied().search(clause) is None and _planned().search(clause) is None


_SHUTTING = frozenset("imagine hypothetically congrats congratulations".split())
_NO_LEAD = frozenset(
    "to of be any these those more who people if when once until how why what since ever after before while".split()
)


_ADVERBS = frozenset(
    "just finally actually also already now both all eventually recently even really together then officially have has "
    "had successfully only first".split()
)
_DOERS = frozenset(
    "i we he she they i've we've he's she's they've team wife husband partner mom mum dad sister brother son daughter "
    "parents kids friend friends boss client company cousin colleague girlfriend boyfriend is are was were been got "
    "today yesterday week month".split()
)

_DOING = frozenset("i'm we're he's she's they're am are is was were been now just finally be".split())


@cache
def _hints() -> frozenset[str]:
    return frozenset().union(*(rule.hints for rule in rules()))


@cache
def _trouble() -> re.Pattern[str]:
    more = "pain|ticket|broken|stuck|failing|failed|lost|missing|debt|conflict|dispute|mess|sick|ill|tests?"
    return re.compile(rf"\b(?:{TROUBLE}|{more})\b")


@cache
def _asks() -> re.Pattern[str]:
    """Questions without their mark, and orders."""
    return re.compile(
        r"\W*(?:(?:and|so|but|ok|okay|hey|hi)\W+)*(?:did|do|does|have you|has|is|are|was|were|can|could|would|"
        r"should|will|what(?! an? )|why|how|when|where|who|which|please|try|make sure|ensure|check|consider|remember|"
        r"don't|do not|never|"
        r"glad|great to|good to|happy (?:to hear|for|you)|so (?:glad|happy) (?:to hear|for|you)|sorry (?:to "
        r"hear|about)|"
        r"i'm (?:so |really |very )?(?:glad|happy|sorry|proud) (?:to hear|you|for you|that you|of you|your)|"
        r"it's (?:great|awesome|amazing|good|wonderful|cool|nice) (?:to|that|how|you)|hope|hoping)\b"
    )


@cache
def _imagined() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:if|unless|whether|would|could|should|might|may|maybe|perhaps|possibly|probably|wish|hope|"
        r"hopefully|hoping|"
        r"suppose|supposed|assuming|as soon as|in case|imagine|pretend|until|wondering|wonder|dream of|dreamed|dreamt|"
        r"i think (?:we|you|they) should|do you|did you|have you|how|you can|can be|for example|e\.g|"
        r"let me know|make sure|\w+'d have|trying to|tried to|try to|want to|wanted to|need to|needs to)\b"
    )


@cache
def _joint() -> re.Pattern[str]:
    return re.compile(r"[,;:.!–—()]+ |, ?| (?:and|but|so|because|although|though) ")


@cache
def _aside() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:after|since|when|before|while|because of) [\w']+(?: (?:just|finally|have|had|has|both))*\s*$"
    )


@cache
def _theirs() -> re.Pattern[str]:
    return re.compile(r"\b(?:you|you've|you're|your|anyone|someone who|people who|those who|\w+s who|nobody|no one)\b")


@cache
def _denied() -> re.Pattern[str]:
    return re.compile(
        r"n't\b|\b(?:not|never|no|without|hardly|barely|almost|nearly|yet to|cannot|neither|nor|nothing|far from|"
        r"usually|always|often|sometimes|every time|whenever|used to|rarely|typically|generally)\b"
    )


@cache
def _planned() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:will|'ll|going to|gonna|plan(?:s|ning)? to|want(?:s)? to|have to|has to|had to|must|about to|to "
        r"be|to get|"
        r"getting|aim(?:ing)? to|expect(?:s|ed)? to|ready to|in order to|can|able to|when|once|before|by the time|"
        r"until|next|tomorrow|close to|goal|deadline|dream|needs?)\b"
    )


@cache
def _dismissed() -> re.Pattern[str]:
    return re.compile(
        r"n't (?:\w+ ){0,3}$|\b(?:not|never|no|without|no more|avoid|prevent|any|potential|possible|possibly|"
        r"fewer|less|"
        r"handle|handling|usually|always|often|sometimes|every time|whenever|used to|when|once|"
        r"will|'ll|going to|can)\b"
    )


@cache
def _doing() -> re.Pattern[str]:
    """How a nameless assistant speaks of its own doing, or of the state of things."""
    return re.compile(
        r"^\W*(?:fixed|done|found|solved|resolved|shipped|deployed|merged|released|decided|all)\b|"
        r"\b(?:i|we|i've|we've|our|turns out|now)\b"
    )


@cache
def _proposed() -> re.Pattern[str]:
    """What a nameless assistant proposes; it decides nothing."""
    return re.compile(r"\b(?:let'?s|let us|we'll|we will|i'll|i will)\b")


@cache
def _distant() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:years ago|decades? ago|back in|when i was|when we were|as a (?:kid|child|teen|teenager)|in college|"
        r"in high school|last year|growing up|in (?:19|20)\d\d|once upon|people|they say|most of us|in history)\b"
    )
