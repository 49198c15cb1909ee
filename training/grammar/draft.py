"""A talk while it is being planned."""

from __future__ import annotations

import re
from random import Random

from training.grammar.fill import Person
from training.grammar.style import Manner

__all__ = ["Draft", "Line", "pick"]


class Line:
    """One message to be, or part of one; `turn` is known when the talk has been laid out."""

    __slots__ = ("reply", "text", "turn", "who")

    def __init__(self, who: int, text: str, reply: bool = False) -> None:
        """`who`: 0 or 1, whose line it is."""
        self.who = who
        self.reply = reply  # that it only answers to the line before
        self.text = text
        self.turn = -1


class Draft:
    """Blocks of lines with their places (0 to 1), and questions that point at lines."""

    def __init__(
        self, rng: Random, names: tuple[str, str], genders: tuple[str, str], manners: tuple[Manner, Manner], user: bool
    ) -> None:
        """An empty talk of two speakers."""
        self.rng = rng
        self.names = names
        self.genders = genders
        self.manners = manners
        self.user = user  # a user and an assistant
        self.blocks: list[tuple[float, int, list[Line]]] = []
        self.asks: list[tuple[str, list[Line], bool]] = []
        self.forms: set[str] = set()  # the forms used, each once
        self.last: tuple[int, dict[str, str]] = (0, {})  # whose fact was put in last, and its values
        self.groups: set[str] = set()  # what has been spoken of

    def put(self, block: list[Line], place: float | None = None) -> float:
        """A block at a place, or anywhere."""
        place = self.rng.random() if place is None else place
        self.blocks.append((place, len(self.blocks), block))
        return place

    def size(self) -> int:
        """About how many turns there will be."""
        return sum(len(block) for _, _, block in self.blocks) + len(self.blocks) // 4

    def person(self, who: int, form: str) -> Person:
        """Whom a question about this speaker speaks of; a user is "I", unless the asker is that, or "the user"."""
        if self.user:
            mine = self.rng.random() < 0.6 and not re.search(r"\b(I|me)\b", form)
            return Person("user", "", "", "I" if mine else "the user")
        return Person(self.names[who], self.names[1 - who], self.genders[who])

    def word(self, table: str) -> str:
        """A piece of a table that was not used in this talk yet, if there is one."""
        parts = pieces(table)
        part = self.rng.choice([part for part in parts if part not in self.forms] or parts)
        self.forms.add(part)
        return part

    def ask(self, text: str, lines: list[Line], order: bool = False) -> None:
        """A question; `order`: a request that must stay as it is."""
        self.asks.append((text, lines, order))


def pieces(table: str) -> list[str]:
    """A table's pieces, parted by bars and line ends."""
    return [part for line in table.strip().splitlines() for part in line.split("|") if part]


def pick(rng: Random, table: str) -> str:
    """One of a table's pieces, parted by bars and line ends."""
    return rng.choice(pieces(table))
