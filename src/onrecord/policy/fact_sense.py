"""What makes a clause no lasting statement, and marks of time and of doubt that several rules look for."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from onrecord.policy.fact_grammar import Clause
from onrecord.policy.fact_words import PETS, RELATIONS

__all__ = ["GROUPS", "about", "doubtful", "fleeting", "kin", "pattern", "recurring", "retold", "who_of"]

GROUPS = frozenset(
    """team board committee client group council management leadership family company boss manager parents wife husband
    partner sister brother landlord court jury city school department club mother father mum mom dad daughter son kids
    children twins ceo cto lead leads owner owners members staff office bank doctor girlfriend boyfriend fiancé fiancée
    customer customers stakeholders editor publisher practice crew band firm meeting assembly union choir owners'
    trustees investors""".split()
)
_MOMENTS = frozenset("today tonight yesterday tomorrow earlier".split())
_DOUBTS = frozenset("maybe perhaps possibly might wondering whether undecided idk could weighing torn unsure".split())
_SAYS = frozenset("say tell claim ask tweet think believe hear warn argue insist".split())


@cache
def pattern(text: str) -> re.Pattern[str]:
    """A pattern, compiled when it is first needed."""
    return re.compile(text, re.IGNORECASE)


_MOMENT = (
    r"\b(?:right now|in a (?:minute|second|moment|bit|sec|while)|in (?:five|ten|\d+|a few|two|a couple of) "
    r"(?:more )?minutes?|this (?:morning|afternoon|evening|time)|last (?:night|week|weekend)|at the moment|again|"
    r"for a (?:minute|second|moment)|before the meeting|so far|just now|(?:on|last) (?:sun|mon|tues|wednes|thurs|fri|"
    r"satur)day (?:night|morning)|anymore, haha)\b"
)
_RETOLD = (
    r"^\W*(?:(?:and|but|so|well|ok|okay|then)[\s,]+)*(?:suppose|supposing|imagine|pretend|assume|assuming|say i\b|"
    r"what if|let's (?:say|pretend|imagine|assume|suppose)|in (?:the|a|my|this) (?:film|movie|game|book|story|novel|"
    r"show|series|dream|poem|song|anime|episode|play|video|article)\b|once upon|according to|as an ai|my character|"
    r"your (?:last|first|second|previous)|unless|when i am|when i'm (?:rich|old|famous)|idk|not sure)|"
    r"\b(?:dreamt|dreamed) (?:that|i)\b|\blol\b|\bhaha|\bas they say\b|\bas the saying\b|\bjust kidding\b|"
    r"\bjoking\b|\bgeneral knowledge\b|\bthe (?:article|paper|docs?|book|song|sign|page|news|horoscope|"
    r"post|manual|error|text|email|letter)\b[^,]{0,20} (?:says?|said|goes|claims?|reads)\b|\bhoroscope\b|"
    r"\bwas like\b|\bi (?:would|could) (?!(?:really |also |eventually |one day |much |rather |never )*(?:like|love|"
    r"prefer|rather|not (?:live|do|cope|manage) without|live without))|\bwish (?:i|we|my)\b|\bif (?:i|we|my \w+) "
    r"(?:were|was|had|lived|could)\b|\b(?:some|many|most|few) (?:people|folks|experts|users)\b"
)


_RETELLS = tuple(  # one of these is in every sentence that is retold
    "suppos,imagin,pretend,assum,say,what if,in the,in a ,in my,in this,once upon,according,as an "
    "ai,character,your ,unless,"
    "when i,idk,not sure,dream,lol,haha,kidding,joking,knowledge,said,goes,claim,reads,horoscope,was like,i "
    "would,i could,"
    "wish,if ,some ,many ,most ,few ".split(",")
)


def retold(text: str) -> bool:
    """Whether the sentence imagines, quotes, jokes or speaks for people in general."""
    low = text.lower()
    return any(map(low.__contains__, _RETELLS)) and pattern(_RETOLD).search(text) is not None


def doubtful(clause: Clause) -> bool:
    """Whether it is not asserted: only possible, undecided, somebody's words, or said to the listener."""
    if not _DOUBTS.isdisjoint(clause.all) and "without" not in clause.all:
        return True
    other = clause.who in ("other", "name", "the", "bare") or (clause.who in ("my", "our") and kin(clause.head))
    if other and clause.verb in _SAYS and not clause.passive and "to" not in clause.low[:2]:
        return True
    return clause.lead[:1] == ("if",) and clause.who not in ("we", "order", "the", "name", "bare", "our")


