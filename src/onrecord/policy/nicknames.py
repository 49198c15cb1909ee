"""What people call each other: "Hey Kate!" said again and again to Emi makes Kate a name of hers."""

from __future__ import annotations

import re

__all__ = ["called_out", "is_nickname"]

_GREETINGS = "hi hey hello dear thanks thank you bye morning night wow oh yes yeah no".split()
_GREETING = r"(?:" + "|".join(f"[{word[0].upper()}{word[0]}]{word[1:]}" for word in _GREETINGS) + r")[ ,!]+"
_CALL = re.compile(rf"\b(?:{_GREETING})+([A-Z]\w{{2,}})(?=\s*[!,.?]|$)")
_WHERE = 100  # characters of a message within which one calls somebody
_CALLS = 3  # so often at least
_OF_USES = 0.2  # of all times that the word is said, as a call
_BY_ONE = 0.85  # of all times that the word is said, by one of the two: nobody calls himself


def called_out(text: str) -> list[str]:
    """The names by which a message calls somebody, in small letters."""
    found = (word.lower() for word in _CALL.findall(text[:_WHERE]))
    return [word for word in found if word not in _GREETINGS]


def is_nickname(calls: int, uses: int, others: int) -> bool:
    """Whether a word is what one of two speakers calls the other: so many times called out, so many times said by the
    one, and by the other."""
    total = uses + others
    return calls >= _CALLS and uses >= _BY_ONE * total and calls >= _OF_USES * total
