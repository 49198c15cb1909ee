"""Facts by rules: what a message states, what it does not, and that the same said otherwise is about the same."""

from datetime import UTC, datetime

import pytest

from onrecord import Memory
from onrecord.context.text import CLOSE, OPEN
from onrecord.policy.fact_rules import Statement, claims, tells
from onrecord.records import FACT_KINDS

NOW = datetime(2024, 6, 5, 12, tzinfo=UTC)  # a Wednesday


def said(text: str, name: str | None = None) -> list[Statement]:
    return claims(text, role="user", name=name, time=NOW)


STATED = {
    "I live in Porto.": ("fact", "user", "home", "Porto"),
    "I've moved to Porto.": ("fact", "user", "home", "Porto"),
    "I work as a nurse.": ("fact", "user", "job", "nurse"),
    "I'm 34 years old.": ("fact", "user", "age", "34"),
    "My sister Dana lives in Oslo.": ("fact", "Dana", "home", "Oslo"),
    "I'm allergic to peanuts.": ("constraint", "user", "allergy to peanut", "yes"),
    "I have a peanut allergy.": ("constraint", "user", "allergy to peanut", "yes"),
    "I prefer dark mode.": ("preference", "user", "theme", "dark"),
    "My wife loves tulips.": ("preference", "user's wife", "tulips", "likes"),
    "We prefer tabs over spaces.": ("preference", "we", "spaces or tabs", "tabs"),
    "Always cite sources when I ask about medicine.": (
        "constraint",
        "user",
        "sources",
        "always, when I ask about medicine",
    ),
    "Our budget is 4,000 euros.": ("constraint", "we", "budget", "4,000 euros"),
    "We decided to use Postgres.": ("decision", "we", "database", "PostgreSQL"),
    "We'll go with Stripe for payments.": ("decision", "we", "payments", "Stripe"),
    "To deploy, run the release script and tag the commit.": (
        "procedure",
        "deploy",
        "procedure",
        "run the release script and tag the commit",
    ),
    "Lena is our accountant.": ("entity", "Lena", "role", "accountant"),
    "My goal is to run a marathon by October.": ("goal", "user", "run a marathon", "by October"),
}


@pytest.mark.parametrize(("text", "parts"), STATED.items())
def test_a_statement_has_kind_subject_attribute_and_value(text: str, parts: tuple[str, str, str, str]) -> None:
    assert parts in [(one.kind, one.subject, one.attribute, one.value) for one in said(text)]
    assert len(said(text)) <= 1 + ("Dana" in text)


@pytest.mark.parametrize(
    "text",
    [
        "Where do you live?",
        "If I lived in Paris I would eat croissants every day.",
        "Suppose we decided to sell everything.",
        'My teacher said "always cite your sources".',
        "> I live in Porto.",
        "```\nname = 'I live in Porto'\n```",
        "Translate this: I live in Porto.",
        "I'd like to book a table for four tonight.",
        "I need to print this before the meeting.",
        "Thank you, that is exactly what I wanted.",
        "It must be about ten o'clock.",
        "It must have been amazing!",
        "I can't wait for the weekend.",
        "Let's talk tomorrow.",
        "We haven't decided anything yet.",
        "Maybe we should use MongoDB.",
        "My coffee is cold.",
        "I'll send you the file in a minute.",
        "In the film they agree to split the gold.",
        "Many people aim for ten thousand steps a day.",
        "2024-05-01 12:00 ERROR the limit must not exceed 5",
    ],
)
def test_questions_guesses_code_and_wishes_of_the_moment_are_no_facts(text: str) -> None:
    assert said(text) == []


def test_a_sentence_may_state_several() -> None:
    found = said("I'm a nurse and live in Porto.")
    assert {(one.attribute, one.value) for one in found} == {("job", "nurse"), ("home", "Porto")}


def test_the_request_behind_a_statement_is_cut_off() -> None:
    (one,) = said("Hi there! I live in Porto, so can you suggest a museum?")
    assert one.text == "I live in Porto"


def test_a_later_value_is_about_the_same() -> None:
    first, second = said("We decided to use MySQL."), said("We're switching to PostgreSQL.")
    assert (first[0].subject, first[0].attribute) == (second[0].subject, second[0].attribute)


def test_times_of_validity_are_resolved() -> None:
    assert said("I've been living in Lisbon since 2019.")[0].since == datetime(2019, 1, 1, tzinfo=UTC)
    until = said("I avoid sugar until Friday.")[0].until
    assert until is not None
    assert NOW < until <= datetime(2024, 6, 8, tzinfo=UTC)


