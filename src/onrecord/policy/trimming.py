"""What may be left out of a sentence without changing what it says. Words are only ever taken away.

`bare` takes off what carries nothing: marks of lists and headings, openings ("Well,", "You know,"), forms of address.
`shorter` gives the sentence without clauses that stand for themselves, shortest last. A clause goes only where the rest
stays true without it: never a condition, and never a "but" behind something that was only wished or imagined.
`hollow` tells sentences that say nothing: greetings, thanks, fillers, questions without content.
"""

from __future__ import annotations

import re
from functools import cache

from onrecord.policy.signs import COMMON

__all__ = ["LEAST_LONG", "bare", "heading", "hollow", "lone_name", "shorter"]

LEAST_CLAUSE = 3  # words that a clause must have to stand alone
LEAST_LONG = 8  # words from which on a sentence is worth shortening
_LONGEST = 2_000  # characters: longer "sentences" are no prose

_MARKS = " \t-*•#>|~+=_`"
_STOPS = ".!?…。！？؟।"
_SUBJECTS = (
    "i|we|you|he|she|it|they|there|this|that|these|those|my|our|your|his|her|their|the|everyone|everything|nobody|"
    "i'm|i've|i'll|i'd|we're|we've|we'll|we'd|you're|you've|you'll|he's|she's|it's|it'll|they're|they've|they'll|"
    "there's|that's|let's"
)


def bare(sentence: str) -> str:
    """The sentence in one line, without list marks, openings and forms of address."""
    text = " ".join(sentence.split()) if "  " in sentence or not sentence.isprintable() else sentence
    if len(text) > _LONGEST:
        return text
    if text[:1] in _MARKS or text[:1].isdigit() or "*" in text or "[" in text or "`" in text:
        text = _without_marks(text)
    while (match := _opening().match(text)) is not None and match.end() < len(text):
        text = text[match.end() :]
    if "," in text:
        text = _address().sub("", text)
    return text


def lone_name(sentence: str, short: str) -> str:
    """The name, if the sentence (and its bare form) does nothing but greet one: "Hi, Sam."."""
    if len(short) > 40 or not sentence[:1].isalpha() or not short[:1].isupper():
        return ""
    if short == sentence:
        return ""  # "Purple." is an answer, "Hallo!" is no name
    name = short.rstrip(" .,!?")
    return name if _called().fullmatch(name) and name.split()[0].lower() not in COMMON else ""


def shorter(sentence: str) -> list[str]:
    """The sentence without the clauses it can do without; each is shorter than the one before."""
    if len(sentence) > _LONGEST or sentence.count(" ") + 1 < LEAST_LONG:
        return []
    found = []
    text = _aside().sub("", sentence).strip()
    if len(_word().findall(text)) < LEAST_CLAUSE:
        text = sentence  # nearly all of it stands in brackets: it is no aside
    elif text != sentence:
        found.append(text)
    low = text.lower().replace("’", "'")
    if len(low) != len(text) or _condition().search(low) is not None:
        return found
    heads = [match.start() for match in _joint().finditer(low) if _cuts(low, match)]
    found += [text[:at].rstrip(" ,;:—–-") for at in reversed(heads) if text.count(" ", 0, at) + 1 >= LEAST_CLAUSE]
    return found


def hollow(sentence: str) -> bool:
    """Whether the sentence says nothing: a greeting, a reaction, a question that only asks on, a row of symbols."""
    text = _vocative().sub("", sentence) if "," in sentence else sentence
    if len(text) > _LONG_COURTESY:
        return _symbols(text)
    low = text.lower().replace("’", "'")
    words = _word().findall(low)
    telling = sum(1 for word in words if word not in COMMON and word.split("'")[0] not in _EMPTY)
    question = low.endswith("?")
    if not telling or (question and len(words) < 3) or _symbols(text):
        return True
    return (
        telling <= (3 if len(words) <= 10 else 1) and not (question and telling > 2) and bool(_courtesy().search(low))
    )


def heading(sentence: str) -> bool:
    """Whether the line only names what follows it or stands in a list, or is a formula or a row of a table."""
    first = sentence[:1]
    if first == "#" or sentence.endswith((":", "：", ":**")):
        return first == "#" or sentence.count(" ") < LEAST_LONG
    if first in _MARKS or first.isdigit():
        return _label_like(sentence) or _symbols(sentence)
    return "\\" in sentence and _symbols(sentence)


def _label_like(sentence: str) -> bool:
    """A list item or a bold line of a few words without a figure."""
    item = _list_mark().sub("", sentence)
    if item == sentence or (sentence.startswith("**") and not sentence.endswith("**")):
        return False
    return item.count(" ") < LEAST_CLAUSE and not any(map(str.isdigit, item))


def _symbols(text: str) -> bool:
    """Formulas, tables and the like: a fifth and more is neither letter nor figure."""
    return len(text) > 8 and sum(map(str.isalnum, text)) + text.count(" ") < len(text) * 0.8


_LONG_COURTESY = 200  # characters
_EMPTY = frozenset(
    """morning afternoon evening night day days nice meet meeting see you sir mind talk matter problem pleasure course
    mentioned kidding problem bet dunno gonna wanna alright 'em 's 've 'll 're 'd 't s t ve ll re d m don didn doesn isn
    won couldn wouldn shouldn haven hasn aren wasn weren can appreciate fault news question questions hear heard hearing
    """.split()
)


