"""What the encoder learns from: talks that are written, made from tables, and made from dialogues by rules."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from training import grammar
from training.__main__ import SHARES
from training.batches import ALONE, PROGRAM, Drawn, Shape, renamed
from training.sources import dialogues
from training.statements import asked, clauses, keywords, told
from training.talks import Question, Talk, Turn, read_written


def dialogue(*texts: str, **more: object) -> list[dict[str, object]]:
    turns = [{"speaker": "AB"[number % 2], "text": text} for number, text in enumerate(texts)]
    return [{"id": "1", "turns": turns, **more}]


def test_every_written_talk_can_be_read_and_names_who_speaks() -> None:
    talks = list(read_written())
    assert len(talks) > 1_200
    assert {talk.source for talk in talks} < set(SHARES)
    for talk in talks:
        assert {turn.speaker for turn in talk.turns} == set(talk.speakers)
        assert len(talk.questions) > 5


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("M: Hello", "begins with"),
        ("# Maya | Tom | 2024-01-01\nX: Hello", "beginning of 0 names"),
        ("# Maya | Mo | 2024-01-01\nM: Hello", "beginning of 2 names"),
        ("# Maya | Tom | 2024-01-01\nM: Hello\n? 2 | Who?", "not there"),
        ("# Maya | Tom | 2024-01-01\nM: Hello\n? Who?", "no question"),
    ],
)
def test_a_written_talk_with_a_mistake_is_told(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "mine-01.txt").write_text(text, "utf-8")
    with pytest.raises(ValueError, match=what):
        list(read_written(tmp_path))


def test_talks_of_the_grammar_come_again_by_their_seed() -> None:
    one, two, other = (list(grammar.talks(seed, 30)) for seed in (1, 1, 2))
    assert one == two != other
    assert all(0 <= at < len(talk.turns) for talk in one for question in talk.questions for at in question.gold)


@pytest.mark.parametrize(
    ("said", "third", "questions"),
    [
        ("I have two dogs.", "Ana has two dogs", {"How many dogs does Ana have?", "Does Ana have two dogs?"}),
        (
            "well, I moved to Texas last year",
            "Ana moved to Texas last year",
            {"When did Ana move to Texas?", "Where did Ana move?"},
        ),
        (
            "I'm a nurse at my aunt's clinic",
            "Ana is a nurse at their aunt's clinic",
            {"Is Ana a nurse at their aunt's clinic?"},
        ),
    ],
)
def test_questions_from_statements(said: str, third: str, questions: set[str]) -> None:
    (clause,) = clauses(said)
    assert told(clause, "Ana") == third
    assert questions <= {asked(clause, "Ana", random.Random(seed)) for seed in range(60)}


@pytest.mark.parametrize("said", ["I think so.", "Do you like it?", "I have been there before", "We saw it"])
def test_what_recalled_nothing_of_the_speaker_is_no_clause(said: str) -> None:
    assert list(clauses(said)) == []


def test_keywords_need_something_to_stand_on() -> None:
    assert keywords("oh well, that is nice", "Ana", random.Random(0)) is None
    assert set((keywords("the ferry to Naxos", "Ana", random.Random(0)) or "").split()) <= {"Ana", "ferry", "naxos"}


def test_dialogues_become_talks(tmp_path: Path) -> None:
    (tmp_path / "tiage.json").write_text(
        json.dumps(dialogue("i have two dogs , and a boat", "wow ! i won a medal in 1992 ."))
    )
    (tmp_path / "taskmaster4.json").write_text(json.dumps(dialogue("hi", "hello")))
    long = ["{vocalsound} We should really talk about the budget of the remote control ."] * 50
    meeting = dialogue(*long, questions=[{"text": "What was said about money ?", "gold": [[3, 5]]}])
    (tmp_path / "qmsum.json").write_text(json.dumps(meeting))
    pair, stretch = dialogues(tmp_path, 0)
    assert pair.turns[0].text == "I have two dogs, and a boat"
    assert {pair.turns[question.gold[0]].speaker for question in pair.questions} == set(pair.speakers)
    assert all(not question.loose for question in pair.questions)
    (question,) = stretch.questions
    assert (question.text, question.loose, len(question.gold), len(stretch.turns)) == (
        "What was said about money?",
        True,
        3,
        40,
    )
    assert list(dialogues(tmp_path, 0)) == [pair, stretch]


def test_names_are_given_anew_but_words_stay() -> None:
    turns = (Turn("Will", "I will, Maya"), Turn("Maya", "thanks will. Will's right"))
    talk = Talk("friends", ("Will", "Maya"), turns, (Question("What did maya say to Will?", (1,)),))
    found = renamed(talk, ["Kofi", "Ines"])
    assert [turn.text for turn in found.turns] == ["I will, Ines", "thanks will. Kofi's right"]
    assert found.questions[0].text == "What did ines say to Kofi?"
    assert "assistant" in PROGRAM
    assert "friends" not in ALONE


def test_talks_with_the_same_names_are_held_against_single_answers_alone() -> None:
    drawn, shared = Drawn(Shape(questions=8, turns=40)), {0: "ab", 1: "c"}
    for name in "acb":
        turns = tuple(Turn(("Ana", "Tom")[at % 2], f"said in {name}, {at}") for at in range(6))
        questions = (Question(f"list of {name}", (0, 2)), Question(f"one of {name}", (4,)))
        assert drawn.take(Talk("friends", ("Ana", "Tom"), turns, questions), "c" in name, random.Random(0))
    for row, question in enumerate(drawn.questions):
        talk = question[-1]
        assert drawn.weight[row] == pytest.approx(2**0.5 if "list" in question else 1)
        for at, text in enumerate(drawn.turns):
            elsewhere = f"in {talk}," not in text
            spared = elsewhere and "list" in question and any(f"in {one}," in text for one in shared[talk == "c"])
            assert drawn.answers[row, at] == 0 if elsewhere else True
            assert drawn.answers[row, at] or drawn.apart[row, at] == (not spared)
