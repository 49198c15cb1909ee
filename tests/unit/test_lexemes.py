"""Lexemes: endings go, words that say nothing go, every script is found, and numbers stay what they were."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy import lexemes as module
from onrecord.policy.lexemes import STOP_WORDS, lexeme, lexemes, stem
from onrecord.policy.terms import words


@pytest.mark.parametrize(
    "forms",
    ["plans planned planning plan", "camping camps camped", "studies study studied", "Caroline's caroline CAROLINE"],
)
def test_forms_of_a_word_are_one(forms: str) -> None:
    assert len(set(lexemes(forms))) == 1
    assert len(lexemes(forms)) == len(forms.split())


def test_other_words_are_others() -> None:
    assert len(set(lexemes("camera camping train trail plane plant"))) == 6


def test_words_that_say_nothing_are_left_out() -> None:
    assert lexemes("It's not what I wouldn't have said, is it? Don't you, well, they're hers!") == []
    assert lexemes("a b c x") == []
    assert all(lexeme(word) == 0 for word in STOP_WORDS)
    assert all(words(word) == [word] for word in STOP_WORDS)  # as texts give them


def test_every_word_that_is_left_out_is_left_out_when_it_was_met_before() -> None:
    assert lexemes("the the the") == lexemes("the") == []


def test_figures_count() -> None:
    assert len(set(lexemes("7 8 42 3.5 3.6 2023"))) == 6
    assert lexemes("in 2023") == lexemes("2023")


def test_accents_case_and_width_do_not_matter() -> None:
    assert lexemes("café") == lexemes("CAFÉ") == lexemes("cafe\u0301") == lexemes("ｃａｆｅ")


def test_a_word_within_a_sentence_without_spaces_is_found() -> None:
    assert set(lexemes("里斯本")) <= set(lexemes("我们去年五月住在里斯本的老城区"))
    assert set(lexemes("東京")) <= set(lexemes("先週は東京に行きました"))
    assert not set(lexemes("大阪")) & set(lexemes("先週は東京に行きました"))


def test_a_single_character_of_another_script_counts() -> None:
    assert len(lexemes("猫")) == 1


def test_arabic_points_do_not_matter() -> None:
    assert lexemes("مُحَمَّد") == lexemes("محمد")
    assert lexemes("محمد")


def test_only_english_loses_endings() -> None:
    assert stem("running") == "run"
    for word in ("schönes", "r2d2", "2023", "as", "里斯"):
        assert stem(word) == word


def test_numbers_are_those_that_blocks_on_disk_hold() -> None:
    """Whoever changes one of these has to count the version up, or what was kept is found no more."""
    assert module.LEXEMES_VERSION == 1
    found = lexemes("plans camping Lisbon café 2023 里斯本 محمد")
    assert found == [
        3_713_686_397, 3_247_718_960, 543_183_029, 1_337_818_896, 229_457_857,
        3_906_842_911, 2_506_753_048, 1_672_375_416,
    ]  # fmt: skip


def test_numbers_are_the_same_in_every_process() -> None:
    text = "plans camping Lisbon café 里斯本 2023"
    program = f"from onrecord.policy.lexemes import lexemes; print(lexemes({text!r}))"
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONIOENCODING": "utf-8"},
        )
        assert done.stdout.strip() == str(lexemes(text))


@given(st.text())
def test_any_text_at_all(text: str) -> None:
    found = lexemes(text)
    assert found == [number for word in words(text) if (number := lexeme(word))]
    assert all(0 < number < 2**32 for number in found)


def test_what_is_remembered_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "_MOST_KNOWN", 50)
    before = lexemes("lighthouse keeper")
    for number in range(500):
        lexemes(f"word{number}")
        assert len(module._known) <= 50
    assert lexemes("lighthouse keeper") == before
