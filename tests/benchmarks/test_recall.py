"""The benchmark of recall: what it counts, checked by hand; what it compares with; what it shows."""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
import pytest
from numpy.typing import NDArray

from benchmarks.commands import main
from benchmarks.figures import Figure
from benchmarks.recall import (
    BUDGETS,
    CONTEXT,
    OURS,
    WHOLE,
    Answer,
    Baselines,
    Prompt,
    Words,
    answers,
    figures,
    fused,
    inside,
    interval,
    scored,
)
from benchmarks.recall_data import Conversation, Question, Turn, held, load
from onrecord.errors import InvalidInput

SAID = [
    ("1", "Ana", "Good morning Ben, how are you doing today?"),
    ("1", "Ben", "Fine, I baked rye bread with caraway for the first time yesterday."),
    ("1", "Ana", "Lovely! My sister Clara moved to Lisbon in spring."),
    ("1", "Ben", "Does she like the new city so far?"),
    ("1", "Ana", "Yes."),
    ("2", "Ben", "I sold my old bicycle to a student for eighty euros."),
    ("2", "Ana", "I would have bought it, the blue one with the basket!"),
    ("2", "Ben", "My knee hurts, so I swim every Tuesday now."),
    ("2", "Ana", "Swimming is healthy. I started to learn the cello in March."),
    ("2", "Ben", "A cello, how wonderful. Who is teaching you?"),
    ("2", "Ana", "Professor Novak, she lives around the corner from us."),
    ("2", "Ben", "Then let us play together one day, I still have my violin."),
]
QUESTIONS = [
    ("q1", "What did Ben bake?", "single", ["m1"]),
    ("q2", "Where did Ana's sister move?", "single", ["m2"]),
    ("q3", "Which instruments do they play?", "several", ["m8", "m11"]),
    ("q4", "What is not said at all?", "single", []),
]


class ToyEmbedder:
    """Words as directions: texts with the same words are near each other."""

    name = "toy-1"
    dimension = 64

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = np.full((len(texts), self.dimension), 1e-3, np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[crc32(word.encode()) % self.dimension] += 1
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


def written(name: str, many: int = 2) -> dict[str, Any]:
    messages = [
        {"id": f"m{at}", "session": session, "speaker": who, "text": text, "time": f"2024-03-{at + 1:02}T10:00:00"}
        for at, (session, who, text) in enumerate(SAID)
    ]
    questions = [
        {"id": id, "text": text, "category": category, "gold": gold, "answer": ""}
        for id, text, category, gold in QUESTIONS
    ]
    talks = [{"id": f"c{number}", "messages": messages, "questions": questions} for number in range(many)]
    return {"name": name, "conversations": talks}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "one.json").write_text(json.dumps(written("talks")))
    (tmp_path / "two.json").write_text(json.dumps(written("chats", 1)))
    return tmp_path


def measured(conversations: list[Conversation], embedder: ToyEmbedder | None = None) -> list[Figure]:
    with held(conversations, embedder) as places:
        return list(figures([answer for place in places for answer in answers(place, {})]))


def by_method(shown: list[Figure]) -> dict[str, dict[str, float]]:
    rows: dict[str, dict[str, float]] = {}
    for figure in shown:
        if "interval" in figure.table:
            rows.setdefault(figure.row, {})[figure.column] = figure.value
    return rows


# What is counted


def test_the_share_of_the_evidence_among_the_first() -> None:
    order = [7, 3, *range(20, 28), 5]
    assert scored(order, [1] * 30, {3, 5, 9})["top 10"] == pytest.approx(100 / 3)
    assert scored(order[1:], [1] * 30, {3, 5, 9})["top 10"] == pytest.approx(200 / 3)


def test_what_does_not_fit_is_skipped_and_the_next_tried() -> None:
    assert inside([0, 1, 2, 3], [400, 200, 100, 1], 500) == {0, 2}
    assert inside([1, 0, 3], [400, 200, 100, 1], 500) == {1, 3}
    assert inside([2], [0, 0, 500], 500) == {2}
    assert inside([2], [0, 0, 501], 500) == set()
    assert inside([], [], 500) == set()


def test_all_of_the_evidence_is_more_than_some() -> None:
    scores = scored([0, 1], [1_400, 700], {0, 1})
    assert (scores["2,000 tokens"], scores["all in 2,000"]) == (50.0, 0.0)
    scores = scored([0, 1], [1_400, 600], {0, 1})
    assert (scores["2,000 tokens"], scores["all in 2,000"]) == (100.0, 100.0)


LONG = Turn("1", "Ana", "one two three four five six seven eight nine ten")


