"""The words of a sentence, with short forms as what they stand for: "I'm" is "I am", "gonna" is "going to"."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Word", "spelled_out", "words"]

_SPLIT = {"'m": "am", "'re": "are", "'ve": "have", "'ll": "will", "'d": "would"}
_SLOPPY = {
    "im": "i am", "ive": "i have", "dont": "do not", "doesnt": "does not", "didnt": "did not", "cant": "cannot",
    "wont": "will not", "isnt": "is not", "arent": "are not", "gonna": "going to", "wanna": "want to",
    "gotta": "have to", "tryna": "trying to", "thats": "that is", "can't": "cannot", "won't": "will not",
    "shan't": "shall not", "ain't": "is not", "mustnt": "must not", "shouldnt": "should not", "havent": "have not",
    "theres": "there is", "whats": "what is", "'cause": "because",
}  # fmt: skip
_IS = frozenset("it he she that there here what who where everyone everything name".split())
_CHUNK = re.compile(r"[^\s—–]+|[—–]")
_BEHIND_IS = frozenset("called named a an the my our not been allergic married from in on at".split())


class Word(NamedTuple):
    """A word of a sentence."""

    low: str  # in lower case, short forms written out
    start: int  # where it stands in the sentence
    end: int
    mark: str  # punctuation behind it
    upper: bool  # whether it begins with a capital


def words(text: str) -> list[Word]:
    """The words of a sentence."""
    found: list[Word] = []
    for match in _CHUNK.finditer(text):
        chunk, start = match.group(), match.start()
        if chunk.isalpha():  # most words
            low = chunk.lower()
            if low not in _SLOPPY:
                found.append(Word(low, start, match.end(), "", chunk[0].isupper()))
                continue
        said = chunk.strip(".,;:!?()[]{}\"'“”‘’…*_-—–=")
        if not said:
            if found and chunk[0] in "-—–=:":
                found[-1] = found[-1]._replace(mark=found[-1].mark + "—")
            continue
        at = chunk.index(said)
        if at and chunk[0] in "([" and found:
            found[-1] = found[-1]._replace(mark=found[-1].mark + "(")
        start, mark = start + at, chunk[at + len(said) :]
        _add(found, said, start, mark)
    return _with_is(found) if "'s" in text or "’s" in text else found


def _with_is(found: list[Word]) -> list[Word]:
    """ "My bakery's called Crumb": behind a noun, 's may be a verb."""
    told: list[Word] = []
    for k, word in enumerate(found):
        if word.low.endswith("'s") and k + 1 < len(found) and found[k + 1].low in _BEHIND_IS:
            told += [
                word._replace(low=word.low[:-2], end=word.end - 2, mark=""),
                Word("is", word.end, word.end, word.mark, False),
            ]
        else:
            told.append(word)
    return told


def _add(found: list[Word], said: str, start: int, mark: str) -> None:
    low, end, upper = said.lower(), start + len(said), said[0].isupper()
    if "’" in low:
        low = low.replace("’", "'")
    whole = _SLOPPY.get(low)
    if whole is None and "'" in low:
        whole = _long(low)
    if whole is None:
        found.append(Word(low, start, end, mark, upper))
        return
    first, _, second = whole.strip().partition(" ")  # "n't" alone is "not"
    found.append(Word(first, start, end, "" if second else mark, upper))
    if second:
        found.append(Word(second, end, end, mark, False))


def _long(low: str) -> str | None:
    if low.endswith("n't"):
        return f"{low[:-3]} not"
    stem, mark, _ = low.rpartition("'")
    if (other := _SPLIT.get(f"{mark}{low[len(stem) + 1 :]}")) and stem:
        return f"{stem} {other}"
    return f"{stem} is" if low.endswith("'s") and stem in _IS else None


def spelled_out(text: str) -> str:
    """A sentence with its short forms written out, on one line."""
    if "'" not in text and "’" not in text and _SLOPPY.keys().isdisjoint(text.lower().split()):
        return " ".join(text.split())
    pieces: list[str] = []
    for chunk in text.replace("’", "'").split():
        said = chunk.strip('.,;:!?()"“”…*')
        low = said.lower()
        whole = _SLOPPY.get(low) or ("'" in low and _long(low)) or ""
        pieces.append(
            chunk.replace(said, whole if not said[0].isupper() else whole[0].upper() + whole[1:]) if whole else chunk
        )
    return " ".join(pieces)
