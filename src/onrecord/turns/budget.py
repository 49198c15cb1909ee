"""How many tokens a prompt may have where the request names no budget: the profile's own; without one, what the client
itself sent and an allowance for memory; but no more than the model's window leaves next to the answer and the tools."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from onrecord.models.tokenizers import PER_CALL, counter_for
from onrecord.ports import Counter
from onrecord.turns.families import UNKNOWN, bare_name, window_of
from onrecord.turns.saying import is_other

__all__ = ["ALLOWANCE", "LEAST", "PER_PART", "budget_for", "usual_budget"]

LEAST = 256
"""Tokens that a prompt is always given."""

PER_PART = 1_600
"""Tokens taken for an image or another part that is no text: what a large picture costs; a long document costs more."""

SHARE = 8  # the answer gets one part of so many of the window
MOST = 4_096  # and at most so many tokens


ALLOWANCE = 8_000
"""Tokens that memory may add to what the client sent: a window of a million is no reason to fill it with every turn."""

BYTES = 3  # of a token, at least: what the client sent is not counted, that would take longer than all else


def usual_budget(body: Mapping[str, Any], own: int | None = None) -> tuple[int, list[str]]:
    """The tokens for the prompt of a request that names no budget, and what is uncertain about them; `own`: the budget
    of the profile, if it has one for chat requests."""
    most, warnings = budget_for(body)
    known = window_of(str(body.get("model") or "")) is not None
    if own is not None:
        return (min(most, own), warnings) if known else (own, [])
    sent = sum(len(_json(message).encode("utf-8", "replace")) for message in _listed(body.get("messages")))
    if not known:
        return sent // 2 + ALLOWANCE, []  # who knows; nothing that the client sent is cut
    return min(most, sent // BYTES + ALLOWANCE), warnings


def budget_for(body: Mapping[str, Any]) -> tuple[int, list[str]]:
    """The tokens that the model's window leaves for a prompt, and what is uncertain about them."""
    model = str(body.get("model") or "")
    window = window_of(model)
    warnings = []
    if window is None:
        window = UNKNOWN
        warnings.append(f"The window of the model is not known: {UNKNOWN:,} tokens are assumed.")
    left = window - _reserve(body, window) - _beside(body, counter_for(bare_name(model))) - _parts(body)
    if left < LEAST:
        warnings.append("The answer and the tools leave hardly any room for the prompt.")
    return max(LEAST, left), warnings


def _reserve(body: Mapping[str, Any], window: int) -> int:
    """What the answer may take."""
    for name in ("max_completion_tokens", "max_tokens"):
        given = body.get(name)
        if isinstance(given, int) and not isinstance(given, bool) and given > 0:
            return given
    return min(MOST, window // SHARE)


def _beside(body: Mapping[str, Any], counter: Counter) -> int:
    """What tools and the form of the answer take: their compact JSON, and as much for each as a call has around it."""
    tools = [tool for name in ("tools", "functions") for tool in _listed(body.get(name))]
    wanted = [*tools, *([body["response_format"]] if isinstance(body.get("response_format"), Mapping) else [])]
    return sum(counter.text(_json(one)) + PER_CALL for one in wanted)


def _parts(body: Mapping[str, Any]) -> int:
    """What images of the newest user message take."""
    users = [one for one in _listed(body.get("messages")) if isinstance(one, Mapping) and one.get("role") == "user"]
    return PER_PART * sum(map(is_other, _listed(users[-1].get("content")))) if users else 0


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else ()


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except (ValueError, TypeError, RecursionError):
        return str(value)