@pytest.mark.parametrize(
    ("prompt", "there"),
    [
        ("Ana: One, two three\n  FOUR five six seven eight nine ten!", True),
        ("- Ana: one two three four five […]", True),  # just half
        ("one two three four", False),  # no run is long enough
        ("one two three four x six seven eight nine x", False),
        ("six seven eight nine ten, and before: one two three", True),
        ("ten nine eight seven six five four three two one", False),
        ("one two three four five".replace(" ", " and "), False),
        ("", False),
    ],
)
def test_a_turn_counts_if_half_of_it_stands_in_the_prompt(prompt: str, there: bool) -> None:
    assert Prompt(prompt, "why?").holds(LONG) is there


def test_less_than_half_does_not_count() -> None:
    turn = Turn("1", "Ana", f"{LONG.said} eleven")
    assert not Prompt("one two three four five", "why?").holds(turn)
    assert Prompt("one two three four five six", "why?").holds(turn)


def test_what_the_question_says_itself_is_not_found() -> None:
    asked = "Who said one two three four five six?"
    assert not Prompt(f"<memory></memory>\n\nUser: {asked}", asked).holds(LONG)
    assert Prompt(f"- Ana: {LONG.said}\n\nUser: {asked}", asked).holds(LONG)


def test_few_words_must_stand_behind_their_speaker() -> None:
    yes = Turn("1", "Ana", "Yes, please!")
    assert Prompt("- Ana: yes please", "why?").holds(yes)
    assert not Prompt("- Ben: yes, please", "why?").holds(yes)
    assert not Prompt("- Ana: yes, of course, please", "why?").holds(yes)
    assert not Prompt("- Ana: yes, pleased", "why?").holds(yes)


def test_what_has_no_words_is_looked_for_as_it_is() -> None:
    assert Prompt("- Ana: 🎉 🎉", "why?").holds(Turn("1", "Ana", "🎉\n🎉"))
    assert not Prompt("- Ana: hello", "why?").holds(Turn("1", "Ana", "🎉"))


def test_intervals_are_always_drawn_alike() -> None:
    values = [0.0, 100.0] * 50
    low, high = interval(values)
    assert (low, high) == interval(values)
    assert 35 <= low < 50 < high <= 65
    assert interval([100.0] * 9) == (100.0, 100.0)


def test_figures_are_means_by_category() -> None:
    columns = scored([0], [1], {0})
    found = [
        Answer("s", category, {OURS: dict.fromkeys(columns, score)})
        for category, score in (("a", 100.0), ("a", 0.0), ("b", 100.0), ("b", 100.0))
    ]
    shown = {(figure.row, figure.column): figure for figure in figures(found)}
    assert (shown[OURS, "top 10"].value, shown[OURS, "top 10"].interval) == (75.0, interval([100, 0, 100, 100]))
    assert [shown[f"s, {name}", "search, top 10"].value for name in "ab"] == [50.0, 100.0]
    assert [shown[f"s, {name}", "questions"].value for name in "ab"] == [2, 2]


# Baselines


def test_rare_words_count_more_and_long_turns_less() -> None:
    words = Words(["the cat sat", "the dog sat", "The CAT sat on the mat in the house all day", "nothing"])
    scores = words.scores("the cat?")
    assert scores[0] > scores[2] > scores[1] > scores[3] == 0
    # By hand: 4 turns of 4.5 words on average, "cat" in 2 and "the" in 3 of them.
    norm = 1.2 * (0.25 + 0.75 * 3 / 4.5)
    assert scores[0] == pytest.approx((np.log(2) + np.log(1 + 1.5 / 3.5)) * 2.2 / (1 + norm))


def test_fusion_adds_up_places() -> None:
    order = fused([np.array([0, 1, 2]), np.array([1, 2, 0])])
    assert order.tolist() == [1, 0, 2]


def test_the_orders_of_the_baselines() -> None:
    vectors = np.array([[0.0, 1], [1, 0], [0.8, 0.6], [0.6, 0.8]])
    baselines = Baselines(["a b", "c d", "e f"], [5, 1, 3], vectors, np.array([0, 0, 1, 2]))
    orders = {who: order.tolist() for who, order in baselines.orders("e", np.array([1.0, 0]), {0, 2}).items()}
    assert orders["BM25"] == [2, 1, 0]  # of equals the newest
    assert orders["dense"] == [0, 1, 2]  # of a long turn the best part counts
    assert orders["newest first"] == [2, 1, 0]
    assert orders["gold first"] == [2, 0, 1]  # the shorter evidence first
    assert set(orders) == {"BM25", "dense", "BM25 + dense", "newest first", "gold first"}
    without = Baselines(["a b", "c d", "e f"], [5, 1, 3]).orders("e", None, {0})
    assert set(without) == {"BM25", "newest first", "gold first"}


# Conversations


def test_conversations_are_read_with_the_questions_that_have_evidence(folder: Path) -> None:
    found = load(folder)
    assert [(one.set, one.id) for one in found] == [("talks", "c0"), ("talks", "c1"), ("chats", "c0")]
    assert [question.gold for question in found[0].questions] == [{1}, {2}, {8, 11}]
    assert {one.set for one in load(folder, ["chats"])} == {"chats"}


