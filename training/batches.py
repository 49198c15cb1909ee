"""Talks as batches: questions, turns to choose from, and which of them answer.

A batch holds whole talks, so that each question meets the turns that stand beside its answer, and many others. Names
are given anew each time. Several talks may get the same names, as one long conversation would have: talks drawn by
chance, or, once the network knows which are alike, talks that are. Some answers stand there once more as if the other
one had said them. A question with several answers ("What are Ana's hobbies?") may be answered in any talk of hers, so
talks that share names are not held against it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from training.grammar.names import NAMES
from training.talks import Question, Talk, Turn

__all__ = ["Batch", "Batches", "Drawn", "Shape", "Tokens", "spoken"]

PROGRAM = frozenset({"user", "assistant"})
ALONE = frozenset({"grammar", "qmsum", "taskmaster"})
"""Sources whose talks share no names with others."""
_WORDS = frozenset(
    "will mark grace rose jack may joy hope bill sue dawn faith iris violet ruby jade art pat drew frank holly ivy "
    "rich miles max jan dot hazel poppy earl lan".split()
)

Numbers = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Shape:
    """How large a batch is; always the same, so that the network is compiled once."""

    questions: int = 256
    turns: int = 1024
    question_tokens: int = 40
    turn_tokens: int = 112
    plain: int = 192  # texts whose likeness to each other must stay


@dataclass(frozen=True, slots=True)
class Batch:
    """One step's arrays."""

    questions: Numbers  # token numbers, 0 where there is none
    turns: Numbers
    answers: Numbers  # questions × turns: 1 where the turn answers
    apart: Numbers  # questions × turns: 1 where the turn is somebody else's, or does not answer
    loose: Numbers  # per question: only some of its turns answer
    weight: Numbers  # per question: how much it counts; 0 where there is none
    plain: Numbers  # token numbers of texts from anywhere


class Tokens:
    """Texts as token numbers, of one length."""

    def __init__(self, vocabulary: Path) -> None:
        from tokenizers import BertWordPieceTokenizer

        self._tokenizer = BertWordPieceTokenizer(str(vocabulary), lowercase=True)

    def __call__(self, texts: Sequence[str], rows: int, length: int) -> Numbers:
        found = np.zeros((rows, length), np.int32)
        for row, each in enumerate(self._tokenizer.encode_batch(list(texts))):
            ids = each.ids if len(each.ids) <= length else [*each.ids[: length - 1], each.ids[-1]]
            found[row, : len(ids)] = ids
        return found


def spoken(turn: Turn, style: str) -> str:
    """A turn as it may stand in a memory: with who said it, or without."""
    if style == "plain":
        return turn.text
    name = turn.speaker.capitalize() if style == "title" else turn.speaker
    return f"{name}: {turn.text}"


