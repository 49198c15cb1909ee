"""Made-up conversation for measuring: the same words in the same order every time, with everyday frequencies; and
vectors that cost nothing."""

import random
from collections.abc import Iterator, Sequence
from hashlib import shake_128
from itertools import accumulate, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from onrecord.records import Role

_COMMON_WORDS = """
the to and a of in is it you that for on we i with this be have are as was but not at so they can if or what
there all do from about my just me like up out one would when know some time no get your will by think good how
more then now them her him he she has had been were could should see make go come want need look back over after
before really very well also two three first last day week month year morning evening today tomorrow yesterday
monday friday may june summer winter work home house room door street city train flight hotel ticket table
dinner lunch breakfast coffee bread fish meat price money card bank bill plan list note question answer reason
idea problem example story book page word name number phone message letter mail file code test error server data
model user team meeting project report result change start stop end open close read write call send find keep
give take bring leave stay move live book pay buy sell learn teach help ask tell say talk hear feel hope wait
try use show turn small large long short new old high low early late fast slow warm cold happy sorry sure right
wrong easy hard free full friend family mother father sister brother child doctor teacher neighbour people
person man woman garden window kitchen school office park river sea
"""
# Behind them come made-up ones, as rare words of a language: names, terms, misspellings.
_ONSETS = ("b", "ch", "d", "f", "gr", "h", "k", "l", "m", "n", "p", "r", "s", "st", "t", "v")
_ENDS = ("a", "al", "an", "e", "en", "er", "i", "in", "ing", "o", "on", "or", "u", "um")
_TURNS: tuple[Role, ...] = ("user", "assistant")
_VOCABULARY = 20_000
_WORDS = (8, 32)  # a message has about twenty words


def messages(seed: int = 1) -> Iterator[tuple[Role, str]]:
    """Endless (role, text) pairs, user and assistant in turn."""
    source = random.Random(seed)
    words = list(dict.fromkeys([*_COMMON_WORDS.split(), *islice(_words(source), _VOCABULARY)]))[:_VOCABULARY]
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


class FreeEmbedder:
    """An embedder that costs microseconds: a text's vector is its hash, stretched. Every text is as far from every
    other, so only what is done with vectors is timed."""

    name = "free@1"
    dimension = 384  # as the local encoder's

    def embed(self, texts: Sequence[str]) -> NDArray[Any]:
        """A row of length 1 for each text."""
        drawn = b"".join(shake_128(text.encode("utf-8", "surrogatepass")).digest(self.dimension) for text in texts)
        rows = np.frombuffer(drawn, np.uint8).reshape(-1, self.dimension).astype(np.float32) - np.float32(127.5)
        return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))
