"""The benchmark of summaries runs on a few conversations and scores every method."""

import json
from pathlib import Path

import pytest

from benchmarks.summaries import METHODS, load, measure, table, tables
from recollect.derive.extractive import Piece, extract
from recollect.errors import InvalidInput

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
    steps: list[int] = []
    cases = load(folder)
    figures = measure(cases, METHODS, steps.append)
    assert {(figure.set, figure.half, figure.who) for figure in figures} == {
        (name, half, who) for name in ("scored", "long") for half in ("dev", "test") for who in METHODS
    }
    assert sum(steps) == sum(case.words for case in cases) * len(METHODS)
    assert len(table(figures)) == len(figures)
    kinds = {figure.set: list(figure.scores) for figure in figures}
    assert kinds["scored"] == ["rouge1", "rouge2", "rougeL", "numbers", "names", "dates"]
    assert kinds["long"] == ["numbers", "names", "dates"]
    assert all(0 <= score <= 100 for figure in figures for score in figure.scores.values())
    assert [shown.row_count for shown in tables(figures)] == [len(METHODS)] * 4


def test_files_that_hold_something_else_are_refused(folder: Path) -> None:
    with pytest.raises(InvalidInput, match="no conversations"):
        load(folder / "nowhere")
    (folder / "other.json").write_text('{"a": 1}')
    with pytest.raises(InvalidInput, match=r"other\.json does not hold conversations"):
        load(folder)


def test_meaning_can_count_beside_words() -> None:
    """Sentences near to what all are about win over one that stands apart, where words alone do not tell."""
    pieces = [Piece("Ana", "We saw three boats. They sold cheap lamps. We heard small birds.")]
    apart = extract(pieces, 1, 5, central=lambda texts: [float("lamps" in text) for text in texts])
    assert "lamps" in apart.text
    assert "birds" in extract(pieces, 1, 5, central=lambda texts: [float("birds" in text) for text in texts]).text
