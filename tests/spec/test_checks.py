"""What the hybrid design says of a local model's summary: h14, rule by rule, at its borders."""

from __future__ import annotations

import pytest

from onrecord.policy.checks import REFUSALS, local_refusal

WORDS = "harbour garden kitchen window " * 100  # 3,100 characters; words of it are never unrelated


def name(text: str, conversation: list[str] | None = None) -> str:
    refusal = local_refusal(text, [WORDS] if conversation is None else conversation)
    assert refusal is None or refusal.name in REFUSALS
    return refusal.name if refusal else ""


def test_h14_over_300_characters() -> None:
    assert name(WORDS[:299] + "x") == ""
    assert name(WORDS[:299] + "xx") == "too_long"


def test_h14_over_30_percent_of_the_conversation() -> None:
    """The length of a conversation is that of its texts alone."""
    text = "harbour garden kitchen windows"
    assert len(text) == 30
    assert name(text, [WORDS[:60], WORDS[60:100]]) == ""
    assert name(text, [WORDS[:60], WORDS[60:99]]) == "too_large_share"
    assert name(text, []) == "too_large_share"


@pytest.mark.parametrize(
    "opening", ["Here's", "Here’s", "Certainly", "Let me", "I'll create", "I can", "HERE'S", "i can"]
)
def test_h14_an_assistants_opening(opening: str) -> None:
    assert name(f"{opening} the garden, the kitchen and the window") == "opening"
    assert name(f"  {opening} the garden, the kitchen and the window") == "opening"
    assert name(f"In the garden: {opening} the kitchen and the window") == ""


def test_h14_a_title() -> None:
    assert name("Title: the garden") == "title"
    assert name("title: the garden") == "title"
    assert name("Title of the garden") == ""
    assert name("The garden had a Title: window") == ""


@pytest.mark.parametrize("opening", ["In fields where", "Once upon", "There was", "once upon"])
def test_h14_a_story_or_poem_opening(opening: str) -> None:
    assert name(f"{opening} a garden with a window") == "story"
    assert name(f"The garden: {opening} a garden with a window") == ""


@pytest.mark.parametrize("opening", ["Chapter 1:", "chapter one", "Scene 2.", "Act I", "Act IV:", "act x"])
def test_h14_chapter_scene_act(opening: str) -> None:
    assert name(f"{opening} the garden window") == "chapter"
    assert name(f"The garden, {opening} the window") == ""


@pytest.mark.parametrize("opening", ["Act one", "Acting in", "Act immediately in", "Scenery of", "Chaptered"])
def test_h14_other_words_are_no_chapter(opening: str) -> None:
    assert name(f"{opening} the garden window") == ""


def test_h14_a_numbered_list() -> None:
    assert name("1. The garden") == "numbered"
    assert name("12.The garden") == "numbered"
    assert name("1 garden") == ""
    assert name("The garden\n1. The window") == ""


def test_h14_a_code_fence_anywhere() -> None:
    assert name("The garden ``` window") == "code"
    assert name("The garden `` window") == ""


def test_h14_a_bold_heading_anywhere() -> None:
    assert name("The garden\n**Kitchen window** harbour") == "heading"
    assert name("The garden **kitchen window** harbour") == ""
    assert name("The garden *Kitchen window* harbour") == ""
    assert name("The garden **K** harbour") == ""


def test_h14_a_line_that_is_only_two_capitalised_words_and_a_colon() -> None:
    assert name("The garden\nJohn Smith:\nthe window") == "character"
    assert name("John Smith:\nthe window in the garden") == "character"
    assert name("John Smith: the window in the garden") == ""
    assert name("The garden of John Smith:\nthe window") == ""
    assert name("Garden:\nthe window") == ""
    assert name("John smith:\nthe window in the garden") == ""


def test_h14_words_of_the_conversation() -> None:
    """Words longer than three letters that occur in it, as parts of words too, are at least a tenth of all words."""
    assert name("garden " + "xyzzy " * 9) == ""
    assert name("garden " + "xyzzy " * 10) == "unrelated"
    assert name("GARD " + "xyzzy " * 9) == ""
    assert name("the " + "xyzzy " * 9, ["the " * 100]) == "unrelated"
    assert name("", [WORDS]) == "empty"


def test_h14_every_rule_has_its_own_name() -> None:
    rules = "too_long too_large_share opening title story chapter numbered code heading character unrelated".split()
    assert set(rules) <= set(REFUSALS)