def _without_marks(text: str) -> str:
    if "[" in text or "`" in text:
        text = _picture().sub("", text).replace("`", "")
    text = text.replace("**", "").replace("__", "")
    text = _list_mark().sub("", text)
    return text.strip(" *_")


def _cuts(low: str, joint: re.Match[str]) -> bool:
    """Whether what stands before this joint stays true and whole without what follows."""
    head = low[: joint.start()]
    if not head.strip() or head.split(None, 1)[0] in _LEADING_IN or head.count("(") != head.count(")"):
        return False
    if (
        joint.group().lstrip(" ,;").startswith(("but", "though", "although", "except"))
        and _wish().search(head) is not None
    ):
        return False
    return head.rsplit(None, 1)[-1] not in _DANGLING


_LEADING_IN = frozenset(
    "to after before in on at for with without by as while given once from during about than".split()
)
_DANGLING = frozenset("and or but the a an of to in for with so is are was were that than as not even just".split())


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@cache
def _list_mark() -> re.Pattern[str]:
    return re.compile(r"^[\s\-*•#>|~+=_]*(?:(?:\d{1,3}|[a-zA-Z])[.)]\s+)?(?:\[[ xX]?\]\s*)?")


@cache
def _picture() -> re.Pattern[str]:
    """Pictures and their captions, and links, of which the text is kept."""
    return re.compile(
        r"\s*\[(?:image|photo|picture|gif|video|sticker|file)\b[^\]]{0,400}\]|!\[[^\]]{0,200}\]\([^)\s]{0,400}\)", re.I
    )


@cache
def _opening() -> re.Pattern[str]:
    words = (
        "well|oh|ah|um|uh|hmm+|hm|er|wow|hey|hi|hello|yeah|yep|yup|yes|sure|okay|ok|alright|all right|right|great|good|"
        "cool|nice|awesome|perfect|exactly|absolutely|definitely|certainly|of course|indeed|sorry|i'm sorry|i see|"
        "you know|i mean|look|listen|see|anyway|actually|honestly|basically|frankly|to be honest|by the way|btw|haha+|"
        "thanks|thank you|thanks a lot|thank you so much|excuse me|please|come on|now|then|so|and|but|also|got it|"
        "lol|no problem|that's right|that's great|as you know|in fact|for sure|sounds good|too bad|gosh|oh my god|man"
    )
    plain = "and|but|so|well|oh|yeah|ok|okay|yes|um|uh|hmm|anyway|actually|then"
    greeting = (
        "hey|hi|hello|thanks|thank you|wow|oh|yeah|sure|sorry|yes|ok|okay|good morning|good afternoon|good evening"
    )
    stop = r"\s?[,!….:—–-]++\s*+"
    return re.compile(rf"(?:(?:{words}){stop}|(?:{greeting})\s(?=(?-i:[A-Z]))|(?:{plain})\s+)(?=\w)", re.I)


@cache
def _called() -> re.Pattern[str]:
    return re.compile(r"(?:(?:Dr|Mr|Mrs|Ms|Prof)\.? ?)?[A-Z][a-z]{1,20}(?: [A-Z][a-z]{1,20})?")


@cache
def _address() -> re.Pattern[str]:
    """A form of address or a tag before the end of a sentence or a comma."""
    words = "sir|madam|ma ?' ?am|miss|please|you know|man|dude|buddy|honey|dear|guys|right|of course|then|though"
    return re.compile(rf",\s*(?:{words})(?=\s?[.!?,]|$)", re.I)


@cache
def _vocative() -> re.Pattern[str]:
    return re.compile(r",\s?[A-Z][a-z]{1,20}(?=\s?[.!?,]|$)")


@cache
def _aside() -> re.Pattern[str]:
    return re.compile(r"\s*\([^()\d]{0,200}\)|\s*[—–]\s[^—–\d]{0,120}\s[—–](?=\s)")


@cache
def _joint() -> re.Pattern[str]:
    subject = rf"(?:{_SUBJECTS})\b"
    return re.compile(
        rf",? (?:because|since|although|though|whereas)\s+{subject}|, (?:which|who|where)\b|"
        rf",? (?:and|but|so)(?: then)? {subject}|; | [—–] |, (?:but|so|because|especially|including|such as)\b"
    )


@cache
def _condition() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:if|unless|until|when|whether|either|neither|otherwise|as long as|not only|instead|except|rather than)\b"
    )


@cache
def _wish() -> re.Pattern[str]:
    return re.compile(
        r"n't\b|\b(?:would|could|should|might|may|wanted|wish|hoped|thought|almost|nearly|supposed|tried|"
        r"used to|going to|not|no|never)\b"
    )


@cache
def _courtesy() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:hello|hi|hey|good (?:morning|afternoon|evening|night)|how are you|nice to (?:meet|see)|have you been|"
        r"thanks?|thank|welcome|bye|goodbye|see you|take care|sorry|excuse me|congrat\w*|good luck|pardon|no problem|"
        r"my pleasure|here you are|help you|sounds? (?:good|great|like)|that's (?:great|awesome|cool|nice|amazing)|"
        r"have a (?:good|nice|great)|"
        r"happy (?:new|birthday|holidays)|merry christmas|you're right|glad|let me know|feel free|hope this helps|"
        r"great question)\b"
    )
