"""Vectors: only what is missing is made, once; stopped anywhere it goes on there; without them words serve."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from time import sleep

import numpy as np
import pytest
from numpy.typing import NDArray
from recall_tools import PLENTY, Toy, blocks_of, failing, opened, texts_of, told

from onrecord import Memory, ModelError, StoreFull
from onrecord.ports import Embedder
from onrecord.recall.recaller import Recall
from onrecord.recall.spaces import BATCH, Spaces
from onrecord.records import BLOCK, SearchRequest

SHIPS = [f"Ship number {number} carries tea" for number in range(300)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


# What is made


def test_a_message_is_found_by_meaning_in_the_next_call() -> None:
    with opened(embedder=Toy()) as memory:
        told(memory, "s", "The weather is fine", "Catnip grows in the garden", "Trains are late")
        assert memory.search("catamaran", weights={"around": 0, "meaning": 3})[0].text == "Catnip grows in the garden"
        assert memory.search("catamaran", weights={"around": 0, "meaning": 3})[0].parts["meaning"] > 0.5


@pytest.fixture
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search has time for one batch of vectors."""
    monkeypatch.setattr("onrecord.recall.spaces._A_MOMENT", 0.0)
    monkeypatch.setattr("onrecord.recall.spaces._AT_ONCE", BATCH)


@pytest.mark.usefixtures("briefly")
def test_a_search_makes_vectors_the_newest_first_and_says_what_is_missing() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        with failing(memory._parts, "added", ValueError()):  # type: ignore[arg-type]
            told(memory, "s", *SHIPS[:100])
        spaces = Spaces(memory._store, toy, PLENTY)
        for left, many in ((36, 64), (0, 36), (0, 0)):
            before = len(toy.embedded)
            assert spaces.complete("default") == left
            assert len(toy.embedded) - before == many
        assert sorted(toy.embedded[:64]) == sorted(SHIPS[36:100])
        assert sorted(toy.embedded) == sorted(SHIPS[:100])


def test_a_search_has_its_turn_before_the_rest_is_made() -> None:
    first, go = threading.Event(), threading.Event()

    class Held(Toy):
        def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            if not self.calls:
                first.set()
                assert go.wait(30)
            return super().embed(texts)

    toy = Held()
    with opened(embedder=toy) as memory:
        with failing(memory._parts, "added", ValueError()):  # type: ignore[arg-type]
            told(memory, "s", *SHIPS)
        spaces = Spaces(memory._store, toy, PLENTY)
        worker = threading.Thread(target=spaces.catch_up, args=("default",))
        worker.start()
        assert first.wait(30)
        asking = threading.Thread(target=spaces.complete, args=("default",))
        asking.start()
        while not spaces._spaces["default"].waiting:
            sleep(0.001)
        go.set()
        asking.join()
        worker.join()
        assert toy.embedded[BATCH : BATCH + 8] == SHIPS[-8:]
        assert sorted(toy.embedded) == sorted(SHIPS)


@pytest.mark.usefixtures("briefly")
def test_a_search_tells_that_vectors_are_missing() -> None:
    with opened(embedder=Toy()) as memory:
        told(memory, "s", *SHIPS[:80])
        recall = Recall(memory._store, Toy(), most_bytes=PLENTY)
        assert any("16 passages" in note for note in recall.search("default", SearchRequest(text="tea")).notes)
        assert recall.search("default", SearchRequest(text="tea")).notes == ()


def test_a_question_is_embedded_once_and_not_at_all_if_it_was_said() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        told(memory, "s", "Where is the ship?", "In the harbour")
        memory.search("Where is the ship?")
        assert toy.embedded.count("Where is the ship?") == 1
        for _ in range(3):
            memory.search("a walrus")
        assert toy.embedded.count("a walrus") == 1


@pytest.mark.usefixtures("briefly")
def test_a_question_that_was_said_long_ago_has_a_vector_though_the_message_has_none_yet() -> None:
    toy = Toy()
    memory, recall = untouched(toy)
    with memory:
        assert recall.search("default", SearchRequest(text=SHIPS[0], limit=1)).notes
        assert SHIPS[0] in toy.embedded


def test_a_long_question_is_more_than_its_first_passage() -> None:
    toy = Toy()
    text = " ".join(f"Sentence {number} is about the harbour." for number in range(30))
    with opened(embedder=toy) as memory:
        told(memory, "s", text)
        memory.search(text)
        assert text in toy.embedded


def test_the_same_text_is_never_made_again(place: Path) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        told(memory, "s", *SHIPS[:10])
        memory.flush()
    for _ in range(2):
        with opened(place, toy) as memory:
            told(memory, "t", SHIPS[3])
            memory.flush()
    assert toy.embedded[:10] == SHIPS[:10]


def test_the_same_text_said_again_is_not_made_again() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        told(memory, "s", "thanks", "ok")
        memory.flush()
        told(memory, "s", "thanks", "thanks")
        memory.flush()
        assert toy.embedded == ["thanks", "ok"]