def fleeting(clause: Clause) -> bool:
    """Whether it is of the moment."""
    return not _MOMENTS.isdisjoint(clause.all) or _momentary(clause.text)


@lru_cache(maxsize=64)
def _momentary(text: str) -> bool:
    return pattern(_MOMENT).search(text) is not None


_RECURRING = (
    r"\b(?:every (?!time\b|one\b|bit\b|thing\b|dog\b|reason|chance|penny|cent\b)\w+|each (?:\w+ )?(?:day|week|month|"
    r"morning|evening|night|year|quarter|sprint|release|incident|spring|season|match|session|game|deploy|time|shift|"
    r"trip|lesson|class|term|meeting|round|run|harvest|winter|summer)|(?:once|twice|\w+ times|an hour|hours?) (?:a|per|"
    r"each|every) (?:\w+ )?\w+|nightly|weekly|daily|monthly|hourly|quarterly|yearly|annually|on (?:mon|tues|wednes|"
    r"thurs|fri|satur|sun|week|school ?)\w*s\b|in the (?:mornings?|evenings?|afternoons?)|on the (?:first|last|second|"
    r"third|\d+\w\w)\b[\w ]* of (?:the|each|every) (?:month|week|year|sprint|quarter)|at the (?:start|end) of "
    r"(?:each|every|the (?:month|week|quarter|year|sprint|shift|day))|mornings|evenings|weekends|on alternate|"
    r"whenever|most (?:days|weeks|mornings|evenings)|at (?:dawn|dusk|noon|midnight)|as a rule|by default)\b"
)


def recurring(text: str) -> bool:
    """Whether it happens again and again."""
    return pattern(_RECURRING).search(text) is not None


@cache
def _kin() -> re.Pattern[str]:
    return re.compile(
        rf"(?:[a-z][\w-]* ){{0,2}}?(?P<kin>{RELATIONS}|{PETS}|youngest|eldest|oldest|middle one|twins|girls|boys|"
        r"goddaughter|godson|stepdad|stepmum|stepmom|gran|nan|granddad|nana|team lead|in-law)"
        r"(?:,?\s+(?P<name>(?-i:[A-Z])[\w'-]+(?: (?-i:[A-Z])[\w'-]+)?))?(?:,.*)?",
        re.IGNORECASE,
    )


def kin(head: str) -> re.Match[str] | None:
    """Whether what is mine is a person or a pet, and its name."""
    return _kin().fullmatch(head.strip())


def who_of(clause: Clause, speaker: str) -> str:
    """Whom or what a clause is about, as facts name it."""
    if clause.who in ("i", "order"):
        return speaker
    if clause.who == "we":
        return "we"
    head = clause.head.partition(",")[0].partition(" (")[0].strip()
    if clause.who == "my" or (clause.who == "our" and kin(clause.head)):
        match = kin(clause.head)
        if match and match["name"]:
            return match["name"]
        return f"{speaker}'s {match['kin'].lower()}" if match else speaker
    if clause.who == "name":
        return head
    return "we" if clause.who == "our" else about(head)


def about(head: str) -> str:
    """A thing as what a fact is about: short, without what stands before it."""
    bare = pattern(r"^(?:(?:the|a|an|my|our|all|every|each|any|this)\s+)+").sub("", head.strip())
    return " ".join(bare.split()[:5]).strip(" ,;:.").lower()
