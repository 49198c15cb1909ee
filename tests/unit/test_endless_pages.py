"""A damaged store that gives the same rows again and again ends what reads it, with an error."""

from __future__ import annotations

from typing import Any

import pytest

from onrecord import Memory, StoreDamaged
from onrecord.records import Page, Query

READS: dict[str, Any] = {
    "sessions": lambda store, found: store.sessions("default", found[-1].id),
    "messages": lambda store, found: store.messages("default", "s", Page(after=found[-1].seq)),
    "records": lambda store, found: store.records("default", "s", Query(kind="pin", beyond=found[-1].place)),
    "feed": lambda store, found: store.feed("default", found[-1].number),
}


@pytest.mark.parametrize("method", READS)
def test_pages_that_do_not_go_on_are_damage(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        memory.session("s").add("user", "We fly on 5 May.")
        memory.session("s").pin("Bring a torch.")
        store: Any = memory._parts.store
        given = {
            "sessions": ("default",),
            "messages": ("default", "s", Page()),
            "records": ("default", "s", Query(kind="pin")),
            "feed": ("default", 0),
        }[method]
        found = getattr(store, method)(*given)
        assert READS[method](store, found) == []
        monkeypatch.setattr(store._inner, method, lambda *asked, **more: found)
        if method == "sessions":  # what can be listed is
            assert READS[method](store, found) == []
            return
        with pytest.raises(StoreDamaged, match="no order"):
            READS[method](store, found)
