"""Postings: which passages hold a lexeme, the same before and after everything was sorted."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.recall import postings as module
from onrecord.recall.postings import Postings

LEXEME = st.one_of(st.integers(1, 6), st.sampled_from([2**31, 2**32 - 1, 77]))
BAG = st.dictionaries(LEXEME, st.integers(1, 255), max_size=6)
Known = dict[int, list[tuple[int, int]]]


def add(postings: Postings, bags: list[dict[int, int]], first: int, known: Known) -> int:
    """Add passages, each a bag; answers the number of the next."""
    entries = [(key, first + at, count) for at, bag in enumerate(bags) for key, count in bag.items()]
    for key, passage, count in entries:
        known.setdefault(key, []).append((passage, count))
    columns = np.array(entries, np.int64).reshape(-1, 3)
    postings.add(columns[:, 0].astype(np.uint32), columns[:, 1], columns[:, 2].astype(np.uint8))
    return first + len(bags)


def check(postings: Postings, known: Known) -> None:
    for key in [*known, 0, 5, 2**32 - 2]:
        passages, counts = postings.find(key)
        assert list(zip(passages.tolist(), counts.tolist(), strict=True)) == known.get(key, [])


@given(st.lists(st.tuples(st.lists(BAG, max_size=5), st.sampled_from(["", "find", "entries"])), max_size=12))
def test_the_same_as_a_dictionary(steps: list[tuple[list[dict[int, int]], str]]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "_NEW", 10)
        postings, known, first = Postings(), Known(), 0
        for bags, then in steps:
            first = add(postings, bags, first, known)
            if then == "find":
                check(postings, known)
            if then == "entries":
                check_entries(postings, known)
        check(postings, known)
        check_entries(postings, known)
        check(postings, known)


def check_entries(postings: Postings, known: Known) -> None:
    numbers, passages, counts = postings.entries()
    names = sorted(known)
    found: Known = {}
    for number, passage, count in zip(numbers.tolist(), passages.tolist(), counts.tolist(), strict=True):
        found.setdefault(names[number], []).append((passage, count))
    assert found == known


def test_many_at_once_and_one_by_one() -> None:
    rng = random.Random(1)
    bags = [{rng.randrange(2**32): rng.randrange(1, 256) for _ in range(8)} for _ in range(6_000)]
    once, slowly = Postings(), Postings()
    known: Known = {}
    add(once, bags, 0, known)
    first = 0
    for bag in bags:
        first = add(slowly, [bag], first, {})
    keys = rng.sample(sorted(known), 300)
    for postings in (once, slowly):
        check(postings, {key: known[key] for key in keys})
    assert all(np.array_equal(*pair) for pair in zip(once.entries(), slowly.entries(), strict=True))


def test_sorting_is_rare(monkeypatch: pytest.MonkeyPatch) -> None:
    sorts: list[int] = []
    real = Postings._sort

    def counted(self: Postings, *entries: Any) -> None:
        sorts.append(1)
        real(self, *entries)

    monkeypatch.setattr(Postings, "_sort", counted)
    postings, known, first = Postings(), Known(), 0
    for _ in range(1_000):
        first = add(postings, [dict.fromkeys(range(1, 41), 1)], first, known)
    assert 1 <= len(sorts) <= 24  # of a thousand: an eighth more each time
    check(postings, known)


def test_empty() -> None:
    postings = Postings()
    check(postings, {})
    assert [len(column) for column in postings.entries()] == [0, 0, 0]
    add(postings, [{}], 0, {})
    check(postings, {})


def test_its_size_is_told() -> None:
    postings, before = Postings(), Postings().bytes
    add(postings, [dict.fromkeys(range(1, 101), 1)], 0, {})
    assert postings.bytes > before + 500
