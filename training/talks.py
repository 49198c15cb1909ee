"""Conversations with questions about them: what the encoder learns from, and how they are read.

A talk has turns, each with its speaker, and questions, each with the turns that answer it. Written talks are text files
(`written/`):

    # Maya | Tom | 2023-05-14
    M: A greyhound from the shelter in Leith.
    T: Aww.
    ? 1 | Where did Maya get her dog?

A mark before a turn is the beginning of its speaker's name; the numbers before a question count turns from 1.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Question", "Talk", "Turn", "keep", "kept", "read_written"]

WRITTEN = Path(__file__).parent / "written"

_QUESTION = re.compile(r"\? (\d+(?:, ?\d+)*) \| (\S.*)")


@dataclass(frozen=True, slots=True)
class Turn:
    """One message."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked later, and the numbers of the turns that answer it, from 0.

    `loose`: that some of these turns answer is known, but not which.
    """

    text: str
    gold: tuple[int, ...]
    loose: bool = False


@dataclass(frozen=True, slots=True)
class Talk:
    """One conversation."""

    source: str  # which part of the data it is from
    speakers: tuple[str, ...]
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def keep(talks: Iterable[Talk], path: Path) -> None:
    """Write talks into a compressed file of JSON Lines; the same talks give the same bytes."""
    with path.open("wb") as file, gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
        for talk in talks:
            turns = [[turn.speaker, turn.text] for turn in talk.turns]
            questions = [[one.text, one.gold, one.loose] for one in talk.questions]
            packed.write(json.dumps([talk.source, talk.speakers, turns, questions]).encode() + b"\n")


def kept(path: Path) -> Iterator[Talk]:
    """The talks of such a file."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            source, speakers, turns, questions = json.loads(line)
            yield Talk(
                source,
                tuple(speakers),
                tuple(Turn(speaker, text) for speaker, text in turns),
                tuple(Question(text, tuple(gold), loose) for text, gold, loose in questions),
            )


def read_written(folder: Path = WRITTEN) -> Iterator[Talk]:
    """The written talks of a folder."""
    for path in sorted(folder.glob("*.txt")):
        source = path.stem.rpartition("-")[0]
        for number, block in enumerate(path.read_text("utf-8").strip().split("\n\n"), 1):
            try:
                yield _written(source, block.strip().splitlines())
            except ValueError as error:
                raise ValueError(f"{path.name}, talk {number}: {error}") from None


def _written(source: str, lines: list[str]) -> Talk:
    head, *rest = lines
    if not head.startswith("# "):
        raise ValueError(f"it begins with {head[:40]!r} instead of its speakers")
    speakers = tuple(part.strip() for part in head[2:].split("|"))[:-1]
    turns: list[Turn] = []
    questions: list[Question] = []
    for line in rest:
        if line.startswith("?"):
            questions.append(_question(line, len(turns)))
        else:
            mark, _, text = line.partition(": ")
            turns.append(Turn(_speaker(mark, speakers), text.replace(" / ", "\n").strip()))
    return Talk(source, speakers, tuple(turns), tuple(questions))


def _speaker(mark: str, speakers: tuple[str, ...]) -> str:
    found = [name for name in speakers if name.casefold().startswith(mark.casefold())]
    if len(found) != 1:
        raise ValueError(f"{mark[:40]!r} is the beginning of {len(found)} names")
    return found[0]


def _question(line: str, turns: int) -> Question:
    parts = _QUESTION.fullmatch(line)
    if not parts:
        raise ValueError(f"{line[:60]!r} is no question with its turns")
    gold = tuple(sorted({int(number) - 1 for number in parts[1].split(",")}))
    if not 0 <= gold[0] <= gold[-1] < turns:
        raise ValueError(f"{line[:60]!r} names turns that are not there")
    return Question(parts[2].strip(), gold)
