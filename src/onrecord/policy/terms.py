"""The words of a text, as everything lexical takes them: search, summaries, importance.

Words are folded (case, width, accents); apostrophes do not split them and a possessive is dropped; figures keep their
points. Scripts that write without spaces (Chinese, Japanese, Korean, Thai …) are indexed as overlapping pairs of
characters, so that 里斯本 is found inside a sentence.
"""

from __future__ import annotations

import re
import unicodedata

__all__ = ["LONGEST_TERM", "terms", "words"]

LONGEST_TERM = 64
"""Longer runs are cut here: nobody searches for a megabyte of one letter, and no index could hold it."""

_UNSPACED = (
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Myanmar
    "\u1780-\u17ff"  # Khmer
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\uac00-\ud7af"  # Hangul syllables
    "\U00020000-\U0003ffff"  # Han, rarer
)
_INDIC = "\u0900-\u0963\u0966-\u0dff"  # vowel signs belong to the word, though \w leaves them out
_OPTIONAL_MARKS = "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+"
_FIGURE = r"[0-9]+(?:[.,][0-9]+)+"
_LETTER = rf"(?:[^\W_]|[{_INDIC}{_UNSPACED}])"
_SPLIT_FIGURE = re.compile("[0-9][.,][0-9]")
_ASCII_LETTERS = "".join(chr(code).lower() if chr(code).isalnum() else " " for code in range(128))
_ASCII_WORD = re.compile(rf"{_FIGURE}|[a-z0-9]+(?:'[a-z0-9]+)*")
# Compiled when first met (re keeps them): compiling takes longer than importing the rest of onrecord.
_WORD = rf"{_FIGURE}|{_LETTER}+(?:['’]{_LETTER}+)*"
_RUN = f"[{_UNSPACED}]+|[^{_UNSPACED}]+"


def words(text: str) -> list[str]:
    """The words of a text in their order, folded, as often as they stand there. Linear in its length."""
    if text.isascii():
        if "'" in text or _SPLIT_FIGURE.search(text):
            found = [_trimmed(word) for word in _ASCII_WORD.findall(text.lower())]
        else:  # most messages: splitting at whatever is no letter or digit is twice as fast, and answers the same
            found = text.translate(_ASCII_LETTERS).split()
    else:
        found = _unicode_terms(text)
    return found if len(max(found, default="", key=len)) <= LONGEST_TERM else [word[:LONGEST_TERM] for word in found]


def terms(text: str) -> tuple[str, ...]:
    """The terms of a text: its words, each once, in order of first mention."""
    return tuple(dict.fromkeys(words(text)))


def _unicode_terms(text: str) -> list[str]:
    found: list[str] = []
    for word in re.findall(_WORD, _folded(text)):
        if word.isascii():
            found.append(_trimmed(word))
            continue
        for run in re.findall(_RUN, word):
            found.extend(_pairs(run) if re.match(f"[{_UNSPACED}]", run) else (_trimmed(run),))
    return [term for term in found if term]


def _folded(text: str) -> str:
    """Compatibility forms, case, accents and optional points removed; marks that are letters' own (Hindi) stay."""
    bare = re.sub(_OPTIONAL_MARKS, "", unicodedata.normalize("NFKD", text.casefold()))
    return unicodedata.normalize("NFKC", bare.casefold())  # again: "℡" only now is "TEL"


def _trimmed(word: str) -> str:
    if "'" in word or "’" in word:
        word = word.replace("’", "'")
        word = word[:-2] if word.endswith("'s") else word
        word = word.replace("'", "")
    return word


def _pairs(run: str) -> list[str]:
    return [run] if len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)]
