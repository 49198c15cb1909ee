"""No text, however it is made, takes longer to read than its length justifies."""

import time

import pytest

from tests.hostile.readers import text_functions

# Texts that once took seconds or for ever.
WORST = {
    "sentence of dots": "Hmm" + "." * 60 + "?",
    "greeting and dots": "ok " + "." * 60 + "?",
    "dashes before each stop": ("-" * 15 + ". ") * 1200,
    "stars before each stop": ("*" * 15 + ". ") * 1200,
    "many names": " ".join(f"{a}{b}{c}{d}, said" for a in "BCDFG" for b in "aeiou" for c in "bcdfg" for d in "aeiou")
    * 2,
    "stop and blanks": "The number of rooms in it is 5." + " " * 40 + "and more",
}
FUNCTIONS = text_functions()


@pytest.mark.parametrize(
    "name", ["policy.sentences.sentences", "policy.trimming.bare", "policy.important_rules.read_turn"]
)
@pytest.mark.parametrize("kind", WORST)
def test_a_text_that_was_slow_is_read_at_once(name: str, kind: str) -> None:
    FUNCTIONS[name]("I live in Porto.")  # patterns are compiled at first use
    began = time.process_time()
    FUNCTIONS[name](WORST[kind])
    assert time.process_time() - began < 2
