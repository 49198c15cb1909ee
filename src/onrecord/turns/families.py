"""What is known of models by how their names begin: how many tokens they read."""

from __future__ import annotations

import re
from functools import cache

__all__ = ["UNKNOWN", "bare_name", "window_of"]

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


@cache
def _table() -> tuple[tuple[re.Pattern[str], int], ...]:
    return tuple((re.compile(pattern), window) for pattern, window in _WINDOWS)


def bare_name(model: str) -> str:
    """A model's name without its provider, in small letters."""
    return re.split(r"[/\\]", model.strip().lower())[-1].removeprefix("ft:")


def window_of(model: str) -> int | None:
    """How many tokens a model reads and writes together; None: it is not known."""
    name = re.sub(r"^(?:\w+\.)*(?=claude|nova-|llama)", "", bare_name(model))
    sized = re.search(r"(?:^|[-_:])(\d{1,4})k(?:$|[-_:])", name)
    found = next((window for pattern, window in _table() if pattern.match(name)), None)
    return int(sized[1]) * 1_000 if sized else found
