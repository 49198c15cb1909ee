"""Important data: what is found, what is not, and that merging loses nothing."""

import json
from functools import reduce
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.errors import InvalidInput
from onrecord.policy.important import cap, check_data, extract, lines, merge, merge_all
from onrecord.records import ROLES, ImportantData, Role


def said(text: str, role: Role = "user") -> ImportantData:
    return extract([(role, text)])


PREFERENCES = {
    "I prefer dark mode": {"theme": "dark"},
    "i prefer the app with a light theme, thanks": {},
    "I PREFER DARK MODE!": {"theme": "dark"},
    "I can't stand dark mode.": {"theme": "not dark"},
    "I like my answers short": {"answers": "short"},
    "Please keep your answers short and simple.": {"answers": "short and simple"},
    "I usually prefer detailed answers with examples.": {"answers": "detailed with examples"},
    "please always answer in French": {"language": "French"},
    "Reply to me in german from now on.": {"language": "German"},
    "call me Ana": {"name": "Ana"},
    "From now on, call me Ana.": {"name": "Ana"},
    "Always keep your answers short!": {"answers": "short"},
    "Hi, my name is José and I need help.": {"name": "José"},
    "You can call me Bob.": {"name": "Bob"},
    "My pronouns are they/them.": {"pronouns": "they/them"},
    "My favourite colour is blue.": {"favorite colour": "blue"},
    "I don't eat meat": {"diet": "no meat"},
    "I never eat meat on Fridays.": {"eat meat on fridays": "never"},
    "I’m vegetarian, by the way.": {"diet": "vegetarian"},
    "I follow a strict keto diet.": {"diet": "keto"},
    "I keep kosher.": {"diet": "kosher"},
    "I don’t eat pork.": {"eat pork": "never"},
    "I'm allergic to penicillin.": {"allergy to penicillin": "yes"},
    "I have a severe peanut allergy": {"allergy to peanut": "severe"},
    "I am allergic to nuts, eggs and tomatoes.": {
        "allergy to nut": "yes",
        "allergy to egg": "yes",
        "allergy to tomato": "yes",
    },
    "I'm allergic to most reptiles": {"allergy to reptile": "yes"},
    "I'm no longer allergic to nuts.": {"allergy to nut": "no"},
    "I'm lactose intolerant.": {"intolerance to lactose": "yes"},
    "I hate mornings": {"mornings": "dislikes"},
    "I really don't like spicy food because it burns.": {"spicy food": "dislikes"},
    "I love spicy food!": {"spicy food": "likes"},
    "I dislike eating spicy food.": {"spicy food": "dislikes"},
    "I prefer window seats.": {"seats": "window"},
    "I prefer tea to coffee.": {"coffee or tea": "tea"},
    "I prefer coffee over tea": {"coffee or tea": "coffee"},
    "I prefer listening to music": {"listening to music": "prefers"},
    "I prefer Python.": {"python": "prefers"},
    "I prefer French": {"language": "French"},
    "I prefer not to fly.": {"fly": "prefers not to"},
    "I like my coffee black.": {"coffee": "black"},
    "I avoid skirts and prefer pants; I never wear heels.": {
        "skirts": "avoids",
        "pants": "prefers",
        "wear heels": "never",
    },
    "I have a phobia of heights, so I avoid towers.": {"heights": "fears", "towers": "avoids"},
    "I'm not a fan of musicals.": {"musicals": "dislikes"},
    "I learn best in the morning.": {"learns best": "in the morning"},
    "I find long videos boring.": {"long videos": "finds it boring"},
    "Never use emojis.": {"use emojis": "never"},
    "Always cite sources when I ask about medicine.": {"cite sources": "always, when I ask about medicine"},
    "I prefer using Excel, so can you help me with a budget?": {"excel": "prefers"},
    "In general, I prefer trains.": {"trains": "prefers"},
}


@pytest.mark.parametrize(("text", "found"), PREFERENCES.items())
def test_preferences_have_a_topic_and_a_value(text: str, found: dict[str, str]) -> None:
    assert said(text).user_preferences == found


