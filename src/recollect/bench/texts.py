"""Made-up conversation for measuring: the same words in the same order every time, with everyday frequencies."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import accumulate, islice

from recollect.records import Role

__all__ = ["messages"]

_ONSETS = ("b", "ch", "d", "f", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v")
_ENDS = ("a", "al", "an", "e", "en", "er", "i", "in", "ing", "o", "on", "or", "u", "um")
_TURNS: tuple[Role, ...] = ("user", "assistant")
_VOCABULARY = 20_000
_WORDS = (8, 32)  # a message has about twenty words


def messages(seed: int = 1) -> Iterator[tuple[Role, str]]:
    """Endless (role, text) pairs, user and assistant in turn."""
    source = random.Random(seed)
    words = list(islice(_words(source), _VOCABULARY))
    weights = list(accumulate(1 / (rank + 3) for rank in range(_VOCABULARY)))  # as in any language: Zipf's law
    while True:
        for role in _TURNS:
            chosen = source.choices(words, cum_weights=weights, k=source.randint(*_WORDS))
            yield role, " ".join(chosen).capitalize() + "."


def _words(source: random.Random) -> Iterator[str]:
    seen: set[str] = set()
    while True:
        word = "".join(source.choice(_ONSETS) + source.choice(_ENDS) for _ in range(source.randint(1, 4)))
        if word not in seen:
            seen.add(word)
            yield word
