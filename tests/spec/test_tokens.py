"""What the designs say of token counts: h04, p01, p02, r01, t12."""

import pytest
import rs_bpe

from onrecord import Memory
from onrecord.models import tokenizers
from onrecord.models.tokenizers import counter_for
from onrecord.policy.estimates import quarter, three_quarters

TEXT = "We fly to Lisbon on 5 May: ✈️ 里斯本 — def f(x): return x + 1"


def test_h04_the_hybrid_estimate_is_three_quarters_of_the_characters() -> None:
    assert three_quarters("x" * 1000) == 750
    assert three_quarters("x") == 1
    assert three_quarters("") == 0
    assert three_quarters(TEXT) >= counter_for("gpt-4o").text(TEXT)


def test_p01_counts_are_those_of_the_models_own_encoding() -> None:
    encodings = {"gpt-4o-mini": rs_bpe.openai.o200k_base(), "gpt-4": rs_bpe.openai.cl100k_base()}
    for model, reference in encodings.items():
        with Memory(":memory:", model=model) as memory:
            receipt = memory.session("s").add("user", TEXT)
            (message,) = memory.session("s").history()
        assert receipt.tokens == message.tokens == len(reference.encode(TEXT))
        assert message.overhead == 4


def test_p02_counting_that_fails_gives_an_estimate_and_a_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(vocabulary: str) -> object:
        raise OSError(f"{vocabulary} cannot be read")

    monkeypatch.setattr(tokenizers, "_encoder", broken)
    tokenizers._counter.cache_clear()
    try:
        with Memory(":memory:", model="gpt-4o") as memory:
            with pytest.warns(RuntimeWarning, match="cannot be counted"):
                receipt = memory.session("s").add("user", TEXT)
            (message,) = memory.session("s").history()
    finally:
        tokenizers._counter.cache_clear()
    assert receipt.tokens >= len(rs_bpe.openai.o200k_base().encode(TEXT))
    assert message.encoding == "estimate"


def test_r01_a_token_is_estimated_at_four_characters() -> None:
    assert quarter("x" * 32_000) == 8_000
    assert quarter("x" * 31_996) == 7_999


def test_t12_a_started_token_counts_whole() -> None:
    assert [quarter("x" * length) for length in (0, 1, 4, 5)] == [0, 1, 1, 2]
