"""Reads rows out of a SQLite file without SQLite, to rescue what is left in a damaged one.

SQLite finds a row from the root of its table downwards, so one bad page can hide thousands of good rows. Here every
page is looked at by itself. Out come rows of all tables, unchecked: the caller verifies its own by their checksum.
The free list is not trusted: a damaged one would hide good pages, and pages freed under `secure_delete` are zeros.
Cells are found only through a page's pointers: a search for bytes like a cell could be fooled by a message's text.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NamedTuple

__all__ = ["MAGIC", "StoredRow", "Value", "first_page_in_log", "table_rows"]
Value = int | float | str | bytes | None

MAGIC = b"SQLite format 3\0"
FRACTIONS = b"\x40\x20\x20"  # constant in every header: a second witness when the magic is gone
PAGE_SIZES = tuple(1 << bits for bits in range(9, 17))
CODECS = {2: "utf-16-le", 3: "utf-16-be"}
WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)  # bytes of a value by serial type; 10 and 11 are never in a file
TABLE_LEAF = 0x0D
NOT_LEAVES = frozenset({0, 1, 2, 3, 4, 5, 10})  # first byte of overflow, free, pointer-map, interior and index pages
WAL_MAGICS = {0x377F0682: "<", 0x377F0683: ">"}  # byte order in which the checksums read their words
GUESS_WINDOW = 1 << 20


class StoredRow(NamedTuple):
    """One row as it is stored."""

    page: int  # the leaf it was found on, counted from 1
    rowid: int  # also the value of an INTEGER PRIMARY KEY, which the record itself holds as NULL
    values: tuple[Value, ...]  # text that cannot be decoded stays bytes; a whole number in a REAL column is an int


@dataclass(frozen=True, slots=True)
class _FilePages:
    """The pages of a database as its last commit left them, read one at a time."""

    db: BinaryIO
    log: BinaryIO
    offsets: dict[int, int]  # where in the log a page lies, for the pages that it holds
    size: int
    usable: int
    count: int
    codec: str

    def read(self, number: int) -> bytes:
        """The usable part of a page; shorter, down to nothing, where the file ends or the disk fails."""
        if number in self.offsets:
            return _read(self.log, self.offsets[number], self.usable)
        return _read(self.db, (number - 1) * self.size, self.usable)


def table_rows(path: Path, progress: Callable[[int], None] = lambda _: None) -> Iterator[StoredRow]:
    """Every row on every table leaf of the file and its log, in page order; damage is skipped, never raised.

    Memory does not grow with the file. No connection of this process may have it open: closing a file drops the locks
    that the process holds on it. A rollback journal is not applied. Raises OSError only when a file cannot be opened.
    """
    wal = path.with_name(path.name + "-wal")
    with _opened(path) as db, _opened(wal) as log:
        if (pages := _open_pages(db, log)) is None:
            return
        for number in range(1, pages.count + 1):
            yield from (row for row, _ in _page_rows(pages, number))
            progress(1)


def first_page_in_log(wal: Path) -> tuple[int, bytes]:
    """Return the number of the first page that a log holds, and the page; 0 and nothing where it holds none."""
    with _opened(wal) as log:
        size, _, offsets = _read_wal(log)
        number = min(offsets, default=0)
        return number, _read(log, offsets[number], size) if number else b""


def _opened(path: Path) -> BinaryIO:
    return path.open("rb", buffering=0) if path.exists() else io.BytesIO()


def _read(file: BinaryIO, offset: int, length: int) -> bytes:
    try:
        file.seek(offset)
        return file.read(length)
    except OSError:  # a sector that the disk cannot read is damage like any other
        return b""


def _open_pages(db: BinaryIO, log: BinaryIO) -> _FilePages | None:
    """Finds the layout: from the log, which has checksums, else by trying what the header states and all others."""
    wal_size, wal_count, offsets = _read_wal(log)
    header = _read(log, offsets[1], 100) if 1 in offsets else _read(db, 0, 100)
    codec = CODECS.get(int.from_bytes(header[56:60]), "utf-8")
    length = db.seek(0, io.SEEK_END)

    def layout(size: int, reserved: int = 0) -> _FilePages:
        held = max(-(-length // size), max(offsets, default=0))
        count = min(wal_count, held) if wal_count else held  # a shrunk file keeps stale pages until a checkpoint
        return _FilePages(db, log, offsets, size, size - reserved, count, codec)

    size, reserved = _claimed(header)
    if wal_size:
        return layout(wal_size, reserved if size == wal_size else 0)
    claimed = [layout(size, reserved)] if size else []
    return _best([*claimed, *map(layout, PAGE_SIZES)]) or next(iter(claimed), None)


def _claimed(header: bytes) -> tuple[int, int]:
    """The page size and the reserved bytes per page that a database header states; zeros when it cannot be one."""
    size = int.from_bytes(header[16:18]) if header[16:18] != b"\0\1" else 65536
    known = header[:16] == MAGIC or header[21:24] == FRACTIONS
    reserved = int.from_bytes(header[20:21])
    return (size, reserved) if known and size in PAGE_SIZES and size - reserved >= 480 else (0, 0)


def _best(layouts: Sequence[_FilePages]) -> _FilePages | None:
    """The layout with the most leaves that fit it, in the first stretch of the file that has any."""
    for start in range(0, max(pages.count * pages.size for pages in layouts), GUESS_WINDOW):
        scores = [sum(_fits(pages, at) for at in range(start, start + GUESS_WINDOW, pages.size)) for pages in layouts]
        if any(scores):
            return layouts[scores.index(max(scores))]
    return None


def _fits(pages: _FilePages, offset: int) -> bool:
    """Whether a table leaf of this size is there: rows fill it from the end, where at most a free block is left."""
    number, leaf = offset // pages.size + 1, _read(pages.db, offset or 100, 1) == b"\x0d"
    end = max((end for _, end in _page_rows(pages, number)), default=0) if leaf else 0
    rest = pages.read(number)[end:] if end else b""
    return end > 0 and (len(rest) < 4 or rest[:4] == struct.pack(">2H", 0, len(rest)))


def _read_wal(log: BinaryIO) -> tuple[int, int, dict[int, int]]:
    """The page size, the database's pages and where they lie in the log: whole commits, as far as checksums hold."""
    header = _read(log, 0, 32)
    order = WAL_MAGICS.get(int.from_bytes(header[:4])) if len(header) == 32 else None
    size, count, offset = int.from_bytes(header[8:12]), 0, 32
    total = _checksum(order, header[:24], b"\0" * 8) if order else b""
    if order is None or size not in PAGE_SIZES or total != header[24:]:
        return 0, 0, {}
    offsets: dict[int, int] = {}
    pending: dict[int, int] = {}
    while len(frame := _read(log, offset, 24 + size)) == 24 + size:
        total = _checksum(order, frame[:8] + frame[24:], total)
        if frame[8:16] != header[16:24] or total != frame[16:24]:
            break
        number, commit = struct.unpack_from(">2I", frame)
        pending[number] = offset + 24
        offset += 24 + size
        if commit:
            count = commit
            offsets.update(pending)
            pending.clear()
    return size, count, offsets


