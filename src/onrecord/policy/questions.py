"""A question as a search reads it: what it is about, and whose words could answer it.

People ask about each other by name ("When did Caroline go camping?"), but whoever knows says "I went camping". So a
speaker's name tells whose messages are meant, and is taken out of what is compared: it stands in half of all messages
anyway. In a chat between a user and an assistant, "I" asks about the user and "did you say" about the assistant; a
question with neither is answered by both.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from onrecord.policy.lexemes import STOP_WORDS, lexeme
from onrecord.policy.terms import words

__all__ = ["ASSISTANTS", "USERS", "Question", "read_question"]

USERS = frozenset({"user", "human"})
ASSISTANTS = frozenset({"assistant", "ai", "bot", "model"})
_ROLES = USERS | ASSISTANTS | {"system", "tool"}

_LONGEST = 2_000  # characters of a question that are read; a longer one is a document
_NAME = 3  # letters that a name must have, to be told from a word
_MISSPELT = 5  # letters from which on a name may be misspelt
_ALIKE = 0.7  # how alike a misspelt name must be
_MOST_FUZZY = 64  # speakers among whom a misspelt name is looked for
_PIECES = re.compile(r"\w[\w\u0300-\u036f]*(?:['’.-]\w[\w\u0300-\u036f]*)*|\s+|[^\w\s]")
_CAPITALISED = re.compile(r"(?<=\S )[A-Z]\w{2,}")  # a name, if it is not the first word
_INTERROGATIVE = re.compile(
    r"[?？؟]|^\W*(?:who|whom|whose|what|when|where|which|why|how|did|do|does|is|are|was|were|have|has|had|can|could|will|"
    r"would|should|tell|show|list|remind|summari[sz]e|explain|describe|give)\b",
    re.IGNORECASE,
)
_PERSONAL = re.compile(
    r"\b(?:i|i'm|i've|my|me|we|our|you|your)\b", re.IGNORECASE
)  # words to look for have none of these
_THE_USER = re.compile(r"\b(?:i|me|my|mine|we|us|our|ours|(?:the|this) (?:user|human))\b")
_THE_STATES = re.compile(r"\bU\.?S\b")  # are none of us
_YOU_SAID = re.compile(
    r"\b(?:did|have|had|were) you\b|\byou(?:'ve| have)? (?:said|told|recommended|suggested|mentioned|gave|explained|"
    r"provided|advised|helped|shared|proposed|listed|wrote|showed)\b|"
    r"\byour (?:recommendation|suggestion|advice|explanation|answer|response)"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What a question asks for."""

    text: str  # as it was asked
    meant: str  # as whoever is asked about would say it, or with the names that stand before the messages
    lexemes: tuple[int, ...]  # each once, without names of speakers
    speakers: frozenset[str]  # who is asked about; empty: anybody
    others: frozenset[str] | None = None  # who is not; None: everybody else
    asks: bool = True  # whether somebody says it, and it is not some words to look for
    interrogative: bool = True  # whether it has the form of a question
    by_role: bool = False  # no name is asked about, in a space where somebody speaks as user or assistant


def read_question(
    text: str,
    called: Mapping[str, Collection[str]],
    unknown: Callable[[str], bool] = lambda word: False,
    nicknamed: Callable[[str], str | None] = lambda word: None,
    *,
    by_name: bool = False,
) -> Question:
    """Read a question in a space whose speakers are `called` by these words; `unknown`: whether a word occurs nowhere
    in it, and may be a misspelt name; `nicknamed`: whom a word names that is no part of a name; `by_name`: whoever
    compares it knows by itself that what is asked about Ana is answered by Ana's I."""
    text = text[:_LONGEST]
    asked = words(text)
    names = {word: called[word] for word in asked if word in called and _is_name(word, text)}
    alike = [name for name in called if len(name) >= _MISSPELT and name not in _ROLES and name not in STOP_WORDS]
    for word in asked if len(alike) <= _MOST_FUZZY else ():
        meant = None if word in STOP_WORDS else next((name for name in alike if _alike(word, name)), None)
        if meant is not None and word not in names and unknown(word):
            names[word] = called[meant]
    for word in _CAPITALISED.findall(text):
        if word.lower() not in names and (nickname := nicknamed(word.lower())) is not None:
            names[word.lower()] = (nickname,)
    speakers = frozenset(speaker for found in names.values() for speaker in found)
    interrogative = _INTERROGATIVE.search(text) is not None
    asks = interrogative or _PERSONAL.search(text) is not None
    others: frozenset[str] | None = None
    users, assistants = _by_word(USERS, called), _by_word(ASSISTANTS, called)
    by_role = not speakers and bool(users or assistants)
    if not speakers and asks:
        folded = _THE_STATES.sub("", text).lower()
        if _YOU_SAID.search(folded):
            speakers, others = assistants, users
        elif _THE_USER.search(folded):
            speakers, others = users, assistants
    kept = dict.fromkeys(lexeme(word) for word in asked if word not in names)
    kept.pop(0, None)
    return Question(
        text=text,
        meant=_by_name(text, names) if by_name else _in_first_person(text, names),
        lexemes=tuple(kept),
        speakers=speakers,
        others=others,
        asks=asks,
        interrogative=interrogative,
        by_role=by_role,
    )


def _is_name(word: str, text: str) -> bool:
    """Whether a word that names a speaker does so here: "Will" is one, "will" is none."""
    if word in STOP_WORDS:
        return any(found.lower() == word for found in _CAPITALISED.findall(text))
    return (len(word) >= _NAME and word not in _ROLES) or not word.isascii()


def _alike(word: str, name: str) -> bool:
    return len(name) >= _MISSPELT and word[0] == name[0] and SequenceMatcher(None, word, name).ratio() >= _ALIKE


def _by_word(words: Collection[str], called: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The speakers whose whole name is one of these words."""
    return frozenset(speaker for word in words for speaker in called.get(word, ()) if speaker.lower() in words)


def _in_first_person(text: str, names: Collection[str]) -> str:
    """The question with names of speakers replaced: "Caroline's" is "my", "Caroline" is "I"."""
    if not names:
        return text
    out: list[str] = []
    after_name = False
    for piece in _PIECES.findall(text):
        parts = words(piece)
        if parts and all(part in names for part in parts):
            if after_name:  # the second word of the same name
                del out[-2:]
            out += ["my" if _theirs(piece) else "I", ""]
            after_name = True
            continue
        if piece.isspace() and after_name:
            out[-1] = piece
            continue
        out.append(piece)
        after_name = False
    return "".join(out)


def _by_name(text: str, names: Mapping[str, Collection[str]]) -> str:
    """The question with misspelt names, parts of names and nicknames as the whole name stands before the messages. A
    name that stands there anyway, one that several people have, and what may be a plain word stay as they are."""
    out: list[str] = []
    capitalised = {found.start() for found in _CAPITALISED.finditer(text)}
    folded, before = text.casefold(), ""
    for found in _PIECES.finditer(text):
        piece, parts = found[0], words(found[0])
        people = {person for part in parts for person in names.get(part, ())} if found.start() in capitalised else set()
        person = people.pop() if len(people) == 1 else ""
        if person and person.casefold() not in folded:
            if person == before:  # a second word of the same name
                del out[-2:]
            out.append(person + ("'s" if _theirs(piece) else ""))
            before = person
        else:
            out.append(piece)
            before = before if piece == " " else ""
    return "".join(out)


def _theirs(piece: str) -> bool:
    return piece.lower().replace("’", "'").endswith("'s")
