"""The measurement of facts: shares are of what is labelled, and the test half stays unseen."""

from pathlib import Path

import pytest

from benchmarks.facts import Row, _mistakes, figures, kinds_of, load
from onrecord.errors import InvalidInput


def row(kind: str, *kinds: str, part: str = "dev") -> Row:
    return Row(text="…", kind=kind, kinds=frozenset(kinds or (kind,)), part=part)


def values(rows: list[Row], kinds: list[frozenset[str]]) -> dict[tuple[str, str], float]:
    return {(figure.row, figure.column): figure.value for figure in figures(rows, kinds)}


def test_precision_is_of_what_is_claimed_and_recall_of_what_is_labelled() -> None:
    rows = [row("fact"), row("fact"), row("none"), row("goal", "goal", "fact")]
    shown = values(rows, [frozenset({"fact"}), frozenset(), frozenset({"fact"}), frozenset({"fact"})])
    assert (shown["fact", "labelled"], shown["fact", "claimed"]) == (2, 3)
    assert (shown["fact", "precision"], shown["fact", "recall"]) == (0.667, 0.5)
    assert shown["goal", "recall"] == 1.0  # found as what it may be called too
    assert {kind for kind, _ in shown} == {"fact", "goal"}


def test_other_sets_are_also_measured_without_telling_wishes_from_limits() -> None:
    shown = values([row("constraint", part="more")], [frozenset({"preference"})])
    assert (shown["constraint", "recall"], shown["preference or constraint", "recall"]) == (0.0, 1.0)


def test_our_own_set_is_measured_in_two_halves_and_the_test_half_stays_unseen() -> None:
    rows = load()
    kinds = kinds_of(rows)
    assert {row.part for row in rows} == {"dev", "test"}
    unseen = {row.text for row in rows if row.part == "test"} - {row.text for row in rows if row.part == "dev"}
    assert unseen
    assert not unseen & {text for _, _, text in _mistakes(rows, kinds)}
    dev = [figure for figure in figures(rows, kinds) if figure.table.endswith("dev")]
    assert all(figure.value >= 0.9 for figure in dev if figure.column == "precision")
    assert all(figure.value >= 0.7 for figure in dev if figure.column == "recall")


def test_a_file_of_another_shape_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "labelled.jsonl"
    file.write_text('{"text": "x"}\n')
    with pytest.raises(InvalidInput, match="does not hold labelled sentences"):
        load(file)
