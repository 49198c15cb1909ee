"""A conversation as its sentences, each bare, with its speaker and its signs: what the extractive summary chooses from.

Code, headings, formulas and the labels of lists are left out, unless there is nothing else. A name that was only called
out ("Hi, Sam.") goes with the sentence behind it, once. An earlier summary's sentences keep the speakers it names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from onrecord.policy.sentences import FENCE, sentences
from onrecord.policy.signs import COMMON, dates, decides, names, numbers
from onrecord.policy.terms import terms
from onrecord.policy.trimming import bare, heading, hollow, lone_name
from onrecord.records import ROLES

__all__ = ["Sentence", "SpokenPiece", "cost", "read", "stems"]

STEM = 6  # letters by which words are held to be the same
WIDEST_WORD = 12  # characters of a word on average, at most: so are scripts without spaces counted
MOST_HOLLOW = 5  # telling words of a sentence that may still say nothing

_LABEL = re.compile(r"([^\W_][^\s:,;.!?]{0,40}(?: [^\s:,;.!?]{1,40}){0,2}): (?=\S)")


class SpokenPiece(NamedTuple):
    """A turn and its speaker's label; without a label, the text of an earlier summary that is built upon."""

    who: str
    text: str
    speakers: frozenset[str] = frozenset()  # whom an earlier summary names before a colon


class Sentence:
    """A sentence that may be taken, or a shorter form of one (at the same place)."""

    __slots__ = (
        "concepts",
        "cost",
        "decided",
        "hollow",
        "old",
        "place",
        "signs",
        "text",
        "turn",
        "who",
        "words",
        "worth",
    )

    def __init__(self, place: int, turn: int, who: str, old: bool, text: str) -> None:
        self.place, self.turn, self.who, self.old, self.text = place, turn, who, old, text
        self.words = stems(text)
        self.cost = cost(text)
        self.signs: dict[str, None] = {}
        self.decided = self.hollow = False
        self.worth = 1.0
        self.concepts: dict[str, float] = {}


def read(pieces: Sequence[SpokenPiece]) -> list[Sentence]:
    """The sentences of all pieces; their code only where there is nothing else."""
    found: list[Sentence] = []
    known = {piece.who for piece in pieces if piece.who}
    named = {who.lower() for who in known}
    labels = tuple(named)
    for turn, piece in enumerate(pieces):
        told = list(_turn(piece.text, named) if piece.who else _earlier(piece.text, piece.speakers.union(known, ROLES)))
        mentions = _mentions("\n".join([text for _, text in told]), labels)
        for who, text in told:
            sentence = Sentence(len(found), turn, piece.who or who, not piece.who, text)
            if sentence.words:
                found.append(_signed(sentence, mentions))
    return found or _code(pieces)


def _turn(text: str, named: set[str]) -> Iterator[tuple[str, str]]:
    """A turn's sentences. A name that was only called out ("Hi, Sam.") goes with the next one, the first time."""
    called = ""
    for sentence in sentences(text):
        if sentence.startswith(FENCE) or heading(sentence):
            continue
        short = bare(sentence)
        name = lone_name(sentence, short)
        if name:
            called = "" if name.lower() in named else name
            named.add(name.lower())
        elif called and not hollow(short):
            yield "", f"{called}, {_inside(short)}"
            called = ""
        elif short:
            yield "", short


def _inside(text: str) -> str:
    """A sentence as it is written behind a name and a comma."""
    first = text.split(None, 1)[0].strip(",.!?").lower()
    return text[0].lower() + text[1:] if first in COMMON and not re.match(r"i\b", first) else text


def _earlier(text: str, known: frozenset[str]) -> Iterator[tuple[str, str]]:
    """The sentences of an earlier summary with their speakers, if it names them as ours do, from the first on. Only who
    spoke in the conversation is one: "Status:" and "https:" are not."""
    pieces = [sentence for sentence in sentences(text) if not sentence.startswith(FENCE)]
    labelled = bool(pieces) and _labelled(pieces[0], known) is not None
    who = ""
    for sentence in pieces:
        label = _labelled(sentence, known) if labelled else None
        if label is not None:
            who = label.group(1)
            sentence = sentence[label.end() :]
        yield who, bare(sentence) if who in known else " ".join(sentence.split())


def _labelled(sentence: str, known: frozenset[str]) -> re.Match[str] | None:
    label = _LABEL.match(sentence)
    return label if label is not None and label.group(1) in known else None


def _code(pieces: Sequence[SpokenPiece]) -> list[Sentence]:
    texts = ((turn, piece, " ".join(piece.text.replace(FENCE, " ").split())) for turn, piece in enumerate(pieces))
    found = [Sentence(turn, turn, piece.who, not piece.who, text) for turn, piece, text in texts]
    return [sentence for sentence in found if sentence.words]


def _mentions(text: str, labels: tuple[str, ...]) -> dict[str, str]:
    """The names and dates of a turn. The speakers' own names are no news: the labels say them."""
    called = {"@" + name.lower(): name for name in names(text)}
    found = {sign: name for sign, name in called.items() if not any(label.startswith(sign[1:]) for label in labels)}
    found.update({"%" + date.lower(): date for date in dates(text)})
    return found


def _signed(sentence: Sentence, mentions: dict[str, str]) -> Sentence:
    """With its numbers, names and dates, and whether it decides or says anything."""
    text = sentence.text
    sentence.signs = {sign: None for sign, mention in mentions.items() if mention in text}
    sentence.signs.update({"#" + number.lower(): None for number in numbers(text)})
    sentence.decided = decides(text)
    telling = len(sentence.words) - len(COMMON.intersection(sentence.words))
    if telling <= MOST_HOLLOW and not sentence.old and all(sign[0] == "@" for sign in sentence.signs):
        sentence.hollow = hollow(text)
    return sentence


def stems(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys([word if word in COMMON else word[:STEM] for word in terms(text)]))


def cost(text: str) -> int:
    """Words, or what the characters come to where words are not set apart by spaces."""
    return max(text.count(" ") + 1, -(-len(text) // WIDEST_WORD))
