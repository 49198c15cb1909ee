"""Counting tokens: to the token against an independent tokenizer, bounded where it cannot be exact, never an error."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai as independent

from onrecord.models import tokenizers
from onrecord.models.tokenizers import ESTIMATE, PER_CALL, VOCABULARIES, counter_for
from onrecord.policy.estimates import quarter, three_quarters
from onrecord.records import ROLES, Role, ToolCall

PYTHON = '''\
async def fetch(url: str, *, retries: int = 3) -> bytes:
    """Read a page, patiently."""
    for attempt in range(retries):
        try:
            async with session.get(url, timeout=2 ** attempt) as answer:
                return await answer.read()
        except (TimeoutError, OSError) as error:
            log.warning("attempt %d of %d: %r", attempt + 1, retries, error)
    raise ConnectionError(f"{url!r} did not answer in {retries} attempts")
'''
C = """\
#include <stdint.h>
static inline uint32_t rotl(uint32_t x, int k) { return (x << k) | (x >> (32 - k)); }
int main(int argc, char **argv) {
\tfor (int i = 0; i < argc; ++i) printf("%-16s\\t0x%08X\\n", argv[i], rotl(0xDEADBEEFu, i));
\treturn 0;  /* ==================================================== */
}
"""
JAVASCRIPT = "const sum = xs => xs.reduce((a, b) => a + b, 0);\n\nexport default { sum, };\n// TODO(ana): ünïcödé ✓\n"
HASKELL = "quicksort (p:xs) = quicksort [x | x <- xs, x < p] ++ [p] ++ quicksort [x | x <- xs, x >= p]\n"
SQL = "SELECT m.seq, COUNT(*) FROM messages AS m WHERE m.space = 'ana' GROUP BY 1 HAVING COUNT(*) > 1 ORDER BY 2 DESC;"
HTML = '<ul class="nav nav-pills">\n  <li><a href="/a?b=1&amp;c=%20d#e">one</a></li>\n\n\n</ul><!-- end -->'
YAML = "services:\n    web:\n        image: nginx:1.27.3-alpine\n        ports: ['8080:80', \"443:443\"]\n"

CORPUS = {
    "english": "I'm allergic to penicillin. We'll fly to Lisbon on 5 May — don't let me forget the doctor's letter!",
    "shouting": "I'M SURE THEY'VE LEFT; WE'LL SEE. camelCaseIdentifiers and SCREAMING_SNAKE_CASE, iPhone15ProMax",
    "long word": "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft",
    "python": PYTHON,
    "c": C,
    "javascript": JAVASCRIPT,
    "haskell": HASKELL,
    "sql": SQL,
    "html": HTML,
    "yaml": YAML,
    "json": json.dumps({"a": [1, 2.5e-10, None, True], "b": {"c": 'd\n"e"'}}, indent=2),
    "german": "Die Straße ist gesperrt; fährst du über Köln? Größe 42 passt.",
    "french": "L'été dernier, où étiez-vous ? « À Bordeaux », répondit-elle.",
    "polish": "Zażółć gęślą jaźń. Wszystkiego najlepszego!",
    "turkish": "İstanbul'da ılık bir gün; ĞÜŞİÖÇ ğüşıöç",
    "vietnamese": "Tôi bị dị ứng với penicillin. Chúng ta bay đến Lisbon.",
    "russian": "У меня аллергия на пенициллин. Пятого мая мы летим в Лиссабон.",
    "greek": "Είμαι αλλεργικός στην πενικιλίνη. Πετάμε για Λισαβόνα.",
    "chinese": "我对青霉素过敏。五月五日我们飞往里斯本，请不要忘记医生的信。",
    "chinese, rare": "龘靐齉齾爩麤灪龖厵𠀀𪚥",
    "japanese": "ペニシリンにアレルギーがあります。5月5日にリスボンへ飛びます。ｶﾀｶﾅ",
    "korean": "저는 페니실린 알레르기가 있어요. 5월 5일에 리스본으로 갑니다.",
    "arabic": "لدي حساسية من البنسلين. نسافر إلى لشبونة في ٥ مايو. مُحَمَّدٌ",
    "hebrew": "אני אלרגי לפניצילין. אנחנו טסים לליסבון ב־5 במאי. שָׁלוֹם",
    "thai": "ฉันแพ้เพนิซิลลิน เราจะบินไปลิสบอนวันที่ 5 พฤษภาคม",
    "hindi": "मुझे पेनिसिलिन से एलर्जी है। हम ५ मई को लिस्बन जा रहे हैं।",
    "gujarati": "મને પેનિસિલિનની એલર્જી છે. અમે લિસ્બન જઈએ છીએ.",
    "tamil": "எனக்கு பென்சிலின் ஒவ்வாமை உள்ளது.",
    "georgian": "პენიცილინზე ალერგია მაქვს. ლისაბონში მივფრინავთ.",
    "armenian": "Ես ալերգիա ունեմ պենիցիլինից։",
    "amharic": "ለፔኒሲሊን አለርጂ አለብኝ።",
    "emoji": "👍 🎉🎉 ❤️ 🇵🇹🇩🇪 👩🏽‍🚀 👨‍👩‍👧‍👦 🏳️‍🌈 1️⃣ ☺︎ 🫠",
    "combining": "e\u0301e\u0301 a\u0323\u0302\u0306 Z\u0351\u036b\u0343a\u0321\u034el\u0334g\u0337 \u0958 \ufb2c",
    "invisible": "a\u200bb\u200cc\u200dd\u2060e\ufefff\u00adg\u202eh\u202c\u00a0i\u3000j\u2002\u2003k",
    "spaces": "a  b   c    d" + " " * 30 + "e \t \t\t f" + "\t" * 9 + "   ",
    "lines": "a\n\nb\r\nc\n \n  \n\n\n\td\r\r\n   \n   e\n\n\n\n",
    "leading": "   leading, trailing   ",
    "digits": "0 12 123 1234 12345 1234567890 3.14159 1,000,000 0x1F 1e-10 +49 (89) 12-45 2024-05-05T12:30:45.6Z ٣٤ ½",
    "url": "https://user:pw@example.org:8443/a/b%20c/?q=x&y=[1]#frag mailto:ana@example.org C:\\Users\\ana\\x.txt",
    "base64": "cmVjb2xsZWN0IGtlZXBzIGV2ZXJ5IG1lc3NhZ2U7IGEgcHJvbXB0IGlzIHNob3J0LCBhIGNoYXQgaXMgbm90Lg==",
    "uuid": "3f2504e0-4f89-11d3-9a0c-0305e82c3301 da39a3ee5e6b4b0d3255bfef95601890afd80709",
    "specials": "<|endoftext|><|im_start|>system<|im_sep|>x<|im_end|> <|fim_prefix|> </s> [INST] <bos> <|eot_id|>",
    "punctuation": "…—–‘’“”‹›«»¿¡§¶†‡•‣ !!!??? ...... ------ ====== ////// ~~~~ ``` $$$ }}}); @@@",
    "mathematics": "∀ε>0 ∃δ>0: |x−a|<δ ⇒ |f(x)−f(a)|<ε; ∑ᵢ₌₁ⁿ xᵢ² ≈ ∫₀^∞ e^{−t}dt 𝔸𝕓𝒸",
    "controls": "\x00\x01\x02\x1b[31mred\x1b[0m\x07\x08\x7f\x85\u2028\u2029\ufffd\uffff\U0010ffff",
    "mixed": "User用户: «Привет» 👋🏽 `x=१२३`\n\n| a | ב |\n|---|---|\n| 中文, English, عربي | ไทย123 |\n",
}

RANDOM = random.Random(20240505)
MEGABYTE = 1_000_000
HOSTILE = {
    "one letter": "a" * MEGABYTE,
    "spaces": " " * MEGABYTE,
    "line breaks": "\n" * MEGABYTE,
    "digits": "7" * MEGABYTE,
    "marks": "!" * MEGABYTE,
    "nul": "\0" * MEGABYTE,
    "two letters": "ab" * (MEGABYTE // 2),
    "spaces and lines": " \n" * (MEGABYTE // 2),
    "chinese": "中" * (MEGABYTE // 3),
    "joined emoji": "👩\u200d" * (MEGABYTE // 7),
    "accents": "e" + "\u0301" * (MEGABYTE // 2),
    "letters": "".join(RANDOM.choices("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", k=MEGABYTE)),
    "bytes": RANDOM.randbytes(MEGABYTE).decode("latin-1"),
    "broken utf-8": RANDOM.randbytes(MEGABYTE).decode("utf-8", "replace"),
}

REFERENCE = {"o200k_base": independent.o200k_base(), "cl100k_base": independent.cl100k_base()}
TEXT = st.text(max_size=200) | st.lists(st.sampled_from([*CORPUS.values(), " ", "\n", "x"]), max_size=4).map("".join)
ENCODINGS = pytest.mark.parametrize("encoding", sorted(REFERENCE))
ANY = pytest.mark.parametrize("vocabulary", [*sorted(VOCABULARIES), ESTIMATE])


def most_needed(text: str) -> int:
    return max(counter_for(vocabulary).text(text) for vocabulary in VOCABULARIES)


# The count


@ENCODINGS
@pytest.mark.parametrize("kind", sorted(CORPUS))
def test_equal_to_an_independent_tokenizer(encoding: str, kind: str) -> None:
    counter = counter_for(encoding)
    assert counter.exact
    for text in (CORPUS[kind], CORPUS[kind] * 3, f" {CORPUS[kind]}\n", CORPUS[kind][::-1]):
        assert counter.text(text) == REFERENCE[encoding].count(text)


@ENCODINGS
@given(text=TEXT)
def test_equal_on_any_text(encoding: str, text: str) -> None:
    assert counter_for(encoding).text(text) == REFERENCE[encoding].count(text)


@ENCODINGS
@pytest.mark.parametrize("kind", sorted(HOSTILE))
def test_a_hostile_megabyte_is_counted_exactly(encoding: str, kind: str) -> None:
    assert counter_for(encoding).text(HOSTILE[kind]) == REFERENCE[encoding].count(HOSTILE[kind])


@pytest.mark.parametrize("kind", ["one letter", "digits", "spaces and lines", "letters", "broken utf-8"])
def test_a_hostile_megabyte_is_estimated(kind: str) -> None:
    text = HOSTILE[kind]
    estimate = counter_for("claude").text(text)
    assert 1.75 * counter_for(None).text(text) <= estimate or estimate == len(text.encode()) + 1


@pytest.mark.parametrize(
    ("encoding", "text", "tokens"),
    [("o200k_base", "tiktoken is great!", 6), ("cl100k_base", "tiktoken is great!", 6), ("o200k_base", "Hello", 1)],
)
def test_known_counts(encoding: str, text: str, tokens: int) -> None:
    assert counter_for(encoding).text(text) == tokens


@ANY
def test_every_vocabulary_is_there_and_counts(vocabulary: str) -> None:
    counter = counter_for(vocabulary)
    assert counter.text("") == 0
    assert 1 <= counter.text("Hello") <= 6
    assert counter.text("<|endoftext|>") > 1  # text, not a control token
    assert (counter.encoding, counter.exact) == (vocabulary, vocabulary != ESTIMATE)


@ANY
@given(text=TEXT)
@settings(max_examples=25)
def test_no_vocabulary_needs_more_than_the_bytes(vocabulary: str, text: str) -> None:
    assert counter_for(vocabulary).text(text) <= len(text.encode()) + 1


def test_the_two_older_mistral_vocabularies_count_alike() -> None:
    first = tokenizers._encoder("mistral_v1")
    assert [len(first(text)) for text in CORPUS.values()] == [
        counter_for("mistral_v2").text(text) for text in CORPUS.values()
    ]


# The estimate


@pytest.mark.parametrize("kind", sorted(CORPUS))
def test_the_estimate_is_an_upper_one(kind: str) -> None:
    counter, text = counter_for("claude-sonnet-4-5"), CORPUS[kind]
    bound = len(text.encode()) + 1
    assert most_needed(text) <= counter.text(text) <= bound
    assert counter.text(text) >= min(1.75 * counter_for(None).text(text), bound)


@given(text=TEXT)
def test_the_estimate_is_an_upper_one_for_any_text(text: str) -> None:
    assert most_needed(text) <= counter_for("unknown").text(text) <= len(text.encode()) + (1 if text else 0)


@pytest.mark.parametrize("chars", [0, 1, 2, 3, 4, 5, 1000, 1001])
def test_estimates_by_characters_round_up(chars: int) -> None:
    assert three_quarters("é" * chars) == -(-chars * 3 // 4)
    assert quarter("é" * chars) == -(-chars // 4)


def test_a_thousand_characters_are_750_tokens_or_250() -> None:
    assert (three_quarters("x" * 1000), quarter("x" * 1000)) == (750, 250)


# The chat format


@ENCODINGS
def test_the_openai_formula(encoding: str) -> None:
    counter, count = counter_for(encoding), REFERENCE[encoding].count
    assert counter.priming == 3
    for role in ROLES:
        assert counter.overhead(role) == 3 + count(role)
        assert counter.overhead(role, "Ana Maria") == 3 + count(role) + count("Ana Maria") + 1


@ENCODINGS
def test_a_whole_prompt(encoding: str) -> None:
    counter, count = counter_for(encoding), REFERENCE[encoding].count
    turns: list[tuple[Role, str | None, str]] = [
        ("system", None, CORPUS["english"]),
        ("user", "Ana", CORPUS["chinese"]),
        ("assistant", None, CORPUS["python"]),
        ("user", "Zoë_2", CORPUS["emoji"]),
    ]
    counted = sum(counter.overhead(role, name) + counter.text(text) for role, name, text in turns) + counter.priming
    texts = sum(count(text) for _, _, text in turns)
    assert counted == texts + 4 * (3 + 1) + (count("Ana") + 1) + (count("Zoë_2") + 1) + 3


@ANY
def test_tool_calls_are_counted_as_they_are_sent(vocabulary: str) -> None:
    counter = counter_for(vocabulary)
    call = ToolCall(id="call_1", name="weather", arguments='{"city": "München"}')
    sent = (
        '{"id": "call_1", "type": "function", '
        '"function": {"name": "weather", "arguments": "{\\"city\\": \\"München\\"}"}}'
    )
    assert counter.overhead("assistant", None, [call, call]) == counter.overhead("assistant") + 2 * (
        counter.text(sent) + PER_CALL
    )


# What well-known templates add, as (vocabulary, control tokens, text): to a message, …
MESSAGES = [
    ("llama3", 3, "assistant\n\n"),
    ("qwen3", 2, "assistant\n\n"),
    ("gemma3", 2, "model\n\n"),
    ("deepseek_v3", 2, ""),
    ("phi4", 3, "assistant"),
    ("kimi_k2", 3, "assistant"),
    ("glm4", 1, "\n"),
    ("gpt-oss", 4, "assistantfinal"),
    ("mistral_v3", 3, ""),
    ("mistral_v2", 2, "[INST]  [/INST]"),
    ("llama2", 0, "<<SYS>>\n\n<</SYS>>\n\n"),
    ("llama2", 2, "[INST]  [/INST]"),
    ("llama2", 1, "<|assistant|>\n\n"),
    ("olmo2", 1, "<|assistant|>\n\n"),
]
# … and to a prompt.
PROMPTS = [
    ("llama3", 7, "system\n\nCutting Knowledge Date: December 2023\nToday Date: 26 Jul 2024\n\nassistant\n\n"),
    ("qwen3", 5, "system\nYou are Qwen, created by Alibaba Cloud. You are a helpful assistant.\nassistant\n\n\n\n\n"),
    ("gemma3", 2, "model\n"),
    ("deepseek_v3", 3, "\n"),
    ("phi4", 2, "assistant"),
    ("kimi_k2", 5, "systemYou are Kimi, an AI assistant created by Moonshot AI.assistant"),
    ("glm4", 3, "\n\n"),
    (
        "gpt-oss",
        7,
        "systemYou are ChatGPT, a large language model trained by OpenAI.\nKnowledge cutoff: 2024-06\n"
        "Current date: 2025-06-28\n\nReasoning: medium\n\n# Valid channels: analysis, commentary, final. "
        "Channel must be included for every message.\nCalls to these tools must go to the commentary channel: "
        "'functions'.developer# Instructions\n\n",
    ),
    (
        "llama2",
        1,
        "A chat between a curious user and an artificial intelligence assistant. The assistant gives helpful, "
        "detailed, and polite answers to the user's questions. ASSISTANT:",
    ),
]
RESULTS = [
    ("llama3", 3, "ipython\n\n"),
    ("qwen3", 2, "user\n<tool_response>\n\n</tool_response>\n"),
    ("mistral_v3", 2, '{"content": , "call_id": "abcdefghi"}'),
    ("mistral_v2", 2, '{"content": , "call_id": "abcdefghi"}'),
    ("deepseek_v3", 4, "\n"),
]


@pytest.mark.parametrize(("vocabulary", "controls", "text"), MESSAGES)
def test_the_frame_of_a_message_bounds_its_template(vocabulary: str, controls: int, text: str) -> None:
    counter = counter_for(vocabulary)
    assert controls + counter.text(text) <= min(counter.overhead(role) for role in ROLES)
    assert controls + counter.text(text) <= counter_for("claude").overhead("user")


@pytest.mark.parametrize(("vocabulary", "controls", "text"), PROMPTS)
def test_the_frame_of_a_prompt_bounds_its_template(vocabulary: str, controls: int, text: str) -> None:
    counter = counter_for(vocabulary)
    assert controls + counter.text(text) <= counter.priming


@pytest.mark.parametrize(("vocabulary", "controls", "text"), RESULTS)
def test_the_frame_of_a_result_bounds_its_template(vocabulary: str, controls: int, text: str) -> None:
    counter = counter_for(vocabulary)
    assert controls + counter.text(text) <= counter.overhead("tool")


# The names of models

NAMES = {
    "o200k_base": "gpt-4o gpt-4o-mini-2024-07-18 openai/gpt-4.1-mini GPT-5 gpt-5.1-codex gpt-4.5-preview "
    "chatgpt-4o-latest o1 o1-mini o3 o4-mini azure/gpt-4o ft:gpt-4o-mini:acme::7p4 o200k_base "
    "openrouter/openai/gpt-4o:extended",
    "cl100k_base": "gpt-4 gpt-4-turbo gpt-4-0613 gpt-3.5-turbo gpt-35-turbo text-embedding-3-small "
    "text-embedding-ada-002 cl100k_base ft:gpt-3.5-turbo:acme",
    "gpt-oss": "gpt-oss:20b openai/gpt-oss-120b ollama/gpt-oss",
    "llama3": "llama3 llama3.2:3b ollama/llama3.1 openrouter/meta-llama/llama-3.3-70b-instruct Meta-Llama-3-8B "
    "deepseek/deepseek-r1-distill-llama-70b",
    "llama2": "llama2 llama-2-7b-chat tinyllama:1.1b vicuna-7b-v1.5",
    "codellama": "codellama:7b codellama/CodeLlama-7b-hf",
    "qwen3": "qwen2 qwen2.5:0.5b Qwen/Qwen2.5-7B-Instruct local/qwen2.5-0.5b-instruct-q4_k_m.gguf qwen3 qwen3:30b-a3b "
    "qwq qwen3-coder deepseek-r1-distill-qwen-7b",
    "deepseek_v3": "deepseek/deepseek-v3 deepseek-v3.1 deepseek-v3:671b deepseek-r1-0528 deepseek-r1:671b",
    "mistral_v2": "mistral mistral:7b mistral-7b-instruct-v0.2 mixtral:8x7b open-mixtral-8x22b codestral:22b",
    "mistral_v3": "mistral-nemo open-mistral-nemo-2407 pixtral-12b-2409",
    "gemma2": "gemma2:9b google/gemma-2-27b-it",
    "gemma3": "gemma3:4b google/gemma-3-12b-it",
    "gemma4": "gemma4",
    "kimi_k2": "moonshotai/kimi-k2 kimi-k2.5",
    "kimi_k3": "kimi-k3",
    "glm4": "glm4:9b glm-4-9b-chat z-ai/glm-4.5-air",
    "phi4": "phi4 microsoft/phi-4 phi4:14b phi-4-reasoning-plus",
    "olmo2": "olmo2:7b allenai/OLMo-2-1124-13B",
    ESTIMATE: "claude-sonnet-4-5 anthropic/claude-opus-4.7 gemini-2.5-pro google/gemini-flash grok-4 phi3 phi-4-mini "
    "phi4-mini:3.8b llama4 llama-4-scout gemma-3n-e4b gemma:7b qwen3.5 qwen3-max qwen deepseek-r1 deepseek-r1:8b "
    "DeepSeek-R1-0528-Qwen3-8B deepseek-v2 mistral-large-latest mistral-small glm-5 glm-4.6 moonshot-v1 command-r o2 "
    "davinci llama-30b gpt-2 estimate unknown / : 日本",
}


@pytest.mark.parametrize(
    ("encoding", "model"), [(encoding, model) for encoding, models in NAMES.items() for model in models.split()]
)
def test_the_vocabulary_of_a_model(encoding: str, model: str) -> None:
    for name in (model, model.upper(), f"  {model}\n"):
        counter = counter_for(name)
        assert (counter.encoding, counter.exact) == (encoding, encoding != ESTIMATE)


def test_without_a_model() -> None:
    assert counter_for(None) is counter_for("") is counter_for("gpt-4o")


@ANY
def test_an_encoding_finds_its_own_counter(vocabulary: str) -> None:
    assert counter_for(counter_for(vocabulary).encoding) is counter_for(vocabulary)


@given(model=st.text())
def test_any_name_has_a_counter(model: str) -> None:
    assert counter_for(model).encoding in {*VOCABULARIES, ESTIMATE}


# Never an error


@ANY
@given(text=st.text(st.characters(exclude_categories=()), max_size=50))
@example(text="\ud800")
@example(text="a\udfffb\ud83d\ude00\0")
@settings(max_examples=25)
def test_broken_text_is_counted_as_it_is_kept(vocabulary: str, text: str) -> None:
    counter = counter_for(vocabulary)
    kept = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert counter.text(text) == counter.text(kept)
    assert counter.overhead("user", text or None, [ToolCall(id=text, name=text, arguments=text)]) > 0


class PanicException(BaseException):
    """Named as the tokenizer's own, which is no `Exception` either."""


