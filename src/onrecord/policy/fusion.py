"""How much each signal counts in a search: one table, one sum.

Every signal of a passage is a number, mostly from 0 to 1; its score is the sum of signal times weight, and a message's
score is that of its best passage. The benchmark `fit` learns the weights from labelled conversations; docs/search.md
says how, and from which.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from onrecord.errors import InvalidInput, shown

__all__ = ["NO_NAMES", "NO_VECTORS", "WEIGHTS", "default_weights", "with_weights"]

WEIGHTS: Mapping[str, float] = {
    "words": 0.6,  # BM25
    "near": 3.5,  # share of the question's words, by rarity, that stand there or up to six passages away
    "meaning": 7.5,  # cosine with the question
    "around": 3.8,  # the same for the passage together with its two neighbours
    "speaker": 0.9,  # 1 if who said it is asked about, -1 if somebody else is
    "self": 1.0,  # 1 if the message speaks of its speaker: I, my, we
    "time": 2.0,  # 1 within the time that the question names, falling with distance
}
"""All learned with the local encoder, but for two set by hand: `time`, because in the conversations to learn from dates
do not fit the questions, and `words` (0.4 was learned), so that a rare word finds the message that has it."""


OTHERS: Mapping[str, float] = {"near": 2.6, "meaning": 5.5, "around": 3.8, "speaker": 1.2, "self": 1.4}
"""What changes with an embedder that does not know names; learned likewise, with the encoder that ours began as."""

BY_WORDS: Mapping[str, float] = {"words": 1.6, "near": 4.3, "speaker": 1.2, "self": 1.4}
"""What changes where there are no vectors; learned in the same way, without them."""

BY_ROLE: Mapping[str, float] = {"words": 0.7, "meaning": 7.0, "around": 5.5, "speaker": 0.8, "self": 0.4}
"""What changes where a user talks with an assistant and no name is asked about: either may have said it. Chosen on a
grid around what `python -m benchmarks fit` learns from such conversations, so that none of them loses."""

BY_ROLE_AND_WORDS: Mapping[str, float] = {"words": 1.4, "near": 4.3, "speaker": 0.9, "self": 0.3}
"""What changes there without vectors."""


NO_VECTORS, NO_NAMES = "no vectors", "by an embedder that knows no names"
"""What a search says of its vectors, where its weights are not the usual ones."""


def default_weights(vectors: str, *, by_role: bool = False) -> dict[str, float]:
    """The weights of a search that says this of its vectors."""
    if vectors == NO_VECTORS:
        return {**WEIGHTS, **(BY_ROLE_AND_WORDS if by_role else BY_WORDS)}
    if vectors.endswith(NO_NAMES):
        return {**WEIGHTS, **OTHERS, **({"speaker": BY_ROLE["speaker"], "self": BY_ROLE["self"]} if by_role else {})}
    return {**WEIGHTS, **(BY_ROLE if by_role else {})}


def with_weights(defaults: Mapping[str, float], given: Mapping[str, Any] | None) -> dict[str, float]:
    """The weights, some of them replaced."""
    found = dict(defaults)
    for name, value in (given or {}).items():
        if name not in found:
            raise InvalidInput(f"There is no signal {name!r}.", f"There are {', '.join(found)}.")
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e6:
            raise InvalidInput(
                f"The weight {name}={shown(value)} does not fit.", "Give 0, to leave the signal out, or more."
            )
        found[name] = float(value)
    if not any(found.values()):
        raise InvalidInput("Every signal has the weight 0.", "Leave one of them, or all of them, as they are.")
    return found
