"""Episodes out of plain talk: which sentences tell of something, what a stretch amounts to, and the arc of a whole."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from episode_tools import SILENT, TELLING, chat, say
from hypothesis import given
from hypothesis import strategies as st

from onrecord.policy.episode_phrases import rules
from onrecord.policy.episode_weight import mood
from onrecord.policy.episodes import EpisodeDraft, moments, significant, thirds, told
from onrecord.records import EPISODE_KINDS, EPOCH, EpisodeKind, Message


def tell(*turns: str) -> EpisodeDraft:
    episode = told(say(*turns))
    assert episode is not None
    return episode


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in TELLING.items() for text in texts])
def test_t10_a_sentence_tells_of_its_kind(kind: EpisodeKind, text: str) -> None:
    episode = tell(text)
    assert episode.kind == kind
    assert [moment.kind for moment in episode.moments] == [kind]


@pytest.mark.parametrize("text", SILENT)
def test_t10_what_only_sounds_so_tells_nothing(text: str) -> None:
    assert moments(say(text)) == []
    assert told(say(text)) is None


@pytest.mark.parametrize(
    "text",
    [
        "You've decided on Flask, great choice!",
        "Once the issue is resolved, restart the server.",
        "1. Install it.\n2. We decided to use Redis.",
        "Let's go with the second option.",
        "The error is resolved by adding a return statement.",
    ],
)
def test_t10_advice_of_an_assistant_is_no_moment(text: str) -> None:
    assert moments(say("How do I do this?", text)) == []


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Found the bug: the cache key ignores the tenant.", "issue_found"),
        ("I fixed the failing login test by seeding the clock.", "problem_solved"),
        ("I've deployed the fix to production.", "task_completed"),
        ("Turns out the worker never closed its connection.", "breakthrough"),
    ],
)
def test_t10_an_assistant_tells_what_it_did_itself(text: str, kind: EpisodeKind) -> None:
    assert [(moment.kind, moment.seq) for moment in moments(say("Please look into it.", text))] == [(kind, 2)]


def test_t10_tools_systems_and_the_forgotten_tell_nothing() -> None:
    text = "We decided to use PostgreSQL for the journal."
    quiet = [
        Message(session="s", seq=1, id="1", role="system", text=text),
        Message(session="s", seq=2, id="2", role="tool", text=text),
        Message(session="s", seq=3, id="3", role="user", text=text).tombstone(EPOCH),
    ]
    assert moments(quiet) == []
    assert told([]) is None


def test_t10_an_issue_and_its_solution_are_one_story() -> None:
    episode = tell(
        "The nightly import crashed with a timeout.",
        "Which query is slow?",
        "The one on the orders.",
        "An index on the date could help.",
        "That did the trick, it works now!",
        "Great to hear!",
    )
    assert episode.kind == "problem_solved"
    assert episode.context == "The nightly import crashed with a timeout"
    assert episode.outcome == "That did the trick, it works now"
    assert episode.title == "Solved: the nightly import crashed with a timeout"
    assert (episode.first, episode.last) == (1, 6)
    assert [moment.kind for moment in episode.moments] == ["issue_found", "problem_solved"]
    assert episode.moments[0].valence < 0 < episode.moments[1].valence


def test_t10_a_solution_of_something_else_is_another_story() -> None:
    episode = tell(
        "I lost my job at the bank yesterday.", "Oh no, sorry to hear that.", "We got rid of the fence posts."
    )
    assert episode.kind == "issue_found"
    assert episode.title == "Problem: lost my job at the bank yesterday"


def test_t10_the_weightiest_moment_gives_the_kind() -> None:
    episode = tell(
        "I finished the puzzle with the cat on it.",
        "Nice!",
        "And we decided to sell the company to Nordwind for $2 million because of my health.",
    )
    assert episode.kind == "decision"
    assert len(episode.moments) == 2
    assert episode.significance == max(moment.significance for moment in episode.moments)


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("We decided to use PostgreSQL for the journal.", "Decided: PostgreSQL for the journal"),
        ("We decided against the loan.", "Decided against the loan"),
        ("Well, I decided not to renew the contract, because it costs too much.", "Decided not to renew the contract"),
        ("We finally shipped version 2.0 today!", "Shipped version 2.0 today"),
        ("What a week - my car broke down on the motorway.", "Problem: my car broke down on the motorway"),
        ("I'm getting an ImportError when the worker starts.", "Problem: ImportError when the worker starts"),
        ("Tom and I got engaged on Saturday!", "Tom and I got engaged on Saturday"),
    ],
)
def test_t10_titles_are_the_gist(text: str, title: str) -> None:
    assert tell(text).title == title


def test_t10_a_long_sentence_makes_a_short_title() -> None:
    episode = tell(
        "We decided to move the entire reporting stack of the northern region onto one cluster in Oslo next spring."
    )
    assert len(episode.title) <= 60
    assert episode.title.startswith("Decided: move the entire reporting stack")
    assert episode.title.endswith("…")
    assert "in Oslo next spring" in episode.outcome


def test_t10_the_context_is_what_was_talked_about_before() -> None:
    episode = tell(
        "Hi there!",
        "Hello, how can I help?",
        "Which database suits the journal best?",
        "It depends on how many writers you have.",
        "We decided to use PostgreSQL for the journal.",
    )
    assert episode.context == "Which database suits the journal best?"
    assert (episode.first, episode.last) == (3, 5)


def test_t10_participants_are_speakers_and_people_named() -> None:
    episode = told(
        chat(
            ("Noor", "My sister Ana got the job at the museum in Turin!"),
            ("Piet", "Wow, congratulations to her! Dr. Weber will be pleased."),
            ("Noor", "Thanks, Piet!"),
        )
    )
    assert episode is not None
    assert episode.participants == ("Noor", "Ana", "Piet", "Dr. Weber")
    assert tell("We decided to sell the house.", "A big step.").participants == ("user", "assistant")


def test_t10_no_more_than_eight_participants() -> None:
    names = ("Ada", "Bea", "Cid", "Dov", "Eva", "Fin", "Gus", "Hal", "Ivo", "Jon")
    episode = told(chat(*((name, f"{name} here: we decided to sell the house.") for name in names)))
    assert episode is not None
    assert episode.participants == names[:8]


@pytest.mark.parametrize(
    "text",
    [
        "We decided to use PostgreSQL for the journal.",
        "We settled on 14 June for the wedding.",
        "The board agreed on a budget of $40,000 for the clinic.",
        "I decided to take the job in Rotterdam.",
        "We've decided to postpone the release to 3 March.",
    ],
)
def test_t11_decisions_that_matter_are_significant(text: str) -> None:
    assert tell(text).significance >= 0.7


@pytest.mark.parametrize(
    "text",
    [
        "Let's take the blue pen.",
        "I decided to wear the green socks.",
        "We chose the corner table.",
        "We decided to have pizza tonight.",
        "I just finished the second season of that show.",
    ],
)
def test_t10_trifles_stay_low(text: str) -> None:
    assert all(moment.significance < 0.5 for moment in moments(say(text)))


def test_t10_what_others_take_up_weighs_more() -> None:
    text = "I passed the bar exam!"
    alone = tell(text, "The weather is grey.").significance
    assert tell(text, "Congratulations, that's huge!").significance > alone


def test_t10_what_is_talked_about_weighs_more() -> None:
    text = "We decided to sell the house in Ghent."
    alone = tell(text, "I see.").significance
    assert tell("The house is too big.", "How many rooms?", text, "Houses in Ghent sell fast.").significance > alone


def test_t10_moods_know_negation_and_degree() -> None:
    assert mood("I am happy") > 0 > mood("I am not happy")
    assert mood("I am very happy") > mood("I am happy") > mood("I am a bit happy")
    assert mood("this is terrible") < mood("this is bad") < 0
    assert mood("the table has four legs") == 0


def test_t10_valence_follows_what_happened() -> None:
    assert tell("My grandmother passed away on Sunday.").valence < -0.3
    assert tell("I passed the bar exam, I'm so happy!").valence > 0.3


@given(st.lists(st.sampled_from([text for texts in TELLING.values() for text in texts] + list(SILENT)), max_size=12))
def test_t10_every_figure_stays_in_its_range(turns: list[str]) -> None:
    messages = say(*turns, first=7)
    found = moments(messages)
    assert all(0 <= one.significance <= 1 and -1 <= one.valence <= 1 for one in found)
    assert [one.seq for one in found] == sorted(one.seq for one in found)
    episode = told(messages)
    if episode is not None:
        assert 7 <= episode.first <= episode.moments[0].seq <= episode.moments[-1].seq <= episode.last < 7 + len(turns)
        assert episode.title
        assert len(episode.title) <= 60
        assert "\n" not in episode.title + episode.context + episode.outcome
        assert told(messages) == episode


@pytest.mark.parametrize(
    "unit", ["decided ", '"', "I fixed the bug. ", "- we decided to\n", "```\n", "(", "İ decided "]
)
def test_t10_hostile_texts_are_read_in_bounds(unit: str) -> None:
    found = moments(say(unit * (100_000 // len(unit))))
    assert len(found) <= 6
    assert all(len(one.text) <= 400 for one in found)


def test_t10_every_kind_has_rules_and_every_rule_its_hints() -> None:
    assert {rule.kind for rule in rules()} == set(EPISODE_KINDS)
    assert all(rule.hints for rule in rules())


@pytest.mark.parametrize(
    ("last", "parts"),
    [
        (0, ((1, 0), (1, 0), (1, 0))),
        (1, ((1, 1), (2, 1), (2, 1))),
        (2, ((1, 1), (2, 2), (3, 2))),
        (3, ((1, 1), (2, 2), (3, 3))),
        (10, ((1, 4), (5, 7), (8, 10))),
        (300, ((1, 100), (101, 200), (201, 300))),
    ],
)
def test_t11_thirds_of_a_conversation(last: int, parts: tuple[tuple[int, int], ...]) -> None:
    assert thirds(last) == parts


@given(st.integers(min_value=0, max_value=10_000))
def test_t11_thirds_tile_the_whole(last: int) -> None:
    numbers = [number for low, high in thirds(last) for number in range(low, high + 1)]
    assert numbers == list(range(1, last + 1))


class Part(NamedTuple):
    first: int
    significance: float


def test_t11_the_arc_shows_what_weighs_in_order() -> None:
    parts = [Part(9, 0.9), Part(1, 0.69), Part(4, 0.7)]
    assert significant(parts) == [Part(4, 0.7), Part(9, 0.9)]
    assert significant(parts, least=0.8) == [Part(9, 0.9)]
