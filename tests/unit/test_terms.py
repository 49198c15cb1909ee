"""What the lexical index holds of a text."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.terms import LONGEST_TERM, terms


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ()),
        ("We fly, we FLY!", ("we", "fly")),
        ("I'm at Ana's; don’t call", ("im", "at", "ana", "dont", "call")),
        ("It costs 3.50, not 5,000.", ("it", "costs", "3.50", "not", "5,000")),
        ("CAFÉ naïve ﬁne Ａ１", ("cafe", "naive", "fine", "a1")),
        ("snake_case a@b.pt", ("snake", "case", "a", "b", "pt")),
        ("飞往里斯本", ("飞往", "往里", "里斯", "斯本")),
        ("本", ("本",)),
        ("東京タワーand more", ("東京", "京タ", "タワ", "ワー", "and", "more")),
        ("한국어 문장", ("한국", "국어", "문장")),
        ("ไทย", ("ไท", "ทย")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("مُحَمَّد", ("محمد",)),
        ("😀 !?", ()),
        ("℡ tel", ("tel",)),
    ],
)
def test_terms(text: str, expected: tuple[str, ...]) -> None:
    assert terms(text) == expected


def test_a_word_inside_a_chinese_sentence_is_found() -> None:
    assert set(terms("里斯本")) <= set(terms("我们五月五日飞往里斯本。"))


def test_endless_words_are_cut_the_same_everywhere() -> None:
    assert terms("a" * 1_000_000) == ("a" * LONGEST_TERM,)
    assert terms("é" * 1_000_000) == ("e" * LONGEST_TERM,)


@given(st.text())
def test_terms_are_words_once_each_and_stable(text: str) -> None:
    found = terms(text)
    assert len(set(found)) == len(found)
    assert all(0 < len(term) <= LONGEST_TERM and not re.search(r"\s", term) for term in found)
    assert terms(text.upper().lower()) == terms(text.upper())


@given(st.text())
def test_terms_have_no_capitals(text: str) -> None:
    """Every index may fold the capitals of ASCII once more without joining two terms into one."""
    assert all(term == term.lower() for term in terms(text) if term.isascii())


@given(st.text(), st.text())
def test_a_text_contains_the_terms_of_its_lines(first: str, second: str) -> None:
    assert set(terms(first + "\n" + second)) == set(terms(first)) | set(terms(second))
