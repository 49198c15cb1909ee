"""Texts, however they are made: every reader of text takes them, and none longer than their length justifies."""

from __future__ import annotations

import time
from itertools import islice
from random import Random

from tests.hostile.grammar import kinds, texts
from tests.hostile.growth import A_MEGABYTE, growth
from tests.hostile.readers import Read, text_functions
from tests.hostile.trial import Trial

__all__ = ["WEIGHT", "case"]

WEIGHT = 0.3
SIZES = (10_000, 100_000, 1_000_000)
SHORT = 0.2  # seconds that any text may take

_FUNCTIONS = text_functions()
_KINDS = [name for name, _ in kinds(100)]


def case(trial: Trial) -> None:
    """How one function's time grows with one kind of text; or small texts to all functions."""
    if trial.random.random() < 0.2:
        name, kind = trial.random.choice(list(_FUNCTIONS)), trial.random.choice(_KINDS)
        trial.inputs += len(SIZES)
        found = growth(_FUNCTIONS[name], kind, SIZES)
        trial.ensure(not found.fault, f"{name}: {found.fault}")
        return
    size = trial.random.choice((10, 100, 300, 300, 1_000, 10_000))
    mixed = list(islice(texts(trial.random.randrange(2**60), size), 5))
    for text in (*mixed, *(mutated(text, trial.random) for text in mixed)):
        for name, function in _FUNCTIONS.items():
            trial.inputs += 1
            try:
                _timed(trial, name, function, text)
            except Exception as error:
                error.add_note(f"{name} of {ascii(text)[:2_000]}")
                raise


def mutated(text: str, random: Random) -> str:
    """The text with a few parts of it moved, doubled or left out, or something else in their place."""
    for _ in range(random.randrange(1, 6)):
        start = random.randrange(len(text) + 1)
        end = min(len(text), start + random.choice((1, 1, 3, 20)))
        other = random.randrange(len(text) + 1)
        middle = random.choice(("", text[start:end] * 2, text[other : other + 10], chr(random.randrange(1, 0xD800))))
        text = text[:start] + middle + text[end:]
    return text


def _timed(trial: Trial, name: str, function: Read, text: str) -> None:
    """Read a text; what seems slow is read three times, and the shortest counts."""
    taken = float("inf")
    for _ in range(3):
        began = time.thread_time()
        function(text)
        taken = min(taken, time.thread_time() - began)
        if taken < SHORT + A_MEGABYTE * len(text) / 1e6 or taken > 5:
            break
    trial.ensure(taken < SHORT + A_MEGABYTE * len(text) / 1e6, f"{name}: {taken:.2f} s for {len(text):,} characters")