def test_an_empty_message_needs_no_vector() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        chat = memory.session("s")
        chat.add("assistant", "", tool_calls=[{"id": "c", "name": "weather", "arguments": "{}"}])
        chat.add("tool", "Sunny", tool_call_id="c")
        memory.flush()
        assert toy.embedded == ["Sunny"]
        assert memory.rebuild(vectors=True) == 0
        assert memory.search("sunny")[0].text == "Sunny"


def test_passages_of_a_long_message_are_embedded_each() -> None:
    toy = Toy()
    text = " ".join(f"Sentence {number} is about the harbour and its ships." for number in range(60))
    with opened(embedder=toy) as memory:
        told(memory, "s", text)
        memory.flush()
        assert len(toy.embedded) > 3
        assert max(map(len, toy.embedded)) <= 900
        assert " ".join(toy.embedded) == text


# Catching up


def test_it_writes_every_block_once_and_tells_how_far_it_is() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        told(memory, "s", *SHIPS)
        memory._parts.worker.stop()
        seen: list[int] = []
        recall = Recall(memory._store, toy, most_bytes=PLENTY)
        written = recall.catch_up("default", seen.append)
        assert written in (0, 2)  # the worker may have been at it before
        assert sum(seen) in (0, len(SHIPS))
        assert recall.catch_up("default") == 0
        assert sorted(set(toy.embedded)) == sorted(SHIPS)
        assert {number: len(texts.prints) for number, texts in blocks_of(memory, toy.name, toy.dimension).items()} == {
            0: BLOCK - 1,
            1: len(SHIPS) - BLOCK + 1,
        }


def untouched(embedder: Embedder | None) -> tuple[Memory, Recall]:
    """A memory of 300 messages whose index nobody has made yet, and what shall make it."""
    memory = opened()
    told(memory, "s", *SHIPS)
    return memory, Recall(memory._store, embedder, most_bytes=PLENTY)


def test_it_goes_on_where_the_embedder_failed() -> None:
    toy = Toy(enough=100)
    memory, recall = untouched(toy)
    with memory:
        with pytest.raises(ModelError):
            recall.catch_up("default")
        assert len(toy.embedded) == BATCH
        toy.enough = None
        assert recall.catch_up("default") == 2
        assert sorted(toy.embedded) == sorted(SHIPS)


def test_it_ends_when_it_is_told_to_and_goes_on_the_next_time() -> None:
    toy = Toy()
    memory, recall = untouched(toy)
    with memory:
        written = 0
        for enough in range(50, 301, 50):
            written += recall.catch_up("default", going=lambda enough=enough: len(toy.embedded) < enough)  # type: ignore[misc]
            assert len(toy.embedded) < enough + BATCH
        assert written + recall.catch_up("default") == 2
        assert sorted(toy.embedded) == sorted(SHIPS)
        assert recall.catch_up("default", going=lambda: False) == 0


def test_a_full_disk_costs_no_vectors() -> None:
    toy = Toy()
    memory, recall = untouched(toy)
    with memory:
        with failing(memory._store, "save_blocks", StoreFull("Full.", "Free some.")), pytest.raises(StoreFull):
            recall.catch_up("default")
        assert recall.catch_up("default") == 2
        assert sorted(toy.embedded) == sorted(SHIPS)


@pytest.mark.usefixtures("briefly")
def test_closing_writes_the_vectors_that_are_there_and_makes_none() -> None:
    toy = Toy()
    memory, recall = untouched(toy)
    with memory:
        recall.search("default", SearchRequest(text="tea"))
        assert len(toy.embedded) == 65
        recall.close()
        assert len(toy.embedded) == 65
        again = Toy()
        assert Recall(memory._store, again, most_bytes=PLENTY).catch_up("default") == 1  # the newest are whole
        assert sorted(again.embedded + toy.embedded) == sorted([*SHIPS, "tea"])


KILLED = """
import os, sys
sys.path.insert(0, sys.argv[2])
from recall_tools import Toy, opened
class Deadly(Toy):
    def embed(self, texts):
        if len(self.embedded) >= 255:
            os._exit(9)
        return super().embed(texts)
memory = opened(sys.argv[1], Deadly())
memory.flush()
"""


def test_killed_between_embedding_and_writing_only_work_is_lost(place: Path) -> None:
    with opened(place) as memory:
        told(memory, "s", *SHIPS)
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, str(place), os.path.dirname(__file__)], timeout=60, check=False
    )
    assert killed.returncode == 9
    toy = Toy()
    with opened(place, toy) as memory:
        assert set(blocks_of(memory, toy.name, toy.dimension)) == {0}
        assert texts_of(memory.search("Ship number 299", limit=1)) == [SHIPS[299]]
        memory.flush()
        assert sorted(set(toy.embedded) - {"Ship number 299"}) == sorted(SHIPS[BLOCK - 1 :])
        assert memory.check().ok


