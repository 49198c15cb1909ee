"""The bench of what a model writes: texts, verdicts, counts and a report to read."""

from __future__ import annotations

import json

from model_tools import Scripted, first_words

from benchmarks import written
from benchmarks.summaries import Case, methods, sample
from recollect.derive.extractive import Piece
from recollect.errors import ModelError

TALK = (
    Piece("Ana", "We leave for Lisbon on 5 May, and the tickets cost 1200 euros for both of us, which is fine."),
    Piece("Ben", "Good. I will book the hotel Aurora near the river for four nights, and I will bring my old camera."),
    Piece("Ana", "Please take the blue suitcase, since mine is broken, and do not forget the adapter this time."),
)
CASE = Case(set="trips", pieces=TALK, reference="They go to Lisbon.")


def case(number: int) -> Case:
    return Case(set="trips", pieces=(*TALK, Piece("Ben", f"That was talk number {number}.")))


def test_every_text_gets_its_verdict() -> None:
    model = Scripted(
        first_words,
        "They leave for Madrid on 7 June.",
        "Ana: I love it there.",
        ModelError("It broke.", "Wait."),
        name="local/toy",
        local=True,
    )
    told: list[int] = []
    texts = written.measure([case(number) for number in range(4)], model, told.append)
    assert [text.refused for text in texts] == ["", "unsupported_date", "transcript", "empty"]
    assert told == [1, 1, 1, 1]
    found = written.counted(texts)
    assert (found["summaries"], found["refused by balanced"]) == (4, 3)
    page = "\n".join(written.report(texts, model.name))
    assert "# What local/toy wrote" in page
    for text in texts:
        assert text.text in page
        assert text.extractive in page
    assert "> Ana: We leave for Lisbon" in page
    assert json.dumps(written.plain(texts))


def test_a_sample_is_even_and_leaves_out_what_is_too_short_or_too_long() -> None:
    short = Case(set="trips", pieces=(Piece("Ana", "Hi."),))
    long = Case(set="trips", pieces=(Piece("Ana", "word " * 2_000),))
    cases = [short, long, *(case(number) for number in range(10))]
    found = written.sample(cases, 5)
    assert [one.pieces[-1].text for one in found] == [f"That was talk number {number}." for number in (0, 2, 4, 6, 8)]
    assert written.sample([short, long], 5) == []


def test_a_model_is_a_method_beside_the_others_and_is_asked_once_for_both_rows() -> None:
    model = Scripted("They leave for Madrid on 7 June.", name="openai/toy")
    compared = methods(None, model)
    raw, checked = compared["openai/toy"](TALK, 20, 0), compared["openai/toy, checked"](TALK, 20, 0)
    assert raw == "They leave for Madrid on 7 June."
    assert checked == compared["recollect"](TALK, 20, 0)
    assert model.calls == 1
    assert methods(None, Scripted(ModelError("It broke.", "Wait.")))["openai/scripted"](TALK, 20, 0) == ""


def test_a_sample_of_summaries_keeps_both_halves() -> None:
    cases = [case(number) for number in range(100)]
    found = sample(cases, 10)
    numbers = [int(one.pieces[-1].text.split()[-1].rstrip(".")) for one in found]
    assert len(numbers) == 10
    assert [number % 2 for number in numbers] == [0, 1] * 5
    assert sample(cases, None) == cases
