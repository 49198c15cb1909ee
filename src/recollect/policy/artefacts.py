"""Which thing a question refers to that was pasted or written before: "the class that I gave you", "the log above".

The question names it by a noun and says by whom, or where, it was given; it is the newest message that looks like it,
or the one with the name that the question gives. English, German, Spanish and French.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from recollect.policy.signs import COMMON

__all__ = ["Artefact", "artefact", "choose", "refers_back"]

_LONGEST = 1_000  # characters of a question; a longer one brings along what it is about
_READ = 20_000  # characters of a message that are looked at

_BEFORE = r"(?:^|[:;])[ \t]*(?:\w+[ \t]+){0,3}"  # modifiers: "public static"
_CODE = r"^[ \t]*```|[;{}]\s*$|^[ \t]*(?:def|class|import|from|const|let|var|return|function|#include|public)\s"
_CLASS = r"(?:class|struct|interface|enum|trait)[ \t]+\w+[\w \t<>(),.]{0,80}[{:(]"
_FUNCTION = r"(?:(?:def|func|fn|fun)\s+\w+|function\s+\w+\s*\()|=>|^[\w<>*& \t]{1,80}\([^()\n]{0,200}\)[ \t]*\{"
_LOG = r"\d\d:\d\d:\d\d|\b(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b|^[ \t]+at |^Traceback|^[ \t]+File "
_AMOUNT = r"\d\s*(?:k?g|m?l|cups?|tbsp|tsp|oz|el|tl|cucharadas?|cuillères?)\b"
_GREETS = r"^\W{0,8}(?:dear|hi|hello|sehr geehrte|liebe|hallo|estimad\w+|querid\w+|hola|chère?|madame|bonjour)\b"
_TEXTS = "text|draft|essay|article|story|report|speech|plan|notes|document|file|entwurf|datei|texto|borrador|texte"
_KINDS = (  # nouns, what a line looks like, how many lines and characters it has at least
    ("class|klasse|clase|classe", _BEFORE + _CLASS, 1, 0),
    ("function|method|funktion|methode|función|método|fonction|méthode", _BEFORE + _FUNCTION, 1, 0),
    ("query|abfrage|consulta|requête", r"^\W{0,8}(?:select|insert into|update|delete from|with|create)\s", 1, 0),
    ("code|script|snippet|program|skript|programm|código|programa|programme", _CODE, 2, 0),
    ("config|configuration|konfiguration|configuración", r'^[ \t]*(?:["\w.-]+\s*[:=]|\[[\w.-]+\]|- )', 3, 0),
    ("logs?|traceback|(?:stack )?trace|protokoll|registro", _LOG, 3, 0),
    ("table|spreadsheet|csv|tabelle|tabla|tableau", r"\|.*\||\t.*\t|,\S.*,\S|;\S.*;\S", 3, 0),
    ("list|checklist|liste|lista", r"^[ \t]*(?:[-*•]|\d{1,3}[.)])\s", 3, 0),
    ("recipe|rezept|receta|recette", _AMOUNT, 2, 0),
    ("poem|gedicht|poema|poème", r"^(?!\W{0,8}\d|[-*•`#>|]|.*[;{}=|]).{10,80}$", 4, 0),
    ("letter|e-?mail|brief|carta|correo|lettre|courriel", _GREETS, 1, 200),
    (_TEXTS, r"\S", 1, 400),
)
_EN = r"(?:gave|given|sent|pasted|shared|wrote|written|posted|showed|shown|provided|uploaded|drafted|made)\b"
_DE = r"(?:gegeben|geschickt|gesendet|gezeigt|geschrieben|eingefügt|gepostet|geteilt)\b"
_FR = r"(?:donn|envoy|coll|montr|écri|partag)\w+"
_NOUN = rf"\b(?P<noun>{'|'.join(nouns for nouns, *_ in _KINDS)})\b"
_MODS = r"(?P<mods>(?:,? [\w.'-]+){0,5}?),?"  # "for the landlord that"
_GIVEN = {  # by whom
    "user": (
        rf"{_NOUN}{_MODS} I(?:'ve|'d)?(?: \w+){{0,2}} {_EN}",
        rf"\bI(?:'ve|'d)?(?: \w+){{0,2}} {_EN} you(?: \w+){{1,3}}? {_NOUN}",
        rf"{_NOUN}{_MODS} ich(?: \w+){{0,4}} {_DE}",
        rf"{_NOUN}{_MODS} que (?:te|le|os) (?:di|envié|mandé|pasé|pegué|mostré|escribí|compartí)\b",
        rf"{_NOUN}{_MODS} que je (?:te |t'|vous )(?:ai|avais) {_FR}",
    ),
    "assistant": (
        rf"{_NOUN}{_MODS} you(?:'ve|'d)?(?: \w+){{0,2}} {_EN}",
        rf"\byou(?:'ve|'d)?(?: \w+){{0,2}} {_EN} me(?: \w+){{1,3}}? {_NOUN}",
        rf"{_NOUN}{_MODS} (?:du|Sie)(?: \w+){{0,4}} {_DE}",
        rf"{_NOUN}{_MODS} que me (?:diste|enviaste|mandaste|pasaste|mostraste|escribiste|hiciste)\b",
        rf"{_NOUN}{_MODS} que (?:tu m'as|tu m'avais|vous m'avez) {_FR}",
    ),
    "": (
        rf"{_NOUN}{_MODS} (?:above|earlier|from before|oben|vorhin|de arriba|de antes|ci-dessus|plus haut)\b",
        rf"\b(?:above|earlier|previous|that|this|obige[nr]?|diese[rsnm]?|es[ae]|est[ae]|cet(?:te)?) {_NOUN}",
    ),
}
_THE = r"\b(?:the|my|your|that|this|der|die|das|den|dem|meine[nr]?|la|el|los|mi|tu|le|les|ma|mon|l')"
_BACK = (
    r"\b(?:it|its|this|that|these|those|them|above|answer|continue|go on|again|more|shorter|longer|instead|"
    r"es|das|dies\w*|ihn|oben|antwort|weiter|nochmal|mehr|kürzer|länger|lo|eso|esto|respuesta|sigue|más|"
    r"cela|ça|ceci|réponse|encore|plus)\b"
)
_ARTICLES = frozenset("die das der den dem que".split())
_DEFINED = r"\b(?:class|struct|interface|def|function|func|fn|from|into|table)\s+[\"'`]?(\w+)"


class Artefact(NamedTuple):
    """A thing that a question refers to."""

    kind: int
    role: str  # of who gave it; empty if the question does not say
    names: frozenset[str]  # words by which the question tells it from others of its kind

    def looks(self, text: str) -> bool:
        """Whether a text looks like it."""
        _, line, lines, characters = _KINDS[self.kind]
        return len(text) >= characters and len(re.findall(line, text[:_READ], re.I | re.M)) >= lines


def artefact(question: str) -> Artefact | None:
    """What a question refers to, unless it brings it along."""
    text = question.replace("’", "'")
    if len(text) > _LONGEST or not re.search(_NOUN, text, re.I):
        return None
    for role, rules in _GIVEN.items():
        for match in filter(None, (re.search(rule, text, re.I) for rule in rules)):
            noun = match["noun"].lower()
            kind = next(number for number, (nouns, *_) in enumerate(_KINDS) if re.fullmatch(nouns, noun))
            _, *before = re.split(_THE, text[: match.start("noun")], flags=re.I)
            told = " ".join([*before[-1:], match.groupdict().get("mods") or ""]).lower()
            found = Artefact(kind, role, frozenset(re.findall(r"\w{3,}", told)) - COMMON - _ARTICLES)
            return None if found.looks(text) else found
    return None


def refers_back(question: str) -> bool:
    """Whether a question seems to go on from what was said just before it: "make it shorter"."""
    return len(question) <= _LONGEST and bool(re.search(_BACK, question, re.I))


def choose(wanted: Artefact, said: Sequence[tuple[str, str]]) -> int | None:
    """Which of some messages it is, each a role and a text, the oldest first: the newest of those that have most of
    its names."""

    def named(at: int) -> tuple[int, int, int]:
        text = said[at][1][:_READ].lower()
        defined, words = re.findall(_DEFINED, text), re.findall(r"\w+", text)
        return len(wanted.names & set(defined)), len(wanted.names & set(words)), at

    roles = (wanted.role,) if wanted.role else ("user", "assistant")
    places = (at for at, (role, text) in enumerate(said) if role in roles and wanted.looks(text))
    return max(places, key=named, default=None)
