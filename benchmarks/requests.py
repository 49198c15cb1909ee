"""What people send to an assistant, written for this: talk and tasks that ask a memory for nothing, and questions and
requests that do. One part to learn from, and one, by another hand, to judge by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Literal

from benchmarks.recall_data import Conversation

__all__ = ["Opener", "requests", "unanswerable"]


@dataclass(frozen=True, slots=True)
class Opener:
    """One message to an assistant."""

    part: Literal["train", "test"]
    asks: bool  # whether a memory is needed to answer it
    kind: str  # greeting, thanks, task, world, statement, meta, paste; own, assistant, named, apply, work, list
    language: str
    text: str


def requests(part: Literal["train", "test"], *, asks: bool) -> list[Opener]:
    """The written messages of one half."""
    lines = (files("benchmarks") / "openers.jsonl").read_text(encoding="utf-8").splitlines()
    found = [Opener(**json.loads(line)) for line in lines]
    return [one for one in found if one.part == part and one.asks is asks]


def unanswerable(path: Path, conversation: Conversation) -> list[str]:
    """Questions that a conversation does not answer, from `unanswerable.json` in or beside the folder of the data."""
    folder = path if path.is_dir() else path.parent
    for file in (folder / "unanswerable.json", folder.parent / "unanswerable.json"):
        if file.is_file():
            of_sets: Mapping[str, Mapping[str, list[str]]] = json.loads(file.read_text(encoding="utf-8"))
            return of_sets.get(conversation.set, {}).get(conversation.id, [])
    return []
