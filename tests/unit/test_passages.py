"""Passages: nothing but white space is lost, their number and length are bounded, and gaps are marked."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.passages import MOST_PASSAGES, WHOLE, passages, shown

CODE = "```python\n" + "\n".join(f"value_{n} = compute(value_{n - 1}, {n})" for n in range(1, 400)) + "\n```"
LETTERS = st.sampled_from(
    [*"ab .\n\t", ". ", "\n\n", "。", "里", "é", "\ud800", "\u2028", "```", "word ", "A sentence. "]
)


def checked(text: str) -> list[tuple[int, int]]:
    """The passages, after what must hold of any."""
    found = passages(text)
    assert 1 <= len(found) <= MOST_PASSAGES
    last = 0
    for start, end in found:
        assert not text[last:start].strip()
        assert last <= start <= end
        last = end
    assert not text[last:].strip()
    if len(text) > WHOLE and text.strip():
        assert all(text[start:end].strip() for start, end in found)
        assert max(end - start for start, end in found) <= max(WHOLE, 2 * -(-len(text) // (MOST_PASSAGES // 2)))
    return found


@given(st.lists(LETTERS, max_size=60), st.integers(1, 60))
def test_nothing_but_white_space_is_lost(pieces: list[str], times: int) -> None:
    checked("".join(pieces) * times)


@given(st.text(max_size=40), st.integers(1, 200))
def test_any_text_at_all(text: str, times: int) -> None:
    checked(text * times)


def test_a_short_text_is_one_passage_as_it_stands() -> None:
    for text in ("", " ", "  padded  ", "x" * WHOLE, "One. Two. Three."):
        assert passages(text) == [(0, len(text))]
    assert len(passages("A word. " * (WHOLE // 8 + 1))) == 2


@pytest.mark.parametrize(
    "text",
    [
        "x" * 1_000_000,
        "里斯本" * 300_000,
        "天気がいいですね。" * 100_000,
        CODE,
        "word " * 200_000,
        "\ud800 broken \udfff. " * 20_000,
        " " * 1_000_000,
        "\n" * 5_000 + "a" + "\n" * 5_000,
        "Dr. " * 50_000,
        "a\n" * 200_000,
    ],
    ids=["letter", "han", "japanese", "code", "words", "surrogates", "spaces", "lines", "abbreviations", "short lines"],
)
def test_huge_and_odd_texts_are_bounded(text: str) -> None:
    checked(text)


def test_work_grows_with_the_length_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[int] = []

    class Watched(str):
        def rfind(self, *args: object) -> int:
            looked.append(int(args[2]) - int(args[1]))  # type: ignore[call-overload]
            return str.rfind(self, *args)  # type: ignore[arg-type]

    for size in (100_000, 1_000_000):
        looked.clear()
        passages(Watched("x" * size))
        assert sum(looked) <= 2 * size


def test_passages_end_with_sentences() -> None:
    rng = random.Random(3)
    sentences = [f"Sentence {n} {'goes on ' * rng.choice((3, 20, 50, 80))}here." for n in range(60)]
    text = " ".join(sentences)
    for start, end in checked(text):
        assert text[start:].startswith("Sentence")
        assert text[:end].endswith("here.")


def test_a_sentence_that_must_be_cut_is_cut_between_words() -> None:
    text = "lantern " * 400
    found = checked(text.strip())
    assert len(found) > 3
    assert all(set(text[start:end].split()) == {"lantern"} for start, end in found)


def test_code_is_cut_at_its_lines() -> None:
    lines = set(CODE.split("\n"))
    for start, end in checked(CODE):
        assert set(CODE[start:end].strip("\n").split("\n")) <= lines


def test_all_of_a_text_without_spans() -> None:
    assert shown("As it is.", ()) == "As it is."
    assert shown("", ()) == ""


def test_a_mark_wherever_something_is_left_out() -> None:
    text = "One. Two. Three. Four."
    assert shown(text, [(0, 4)]) == "One. […]"
    assert shown(text, [(5, 9)]) == "[…] Two. […]"
    assert shown(text, [(17, 22)]) == "[…] Four."
    assert shown(text, [(0, 4), (10, 16)]) == "One. […] Three. […]"
    assert shown(text, [(0, 4), (5, 9), (10, 16), (17, 22)]) == text
    assert shown("One.  \n ", [(0, 4)]) == "One."


@given(st.lists(LETTERS, min_size=20, max_size=60), st.integers(10, 40), st.randoms(use_true_random=False))
def test_what_is_shown_is_what_was_chosen(pieces: list[str], times: int, rng: random.Random) -> None:
    text = "".join(pieces) * times
    found = passages(text)
    chosen = sorted(rng.sample(found, rng.randint(1, len(found))))
    out = shown(text, chosen)
    at = 0
    for start, end in chosen:
        at = out.index(text[start:end], at) + end - start
    marks = out.replace("[…]", "", len(chosen) + 1)
    assert sum(map(len, marks.split())) == sum(len("".join(text[start:end].split())) for start, end in chosen)
