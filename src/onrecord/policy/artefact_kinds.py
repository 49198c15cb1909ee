"""What things look like that are pasted into a conversation or written in it: code, texts, data.

Code stands in a fence, or has the punctuation of code; what does so is no poem, letter or text.
"""

from __future__ import annotations

import re

__all__ = ["CODED", "NOUN", "READ", "kind_of", "looks_like"]

READ = 20_000  # characters of a message that are looked at

_FENCE = r"(?s:^[ \t]*```.*?(?:```|\Z))"
_BEFORE = (
    r"(?:^|[:;])[ \t]*(?:(?:export|default|public|private|protected|internal|static|final|abstract|async|sealed|data|"
    r"open|pub|partial|inline|const)[ \t]+){0,4}"
)
_CODE = (
    r"[{}][ \t]*$|[)\]}'\"\d];[ \t]*$|^[ \t]*(?:#include|[\w.]{1,60}(?: *: *\w{1,60})? [-+*/:]?= )|"
    r"^[ \t]*(?-i:(?:import|from)[ \t]+[\w.]+(?:[ \t]+import\b.*|;?)$|"
    r"[\w.]{1,60}\(.*\):?[ \t]*$|(?:for|if|elif|while)[ \t].*:[ \t]*$|"
    r"(?:def|class|fn|func|function|const|let|var|return|public)[ \t].*[=(:;{])"
)
_CLASS = (
    r"(?-i:class|struct|interface|enum|trait)[ \t]+\w+(?:[ \t]*[{:(<;]|[ \t]+(?:extends|implements|final)\b|[ \t]*$)"
)
_FUNCTION = r"(?:def|func|fn|fun|function)[ \t]+\w*[ \t]*[(<]|=>|^[\w<>*& \t]{1,80}\([^()\n]{0,200}\)[ \t]*\{"
_QUERY = (
    r"^\W{0,8}(?:select\b[^;]{1,400}?\bfrom\b|insert\s+into\s|update\s+\w+\s+set\b|delete\s+from\s|"
    r"with\s+\w+\s+as\b|create\s+(?:table|view|index)\s)"
)
_LOG = r"\d\d:\d\d:\d\d|\b(?:ERROR|WARN|WARNING|INFO|DEBUG|FATAL)\b|^[ \t]+at |^Traceback|^[ \t]+File "
_AMOUNT = r"\d\s*(?:k?g|m?l|cups?|tbsp|tsp|oz|el|tl|cucharadas?|cuillères?)\b"
_GREETS = r"^\W{0,8}(?:dear|hi|hello|sehr geehrte|liebe|hallo|estimad\w+|querid\w+|hola|chère?|madame|bonjour)\b"
_TEXTS = "text|draft|essay|article|story|report|speech|entwurf|bericht|texto|borrador|texte"
_KINDS = (  # nouns, what a line looks like, how many lines and characters it has at least
    ("class|klasse|clase|classe", _BEFORE + _CLASS, 1, 0),
    ("function|method|funktion|methode|función|método|fonction|méthode", _BEFORE + _FUNCTION, 1, 0),
    ("query|abfrage|consulta|requête", _QUERY, 1, 0),
    ("code|script|snippet|program|skript|programm|código|programa|programme", r"^[ \t]*```|" + _CODE, 2, 0),
    ("poem|gedicht|poema|poème", r"^(?!\W{0,8}\d|[-*•`#>|]|.*[{}=|]).{10,80}$", 4, 0),
    ("letter|e-?mail|brief|carta|correo|lettre|courriel", _GREETS, 1, 200),
    (_TEXTS, r"\S", 1, 400),
    ("config|configuration|konfiguration|configuración", r'^[ \t]*(?:["\w.-]+\s*[:=]|\[[\w.-]+\]|- )', 3, 0),
    ("logs?|traceback|(?:stack )?trace|protokoll|registro", _LOG, 3, 0),
    ("table|spreadsheet|csv|tabelle|tabla|tableau", r"\|.*\||\t.*\t|,\S.*,\S|;\S.*;\S", 3, 0),
    ("list|checklist|liste|lista", r"^[ \t]*(?:[-*•]|\d{1,3}[.)])\s", 3, 0),
    ("recipe|rezept|receta|recette", _AMOUNT, 2, 0),
    ("plan|notes|document|file|datei|dokument", r"\S", 1, 400),
)
CODED, _PROSE = range(4), range(4, 7)  # kinds: in a fence if there is one; and without code
NOUN = rf"\b(?P<noun>{'|'.join(nouns for nouns, *_ in _KINDS)})\b"


def kind_of(noun: str) -> int:
    """The number of the kind that a noun is the name of."""
    return next(number for number, (nouns, *_) in enumerate(_KINDS) if re.fullmatch(nouns, noun, re.I))


def looks_like(kind: int, text: str) -> bool:
    """Whether a text looks like a thing of this kind."""
    _, line, lines, characters = _KINDS[kind]
    text = text[:READ]
    if kind in CODED and (fenced := re.findall(_FENCE, text, re.M)):
        text = "\n".join(fenced)
    elif kind in _PROSE:
        text = re.sub(_FENCE, "", text, flags=re.M)
        if len(re.findall(_CODE, text, re.I | re.M)) > 1:
            return False
    return len(text) >= characters and len(re.findall(line, text, re.I | re.M)) >= lines
