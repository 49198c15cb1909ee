"""What our own profile asks for, b01 to b05: prompts hold only what belongs, and say how likely it is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from statistics import mean

import pytest

from benchmarks.prompts import calibration_error
from benchmarks.recall import Prompt
from benchmarks.recall_data import Turn, requests
from onrecord import Context, Memory
from onrecord.records import Candidate, Role
from training.talks import Talk, read_written
from training.unseen import UNSEEN

TALKS = 12
SILENT = [
    "Good morning!",
    "hi",
    "Thanks a lot, that helps.",
    "Write a haiku about autumn leaves",
    "And a happy new year!",
]
UNKNOWN = ["When did I sell my sailing boat?", "Which gym do I go to?", "Which zeppelin did I fly?"]
SAID: list[tuple[Role, str]] = [
    ("user", "My dog is called Rex and he is 4."),
    ("assistant", "What a nice name!"),
    ("user", "My sister Ana lives in Porto, she is a nurse."),
    ("assistant", "Lovely city. Does she like it there?"),
    ("user", "We repaired the boiler on Monday, it cost 240 euros."),
    ("assistant", "Good that it works again."),
]


@dataclass(frozen=True)
class House:
    """Written talks with an assistant, each a conversation of one space, found by meaning."""

    memory: Memory
    talks: list[Talk]

    def asked(self) -> Iterator[tuple[int, Talk, str, tuple[int, ...]]]:
        for number, talk in enumerate(self.talks):
            for question in talk.questions:
                yield number, talk, question.text, question.gold


@pytest.fixture(scope="module")
def house() -> Iterator[House]:
    talks = list(read_written(UNSEEN))[:TALKS]
    with Memory(":memory:", embedder="local", summarize="manual", durability="process") as memory:
        for number, talk in enumerate(talks):
            roles: list[Role] = ["assistant" if turn.speaker == "assistant" else "user" for turn in talk.turns]
            messages = zip(roles, (turn.text for turn in talk.turns), strict=True)
            memory.session(f"talk-{number}").add_many(messages)
        memory.rebuild(vectors=True)
        yield House(memory, talks)


def recalled(context: Context) -> list[Candidate]:
    return [line for line in context.manifest if line.section == "recalled" and line.included]


pytestmark = pytest.mark.embedded  # searches do not depend on the store; b02 asks both


# b01


@pytest.mark.parametrize("text", SILENT)
def test_b01_a_greeting_thanks_or_a_task_recalls_nothing(house: House, text: str) -> None:
    context = house.memory.session("new").context(text)
    assert recalled(context) == []
    assert context.confidence is not None
    assert context.confidence < 0.35
    assert context.tokens < 200  # and no facts of others' talks fill it


def test_b01_nearly_all_talk_that_asks_for_nothing_recalls_nothing(house: House) -> None:
    chat = house.memory.session("new")
    lines = [len(recalled(chat.context(request.text))) for request in requests("test", asks=False)]
    # `python -m benchmarks prompts` measures it over real conversations. Here are more tasks like those of the talks.
    assert mean(count == 0 for count in lines) >= 0.92


def test_b01_by_words_alone_too() -> None:
    with Memory(":memory:", embedder="none") as memory:
        memory.session("a").add_many(SAID)
        for text in SILENT:
            assert recalled(memory.session("b").context(text)) == [], text
        assert recalled(memory.session("b").context("Where does my sister Ana live?"))


# b02


def test_b02_every_hit_has_a_probability_and_every_search_a_confidence(house: House) -> None:
    hits = house.memory.search("Which rate does the hardship bonus have?")
    assert hits.confidence is not None
    assert 0.5 < hits.confidence <= 1
    assert all(hit.probability is not None and 0 <= hit.probability <= hits.confidence for hit in hits)
    assert hits[0].probability == max(hit.probability or 0 for hit in hits)
    nonsense = house.memory.search("Which zeppelin did Ottilie fly over Greenland?")
    assert (nonsense.confidence or 0) < 0.3
    assert nonsense.irrelevant
    tiered = Memory(":memory:", profile="tiered")
    tiered.session("s").add("user", "My kayak is red")
    assert tiered.search("kayak").confidence is None  # its ranking knows no probability
    tiered.close()


def test_b02_probabilities_hold(house: House) -> None:
    chances: list[float] = []
    true: list[bool] = []
    for number, _, question, gold in house.asked():
        for hit in house.memory.search(question, limit=10):
            chances.append(hit.probability or 0)
            true.append(hit.session == f"talk-{number}" and hit.seq - 1 in gold)
    assert calibration_error(chances, true) <= 0.05


# b03


@pytest.mark.parametrize("text", UNKNOWN)
def test_b03_when_memory_has_nothing_the_prompt_says_so(text: str) -> None:
    with Memory(":memory:", embedder="local") as memory:
        memory.session("a").add_many(SAID)
        context = memory.session("new").context(text)
        assert not recalled(memory.session("new").context("Who was Napoleon's wife?"))  # that is no question about us
        assert "Rex" in str(memory.session("new").context("What is my dog's name?"))
    (line,) = recalled(context)
    assert (line.kind, line.text) == ("note", "Nothing about this was found in what is remembered.")
    assert "- Nothing about this was found in what is remembered." in str(context)
    assert context.confidence is not None
    assert context.confidence < 0.3


def test_b03_it_is_an_option_and_a_greeting_gets_none(house: House) -> None:
    options = {"recalled_nothing": False}
    with Memory(":memory:", embedder="none", options=options) as memory:
        memory.session("a").add_many(SAID)
        assert recalled(memory.session("b").context(UNKNOWN[0])) == []
    asks_nothing = requests("test", asks=False)
    chat = house.memory.session("new")
    told = [line for request in asks_nothing for line in recalled(chat.context(request.text)) if line.kind == "note"]
    assert len(told) <= 0.03 * len(asks_nothing)


# b04


def test_b04_a_prompt_takes_what_is_probable_and_stops(house: House) -> None:
    chat = house.memory.session("new")
    shares, spent = [], []
    for _, talk, question, gold in house.asked():
        context = chat.context(question, tokens=4_000)
        prompt = Prompt(str(context), question)
        held = [prompt.holds(Turn("", talk.turns[at].speaker, talk.turns[at].text)) for at in gold]
        shares.append(mean(held))
        spent.append(sum(line.tokens for line in recalled(context)))
        likely = [line for line in recalled(context) if line.kind == "message"]
        assert all(line.reason.startswith("about the question") for line in likely)
    assert mean(shares) >= 0.8
    assert mean(spent) <= 1_600  # of 4,000


def test_b04_the_manifest_says_what_was_too_unlikely(house: House) -> None:
    context = house.memory.session("new").context("Which rate does the hardship bonus have?", tokens=8_000)
    out = [line for line in context.manifest if line.section == "recalled" and not line.included]
    assert out
    assert any(re.fullmatch(r"too unlikely \(\.\d\d\)", line.reason) for line in out)


# b05


def test_b05_what_the_assistant_answered_is_found_as_well_as_what_the_user_said(house: House) -> None:
    places: dict[str, list[bool]] = {"user": [], "assistant": []}
    for number, talk, question, gold in house.asked():
        speakers = {talk.turns[at].speaker for at in gold}
        if len(speakers) == 1:
            hits = house.memory.search(question, limit=3)
            found = any(hit.session == f"talk-{number}" and hit.seq - 1 in gold for hit in hits)
            places[speakers.pop()].append(found)
    assert min(map(len, places.values())) >= 30
    assert mean(places["assistant"]) >= mean(places["user"]) - 0.1
    assert mean(places["assistant"]) >= 0.7
