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

__all__ = ["docs_of", "in_tail", "index", "move_tail", "postings", "unindex"]

REWRITE_FROM = 2_000  # messages from which rewriting the index is cheaper than taking them out one by one
LONGEST_TAIL = 64  # messages that are searched one by one until they move into the index together


def docs_of(space: int) -> tuple[int, int]:
    """The first and last doc of a space."""
    return space << DOC_BITS, ((space + 1) << DOC_BITS) - 1


def index(db: apsw.Connection, entries: Sequence[tuple[int, Sequence[str]]]) -> None:
    """Enter the terms of each doc: many at once into the index itself, few into its tail."""
    if len(entries) >= LONGEST_TAIL:
        _enter(db, entries)
        return
    db.executemany(SQL["add_to_tail"], [(doc, in_tail(found)) for doc, found in entries])
    if query(db, "tail_length")[0][0] >= LONGEST_TAIL:
        move_tail(db)


def in_tail(found: Sequence[str]) -> str:
    """Terms as the tail holds them: each between two spaces, to be found as such."""
    return f" {' '.join(found)} "


def _enter(db: apsw.Connection, entries: Iterable[tuple[int, Sequence[str]]]) -> None:
    db.executemany(SQL["add_terms"], [(doc, " ".join(found)) for doc, found in entries if found])


def move_tail(db: apsw.Connection) -> None:
    """Move the tail into the index; the terms are made again, so that damage to the tail stays out of it."""
    _enter(db, [(doc, terms(text)) for doc, text in query(db, "tail_texts")])
    db.execute(SQL["empty_tail"])


def postings(db: apsw.Connection, space: int, wanted: Sequence[str], limit: int) -> list[Posting]:
    """Where each term occurs in a space, newest first."""
    docs = docs_of(space)
    tail = query(db, "tail_of_space", *docs)
    return [_posting(db, docs, term, limit, tail) for term in wanted]


def _posting(db: apsw.Connection, docs: tuple[int, int], term: str, limit: int, tail: list[Row]) -> Posting:
    if not term:
        return Posting(term=term, count=0, places=())
    newest = [row[1:] for row in tail if isinstance(row[0], str) and f" {term} " in row[0]]
    indexed = query(db, "match", _quoted(term), *docs, limit)
    count = len(indexed)
    if count == limit:  # counting is a second search, needed only where there are many
        count = query(db, "count_matches", _quoted(term), *docs)[0][0]
    rows = sorted([*newest, *indexed], reverse=True)[:limit]
    places = tuple((session, seq) for _, session, seq in rows)
    return Posting(term=term, count=count + len(newest), places=places)


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


class Gone(NamedTuple):
    """What left the index."""

    entries: int  # how many
    terms: list[str]  # those that no message has any more


def unindex(db: apsw.Connection, rows: Sequence[Row]) -> Gone:
    """Take the terms of these messages out of the index, where the tail has been moved to, and off the disk.

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
    db.execute(SQL["empty_tail"])
    after = -1
    while rows := query(db, "all_messages", after):
        _enter(db, ((row[0], terms(row[6])) for row in rows if isinstance(row[6], str)))
        after = rows[-1][0]
