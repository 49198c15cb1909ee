"""What a search compares of texts: their words without endings and without those that say nothing.

A lexeme is kept as a 32-bit number, so that an index is an array of numbers, whatever the language. Words are stemmed
as English; what is not English mostly stays as it is, which is right for exact matches.
"""

from __future__ import annotations

from functools import cache
from typing import Any
from zlib import crc32

from onrecord.policy.terms import words

__all__ = ["LEXEMES_VERSION", "STOP_WORDS", "lexeme", "lexemes", "stem"]

LEXEMES_VERSION = 1
"""Changes whenever `lexemes` would answer differently: what was kept of another version is made again."""

STOP_WORDS = frozenset(
    "a about above after again all also am an and any are arent as at be been before being below between both but by "
    "can cant could couldnt couldve did didnt do does doesnt doing dont down during each either else ever few for "
    "from further get gets got had hadnt has hasnt have havent having he hed hell her here hers herself hes him "
    "himself his how id if ill im in into is isnt it its itself ive just let lets may me might more most much must my "
    "myself no nor not of off oh ok okay on once one only or other our ours ourselves out over own really said same "
    "say says shall she should shouldve so some such than that thats the their theirs them themselves then there "
    "theres these they theyre theyve this those though through to too under until up upon us very was wasnt we well "
    "were werent weve what whats when whens where wheres whether which while who whom whos whose why will with wont "
    "would wouldnt wouldve yeah yes yet you youd youll your youre yours yourself youve".split()
)
"""Words that are in every other text, and so tell none from another."""

_MOST_KNOWN = 200_000  # words remembered with their number; then all are forgotten and met again
_known: dict[str, int] = {}


def lexemes(text: str) -> list[int]:
    """The lexemes of a text in their order, as often as they stand there."""
    found = []
    for word in words(text):
        number = _known.get(word)  # looked up here, too: a text has many words, and a call takes longer
        if number is None:
            number = lexeme(word)
        if number:
            found.append(number)
    return found


def lexeme(word: str) -> int:
    """The number of a folded word; 0 for one that says nothing."""
    known = _known.get(word)
    if known is not None:
        return known
    if word in STOP_WORDS or (len(word) == 1 and word.isascii() and not word.isdigit()):
        number = 0
    else:
        number = crc32(stem(word).encode("utf-8", "surrogatepass")) or 1
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[word] = number
    return number


def stem(word: str) -> str:
    """A folded word without its ending: plans, planned and planning are one."""
    if len(word) < 3 or not word.isascii() or not word.isalpha():
        return word
    return str(_stemmer().stemWord(word))


@cache
def _stemmer() -> Any:
    from Stemmer import Stemmer

    return Stemmer("english", 0)  # what was stemmed is remembered here