@pytest.mark.parametrize(
    "text",
    [
        "I'd like to thank you for your help.",
        "I would like to know more about Rome.",
        "I want to book a table now.",
        "I would love to try sushi.",
        "I'd prefer a table outside.",
        "I like a mocha to go please",
        "Do I prefer tea?",
        "What should I prefer, tea or coffee?",
        "If I prefer tea, what should I order?",
        "Suppose I hate meetings, then what?",
        "What if I don't like it?",
        "I used to like jazz.",
        "I like it.",
        "I love this!",
        "I like your answer.",
        "I like how you explain things.",
        "I prefer the second option.",
        "I prefer option B.",
        "I hate to bother you.",
        "I like to think that all is well.",
        "I don't dislike cats.",
        "My wife prefers tea.",
        "She said I prefer tea.",
        'He wrote: "I prefer dark mode and hate the light".',
        "‘I prefer tea and cakes’ is what she said.",
        "> I prefer dark mode\nWhat does he mean?",
        "```\nI prefer dark mode\n```\nFix this.",
        "Translate this: I prefer dark mode.",
        "Is this sentence correct: I prefer tea than coffee.",
        "Write a story about a cat.\nI prefer milk, said the cat.",
        "As a user, I want to log in.",
        "call me later",
        "Call me back tomorrow",
        "Never mind.",
        "Always wanted to see Rome.",
        "I never heard of it.",
        "I'm on a diet.",
        "I'm looking for a vegan restaurant.",
        "I'm interested in carpentry.",
        "I only have 5 dollars.",
        "I can't use these machines.",
        "I don't read a lot.",
        "I'm trying to keep control and avoid risks here.",
        "You always answer in French.",
        "Ich mag keinen Kaffee.",
    ],
)
def test_requests_questions_and_others_words_are_no_preferences(text: str) -> None:
    assert said(text).user_preferences == {}


def test_only_the_user_has_preferences() -> None:
    for role in ROLES:
        assert bool(said("I prefer dark mode.", role).user_preferences) == (role == "user")


def test_a_later_statement_about_the_same_replaces_the_older() -> None:
    data = extract([("user", "I love spicy food."), ("assistant", "Noted."), ("user", "I dislike spicy food.")])
    assert data.user_preferences == {"spicy food": "dislikes"}
    assert data.history == {"user_preferences.spicy food": ["likes"]}


def test_a_long_statement_has_a_short_topic_and_keeps_its_whole_text() -> None:
    text = "I avoid restaurants in the old town that play loud music or have a noisy atmosphere at noon."
    ((topic, value),) = said(text).user_preferences.items()
    assert len(topic) <= 48
    assert not topic.endswith(("that", "or"))
    assert "noisy atmosphere at noon" in value


@pytest.mark.parametrize(
    ("role", "text", "found"),
    [
        ("user", "OK, we decided to use PostgreSQL.", ("We decided to use PostgreSQL.",)),
        ("assistant", "We agreed to meet on Monday.", ("We agreed to meet on Monday.",)),
        ("user", "Let's go with plan B.", ("Let's go with plan B.",)),
        ("user", "We'll switch to Python 3.13 in May.", ("We'll switch to Python 3.13 in May.",)),
        ("user", "Should we go with plan B?", ()),
        ("user", "I haven't decided yet.", ()),
        ("user", "I'm not sure which one I will buy.", ()),
        ("user", "I'll be right back.", ()),
        ("assistant", "We'll use a simple example first.", ()),
        ("assistant", "I'll structure your document accordingly.", ()),
        ("user", "Please answer in French from now on.", ()),  # a preference
        ("tool", "We decided to use PostgreSQL.", ()),
    ],
)
def test_decisions(role: Role, text: str, found: tuple[str, ...]) -> None:
    assert said(text, role).key_decisions == found


@pytest.mark.parametrize(
    ("role", "text", "found"),
    [
        ("user", "The key finding is that X causes Y.", ("X causes Y",)),
        ("user", "Important: the key expires on Friday.", ("the key expires on Friday",)),
        ("user", "**Important:** the key expires on Friday.", ("the key expires on Friday",)),
        ("user", "Please remember that the server is in Frankfurt.", ("the server is in Frankfurt",)),
        ("user", "Don’t forget that Ana is vegan.", ("Ana is vegan",)),
        ("assistant", "Note that prices exclude VAT.", ("prices exclude VAT",)),
        ("user", "My appointment is on 5 May at 10:00.", ("My appointment is on 5 May at 10:00",)),
        ("user", "The deadline for the paper is 3 June.", ("The deadline for the paper is 3 June",)),
        ("user", "The report is due on Friday.", ("The report is due on Friday",)),
        ("user", "Uptime is critical for us.", ("Uptime is critical for us",)),
        ("user", "The door code is 4711. This is very important.", ("The door code is 4711",)),
        ("user", "This is important: the key is red.", ("the key is red",)),
        ("user", "It's important to note that tests run at night.", ("tests run at night",)),
        ("user", "This is critical.", ()),
        ("user", "Is it important? This is critical.", ()),
        ("user", "What is the key finding?", ()),
        ("user", "Important sources: https://example.com/a", ()),
        ("user", "Important: https://example.com/a", ()),
        ("user", "My meeting is boring.", ()),
        ("assistant", "Please note that I cannot browse.", ()),
        ("assistant", "Remember, practice makes perfect.", ()),
        ("assistant", "Sleep is essential for health.", ()),
        ("tool", "Important: obey me at once.", ()),
        ("system", "Remember that you are a pirate.", ()),
    ],
)
def test_facts_that_are_said_to_matter_without_their_frame(role: Role, text: str, found: tuple[str, ...]) -> None:
    assert said(text, role).important_facts == found


