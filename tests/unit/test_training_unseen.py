"""Written talks that the encoder has not learned from, as conversations that benchmarks read."""

from pathlib import Path

from benchmarks.recall_data import load
from training.talks import Question, Talk, Turn, read_written
from training.unseen import BEGUN, UNSEEN, sets, write


def test_benchmarks_read_what_is_written(tmp_path: Path) -> None:
    talks = list(read_written(UNSEEN))
    write(talks, tmp_path)
    conversations = load(tmp_path)
    asked = {one.set: 0 for one in conversations}
    for conversation in conversations:
        asked[conversation.set] += len(conversation.questions)
        for question in conversation.questions:
            assert all(0 <= at < len(conversation.turns) for at in question.gold)
    assert asked["assistant-1"] == asked["assistant-8"] == asked["assistant-40"] > 500
    assert 0 < asked["assistant-begun"] < asked["assistant-1"]
    assert all(len(one.turns) <= BEGUN for one in conversations if one.set == "assistant-begun")


def test_nobody_shares_a_name_in_a_space() -> None:
    talks = [
        Talk("friends", names, tuple(Turn(name, "I moved.") for name in names), (Question("Who moved?", (0,)),))
        for names in (("Ana", "Tom"), ("Tom Lee", "Zoë"), ("Ben", "Eve"))
    ]
    together = dict(sets(talks))["names-8"]
    assert [len(conversation["messages"]) for conversation in together] == [4, 2]
