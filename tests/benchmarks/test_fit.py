"""Learning the weights of a search: it finds what was planted, and shows how far to trust it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.commands import main
from benchmarks.figures import Figure
from benchmarks.recall_data import Conversation, Question, Turn, held
from onrecord.errors import InvalidInput
from onrecord.policy.fusion import WEIGHTS
from training.weights import CROSSED, FITTED, SHIPPED, SIGNALS, Example, examples, fitted, learn, source

PLANTED, AGAINST = 1, 4  # whichever signals they are
MESSAGES = 30


def planted(name: str, conversations: int = 3, questions: int = 25) -> list[Example]:
    """Evidence where one signal is high and another low; all others are noise."""
    drawn = np.random.default_rng(len(name))
    found = []
    for talk in range(conversations):
        for _ in range(questions):
            values = drawn.random((MESSAGES, len(SIGNALS)))
            worth = 6 * values[:, PLANTED] - 3 * values[:, AGAINST] + drawn.gumbel(size=MESSAGES)
            gold = np.sort(np.argsort(-worth)[:2])
            found.append(Example(name, f"c{talk}", values, np.arange(MESSAGES), gold, (300,) * MESSAGES))
    return found


def test_a_planted_signal_is_found() -> None:
    weights = fitted(planted("one", questions=100))
    assert weights[PLANTED] == pytest.approx(6, abs=1.2)
    assert weights[AGAINST] == pytest.approx(-3, abs=1.2)
    others = [weight for at, weight in enumerate(weights) if at not in (PLANTED, AGAINST)]
    assert max(abs(weight) for weight in others) < 0.8


def test_it_is_the_best_answer_and_always_the_same() -> None:
    found = planted("one")
    weights = fitted(found)
    assert np.array_equal(weights, fitted(found))
    # Shifting a signal by the same amount for all messages changes nothing, and its scale only the unit of the weight.
    scaled = [replace(one, signals=one.signals * 10 + 3) for one in found]
    assert fitted(scaled) * 10 == pytest.approx(weights, abs=1e-3)


def test_all_passages_of_a_message_count_alike_and_its_score_is_that_of_the_best() -> None:
    found = []
    for one in planted("one"):
        twice = np.repeat(one.signals, 2, axis=0)
        found.append(replace(one, signals=twice, owners=np.repeat(one.owners, 2)))
    weights = fitted(found)
    assert weights == pytest.approx(fitted(planted("one")), abs=1e-6)
    before = found[0].scores(weights)
    for one in found:
        one.signals[::2, PLANTED] = 0.0
    assert found[0].scores(weights) == pytest.approx(before)
    assert fitted(found)[PLANTED] < weights[PLANTED] / 2  # half of the evidence has none of it


def test_signals_that_say_nothing_get_no_weight() -> None:
    found = planted("one")
    for one in found:
        one.signals[:, 0] = 0.0
    assert fitted(found)[0] == 0
    assert fitted(found, [PLANTED]).nonzero()[0].tolist() == [PLANTED]


def test_sets_count_alike_whatever_their_size() -> None:
    few, many = planted("few", questions=5), planted("plenty", questions=20)
    assert fitted([*few, *many]) == pytest.approx(fitted([*few, *many, *many]), abs=1e-6)


def cells(found: list[Example], train: list[str] | None = None) -> dict[tuple[str, str], float]:
    shown = [figure for figure in learn(found, train or ()) if isinstance(figure, Figure)]
    return {(figure.row, figure.column): figure.value for figure in shown}


def learned(found: list[Example], train: list[str] | None = None) -> str:
    return [remark for remark in learn(found, train or ()) if isinstance(remark, str)][-1]


def test_what_is_reported() -> None:
    found = [*planted("one"), *planted("three", 2), *planted("never", 1)]
    shown = cells(found, ["one", "three"])
    rows = [row for row, column in shown if column == "top 10"]
    assert rows == [
        *(f"{name}, {which}" for name in ("one", "three") for which in (SHIPPED, CROSSED, FITTED)),
        *(f"never (never trained on), {which}" for which in (SHIPPED, FITTED)),
    ]
    never = "never (never trained on)"
    assert shown[f"{never}, {FITTED}", "top 10"] > shown[f"{never}, {SHIPPED}", "top 10"]
    assert shown[f"one, {CROSSED}", "top 10"] <= shown[f"one, {FITTED}", "top 10"] + 3
    lost = {signal: shown[signal, "never, top 10"] for signal in SIGNALS}
    assert min(lost, key=lambda signal: lost[signal]) == SIGNALS[PLANTED]
    assert shown == cells(found, ["one", "three"])


def test_a_set_that_is_never_trained_on_has_no_influence() -> None:
    found = planted("one")
    assert learned([*found, *planted("other")], ["one"]) == learned(found)
    with pytest.raises(InvalidInput, match="nothing to learn from"):
        learned(found, ["nowhere"])


def test_one_conversation_cannot_be_left_out() -> None:
    rows = {row for row, column in cells(planted("one", 1)) if column == "top 10"}
    assert rows == {f"one, {SHIPPED}", f"one, {FITTED}"}


def test_the_weights_stand_as_in_the_table() -> None:
    shipped = source(WEIGHTS)
    from onrecord.policy import fusion

    assert shipped in Path(fusion.__file__).read_text(encoding="utf-8")
    first = SIGNALS[0]
    changed = source(dict.fromkeys(WEIGHTS, 0.25) | {first: -12.0})
    assert re.findall(r'"(\w+)": (\S+),', changed) == [(name, "-12.0" if name == first else "0.2") for name in WEIGHTS]


TURNS = tuple(
    Turn(session, who, text, f"2024-05-{day:02}T09:00:00")
    for session, who, text, day in [
        ("1", "Ana", "I adopted a grey cat called Minka.", 1),
        ("1", "Ben", "How nice! Is she still small?", 1),
        ("1", "Ana", "Yes, she is ten weeks old.", 1),
        ("2", "Ben", "I bought a red canoe for the lake.", 9),
        ("2", "Ana", "Will you take me along on Sunday?", 9),
        ("2", "Ben", "Of course, bring a hat.", 9),
    ]
)


def test_signals_are_those_of_a_search() -> None:
    question = Question("q", "What did Ben buy for the lake?", "single", frozenset({3}))
    with held([Conversation("s", "c", TURNS, (question,))], None) as places:
        (one,) = examples(places)
    assert one.signals.shape == (len(TURNS), len(SIGNALS))
    assert one.gold.tolist() == [3]
    by_name = dict(zip(SIGNALS, one.signals.T, strict=True))
    assert by_name["words"].argmax() == 3
    assert by_name["speaker"].tolist() == [-1, 1, -1, 1, -1, 1]
    assert not by_name["meaning"].any()  # there is no embedder


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    messages = [
        {"id": str(at), "session": turn.session, "speaker": turn.speaker, "text": turn.said, "time": turn.time}
        for at, turn in enumerate(TURNS)
    ]
    questions = [
        {"id": f"q{at}", "text": text, "category": "single", "gold": [gold], "answer": ""}
        for at, (text, gold) in enumerate([("What is Ana's cat called?", "0"), ("What did Ben buy?", "3")])
    ]
    talks = [{"id": f"c{number}", "messages": messages, "questions": questions} for number in range(2)]
    for name in ("talks", "chats"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"name": name, "conversations": talks}))
    kept = tmp_path / "out" / "fit.json"
    kept.parent.mkdir()
    arguments = ["fit", "--data", str(tmp_path), "--embedder", "none"]
    assert main([*arguments, "--train", "talks", "--json", str(kept)]) == 0
    shown = capsys.readouterr().out
    assert "chats (never trained on)" in shown
    assert "WEIGHTS: Mapping[str, float] = {" in shown
    assert {figure["row"] for figure in json.loads(kept.read_text())} >= set(WEIGHTS)
    assert main([*arguments, "--train", "films"]) == 2
    assert "There is no set 'films'" in capsys.readouterr().err