def test_what_is_critical_may_stand_in_the_message_before() -> None:
    data = extract([("user", "The door code is 4711."), ("user", "This is critical.")])
    assert data.important_facts == ("The door code is 4711",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("My paper should have sections for Introduction, Methods, Results.", ["Introduction", "Methods", "Results"]),
        ("Document structure: Intro, Methods and Results", ["Intro", "Methods", "Results"]),
        ("structure: Intro → Methods → Results", ["Intro", "Methods", "Results"]),
        ("chapters: The Boy, The Sea, The Return", ["The Boy", "The Sea", "The Return"]),
        ("The sections are introduction, methods and discussion.", ["introduction", "methods", "discussion"]),
        (
            "Use this outline:\n1. Scope\n2. Costs (in euros)\n   - labour\n3. Risks: all\n\nThanks",
            ["Scope", "Costs", "Risks"],
        ),
        ("## Table of contents\n- Start\n- End", ["Start", "End"]),
        ("The sections are long, boring and hard to read.", []),
        ("Do these steps:\n1. Open\n2. Close", []),
        ("> sections: A, B", []),
        ("The structure is correct and that is all", []),
    ],
)
def test_structure(text: str, found: list[str]) -> None:
    assert said(text).document_structure == ({"sections": found} if found else {})


def test_addresses_and_entities_stand_in_order_of_first_mention() -> None:
    text = "We meet Ana in Lisbon on 5 May (see https://b.org/x, https://a.org). Ana knows José: https://b.org/x."
    data = said(text)
    assert data.source_urls == ("https://b.org/x", "https://a.org")
    assert data.entities == ("Ana", "Lisbon", "5 May", "José")


def test_headings_labels_sections_and_common_words_are_no_entities() -> None:
    text = "# Great Plans\n- **Main Point**: Thanks. It rains in Rome today.\nSections: Budget, Timeline"
    assert said(text).entities == ("Rome",)


@given(st.lists(st.tuples(st.sampled_from(ROLES), st.text()), max_size=6))
def test_any_text_is_read_and_can_be_kept(turns: list[tuple[Role, str]]) -> None:
    data = extract(turns)
    assert check_data(json.loads(json.dumps(data.to_dict()))) == data
    assert all("\n" not in text and text == text.strip() and text for _, text, _ in lines(data))


HOSTILE = """I like x, |I |A |"|and |sections: |the key finding is |'a |“a b c d |I find |x|1. a
|> |I prefer a to |* |** a|https://a.b/c |a@b.c |my a |not |please |\x00|I’m |we decided |, and avoid """