@pytest.mark.parametrize(
    "text", ['{"a": 1}', "[]", '{"conversations": [{"id": "c", "messages": [], "questions": [{"gold": ["x"]}]}]}']
)
def test_files_that_hold_something_else_are_refused(folder: Path, text: str) -> None:
    (folder / "other.json").write_text(text)
    with pytest.raises(InvalidInput, match=r"other\.json does not hold labelled conversations"):
        load(folder)


def test_sets_and_places_that_are_not_there_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="There is no set 'films'"):
        load(folder, ["films"])
    with pytest.raises(InvalidInput, match="no labelled conversations"):
        load(folder / "nowhere")
    (folder / "one.json").write_text('{"conversations": [{"id": "c", "messages": [], "questions": []}]}')
    with pytest.raises(InvalidInput, match="no questions"):
        load(folder / "one.json")


def test_messages_are_kept_without_their_ids(folder: Path) -> None:
    (talk, *_) = load(folder, ["talks"])
    with held([talk], None) as (place,):
        kept = [message for session in ("1", "2") for message in place.memory.session(session).history()]
        assert [message.text for message in kept] == [f"{who}: {text}" for _, who, text in SAID]
        assert {message.name for message in kept} == {"Ana", "Ben"}
        assert {message.role for message in kept} == {"user"}
        assert not any(re.fullmatch(r"m\d+", message.id) for message in kept)
        assert [place.places[message.session, message.seq] for message in kept] == list(range(len(SAID)))
        assert len(place.sizes) == len(SAID)


def test_sessions_may_take_turns() -> None:
    turns = tuple(Turn(session, "user", f"text {at}") for at, session in enumerate("abab"))
    with held([Conversation("s", "c", turns, ())], None) as (place,):
        assert place.places == {("a", 1): 0, ("b", 1): 1, ("a", 2): 2, ("b", 2): 3}


def test_the_vectors_of_the_index_are_the_embedder_s(folder: Path) -> None:
    (talk, *_) = load(folder, ["talks"])
    with held([talk], ToyEmbedder()) as (place,):
        vectors, owners = place.vectors()
        assert sorted(owners.tolist()) == list(range(len(SAID)))
        wanted = ToyEmbedder().embed([talk.turns[owner].text for owner in owners])
        assert np.abs(vectors - wanted).max() < 0.02


# The run


def test_every_method_is_scored(folder: Path) -> None:
    shown = measured(load(folder, ["talks"]), ToyEmbedder())
    rows = by_method(shown)
    assert set(rows) == {OURS, WHOLE, CONTEXT, "BM25", "dense", "BM25 + dense", "newest first", "gold first"}
    assert set(rows["gold first"].values()) == {100.0}
    assert rows[OURS]["top 10"] > rows["newest first"]["top 10"]
    assert rows[CONTEXT]["4,000 tokens"] == 100.0
    assert "top 10" not in rows[CONTEXT]
    costs = {
        (figure.row, figure.column): figure.value
        for figure in shown
        if figure.table == "What prompts cost, mean tokens of a question"
    }
    for budget in BUDGETS:
        row = f"talks, {budget:,}"
        assert 0 <= costs[row, "of these recalled"] <= costs[row, "tokens sent"] <= budget


def test_without_an_embedder(folder: Path) -> None:
    rows = by_method(measured(load(folder, ["chats"])))
    assert set(rows) == {OURS, WHOLE, CONTEXT, "BM25", "newest first", "gold first"}


def test_long_messages_cost_what_is_shown_of_them() -> None:
    filler = " ".join(f"The weather on day {day} was neither good nor bad." for day in range(120))
    turns = (Turn("1", "user", f"{filler} My cat is called Minka. {filler}"), Turn("1", "assistant", "I see."))
    question = Question("q", "What is my cat called?", "single", frozenset({0}))
    rows = by_method(measured([Conversation("s", "c", turns, (question,))]))
    assert rows[OURS]["500 tokens"] == 100.0
    assert rows[WHOLE]["500 tokens"] == rows["gold first"]["500 tokens"] == 0.0
    assert rows["gold first"]["4,000 tokens"] == 100.0


def test_the_command(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    kept = folder / "out" / "figures.json"
    kept.parent.mkdir()
    arguments = ["recall", "--data", str(folder), "--embedder", "none", "--set", "talks"]
    assert main([*arguments, "--json", str(kept)]) == 0
    shown = capsys.readouterr().out
    assert "talks, 6 questions" in shown
    assert "| gold first | " in shown
    assert {figure["row"] for figure in json.loads(kept.read_text())} >= {OURS, "BM25"}
    assert main(["recall", "--data", str(folder), "--set", "films"]) == 2
    assert "There is no set 'films'" in capsys.readouterr().err