class Batches:
    """Draws batches from talks; the same seed draws the same, as long as talks are grouped alike."""

    def __init__(
        self, talks: Mapping[str, Sequence[Talk]], shares: Mapping[str, float], tokens: Tokens, shape: Shape, seed: int
    ) -> None:
        self._talks = {name: found for name, found in talks.items() if found and shares.get(name)}
        self._names = list(self._talks)
        self._shares = [shares[name] for name in self._names]
        self._decks: dict[str, list[Talk]] = {name: [] for name in self._names}
        self._alike: dict[int, list[Talk]] = {}
        self.tokens, self._shape, self._chance = tokens, shape, random.Random(seed)
        self._texts = [turn.text for found in self._talks.values() for talk in found for turn in talk.turns]

    def draw(self) -> Batch:
        """The next batch."""
        shape, chance = self._shape, self._chance
        drawn = Drawn(shape)
        for group in count():
            source = chance.choices(self._names, self._shares)[0]
            talks = self._group(source)
            names = chance.sample(NAMES, 6)
            if not all(drawn.take(renamed(talk, names), group, chance) for talk in talks):
                break
        return Batch(
            self.tokens(drawn.questions, shape.questions, shape.question_tokens),
            self.tokens(drawn.turns, shape.turns, shape.turn_tokens),
            drawn.answers,
            drawn.apart,
            drawn.loose,
            drawn.weight,
            self.tokens(self._plain(), shape.plain, shape.turn_tokens),
        )

    def joinable(self) -> list[Talk]:
        """The talks that may stand in one conversation: in the others the same few facts come again and again."""
        return [talk for name, found in self._talks.items() if name not in ALONE for talk in found]

    def regroup(self, vectors: Numbers, nearest: int = 24) -> None:
        """From now on talks that are alike get the same names as often as others; a vector for each joinable talk."""
        talks, likeness = self.joinable(), vectors @ vectors.T
        np.fill_diagonal(likeness, -2)
        for talk, row in zip(talks, likeness, strict=True):
            self._alike[id(talk)] = [talks[at] for at in np.argsort(-row)[:nearest]]

    def _group(self, source: str) -> list[Talk]:
        first = self._next(source)
        if source in ALONE:
            return [first]
        many = self._chance.choice((0, 0, 1, 3, 5))
        alike = self._alike.get(id(first))
        if alike and self._chance.random() < 0.5:
            return [first, *self._chance.sample(alike, min(many, len(alike)))]
        return [first, *(self._next(source) for _ in range(many))]

    def _next(self, source: str) -> Talk:
        """Every talk of a source comes once before any comes again."""
        deck = self._decks[source]
        if not deck:
            deck.extend(self._talks[source])
            self._chance.shuffle(deck)
        return deck.pop()

    def _plain(self) -> list[str]:
        """Texts from anywhere; half of them beside a shortened copy, so that near and far ones are among them."""
        chance, found = self._chance, []
        for text in chance.sample(self._texts, self._shape.plain // 2):
            words = text.split()
            kept = [word for word in words if chance.random() > 0.3] or words
            found += [text, " ".join(kept)]
        return found


class Drawn:
    """A batch while it fills up."""

    def __init__(self, shape: Shape) -> None:
        self._shape = shape
        self.questions: list[str] = []
        self.turns: list[str] = []
        self.answers = np.zeros((shape.questions, shape.turns), np.float32)
        self.apart = np.zeros((shape.questions, shape.turns), np.float32)
        self.loose = np.zeros(shape.questions, np.float32)
        self.weight = np.zeros(shape.questions, np.float32)
        self._groups = np.zeros(shape.turns, np.int32)  # of each turn: which talks share its names
        self._spared = np.full(shape.questions, -1, np.int32)  # of each question: the group not held against it

    def take(self, talk: Talk, group: int, chance: random.Random, *, most: int = 7, width: int = 40) -> bool:
        """Put a talk into the batch; False where there is no room for it."""
        asked = _some(talk.questions, most, chance)
        gold = sorted({at for question in asked for at in question.gold})
        others = [at for at in range(len(talk.turns)) if at not in gold]
        kept = sorted([*gold, *chance.sample(others, min(len(others), max(0, width - len(gold))))])
        style = _style(talk, chance)
        texts = [spoken(talk.turns[at], style) for at in kept]
        texts += _swapped(talk, gold, style, chance)
        if len(self.questions) + len(asked) > self._shape.questions or len(self.turns) + len(texts) > self._shape.turns:
            return False
        first, rows = len(self.turns), len(self.questions)
        self.turns += texts
        self._groups[first : len(self.turns)] = group
        self.apart[:rows, first : len(self.turns)] = self._spared[:rows, None] != group
        for question in asked:
            self._ask(question, group, first, [first + kept.index(at) for at in question.gold])
        return True

    def _ask(self, question: Question, group: int, first: int, answering: Sequence[int]) -> None:
        row = len(self.questions)
        self.questions.append(question.text)
        self.answers[row, answering] = 1
        self.loose[row] = question.loose
        self.weight[row] = 1 if question.loose else len(answering) ** 0.5
        self.apart[row, : len(self.turns)] = 1
        self.apart[row, answering] = 0
        if len(answering) > 1 and not question.loose:
            self._spared[row] = group
            self.apart[row, :first][self._groups[:first] == group] = 0


def _some(questions: Sequence[Question], most: int, chance: random.Random) -> list[Question]:
    """Some questions by chance; those with more than two answers are more than twice as likely."""
    lots = [chance.random() ** (1 / (2.5 if len(one.gold) > 2 else 1)) for one in questions]
    return [questions[at] for at in sorted(range(len(questions)), key=lambda at: -lots[at])[:most]]


def _style(talk: Talk, chance: random.Random) -> str:
    if set(talk.speakers) <= PROGRAM:
        return chance.choice(("named", "named", "title", "plain", "plain"))
    return "named" if chance.random() < 0.8 else "plain"


def _swapped(talk: Talk, gold: Sequence[int], style: str, chance: random.Random, share: float = 0.2) -> list[str]:
    """Some answers as if another one had said them: then they answer nothing."""
    if style == "plain" or len(talk.speakers) < 2 or set(talk.speakers) <= PROGRAM:
        return []
    found = []
    for at in gold:
        if chance.random() < share:
            other = chance.choice([name for name in talk.speakers if name != talk.turns[at].speaker])
            found.append(spoken(Turn(other, talk.turns[at].text), style))
    return found


def renamed(talk: Talk, names: Sequence[str]) -> Talk:
    """The talk with other names for those who speak; programs and their users stay what they are."""
    if set(talk.speakers) <= PROGRAM or talk.source == "qmsum":
        return talk
    called = dict(zip(talk.speakers, names, strict=False))
    # People write names small; a name that is a word is one only with its capital.
    small = [name.lower() for name in called if name.lower() not in _WORDS]
    pattern = re.compile(r"\b(" + "|".join(map(re.escape, [*called, *small])) + r")\b")
    known = {old.casefold(): new for old, new in called.items()}

    def other(found: re.Match[str]) -> str:
        new = known[found[0].casefold()]
        return new.lower() if found[0].islower() else new

    return Talk(
        talk.source,
        tuple(called.values()),
        tuple(Turn(called[turn.speaker], pattern.sub(other, turn.text)) for turn in talk.turns),
        tuple(Question(pattern.sub(other, one.text), one.gold, one.loose) for one in talk.questions),
    )