def test_what_is_hedged_is_less_sure_and_what_is_lasting_more() -> None:
    assert said("I think we decided to use Postgres.")[0].confidence == 0.5
    assert said("We decided to use Postgres.")[0].confidence == 0.8
    assert said("I'm allergic to penicillin.")[0].confidence == 0.9


def test_only_people_state_facts() -> None:
    text = "I live in Porto."
    assert claims(text, role="assistant", name=None, time=NOW) == []
    assert claims(text, role="assistant", name="Assistant", time=NOW) == []
    assert claims(text, role="tool", name="x", time=NOW) == []
    assert claims(text, role="system", name=None, time=NOW) == []
    assert claims(text, role="assistant", name="Maria", time=NOW)[0].subject == "Maria"
    assert said(text, "Maria")[0].subject == "Maria"


def test_remembered_text_is_never_extracted_again() -> None:
    block = f"{OPEN}\nI live in Porto.\n{CLOSE}"
    assert said(f"{block}\nWhat must the doctor know?") == []
    assert [one.value for one in said(f"{block}\nI live in Oslo.")] == ["Oslo"]
    assert said(f"{OPEN}\nI live in Porto.") == []


def test_material_that_is_handed_over_states_nothing() -> None:
    assert said("Here is my draft:\nI live in Porto. I work as a nurse.") == []
    assert said("Dear Sir,\nI live in Porto.") == []


def test_the_first_look_never_hides_a_statement() -> None:
    assert all(tells("user", text) for text in STATED)
    assert not tells("tool", "I live in Porto.")
    assert not tells("user", "Hello there")


def test_a_text_is_short_and_a_kind_is_known() -> None:
    long = "I live in Porto, " + "where the river is wide and the bridges are high, " * 10 + "and I work as a nurse."
    for one in said(long):
        assert len(one.text) <= 301
        assert one.kind in FACT_KINDS


def about(text: str) -> set[tuple[str, str]]:
    return {(one.subject, one.attribute) for one in said(text)}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The release is on 5 May.", "The release moved to 12 May."),
        ("The release is on 5 May.", "We pushed the release to 12 May."),
        ("The budget is 3,000 euros.", "The budget is now 4,000 euros."),
        ("Our budget is 3,000 euros.", "The budget is now 4,000 euros."),
        ("We use SQLite for the journal.", "We decided to use PostgreSQL for the journal."),
        ("We decided to use SQLite for the journal.", "We switched the journal to PostgreSQL."),
        ("We use SQLite for the journal.", "We switched to PostgreSQL for the journal."),
        ("My deadline for the report is Friday.", "My deadline for the report is now Monday."),
        ("I'm 34 years old.", "I turned 35."),
        ("I work at Initech.", "I joined Hooli."),
        ("I joined Hooli.", "I left Hooli for Pied Piper."),
        ("Dana is our designer.", "Dana is no longer our designer."),
        ("I live in Lisbon.", "I moved to Porto in March."),
    ],
)
def test_what_is_said_anew_is_about_the_same(before: str, after: str) -> None:
    (first,), (second,) = said(before), said(after)
    assert (first.subject, first.attribute) == (second.subject, second.attribute) != ("", "")
    assert first.attribute
    assert first.value != second.value


def test_each_claim_of_a_sentence_has_its_own_clause() -> None:
    found = said("My name is Ana, I live in Lisbon and we switched to PostgreSQL for the journal.")
    assert [(one.attribute, one.value, one.text) for one in found] == [
        ("name", "Ana", "My name is Ana"),
        ("home", "Lisbon", "I live in Lisbon"),
        ("journal", "PostgreSQL", "We switched to PostgreSQL for the journal"),
    ]
    assert [one.text for one in said("I'm a nurse and live in Porto.")] == ["I'm a nurse", "I live in Porto"]


def test_a_value_has_no_time_and_no_role_behind_it() -> None:
    (moved,) = said("I moved to Porto in March.")
    assert (moved.value, moved.since) == ("Porto", datetime(2024, 3, 1, tzinfo=UTC))
    found = {one.attribute: one.value for one in said("I work at Acme as a designer.")}
    assert found == {"employer": "Acme", "job": "designer"}


@pytest.mark.parametrize(
    "text",
    [
        "Bruno repairs the boiler in Porto.",
        "Carla sells the wardrobe in Berlin.",
        "Tom went home early.",
        "My brother mends the fence.",
        "Let's keep helping each other.",
        "I gave up on that puzzle after an hour.",
        "We went with Sheila to the cinema.",
        "The bus is packed with people.",
        "I was working on the car.",
    ],
)
def test_passing_events_are_no_lasting_facts(text: str) -> None:
    assert said(text) == []


