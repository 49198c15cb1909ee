"""Counts of tokens: exact where the model's vocabulary is known, otherwise by an upper estimate that says so.

`counter_for(model)` finds the counter by the model's name. Vocabularies come with the `splintr` package: they are read
on first use, once per process, without a network. Text is always counted as plain text: "<|endoftext|>" in a message
is seven tokens of text, never a control token.

The chat format, which wraps each message, is counted beside the text. For OpenAI's models it is

    message   3 + tokens(role) + tokens(text) + (with a name: tokens(name) + 1)
    prompt    3 once, which start the reply

Other families have templates of their own, which also differ between servers; for them a bound per message and per
prompt is counted (`Frame`), as for tool calls everywhere: the JSON of the call as it is sent, and `PER_CALL`.
"""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil
from threading import Lock

from onrecord.ports import Counter
from onrecord.records import ROLES, Role, ToolCall

__all__ = ["DEFAULT", "ESTIMATE", "PER_CALL", "VOCABULARIES", "Frame", "counter_for"]

DEFAULT = "o200k_base"
"""What counts when no model is named."""

ESTIMATE = "estimate"
"""The encoding of a count that is an upper estimate."""

PER_CALL = 24
"""Added to the JSON of each tool call: the marks around the call and around its result."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What a chat template adds."""

    plain: Mapping[str, int]  # to a message, by its role
    named: int  # to a message with a name, beside the name's own tokens
    priming: int  # to the prompt: its start, the start of the reply, what the template says by itself


def _frame(message: int, tool: int, named: int, priming: int) -> Frame:
    return Frame(plain={role: tool if role == "tool" else message for role in ROLES}, named=named, priming=priming)


# Every role is one token in both of OpenAI's vocabularies, so 3 + tokens(role) is 4.
_OPENAI = _frame(message=4, tool=4, named=1, priming=3)
# Marks that are one token each: at most five a message. Results of tools are wrapped twice, with an id or in words.
# The templates of Llama 3.1 (the date) and Qwen 2.5 (who it is) write a system message of their own: 30 tokens in all.
_MARKED = _frame(message=8, tool=24, named=2, priming=48)
# gpt-oss always gets a system message: who it is, the date, how much to reason, which channels there are.
_HARMONY = _frame(message=8, tool=24, named=2, priming=128)
# Marks that are spelled out in ordinary tokens ("[INST]", "<<SYS>>", "<|user|>"), and all models we know nothing of.
_SPELLED = _frame(message=16, tool=32, named=2, priming=64)

VOCABULARIES: Mapping[str, Frame] = {
    "o200k_base": _OPENAI,
    "cl100k_base": _OPENAI,
    "gpt-oss": _HARMONY,
    "codellama": _SPELLED,
    "deepseek_v3": _MARKED,
    "gemma2": _MARKED,
    "gemma3": _MARKED,
    "gemma4": _MARKED,
    "glm4": _MARKED,
    "kimi_k2": _MARKED,
    "kimi_k3": _MARKED,
    "llama2": _SPELLED,
    "llama3": _MARKED,
    "mistral_v2": _SPELLED,
    "mistral_v3": _MARKED,
    "olmo2": _SPELLED,
    "phi4": _MARKED,
    "qwen3": _MARKED,
}
"""The vocabularies we can count with, and the chat format of the models that use them."""

# How a model's name begins (lower case, without the provider) → its vocabulary. The first that matches counts; no match
# means an estimate. A name stands here only if it is known to use exactly this vocabulary: Phi-4-mini, Llama 4,
# Gemma 3n and Qwen 3.5 have others than their names suggest, and "deepseek-r1" alone is also what some servers call its
# small copies, which are Qwen or Llama underneath.
_MODELS: tuple[tuple[str, str], ...] = (
    (r"gpt-oss", "gpt-oss"),
    (r"(chat)?gpt-4o|gpt-4\.[15]|gpt-5|o[134](-|$)", "o200k_base"),
    (r"gpt-4(-|$)|gpt-3\.?5|text-embedding-(3|ada-002)", "cl100k_base"),
    (r"deepseek-r1-distill-llama|(meta-)?llama-?3(?!\d)", "llama3"),
    (r"deepseek-r1-distill-qwen|qwen-?(2|2\.5|3)(?![.\d]|-max|-plus)|qwq", "qwen3"),
    (r"deepseek-(v3(?!\d)|r1-0528$|r1:671b)", "deepseek_v3"),
    (r"code-?llama", "codellama"),
    (r"(meta-)?llama-?2(?!\d)|tinyllama|vicuna", "llama2"),
    (r"(open-)?mistral-nemo|pixtral-12b", "mistral_v3"),
    # Versions 1 and 2 differ in their control tokens alone, so one counts for both.
    (r"(open-)?mistral(-7b|:|$)|(open-)?mixtral|codestral[-:]22b", "mistral_v2"),
    (r"gemma-?2(?!\d)", "gemma2"),
    (r"gemma-?3(?!\d|n)", "gemma3"),
    (r"gemma-?4(?!\d)", "gemma4"),
    (r"kimi-k2", "kimi_k2"),
    (r"kimi-k3", "kimi_k3"),
    (r"glm-?4(-9b|-32b|:|$)|glm-?4\.5(?!\d)", "glm4"),
    (r"phi-?4(-reasoning(-plus)?)?(:|$)", "phi4"),
    (r"olmo-?2(?!\d)", "olmo2"),
)
_TABLE = tuple((re.compile(pattern), vocabulary) for pattern, vocabulary in _MODELS)


