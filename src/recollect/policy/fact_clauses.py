"""A sentence as its clauses, each with who it is about and what it says of them, in one plain form.

"I'm vegan and we've just moved to Porto" is two clauses: I, "am vegan"; we, "have moved to Porto". Short forms are
written out, words that change nothing ("just", "currently") are gone, and a clause without a subject has that of the
clause before it. What is only imagined, asked, wished or somebody else's opinion is told by `Clause.unreal`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from recollect.policy.fact_words import PETS, RELATIONS

__all__ = ["Clause", "clauses", "spelled_out"]


class Clause(NamedTuple):
    """One clause."""

    who: str  # "i", "we", "my", "our", "the", "name"; "" where there is no subject
    head: str  # of what is mine, ours, or has a name: the thing or the name
    says: str  # the rest, from the verb on


_SHORT = {
    "'m": " am",
    "'re": " are",
    "'ve": " have",
    "'ll": " will",
    "'d": " would",
    "n't": " not",
}
_WHOLE = {
    "can't": "cannot",
    "won't": "will not",
    "gonna": "going to",
    "wanna": "want to",
    "gotta": "have to",
    "im": "i am",
    "ive": "i have",
    "dont": "do not",
    "doesnt": "does not",
    "cant": "cannot",
    "can not": "cannot",
    "let us": "let's",
}
_IDLE = (
    "also just currently now still actually really recently finally already officially personally only basically "
    "mostly mainly usually generally typically both all originally presently already newly happily proudly literally "
    "simply honestly luckily unfortunately fortunately sadly eventually lately primarily"
).replace(" ", "|")
_HEDGES = (
    r"probably|likely|perhaps|maybe|possibly|kind of|sort of|kinda|i think|i guess|i believe|i suppose|tentatively"
)
_VERBS = (
    "is|are|was|were|has|have|had|will|must|should|cannot|can|may|does|do|needs?|lives?|works?|runs?|uses?|moved|"
    "starts?|ends?|begins?|expires?|closes?|opens?|costs?|stands?|stays?|teaches|studies|owns?|leads?|manages?|"
    "handles?|maintains?|goes|comes|takes?|turned|turns|got|gets|became|joined|left|plays|speaks|loves|likes|hates|"
    "prefers|wants|passed|died|graduated|requires?|depends|supports?|listens|sits|lies|belongs|sends?|writes|wrote|"
    "owes|reports|broke|decided|agreed|chose|approved|signed|rejected|picked|expects?|allows?|forbids?|contains?|"
    "consists?|connects?|talks|reads|stores?|serves?|points?|resolves?|follows?|retired|works|lets|limits?|caps?|"
    "weighs?|measures?|lasts?|happens?|occurs?|launches|ships?|leaves|arrives|departs|faces?|dates?|"
    "holds?|covers?|spans|"
    "overlooks|sleeps|seats|served|used|drives?|died|collects?|processes|generates"
)
_NAME = (
    r"[A-Z][\w&+#’'-]*(?<!')(?:\.[\w]+)?(?: (?:[A-Z][\w&+#’'.-]*|of|de|van|von|der|the(?= [A-Z])|\d+(?:\.\d+)*)){0,4}"
)


@cache
def _shortened() -> re.Pattern[str]:
    whole = "|".join(map(re.escape, _WHOLE))
    return re.compile(
        rf"\b(?P<whole>{whole})\b|(?P<not>n't)\b|(?<=\b[iI])(?P<i>'m|'ve|'ll|'d)\b|"
        r"(?<=\b[wW]e)(?P<we>'re|'ve|'ll|'d)\b|(?<=\b[yY]ou)(?P<you>'re|'ve|'ll|'d)\b|"
        r"(?<=\b[tT]hey)(?P<they>'re|'ve|'ll|'d)\b|\b(?P<he>he|she|it|that|there|here|what|who)'s\b|"
        r"(?<=[a-z])(?P<will>'ll)\b",
        re.IGNORECASE,
    )


def spelled_out(sentence: str) -> str:
    """The sentence with its short forms written out, on one line."""
    text = " ".join(sentence.replace("’", "'").split())
    if "'" not in text and _whole_words().search(text) is None:
        return text
    return _shortened().sub(_long_form, text)


@cache
def _whole_words() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, _WHOLE))})\b", re.IGNORECASE)


def _long_form(match: re.Match[str]) -> str:
    said = match.group()
    low = said.lower()
    if match["whole"]:
        return _WHOLE[low]
    if match["he"]:
        return f"{match['he']} is"
    return _SHORT[low]


@cache
def _joints() -> re.Pattern[str]:
    """Where one clause ends and the next begins."""
    subject = (
        r"(?:i|we|my|our|the|he|she|it|they|you|this|that|there|his|her|their|"
        r"everyone|can|could|would|what|how|please|is|are|do|does)\b"
    )
    verb = (
        r"(?:am|are|live|work|have|was|were|use|play|study|love|like|hate|prefer|speak|own|drive|teach|run|grew|moved|"
        r"want|need|will|must|cannot|do not|never|always|decided|plan|hope|take|volunteer|got|started|is|has|lives|"
        r"works|graduated|studied|joined|bought|adopted|married|mostly|usually|currently|now|avoid|enjoy|dislike)\b"
    )
    name = r"(?-i:[A-Z][\w'-]+ (?:is|was|has|lives|works|will|are|must))\b"
    word = r"(?:and|but|so|because|since|as|though|although|while|plus|yet|then|or|whereas)"
    # It begins with one set of characters, which are found fast.
    return re.compile(
        rf"[\s,;:—–-]+(?:(?:{word})\s+(?:(?:then|also|now)\s+)?(?={subject}|{name})|(?<=[,:]\s)(?={subject})|"
        rf"(?:and|but)\s+(?={verb})|(?<=[;—–])|(?<=[;—–]\s)|(?<=\s-\s)|(?<=\s--\s))",
        re.IGNORECASE,
    )


@cache
def _subject() -> re.Pattern[str]:
    lead = (
        r"(?:(?:and|but|so|also|well|oh|yes|yeah|ok|okay|btw|by the way|fyi|note that|note|for context|for reference|"
        r"for the record|as you know|just so you know|in case it helps|remember(?: that)?|keep in mind(?: that)?|"
        r"please note(?: that)?|please remember(?: that)?|quick update|update|correction|heads up|"
        r"actually|personally|honestly|to be honest|"
        r"as of (?:today|now)|these days|nowadays|currently|at the moment|right now|since then|"
        rf"{_HEDGES}|last (?:year|month|week|summer|winter|spring|fall)|"
        r"in (?:19|20)\d\d|(?:since|in) [\w]{1,12}|at (?:work|home|school)|"
        rf"it is settled|it is decided|from now on|(?:un)?fortunately|{_IDLE})\b\s*[,:;!.]*\s+|"
        r"(?:since|in|on|after|for|at|as|during|with|being|because of|due to|given) [\w' -]{2,40},\s+)"
    )
    return re.compile(
        rf"{lead}{{0,3}}(?:(?P<i>i|we)\s+|(?P<ours>my|our)\s+(?P<kin>(?:[\w-]+ )"
        rf"{{0,2}}?(?:{RELATIONS}|{PETS}|youngest|eldest|oldest|"
        rf"girls|boys)(?:,?\s(?-i:[A-Z])[\w'-]+){{0,2}})\s+(?=(?:{_VERBS}|[a-z]+s)\b)|(?P<own>my|our)"
        rf"\s+(?P<thing>(?:[\w'’&.+#/-]+,?\s+){{1,6}}?)(?=(?:{_VERBS})\b)|"
        rf"(?P<the>the|all|every|each|any|no|this)\s+(?P<object>(?:[\w'’&.+#/-]+\s+){{1,6}}?)(?=(?:{_VERBS})\b)|"
        rf"(?P<name>(?-i:{_NAME}))(?P<aside>, (?:my|our|the) [\w' -]{{2,40}},)?\s+(?=(?:{_VERBS}|[a-z]+s)\b))",
        re.IGNORECASE,
    )


@cache
def _unreal() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:if|unless|whether|suppose|supposing|imagine|pretend|assume|assuming|wish|wished|hypothetically|"
        r"what if|let's say|say i|in a world|had i|were i|as though|as if|in the story|in the movie|in the book|"
        r"for example|e\.g\.|the user|character|according to|people say|they say|dreamt|dreamed that|joking|"
        r"just kidding|haha|once upon|used to (?!be an?|work|live))\b|\?|^(?:when|whenever|while|"
        r"until|before|once) (?!i moved|i was)",
        re.IGNORECASE,
    )


@cache
def _others() -> re.Pattern[str]:
    return re.compile(r"\b(?:you|they|he|she|who|that|how|what)\b", re.IGNORECASE)


@cache
def _idle() -> re.Pattern[str]:
    return re.compile(rf"\b(?:{_IDLE}|{_HEDGES}|definitely|always)\s+(?!on\b)", re.IGNORECASE)


def clauses(sentence: str) -> Iterator[Clause]:
    """The clauses that state something, of a sentence that is `spelled_out`. After a condition, nothing is stated."""
    who = head = ""
    start = 0
    ends = [*((match.start(), match.end()) for match in _joints().finditer(sentence)), (len(sentence), len(sentence))]
    for end, after in ends:
        piece, start = sentence[start:end].strip(" ,.!"), after
        if not piece:
            continue
        if _unreal().search(piece):
            return
        told = _told(piece, who, head)
        if told is None:
            who = head = ""
            continue
        who, head, says = told
        yield Clause(who, head, says)
        if _others().search(says):
            who = head = ""  # "I love how you write and teach" says nothing of my teaching


def _told(piece: str, who: str, head: str) -> tuple[str, str, str] | None:
    """Who a clause is about, and what it says of them."""
    match = _subject().match(piece)
    if match is None:
        return (who, head, _plain(piece)) if who and _continues().match(piece) else None
    says = _plain(piece[match.end() :])
    if match["i"]:
        return match["i"].lower(), "", says
    if match["ours"]:
        return match["ours"].lower(), match["kin"].strip(" ,"), says
    if match["own"]:
        return match["own"].lower(), match["thing"].strip(" ,"), says
    if match["the"]:
        word = match["the"].lower()
        thing = match["object"].strip()
        return "the", thing if word in ("the", "this") else f"{word} {thing}", says
    aside = match["aside"]
    return "name", match["name"] + (aside.rstrip(",") if aside else ""), says


@cache
def _continues() -> re.Pattern[str]:
    """The clause begins with a verb, and may go on with the subject of the one before."""
    return re.compile(r"(?:(?:also|now|currently|mostly|usually|still|never|always|do not)\s+)*[a-z]+\b", re.IGNORECASE)


def _plain(says: str) -> str:
    return _idle().sub("", says.strip())