def test_a_worker_makes_vectors_of_many_messages_by_itself() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        told(memory, "s", *SHIPS)
        memory._parts.worker._thread.join(0.001)  # type: ignore[union-attr]
        for _ in range(2_000):
            if len(blocks_of(memory, toy.name, toy.dimension)) == 2:
                break
            memory._parts.worker._thread.join(0.01)  # type: ignore[union-attr]
        assert sorted(toy.embedded) == sorted(SHIPS)


# Embedders that fail


class Bad(Toy):
    """Does not do what an embedder should."""

    def __init__(self, how: str) -> None:
        super().__init__()
        self.how = how

    def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        rows = super().embed(texts)
        if self.how == "model":
            raise ModelError("The server is gone.", "Start it.")
        if self.how == "other":
            raise RuntimeError("what Ana said")
        if self.how == "nan":
            rows[0, 0] = np.nan
        if self.how == "zeros":
            rows[:] = 0
        return rows[:, :-1] if self.how == "narrow" else rows[:-1] if self.how == "few" else rows


@pytest.mark.parametrize("how", ["model", "other", "nan", "narrow", "few"])
def test_without_vectors_words_serve(how: str) -> None:
    with opened(embedder=Bad(how)) as memory:
        told(memory, "s", *SHIPS[:70], "A walrus in the harbour", *SHIPS[70:80])
        hits = memory.search("walrus", limit=1)
        assert texts_of(hits) == ["A walrus in the harbour"]
        assert "meaning" not in hits[0].parts
        assert len(hits.notes) == 1
        assert "words" in hits.notes[0]
        assert "Ana" not in hits.notes[0]
        assert memory.session("other").context("Where is the walrus?").tokens
        with pytest.raises(ModelError):
            memory.rebuild(vectors=True)


def test_an_embedder_that_fails_is_no_reason_to_fail_at_the_end() -> None:
    with opened(embedder=Bad("model")) as memory:
        with memory.session("s") as chat:
            chat.add("user", "The ship is red")
        assert memory.flush()


def test_vectors_of_zeros_are_taken_for_what_they_are() -> None:
    with opened(embedder=Bad("zeros")) as memory:
        told(memory, "s", *SHIPS[:10], "A walrus in the harbour")
        memory.flush()
        hits = memory.search("walrus", limit=1)
        assert texts_of(hits) == ["A walrus in the harbour"]
        assert hits[0].parts["meaning"] == 0


# Another embedder


def test_the_old_vectors_serve_until_the_new_ones_are_all_made(place: Path) -> None:
    old, new = Toy("toy/old"), Toy("toy/new", dimension=30)
    with opened(place, old) as memory:
        told(memory, "s", *SHIPS[:200], "Catnip grows in the garden")
        memory.flush()
    with opened(place) as memory:
        known = {old.name: old}
        recall = Recall(memory._store, new, most_bytes=PLENTY, earlier=known.get)
        before = len(old.embedded)
        asked = SearchRequest(text="catamaran", limit=1, weights={"meaning": 3})
        assert texts_of(recall.search("default", asked)) == ["Catnip grows in the garden"]
        assert recall.search("default", asked)[0].parts["meaning"] > 0.5
        assert old.embedded[before:] == ["catamaran"]
        assert new.embedded == []
        recall.catch_up("default", going=lambda: len(new.embedded) < 100)
        assert old.name in memory._store.plans("default")
        assert (
            recall.search("default", SearchRequest(text="catalogue", limit=1))[0].text == "Catnip grows in the garden"
        )
        assert "catalogue" in old.embedded
        recall.catch_up("default")
        assert memory._store.plans("default") == [new.name]
        assert recall.search("default", SearchRequest(text="category", limit=1))[0].text == "Catnip grows in the garden"
        assert "category" in new.embedded
        assert "category" not in old.embedded


def test_where_the_old_embedder_is_gone_the_new_one_serves(place: Path) -> None:
    with opened(place, Toy("toy/old")) as memory:
        told(memory, "s", "Catnip grows in the garden", "Trains are late")
        memory.flush()
    new = Toy("toy/new", dimension=30)
    with opened(place, new) as memory:
        assert memory.search("catamaran", limit=1)[0].text == "Catnip grows in the garden"
        assert "catamaran" in new.embedded
        memory.rebuild(vectors=True)
        assert memory._store.plans("default") == ["toy/new"]


def test_words_alone_are_kept_too_and_make_room_for_vectors(place: Path) -> None:
    with opened(place) as memory:
        told(memory, "s", *SHIPS[:5])
        memory.search("tea")
    with opened(place, Toy()) as memory:
        assert memory._store.plans("default") == ["words"]
        assert memory.search("tea", limit=1)[0].parts["meaning"]
        memory.flush()
        assert memory._store.plans("default") == ["toy/1"]
