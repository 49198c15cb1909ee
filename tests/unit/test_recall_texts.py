"""Texts taken apart, and the bytes in which that is kept: the way there and back, and bytes that are not ours."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from recall_tools import unit_vectors

from onrecord.policy.lexemes import LEXEMES_VERSION, lexemes
from onrecord.policy.passages import passages
from onrecord.recall.growing_array import GrowingArray, spread
from onrecord.recall.indexed_texts import SELF, Texts, analysed, fingerprint, joined, packed, unpacked
from onrecord.recall.matrix import quantised

NAMES = [part.name for part in fields(Texts)]
LONG = "We walked along the river and talked about the boats. " * 40
TEXT = st.one_of(st.text(max_size=60), st.sampled_from(["", " ", "a plan, planned", LONG, "里斯本" * 400, "\ud800"]))
SOME = st.lists(TEXT, max_size=8)


def with_vectors(texts: Texts, dimension: int, seed: int = 3) -> Texts:
    whole, scales = quantised(unit_vectors(len(texts.sizes), dimension, seed))
    return replace(texts, vectors=whole, scales=scales)


def entries(texts: Texts, at: slice) -> dict[int, int]:
    return dict(zip(texts.lexemes[at].tolist(), texts.counts[at].tolist(), strict=True))


def same(one: Texts | None, other: Texts) -> bool:
    return one is not None and all(
        getattr(one, name).dtype == getattr(other, name).dtype
        and getattr(one, name).shape == getattr(other, name).shape
        and np.array_equal(getattr(one, name), getattr(other, name))
        for name in NAMES
    )


def slowly(texts: Texts) -> list[tuple[Any, ...]]:
    """What is known of each text, read one number after the other."""
    found = []
    passage = entry = 0
    for print_, flags, parts in zip(texts.prints.tolist(), texts.flags.tolist(), texts.parts.tolist(), strict=True):
        about: list[Any] = []
        for at in range(passage, passage + parts):
            many = int(texts.distinct[at])
            bag = entries(texts, slice(entry, entry + many))
            entry += many
            about.append((tuple(texts.spans[at].tolist()), int(texts.sizes[at]), bag, float(texts.scales[at])))
            about.append(tuple(texts.vectors[at].tolist()))
        passage += parts
        found.append((print_, flags, tuple(about)))
    assert (passage, entry) == (len(texts.sizes), len(texts.lexemes))
    return found


@given(SOME)
def test_taken_apart_as_the_rules_say(texts: list[str]) -> None:
    found = slowly(analysed(texts, 0))
    for text, (print_, flags, about) in zip(texts, found, strict=True):
        assert (print_, flags) == (fingerprint(text), int(analysed([text], 0).flags[0]))
        for (start, end), (span, size, bag, scale) in zip(passages(text), about[::2], strict=True):
            expected = lexemes(text[start:end])
            assert (span, size) == ((start, end), len(expected))
            assert (scale == 0) == (end > start)  # nothing is missing of an empty text
            assert bag == {number: min(255, count) for number, count in Counter(expected).items()}


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        ("The boat is red.", 0),
        ("I like it", SELF),
        ("Is it OURS or mine?", SELF),
        ("The mystery, the wei, the USB", 0),
        ("Ana: Never mind me", SELF),
        ("Whenever I ask for code, add tests", SELF),
        ("", 0),
    ],
)
def test_what_is_noticed_of_a_text(text: str, flags: int) -> None:
    assert analysed(["x", text], 0).flags.tolist() == [0, flags]


def test_counts_are_bounded() -> None:
    found = analysed(["boat " * 100_000], 0)
    assert found.counts.max() == 255
    assert found.sizes.min() > 255
    assert found.sizes.sum() == 100_000


@given(SOME, st.integers(0, 9))
def test_there_and_back(texts: list[str], dimension: int) -> None:
    one = with_vectors(analysed(texts, dimension), dimension)
    body = packed(one)
    assert same(unpacked(body, dimension), one)
    assert packed(one) == body
    assert unpacked(body, dimension + 1) is None or not len(one.sizes)


@given(SOME, st.data())
def test_some_of_them_in_any_order(texts: list[str], data: st.DataObject) -> None:
    whole = with_vectors(analysed(texts, 3), 3)
    which = data.draw(st.lists(st.integers(0, len(texts) - 1), max_size=12)) if texts else []
    known = slowly(whole)
    assert slowly(whole.take(np.asarray(which, np.int64))) == [known[at] for at in which]


@given(st.lists(SOME, max_size=4))
def test_several_one_after_the_other(several: list[list[str]]) -> None:
    parts = [with_vectors(analysed(texts, 3), 3, seed) for seed, texts in enumerate(several)]
    assert slowly(joined(parts, 3)) == [one for part in parts for one in slowly(part)]
    assert joined(parts, 3).vectors.shape[1] == 3
    assert same(joined([], 3), analysed([], 3))


def test_fingerprints_tell_texts_apart() -> None:
    texts = ["", " ", "a", "A", "a ", "é", "e\u0301", "\ud800", "\udfff", LONG]
    assert len({fingerprint(text) for text in texts}) == len(texts)
    assert fingerprint("Where is the boat?") == 3_218_436_317_850_291_099  # as blocks on disk have it


# Bytes that are not ours

WHOLE = with_vectors(analysed(["The boat is red.", "", LONG, "里斯本"], 4), 4)
BODY = packed(WHOLE)


def read(body: bytes) -> Texts | None:
    """The texts, after what must hold of whatever is answered: the arrays fit each other."""
    found = unpacked(body, 4)
    if found is not None:
        assert [getattr(found, name).dtype for name in NAMES] == [getattr(WHOLE, name).dtype for name in NAMES]
        slowly(found)
        found.take(np.arange(len(found.prints)))
    return found


def test_cut_short_or_grown_it_is_nothing() -> None:
    for size in range(len(BODY)):
        assert read(BODY[:size]) is None
    assert read(BODY + b"\0") is None


def test_any_byte_changed_is_no_crash_and_no_other_shape() -> None:
    rng = random.Random(5)
    head = BODY.index(b"\n")
    places = [*range(head + 1), *rng.sample(range(head + 1, len(BODY)), min(500, len(BODY) - head - 1))]
    for at in places:
        for value in {BODY[at] ^ 1 << rng.randrange(8), BODY[at] ^ 0xFF, ord("e"), ord("9"), ord("]"), ord('"')}:
            if value != BODY[at]:
                found = read(BODY[:at] + bytes([value]) + BODY[at + 1 :])
                assert found is None or len(found.prints) == len(WHOLE.prints)


@given(st.binary(max_size=200))
def test_bytes_of_any_kind(body: bytes) -> None:
    assert read(body) is None
    read(BODY[: BODY.index(b"\n") + 1] + body)


def with_head(**changes: object) -> bytes:
    line, _, rest = BODY.partition(b"\n")
    return json.dumps(json.loads(line) | changes).encode() + b"\n" + rest


def with_shape(at: int, shape: object) -> bytes:
    shapes = json.loads(BODY.partition(b"\n")[0])["shapes"]
    shapes[at] = shape
    return with_head(shapes=shapes)


def test_of_another_version_it_is_made_again() -> None:
    assert read(with_head()) is not None
    assert read(with_head(lexemes=LEXEMES_VERSION + 1)) is None
    assert read(with_head(lexemes=None)) is None
    assert unpacked(BODY, 5) is None
    assert unpacked(BODY, 0) is None


@pytest.mark.parametrize(
    "shape", [None, 4, "4", [4.0], [1e3], [-4], [None], [[4]], {}, [True], [2**40], [2**31, 2**31]]
)
def test_a_shape_that_is_none(shape: object) -> None:
    for at in range(len(NAMES)):
        read(with_shape(at, shape))


@pytest.mark.parametrize("shapes", [[], None, 5, "abc", {}, [[4]] * 10])
def test_shapes_that_are_none(shapes: object) -> None:
    assert read(with_head(shapes=shapes)) is None


@pytest.mark.parametrize("body", [with_shape(0, [10**30]), b"[" * 100_000 + b"\n"], ids=["number", "depth"])
def test_a_head_that_is_too_much(body: bytes) -> None:
    assert read(body) is None


# Columns


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 5)), max_size=30))
def test_spreading(pairs: list[tuple[int, int]]) -> None:
    starts, counts = (np.array([pair[side] for pair in pairs], np.int64) for side in (0, 1))
    assert spread(starts, counts).tolist() == [start + at for start, count in pairs for at in range(count)]
    assert spread(starts.astype(np.int32), counts.astype(np.uint16)).tolist() == spread(starts, counts).tolist()


@given(st.lists(st.integers(0, 300), max_size=12))
def test_a_column_holds_what_was_added(sizes: list[int]) -> None:
    column, expected = GrowingArray(np.int32, 2), np.empty((0, 2), np.int32)
    for number, size in enumerate(sizes):
        added = np.arange(size * 2).reshape(size, 2) + number
        column.extend(added)
        expected = np.concatenate([expected, added.astype(np.int32)])
    assert len(column) == len(expected)
    assert np.array_equal(column.values, expected)
    assert column.values.dtype == np.int32
    assert column.bytes >= expected.nbytes
