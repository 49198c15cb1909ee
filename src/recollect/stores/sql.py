"""SQL lives in .sql files beside the stores; this reads them."""

from __future__ import annotations

from functools import cache
from importlib import resources

__all__ = ["migrations", "statements"]


@cache
def statements(file: str) -> dict[str, str]:
    """The statements of one file, by the name in the comment above each."""
    text = (resources.files(__package__) / file).read_text(encoding="utf-8")
    blocks = (block.partition("\n") for block in text.split("-- name: ")[1:])
    return {name.strip(): sql.strip() for name, _, sql in blocks}


@cache
def migrations(folder: str) -> tuple[str, ...]:
    """The schema's steps in order; step n brings a file from version n - 1 to n. They are only ever added to."""
    found = (entry for entry in (resources.files(__package__) / folder).iterdir() if entry.name.endswith(".sql"))
    return tuple(entry.read_text(encoding="utf-8") for entry in sorted(found, key=lambda entry: entry.name))
