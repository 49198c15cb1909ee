"""Finds what `secure_delete` leaves behind.

SQLite overwrites a row when it is deleted. But when a page splits or merges, rows move to other pages, and the bytes
they leave stay in the unused middle of the old page. A row that is forgotten later is overwritten where it is, not
where it was. So after a forget the unused parts of all pages are searched for what was forgotten; if any of it is
found, the file is rebuilt (VACUUM), which writes every page anew.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import apsw

from onrecord.stores.sqlite.sqlite_rows import MESSAGE_COLUMNS, RECORD_COLUMNS, SESSION_COLUMNS, SPACE_COLUMNS, Row

__all__ = ["REPLACED", "UNKNOWN", "Traces", "traces_of", "unused_bytes"]

LENGTH, STEP = 24, 8  # any run of 31 bytes of a text holds one of the pieces it is searched by
SHORTEST = 4  # bytes worth searching for
MOST = 2_000  # pieces; beyond, anything that is left counts
INSIDE = 4_096  # bytes of a row that can stand beside others; the rest has pages of its own, which are zeroed
PAGES = 256  # read at a time
WORD = re.compile(r"\w+")
OWN_COLUMNS = {  # by number of columns: those that hold the caller's own texts, or what came of them
    MESSAGE_COLUMNS: (3, 5, 6, 13),
    RECORD_COLUMNS: (8, 12),  # not plan and recipe: these are words of ours that nearly every page holds
    SESSION_COLUMNS: (2, 3, 5, 6, 7),
    SPACE_COLUMNS: (1,),
}
HEADERS = {2: 12, 5: 12, 10: 8, 13: 8}  # kinds of b-tree pages and the size of their headers

REPLACED = "replaced"
"""Stands among the tokens of those who forgot: derived texts were replaced, whose copies nobody could name any more."""


class Traces(NamedTuple):
    """What to search for in unused parts of pages."""

    pieces: frozenset[bytes] = frozenset()  # of the texts that were forgotten
    words: frozenset[bytes] = frozenset()  # of the same; they tell something only where no text has them any more
    known: bool = True  # whether that is all; if not, anything left counts

    def __or__(self, other: Traces) -> Traces:
        return Traces(self.pieces | other.pieces, self.words | other.words, self.known and other.known)


UNKNOWN = Traces(known=False)


def traces_of(rows: Collection[Row]) -> Traces:
    """What to search for: the caller's texts in these rows, in pieces and in words."""
    pieces: set[bytes] = set()
    words: set[bytes] = set()
    for row in rows:
        for column in OWN_COLUMNS[len(row)]:
            if isinstance(row[column], str):
                text = row[column][:INSIDE]
                pieces.update(_pieces(text.encode()))
                words.update(word.encode()[:LENGTH] for word in WORD.findall(text))
    if max(len(pieces), len(words)) > MOST:
        return UNKNOWN
    return Traces(_telling(pieces), _telling(words))


def _telling(found: set[bytes]) -> frozenset[bytes]:
    return frozenset(one for one in found if len(one) >= SHORTEST)


def _pieces(text: bytes) -> Iterable[bytes]:
    return [text[start : start + LENGTH] for start in range(0, max(1, len(text) - LENGTH + 1), STEP)]


def unused_bytes(path: Path, vfs: str | None) -> Iterator[bytes]:
    """What stands in the unused middle of each page, where that is not zero. The log must be empty.

    The file is read through SQLite's own file layer: closing it by other means would drop this process's locks.
    """
    file = apsw.VFSFile(vfs or "", str(path.absolute()), [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0])
    try:
        size = int.from_bytes(file.xRead(2, 16)) or 1
        size = 65536 if size == 1 else size
        count = file.xFileSize() // size
        for first in range(0, count, PAGES):
            pages = min(PAGES, count - first)
            data = file.xRead(pages * size, first * size)
            for number in range(pages):
                found = _unused(data[number * size : (number + 1) * size], 100 if first + number == 0 else 0)
                if found.count(0) != len(found):
                    yield found
    finally:
        file.xClose()


def _unused(page: bytes, head: int) -> bytes:
    """The gap between a page's list of cells and its cells; empty for pages that are no b-tree's."""
    header = HEADERS.get(page[head])
    if header is None:
        return b""
    cells = int.from_bytes(page[head + 3 : head + 5])
    content = int.from_bytes(page[head + 5 : head + 7]) or 65536
    return page[head + header + 2 * cells : content]
