"""Which thing a question refers to that was pasted or written before: "the class that I gave you", "the log above".

The question names it by a noun and says by whom, or where, it was given, or works on it ("rewrite my class"), or names
it ("the Invoice class"). It is the newest message that looks like it, or the one with the name that the question gives.
English, German, Spanish and French.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from onrecord.policy.artefact_kinds import CODED, NOUN, READ, kind_of, looks_like
from onrecord.policy.signs import COMMON

__all__ = ["Artefact", "artefact", "choose", "refers_back"]

_LONGEST = 1_000  # characters of a question; a longer one brings along what it is about
_EN = r"(?:gave|given|sent|pasted|shared|wrote|written|posted|showed|shown|provided|uploaded|drafted|made)\b"
_DE = r"(?:gegeben|geschickt|gesendet|gezeigt|geschrieben|eingefügt|gepostet|geteilt)\b"
_FR = r"(?:donn|envoy|coll|montr|écri|partag)\w+"
_MODS = r"(?P<mods>(?:,? [\w.'-]+){0,5}?),?"  # "for the landlord that"
_THE = (
    r"\b(?:the|my|our|your|that|this|der|die|das|den|dem|(?:mein|unser)(?:e[nr]?)?|la|el|los|mi|tu|nuestr[ao]|"
    r"le|les|ma|mon|notre|l')"
)
_WORKS = (  # verbs for what is there already
    r"\b(?:re(?:write|factor|name|phrase)|convert|fix|translate|summari[sz]e|shorten|continue|improve|simplify|extend|"
    r"optimi[sz]e|debug|add\b[^.?!\n]{1,80}? to|schreib\w*(?=.{1,80}\bum\b)|überarbeite|übersetze?|kürze|verbessere|"
    r"korrigiere|erweitere|konvertiere|fasse?(?=.{1,80}\bzusammen\b)|reescrib[ea]|conviert[ea]|traduc[ea]|acorta|"
    r"resume|corrige|mejora|réécri[st]|converti[st]|tradui[st]|raccourci[st]|résume|améliore|(?:show|zeige?|muestra|"
    r"montre)(?=.{1,80} (?:again|nochmals?|noch einmal|de nuevo|otra vez|encore)\b))\b[^.?!\n]{0,60}?"
)
_ENDS = (  # what may come behind it: another noun would make it another thing, a quotation would be the thing
    r"(?=\W{0,3}$|[.,;!?]|,? (?:to|into|in|with|without|so|as|and|by|using|again|please|for|on|nach|ins|auf|mit|ohne|"
    r"um|und|bitte|zusammen|noch\w*|a|al|en|con|sin|por|y|de nuevo|otra|au|avec|sans|et|encore)\b)"
    r"(?!.{0,40}(?::\s|[\"“„«]|(?<!\w)'))"
)
_RULES = {  # by whom it was given; none: it is worked on
    "user": (
        rf"{NOUN}{_MODS} I(?:'ve|'d)?(?: \w+){{0,2}} {_EN}",
        rf"\bI(?:'ve|'d)?(?: \w+){{0,2}} {_EN} you(?: \w+){{1,3}}? {NOUN}",
        rf"{NOUN}{_MODS} ich(?: \w+){{0,4}} {_DE}",
        rf"{NOUN}{_MODS} que (?:te|le|os) (?:di|envié|mandé|pasé|pegué|mostré|escribí|compartí)\b",
        rf"{NOUN}{_MODS} que je (?:te |t'|vous )(?:ai|avais) {_FR}",
    ),
    "assistant": (
        rf"{NOUN}{_MODS} you(?:'ve|'d)?(?: \w+){{0,2}} {_EN}",
        rf"\byou(?:'ve|'d)?(?: \w+){{0,2}} {_EN} me(?: \w+){{1,3}}? {NOUN}",
        rf"{NOUN}{_MODS} (?:du|Sie)(?: \w+){{0,4}} {_DE}",
        rf"{NOUN}{_MODS} que me (?:diste|enviaste|mandaste|pasaste|mostraste|escribiste|hiciste)\b",
        rf"{NOUN}{_MODS} que (?:tu m'as|tu m'avais|vous m'avez) {_FR}",
    ),
    "": (
        rf"{NOUN}{_MODS} (?:above|earlier|from before|oben|vorhin|de arriba|de antes|ci-dessus|plus haut)\b",
        rf"\b(?:above|earlier|previous|that|this|obige[nr]?|diese[rsnm]?|es[ae]|est[ae]|cet(?:te)?) {NOUN}",
    ),
    None: (rf"{_WORKS}{_THE}(?: |(?<='))(?:[\w.'-]+ ){{0,3}}?{NOUN}{_ENDS}",),
}
_OF = r"\b(?:for|of|to|in|with|from|für|von|zu|de|para|pour)\b"
_NEW = frozenset("a an another new ein eine einen einer neue neuen un una une nuevo nueva nouveau nouvelle".split())
_BACK = (
    r"\b(?:it|its|this|that|these|those|them|above|answer|continue|go on|again|more|shorter|longer|instead|"
    r"es|das|dies\w*|ihn|oben|antwort|weiter|nochmal|mehr|kürzer|länger|lo|eso|esto|respuesta|sigue|más|"
    r"cela|ça|ceci|réponse|encore|plus)\b"
)
_NO_NAMES = COMMON | frozenset("die das der den dem que whole entire previous existing current pasted".split())
_DEFINED = r"\b(?:class|struct|interface|enum|trait|def|function|func|fun|fn|from|into|table)\s+[\"'`]?(\w+)"


class Artefact(NamedTuple):
    """A thing that a question refers to."""

    kind: int
    role: str  # of who gave it; empty if the question does not say
    names: frozenset[str]  # words by which the question tells it from others of its kind
    must: str = ""  # where one of the names has to be: "said" in it, or "defined" there


def artefact(question: str) -> Artefact | None:
    """What a question refers to, unless it brings it along."""
    text = question.replace("’", "'")
    if len(text) > _LONGEST or not re.search(NOUN, text, re.I):
        return None
    found = _given(text) or _named(text)
    return None if found is None or looks_like(found.kind, text) else found


def _given(text: str) -> Artefact | None:
    """What it says was given, or what it works on."""
    for role, rule in ((role, rule) for role, rules in _RULES.items() for rule in rules):
        if match := re.search(rule, text, re.I):
            _, *before = re.split(_THE, text[: match.start("noun")], flags=re.I)
            names = _names(" ".join([*before[-1:], match.groupdict().get("mods") or ""]))
            return Artefact(kind_of(match["noun"]), role or "", names, "said" if role is None and names else "")
    return None


def _named(text: str) -> Artefact | None:
    """Code that may be called by a word beside its noun, unless it is to be made."""
    for match in re.finditer(NOUN, text, re.I):
        told = re.split(_OF, text[: match.start()].lower())[-1].split()[-3:]
        names = _names(" ".join([*told[-2:], *text[match.end() :].split()[:1]]))
        if names and (kind := kind_of(match["noun"])) in CODED and _NEW.isdisjoint(told):
            return Artefact(kind, "", names, "defined")
    return None


def _names(told: str) -> frozenset[str]:
    return frozenset(re.findall(r"\w{3,}", told.lower())) - _NO_NAMES


def refers_back(question: str) -> bool:
    """Whether a question seems to go on from what was said just before it: "make it shorter"."""
    return len(question) <= _LONGEST and bool(re.search(_BACK, question, re.I))


def choose(wanted: Artefact, said: Sequence[tuple[str, str]]) -> int | None:
    """Which message it is, each a role and a text, the oldest first: the newest of those that have most names."""

    def named(at: int) -> tuple[int, int, int]:
        text = said[at][1][:READ].lower()
        defined, words = " ".join(re.findall(_DEFINED, text)), re.findall(r"\w+", text)
        return sum(name in defined for name in wanted.names), len(wanted.names & set(words)), at

    roles = (wanted.role,) if wanted.role else ("user", "assistant")
    places = (named(at) for at, (role, text) in enumerate(said) if role in roles and looks_like(wanted.kind, text))
    defined, words, at = max(places, default=(0, 0, None))
    return at if {"": True, "said": defined + words > 0, "defined": defined > 0}[wanted.must] else None
