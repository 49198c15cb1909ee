"""What evidence is worth where tokens are short, and how likely it must be to be worth any."""

from __future__ import annotations

from math import log

__all__ = ["CONFIDENT", "SURE", "pays", "share_of_recall", "worth"]

CONFIDENT, SURE = 0.35, 0.8
"""The confidence below which nothing was found that bears on a question, and from which on a prompt recalls as much as
is likely. A higher one loses answers, a lower one recalls for talk: the benchmarks `recall` and `prompts` show it."""

_FRAME = 5  # tokens that a line takes beside what it says
_BREVITY = 0.7  # how much a score loses when a text is e times as long: short evidence leaves room for more
_LEAST = 0.003  # probability of a line, however short it is
_WORTH = 20_000  # tokens that a message which bears on the question is worth; fewer lose evidence at small budgets


def worth(score: float, tokens: int) -> float:
    """A score with the length of the text counted against it.

    >>> worth(7.0, 20) > worth(7.2, 40)
    True
    """
    return score - _BREVITY * log(tokens + _FRAME)


def pays(probability: float, tokens: int) -> bool:
    """Whether a line is likely enough for its length to stand in a prompt.

    >>> pays(0.02, 40), pays(0.02, 800)
    (True, False)
    """
    return probability >= max(_LEAST, tokens / _WORTH)


def share_of_recall(confidence: float | None) -> float:
    """How much of what a prompt may recall it does recall, from 0 to 1, so that a weak guess costs little.

    >>> share_of_recall(0.35), round(share_of_recall(0.575), 2), share_of_recall(0.9), share_of_recall(None)
    (0.0, 0.5, 1.0, 1.0)
    """
    return 1.0 if confidence is None else max(0.0, min(1.0, (confidence - CONFIDENT) / (SURE - CONFIDENT)))
