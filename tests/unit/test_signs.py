"""Numbers, names, dates, addresses and decisions in a text."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.signs import dates, decides, names, numbers, urls


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nothing to count.", ()),
        ("It costs $1,200.50, or 20% less for 3 tickets.", ("$1,200.50", "20%", "3 tickets")),
        ("15 kg, 3.5GB, 5 million dollars, 20 €", ("15 kg", "3.5GB", "5 million dollars", "20 €")),
        ("At 18:30 on the 5th, version 2.3.1.", ("18:30", "5th", "2.3.1")),
        ("See https://x.org/12/34 for 7 more.", ("7",)),
    ],
)
def test_numbers(text: str, expected: tuple[str, ...]) -> None:
    assert numbers(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We fly to Lisbon with Ana Silva.", ("Lisbon", "Ana Silva")),
        ("Dr. Smith met John's boss at the Bank of America.", ("Dr. Smith", "John", "Bank of America")),
        ("The White House. Hey Jimmy. Thanks, NASA!", ("White House", "Jimmy", "NASA")),
        ("Ana said yes. Dinner is ready. Hiking is fun.", ("Ana",)),
        ("OK, I'm off on Monday in May. I think so.", ()),
        ("THIS IS SHOUTING", ()),
        ("Ça va avec Élodie? Я вижу Анну.", ("Élodie", "Анну")),
        ("we met at the river", ()),
    ],
)
def test_names(text: str, expected: tuple[str, ...]) -> None:
    assert names(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("On 5 May at 18:30.", ("5 May", "18:30")),
        ("May 5th, 2023 at 10am; May I come? We met in May.", ("May 5th, 2023", "10am", "May")),
        ("2023-05-08, 12/05/2023 and 8.5.2023", ("2023-05-08", "12/05/2023", "8.5.2023")),
        ("Tomorrow morning, next Friday or in two weeks", ("Tomorrow morning", "next Friday", "in two weeks")),
        ("3 days ago, a few weeks later, on Sundays", ("3 days ago", "a few weeks later", "Sundays")),
        ("6 o'clock in 2019", ("6 o'clock", "2019")),
        ("5月5日に会う", ("5月5日",)),
        ("el 5 de mayo de 2024", ("5 de mayo de 2024",)),
        ("We march in a room with 12 people.", ()),
    ],
)
def test_dates(text: str, expected: tuple[str, ...]) -> None:
    assert dates(text) == expected


def test_urls() -> None:
    assert urls("See https://x.org/a?b=1, www.y.pt. Mail ana@b.pt!") == ("https://x.org/a?b=1", "www.y.pt", "ana@b.pt")
    assert urls("Nothing @ here") == ()


@pytest.mark.parametrize(
    "sentence",
    [
        "We decided to use Postgres.",
        "We have decided not to go.",
        "Let's meet at 3.",
        "We'll go with plan B.",
        "I’ll send it tomorrow.",
        "I think we agreed on red.",
        "Ok, deal.",
        "I booked the hotel.",
        "We are going to move in June.",
    ],
)
def test_decisions(sentence: str) -> None:
    assert decides(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we go with A?",
        "Let's see.",
        "Let's walk through the steps.",
        "If it rains, we'll stay.",
        "Maybe I'll come.",
        "I haven't decided yet.",
        "It is raining.",
        "I wonder whether they agreed.",
    ],
)
def test_no_decisions(sentence: str) -> None:
    assert not decides(sentence)


@pytest.mark.parametrize("mentions", [numbers, names, dates, urls])
@given(st.text(alphabet=st.one_of(st.sampled_from(" .,:/-@$%'12aAnMay\n"), st.characters()), max_size=150))
def test_mentions_stand_in_the_text_in_order(mentions: Callable[[str], tuple[str, ...]], text: str) -> None:
    at = 0
    for mention in mentions(text):
        assert mention
        at = text.index(mention, at)


@pytest.mark.parametrize(
    "text",
    [
        "1" * 200_000,
        "A " * 100_000,
        "1." * 100_000,
        "a@" * 50_000,
        "\ud800 A 1" * 99,
        " " * 200_000 + "A",
        "if " * 50_000,
    ],
)
def test_hostile_texts(text: str) -> None:
    for sign in (numbers, names, dates, urls, decides):
        sign(text)
