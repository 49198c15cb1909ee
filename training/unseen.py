"""Written talks that the encoder has not learned from, as conversations that `python -m benchmarks` reads: those that
training held back, and those of `unseen/`.

A talk alone is a short memory, its first turns are one that has just begun; several talks in one space are a longer
memory, in which most messages are about other things.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from training.talks import Talk

__all__ = ["UNSEEN", "sets", "write"]

UNSEEN = Path(__file__).parent / "unseen"
SIZES = (1, 8, 40)  # talks in a space
BEGUN = 5  # turns of a memory that has just begun
_START = datetime(2024, 3, 1, 9, tzinfo=UTC)


def write(talks: Sequence[Talk], folder: Path) -> None:
    """Write a file for each set."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, conversations in sets(talks):
        file = folder / f"{name}.json"
        file.write_text(json.dumps({"name": name, "conversations": conversations}, ensure_ascii=False), "utf-8")


def sets(talks: Sequence[Talk]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Sets of talks between people with names, and with an assistant: begun, one, a few and many in a space."""
    with_assistant = [talk for talk in talks if "assistant" in _names(talk)]
    for who, own in (("assistant", with_assistant), ("names", [talk for talk in talks if talk not in with_assistant])):
        yield f"{who}-begun", [_conversation(str(at), [_begun(talk)]) for at, talk in enumerate(own)]
        for size in SIZES:
            yield f"{who}-{size}", [_conversation(str(at), group) for at, group in enumerate(_groups(own, size))]


def _groups(talks: Sequence[Talk], size: int) -> list[list[Talk]]:
    """Talks in groups, in which no two people share a name."""
    groups: list[list[Talk]] = []
    for talk in talks:
        names = _names(talk) - {"user", "assistant"}
        for group in groups:
            if len(group) < size and not any(names & _names(other) for other in group):
                group.append(talk)
                break
        else:
            groups.append([talk])
    return groups


def _begun(talk: Talk) -> Talk:
    asked = tuple(question for question in talk.questions if question.gold[-1] < BEGUN)
    return replace(talk, turns=talk.turns[:BEGUN], questions=asked)


def _names(talk: Talk) -> set[str]:
    return {name.lower().split()[0] for name in talk.speakers}


def _conversation(id: str, talks: Sequence[Talk]) -> dict[str, Any]:
    messages: list[dict[str, str]] = []
    questions: list[dict[str, Any]] = []
    for number, talk in enumerate(talks):
        day = _START + timedelta(days=9 * number)
        for at, turn in enumerate(talk.turns):
            time = (day + timedelta(days=at // 6, minutes=at)).isoformat()
            key = f"{number}-{at}"
            messages.append(
                {"id": key, "session": f"talk {number + 1}", "speaker": turn.speaker, "text": turn.text, "time": time}
            )
        for question in talk.questions:
            gold = [f"{number}-{at}" for at in question.gold]
            key = str(len(questions))
            questions.append({"id": key, "text": question.text, "category": talk.source, "gold": gold})
    return {"id": id, "messages": messages, "questions": questions}