def test_a_named_person_needs_a_state_or_a_habit() -> None:
    assert about("Bruno lives in Porto.") == {("Bruno", "home")}
    assert [one.kind for one in said("Rafael collects typewriters.")] == ["fact"]


@pytest.mark.parametrize(
    "text", ["Always answer in metric units when I ask about distances.", "Don't schedule anything before nine."]
)
def test_an_order_is_one_claim(text: str) -> None:
    (one,) = said(text)
    assert (one.kind, one.tags) == ("constraint", ("standing",))


def test_an_allergy_is_never_lost_beside_something_else() -> None:
    found = {(one.kind, one.attribute) for one in said("I'm vegan and allergic to nuts.")}
    assert found == {("preference", "diet"), ("constraint", "allergy to nut")}


def test_an_attribute_is_short_and_a_file_name_stays_whole() -> None:
    (one,) = said("I want to refactor the models.py and security.py modules by June.")
    assert (one.kind, one.value) == ("goal", "by June")
    assert one.attribute == "refactor the models.py and security.py"


@pytest.mark.parametrize(
    "piece", ["I ", "my my ", "we will ", "I live in a ", "the A B C is ", "'", "a, ", "(", "I'm not ", "every ", "A"]
)
def test_hostile_texts_are_read_to_their_end(piece: str) -> None:
    text = piece * 5_000
    assert isinstance(said(text), list)
    assert said(f"{text[:500]}.\nI live in Porto.")[-1].value == "Porto"


def active(*texts: str) -> set[tuple[str, str, str]]:
    """What holds in the end, of what was said one after the other."""
    with Memory(":memory:", summarize="inline", embedder="none") as memory:
        for text in texts:
            memory.session("s").add("user", text)
        return {(one.subject, one.attribute, one.value) for one in memory.facts(status="active")}


FOLLOWED = [
    ("The launch is on 1 October.", "The launch has been moved to October 15.", ("launch", "date", "October 15")),
    ("The trip is on 3 May.", "The trip was moved to 10 May.", ("trip", "date", "10 May")),
    ("The meeting is on Friday.", "The meeting was brought forward to Monday.", ("meeting", "date", "Monday")),
    ("The launch is on 1 October.", "Stefan wants the launch moved to June.", ("launch", "date", "1 October")),
    ("The deadline is 3 April.", "The new deadline is 24 April.", ("we", "deadline", "24 April")),
    ("The deadline is 3 April.", "The deadline was pushed to 24 April.", ("we", "deadline", "24 April")),
    ("The launch date is 5 May.", "We moved the launch to 8 May.", ("launch", "date", "8 May")),
    ("My email is a@b.org.", "My new email is c@d.org.", ("user", "email", "c@d.org")),
    ("I live in Oslo.", "I live in Porto now.", ("user", "home", "Porto")),
    ("I live in Oslo.", "We moved to Bergen last week.", ("user", "home", "Bergen")),
    ("I work at Initech.", "I work at Globex now.", ("user", "employer", "Globex")),
    ("I work at Acme.", "I quit my job at Acme.", ("user", "employer", "not Acme")),
    ("We use Stripe for payments.", "We no longer use Stripe, we use Adyen for payments.", ("we", "payments", "Adyen")),
    ("We use Redis for caching.", "We stopped using Redis for caching.", ("we", "caching", "not Redis")),
    ("We use Jenkins.", "We replaced Jenkins with Forgejo Actions.", ("we", "ci", "Forgejo Actions")),
    ("We use Python 3.11.", "We upgraded to Python 3.13.", ("we", "programming language", "Python 3.13")),
    ("I'm allergic to nuts.", "Turns out I'm not allergic to nuts.", ("user", "allergy to nut", "no")),
    ("I'm vegetarian.", "I don't eat vegetarian anymore, I eat fish now.", ("user", "diet", "not vegetarian")),
    ("Karl is my boss.", "Karl isn't my boss anymore.", ("user", "boss", "not Karl")),
    ("My boss is Karl.", "Petra is my new boss.", ("user", "boss", "Petra")),
    ("I drive a Volvo.", "I sold the Volvo and bought a Tesla.", ("user", "car", "Tesla")),
    ("I'm 34 years old.", "I turned 35 today.", ("user", "age", "35")),
    ("Our budget is 8000.", "The budget was cut to 6000.", ("we", "budget", "6000")),
    ("My favourite colour is red.", "My favorite color is blue.", ("user", "favorite color", "blue")),
    ("Never use emojis.", "You can use emojis again.", ("user", "emojis", "withdrawn")),
    (
        "Always answer in bullet points.",
        "No need to use bullet points anymore.",
        ("user", "bullet points", "withdrawn"),
    ),
    ("Always answer in bullet points.", "Don't use bullet points anymore.", ("user", "bullet points", "withdrawn")),
    ("Please keep your answers short.", "Stop keeping your answers short.", ("user", "answers", "withdrawn")),
    ("Keep replies brief.", "Forget what I said about short answers.", ("user", "answers", "withdrawn")),
]


