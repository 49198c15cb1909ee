"""Which parts of a message are wrapped: put between tags, quotation blocks, borders, or behind the mark of a file or a
mail. What is wrapped is somebody's text that the writer hands over, not what the writer says.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate

__all__ = ["unwrapped"]

Span = tuple[int, int]

_VOID = frozenset("br hr img input p li wbr".split())  # tags that nobody closes
_BORDER = 3  # marks in a row that make a border
_NEAR = 40  # characters around a tag
_LONGEST_LINE = 300  # characters of a line that are looked at
_ENDS = ("end", "ende", "eof", "fin", "stop", "close")
_SENT = r"(?:from|sent|subject|von|gesendet|betreff|de|objet|asunto)"
_FILE = r"(?:file|attachment|attached|document|upload|uploaded|pasted|source|transcript|page|web ?page)"

_RULES = {
    "tag": r"<(?P<end>/?)(?P<name>[a-z][\w:.-]{0,40})(?:\s[^<>]{0,400})?(?P<void>/?)>|"
    r"\[(?P<ends>/?)(?P<names>[a-z]\w{0,30})(?:=[^\[\]]{0,100})?\]",
    # Behind such a line, the rest of the message is another text.
    "leads": (
        rf"\W{{0,4}}\[?{_FILE}\b(?: (?:name|path|content|contents|text|start))?\s?(?::|=|\]|\d)|"
        rf"\[[^\]\n]*\.\w{{1,5}}\]\W*$|\W{{0,6}}[\w./\\-]+\.(?:txt|md|pdf|docx?|csv|html?|eml|log|json|ya?ml|py|js)\W{{0,6}}$|"
        r"\W{0,4}(?-i:BEGIN|START)\b|\W{0,4}(?:forwarded|original) message\b|"
        rf"\W{{0,4}}{_SENT}: |"
        r"\W{0,4}(?:on|am|le|el) .{5,80}(?:wrote|schrieb|a écrit|escribió) ?:"
    ),
    # One line of a chat that was copied.
    "chat": (
        r"\W{0,3}(?:\d{1,4}[-./]\d\d?[-./]\d{1,4},? )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]m)?[\])]?,?(?: -)? ?"
        r"<?@?[^\W\d][^:>\n]{0,40}(?::|>) |<@?[^\W\d][^<>\n]{0,40}> |\W{0,3}@?[^\W\d][\w .'-]{0,40} "
        r"[\[(]\d{1,2}:\d\d[^\])]{0,12}[\])]|\W{0,3}(?:user|human|assistant|system|developer|bot|tool|ai)\W{0,3}:"
    ),
}


@cache
def _rule(name: str) -> re.Pattern[str]:
    return re.compile(_RULES[name], re.IGNORECASE)


def unwrapped(text: str) -> str:
    """Return the text without what is wrapped. Linear in the text."""
    found = sorted(span for spans in _KINDS for span in spans(text))
    if not found:
        return text
    kept, at = [], 0
    for start, end in found:
        if start > at:
            kept.append(text[at:start])
        at = max(at, end)
    return "\n".join([*kept, text[at:]])


def _tagged(text: str) -> Iterator[Span]:
    """From each tag to the one that closes it. One that opens a line and is never closed takes the rest; one that
    closes nothing, alone in its line, all before it."""
    if "<" not in text and "[/" not in text:
        return
    opened: list[tuple[str, int]] = []
    count: Counter[str] = Counter()  # of those by name
    for tag in _rule("tag").finditer(text):
        name = (tag["name"] or tag["names"]).lower()
        if not (tag["end"] or tag["ends"]):
            if not tag["void"] and name not in _VOID:
                opened.append((name, tag.start()))
                count[name] += 1
        elif count[name]:
            yield _closed(opened, count, name), tag.end()
        elif _alone(text, tag.start(), tag.end()):
            yield 0, tag.end()
    yield from ((start, len(text)) for _, start in opened if text[start] == "<" and not _before(text, start))


def _closed(opened: list[tuple[str, int]], count: Counter[str], name: str) -> int:
    """Where the last open tag of this name stands; those opened since are closed too."""
    while True:
        other, start = opened.pop()
        count[other] -= 1
        if other == name:
            return start


def _before(text: str, start: int) -> str:
    """What stands before a place in its line, as far as that is near."""
    return text[max(0, start - _NEAR) : start].rpartition("\n")[2].strip()


def _alone(text: str, start: int, end: int) -> bool:
    return not _before(text, start) and not text[end : end + _NEAR].partition("\n")[0].strip()


def _paired(opens: str, closes: str) -> Callable[[str], Iterator[Span]]:
    """From one mark to the other; one that opens a line and is never closed takes the rest."""
    marks = re.compile(rf"(?P<opens>{opens})|{closes}")

    def spans(text: str) -> Iterator[Span]:
        start: int | None = None
        for mark in marks.finditer(text):
            if start is None:
                start = mark.start() if mark["opens"] else None
            elif not mark["opens"] or opens == closes:
                yield start, mark.end()
                start = None
        if start is not None and not _before(text, start):
            yield start, len(text)

    return spans


def _bordered(text: str) -> Iterator[Span]:
    """What stands between borders. A border with words opens, one with "end" closes; of bare ones, every second
    closes, and a single one parts two texts of which neither can be told to be the writer's."""
    lines = text.split("\n")
    borders = [(at, words) for at, line in enumerate(lines) if (words := _border(line)) is not None]
    if not borders:
        return
    places = [0, *accumulate(len(line) + 1 for line in lines)]
    if len(borders) == 1 and not borders[0][1]:
        yield 0, len(text)
        return
    opened: int | None = None
    for number, (at, words) in enumerate(borders):
        ends = words.startswith(_ENDS) or (not words and opened is not None)
        if ends:
            first = 0 if opened is None and number == 0 else opened
            if first is not None:
                yield first, min(places[at + 1], len(text))
            opened = None
        elif opened is None:
            opened = places[at]
    if opened is not None:
        yield opened, len(text)


def _border(line: str) -> str | None:
    """The words in a border, in small letters; None: it is none."""
    line = line[:_LONGEST_LINE].strip()
    mark = line[:1]
    if not mark or mark not in "-=*#_~+—–═─":
        return None
    core = line.strip("-=*#_~+—–═─<>")
    if not core:
        return "" if len(line) >= _BORDER and mark != "#" and "+" not in line else None
    before, after = line.index(core), len(line) - line.index(core) - len(core)
    spaced = before > _BORDER + 1 or core[0].isspace()
    return core.strip().lower() if before >= _BORDER and after >= _BORDER and spaced else None


def _led(text: str) -> Iterator[Span]:
    """What follows the mark of a file or a mail, to the end; and the lines of a chat, each to the next empty one."""
    place, chat = 0, -1
    for line in text.splitlines(keepends=True):
        looked = line[:_LONGEST_LINE]
        if _rule("leads").match(looked):
            yield place, len(text)
            return
        if chat < 0 and _rule("chat").match(looked):
            chat = place
        elif chat >= 0 and not looked.strip():
            yield chat, place
            chat = -1
        place += len(line)
    if chat >= 0:
        yield chat, len(text)


_TRIPLE = r"(?<!\")\"{3,6}(?!\")|(?<!')'{3,6}(?!')|(?<!~)~{3,6}(?!~)"
_KINDS = (_tagged, _paired("<!--", "-->"), _paired("<{3,}", ">{3,}"), _paired(_TRIPLE, _TRIPLE), _bordered, _led)
