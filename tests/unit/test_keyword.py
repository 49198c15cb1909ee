"""The keyword line: counts and topics from a fixed table."""

import pytest

from onrecord.derive.keyword import TABLE, found_topics, keyword_summary


@pytest.mark.parametrize(("topic", "words"), TABLE)
def test_every_keyword_finds_its_topic(topic: str, words: tuple[str, ...]) -> None:
    for word in words:
        assert topic in found_topics([("user", f"About {word.upper()}, now")])


def test_topics_come_in_order_of_discovery_and_at_most_three() -> None:
    turns = [("user", "Why a song?"), ("assistant", "A database."), ("user", "Fix the code of the table.")]
    assert found_topics(turns) == ("music", "Q&A", "programming")
    assert found_topics(turns[1:2]) == ()


def test_the_summary_counts_by_role_and_names_the_topics() -> None:
    turns = [("user", "My SQL has a bug"), ("assistant", "Show it."), ("user", "Here")]
    assert keyword_summary(turns) == "3 messages (2 user, 1 assistant), mostly about database, troubleshooting."


def test_without_a_topic_the_first_and_last_user_message_are_quoted() -> None:
    turns = [("assistant", "Hi"), ("user", "We fly to Lisbon on the 5th of May"), ("user", "Good\nnight")]
    assert keyword_summary(turns) == (
        "3 messages (1 assistant, 2 user). "
        'The user began with "We fly to Lisbon on the 5th of…" and came to "Good night".'
    )
    assert keyword_summary(turns[1:2]) == '1 message (1 user). The user said "We fly to Lisbon on the 5th of…".'


def test_without_a_user_only_the_count_remains() -> None:
    assert keyword_summary([]) == "0 messages."
    assert keyword_summary([("tool", "done"), ("user", "  ")]) == "2 messages (1 tool, 1 user)."
