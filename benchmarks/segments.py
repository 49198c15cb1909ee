"""How well topic boundaries are told in dialogues whose topics people marked: ours beside TextTiling, even splits,
no boundary at all, and chance.

Pk is the share of places at which two turns, k apart, are wrongly said to be of one topic or of two; WindowDiff counts
a wrong number of boundaries between them. k is half the mean length of the topics of a dialogue, 2 or more. Lower is
better. Input is a folder of JSON files, `[{"id", "turns": [text], "segments": [turns of each topic]}]`.

`fit` learns the weights in `policy.topics` from plain dialogues, by joining pieces of different ones together. It never
sees a marked topic, and leaves out dialogues that are measured.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import accumulate
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from time import perf_counter
from typing import TYPE_CHECKING, Any

from recollect.errors import InvalidInput
from recollect.policy.lexemes import lexemes
from recollect.policy.topics import AFTER, BEFORE, WEIGHTS, Turn, boundaries, signals
from recollect.policy.topics_signs import Heard, hear
from recollect.ports import Progress

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["Case", "Figure", "fit", "load", "measure", "pk", "plain", "tables", "text_tiling", "window_diff"]

OURS, TILING, EVEN, COUNTED, NONE, CHANCE = (
    "recollect",
    "TextTiling",
    "even, mean length",
    "even, number known",
    "no boundary",
    "random",
)
SEEDS = range(10)  # of the random boundaries; their scores are averaged
BLOCK = 4  # turns that TextTiling compares on each side
TIMED = (OURS, TILING)

Method = Callable[["Case", int], list[int]]
"""A dialogue and a seed: the positions at which a new topic begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A dialogue with its topics."""

    set: str  # the file it is from
    turns: tuple[Turn, ...]
    cuts: tuple[int, ...]  # positions at which a new topic begins, the first turn left out


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A method's scores on a set."""

    set: str
    who: str  # the method
    dialogues: int
    pk: float  # mean over dialogues
    window_diff: float  # mean over dialogues
    precision: float  # of all boundaries told, the share that is right
    recall: float  # of all boundaries, the share told
    f1: float
    us: float  # microseconds a turn; 0 where that says nothing


def load(folder: Path) -> list[Case]:
    """The dialogues of all JSON files of a folder, or of one file."""
    files = sorted(folder.glob("*.json")) if folder.is_dir() else [folder]
    try:
        found = [_case(file.stem, entry) for file in files for entry in json.loads(file.read_text(encoding="utf-8"))]
    except (OSError, KeyError, TypeError, ValueError) as problem:
        hint = "The shape of its JSON files is in benchmarks.segments."
        raise InvalidInput(f"{folder} does not hold dialogues with topics: {problem!r}.", hint) from problem
    if not found:
        raise InvalidInput(f"There are no dialogues in {folder}.", "Give a folder of JSON files, or one file.")
    return found


def _case(name: str, entry: Mapping[str, Any]) -> Case:
    """The turns alternate between two speakers; who of them asks and who answers is not said."""
    turns = tuple(Turn("AB"[at % 2], str(text)) for at, text in enumerate(entry["turns"]))
    ends = list(accumulate(int(length) for length in entry["segments"]))
    if not ends or ends[-1] != len(turns):
        raise ValueError("segments do not add up to the turns")
    return Case(set=name, turns=turns, cuts=tuple(ends[:-1]))


def measure(folder: Path, progress: Progress = lambda done: None) -> list[Figure]:
    """All methods over all sets; progress is told of every dialogue, once a method."""
    cases = load(folder)
    figures = []
    for name in dict.fromkeys(case.set for case in cases):
        own = [case for case in cases if case.set == name]
        for who, method in _methods(own).items():
            figures.append(_figure(name, who, own, method, progress))
    return figures


def _methods(own: Sequence[Case]) -> dict[str, Method]:
    """By name; some are told the mean length, the number of boundaries or how frequent they are."""
    mean = sum(len(case.turns) for case in own) / sum(len(case.cuts) + 1 for case in own)
    return {
        OURS: lambda case, _: boundaries(case.turns),
        TILING: lambda case, _: text_tiling([turn.text for turn in case.turns]),
        EVEN: lambda case, _: even(len(case.turns), round(len(case.turns) / mean)),
        COUNTED: lambda case, _: even(len(case.turns), len(case.cuts) + 1),
        NONE: lambda case, _: [],
        CHANCE: lambda case, seed: _random(case, seed, 1 / mean),
    }


def even(turns: int, parts: int) -> list[int]:
    """So many parts of the same length."""
    return sorted({round(turns * part / parts) for part in range(1, parts)} - {0, turns}) if parts > 1 else []


def _random(case: Case, seed: int, rate: float) -> list[int]:
    chance = random.Random(f"{seed} {case.turns[0].text}")
    return [at for at in range(1, len(case.turns)) if chance.random() < rate]


