"""A long text as passages: pieces of whole sentences, each short enough to be found and shown by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from onrecord.policy.sentences import sentences

__all__ = ["MOST_PASSAGES", "WHOLE", "passages", "shown"]

WHOLE = 900
"""Characters up to which a text is one passage."""

MOST_PASSAGES = 256
"""A text is never cut into more: those of a huge one are longer."""

_GAP = "[…]"
_AIM = 600  # characters at which a passage is long enough
_WORD_SEARCH = 80  # characters in which a place between two words is looked for, where a sentence must be cut


def passages(text: str) -> list[tuple[int, int]]:
    """The passages of a text as (start, end), in order, apart from each other only by white space."""
    if len(text) <= WHOLE:
        return [(0, len(text))]
    aim = max(_AIM, -(-len(text) // (MOST_PASSAGES // 2)))
    found: list[tuple[int, int]] = []
    start = end = 0
    for first, last in _pieces(text, aim):
        if end > start and last - start > aim + aim // 2:
            found.append((start, end))
            start = first
        elif end == start:
            start = first
        end = last
        if end - start >= aim:
            found.append((start, end))
            start = end
    if end > start:
        found.append((start, end))
    return found or [(0, len(text))]


def shown(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """A text; or, with spans, these passages of it, and a mark wherever something is left out."""
    if not spans:
        return text
    pieces: list[str] = []
    last = 0
    for start, end in spans:
        if text[last:start].strip():
            pieces.append(_GAP)
        pieces.append(text[start:end])
        last = end
    if text[last:].strip():
        pieces.append(_GAP)
    return " ".join(pieces)


def _pieces(text: str, aim: int) -> Iterator[tuple[int, int]]:
    """Where each sentence stands; one that is too long in pieces, at line ends or between words."""
    at = 0
    for sentence in sentences(text):
        at = text.index(sentence, at)
        end = at + len(sentence)
        while end - at > aim + aim // 2:
            cut = _cut(text, at, aim)
            yield at, cut
            at = cut
        if end > at:
            yield at, end
        at = end


def _cut(text: str, at: int, aim: int) -> int:
    for mark in ("\n", " "):
        cut = text.rfind(mark, at + aim - (aim // 2 if mark == "\n" else _WORD_SEARCH), at + aim)
        if cut > at:
            return cut + 1
    return at + aim
