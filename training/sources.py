"""Talks from dialogues that anybody may learn from: TIAGE and Taskmaster-4 with questions by rules, QMSum with its own.

The files are those of `--data`: a list of `{"id", "turns": [{"speaker", "text"}]}`, with `"questions"` in QMSum, whose
evidence is given as spans of turns. Speakers get names, as people in a chat have.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from training.grammar.names import NAMES
from training.statements import asked, clauses, keywords, told
from training.talks import Question, Talk, Turn

__all__ = ["dialogues"]

_NOISE = re.compile(r"\{\w+\}|\s+(?=[.,!?;:%')]|n't\b|'\w)|(?<=[(])\s+")
_LONG = 40  # turns of a meeting that are taken at once
_MOST_GOLD = 12  # turns of a span that are taken


def dialogues(folder: Path, seed: int) -> Iterator[Talk]:
    """All talks of the three files."""
    chance = random.Random(seed)
    for one in _read(folder / "tiage.json"):
        yield _asked_by_rule("tiage", one, chance)
    for one in _read(folder / "taskmaster4.json"):
        talk = _asked_by_rule("taskmaster", one, chance)
        if talk.questions:
            yield talk
    for one in _read(folder / "qmsum.json"):
        yield from _meeting(one, chance)


def _read(path: Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    return found


def plain(text: str) -> str:
    """A text whose words were set apart, as people write it."""
    text = " ".join(_NOISE.sub("", text.replace(" ' ", "'").replace(" n't", "n't")).split())
    text = re.sub(r"\bi\b", "I", text)
    return re.sub(r"(?:[.!?] ?){2,}", lambda found: found[0].replace(" ", ""), text).strip()


def _asked_by_rule(source: str, one: dict[str, Any], chance: random.Random) -> Talk:
    """A dialogue of two people, and what may be asked about what they said of themselves."""
    speakers = list(dict.fromkeys(turn["speaker"] for turn in one["turns"]))
    called = dict(zip(speakers, chance.sample(NAMES, len(speakers)), strict=True))
    if source == "taskmaster":
        called = {speaker: speaker for speaker in speakers}
    turns = tuple(Turn(called[turn["speaker"]], plain(turn["text"])) for turn in one["turns"] if turn["text"].strip())
    questions = [question for at, turn in enumerate(turns) for question in _by_rule(at, turn, chance)]
    questions += _of_two(turns, chance)
    return Talk(source, tuple(called.values()), turns, tuple(questions))


def _by_rule(at: int, turn: Turn, chance: random.Random) -> Iterator[Question]:
    if turn.speaker == "assistant":
        return
    name = "the user" if turn.speaker == "user" else turn.speaker
    for clause in clauses(turn.text):
        yield Question(asked(clause, name, chance), (at,))
        if chance.random() < 0.3:
            yield Question(told(clause, name), (at,))
    query = keywords(turn.text, name, chance)
    if query and chance.random() < 0.4:
        yield Question(query, (at,))


def _of_two(turns: tuple[Turn, ...], chance: random.Random) -> Iterator[Question]:
    """One question whose answer needs two turns of the same person."""
    own = [(at, turn) for at, turn in enumerate(turns) if turn.speaker != "assistant" and list(clauses(turn.text))]
    pairs = [(one, two) for one in own for two in own if one[0] < two[0] and one[1].speaker == two[1].speaker]
    if pairs:
        (first, one), (second, two) = chance.choice(pairs)
        parts = [keywords(turn.text, "", chance) for turn in (one, two)]
        if all(parts):
            yield Question(f"{one.speaker}: {parts[0]} and {parts[1]}".replace("  ", " "), (first, second))


def _meeting(one: dict[str, Any], chance: random.Random) -> Iterator[Talk]:
    """Stretches of a meeting, one for each question that has evidence, with other turns of the meeting around it."""
    turns = [Turn(turn["speaker"], plain(turn["text"])) for turn in one["turns"]]
    telling = [at for at, turn in enumerate(turns) if len(turn.text.split()) > 6]
    for question in one.get("questions", ()):
        gold = [at for first, last in _spans(question) for at in range(first, last + 1) if at in set(telling)]
        if not 0 < len(gold) <= 60:
            continue
        gold = sorted(chance.sample(gold, min(len(gold), _MOST_GOLD)))
        others = [at for at in telling if at not in gold]
        kept = sorted({*gold, *chance.sample(others, min(len(others), _LONG - len(gold)))})
        yield Talk(
            "qmsum",
            tuple(dict.fromkeys(turns[at].speaker for at in kept)),
            tuple(turns[at] for at in kept),
            (Question(plain(question["text"]), tuple(kept.index(at) for at in gold), loose=True),),
        )


def _spans(question: dict[str, Any]) -> list[tuple[int, int]]:
    return [(int(first), int(last)) for first, last in question["gold"]]
