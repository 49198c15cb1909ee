"""A text as its sentences, in order. Nothing but the white space between them is lost.

A sentence ends at its stop, at a line's end, and with a list item. A full stop does not end one inside a figure, a
version, an address, an abbreviation or a name's initial. A fenced block of code is one piece, whatever stands in it: a
full stop in code means something else, and a caller that wants no code can tell the piece by its fence and skip it.
"""

from __future__ import annotations

import re
from bisect import bisect
from collections.abc import Callable, Iterator

__all__ = ["FENCE", "GONE", "beginning", "blocks", "head", "sentences"]

FENCE = "```"
"""How a piece of code begins."""

GONE = "…"
"""Stands where the rest of a text was left out."""

WORD = 24  # characters within which a cut looks for the end of a word

_WIDE = "。！？｡"  # end a sentence by themselves; the others need white space behind them
_STOP = re.compile(rf"[.!?…؟۔।॥{_WIDE}]+[\"'”’»)\]}}*_」』）】]*")
_LONGEST_ABBREVIATION = 16
_GAP = 40  # white space that always parts sentences

# Never the last word of a sentence.
_LEADING = frozenset(
    "dr mr mrs ms mx prof rev hon capt lt sgt messrs mme mlle sra vs cf viz e.g eg i.e ie approx fig figs eq z.b d.h "
    "bzw p.ex".split()
)
# May be the last one: what follows decides.
_ENDING = frozenset(
    "etc inc ltd corp jr sr bros dept est hrs sq gen sen rep gov pres st mt ft vol pp jan feb apr jun jul aug sept oct "
    "nov dec tue tues thu thur thurs fri ave blvd rd usw".split()
)
_DOTTED = re.compile(r"(?:[^\W\d_]\.)+[^\W\d_]{1,2}|[^\W\d_]")  # U.S, a.m, Ph.D, J
_MARKER = re.compile(r"[-*•#>\s]*+(?:\d{1,3}|[a-zA-Z])")  # what stands before the stop in "1." or "- a."
_OPENERS = frozenset(
    "a an the this that these those i i'm i'll i've i'd it it's he she we we're we'll you you're they there here my "
    "our your his her their and but or so if when while then now how what where who why in on at for after before "
    "yes no not please thanks let let's is are was do does did can could will would should".split()
)
_MONTHS = frozenset(  # of languages that write "5. Mai"
    "januar jänner februar märz april mai juni juli august september oktober november dezember "
    "januari februari marts maj augusti december leden ledna února března dubna května června".split()
)
_LEADING_MARKS = "\"'“‘(«[*_"


def sentences(text: str) -> list[str]:
    """The sentences of a text. Linear in its length."""
    found: list[str] = []
    for piece, is_code in blocks(text):
        if is_code:
            found.append(piece)
            continue
        for line in piece.splitlines():
            line = line.strip()
            if line:
                found.extend(_split(line))
    return found


def beginning(text: str, fits: Callable[[str], bool]) -> str:
    """The whole sentences with which a text begins, as many as fit, and a mark if more follow; if not even the first
    fits, its first words. What is derived is shortened so, and never in its middle: two statements that are joined
    there make one that nobody made."""
    if fits(text):
        return text
    spoken = sentences(text)
    count = _longest(len(spoken), lambda count: fits(" ".join([*spoken[:count], GONE])))
    if count or not spoken:
        return " ".join([*spoken[:count], GONE])
    first = spoken[0]
    return head(first, _longest(len(first) - 1, lambda size: fits(head(first, size) + GONE))) + GONE


def _longest(limit: int, fits: Callable[[int], bool]) -> int:
    """The largest size up to `limit` that fits, 0 if none does. Looks at none that is much larger than that."""
    reach = 1
    while reach < limit and fits(reach):
        reach *= 2
    size = bisect(range(1, min(reach, limit) + 1), False, key=lambda size: not fits(size))
    while size and not fits(size):  # a longer text may have fewer tokens
        size -= 1
    return size


def head(text: str, size: int) -> str:
    """The first `size` characters, up to the end of a word where one ends near enough."""
    space = text.rfind(" ", max(0, size - WORD), size + 1)
    return text[: space if space > 0 else size].rstrip()


def blocks(text: str) -> Iterator[tuple[str, bool]]:
    """The text cut at its code fences. A fence that opens a line and never closes takes the rest, as in Markdown."""
    start = 0
    while (opens := text.find(FENCE, start)) >= 0:
        closes = text.find(FENCE, opens + len(FENCE))
        if closes < 0:
            if text[start:opens].rpartition("\n")[2].strip():
                break  # three stray marks inside a line
            closes = len(text)
        end = min(len(text), closes + len(FENCE))
        yield text[start:opens], False
        yield text[opens:end].strip(), True
        start = end
    yield text[start:], False


def _split(line: str) -> list[str]:
    if not _STOP.search(line, 0, len(line) - 1):
        return [line]
    found: list[str] = []
    start = 0
    for stop in _STOP.finditer(line):
        if _ends(line, start, stop):
            found.append(line[start : stop.end()].strip())
            start = stop.end()
    rest = line[start:].strip()
    return [*found, rest] if rest else found


def _ends(line: str, start: int, stop: re.Match[str]) -> bool:
    """Whether a sentence that began at `start` ends at this stop."""
    end = stop.end()
    if end == len(line):
        return True
    marks = stop.group()
    if any(mark in _WIDE for mark in marks):
        return True
    if not line[end].isspace():
        return False  # 3.5, v1.2, example.org, a?b=c
    after = line[end : end + _GAP].lstrip()
    if not after:
        return True  # a gap between columns
    quoted = marks[-1] not in ".!?…؟۔।॥"
    if after[:1].islower() and (quoted or marks[0] == "…" or marks.startswith("..")):
        return False  # "Really?" she asked; a pause
    if marks[0] != "." or len(marks.rstrip("\"'”’»)]}*_")) > 1:
        return True
    return not _abbreviated(line, start, stop.start(), after)


def _abbreviated(line: str, start: int, stop: int, after: str) -> bool:
    """Whether the full stop at `stop` belongs to the word before it and ends nothing else."""
    before = line[max(start, stop - _LONGEST_ABBREVIATION) : stop].split()
    if not before:
        return False
    word = before[-1].lstrip(_LEADING_MARKS)
    low = word.lower()
    if low in _LEADING:
        return True
    if stop - start <= _LONGEST_ABBREVIATION and _MARKER.fullmatch(line[start:stop].strip()):
        return True  # a list item's number
    if low == "no" or low == "nr":
        return after[:1].isdigit()
    if len(word) <= 2 and word.isdigit():
        return after.split(None, 1)[0].strip(",.!?").lower() in _MONTHS
    if low in _ENDING or (_DOTTED.fullmatch(word) and word != "I"):
        follows = after.split(None, 1)[0].strip(",.!?:;").lower() if after else ""
        return not (after[:1].isupper() and follows in _OPENERS)
    return False
