"""What a conversation is called above what is recalled from it: by its title, by an id that a person would type, or by
how its user began."""

from __future__ import annotations

import re
from itertools import dropwhile

from onrecord.policy.secrets import kinds_of
from onrecord.policy.sentences import sentences
from onrecord.policy.signs import COMMON

__all__ = ["DEFAULT_TITLES", "is_typed", "title_from"]

DEFAULT_TITLES = frozenset(
    ["new chat", "new conversation", "untitled", "neuer chat", "nuevo chat", "nouvelle discussion"]
)
"""What chat programs call a conversation that nobody has named."""

_WORDS = 6  # of a title
_LOOKED_AT = 300  # characters of a message that a title is taken from
_LONGEST_WORD = 20  # characters; what is longer is a link, or a key
_MOST_DIGITS = 5  # more are a number that nobody needs above other lines
_SECRET = re.compile(r"[^\W\d_]\d|\d[^\W\d_]|passw|passphrase|secret|\bpin\b", re.IGNORECASE)
_TYPED = re.compile(r"(?=.{1,32}\Z)[^\W\d_]{1,15}\d{0,4}(?:[-_ ./:](?:[^\W\d_]{1,15}\d{0,4}|\d{1,4}))*\Z")
_MIXED = re.compile("[a-z][A-Z]")


def is_typed(id: str) -> bool:
    """Whether a person would type this id: words and short numbers, such as "trip" or "work-notes-2"."""
    return _TYPED.match(id) is not None and _MIXED.search(id) is None


def title_from(text: str) -> str:
    """A title of at most six words from the first thing that a user says; empty for greetings, links and numbers."""
    found = map(_title, sentences(text[:_LOOKED_AT])[:3])
    return next(filter(None, found), "")


def _title(sentence: str) -> str:
    words = list(dropwhile(_is_common, sentence.split()))[:_WORDS]
    while words and _is_common(words[-1]):
        words.pop()
    title = " ".join(words).strip(" .,;:!?…–—-")
    if max(map(len, words), default=0) > _LONGEST_WORD or sum(map(str.isdigit, title)) > _MOST_DIGITS:
        return ""
    if _SECRET.search(title) or kinds_of(sentence):
        return ""
    return title if len(words) > 1 or (len(title) > 1 and not title.isascii()) else ""


def _is_common(word: str) -> bool:
    return word.strip(" .,;:!?…–—-").lower() in COMMON