@pytest.mark.parametrize(("first", "then", "holds"), FOLLOWED)
def test_what_is_said_then_takes_the_place_of_what_was_said_first(
    first: str, then: str, holds: tuple[str, str, str]
) -> None:
    assert active(first, then) == {holds}


def test_a_pet_that_died_is_none_any_more() -> None:
    found = active("My cat is called Milo.", "I have a dog named Rex.", "My cat Milo died.")
    assert ("user", "cat", "Milo") not in found
    assert {("user", "cat", "died"), ("user", "dog rex", "yes")} <= found


def test_a_date_that_is_set_is_no_beginning() -> None:
    for text in ("The launch has been moved to October 15.", "The trip was moved to 10 May.", "The wedding is in May."):
        assert [(one.attribute, one.since) for one in said(text)] == [("date", None)]
    (moving,) = said("I'm moving to Berlin next month.")
    assert (moving.value, moving.since) == ("Berlin", datetime(2024, 7, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("text", "parts", "tags"),
    [
        ("I'm diabetic.", ("constraint", "diabetes", "yes"), ("health",)),
        ("I'm colour-blind.", ("constraint", "color-blind", "yes"), ("health",)),
        ("I'm vegetarian.", ("preference", "diet", "vegetarian"), ()),
        ("I'm Priya.", ("fact", "name", "Priya"), ()),
        ("Hi, I'm Tom.", ("fact", "name", "Tom"), ()),
        ("I can't eat gluten.", ("constraint", "gluten", "cannot"), ("health",)),
        ("I take metformin every morning.", ("fact", "takes metformin", "yes"), ("health",)),
        ("We've decided to go with Postgres.", ("decision", "database", "PostgreSQL"), ()),
        ("We use MySQL for the database.", ("fact", "database", "MySQL"), ()),
        ("The door code is 1234.", ("fact", "door code", "1234"), ()),
        (
            "Always give departure times in the 24-hour format.",
            ("constraint", "departure times", "in the 24-hour format"),
            ("standing",),
        ),
        ("I prefer raw SQL over ORMs btw.", ("preference", "orms or raw sql", "raw SQL"), ()),
        ("We're building an invoicing service called Ledgerly.", ("goal", "", ""), ()),
    ],
)
def test_plain_statements_are_found(text: str, parts: tuple[str, str, str], tags: tuple[str, ...]) -> None:
    (one,) = said(text)
    assert ((one.kind, one.attribute, one.value), one.tags) == (parts, tags)


def test_what_is_to_be_remembered_is_always_kept() -> None:
    (one,) = said("Please remember: the spare key is under the mat.")
    assert (one.kind, one.text, one.confidence) == ("fact", "The spare key is under the mat.", 0.9)
    (other,) = said("Don't forget that I live in Porto.")
    assert (other.attribute, other.value, other.confidence) == ("home", "Porto", 0.9)
    assert said("Remember to buy milk.") == []


def test_claims_that_share_a_clause_read_alone() -> None:
    found = said("I'm a backend engineer at Northwind in Berlin.")
    assert [(one.attribute, one.value, one.text) for one in found] == [
        ("job", "backend engineer", "I'm a backend engineer"),
        ("employer", "Northwind", "I work at Northwind"),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I'm going to grab lunch.",
        "I love it.",
        "I'm Happy.",
        "I'm back!",
        "I might quit my job at Acme.",
        "If I quit my job at Acme I would travel.",
        "You can use the car again.",
        "Never give up!",
        "My password is too short.",
        "My password is hunter2.",
        "The alarm code is 1234.",
        "Remember that my API key is 7f3a9c2e5b8d1f4a.",
        "We don't use Redis.",
    ],
)
def test_small_talk_and_what_may_be_change_nothing(text: str) -> None:
    assert said(text) == []
