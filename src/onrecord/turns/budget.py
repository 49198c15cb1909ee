"""How many tokens a prompt may have where the request names no budget: the profile's own; without one, what the client
itself sent and an allowance for memory; but no more than the model's window leaves next to the answer and the tools."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from onrecord.models.tokenizers import PER_CALL, counter_for
from onrecord.ports import Counter
from onrecord.turns.saying import is_other

__all__ = ["ALLOWANCE", "LEAST", "PER_PART", "bare_name", "budget_for", "usual_budget", "window_of"]

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
    return sum(counter.text(_json(part)) + PER_CALL for part in wanted)


def _parts(body: Mapping[str, Any]) -> int:
    """What images of the newest user message take."""
    messages = [message for message in _listed(body.get("messages")) if isinstance(message, Mapping)]
    users = [message for message in messages if message.get("role") == "user"]
    return PER_PART * sum(map(is_other, _listed(users[-1].get("content")))) if users else 0


def _listed(value: object) -> Sequence[Any]:
    return value if isinstance(value, Sequence) and not isinstance(value, (str, bytes)) else ()


def _json(value: object) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)
    except (ValueError, TypeError, RecursionError):
        return str(value)


# Windows of models, by how their names begin

UNKNOWN = 8_192
"""The window of a model that is not known."""

# The first that matches counts. Where versions differ, the least of them stands here.
_WINDOWS: tuple[tuple[str, int], ...] = (
    (r"gpt-4\.1", 1_047_576),
    (r"gpt-5.*-chat|(chat)?gpt-4o|gpt-4\.5|gpt-4-(turbo|1106|0125)", 128_000),
    (r"gpt-5", 400_000),
    (r"gpt-oss", 131_072),
    (r"gpt-4-32k", 32_768),
    (r"gpt-4", 8_192),
    (r"gpt-3\.?5", 16_385),
    (r"o1-(mini|preview)", 128_000),
    (r"o[134](-|$)", 200_000),
    (r"claude", 200_000),
    (r"gemini-(1\.5|[2-9])", 1_048_576),
    (r"gemini", 32_768),
    (r"gemma-?2", 8_192),
    (r"gemma-?3.*1b", 32_768),
    (r"gemma-?[34]", 131_072),
    (r"(meta-)?llama-?4", 1_048_576),
    (r"(meta-)?llama-?3[.-][123]", 131_072),
    (r"(meta-)?llama-?3", 8_192),
    (r"(meta-)?llama-?2|vicuna", 4_096),
    (r"tinyllama", 2_048),
    (r"code-?llama", 16_384),
    (r"codestral[-:]22b|(open-)?mistral(-7b|:|$)|(open-)?mixtral-8x7b|mixtral(:|$)", 32_768),
    (r"(open-)?mixtral-8x22b", 65_536),
    (r"(open-)?(mi|mini)stral|magistral|pixtral|codestral|devstral", 131_072),
    (r"qwen-?3(?!\.?\d)|qwen-?2(?!\.?\d)", 32_768),
    (r"qwen-?2\.5|qwq", 32_768),
    (r"qwen", 131_072),
    (r"deepseek", 65_536),
    (r"kimi-k[23]", 131_072),
    (r"glm-?4\.[5-9]", 131_072),
    (r"glm-?4", 32_768),
    (r"grok-[2-9]", 131_072),
    (r"command-(r|a)", 128_000),
    (r"phi-?4", 16_384),
    (r"phi-?3", 4_096),
    (r"nova-", 128_000),
)


def bare_name(model: str) -> str:
    """A model's name without its provider, in small letters."""
    return re.split(r"[/\\]", model.strip().lower())[-1].removeprefix("ft:")


def window_of(model: str) -> int | None:
    """How many tokens a model reads and writes together; None: it is not known."""
    name = re.sub(r"^(?:\w+\.)*(?=claude|nova-|llama)", "", bare_name(model))
    sized = re.search(r"(?:^|[-_:])(\d{1,4})k(?:$|[-_:])", name)
    found = next((window for pattern, window in _WINDOWS if re.match(pattern, name)), None)
    return int(sized[1]) * 1_000 if sized else found
