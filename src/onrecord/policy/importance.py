"""How much a message matters, from 0 to 1, by simple signs in its text.

Two rules share one table of signs and weights. `loose_importance` looks for them anywhere, as the hybrid design
does ("classic" counts as code). `importance` looks for whole words, so that it does not. `telling_importance` asks
something else: would anyone look for this again? Questions raise the first two and lower the third.
"""

from __future__ import annotations

import re

from onrecord.records import Role

__all__ = ["importance", "loose_importance", "telling_importance"]

BASE = 0.5
QUESTION, CODE, TROUBLE, LONG, ASSISTANT = 0.2, 0.15, 0.1, 0.1, 0.05
LONG_FROM = 200

TELLING_BASE, TELLS, FIGURE, NAMED, ASKS, SHORT = 0.4, 0.25, 0.1, 0.1, 0.15, 0.2
SHORT_UNDER = 25
_TELLING = (
    *(
        "i'm ",
        "i am ",
        "i have ",
        "i've ",
        "i was ",
        "my ",
        "we're ",
        "we have ",
        "our ",
        "i live",
        "i work",
        "i moved",
    ),
    *("prefer", "favorite", "favourite", "allerg", "always ", "never ", "don't eat", "hate ", "birthday", "call me "),
    *("decided", "agreed", "chose ", "booked", "deadline", "appointment", "remember ", "important", "must ", "planned"),
)
_FIGURE = re.compile("[0-9]")
_NAME = re.compile("[a-z,] [A-Z][a-z]")
_OPENINGS = ("what", "how", "why")
_OPENING_WORD = re.compile(r"\s*(?:what|how|why)\b")
_CODE_WORD = re.compile(r"```|\bfunctions?\b|\bclass(?:es)?\b")
_TROUBLE_WORD = re.compile(r"\b(?:error|problem|issue)s?\b")


def loose_importance(role: Role, text: str) -> float:
    """The hybrid design's score: substring tests, case-insensitive."""
    low = text.lower()
    return _scored(
        role,
        text,
        question="?" in low or low.startswith(_OPENINGS),
        code=_code(low),
        trouble=_trouble(low),
    )


def importance(role: Role, text: str) -> float:
    """The same signs by whole words. The substring tests go first: they are ten times cheaper and mostly say no."""
    low = text.lower()
    return _scored(
        role,
        text,
        question="?" in low or _OPENING_WORD.match(low) is not None,
        code=_code(low) and _CODE_WORD.search(low) is not None,
        trouble=_trouble(low) and _TROUBLE_WORD.search(low) is not None,
    )


def telling_importance(role: Role, text: str) -> float:
    """How much a message tells that lasts: what people are, want, own and decided, with names and figures."""
    low = text.lower()
    score = (
        TELLING_BASE
        + TELLS * any(map(low.__contains__, _TELLING))
        + FIGURE * (_FIGURE.search(text) is not None)
        + NAMED * (_NAME.search(text) is not None)
        + LONG * (len(text) > LONG_FROM)
        - ASKS * low.endswith("?")
        - SHORT * (len(text) < SHORT_UNDER)
    )
    return min(1.0, max(0.1, round(score, 2)))


def _code(low: str) -> bool:
    return "```" in low or "function" in low or "class" in low


def _trouble(low: str) -> bool:
    return "error" in low or "problem" in low or "issue" in low


def _scored(role: Role, text: str, *, question: bool, code: bool, trouble: bool) -> float:
    score = (
        BASE
        + QUESTION * question
        + CODE * code
        + TROUBLE * trouble
        + LONG * (len(text) > LONG_FROM)
        + ASSISTANT * (role == "assistant")
    )
    return min(1.0, round(score, 2))
