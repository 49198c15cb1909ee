"""The prompts, one file each, with a version: what wrote a text is part of how it was made.

A file begins with its version, then says what the model is told (`# system`) and what it is given (`# user`). Words
with a dollar sign are filled in. What people said stands inside a block that its own text cannot close.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from string import Template
from typing import NamedTuple

__all__ = ["PROMPTS", "Prompt", "prompt"]

PROMPTS = ("summary_local", "summary_cloud", "extend_local", "extend_cloud", "again", "important", "facts")
"""Their names: a strict and a fuller one for a summary, the same for one that goes on, one after a refusal, one for
important data, and one for facts."""


class Prompt(NamedTuple):
    """One prompt."""

    name: str
    version: int
    system: str
    user: str

    @property
    def recipe(self) -> str:
        """Its name with its version."""
        return f"{self.name}-{self.version}"

    def messages(self, **values: object) -> list[dict[str, str]]:
        """What a model is sent."""
        said = {name: str(value) for name, value in values.items()}
        return [
            {"role": "system", "content": Template(self.system).substitute(said)},
            {"role": "user", "content": Template(self.user).substitute(said)},
        ]


@cache
def prompt(name: str) -> Prompt:
    """The prompt of this name."""
    text = files("onrecord.prompts").joinpath(f"{name}.md").read_text(encoding="utf-8")
    head, _, rest = text.partition("# system\n")
    system, _, user = rest.partition("# user\n")
    return Prompt(name, int(head.removeprefix("version:")), system.strip(), user.strip())
