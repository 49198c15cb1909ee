"""One space as arrays: what stands in them for each item and passage, and whose neighbour each is."""

from __future__ import annotations

import numpy as np
import pytest
from recall_tools import START, arrivals, index_of, message

from onrecord.policy.lexemes import lexemes
from onrecord.policy.passages import passages
from onrecord.recall.index import SpaceIndex, text_of
from onrecord.recall.indexed_texts import analysed, fingerprint
from onrecord.records import Arrival, Message, Record

LONG = " ".join(f"Sentence {number} is about the harbour and its ships." for number in range(60))
PIN = Record(
    session="s", kind="pin", plan="manual", key="p", last=3, time=START, body={"text": "A pin", "importance": 0.9}
)
SUMMARY = Record(session="t", kind="summary", plan="x", key="n", last=5, time=START, body={"text": "In short"})


def mixed() -> SpaceIndex:
    index = SpaceIndex(0)
    items: list[Message | Record] = [
        message("I am here", 1, name="Ana"),
        PIN,
        message(LONG, 1, "t", role="assistant"),
        SUMMARY,
        message("", 2),
    ]
    arrived = [Arrival(number=3 + 2 * at, item=item) for at, item in enumerate(items)]
    index.extend(arrived[:2], analysed([text_of(one.item) for one in arrived[:2]], 0))
    index.extend(arrived[2:], analysed([text_of(one.item) for one in arrived[2:]], 0))
    return index


def test_what_is_known_of_items() -> None:
    index = mixed()
    assert len(index) == 5
    assert index.kinds == ["message", "pin", "summary"]
    assert index.kind.values.tolist() == [0, 1, 0, 2, 0]
    assert index.sessions == {"s": 0, "t": 1}
    assert index.session.values.tolist() == [0, 0, 1, 1, 0]
    assert index.number.values.tolist() == [3, 5, 7, 9, 11]
    assert index.importance.values.tolist() == pytest.approx([0.5, 0.9, 0.5, 0.7, 0.5])
    assert index.time.values.tolist() == [one.time.timestamp() for one in index.items]
    assert index.speakers == {"Ana": 0, "assistant": 1, "user": 2}
    assert index.speaker.values.tolist() == [0, -1, 1, -1, 2]
    assert index.self.values.tolist()[0] == 1


def test_passages_and_their_owners() -> None:
    index = mixed()
    cut = passages(LONG)
    many = len(cut)
    assert index.item.values.tolist() == [0, 1, *[2] * many, 3, 4]
    assert index.first.values.tolist() == [0, 1, 2, 2 + many, 3 + many]
    assert [index.text(passage) for passage in range(2, 2 + many)] == [LONG[start:end] for start, end in cut]
    assert index.passages(range(2, 3)) == slice(2, 2 + many)
    assert index.passages(range(5)) == slice(0, 4 + many)
    assert index.passages(range(5, 5)) == slice(4 + many, 4 + many)
    values = np.arange(4 + many, dtype=np.float32)
    assert index.of_items(values).tolist() == [0, 1, 1 + many, 2 + many, 3 + many]
    assert index.of_passages(np.arange(5)).tolist() == index.item.values.tolist()


def test_words_lead_to_passages() -> None:
    index = mixed()
    (harbour,) = lexemes("harbour")
    found, counts = index.postings.find(harbour)
    assert found.tolist() == list(range(2, 2 + len(passages(LONG))))
    assert counts.sum() == 60
    (pin,) = lexemes("pin")
    assert index.postings.find(pin)[0].tolist() == [1]


def test_texts_can_be_kept() -> None:
    index = mixed()
    texts = index.texts(range(1, 3))
    assert texts.prints.tolist() == [fingerprint("A pin"), fingerprint(LONG)]
    assert texts.vectors.shape[1] == 0


def test_nothing_arrived() -> None:
    index = SpaceIndex(4)
    index.extend([], analysed([], 4))
    assert len(index) == 0
    assert index.without_vector() == []


def test_vectors_that_are_missing() -> None:
    index = index_of([message("one"), message("", 2), message(LONG, 3), message("two", 4)], 4)
    many = len(index.item)
    assert index.without_vector() == [0, *range(2, many)]
    assert index.without_vector(range(2, 3)) == list(range(2, many - 1))
    index.put([0, 3], np.eye(4, dtype=np.float32)[:2])
    assert index.without_vector() == [2, *range(4, many)]
    assert index.without_vector(range(2)) == []
    index.extend(arrivals([message("three", 5)], 4), analysed(["three"], 4))
    assert index.without_vector()[-1] == many


def test_its_size_grows_with_what_it_holds() -> None:
    small = index_of([message(f"text {seq}", seq) for seq in range(10)]).bytes
    large = index_of([message(f"text {seq} " * 50, seq) for seq in range(2_000)]).bytes
    assert small < 100_000
    assert large > 2_000 * 1_000