def _figure(name: str, who: str, own: Sequence[Case], method: Method, progress: Progress) -> Figure:
    pks, diffs, told, right, wanted, seconds = [], [], 0, 0, 0, 0.0
    for case in own:
        for seed in SEEDS if who == CHANCE else SEEDS[:1]:
            start = perf_counter()
            cuts = method(case, seed)
            seconds += perf_counter() - start
            pks.append(pk(case.cuts, cuts, len(case.turns)))
            diffs.append(window_diff(case.cuts, cuts, len(case.turns)))
            told, right, wanted = told + len(cuts), right + len({*cuts} & {*case.cuts}), wanted + len(case.cuts)
        progress(1)
    us = seconds * 1e6 / sum(len(case.turns) for case in own) if who in TIMED else 0.0
    return Figure(
        set=name,
        who=who,
        dialogues=len(own),
        pk=round(fmean(pks), 4),
        window_diff=round(fmean(diffs), 4),
        precision=_share(right, told),
        recall=_share(right, wanted),
        f1=_share(2 * right, told + wanted),
        us=round(us, 1),
    )


def _share(part: int, whole: int) -> float:
    return round(part / whole, 3) if whole else 0.0


# Measures


def pk(wanted: Sequence[int], told: Sequence[int], turns: int) -> float:
    """Beeferman's Pk: how often two turns, k apart, are wrongly said to be together or apart."""
    pairs = list(_windows(wanted, told, turns))
    return sum((one == 0) != (other == 0) for one, other in pairs) / len(pairs) if pairs else 0.0


def window_diff(wanted: Sequence[int], told: Sequence[int], turns: int) -> float:
    """WindowDiff of Pevzner and Hearst: how often the number of boundaries between two turns, k apart, is wrong."""
    pairs = list(_windows(wanted, told, turns))
    return sum(one != other for one, other in pairs) / len(pairs) if pairs else 0.0


def _windows(wanted: Sequence[int], told: Sequence[int], turns: int) -> Iterator[tuple[int, int]]:
    """For each two turns, k apart: the number of boundaries between them, as wanted and as told."""
    k = max(2, int(turns / (len(wanted) + 1) / 2 + 0.5))
    one, other = _places(wanted, turns), _places(told, turns)
    return ((one[at + k] - one[at], other[at + k] - other[at]) for at in range(turns - k))


def _places(cuts: Sequence[int], turns: int) -> list[int]:
    """The number of each turn's topic."""
    marks = {*cuts}
    return list(accumulate(int(at in marks) for at in range(turns)))


# TextTiling


def text_tiling(texts: Sequence[str], block: int = BLOCK) -> list[int]:
    """Hearst's TextTiling with turns for token sequences: how alike the blocks on both sides of each gap are, and
    boundaries where that falls deepest, by more than the mean depth less half its deviation. Nothing is smoothed, as
    there are few turns."""
    counts = [Counter(lexemes(text)) for text in texts]
    alike = [
        _cosine(_summed(counts[max(0, at - block) : at]), _summed(counts[at : at + block]))
        for at in range(1, len(texts))
    ]
    depths = [_depth(alike, at) for at in range(len(alike))]
    if not depths:
        return []
    cutoff = fmean(depths) - pstdev(depths) / 2
    valleys = [
        at
        for at, depth in enumerate(depths)
        if depth > max(0.0, cutoff) and depth >= max(depths[max(0, at - 1) : at + 2])
    ]
    return [at + 1 for at, before in zip(valleys, [-2, *valleys], strict=False) if at - before > 1]


def _summed(counts: Sequence[Counter[int]]) -> Counter[int]:
    found: Counter[int] = Counter()
    for count in counts:
        found.update(count)
    return found


def _cosine(one: Counter[int], other: Counter[int]) -> float:
    length = sqrt(sum(count * count for count in one.values()) * sum(count * count for count in other.values()))
    return sum(count * other[word] for word, count in one.items()) / length if length else 0.0


def _depth(alike: Sequence[float], at: int) -> float:
    """How far it climbs on both sides of a gap before it falls again."""
    left = right = at
    while left and alike[left - 1] >= alike[left]:
        left -= 1
    while right + 1 < len(alike) and alike[right + 1] >= alike[right]:
        right += 1
    return alike[left] + alike[right] - 2 * alike[at]


# What is shown


def plain(figures: Sequence[Figure]) -> dict[str, object]:
    """The figures as plain values, for JSON."""
    return {"figures": [asdict(figure) for figure in figures]}


def tables(figures: Sequence[Figure]) -> Iterator[Table]:
    """A table for each set."""
    from rich.table import Table

    for name in dict.fromkeys(figure.set for figure in figures):
        own = [figure for figure in figures if figure.set == name]
        shown = Table(title=f"Topics of {own[0].dialogues} dialogues of {name}", title_justify="left")
        for column in ("method", "Pk", "WindowDiff", "precision", "recall", "F1", "µs a turn"):
            shown.add_column(column, justify="left" if column == "method" else "right")
        for one in own:
            shares = (f"{100 * share:.1f}" for share in (one.pk, one.window_diff, one.precision, one.recall, one.f1))
            shown.add_row(one.who, *shares, f"{one.us:.0f}" if one.us else "")
        yield shown


# Learning


Dialogue = list[tuple[Turn, Heard]]
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
            turns = [Turn("", text) for text in texts if not long or len(text.split()) >= LEAST + 1]
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
