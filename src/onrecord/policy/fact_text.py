"""What of a message may state facts, and how a fact's words are kept: own sentences, trimmed, with their times.

What was pasted, secrets, quotations, blocks of remembered text that a prompt brought along, and texts that were handed
over are no statements of the speaker. A request that follows a statement is cut off it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import cache

from onrecord.policy.fact_tokens import spelled_out
from onrecord.policy.pasted import own_words
from onrecord.policy.sentences import sentences
from onrecord.policy.times import TimeSpan, times
from onrecord.policy.times_calendar import COUNT, EARLIEST, LATEST, UNIT, away, count, settled
from onrecord.policy.trimming import bare

__all__ = ["own_sentences", "shown", "valid"]

LONGEST_MESSAGE = 4_000
"""Characters of a message that are read. What is longer is mostly a pasted text: its beginning tells what for."""

_LONGEST_SENTENCE = 600
_LONGEST_SHOWN = 300
_LONGEST_SHORT = 24
_FRESH = timedelta(days=31)  # what began so lately is news: it holds from when it is said
_ASKING = tuple(  # one of these is in every request
    "you please pls help any what how wonder sure stuck strugg curious trouble looking advice know sorry".split()
)


@cache
def _rule(name: str) -> re.Pattern[str]:
    return re.compile(_RULES[name], re.IGNORECASE)


_RULES = {
    # The rest of the message is material to work on.
    "hands_over": (
        r"\W*(?:(?:please|can you|could you|hi|hey|hello)[\s,]*)*(?:translate|rewrite|re-write|rephrase|paraphrase|"
        r"proofread|correct|summari[sz]e|fix (?:the|this|my)|edit this|improve this|role-?play|act as|pretend|imagine|"
        r"continue (?:this|the)|analy[sz]e (?:this|the)|is this (?:sentence|text)|classify|write (?:me )?an? "
        r"(?:\w+ ){0,3}(?:story|poem|letter|email|essay|song|dialogue|scene|persona|monologue|speech|"
        r"bio)|you are an?)\b"
    ),
    # Behind such a line stands a text that is not said now.
    "introduces": (
        r"(?:here(?: is|'s|’s| are)|below is|see below|this is what|the following|following (?:text|email|code|draft)|"
        r"my (?:essay|draft|code|cover letter|email|resume|cv|story|poem|paragraph)\b|"
        r"(?:he|she|they|email|letter|article|log|error|output|draft|text|post|review|story|quote|says?|wrote|said)\b)"
        r"[^.?!\n]{0,80}:\s*$"
    ),
    "letter": r"\W*(?:dear|to whom it may|subject:|from:|sent:|on .{5,60} wrote:)",
    "code": r"(`+)[^`\n]{1,400}\1",
    "plain_code": r"`+[\w.+#@/-]{1,32}`+",
    "quotation": (
        r"\"[^\s\"]+(?:\s+[^\s\"]+){3,200}\s*\"|“[^\s”]+(?:\s+[^\s”]+){3,200}\s*”|‘[^\s’]+(?:\s+[^\s’]+){3,200}\s*’|"
        r"«[^»]{12,600}»|(?<!\w)'\w[^'\n]{16,400}[\w.,!?]'(?!\w)"
    ),
    "picture": r"\s*\[(?:image|photo|picture|gif|video|sticker|file|attached|link)\b[^\]]{0,400}\]",
    # Where the question begins that a sentence with a question mark ends in.
    "question": (
        r"(?:[,;:.—–-]+\s*|\s+(?=(?:so|and|but|then)\s))(?:(?:so|and|but|then|also|now|please|or)\s+)"
        r"*(?:(?:can|could|would|"
        r"will|do|did|should|does|have|may|might|am|is|are|was)\s+(?:you|we|i|it|this|that|there|the|someone|anyone|my|"
        r"these|he|she|they|our)\b|(?:what|how|why|which|who|where|when|whose|any)\b|what's|how's|help me|right\?|"
        r"don't you|isn't it|you know\?|please|i (?:wonder|was wondering|am wondering)|i'm wondering|"
        r"not sure|do not know)"
    ),
    # Where a request begins that has no question mark.
    "request": (
        r"(?:[,;:.—–-]+\s*|\s+(?=(?:so|and|but)\s))(?:(?:so|and|but|then|also|now|therefore)\s+)"
        r"*(?:(?:can|could|would|will)"
        r"\s+you\b|please\b|pls\b|help me\b|any (?:ideas|tips|suggestions|advice|recommendations|"
        r"thoughts)\b|(?:what|how) "
        r"(?:is|are|do|does|should|would|could|can|about)\b|(?:i am|i'm|i’m|i was|we are|we're)(?: "
        r"\w+)? (?:wondering|not "
        r"sure|unsure|stuck|struggling|curious|having trouble|looking for (?:\w+ )?(?:help|advice|"
        r"suggestions|ways|tips))|i "
        r"(?:wonder|need (?:your |some |\w+ )?(?:help|advice)|would like to know|want to know|do not "
        r"know|don't know|don’t "
        r"know)|sorry about)"
    ),
    "greeting": (
        r"\W*(?:(?:hi|hello|hey|thanks|thank you|thx|cheers|sure|great|ok|okay|yes|yeah|perfect|good "
        r"morning|good evening)"
        r"(?: (?:there|again|everyone|all|team|guys|so much|a lot|for (?:the|your) \w+(?: \w+)?))?\s*[,!.:–—-]+\s*)+"
    ),
    "since": r"\b(?:since|as of|effective|starting(?: from| on| in)?|beginning(?: on| in)?|from)\b",
    "aside": r"[\s,]+(?:btw|fyi|by the way)[.!]*$",
    "until": r"\b(?:until|till|through|up to)\b",
    "for_long": (
        rf"\bfor (?:about |over |almost |nearly |more than |the (?:last|past) |around )?(?P<count>{COUNT})"
        rf" (?P<unit>{UNIT})s?\b"
    ),
    "began": (
        r"(?<!been )(?<!be )(?<!was )(?<!were )(?<!is )\b(?:moved|joined|started|began|became|turned|relocated|"
        r"graduated|married|adopted|bought|"
        r"switched|retired|quit|"
        r"left|settled|diagnosed|opened|founded|promoted|hired|divorced|engaged|stopped|gave up|got|took up|enrolled)\b"
    ),
}  # fmt: skip


def own_sentences(text: str) -> Iterator[str]:
    """The sentences in which the speaker may state something, without quotations."""
    text = own_words(text)
    if _rule("hands_over").match(text):
        return
    for piece in sentences(text[:LONGEST_MESSAGE]):
        if len(piece) > _LONGEST_SENTENCE:
            continue
        if _rule("letter").match(piece):
            return
        if said := _unquoted(piece):
            yield said
        if piece.endswith((":", "：")) and _rule("introduces").search(piece):
            return


def _unquoted(piece: str) -> str:
    if "[" in piece:
        piece = _rule("picture").sub("", piece)
    if "`" in piece:
        piece = _rule("plain_code").sub(lambda match: match.group().strip("`"), piece)
        piece = _rule("code").sub("…", piece) if "`" in piece else piece
    if piece[:1] in '"“' and piece[-1:] in '"”' and not any(mark in piece[1:-1] for mark in '"“”'):
        return piece[1:-1].strip()  # the writer put the whole of it in marks
    if any(mark in piece for mark in "\"'“‘«"):
        piece = _rule("quotation").sub("…", piece)
    spaces = piece.count(" ")
    letters, signs = sum(map(str.isalpha, piece)) + spaces, sum(map(str.isalnum, piece)) + spaces
    least = 0.8 if len(piece) > _LONGEST_SHORT else 0.7  # in a few words two marks are many
    return piece if letters >= 0.5 * len(piece) and signs >= least * len(piece) else ""


def shown(sentence: str) -> str:
    """A sentence as it is kept: without greeting, without the request behind it; empty if nothing is left."""
    text = bare(sentence)
    if greeting := _rule("greeting").match(text):
        text = text[greeting.end() :]
    asks = text.rstrip(" \"')*").endswith("?")
    low = text.lower()
    may_ask = asks or any(map(low.__contains__, _ASKING))
    cut = _rule("question" if asks else "request").search(text, 1) if may_ask else None
    if asks and cut is None:
        return ""
    text = text[: cut.start()].rstrip(" ,;:-–—") if cut else text
    text = _rule("aside").sub("", text) if "w" in low[-5:] or "i" in low[-4:] else text
    if len(text) > _LONGEST_SHOWN:
        head = text[:_LONGEST_SHOWN]
        text = (head.rpartition(", ")[0] or head.rpartition(" ")[0] or head).rstrip(" ,;:") + "…"
    return text[:1].upper() + text[1:] if text else ""


def valid(
    sentence: str, time: datetime, *, ahead: bool = False, began: bool = True
) -> tuple[datetime | None, datetime | None]:
    """From when and until when a statement holds, as far as it says so: ahead, if it is to begin at the time it
    names; began, if the time of a deed ("moved to Porto in March") is its beginning."""
    text = spelled_out(sentence)
    long = _rule("for_long").search(text)
    if long and re.search(r"\bha(?:ve|s)\b", text[: long.start()]):
        return away(settled(time), count(long["count"]), long["unit"].lower(), -1).start, None
    spans = [span for span in times(text, time) if isinstance(span, TimeSpan)]
    if ahead:
        return (_coming(spans[0].start, time, spans[0].text) if spans else None), None
    since = until = None
    began = began and bool(spans) and _rule("began").search(text) is not None
    for span in spans:
        if span.start == EARLIEST:
            if _rule("until").match(span.text):
                until = _coming(span.end, time, span.text)
        elif span.end == LATEST or _rule("since").match(span.text):
            since = span.start if span.text.lower().startswith("since") else _nearest(span.start, time, span.text)
        elif began and since is None and span.start <= settled(time):
            since = span.start if settled(time) - span.start > _FRESH else None
    return since, until


def _coming(moment: datetime, time: datetime, said: str) -> datetime:
    """What lies ahead: the calendar's rules give the last Friday, and "until Friday" means the next."""
    now = settled(time)
    if moment > now or re.search(r"(?:19|20)\d\d", said):
        return moment
    if re.search(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", said, re.IGNORECASE):
        return moment + timedelta(days=7)
    return (
        moment.replace(year=moment.year + 1) if (moment.month, moment.day) != (2, 29) else moment + timedelta(days=365)
    )


def _nearest(moment: datetime, time: datetime, said: str) -> datetime:
    now = settled(time)
    if re.search(r"(?:19|20)\d\d", said):
        return moment
    ahead = _coming(moment, time, said)
    return moment if now - moment <= ahead - now else ahead
