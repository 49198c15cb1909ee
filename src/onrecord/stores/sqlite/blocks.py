"""The blocks of the search index in the SQLite file: bytes that only `recall` reads, with a checksum each.

They hold what messages say in other words, so they must leave the disk with them. SQLite keeps the first bytes of a
row beside other rows, and may leave copies of them behind when it moves those (see `scrub`); the rest goes to pages of
its own, which are overwritten when they are freed. So a row begins with zeros, as many as can stand beside others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from zlib import crc32

import apsw

from onrecord.ports import Revision
from onrecord.records import BLOCK, Block
from onrecord.stores.batches import fits
from onrecord.stores.sqlite.change_feed import revision_of, start_of
from onrecord.stores.sqlite.sqlite_rows import SQL, Row, query, query_one, sum_of

__all__ = ["block_intact", "drop_blocks", "drop_blocks_about", "read_blocks", "read_plans", "save_blocks"]

PAD = 4_096  # bytes of the largest part of a row that stands beside others, or more


def read_blocks(db: apsw.Connection, space: str, plan: str, after: int, limit: int) -> list[Block]:
    """A page of a plan's blocks. Damaged ones are left out, and do not take the place of others."""
    found: list[Block] = []
    row = query_one(db, "space_no", space)
    while row is not None and len(found) < limit:
        rows = query(db, "blocks", row[0], plan, after, limit)
        found += [Block(number=block[3], body=block[5]) for block in rows if block_intact(block)]
        if len(rows) < limit:
            break
        after = rows[-1][3]
    return found[:limit]


def block_intact(row: Row) -> bool:
    """Whether a block's checksum is that of its columns."""
    return isinstance(row[5], bytes) and bool(row[6] == _sum(row[1:4], row[5]))


def _sum(name: Row, body: bytes) -> int:
    """The checksum of a block with this space, plan and number."""
    return sum_of((*name, crc32(body)))


def read_plans(db: apsw.Connection, space: str) -> list[str]:
    """The plans of which a space has blocks, sorted."""
    row = query_one(db, "space_no", space)
    found: list[str] = []
    for (name,) in [] if row is None else query(db, "plans", row[0]):
        with suppress(UnicodeDecodeError):  # damage
            found.append(name.decode())
    return sorted(found)


def save_blocks(db: apsw.Connection, space: str, plan: str, blocks: Sequence[Block], at: Revision) -> bool:
    """Write blocks, unless something was taken away since they were made."""
    if not fits(revision_of(db, space), at):
        return False
    for block in blocks:
        name = (at.born, plan, block.number)
        db.execute(SQL["put_block"], (*name, PAD, block.body, _sum(name, block.body)))
    return True


def drop_blocks(db: apsw.Connection, space: str, plan: str) -> None:
    """Remove the blocks of a plan."""
    row = query_one(db, "space_no", space)
    if row is not None:
        db.execute(SQL["delete_plan"], (row[0], plan))
    db.execute(SQL["delete_stray_blocks"])


def drop_blocks_about(db: apsw.Connection, space: int, numbers: Iterable[int]) -> None:
    """Remove the blocks that hold something of these arrivals, which have the numbers that rows have."""
    start = start_of(space)
    about = {(number - start) // BLOCK for number in numbers}
    db.executemany(SQL["delete_block"], [(space, block) for block in about])
