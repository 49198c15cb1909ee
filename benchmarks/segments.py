"""How well topic boundaries are told in dialogues whose topics people marked, beside TextTiling and simpler methods.

Input is a folder of JSON files, `[{"id", "turns": [text], "segments": [turns of each topic]}]`.
"""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from pathlib import Path
from statistics import fmean, pstdev
from time import perf_counter
from typing import Any

from benchmarks.figures import Data, Figures, benchmark, cells, read
from onrecord.policy.lexemes import lexemes
from onrecord.policy.topics import TopicTurn, boundaries

CHANCE = "random"
SEEDS = range(10)  # of the random boundaries; their scores are averaged
BLOCK = 4  # turns that TextTiling compares on each side

Method = Callable[["Case", int], list[int]]
"""A dialogue and a seed: the positions at which a new topic begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A dialogue with its topics."""

    set: str  # the file it is from
    turns: tuple[TopicTurn, ...]
    cuts: tuple[int, ...]  # positions at which a new topic begins, the first turn left out


@benchmark
def segments(data: Data) -> Figures:
    """Measure how well it is told where another topic begins, beside simpler methods.

    Example: python -m benchmarks segments --data dialogues/ --json figures.json
    """
    cases = load(data)
    for name in dict.fromkeys(case.set for case in cases):
        own = [case for case in cases if case.set == name]
        title = f"Topics of {len(own)} dialogues of {name}, %"
        for method, work in _methods(own).items():
            yield from cells(title, method, _scores(own, method, work))


def load(path: Path) -> list[Case]:
    """The dialogues of a file, or of all JSON files of a folder. Raises `InvalidInput`."""
    return read(path, "dialogues with topics", lambda name, entries: [_case(name, entry) for entry in entries])


def _case(name: str, entry: Mapping[str, Any]) -> Case:
    """The turns alternate between two speakers; who of them asks and who answers is not said."""
    turns = tuple(TopicTurn("AB"[at % 2], str(text)) for at, text in enumerate(entry["turns"]))
    ends = list(accumulate(int(length) for length in entry["segments"]))
    if not ends or ends[-1] != len(turns):
        raise ValueError("segments do not add up to the turns")
    return Case(set=name, turns=turns, cuts=tuple(ends[:-1]))


def _methods(own: Sequence[Case]) -> dict[str, Method]:
    """By name; some are given the mean length, the number of boundaries or how frequent they are."""
    length = sum(len(case.turns) for case in own) / sum(len(case.cuts) + 1 for case in own)

    def by_chance(case: Case, seed: int) -> list[int]:
        chance = random.Random(f"{seed} {case.turns[0].text}")
        return [at for at in range(1, len(case.turns)) if chance.random() < 1 / length]

    return {
        "onrecord": lambda case, _: boundaries(case.turns),
        "TextTiling": lambda case, _: text_tiling([turn.text for turn in case.turns]),
        "even, number known": lambda case, _: even(len(case.turns), len(case.cuts) + 1),
        "even, mean length": lambda case, _: even(len(case.turns), round(len(case.turns) / length)),
        "no boundary": lambda case, _: [],
        CHANCE: by_chance,
    }


def even(turns: int, parts: int) -> list[int]:
    """The cuts of so many parts of the same length."""
    return sorted({round(turns * part / parts) for part in range(1, parts)} - {0, turns}) if parts > 1 else []


def _scores(own: Sequence[Case], method: str, work: Method) -> dict[str, tuple[float, str]]:
    pks, differences, told, right, wanted, seconds = [], [], 0, 0, 0, 0.0
    for case in own:
        for seed in SEEDS if method == CHANCE else SEEDS[:1]:
            start = perf_counter()
            cuts = work(case, seed)
            seconds += perf_counter() - start
            pks.append(pk(case.cuts, cuts, len(case.turns)))
            differences.append(window_diff(case.cuts, cuts, len(case.turns)))
            told, right, wanted = told + len(cuts), right + len({*cuts} & {*case.cuts}), wanted + len(case.cuts)
    return {
        "Pk": (100 * fmean(pks), "%"),
        "WindowDiff": (100 * fmean(differences), "%"),
        "F1": (200 * right / max(1, told + wanted), "%"),
        "µs a turn": (seconds * 1e6 / sum(len(case.turns) for case in own), "µs"),
    }


# Measures


def pk(wanted: Sequence[int], told: Sequence[int], turns: int) -> float:
    """Beeferman's Pk: how often two turns, k apart, are wrongly said to be together or apart."""
    pairs = list(_windows(wanted, told, turns))
    return sum((first == 0) != (second == 0) for first, second in pairs) / len(pairs) if pairs else 0.0


def window_diff(wanted: Sequence[int], told: Sequence[int], turns: int) -> float:
    """WindowDiff of Pevzner and Hearst: how often the number of boundaries between two turns, k apart, is wrong."""
    pairs = list(_windows(wanted, told, turns))
    return sum(first != second for first, second in pairs) / len(pairs) if pairs else 0.0


def _windows(wanted: Sequence[int], told: Sequence[int], turns: int) -> Iterator[tuple[int, int]]:
    """For each two turns, k apart: the number of boundaries between them, as wanted and as told."""
    k = max(2, int(turns / (len(wanted) + 1) / 2 + 0.5))
    first, second = _topics(wanted, turns), _topics(told, turns)
    return ((first[at + k] - first[at], second[at + k] - second[at]) for at in range(turns - k))


def _topics(cuts: Sequence[int], turns: int) -> list[int]:
    """The number of each turn's topic."""
    marks = {*cuts}
    return list(accumulate(int(at in marks) for at in range(turns)))


# TextTiling


def text_tiling(texts: Sequence[str]) -> list[int]:
    """Hearst's TextTiling with turns for token sequences: how alike the blocks on both sides of each gap are, and
    boundaries where that falls deepest, by more than the mean depth less half its deviation. Nothing is smoothed, as
    there are few turns."""
    words = [Counter(lexemes(text)) for text in texts]
    alike = [
        _cosine(sum(words[max(0, at - BLOCK) : at], Counter()), sum(words[at : at + BLOCK], Counter()))
        for at in range(1, len(texts))
    ]
    depths = [_depth(alike, at) for at in range(len(alike))]
    if not depths:
        return []
    cutoff = max(0.0, fmean(depths) - pstdev(depths) / 2)
    valleys = [
        at for at, depth in enumerate(depths) if depth > cutoff and depth >= max(depths[max(0, at - 1) : at + 2])
    ]
    return [at + 1 for at, before in zip(valleys, [-2, *valleys], strict=False) if at - before > 1]


def _cosine(first: Counter[int], second: Counter[int]) -> float:
    length = sqrt(sum(n * n for n in first.values()) * sum(n * n for n in second.values()))
    return sum(n * second[word] for word, n in first.items()) / length if length else 0.0


def _depth(alike: Sequence[float], at: int) -> float:
    """How far it climbs on both sides of a gap before it falls again."""
    left = right = at
    while left and alike[left - 1] >= alike[left]:
        left -= 1
    while right + 1 < len(alike) and alike[right + 1] >= alike[right]:
        right += 1
    return alike[left] + alike[right] - 2 * alike[at]