def counter_for(model: str | None) -> Counter:
    """Return the counter of a model, by its name, or of an encoding, by its own; unknown models get the estimate.

    Provider, tag and case do not matter: "openrouter/meta-llama/Llama-3.1-8B-Instruct", "ollama/llama3.2:3b".
    """
    return _counter(_vocabulary_of(model) if model else DEFAULT)


@lru_cache(maxsize=256)
def _vocabulary_of(model: str) -> str:
    name = re.split(r"[/\\]", model.strip().lower())[-1].removeprefix("ft:")
    if name in VOCABULARIES:
        return name
    return next((vocabulary for pattern, vocabulary in _TABLE if pattern.match(name)), ESTIMATE)


@cache
def _counter(encoding: str) -> TokenCounter:
    return TokenCounter(encoding)


Encode = Callable[[str], Sequence[int]]
_encoders: dict[str, Encode] = {}
_loading = Lock()


def _encoder(vocabulary: str) -> Encode:
    """Return the vocabulary's encoder, read once and shared by all threads."""
    if vocabulary not in _encoders:
        with _loading:
            if vocabulary not in _encoders:
                from splintr import Tokenizer  # here, so that importing onrecord stays quick

                # `encode` and its faster sibling `encode_flat` turn text that looks like a control token into one.
                _encoders[vocabulary] = Tokenizer.from_pretrained(vocabulary).encode_ordinary
    return _encoders[vocabulary]


def _bytes_bound(text: str) -> int:
    """Return what no vocabulary exceeds: one token a byte, and one for the space that some put in front."""
    return (len(text) if text.isascii() else len(text.encode("utf-8", "replace"))) + 1


class TokenCounter:
    """Counts tokens in one vocabulary, or estimates them; never raises, and counts bytes where nothing else can.

    The estimate is more than any vocabulary is likely to need, for models whose own is not published: Claude's newer
    tokenizers are reported at up to 1.75 times o200k_base on English and documentation, less on code and other scripts.
    What o200k_base is unusually good at (numbers, line breaks, Hindi, Greek …) others are not, so the most that four
    very different vocabularies need counts too, with a quarter more for those not seen. Over 170 000 texts (sentences
    in a hundred languages, code, every character by itself, random mixtures) this was at least what each vocabulary we
    have needs, but for five long runs of one odd character (†, U+2002 …).
    """

    __slots__ = ("_encode", "_frame", "_warned", "encoding")

    _WITNESSES = ("cl100k_base", "llama2", "mistral_v2", "mistral_v3")

    def __init__(self, encoding: str) -> None:
        self.encoding = encoding  # the vocabulary's name, or ESTIMATE
        self._frame = VOCABULARIES.get(encoding, _SPELLED)
        self._encode: Encode | None = None
        self._warned = False

    @property
    def exact(self) -> bool:
        return self.encoding != ESTIMATE

    @property
    def priming(self) -> int:
        return self._frame.priming

    def overhead(self, role: Role, name: str | None = None, tool_calls: Sequence[ToolCall] = ()) -> int:
        tokens = self._frame.plain[role]
        if name:
            tokens += self.text(name) + self._frame.named
        for call in tool_calls:
            tokens += self.text(_wire(call)) + PER_CALL
        return tokens

    def text(self, text: str) -> int:
        if not text:
            return 0
        try:
            if self._encode is not None:
                return len(self._encode(text))
            return self._read_and_count(text)
        except BaseException as error:  # noqa: BLE001 - a panic inside the tokenizer is no Exception; interrupts go on
            return self._rescue(text, error)

    def _read_and_count(self, text: str) -> int:
        if self.exact:
            try:
                self._encode = _encoder(self.encoding)
            except Exception:  # it is not tried again, and what is counted is no longer called exact
                self.encoding = ESTIMATE
                raise  # to the warning
            return len(self._encode(text))
        base = len(_encoder(DEFAULT)(text))
        most = max(len(_encoder(vocabulary)(text)) for vocabulary in self._WITNESSES)
        return min(ceil(max(1.75 * base, 1.25 * most)) + 2, _bytes_bound(text))

    def _rescue(self, text: str, error: BaseException) -> int:
        """Count a text that the tokenizer refused."""
        if isinstance(error, UnicodeEncodeError):  # lone surrogates; the journal keeps the text in this form
            return self.text(text.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))
        if not isinstance(error, Exception) and type(error).__name__ != "PanicException":
            raise error  # an interrupt, not a failure
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"Tokens cannot be counted ({type(error).__name__}: {error}), so bytes are, which is more. "
                "Reinstall splintr-rs.",
                RuntimeWarning,
                stacklevel=3,
            )
        return _bytes_bound(text)


def _wire(call: ToolCall) -> str:
    function = {"name": call.name, "arguments": call.arguments}
    return json.dumps({"id": call.id, "type": "function", "function": function}, ensure_ascii=False)
