"""After an import the vectors are there, and a search that must do without some waits for them and says so: b11."""

from __future__ import annotations

import json
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from recall_tools import Toy
from service_tools import serving
from talk_tools import talk

from onrecord import Memory
from onrecord.importers import import_file

COUNT = 200


def exported() -> list[str]:
    """The lines of an export of a memory that has no vectors."""
    with Memory(":memory:", embedder=None, summarize="manual") as memory:
        memory.session("s").add_many(talk(1, COUNT))
        lines = StringIO()
        memory.export(lines)
        return lines.getvalue().splitlines()


def opened(embedder: Any) -> Memory:
    return Memory(":memory:", embedder=embedder, summarize="manual")


def said(toy: Toy) -> list[str]:
    return [text for text in toy.embedded if " euros for the " in text]


def test_b11_an_import_makes_the_vectors_and_tells_how_far_it_is() -> None:
    toy, told = Toy(), list[int]()
    with opened(toy) as memory:
        assert memory.import_(exported(), progress=told.append).added == COUNT
        assert len(said(toy)) == len(set(said(toy))) == COUNT
        assert sum(told) == 2 * COUNT  # messages, then their vectors
        hits = memory.search("Who repairs the boiler?")
        assert hits.notes == ()
        assert len(said(toy)) == COUNT
        assert any(hit.parts.get("meaning") for hit in hits)


def test_b11_so_does_an_import_of_other_chats(tmp_path: Path) -> None:
    toy, file = Toy(), tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": role, "content": text} for role, text in talk(1, COUNT)]), encoding="utf-8")
    with opened(toy) as memory:
        assert import_file(memory, file, session="s", dry_run=True).added == COUNT
        assert not toy.embedded
        assert import_file(memory, file, session="s").added == COUNT
        assert len(set(said(toy))) == COUNT


@pytest.mark.embedded
def test_b11_over_http_too(tmp_path: Path) -> None:
    toy = Toy()
    with serving(tmp_path / "m.db", memory={"embedder": toy}) as served, Memory(served.url) as memory:
        assert memory.import_(exported()).added == COUNT
        assert len(set(said(toy))) == COUNT
        assert memory.search("Who repairs the boiler?").notes == ()


def test_b11_the_background_makes_them_where_that_is_wanted() -> None:
    toy = Toy()
    with opened(toy) as memory:
        memory.import_(exported(), vectors=False)
        memory.flush()
        assert len(set(said(toy))) == COUNT


def test_b11_without_an_encoder_an_import_is_an_import() -> None:
    told: list[int] = []
    with opened(None) as memory:
        assert memory.import_(exported(), progress=told.append).added == COUNT
        assert sum(told) == COUNT
        assert memory.search("Who repairs the boiler?").notes == ()


def test_b11_what_an_encoder_fails_at_is_made_by_the_next_import() -> None:
    toy = Toy(enough=70)
    with opened(toy) as memory:
        assert memory.import_(exported()).added == COUNT
        assert any("words alone" in note for note in memory.search("Who repairs the boiler?").notes)
        toy.enough = None
        assert memory.import_(exported()).present == COUNT
        assert len(said(toy)) == len(set(said(toy))) == COUNT


def test_b11_stopped_anywhere_it_goes_on_there() -> None:
    toy, told = Toy(), list[int]()

    def stop(done: int) -> None:
        told.append(done)
        if sum(told) > COUNT + 50:
            raise KeyboardInterrupt

    with opened(toy) as memory:
        with pytest.raises(KeyboardInterrupt):
            memory.import_(exported(), progress=stop)
        assert memory.session("s").info().last_seq == COUNT
        assert 0 < len(said(toy)) < COUNT
        memory.import_(exported())
        assert len(said(toy)) == len(set(said(toy))) == COUNT


def test_b11_a_search_waits_a_second_for_the_newest_vectors_and_says_how_many_are_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0

    class Slow(Toy):
        def embed(self, texts: Any) -> NDArray[np.float32]:
            nonlocal now
            now += 0.3
            return super().embed(texts)

    toy = Slow()
    with opened(toy) as memory:
        monkeypatch.setattr(memory._parts, "added", lambda space, count: None)
        memory.session("s").add_many(talk(1, COUNT))
        monkeypatch.setattr("onrecord.recall.spaces.monotonic", lambda: now)
        hits = memory.search("Who repairs the boiler?")
        made = len(said(toy))
        assert said(toy)[:2] == [text for _, text in talk(COUNT - 7, COUNT - 6)]
        assert sorted(said(toy)) == sorted(text for _, text in talk(COUNT - made + 1, COUNT))
        assert 1.0 <= now <= 2.0  # the first batch, which may load a model, and the question's own come on top
        assert any(note.startswith(f"{COUNT - made} passages without a vector yet") for note in hits.notes)
