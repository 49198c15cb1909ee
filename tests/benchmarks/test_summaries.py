"""The benchmark of summaries runs on a few conversations and scores every method."""

import json
from pathlib import Path

import pytest
from model_tools import Scripted, first_words

from benchmarks.figures import Figure
from benchmarks.summaries import Case, _texts, compare, judge, load, methods, sample, worth_a_summary
from onrecord.derive.extractive import SpokenPiece, extract
from onrecord.errors import InvalidInput, ModelError

TURNS = [
    {"speaker": "Ana", "text": "Hello Ben, how are you today? I hope all is well with you and the family."},
    {
        "speaker": "Ben",
        "text": "Fine, thanks. We decided to fly to Lisbon on 5 May, and the hotel Aurora costs 420 euros.",
    },
    {
        "speaker": "Ana",
        "text": "That is nice. I will bring the camera for the whole trip, so that we have pictures of it.",
    },
]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    scored = [{"id": f"d{n}", "messages": TURNS, "summary": "Ben flies to Lisbon on 5 May."} for n in range(3)]
    (tmp_path / "scored.json").write_text(json.dumps(scored))
    long = {"conversations": [{"id": "c", "messages": TURNS * 40}]}
    (tmp_path / "long.json").write_text(json.dumps(long))
    return tmp_path


def test_every_method_is_scored_on_every_set_and_half(folder: Path) -> None:
    figures = [figure for figure in compare(load(folder), methods()) if isinstance(figure, Figure)]
    assert {(figure.table.split(":")[0], figure.row) for figure in figures} == {
        (f"{name}, {half}", method) for name in ("scored", "long") for half in ("dev", "test") for method in methods()
    }
    columns = {
        name: list(dict.fromkeys(figure.column for figure in figures if figure.table.startswith(name)))
        for name in ("scored", "long")
    }
    assert columns["scored"] == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "numbers", "names", "dates", "ms"]
    assert columns["long"] == ["numbers", "names", "dates", "ms"]
    assert all(0 <= figure.value <= 100 for figure in figures if figure.unit == "%")


def test_files_that_hold_something_else_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="no conversations"):
        load(folder / "nowhere")
    (folder / "other.json").write_text('{"a": 1}')
    with pytest.raises(InvalidInput, match=r"other\.json does not hold conversations"):
        load(folder)


def test_meaning_can_count_beside_words() -> None:
    """Sentences near to what all are about win over one that stands apart, where words alone do not tell."""
    pieces = [SpokenPiece("Ana", "We saw three boats. They sold cheap lamps. We heard small birds.")]
    apart = extract(pieces, 1, 5, central=lambda texts: [float("lamps" in text) for text in texts])
    assert "lamps" in apart.text
    assert "birds" in extract(pieces, 1, 5, central=lambda texts: [float("birds" in text) for text in texts]).text


TALK = (
    SpokenPiece("Ana", "We leave for Lisbon on 5 May, and the tickets cost 1200 euros for both of us, which is fine."),
    SpokenPiece(
        "Ben", "Good. I will book the hotel Aurora near the river for four nights, and I will bring my old camera."
    ),
    SpokenPiece("Ana", "Please take the blue suitcase, since mine is broken, and do not forget the adapter this time."),
)


def case(number: int) -> Case:
    return Case(set="trips", pieces=(*TALK, SpokenPiece("Ben", f"That was talk number {number}.")))


def test_every_text_gets_its_verdict() -> None:
    model = Scripted(
        first_words,
        "They leave for Madrid on 7 June.",
        "Ana: I love it there.",
        ModelError("It broke.", "Wait."),
        name="local/toy",
        local=True,
    )
    verdicts = [judge(case(number), model) for number in range(4)]
    assert [verdict.refused for verdict in verdicts] == ["", "unsupported_date", "transcript", "empty"]
    page = "\n".join(_texts(verdicts, model.name))
    assert "# What local/toy wrote" in page
    assert all(verdict.text in page and verdict.extractive in page for verdict in verdicts)
    assert "> Ana: We leave for Lisbon" in page


def test_what_is_too_short_or_too_long_is_not_given_to_a_model() -> None:
    short = Case(set="trips", pieces=(SpokenPiece("Ana", "Hi."),))
    long = Case(set="trips", pieces=(SpokenPiece("Ana", "word " * 2_000),))
    cases = worth_a_summary([short, long, *(case(number) for number in range(10))], 5)
    assert [one.pieces[-1].text for one in cases] == [f"That was talk number {number}." for number in (0, 2, 4, 6, 8)]
    assert worth_a_summary([short, long], 5) == []


def test_a_model_is_a_method_beside_the_others_and_is_asked_once_for_both_rows() -> None:
    model = Scripted("They leave for Madrid on 7 June.", name="openai/toy")
    compared = methods(model)
    raw, checked = compared["openai/toy"](TALK, 20, 0), compared["openai/toy, checked"](TALK, 20, 0)
    assert raw == "They leave for Madrid on 7 June."
    assert checked == compared["onrecord"](TALK, 20, 0)
    assert model.calls == 1
    assert methods(Scripted(ModelError("It broke.", "Wait.")))["openai/scripted"](TALK, 20, 0) == ""


def test_a_sample_of_summaries_keeps_both_halves() -> None:
    cases = [case(number) for number in range(100)]
    numbers = [int(one.pieces[-1].text.split()[-1].rstrip(".")) for one in sample(cases, 10)]
    assert [number % 2 for number in numbers] == [0, 1] * 5
    assert sample(cases, None) == cases