def _checksum(order: str, data: bytes, total: bytes) -> bytes:
    one, two = struct.unpack(">2I", total)
    for left, right in struct.iter_unpack(order + "2I", data):
        one = (one + left + two) & 0xFFFFFFFF
        two = (two + right + one) & 0xFFFFFFFF
    return struct.pack(">2I", one, two)


def _page_rows(pages: _FilePages, number: int) -> Iterator[tuple[StoredRow, int]]:
    """The rows of a leaf, each with the offset at which its cell ends."""
    data, head = pages.read(number), 100 if number == 1 else 0
    if len(data) < head + 8 or data[head] in NOT_LEAVES:
        return
    for at in _pointers(data, head):
        try:
            rowid, values, end = _cell(pages, data, at)
        except (IndexError, ValueError):
            continue  # this cell is damaged; its neighbours need not be
        yield StoredRow(number, rowid, values), end


def _pointers(data: bytes, head: int) -> list[int]:
    """Where the cells of a leaf begin. Behind a header that is damaged, pointers are used while they make sense."""
    first, count, most = head + 8, int.from_bytes(data[head + 3 : head + 5]), (len(data) - head - 8) // 2
    sure = data[head] == TABLE_LEAF and count <= most
    found: dict[int, None] = {}  # each once, though a damaged array may repeat one
    for (at,) in struct.iter_unpack(">H", data[first : first + 2 * min(count, most)]):
        if first <= at < len(data):
            found[at] = None
        elif not sure:
            break
    return list(found)


def _cell(pages: _FilePages, data: bytes, at: int) -> tuple[int, tuple[Value, ...], int]:
    """The rowid, the values and the end of the cell at an offset; IndexError or ValueError when there is none."""
    length, at = _varint(data, at)
    rowid, at = _varint(data, at)
    local, most = length, pages.usable - 35
    if length > most:  # the format's rule for how much of a long row stays on its leaf
        least = (pages.usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (pages.usable - 4)
        local = local if local <= most else least
    end = at + local + (4 if local < length else 0)
    body = data[at : at + local] + _overflow(pages, int.from_bytes(data[at + local : end]), length - local)
    if len(body) != length:
        raise ValueError("the cell runs over the end of its page")
    return rowid - (1 << 64) if rowid >> 63 else rowid, _record(body, pages.codec), end


def _overflow(pages: _FilePages, number: int, missing: int) -> bytes:
    """The rest of a long row, from the chain of pages that begins with a number."""
    parts: dict[int, bytes] = {}
    while missing:
        page = pages.read(number) if number not in parts and 2 <= number <= pages.count else b""
        parts[number] = page[4 : 4 + missing]
        if len(parts[number]) < min(missing, pages.usable - 4):
            raise ValueError("the chain comes back to itself, leaves the file or is cut off")
        missing -= len(parts[number])
        number = int.from_bytes(page[:4])
    return b"".join(parts.values())


def _record(body: bytes, codec: str) -> tuple[Value, ...]:
    """The values of a record. Its lengths must add up exactly, which is what tells a record from other bytes."""
    header, at = _varint(body, 0)
    start, values = header, list[Value]()
    while at < header:
        serial, at = _varint(body, at)
        end = start + ((serial - 12) // 2 if serial >= 12 else WIDTHS[serial])
        if end > len(body):
            raise ValueError("a value runs over the end of its record")
        values.append(_value(serial, body[start:end], codec))
        start = end
    if not values or at != header or start != len(body):
        raise ValueError("the lengths do not add up")
    return tuple(values)


def _value(serial: int, data: bytes, codec: str) -> Value:
    if serial >= 12:
        try:
            return data.decode(codec) if serial % 2 else data
        except UnicodeDecodeError:
            return data
    if serial == 0:
        return None
    if serial == 7:
        return float(struct.unpack(">d", data)[0])
    return serial - 8 if serial >= 8 else int.from_bytes(data, signed=True)


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and the offset after it; IndexError when it runs over the end."""
    value = 0
    for index in range(at, at + 8):
        value = value << 7 | data[index] & 0x7F
        if data[index] < 0x80:
            return value, index + 1
    return value << 8 | data[at + 8], at + 9
