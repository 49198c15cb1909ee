"""The labelled set is whole, the figures are counted rightly, and the checks are as good as the page says."""

from pathlib import Path

from benchmarks.checks import Case, Verdict, figures, judge, load
from benchmarks.figures import Figure


def verdict(supported: bool, refusal: str, half: str = "dev") -> Verdict:
    case = Case(conversation=[["Ana", "Hi."]], summary="Hi.", supported=supported, why="made up", half=half)
    return (case, refusal)


def test_the_set_has_both_kinds_in_both_halves() -> None:
    cases = load()
    conversations = {str(case.conversation): case.half for case in cases}
    assert len(cases) >= 130
    assert len(conversations) >= 40
    assert all(conversations[str(case.conversation)] == case.half for case in cases)
    for half in ("dev", "test"):
        own = [case.supported for case in cases if case.half == half]
        assert 0.4 <= sum(own) / len(own) <= 0.6
    assert len({case.why for case in cases if not case.supported}) >= 12


def values(verdicts: list[Verdict], half: str) -> dict[str, float]:
    cells = [figure for figure in figures(verdicts) if isinstance(figure, Figure)]
    return {figure.column: figure.value for figure in cells if figure.row == half}


def test_precision_and_recall_are_of_refusals() -> None:
    verdicts = [
        verdict(False, "echo"),
        verdict(False, ""),
        verdict(True, "echo"),
        verdict(True, ""),
        verdict(False, "empty"),
    ]
    assert values(verdicts, "dev") == {"summaries": 5, "precision": 0.667, "recall": 0.667, "F1": 0.667}
    assert values(verdicts, "all") == values(verdicts, "dev")
    assert not values(verdicts, "test")


def test_the_checks_are_as_good_as_the_page_says() -> None:
    verdicts = judge(load())
    page = (Path(__file__).parents[2] / "docs" / "checks.md").read_text(encoding="utf-8")
    for half in ("dev", "test", "all"):
        shown = values(verdicts, half)
        assert (
            f"| {half} | {shown.pop('summaries')} | {' | '.join(f'{value:.3f}' for value in shown.values())} |" in page
        )
    dev = values(verdicts, "dev")
    assert dev["precision"] >= 0.95
    assert dev["recall"] >= 0.85
