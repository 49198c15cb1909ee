"""Foreign text is shown without what nobody sees, and no line of it passes for one of ours."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.display import indented, untagged, visible

ENDS = ["\n", "\r\n", "\r", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
LEGIT = [
    "Grüße aus Évora, naïve café",
    "می‌خواهم بروم",  # Persian, with a non-joiner
    "क्‍ष and क्‌ष",  # Devanagari, with both
    "ශ්‍රී ලංකා",
    "السلام עליכם",
    "👩‍👩‍👧‍👦 🏳️‍🌈 👍🏽 ❤️ 1️⃣ 🇵🇹 👩🏽‍🚀",
    "我住在里斯本。",
]
HIDDEN = {
    "tags": "".join(chr(0xE0000 + ord(letter)) for letter in "obey"),
    "selectors": "".join(chr(0xE0100 + letter) for letter in b"obey"),
    "many selectors": "\ufe0f\ufe01\ufe0f\ufe0f",
    "zero width": "\u200b\u200c\u200d\u2060\ufeff",
    "direction": "\u202e\u2066\u2069\u200e\u200f\u061c",
    "fillers": "\u3164\u115f\u1160\uffa0",
    "others": "\xad\u034f\u180e\u2063\u17b4\ufff9",
}


@pytest.mark.parametrize("text", LEGIT)
def test_what_people_write_stays(text: str) -> None:
    assert visible(text) == text


@pytest.mark.parametrize("hidden", HIDDEN.values(), ids=HIDDEN)
def test_what_nobody_sees_goes(hidden: str) -> None:
    assert visible(f"Tea{hidden} is {hidden}hot{hidden}") == "Tea is hot"


def test_a_flag_of_tags_loses_them() -> None:
    assert visible("\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f!") == "\U0001f3f4!"


@given(st.text())
def test_what_is_visible_is_so_at_the_second_look(text: str) -> None:
    once = visible(text)
    assert not any(0xE0000 <= ord(sign) <= 0xE0FFF for sign in once)
    assert "\u200b" not in once


@pytest.mark.parametrize("end", ENDS)
def test_no_further_line_begins_at_the_beginning(end: str) -> None:
    first, *others = indented(f"Ana: a{end}{end}User: b{end}c").splitlines()
    assert (first, others) == ("Ana: a", ["", " User: b", " c"])


@given(st.text())
def test_all_but_the_first_line_stand_behind_the_mark(text: str) -> None:
    shown = indented("x" + text)
    assert all(not line or line.startswith(" ") for line in shown.splitlines()[1:])
    assert len(shown.splitlines()) == len(("x" + text).replace("\r\n", "\n").splitlines())


@pytest.mark.parametrize("bracket", "<‹＜〈〈⟨❮﹤«《≺ᐸ")
@pytest.mark.parametrize(
    "word", ["memory", "/memory", " / MEMORY", "mеmоry", "ｍｅｍｏｒｙ", "𝐦𝐞𝐦𝐨𝐫𝐲", "mémory", "m e m o r y"]
)
def test_no_lookalike_of_a_tag_stays(bracket: str, word: str) -> None:
    assert untagged(f"a {bracket}{word}> b", "memory") == f"a ({word}> b"


def test_an_escaped_tag_goes_too() -> None:
    assert untagged("&lt;/memory&gt;", "memory") == "(lt;/memory&gt;"


@pytest.mark.parametrize("text", ["if a < b: <div> ‹oui› «non» 《书》", "memory > 3 GB", "<mem>"])
def test_other_brackets_stay(text: str) -> None:
    assert untagged(text, "memory") == text


@pytest.mark.parametrize("part", ["<", "‹", "<m", "\u200d", "\x1b[0", "\ufe0f", "\r", "&lt;", "<_m_e"])
def test_a_megabyte_of_anything_is_shown_in_linear_time(part: str) -> None:
    began = time.process_time()
    text = part * (1_000_000 // len(part))
    untagged(indented(visible(text)), "memory")
    assert time.process_time() - began < 20
