"""SQL lives in .sql files, in the package of the store that runs it; this reads them."""

from __future__ import annotations

from functools import cache
from importlib import resources

__all__ = ["migrations", "statements"]


@cache
def statements(store: str) -> dict[str, str]:
    """The statements of a store, by the name in the comment above each."""
    text = (resources.files(__package__) / store / "statements.sql").read_text(encoding="utf-8")
    blocks = (block.partition("\n") for block in text.split("-- name: ")[1:])
    return {name.strip(): sql.strip() for name, _, sql in blocks}


@cache
def migrations(store: str) -> tuple[str, ...]:
    """The schema's steps in order; step n brings a store from version n - 1 to n. They are only ever added to."""
    folder = resources.files(__package__) / store / "migrations"
    found = sorted((entry for entry in folder.iterdir() if entry.name.endswith(".sql")), key=lambda entry: entry.name)
    return tuple(entry.read_text(encoding="utf-8") for entry in found)
