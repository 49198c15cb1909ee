"""The lexical index of the SQLite file: an FTS5 table over the terms of each message, under the message's doc.

Each term is stored with the number of its space ("7.lisbon"), so that a search reads one space's lists and counts only
its messages. FTS5 finds and counts; scoring is done elsewhere. The newest messages wait in a short tail. What is taken
out leaves the disk as well, page separators included.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import apsw

from recollect.policy.terms import TERMS_VERSION, terms
from recollect.records import Posting
from recollect.stores.sqlite.rows import DOC_BITS, SQL, Row, intact, query, query_one

__all__ = [
    "REWRITE_FROM",
    "Gone",
    "docs_of",
    "in_tail",
    "index",
    "make_lexicon_again",
    "move_tail",
    "postings",
    "unindex",
]

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
    db.executemany(SQL["add_terms"], [(doc, _stored(doc, found)) for doc, found in entries if found])


def _stored(doc: int, found: Sequence[str]) -> str:
    """Terms as FTS5 gets them: each with the number of the doc's space."""
    space = f" {doc >> DOC_BITS}."
    return space + space.join(found)


def move_tail(db: apsw.Connection) -> None:
    """Move the tail into the index; the terms are made again, so that damage to the tail stays out of it."""
    _enter(db, [(doc, terms(text)) for doc, text in query(db, "tail_texts")])
    db.execute(SQL["empty_tail"])


def postings(db: apsw.Connection, space: int, wanted: Sequence[str], limit: int) -> list[Posting]:
    """Where each term occurs in a space, newest first."""
    tail = query(db, "tail_of_space", *docs_of(space))
    return [_posting(db, space, term, limit, tail) for term in wanted]


def _posting(db: apsw.Connection, space: int, term: str, limit: int, tail: list[Row]) -> Posting:
    if not term:
        return Posting(term=term, count=0, places=())
    newest = [row[1:] for row in tail if isinstance(row[0], str) and f" {term} " in row[0]]
    indexed = query(db, "match", _quoted(space, term), limit)
    count = len(indexed)
    if count == limit:  # counting is a second search, needed only where there are many
        count = query(db, "count_matches", _quoted(space, term))[0][0]
    rows = sorted([*newest, *indexed], reverse=True)[:limit]
    places = tuple((session, seq) for _, session, seq in rows)
    return Posting(term=term, count=count + len(newest), places=places)


def _quoted(space: int, term: str) -> str:
    return f'"{space}.' + term.replace('"', '""') + '"'


class Gone(NamedTuple):
    """What left the index."""

    entries: int  # how many
    terms: frozenset[str]  # those that no message of the space has any more; empty if many went
    whole: bool  # whether every message's terms were known; if not, the index must be made again


def unindex(db: apsw.Connection, pages: Iterable[Sequence[Row]], count: int) -> Gone:
    """Take the terms of `count` messages out of the index, where the tail has been moved to, and off the disk.

    FTS5 must be told the very terms it holds. A damaged text does not give them, so then the answer is not `whole`.
    """
    many = count >= REWRITE_FROM
    db.execute(SQL["secure_terms"], (0 if many else 1,))
    gone: set[tuple[int, str]] = set()
    entries = 0
    whole = True
    for rows in pages:
        whole = whole and all(intact(row) for row in rows)
        found = [(row[0], terms(row[6])) for row in rows if intact(row)]
        db.executemany(SQL["delete_terms"], [(doc, _stored(doc, words)) for doc, words in found if words])
        entries += sum(len(words) for _, words in found)
        gone.update((doc >> DOC_BITS, word) for doc, words in found if not many for word in words)
    db.execute(SQL["secure_terms"], (1,))
    if whole and (many or _left_in_separators(db, gone)):
        _rewrite_lexicon(db)
    return Gone(entries, frozenset(word for space, word in gone if not _anywhere(db, space, word)), whole)


def _anywhere(db: apsw.Connection, space: int, term: str) -> bool:
    return query_one(db, "any_match", _quoted(space, term)) is not None


def _left_in_separators(db: apsw.Connection, gone: set[tuple[int, str]]) -> bool:
    """Whether the index still uses the start of a term that went to tell its pages apart."""
    stored = [f"{space}.{term}".encode() for space, term in gone]
    starts = {term[:size] for term in stored for size in range(3, len(term) + 1)}
    for (separator,) in query(db, "separators"):
        if separator in starts and not query_one(db, "any_match", f'"{separator.decode("utf-8", "ignore")}"*'):
            return True
    return False


def _rewrite_lexicon(db: apsw.Connection) -> None:
    """Merge the whole index into new pages. FTS5 skips that for a single segment, so a second one is there first."""
    db.execute(SQL["add_terms"], (0, "0"))
    db.execute(SQL["rewrite_lexicon"])
    db.execute(SQL["delete_terms"], (0, "0"))


def make_lexicon_again(db: apsw.Connection) -> None:
    """Empty the index and fill it from the messages, by the present rules."""
    db.execute(SQL["empty_lexicon"])
    db.execute(SQL["empty_tail"])
    after = -1
    while rows := query(db, "all_messages", after):
        _enter(db, ((row[0], terms(row[6])) for row in rows if isinstance(row[6], str)))
        after = rows[-1][0]
    db.execute(SQL["set_terms_version"], (TERMS_VERSION,))
