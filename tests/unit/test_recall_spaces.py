"""The index of a space follows its store: whoever wrote, whatever changed; nothing stays of what was forgotten."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import apsw
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from recall_tools import Toy, blocks_of, failing, indexed, noted, opened, spaces_of, texts_of, told

from onrecord import Memory, StoreBusy, StoreDamaged
from onrecord.recall.index import text_of
from onrecord.recall.indexed_texts import fingerprint
from onrecord.recall.matrix import quantised
from onrecord.records import BLOCK, Block

SECRET = "The vault opens with marzipan"

WRITER = """
import sys
from onrecord import Memory
with Memory(sys.argv[1], embedder=None) as memory:
    memory.session("other").add("user", "A walrus came to the harbour")
"""


def found(memory: Memory, text: str, **more: object) -> list[str]:
    return texts_of(memory.search(text, **more))  # type: ignore[arg-type]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


# Following


def test_what_was_added_is_found_in_the_next_call() -> None:
    with opened() as memory:
        assert len(memory.search("harbour")) == 0
        for number in range(5):
            told(memory, f"s{number}", f"Ship {number} is in the harbour")
            assert len(memory.search("harbour")) == number + 1


def test_what_another_memory_wrote_is_found(place: Path) -> None:
    with opened(place) as one, opened(place) as other:
        told(one, "a", "The first ship is red")
        assert found(other, "ship") == ["The first ship is red"]
        told(other, "b", "The second ship is blue")
        assert set(found(one, "ship")) == {"The first ship is red", "The second ship is blue"}
        other.forget(session="a")
        assert found(one, "ship") == ["The second ship is blue"]


def test_what_another_process_wrote_is_found(place: Path) -> None:
    with opened(place) as memory:
        told(memory, "s", "A seal came to the harbour")
        assert len(memory.search("walrus harbour")) == 1
        subprocess.run([sys.executable, "-c", WRITER, str(place)], check=True, timeout=60)
        assert found(memory, "walrus", limit=1) == ["A walrus came to the harbour"]


def test_what_arrived_is_read_once() -> None:
    with opened() as memory:
        told(memory, "s", *(f"Ship {number}" for number in range(20)))
        memory.search("ship")
        reads: list[int] = []
        real = memory._store.feed
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(memory._store, "feed", noted(reads, lambda space, after, limit, kinds: after, real))
            memory.search("ship")
            memory.search("another ship")
            assert reads == []
            told(memory, "s", "Ship 21")
            memory.search("ship")
            assert min(reads) == 20


def test_a_space_that_is_erased_and_made_again_is_another() -> None:
    with opened() as memory:
        told(memory, "s", "The old ship")
        assert found(memory, "ship") == ["The old ship"]
        memory.forget(space="default")
        assert found(memory, "ship") == []
        told(memory, "s", "The new ship")
        assert found(memory, "ship") == ["The new ship"]


def test_scores_that_were_changed_are_seen() -> None:
    with opened() as memory:
        told(memory, "s", "The red ship", "The blue ship")
        assert len(memory.search("ship", importance=0.9)) == 0
        memory.session("s").rescore({2: 0.95})
        assert found(memory, "ship", importance=0.9) == ["The blue ship"]


def test_pins_and_summaries_are_followed() -> None:
    with opened() as memory:
        chat = memory.session("s")
        told(memory, "s", "We talked about boats", "And about the weather")
        pin = chat.pin("The anchor is heavy")
        assert found(memory, "anchor", kinds="pin") == ["The anchor is heavy"]
        chat.unpin(pin.id)
        assert found(memory, "anchor", kinds="pin") == []
        (made,) = chat.summarize(1, 2).made
        assert [hit.id for hit in memory.search("boats", kinds="summary")] == [made.id]
        chat.edit_summary(made.id, "Kangaroos were mentioned")
        assert found(memory, "kangaroos", kinds="summary") == ["Kangaroos were mentioned"]
        assert [hit.text for hit in memory.search("boats", kinds="summary")] == ["Kangaroos were mentioned"]


STEP = st.tuples(st.sampled_from(["add", "forget", "rescore", "pin", "unpin", "search"]), st.integers(0, 30))


@settings(max_examples=40, deadline=None)
@given(st.lists(STEP, max_size=20), st.booleans())
def test_whatever_happened_it_is_as_if_made_anew(steps: list[tuple[str, int]], vectors: bool) -> None:
    with opened(embedder=Toy() if vectors else None) as memory:
        said = [1]
        told(memory, "a", "A ship")
        told(memory, "b", "Another ship")
        pins: list[str] = []
        chats = [memory.session(name) for name in "ab"]
        for what, which in steps:
            chat = chats[which % 2]
            if what == "add":
                said.append(chat.add("user", f"Ship {which} sails with {'cargo ' * which}").seq)
            elif what == "forget":
                chat.forget(*said[which % len(said) :][:3])
            elif what == "rescore":
                chat.rescore({1: which / 30})
            elif what == "pin":
                pins.append(chat.pin(f"Pin {which}").id)
            elif what == "unpin" and pins:
                for held in chats:
                    if pins[-1] in {pin.id for pin in held.pins()}:
                        held.unpin(pins[-1])
            elif what == "search":
                memory.search(f"ship {which}")
        hits = memory.search("ship with cargo", limit=100)
        spaces_of(memory)._spaces.clear()
        assert list(memory.search("ship with cargo", limit=100)) == list(hits)


# Forgetting


def test_nothing_of_a_forgotten_message_stays(place: Path) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        chat = memory.session("s")
        told(memory, "s", "The ship is red", SECRET, "The ship is blue")
        memory.flush()
        assert fingerprint(SECRET) in blocks_of(memory, toy.name, toy.dimension)[0].prints
        assert found(memory, "marzipan vault", limit=1) == [SECRET]
        chat.forget(2)
        kept = blocks_of(memory, toy.name, toy.dimension)
        assert not any(fingerprint(SECRET) in texts.prints for texts in kept.values())
        assert SECRET not in found(memory, "marzipan vault")
        with indexed(memory) as index:
            assert [text_of(item) for item in index.items] == ["The ship is red", "The ship is blue"]
            assert fingerprint(SECRET) not in index.prints
            (secret,), _ = quantised(toy.row(SECRET)[None])
            assert not any(np.array_equal(row, secret) for row in index.matrix.rows(slice(None))[0])
        memory.flush()
        assert set(blocks_of(memory, toy.name, toy.dimension)[0].prints.tolist()) == {
            fingerprint("The ship is red"),
            fingerprint("The ship is blue"),
        }
        assert "marzipan" not in memory.search("marzipan").explain().replace('"marzipan"', "")


def test_a_message_that_another_memory_forgot_is_not_written_again(place: Path) -> None:
    toy = Toy()
    with opened(place, toy) as one, opened(place, Toy()) as other:
        told(one, "s", SECRET, "The ship is red")
        other.search("ship")
        one.session("s").forget(1)
        other.close()  # writes what it knows
        with opened(place, toy) as third:
            for texts in blocks_of(third, toy.name, toy.dimension).values():
                assert fingerprint(SECRET) not in texts.prints


def test_everything_forgotten() -> None:
    with opened() as memory:
        told(memory, "s", SECRET)
        assert found(memory, "vault") == [SECRET]
        memory.session("s").forget(1)
        assert found(memory, "vault") == []


# Blocks


def test_what_blocks_hold_is_not_made_again(place: Path) -> None:
    with opened(place, Toy()) as memory:
        told(memory, "s", *(f"Ship {number} of many" for number in range(2 * BLOCK + 10)))
        memory.flush()
        assert set(blocks_of(memory, "toy/1", 48)) == {0, 1, 2}
        assert memory.rebuild(vectors=True) == 0
    toy = Toy()
    with opened(place, toy) as memory:
        memory.search("Ship 7 of many")
        memory.flush()
        assert toy.embedded == []
        told(memory, "s", "One more")
        memory.flush()
        assert toy.embedded == ["One more"]


def test_blocks_of_another_version_are_made_again(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        told(memory, "s", "The ship is red")
        memory.flush()
    monkeypatch.setattr("onrecord.recall.indexed_texts.LEXEMES_VERSION", 99)
    with opened(place, toy) as memory:
        assert found(memory, "ship") == ["The ship is red"]
        memory.flush()
        assert toy.embedded.count("The ship is red") == 2
    with opened(place, toy) as memory:
        assert set(blocks_of(memory, toy.name, toy.dimension)) == {0}


@pytest.mark.parametrize("harm", ["", "garbage", "cut", "bytes"])
def test_blocks_that_are_damaged_are_made_again(place: Path, harm: str) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        told(memory, "s", *(f"Ship {number} is red" for number in range(10)))
        memory.flush()
        (block,) = memory._store.blocks("default", toy.name)
        at = memory._store.revision("default")
        bodies = {"": b"", "garbage": b"\0" * 500, "cut": block.body[:-7], "bytes": b""}
        if harm != "bytes":
            memory._store.save_blocks("default", toy.name, [Block(number=0, body=bodies[harm])], at)
    if harm == "bytes":
        db = apsw.Connection(str(place))
        db.execute("UPDATE blocks SET body = zeroblob(length(body))")
        db.close()
    again = Toy()
    with opened(place, again) as memory:
        assert len(memory.search("red ship", limit=50)) == 10
        memory.flush()
        assert sorted(again.embedded) == sorted(["red ship", *(f"Ship {number} is red" for number in range(10))])
        (block,) = memory._store.blocks("default", toy.name)
        assert blocks_of(memory, toy.name, toy.dimension)[0].scales.min() > 0


def test_a_block_that_holds_too_much_is_written_anew(place: Path) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        told(memory, "s", "The ship is red")
        memory.flush()
        (right,) = memory._store.blocks("default", toy.name)
        told(memory, "s", SECRET)
        memory.flush()
        (wrong,) = memory._store.blocks("default", toy.name)
        memory.session("s").forget(2)
        memory._store.save_blocks("default", toy.name, [wrong], memory._store.revision("default"))
        spaces_of(memory)._spaces.clear()
        memory.flush()
        assert memory._store.blocks("default", toy.name) == [right]


def test_writing_is_given_up_when_something_is_forgotten_meanwhile(place: Path) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        told(memory, "s", SECRET, "The ship is red")
        memory.search("ship")
        real = memory._store.save_blocks

        def late(space: str, plan: str, blocks: list[Block], at: object) -> bool:
            memory.session("s").forget(1)
            return real(space, plan, blocks, at)  # type: ignore[arg-type]

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(memory._store, "save_blocks", late)
            memory.flush()
        assert blocks_of(memory, toy.name, toy.dimension)[0].prints.tolist() == [fingerprint("The ship is red")]


def test_vectors_that_no_block_holds_yet_are_kept_when_something_is_forgotten() -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        told(memory, "s", "The ship is red", SECRET, "The ship is blue")
        memory.search("ship")
        memory.session("s").forget(2)
        memory.search("ship")
        memory.flush()
        assert toy.embedded.count("The ship is red") == toy.embedded.count("The ship is blue") == 1


def test_forgetting_one_message_does_not_cost_the_vectors_of_its_neighbours(place: Path) -> None:
    toy = Toy()
    with opened(place, toy) as memory:
        told(memory, "s", "The ship is red", SECRET, "The ship is blue")
        memory.flush()
        memory.session("s").forget(2)
        memory.flush()
        assert sorted(toy.embedded) == ["The ship is blue", "The ship is red", SECRET]


# Failing stores


@pytest.mark.parametrize("method", ["feed", "blocks", "revision"])
def test_a_store_that_fails_once_is_followed_again(method: str) -> None:
    toy = Toy()
    with opened(embedder=toy) as memory:
        told(memory, "s", "The ship is red", SECRET)
        memory.flush()
        memory.session("s").forget(2)
        with failing(memory._store, method, StoreBusy("Busy.", "Wait.")), pytest.raises(StoreBusy):
            memory.search("ship")
        assert found(memory, "ship") == ["The ship is red"]
        memory.flush()
        assert blocks_of(memory, toy.name, toy.dimension)[0].prints.tolist() == [fingerprint("The ship is red")]


def test_closing_succeeds_though_the_index_cannot_be_written(caplog: pytest.LogCaptureFixture) -> None:
    memory = opened(embedder=Toy())
    told(memory, "s", SECRET)
    memory.search("vault")
    with failing(memory._store, "save_blocks", StoreDamaged(SECRET, SECRET)):
        memory.close()
    assert "marzipan" not in caplog.text


# Memory


def test_indexes_that_were_not_used_for_longest_go() -> None:
    toy = Toy()
    with opened(embedder=toy, index_bytes=400_000) as memory:
        views = [memory.space(f"space{number}") for number in range(6)]
        for number, view in enumerate(views):
            told(view, "s", *(f"Ship {number} {at} " + "x" * 800 for at in range(60)))
            view.search("ship")
            kept = spaces_of(memory).bytes
            assert f"space{number}" in kept
            assert sum(kept.values()) <= 400_000 or len(kept) == 1
        assert len(kept) < 6
        assert list(kept) == [f"space{number}" for number in range(6)][-len(kept) :]
        first = next(iter(kept))
        memory.space(first).search("ship")  # the one that was not used for longest is used
        told(memory.space("new"), "s", *(f"Ship {at} " + "x" * 800 for at in range(60)))
        memory.space("new").search("ship")
        assert first in spaces_of(memory).bytes
        assert "Ship 0 59" in found(views[0], "ship 59", limit=1)[0]
        assert list(spaces_of(memory).bytes)[-1] == "space0"


def test_an_embedder_that_failed_is_left_alone_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    toy = Toy(enough=0)
    with opened(embedder=toy) as memory:
        told(memory, "a", "The kayak is red")
        assert memory.search("kayak").notes
        toy.enough = None
        assert memory.search("kayak").notes
        assert not toy.embedded
        monkeypatch.setattr("onrecord.recall.spaces.monotonic", lambda: 1e12)
        assert not memory.search("kayak").notes


def test_two_embedders_on_one_file_lose_nothing(place: Path) -> None:
    one, other = Toy(name="one"), Toy(name="other")
    with opened(place, one) as first, opened(place, other) as second:
        told(first, "a", "The kayak is red", "The boat is blue")
        first.flush()
        second.flush()
        first.flush()
        assert first._store.plans("default") == ["one"]
    with opened(place, one) as again:
        made = len(one.embedded)
        assert again.search("kayak")[0].text == "The kayak is red"
        assert len(one.embedded) - made <= 1  # the question


def test_an_index_that_was_interrupted_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened(embedder=Toy()) as memory:
        told(memory, "a", "The kayak is red")
        memory.search("kayak")
        told(memory, "a", "The boat is blue")

        def interrupted(*_: object) -> None:
            raise KeyboardInterrupt

        with monkeypatch.context() as patch:
            patch.setattr("onrecord.recall.index.SpaceIndex._describe", interrupted)
            with pytest.raises(KeyboardInterrupt):
                memory.search("boat")
        assert {hit.text for hit in memory.search("boat")} == {"The kayak is red", "The boat is blue"}
