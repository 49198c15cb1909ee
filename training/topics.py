"""Learns the weights in `policy.topics` from plain dialogues, by joining pieces of different ones together. No marked
topic is seen, and dialogues that are measured are left out."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path

from benchmarks.segments import load
from onrecord.policy.topics import AFTER, BEFORE, WEIGHTS, TopicTurn, signals
from onrecord.policy.topics_signs import HeardTurn, hear

__all__ = ["fit"]

Dialogue = list[tuple[TopicTurn, HeardTurn]]
JOINED = (("taskmaster4", "tiage"), ("tiage",), ("qmsum",), ("taskmaster4", "qmsum", "tiage"))
CONVERSATIONS = 400  # of each kind, and each way to cut
LEAST, MOST = 2, 12  # turns of a piece of a longer dialogue
RIDGE = 1e-3


def fit(dialogues: Path, measured: Path | None = None, seed: int = 7) -> dict[str, float]:
    """The weights for `policy.topics`, learned from the plain dialogues of a folder
    (`[{"id", "turns": [{"speaker", "text"}]}]`); those that are in the folder `measured` are left out."""
    left_out = {tuple(turn.text for turn in case.turns) for case in load(measured)} if measured else set()
    pools = {file.stem: list(_dialogues(file, left_out)) for file in sorted(dialogues.glob("*.json"))}
    chance = random.Random(seed)
    names = tuple(WEIGHTS)
    rows: list[list[float]] = []
    wanted: list[bool] = []
    shares: list[float] = []
    for alone in (False, True):
        for kind in JOINED:
            part = [_conversation(chance, [pools[name] for name in kind], alone) for _ in range(CONVERSATIONS)]
            found = [row for conversation in part for row in _rows(*conversation, names)]
            rows += [row for row, _ in found]
            wanted += [begins for _, begins in found]
            shares += [1 / len(found)] * len(found)
    return dict(zip(names, _logistic(rows, wanted, shares), strict=True))


def _dialogues(file: Path, left_out: set[tuple[str, ...]]) -> Iterator[Dialogue]:
    for entry in json.loads(file.read_text(encoding="utf-8")):
        texts = tuple(str(turn["text"]).replace("{disfmarker}", "") for turn in entry["turns"])
        if texts not in left_out:
            long = len(texts) > 100  # a meeting: murmurs are no turns
            turns = [TopicTurn("", text) for text in texts if not long or len(text.split()) >= LEAST + 1]
            yield [(turn, hear(turn.role, turn.text)) for turn in turns]


def _conversation(chance: random.Random, pools: Sequence[list[Dialogue]], alone: bool) -> tuple[Dialogue, set[int]]:
    """Pieces of different dialogues, and where they are joined."""
    pieces = [_piece(chance, chance.choice(pools), alone) for _ in range(chance.randint(3, 7))]
    return [turn for piece in pieces for turn in piece], set(accumulate(len(piece) for piece in pieces[:-1]))


def _piece(chance: random.Random, pool: list[Dialogue], alone: bool) -> Dialogue:
    """A short dialogue whole; of a longer one a piece that begins and ends where a topic may begin. With `alone` it
    ends before the next place at which one clearly does, and chatting has such places every few turns."""
    while True:
        dialogue = chance.choice(pool)
        if len(dialogue) <= 8:
            return dialogue
        places = [at for at in range(len(dialogue) + 1) if chance.random() < _opens(dialogue, at)]
        start = chance.choice(places)
        clear = (at for at in range(start + 1, len(dialogue)) if alone and _clearly(dialogue, at))
        last = min(next(clear, len(dialogue)), start + MOST)
        ends = [at for at in places if start + LEAST <= at <= last]
        if ends:
            return dialogue[start : chance.choice(ends)]


def _opens(dialogue: Dialogue, at: int) -> float:
    """How readily a topic begins at a place: never where an answer is waited for."""
    if at in (0, len(dialogue)):
        return 1.0
    (_, last), (_, here) = dialogue[at - 1], dialogue[at]
    if last.asks and not last.closes:
        return 0.0
    if here.answers or here.links:
        return 0.1
    return 1.0 if here.asks_you or here.wishes or here.shifts else 0.6 if here.asks else 0.35


def _clearly(dialogue: Dialogue, at: int) -> bool:
    """Whether somebody opens something here with no word that was said just before."""
    before = {word for _, heard in dialogue[max(0, at - 2) : at] for word in heard.content}
    return _opens(dialogue, at) == 1.0 and before.isdisjoint(dialogue[at][1].tail)


def _rows(dialogue: Dialogue, joins: set[int], names: Sequence[str]) -> Iterator[tuple[list[float], bool]]:
    heard = [one for _, one in dialogue]
    for at in range(1, len(heard)):
        found = signals(heard[max(0, at - BEFORE) : at], heard[at : at + AFTER])
        yield [float(found[name]) for name in names], at in joins


def _logistic(rows: list[list[float]], wanted: list[bool], shares: list[float]) -> list[float]:
    """Newton's method: there is one best answer."""
    import numpy as np

    x, y, share = np.array(rows), np.array(wanted, float), np.array(shares) / sum(shares)
    pull = RIDGE * np.eye(x.shape[1])
    weights = np.zeros(x.shape[1])
    for _ in range(50):
        sure = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (share * (sure - y)) + pull @ weights
        bend = (x * (share * sure * (1 - sure))[:, None]).T @ x + pull
        weights -= np.linalg.solve(bend, slope)
    return [round(float(weight), 2) for weight in weights]
