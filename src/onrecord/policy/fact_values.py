"""The parts of a statement: what it is about and what it says, cut out of its sentence and short enough to compare."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from onrecord.policy.fact_words import MONTHS, tool
from onrecord.records import FactKind

__all__ = ["LONGEST_ATTRIBUTE", "LONGEST_VALUE", "FactStatement", "aim", "bare", "choice", "short", "value_of"]

LONGEST_ATTRIBUTE = 48
LONGEST_VALUE = 80
_WORDS = 5  # of an attribute
_LEAST = 3  # characters of an aim


_CHECKS = {
    "choice": (
        r"(?:(?:to|on|for|that|with|against|upon|not to|in favou?r of|up going|up)\s+)*(?:(?:we|i) (?:will "
        r")?)?(?:(?:use|using|"
        r"go|going|adopt|adopting|switch|switching|move|moving|migrate|migrating|choose|choosing|pick|keep|keeping|"
        r"stick|run|deploy|host|store)\s+)?(?:(?:with|for|to|on)\s+)?(?P<v>(?:the |a |an )?[\w.+#&'-]+"
        r"(?: [\w.+#&'-]+){0,3}?)(?: (?:for|as) (?:our |the |my |all )?(?P<a>(?!good|now|the (?:time|sake)|"
        r"example|us\b|me\b|"
        r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\b)[\w -]{3,40}))?"
        r"(?=[,.;:]|$| (?:because|since|in the end|instead|over|rather|and|with|to|by|on|at|so|before|after|from|until|"
        r"but)\b)"
    ),
    # "the journal to PostgreSQL", "the heater with a pump": what it is for comes first.
    "exchange": (
        r"(?:to (?:move|migrate|switch) )?(?:the|our|my|all our|all) (?P<a>[\w -]{2,40}?) (?:from [\w.+# "
        r"-]{2,30}? )?(?:over )?(?:to|with|onto|by) "
        r"(?:the |a |an )?(?P<v>[\w.+#&'-]+(?: [\w.+#&'-]+){0,3}?)(?=[,.;:]|$| (?:because|since|in|last|this|"
        r"next|and|so|"
        r"before|after|until|but|for)\b)"
    ),
    "aim_end": (
        rf"\s+(?:by|before|in (?:the next|under|less|20\d\d|\d|(?:{MONTHS})\b)|within|this|next|under|over the|for "
        r"(?:my|our|the)|"
        r"at least|one day|someday|eventually|so that|because|until|after|once|when|from|above|below|to \d)\b|"
        r",(?=\s|$)|"
        r"\.(?=\s|$)|;"
    ),
    "value_end": (
        r"[;!?…(]|[,.:](?=\s|$)|\s+(?:because|since|which|who|where|that|so|but|until|till|when|while|though|although|"
        r"if|as (?:an?|the|i|my|we|it)|for (?:about|over|almost|nearly|the (?:last|past)|\d+|\w+ years|a (?:while|year|"
        r"few|couple)|now)|with (?:my|our|her|his)|these days|right now|at the moment|currently|again|btw|and "
        r"(?:i|we|my|it|"
        r"have|am|never|love|the|uses?|works?|lives?)|ago|last (?:year|month|week|summer|winter|spring|autumn|"
        r"fall)|three "
        r"years|two years|in order|please|lately|recently|after|before|to be closer|this year|just|instead|in "
        r"(?:the end|"
        r"(?:january|february|march|april|may|june|july|august|september|october|november|december)\b|(?:19|20)\d\d))\b"
    ),
    "article": r"^(?:(?:an?|the|my|our|some|called|named|now)\s+)+",
    "before_thing": r"^(?:(?:an?|the|my|our|your|all|every|each|any|some|to|for)\s+)+",
}


@cache
def _check(name: str) -> re.Pattern[str]:
    return re.compile(_CHECKS[name], re.IGNORECASE)


class FactStatement(NamedTuple):
    """A statement, as the rules read it."""

    kind: FactKind
    subject: str
    attribute: str = ""
    value: str = ""
    category: str = ""
    confidence: float = 0.0  # 0: the usual one of its kind
    tags: tuple[str, ...] = ()


def value_of(text: str) -> str:
    """To the end of its clause, without an article, short."""
    end = _check("value_end").search(text)
    text = text[: end.start()] if end else text
    return short(_check("article").sub("", text.strip(" ,;:.!?-\"'")), LONGEST_VALUE)


def short(text: str, most: int) -> str:
    """Cut between words."""
    text = " ".join(text.split()).strip(" ,;:.")
    return text if len(text) <= most else (text[: most + 1].rpartition(" ")[0] or text[:most]).rstrip(" ,;:")


def bare(thing: str) -> str:
    """Without the words before the thing that do not change what it is."""
    return _check("before_thing").sub("", thing.strip())


def choice(what: str) -> tuple[str, str]:
    """What was chosen, and for what: "to use Postgres for the store" is store, Postgres. Empty where that is unsure."""
    what = what.strip(" :,-—–")
    match = _check("exchange").match(what) or _check("choice").match(what)
    chosen = value_of(match["v"]) if match else ""
    if match is None or not chosen:
        return "", ""
    if match["a"] and len(match["a"].split()) <= _WORDS:
        named = tool(chosen)
        return bare(value_of(match["a"])).lower(), named[1] if named else chosen
    return tool(chosen) or ("", "")


def aim(what: str) -> tuple[str, str]:
    """An aim, and how much or by when: so "a marathon in four hours" and "a marathon by May" are about the same."""
    cut = _check("aim_end").search(what)
    activity = bare(what[: cut.start()] if cut else what)
    if len(activity) < _LEAST:
        return "", ""
    attribute = " ".join(activity.split()[:_WORDS]).strip(" ,;:.").lower()
    return short(attribute, LONGEST_ATTRIBUTE), short(what[cut.start() :] if cut else "", LONGEST_VALUE)
