"""The matrix of vectors: cosines as they are, and beyond some size the nearest ones all the same."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from recall_tools import unit_vectors

from onrecord.recall.matrix import Matrix, quantised


def filled(vectors: NDArray[np.float32], exact: int = 24_000, step: int = 50) -> Matrix:
    """A matrix to which the vectors were added a few at a time."""
    matrix = Matrix(vectors.shape[1], exact)
    for start in range(0, len(vectors), step):
        matrix.extend(*quantised(vectors[start : start + step]))
    return matrix


def known(matrix: Matrix) -> NDArray[np.bool_]:
    return np.array([matrix.knows(row) for row in range(len(matrix))], bool)


def clustered(count: int, dimension: int) -> NDArray[np.float32]:
    """Vectors that are near each other in groups, as those of texts are."""
    middles = unit_vectors(count // 20, dimension, 2)[np.arange(count) % (count // 20)]
    made = middles + 0.9 * unit_vectors(count, dimension, 3)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), np.float32)


@given(st.integers(0, 20), st.integers(1, 130))
def test_small_whole_numbers_are_near_enough(count: int, dimension: int) -> None:
    vectors = unit_vectors(count, dimension)
    whole, scales = quantised(vectors)
    assert whole.dtype == np.int8
    assert scales.dtype == np.float32
    assert np.abs(whole * scales[:, None] - vectors).max(initial=0) <= (scales / 2).max(initial=0) + 1e-6


def test_zeros_have_no_scale() -> None:
    whole, scales = quantised(np.zeros((2, 3), np.float32))
    assert not whole.any()
    assert scales.tolist() == [0, 0]


@pytest.mark.parametrize("exact", [1, 10])
def test_zeros_that_were_put_are_known_and_near_nothing(exact: int) -> None:
    matrix = Matrix(3, exact)
    matrix.extend(np.zeros((2, 3), np.int8), np.zeros(2, np.float32))
    matrix.put(np.array([0, 1]), np.array([[0, 0, 0], [1, 0, 0]], np.float32))
    assert matrix.missing(slice(None)) == []
    assert matrix.similar(np.array([1, 0, 0], np.float32)).tolist() == pytest.approx([0, 1])


@pytest.mark.parametrize("dimension", [1, 7, 64, 100, 384])
def test_cosines_are_exact(dimension: int) -> None:
    vectors = unit_vectors(500, dimension)
    question = unit_vectors(1, dimension, 9)[0]
    assert np.abs(filled(vectors).similar(question) - vectors @ question).max() < 0.01


@pytest.mark.parametrize("dimension", [64, 100, 384])
def test_beyond_that_the_nearest_are_found(dimension: int) -> None:
    vectors = clustered(5_000, dimension)
    matrix = filled(vectors, exact=1_000, step=700)
    found = 0
    for question in clustered(200, dimension)[::10]:
        true = vectors @ question
        near = matrix.similar(question)
        best = np.argsort(-near)[:10]
        found += len(set(best.tolist()) & set(np.argsort(-true)[:10].tolist()))
        assert np.abs(near[best] - true[best]).max() < 0.01  # those are exact
        assert np.corrcoef(near, true)[0, 1] > 0.5  # the others about right
    assert found >= 0.97 * 200


def test_put_is_seen_before_and_after_it_grew() -> None:
    vectors = unit_vectors(600, 100)
    question = unit_vectors(1, 100, 5)[0]
    matrix, made = Matrix(100, exact=250), set[int]()
    for start in range(0, 600, 100):
        matrix.extend(np.zeros((100, 100), np.int8), np.zeros(100, np.float32))
        assert not known(matrix)[start:].any()
        assert not matrix.similar(question)[start:].any()
        rows = np.arange(start + 99, start - 1, -3)  # some of them, backwards
        matrix.put(rows, vectors[rows])
        made.update(rows.tolist())
        near = matrix.similar(question)
        there = np.flatnonzero(known(matrix))
        assert matrix.missing(slice(1, None)) == [row - 1 for row in range(1, start + 100) if row not in made]
        assert there.tolist() == sorted(made)
        assert np.abs(near[there] - (vectors @ question)[there]).max() < 0.01
        assert not near[np.flatnonzero(~known(matrix))].any()


def test_put_is_found_where_few_are_compared_exactly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.recall.matrix._RESCORED", 20)
    vectors = unit_vectors(400, 100)
    matrix, rng = Matrix(100, exact=50), np.random.default_rng(2)
    for start in range(0, 400, 100):
        matrix.extend(np.zeros((100, 100), np.int8), np.zeros(100, np.float32))
        for rows in np.split(rng.permutation(np.arange(start, start + 90)), 3):
            matrix.put(rows, vectors[rows])
            for row in rows[:5]:
                near = matrix.similar(vectors[row])
                assert np.argmax(near) == row
                assert near[row] == pytest.approx(1, abs=0.01)
                assert not near[~known(matrix)].any()


def test_put_replaces() -> None:
    for exact in (10, 1):
        matrix = filled(unit_vectors(4, 70), exact)
        other = unit_vectors(1, 70, 8)
        matrix.similar(other[0])
        matrix.put(np.array([2]), other)
        assert matrix.similar(other[0])[2] == pytest.approx(1, abs=0.01)


def test_rows_come_back_as_they_were_put() -> None:
    vectors = unit_vectors(300, 20)
    whole, scales = quantised(vectors)
    matrix = filled(vectors, exact=100)
    for rows in (slice(10, 40), np.array([5, 1, 299])):
        found, by = matrix.rows(rows)
        assert np.array_equal(found, whole[rows])
        assert np.array_equal(by, scales[rows])


@pytest.mark.parametrize("exact", [3, 100])
def test_without_an_embedder_there_are_no_numbers(exact: int) -> None:
    matrix = Matrix(0, exact)
    for _ in range(4):
        matrix.extend(np.zeros((2, 0), np.int8), np.zeros(2, np.float32))
    assert len(matrix) == 8
    assert matrix.missing(slice(None)) == []
    assert matrix.rows(slice(2, 5))[0].shape == (3, 0)


def test_its_size_falls_when_it_changes_over() -> None:
    vectors = unit_vectors(2_000, 384)
    assert filled(vectors, exact=1_999).bytes < 0.5 * filled(vectors, exact=2_000).bytes
