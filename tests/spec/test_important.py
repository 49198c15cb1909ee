"""What the designs say of important data: p05, p06."""

from onrecord.policy.important import cap, check_data, extract, lines, merge
from onrecord.records import ImportantData, Role

EXAMPLE: list[tuple[Role, str]] = [
    ("user", "I prefer dark mode. My document should have sections for Introduction, Methods, Results."),
    ("assistant", "Noted. I'll structure your document accordingly."),
    ("user", "Important sources: https://example.com/paper1, https://example.com/paper2"),
    ("user", "The key finding is that X causes Y. This is critical for the paper."),
]


def test_p05_the_documents_example_gives_theme_sections_addresses_and_finding() -> None:
    data = extract(EXAMPLE)
    assert data.user_preferences == {"theme": "dark"}
    assert data.document_structure == {"sections": ["Introduction", "Methods", "Results"]}
    assert data.source_urls == ("https://example.com/paper1", "https://example.com/paper2")
    assert data.important_facts == ("X causes Y",)


def test_p05_nothing_said_gives_nothing() -> None:
    assert not extract([])
    assert not extract([("user", ""), ("assistant", "Sure, how can I help?")])


def test_p05_a_tools_words_are_no_preferences_decisions_or_facts() -> None:
    text = (
        "I prefer dark mode. We decided to use PostgreSQL. Important: sections: A, B. See https://example.com from Ana."
    )
    for role in ("tool", "system"):
        data = extract([(role, text)])
        assert data.source_urls == ("https://example.com",)
        assert "Ana" in data.entities
        assert data == ImportantData(source_urls=data.source_urls, entities=data.entities)


def test_p05_a_models_json_is_checked() -> None:
    given = {"user_preferences": {"theme": "dark"}, "document_structure": {"sections": ["A", "B"]}, "entities": ["Ana"]}
    assert check_data(given).to_dict() == given


def test_p06_the_documents_merge_keeps_both() -> None:
    older = check_data({"user_preferences": {"theme": "dark"}, "source_urls": ["url1"]})
    newer = check_data({"user_preferences": {"font": "arial"}, "source_urls": ["url2", "url1"]})
    merged = merge(older, newer)
    assert merged.user_preferences == {"theme": "dark", "font": "arial"}
    assert merged.source_urls == ("url1", "url2")
    assert merged.history == {}


def test_p06_a_newer_value_wins_and_the_older_is_kept_in_the_history() -> None:
    data = ImportantData()
    for theme in ("dark", "light", "high contrast", "dark", "light"):
        data = merge(data, check_data({"user_preferences": {"theme": theme}}))
    assert data.user_preferences == {"theme": "light"}
    assert data.history == {"user_preferences.theme": ["high contrast", "dark"]}


def test_p06_what_goes_into_a_prompt_is_a_ranked_part() -> None:
    data = extract(EXAMPLE)
    assert lines(cap(data, 2)) == [("preference", "theme: dark", 0.9), ("fact", "X causes Y", 0.8)]
    assert extract(EXAMPLE) == data
