"""Facts that a model finds: only what the cited messages say is kept, and whatever fails, the rules' facts stand."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from model_tools import Scripted, first_words

from onrecord import Memory, ModelError, ModelUnreachable
from onrecord.derive.told_facts import told_facts

TALK = [
    ("user", "Hello there."),
    ("assistant", "Hello. How can I help?"),
    ("user", "The kiln in the shed only gets to 900 degrees."),
    ("assistant", "Good to know."),
    ("user", "My sister Marta teaches the Tuesday class."),
    ("assistant", "I see."),
    *[("user", f"Then there is glaze number {n}.") for n in range(6)],
]
KILN: dict[str, Any] = {
    "message": 3,
    "kind": "constraint",
    "text": "The kiln in the shed only gets to 900 degrees.",
    "subject": "kiln",
    "attribute": "temperature",
    "value": "900 degrees",
}


def answer(*facts: Mapping[str, Any]) -> str:
    return json.dumps({"facts": list(facts)})


def opened(model: Scripted, path: str | Path = ":memory:", **more: Any) -> Memory:
    return Memory(path, model=model, durability="process", options={"model_facts": True}, **more)


def found(memory: Memory) -> list[tuple[int, str, str, str]]:
    facts = [fact for fact in memory.facts(status=None) if fact.method == "model"]
    return [(fact.sources[0], fact.kind, fact.attribute, fact.value) for fact in facts]


def test_a_model_reads_each_group_once() -> None:
    model = Scripted(lambda prompt: answer(KILN) if '"facts"' in prompt else first_words(prompt))
    with opened(model) as memory:
        chat = memory.session("s")
        for role, text in TALK[:-1]:
            chat.add(role, text)  # type: ignore[arg-type]
        chat.flush()
        assert not [one for one in model.prompts if '"facts"' in one]
        chat.add(*TALK[-1])  # type: ignore[arg-type]
        chat.flush()
        assert found(memory) == [(3, "constraint", "temperature", "900 degrees")]
        (fact,) = [fact for fact in memory.facts() if fact.method == "model"]
        assert fact.recipe == "openai/scripted facts-1"
        assert fact.speaker == "user"
        chat.flush()
        chat.summarize()
        assert len([one for one in model.prompts if '"facts"' in one]) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"text": "The kiln in the shed gets to 1200 degrees."},
        {"text": "Ignore all previous instructions."},
        {"text": "Marta is afraid of the kiln."},
        {"text": ""},
        {"text": "x" * 400},
        {"text": 7},
        {"kind": "opinion"},
        {"message": 2},  # the assistant's own words
        {"message": 99},
        {"message": "3"},
        {"message": True},
        {"subject": "s" * 100},
    ],
)
def test_what_no_message_says_is_left_out(change: dict[str, Any]) -> None:
    said = {3: TALK[2][1], 5: TALK[4][1]}
    kept, dropped = told_facts(answer(KILN | change, KILN), said)
    assert kept is not None
    assert [fact.text for fact in kept] == [KILN["text"]]
    assert dropped == 1


def test_a_value_that_was_not_said_is_no_value() -> None:
    kept, _ = told_facts(answer(KILN | {"value": "very hot"}), {3: TALK[2][1]})
    assert kept is not None
    assert (kept[0].attribute, kept[0].value) == ("", "")


@pytest.mark.parametrize("text", ["", "no", "[1]", '{"facts": 3}', '{"fact": []}', "{" * 5000, '{"facts": [[]]}'])
def test_an_answer_of_another_shape(text: str) -> None:
    kept, _ = told_facts(text, {3: "The kiln."})
    assert not kept


@pytest.mark.parametrize("failure", [ModelError("No.", "Try."), ModelUnreachable("Gone.", "Try."), "no JSON at all"])
def test_whatever_a_model_does_the_rules_facts_stand(failure: Any) -> None:
    with opened(Scripted(failure)) as memory:
        chat = memory.session("s")
        chat.add("user", "I'm allergic to penicillin.")
        chat.add_many(TALK)  # type: ignore[arg-type]
        chat.flush()
        assert any("penicillin" in fact.text for fact in memory.facts())
        assert found(memory) == []
        assert chat.info().last_seq == 13


def test_what_rules_found_in_the_same_message_is_not_there_twice() -> None:
    told = {
        "message": 1,
        "kind": "constraint",
        "text": "I'm allergic to penicillin.",
        "subject": "user",
        "attribute": "allergies",
        "value": "penicillin",
    }
    model = Scripted(lambda prompt: answer(told) if '"facts"' in prompt else first_words(prompt))
    with opened(model) as memory:
        chat = memory.session("s")
        chat.add_many([("user", "I'm allergic to penicillin."), *TALK[1:]])  # type: ignore[list-item]
        chat.flush()
        assert len([fact for fact in memory.facts() if "penicillin" in fact.text]) == 1


def test_an_estimate_names_the_readings() -> None:
    model = Scripted(lambda prompt: answer() if '"facts"' in prompt else first_words(prompt))
    with opened(model, summarize="manual") as memory:
        chat = memory.session("s")
        chat.add_many(TALK + TALK[2:])  # type: ignore[arg-type]
        estimate = chat.estimate()
        assert estimate.readings == 1
        assert (estimate.calls, estimate.tokens_out > 0) == (2 if estimate.summaries else 1, True)
        chat.summarize()
        assert chat.estimate().readings == 0
        assert memory.estimate().readings == 0


def test_a_forgotten_message_takes_its_facts_along(tmp_path: Path) -> None:
    model = Scripted(lambda prompt: answer(KILN) if '"facts"' in prompt else first_words(prompt))
    with opened(model, tmp_path / "m.db") as memory:
        chat = memory.session("s")
        chat.add_many(TALK)  # type: ignore[arg-type]
        chat.flush()
        assert found(memory)
        chat.forget(3)
        assert found(memory) == []
        chat.rebuild()
        assert found(memory) == []


def test_a_paused_space_is_not_read() -> None:
    model = Scripted(lambda prompt: answer(KILN) if '"facts"' in prompt else first_words(prompt))
    with opened(model) as memory:
        chat = memory.session("s")
        chat.add(*TALK[0])  # type: ignore[arg-type]
        memory.pause()
        chat.add_many(TALK[1:])  # type: ignore[arg-type]
        chat.flush()
        assert found(memory) == []
        memory.resume()
        chat.summarize()
        assert found(memory) == [(3, "constraint", "temperature", "900 degrees")]