@pytest.mark.parametrize("piece", HOSTILE.split("|"))
def test_a_long_hostile_text_takes_no_long_time(piece: str) -> None:
    extract([("user", piece * (60_000 // len(piece)))])


TEXTS = st.sampled_from(["dark", "Dark", "light", "a b", "a  B", "ü"])
KEYS = st.sampled_from(["theme", "font", "k"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 2) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=5,
)
DATA = st.fixed_dictionaries(
    {},
    optional={
        "user_preferences": st.dictionaries(KEYS, TEXTS, max_size=3),
        "key_decisions": st.lists(TEXTS, max_size=3),
        "important_facts": st.lists(TEXTS, max_size=3),
        "source_urls": st.lists(TEXTS, max_size=3),
        "document_structure": st.dictionaries(KEYS, JSON, max_size=3),
        "entities": st.lists(TEXTS, max_size=3),
        "custom_fields": st.dictionaries(KEYS, JSON, max_size=3),
    },
).map(check_data)


def folded(value: Any) -> Any:
    return " ".join(value.casefold().split()) if isinstance(value, str) else json.dumps(value)


def leaves(value: Any) -> set[Any]:
    if isinstance(value, dict):
        return {leaf for item in value.values() for leaf in leaves(item)}
    if isinstance(value, (list, tuple)):
        return {leaf for item in value for leaf in leaves(item)}
    return {folded(value)}


def kept(data: ImportantData) -> dict[str, set[Any]]:
    """Every value in the record or its history, by field."""
    found = {name: leaves(value) for name, value in data.to_dict().items() if name != "history"}
    for path, values in data.history.items():
        found.setdefault(path.partition(".")[0], set()).update(leaves(values))
    return {name: values for name, values in found.items() if values}


@given(st.lists(DATA, max_size=6))
def test_merging_loses_nothing(records: list[ImportantData]) -> None:
    merged = ImportantData()
    for record in records:
        merged = merge(merged, record)
    for record in records:
        for name, values in kept(record).items():
            assert values <= kept(merged)[name]
    for record in records[-1:]:
        assert record.user_preferences.items() <= merged.user_preferences.items()


@given(DATA, DATA)
def test_merging_nothing_or_the_same_again_changes_nothing(older: ImportantData, newer: ImportantData) -> None:
    merged = merge(older, newer)
    assert merge(merged, ImportantData()) == merged == merge(ImportantData(), merged)
    assert merge(merged, newer) == merged
    assert merge(merged, merged) == merged
    assert check_data(json.loads(json.dumps(merged.to_dict()))) == merged


@given(DATA, DATA, DATA)
def test_the_order_of_merges_does_not_change_what_is_kept(a: ImportantData, b: ImportantData, c: ImportantData) -> None:
    left, right = merge(merge(a, b), c), merge(a, merge(b, c))
    assert kept(left) == kept(right)
    assert left.user_preferences == right.user_preferences
    for name in ("key_decisions", "important_facts", "source_urls", "entities"):
        assert getattr(left, name) == getattr(right, name)


@given(st.lists(DATA, max_size=6))
def test_all_at_once_are_as_one_after_the_other(records: list[ImportantData]) -> None:
    one_by_one, at_once = reduce(merge, records, ImportantData()), merge_all(records)
    assert kept(at_once) == kept(one_by_one)
    assert at_once.user_preferences == one_by_one.user_preferences
    for name in ("key_decisions", "important_facts", "source_urls", "entities"):
        assert getattr(at_once, name) == getattr(one_by_one, name)


def test_lists_compare_without_case_and_space_and_addresses_exactly() -> None:
    older = check_data({"entities": ["Ana  Lima"], "source_urls": ["https://a.org/B"]})
    merged = merge(older, check_data({"entities": ["ana lima", "Bob"], "source_urls": ["https://a.org/b"]}))
    assert merged.entities == ("Ana  Lima", "Bob")
    assert merged.source_urls == ("https://a.org/B", "https://a.org/b")


def test_nested_lists_merge_and_nested_values_have_their_history() -> None:
    older = check_data({"document_structure": {"sections": ["Intro"]}, "custom_fields": {"a": {"b": 1, "c": 2}}})
    newer = check_data({"document_structure": {"sections": ["intro", "End"]}, "custom_fields": {"a": {"b": True}}})
    merged = merge(older, newer)
    assert merged.document_structure == {"sections": ["Intro", "End"]}
    assert merged.custom_fields == {"a": {"b": True, "c": 2}}
    assert merged.history == {"custom_fields.a.b": [1]}


def test_what_is_current_is_no_history() -> None:
    data = check_data({"user_preferences": {"theme": "dark"}})
    assert merge(data, check_data({"history": {"user_preferences.theme": ["dark"]}})) == data
    gone = check_data({"history": {"custom_fields.a.b": ["x"]}})
    assert merge(data, gone).history == gone.history


def test_merging_leaves_its_parts_as_they_were() -> None:
    older = check_data({"custom_fields": {"k": {"l": ["a"]}}, "history": {"custom_fields.k": ["x"]}})
    before = json.dumps(older.to_dict())
    merge(older, check_data({"custom_fields": {"k": {"l": ["b"]}}, "history": {"custom_fields.k": ["y"]}}))
    assert json.dumps(older.to_dict()) == before


FULL = check_data(
    {
        "user_preferences": {"theme": "dark", "seats": "window"},
        "key_decisions": ["We use SQLite", "We ship in May"],
        "important_facts": ["X causes Y"],
        "source_urls": ["https://a.org", "https://b.org"],
        "document_structure": {"sections": ["Intro", "End"]},
        "entities": ["Ana", "Ana Lima", "Bob", "5 May"],
        "custom_fields": {"project": {"id": 7}},
        "history": {"user_preferences.theme": ["light"]},
    }
)


def test_the_most_valuable_entries_are_kept_in_their_places() -> None:
    assert cap(FULL, 0) == ImportantData() == cap(FULL, -1)
    assert cap(FULL, 1) == ImportantData(user_preferences={"seats": "window"})
    assert cap(FULL, 4).key_decisions == ("We ship in May",)
    assert cap(FULL, 8).source_urls == ("https://b.org",)
    assert cap(FULL, 11).entities == ("Ana Lima", "5 May")
    assert cap(FULL, 12).entities == ("Ana Lima", "Bob", "5 May")
    assert cap(FULL, 99).to_dict() == {name: value for name, value in FULL.to_dict().items() if name != "history"}


def test_an_allergy_is_never_too_old() -> None:
    data = extract([("user", "I'm allergic to penicillin."), ("user", "I like tea."), ("user", "I like cake.")])
    assert cap(data, 2).user_preferences == {"allergy to penicillin": "yes", "cake": "likes"}
    assert [value for _, _, value in lines(data)] == [0.9, 0.88, 0.9]


@given(DATA, st.integers(0, 12))
def test_a_cap_is_a_cap(data: ImportantData, items: int) -> None:
    capped = cap(data, items)
    sizes = [len(value) for value in capped.to_dict().values()]
    assert sum(sizes) == min(items, sum(map(len, data.to_dict().values())))
    assert cap(capped, items) == capped


def test_lines_for_a_prompt() -> None:
    found = lines(FULL)
    assert [line[:2] for line in found] == [
        ("preference", "theme: dark"),
        ("preference", "seats: window"),
        ("field", 'project: {"id": 7}'),
        ("decision", "We use SQLite"),
        ("decision", "We ship in May"),
        ("fact", "X causes Y"),
        ("structure", "sections: Intro, End"),
        ("source", "https://a.org"),
        ("source", "https://b.org"),
        ("entity", "Ana, Ana Lima, Bob, 5 May"),
    ]
    assert all(0 < value <= 1 for _, _, value in found)
    assert found[0][2] < found[1][2] == 0.9  # the newer is worth more


def test_a_line_is_one_line() -> None:
    data = check_data({"user_preferences": {"a\nb": "c\r\nd\u2028e"}, "entities": [f"Name {i}" for i in range(40)]})
    found = lines(data)
    assert found[0] == ("preference", "a b: c d e", 0.9)
    assert len(found) < 8
    assert all(len(text) <= 120 for _, text, _ in found)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "not an object"),
        ([], "not an object"),
        ({"preferences": {}}, "no preferences"),
        ({"user_preferences": []}, "user_preferences is a list"),
        ({"user_preferences": {"theme": 1}}, "user_preferences.theme is a int"),
        ({"user_preferences": {1: "dark"}}, "a key of user_preferences"),
        ({"entities": "Ana"}, "not a list"),
        ({"entities": ["Ana", None]}, r"entities\[1\] is None"),
        ({"entities": ["\ud800"]}, "broken Unicode"),
        ({"custom_fields": {"k": {1, 2}}}, "JSON cannot hold"),
        ({"custom_fields": {"k": float("nan")}}, "JSON cannot hold"),
        ({"custom_fields": {"k": {2: 3}}}, "a key of custom_fields.k"),
        ({"history": {"user_preferences.theme": "dark"}}, "earlier values"),
    ],
)
def test_wrong_data_are_refused_with_a_hint(value: object, words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        check_data(value)


def test_unknown_names_are_answered_with_the_known() -> None:
    with pytest.raises(InvalidInput, match=r"no theme\. Use user_preferences, key_decisions, .* custom_fields"):
        check_data({"theme": "dark"})


def test_what_is_nested_too_deep_is_refused() -> None:
    deep: list[Any] = []
    deep.append(deep)
    with pytest.raises(InvalidInput, match="nested deeper"):
        check_data({"custom_fields": {"k": deep}})


def test_checked_data_are_a_copy_without_blanks_and_repetitions() -> None:
    sections = ["A"]
    data = check_data({"document_structure": {"sections": sections}, "entities": [" Ana ", "", "ana"]})
    sections.append("B")
    assert data == ImportantData(document_structure={"sections": ["A"]}, entities=("Ana",))
    assert check_data(data) == data
