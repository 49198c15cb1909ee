"""No text, however it is made, takes longer to read than its length justifies."""

import time

import pytest

from tests.hostile.growth import growth
from tests.hostile.readers import text_functions

# Texts that once took seconds or for ever.
WORST = {
    "sentence of dots": "Hmm" + "." * 60 + "?",
    "greeting and dots": "ok " + "." * 60 + "?",
    "dashes before each stop": ("-" * 15 + ". ") * 1200,
    "stars before each stop": ("*" * 15 + ". ") * 1200,
    "many names": " ".join(f"{a}{b}{c}{d}, said" for a in "BCDFG" for b in "aeiou" for c in "bcdfg" for d in "aeiou")
    * 2,
    "signs alone": ")" * 10_000,
    "stop and blanks": "The number of rooms in it is 5." + " " * 40 + "and more",
}
FUNCTIONS = text_functions()


@pytest.mark.parametrize(
    "name",
    [
        "policy.sentences.sentences",
        "policy.trimming.bare",
        "policy.important_rules.read_turn",
        "policy.secrets.asked_kinds",
    ],
)
@pytest.mark.parametrize("kind", WORST)
def test_a_text_that_was_slow_is_read_at_once(name: str, kind: str) -> None:
    FUNCTIONS[name]("I live in Porto.")  # patterns are compiled at first use
    began = time.process_time()
    FUNCTIONS[name](WORST[kind])
    assert time.process_time() - began < 0.5


def test_growth_tells_a_reader_that_is_quadratic_from_one_that_is_not() -> None:
    def quadratic(text: str) -> int:
        return sum(text.startswith("\0", at) for at in range(0, len(text), 10) for _ in range(0, len(text), 10))

    found = growth(quadratic, "very", (2_000, 20_000, 2_000_000))
    assert found.fault.endswith("for 20,000 characters")
    assert len(found.sizes) == 2  # what is far too slow is not waited for
    assert growth(str.split, "very", (1_000, 10_000)).fault == ""
