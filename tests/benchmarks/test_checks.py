"""The labelled set is whole, the figures are counted rightly, and the checks are as good as the page says."""

import json
from pathlib import Path

import pytest

from benchmarks.checks import Case, Verdict, figures, judge, load, plain, tables
from recollect.errors import InvalidInput


def verdict(supported: bool, refusal: str, half: str = "dev") -> Verdict:
    case = Case(conversation=(("Ana", "Hi."),), summary="Hi.", supported=supported, why="made up", half=half)
    return Verdict(case=case, refusal=refusal, detail="", ms=1.0)


def test_the_set_has_both_kinds_in_both_halves() -> None:
    cases = load()
    conversations = {case.conversation: case.half for case in cases}
    assert len(cases) >= 130
    assert len(conversations) >= 40
    assert all(conversations[case.conversation] == case.half for case in cases)
    for half in ("dev", "test"):
        own = [case.supported for case in cases if case.half == half]
        assert 0.4 <= sum(own) / len(own) <= 0.6
    assert len({case.why for case in cases if not case.supported}) >= 12


def test_precision_and_recall_are_of_refusals() -> None:
    seen = [
        verdict(False, "echo"),
        verdict(False, ""),
        verdict(True, "echo"),
        verdict(True, ""),
        verdict(False, "empty"),
    ]
    dev, whole = figures(seen)
    assert (dev.half, whole.half) == ("dev", "all")
    assert (dev.cases, dev.unsupported, dev.refused) == (5, 3, 3)
    assert (dev.precision, dev.recall, dev.f1) == (0.667, 0.667, 0.667)
    found = plain(seen)
    assert found["refusals"] == [
        {"name": "echo", "refused": 2, "rightly": 1},
        {"name": "empty", "refused": 1, "rightly": 1},
    ]
    assert len(found["mistakes"]) == 2  # type: ignore[arg-type]
    assert [shown.row_count for shown in tables(seen)] == [2, 2, 2]


def test_the_checks_are_as_good_as_the_page_says() -> None:
    verdicts = judge(load())
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text(encoding="utf-8")
    for figure in figures(verdicts):
        row = f"| {figure.half} | {figure.cases} | {figure.precision:.3f} | {figure.recall:.3f} | {figure.f1:.3f} |"
        assert row in page
    assert figures(verdicts)[0].precision >= 0.95
    assert figures(verdicts)[0].recall >= 0.85


def test_other_files_are_refused(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text(json.dumps({"conversation": [["Ana", "Hi."]], "summary": "Hi.", "half": "both"}) + "\n")
    with pytest.raises(InvalidInput, match="does not hold judged summaries"):
        load(wrong)
    with pytest.raises(InvalidInput, match="does not hold judged summaries"):
        load(tmp_path / "nowhere")