@pytest.mark.parametrize("error", [RuntimeError("broken"), MemoryError(), PanicException("panicked")])
def test_when_counting_fails_bytes_are_counted_with_one_warning(error: BaseException) -> None:
    counter = tokenizers.TokenCounter("o200k_base")

    def fail(text: str) -> Any:
        raise error

    counter._encode = fail
    with pytest.warns(RuntimeWarning, match=type(error).__name__):
        assert counter.text("héllo") == 7
    assert counter.text("hello") == 6


def test_an_interrupt_is_not_a_failure() -> None:
    counter = tokenizers.TokenCounter("o200k_base")

    def interrupt(text: str) -> Any:
        raise KeyboardInterrupt

    counter._encode = interrupt
    with pytest.raises(KeyboardInterrupt):
        counter.text("hello")


@pytest.mark.parametrize("encoding", ["o200k_base", ESTIMATE])
def test_without_the_tokenizer_nothing_is_called_exact(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "splintr", None)
    monkeypatch.setattr(tokenizers, "_encoders", {})
    counter = tokenizers.TokenCounter(encoding)
    with pytest.warns(RuntimeWarning, match="bytes"):
        assert counter.text("hello") == 6
    assert (counter.text("héllo"), counter.encoding, counter.exact) == (7, ESTIMATE, False)
    assert counter.overhead("user", "Ana") >= 4


# Loading


def test_importing_reads_no_vocabulary() -> None:
    code = (
        "import sys; from onrecord.models.tokenizers import counter_for; counter = counter_for('gpt-4o');"
        "assert counter.overhead('user') + counter.priming == 7;"
        "assert 'splintr' not in sys.modules; counter.text('x'); assert 'splintr' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={"PYTHONPATH": ":".join(sys.path)})


def test_threads_share_one_vocabulary(monkeypatch: pytest.MonkeyPatch) -> None:
    import splintr

    read: list[str] = []

    class Tokenizer:
        @staticmethod
        def from_pretrained(name: str) -> Any:
            read.append(name)
            return splintr.Tokenizer.from_pretrained(name)

    monkeypatch.setattr(tokenizers, "_encoders", {})
    monkeypatch.setitem(sys.modules, "splintr", type("fake", (), {"Tokenizer": Tokenizer}))
    counter = tokenizers.TokenCounter("cl100k_base")
    texts = list(CORPUS.values()) * 5
    with ThreadPoolExecutor(8) as pool:
        counted = list(pool.map(counter.text, texts))
    assert counted == [REFERENCE["cl100k_base"].count(text) for text in texts]
    assert read == ["cl100k_base"]
