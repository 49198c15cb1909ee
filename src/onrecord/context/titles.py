"""What other conversations are called in a prompt."""

from __future__ import annotations

from onrecord.context.text import condensed
from onrecord.errors import StoreError
from onrecord.policy.headings import DEFAULT_TITLES, is_typed, title_from
from onrecord.ports import Store
from onrecord.records import Page

__all__ = ["Titles"]

LONGEST = 48  # characters of a title
KEPT = 4_096  # titles from first messages that are cached


class Titles:
    """The titles of a store's sessions."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._made: dict[tuple[object, ...], str] = {}

    def of(self, space: str, session: str) -> str:
        """The session's own title; else its id, if a person would type it; else one from what its user said first.
        Empty where none of these says anything."""
        try:
            info = self._store.session(space, session)
            if info is not None and info.title and info.title.strip().lower() not in DEFAULT_TITLES:
                return condensed(info.title, LONGEST)
            if is_typed(session):
                return condensed(session, LONGEST)
            # What is forgotten counts as a change, so nothing of it stays.
            return "" if info is None else self._from_first(space, session, (info.created, info.changes))
        except StoreError:
            return ""

    def _from_first(self, space: str, session: str, state: tuple[object, ...]) -> str:
        key = (space, session, *state)
        if key not in self._made:
            first = self._store.messages(space, session, Page(roles=("user",), limit=1))
            if not first:
                return ""
            if len(self._made) >= KEPT:
                self._made.clear()
            self._made[key] = condensed(title_from(first[0].text), LONGEST) if first[0].state == "kept" else ""
        return self._made[key]
