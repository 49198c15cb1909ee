"""What evidence is worth where tokens are short."""

from __future__ import annotations

from math import log

__all__ = ["worth"]

_FRAME = 5  # tokens that a line takes beside what it says
_BREVITY = 0.7  # how much a score loses when a text is e times as long: short evidence leaves room for more


def worth(score: float, tokens: int) -> float:
    """A score with the length of the text counted against it.

    >>> worth(7.0, 20) > worth(7.2, 40)
    True
    """
    return score - _BREVITY * log(tokens + _FRAME)
