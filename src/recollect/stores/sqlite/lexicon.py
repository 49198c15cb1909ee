"""The lexical index of the SQLite file: an FTS5 table over the terms of each message, under the message's doc.

A space's docs lie together, so a search reads one space's part of the index and counts only its messages. FTS5 finds
and counts; scoring is done elsewhere. What is taken out leaves the disk as well, page separators included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from recollect.policy.terms import terms
from recollect.records import Posting
from recollect.stores.sqlite.rows import DOC_BITS, SQL, Row, intact, query, query_one

__all__ = ["docs_of", "index", "posting", "unindex"]

REWRITE_FROM = 2_000  # messages from which rewriting the index is cheaper than taking them out one by one


def docs_of(space: int) -> tuple[int, int]:
    """The first and last doc of a space."""
    return space << DOC_BITS, ((space + 1) << DOC_BITS) - 1


def index(db: apsw.Connection, entries: Iterable[tuple[int, Sequence[str]]]) -> None:
    """Enter the terms of each doc."""
    db.executemany(SQL["add_terms"], [(doc, " ".join(found)) for doc, found in entries if found])


def posting(db: apsw.Connection, space: int | None, term: str, limit: int) -> Posting:
    """Where a term occurs in a space, newest first. Counting is a second search, needed only where there are many."""
    if space is None or not term:
        return Posting(term=term, count=0, places=())
    quoted = _quoted(term)
    rows = sorted(query(db, "match", quoted, *docs_of(space), limit), reverse=True)
    count = len(rows)
    if count == limit:
        count = query(db, "count_matches", quoted, *docs_of(space))[0][0]
    return Posting(term=term, count=count, places=tuple((session, seq) for _, session, seq in rows))


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


class Gone(NamedTuple):
    """What left the index."""

    entries: int  # how many
    terms: list[str]  # those that no message has any more


def unindex(db: apsw.Connection, rows: Sequence[Row]) -> Gone:
    """Take the terms of these messages out of the index and off the disk.

    FTS5 must be told the very terms it holds. A damaged text does not give them, so then the index is made again.
    """
    entries = [(row[0], terms(row[6])) for row in rows if intact(row)]
    if len(entries) < len(rows):
        _make_lexicon_again(db)
    else:
        many = len(entries) >= REWRITE_FROM
        db.execute(SQL["secure_terms"], (0 if many else 1,))
        db.executemany(SQL["delete_terms"], [(doc, " ".join(found)) for doc, found in entries if found])
        db.execute(SQL["secure_terms"], (1,))
        if many or _left_in_separators(db, {term for _, found in entries for term in found}):
            _rewrite_lexicon(db)
    seen = {term for _, found in entries for term in found}
    lonely = [term for term in seen if not query_one(db, "any_match", _quoted(term))]
    return Gone(sum(len(found) for _, found in entries), lonely)


def _left_in_separators(db: apsw.Connection, gone: set[str]) -> bool:
    """Whether the index still uses the start of a term that went to tell its pages apart."""
    starts = {term.encode()[:size] for term in gone for size in range(3, len(term.encode()) + 1)}
    for (separator,) in query(db, "separators"):
        if separator in starts and not query_one(db, "any_match", f'"{separator.decode("utf-8", "ignore")}"*'):
            return True
    return False


def _rewrite_lexicon(db: apsw.Connection) -> None:
    """Merge the whole index into new pages. FTS5 skips that for a single segment, so a second one is there first."""
    db.execute(SQL["add_terms"], (0, "0"))
    db.execute(SQL["rewrite_lexicon"])
    db.execute(SQL["delete_terms"], (0, "0"))


def _make_lexicon_again(db: apsw.Connection) -> None:
    """Empty the index and fill it from the messages."""
    db.execute(SQL["empty_lexicon"])
    after = -1
    while rows := query(db, "all_messages", after):
        index(db, ((row[0], terms(row[6])) for row in rows if isinstance(row[6], str)))
        after = rows[-1][0]
