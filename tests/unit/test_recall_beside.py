"""A passage together with its neighbours: the same as sums of vectors, and the same however the index grew."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from recall_tools import arrivals, index_of, message, unit_vectors

from onrecord.policy.passages import passages
from onrecord.recall.beside import SHARE
from onrecord.recall.index import SpaceIndex
from onrecord.recall.indexed_texts import analysed
from onrecord.records import Message, Record

DIMENSION = 12
LONG = "We walked along the river and talked about the boats. " * 40


def directly(index: SpaceIndex, question: NDArray[np.float32]) -> NDArray[np.float64]:
    """Each passage's vector and half of those before and after it in its session, summed up and compared."""
    whole, scales = index.matrix.rows(slice(None))
    vectors = whole.astype(np.float64) * scales[:, None]
    sessions: dict[str, list[int]] = {}
    for passage, row in enumerate(index.item.values.tolist()):
        item = index.items[row]
        if isinstance(item, Message):
            sessions.setdefault(item.session, []).append(passage)
    sums = vectors.copy()
    for order in sessions.values():
        for one, two in pairwise(order):
            sums[one] += SHARE * vectors[two]
            sums[two] += SHARE * vectors[one]
    lengths = np.linalg.norm(sums, axis=1)
    return np.asarray(sums @ question / np.where(lengths > 1e-3, lengths, 1))


def check(index: SpaceIndex) -> None:
    question = unit_vectors(1, DIMENSION, 4)[0]
    found = index.beside.cosines(index.matrix.similar(question))
    assert np.allclose(found, directly(index, question), atol=2e-3)


def test_a_passage_alone_is_only_itself() -> None:
    index = index_of([message("one", session="a"), message("two", session="b")], DIMENSION)
    vectors = unit_vectors(2, DIMENSION)
    index.put([0, 1], vectors)
    near = index.matrix.similar(vectors[0])
    assert np.allclose(index.beside.cosines(near), near, atol=1e-3)


def test_neighbours_lend_half() -> None:
    index = index_of([message(text, seq) for seq, text in enumerate("abc", 1)], 3)
    index.put([0, 1, 2], np.eye(3, dtype=np.float32))
    near = index.matrix.similar(np.array([1, 0, 0], np.float32))
    expected = [1 / np.sqrt(1.25), 0.5 / np.sqrt(1.5), 0]
    assert index.beside.cosines(near).tolist() == pytest.approx(expected, abs=1e-3)


def test_records_are_nobodys_neighbours() -> None:
    index = SpaceIndex(DIMENSION)
    items = [
        message("a", 1),
        Record(session="s", kind="pin", plan="manual", key="p", body={"text": "b"}),
        message("c", 2),
    ]
    arrived = [one for at, item in enumerate(items) for one in arrivals([item], at)]  # type: ignore[list-item]
    index.extend(arrived, analysed(["a", "b", "c"], DIMENSION))
    assert index.beside.before.values.tolist() == [-1, -1, 0]
    assert index.beside.after.values.tolist() == [2, -1, -1]


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(
            st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=6),  # sessions, and whether it is long
            st.lists(st.integers(0, 40), max_size=6),  # passages whose vectors are made then
        ),
        min_size=1,
        max_size=6,
    )
)
def test_however_it_grew_it_is_the_same(steps: list[tuple[list[tuple[str, bool]], list[int]]]) -> None:
    grown = SpaceIndex(DIMENSION)
    messages: list[Message] = []
    filled: list[int] = []
    rows = unit_vectors(200, DIMENSION, 6)
    for added, made in steps:
        new = [
            message(LONG if long else f"text {len(messages) + at}", len(messages) + at + 1, session)
            for at, (session, long) in enumerate(added)
        ]
        if new:
            grown.extend(arrivals(new, len(messages)), analysed([one.text for one in new], DIMENSION))
        messages += new
        put = sorted({passage for passage in made if passage < len(grown.item)})
        if put:
            grown.put(put, rows[put])
            filled += put
        if messages:
            check(grown)
    if not messages:
        return
    fresh = index_of(messages, DIMENSION)
    assert len(fresh.item) == len(grown.item)
    if filled:
        put = sorted(set(filled))
        fresh.put(put, rows[put])
    for name in ("before", "after", "_products"):
        assert np.array_equal(getattr(fresh.beside, name).values, getattr(grown.beside, name).values), name


def test_vectors_that_come_late_and_in_any_order() -> None:
    index = index_of([message(f"text {seq}", seq, "ab"[seq % 3 == 0]) for seq in range(24)], DIMENSION)
    vectors = unit_vectors(24, DIMENSION)
    for passage in np.random.default_rng(5).permutation(24).tolist():
        index.put([passage], vectors[[passage]])
        check(index)


def test_many_at_once() -> None:
    many = 3_000
    index = index_of([message(f"text {seq}", seq, "abc"[seq % 3]) for seq in range(many)], DIMENSION)
    index.put(range(many), unit_vectors(many, DIMENSION))
    check(index)


def test_passages_of_one_message_are_neighbours() -> None:
    index = index_of([message("before", 1), message(LONG, 2), message("after", 3)], DIMENSION)
    many = len(passages(LONG)) + 2
    assert many > 4
    assert index.beside.before.values.tolist() == [-1, *range(many - 1)]
    assert index.beside.after.values.tolist() == [*range(1, many), -1]
