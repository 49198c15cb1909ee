"""How often facts were taken: noted while reading, written in batches, added up over processes."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from longterm_tools import Hands, day, opened, writes
from recall_tools import failing

from onrecord import Memory
from onrecord.derive.accesses import BATCH, Access, Accesses
from onrecord.errors import StoreFull
from onrecord.ports import Batch, Store
from onrecord.records import EPOCH
from onrecord.stores.sqlite.memory_store import MemoryStore

SPACE = "ana"


def stored(*names: str) -> MemoryStore:
    """A store with a space that holds something: counters make none."""
    store = MemoryStore()
    for name in names or (SPACE,):
        store.commit(Batch(space=name, session="s", info={"title": "t"}, time=EPOCH))
    return store


def known(store: Store) -> dict[str, Access]:
    return Accesses(store).of(SPACE)


def test_noted_and_not_written() -> None:
    store = stored()
    accesses = Accesses(store)
    accesses.note(SPACE, ["a", "b"], day(1))
    accesses.note(SPACE, ["a"], day(3))
    accesses.note(SPACE, ["a"], day(2))
    assert accesses.of(SPACE) == {"a": Access(3, day(3)), "b": Access(1, day(1))}
    assert known(store) == {}
    accesses.write(SPACE)
    assert known(store) == accesses.of(SPACE) == {"a": Access(3, day(3)), "b": Access(1, day(1))}


def test_written_once() -> None:
    store = stored()
    accesses = Accesses(store)
    accesses.note(SPACE, ["a"], day(1))
    for _ in range(3):
        accesses.write(SPACE)
        accesses.write_all()
    assert known(store) == {"a": Access(1, day(1))}


@given(st.lists(st.tuples(st.booleans(), st.sampled_from("abc"), st.integers(0, 9), st.booleans()), max_size=30))
def test_two_who_count_add_up(told: list[tuple[bool, str, int, bool]]) -> None:
    store = stored()
    both = Accesses(store), Accesses(store)
    for one, id, at, write in told:
        both[one].note(SPACE, [id], day(at))
        if write:
            both[one].write(SPACE)
    for accesses in both:
        accesses.write_all()
    expected = {
        id: Access(
            sum(one[1] == id for one in told),
            max(day(one[2]) for one in told if one[1] == id),
        )
        for id in {one[1] for one in told}
    }
    assert known(store) == expected


def test_it_says_when_there_is_enough_to_write() -> None:
    accesses = Accesses(stored())
    assert not accesses.note(SPACE, [f"id {number}" for number in range(BATCH - 1)], day(1))
    assert not accesses.note(SPACE, ["id 1"] * BATCH, day(1))  # one more line holds them all
    assert accesses.note(SPACE, ["another"], day(1))


def test_spaces_are_counted_apart() -> None:
    store = stored(SPACE, "bob")
    accesses = Accesses(store)
    accesses.note(SPACE, ["a"], day(1))
    accesses.note("bob", ["a"], day(2))
    accesses.note("bob", ["a"], day(3))
    accesses.write_all()
    assert (known(store)["a"].times, accesses.of("bob")["a"].times) == (1, 2)


def test_what_is_gone_is_not_counted_any_more() -> None:
    store = stored()
    accesses = Accesses(store)
    accesses.note(SPACE, ["stays", "goes"], day(1))
    accesses.forget(SPACE, ["stays", "never taken"])
    assert accesses.of(SPACE) == known(store) == {"stays": Access(1, day(1))}
    assert not any("goes" in name for name in store.tally(SPACE))


def test_a_store_that_fails_loses_no_count() -> None:
    store = stored()
    accesses = Accesses(store)
    accesses.note(SPACE, ["a", "b"], day(1))
    with failing(store, "count", StoreFull("Full.", "Free some.")), pytest.raises(StoreFull):
        accesses.write(SPACE)
    accesses.note(SPACE, ["a"], day(2))
    accesses.write(SPACE)
    assert known(store) == {"a": Access(2, day(2)), "b": Access(1, day(1))}


def test_threads_that_note_and_write_lose_nothing() -> None:
    store = stored()
    accesses = Accesses(store)

    def work() -> None:
        for number in range(200):
            accesses.note(SPACE, ["a", f"id {number}"], day(1))
            if number % 20 == 0:
                accesses.write(SPACE)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    accesses.write_all()
    assert known(store)["a"].times == 800
    assert {known(store)[f"id {number}"].times for number in range(200)} == {4}


# Through a memory


def told(memory: Memory) -> str:
    return memory.add_fact("Ana is allergic to walnuts.", kind="constraint", subject="Ana", attribute="allergy").id


@pytest.mark.parametrize("end", [Memory.flush, Memory.close])
def test_t07_a_search_is_noted_and_written_by_flush_and_close(end: object, tmp_path: Path) -> None:
    clock = Hands()
    memory = opened(tmp_path / "m.db", clock)
    id = told(memory)
    clock.on(3)
    memory.search("walnuts")  # the first look may write what the index lacks
    with writes(memory) as written:
        for _ in range(5):
            assert memory.search("walnuts", kinds="fact")[0].id == id
        memory.facts()
        memory.session("s").context("What is Ana allergic to?")
    assert not written
    end(memory)  # type: ignore[operator]
    memory.close()
    with opened(tmp_path / "m.db", clock) as again:
        fact = again.fact(id)
        assert fact.access_count >= 6
        assert fact.last_access == day(3)


def test_t07_enough_is_written_in_the_background() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        for number in range(BATCH):
            memory.add_fact(f"The walnut number {number} is green.")
        with writes(memory) as written:
            memory.search("walnut", kinds="fact", limit=BATCH)
            worker = memory._parts.noting
            assert worker.open() or written.counted  # it waits, or has just begun
        memory.flush()
        assert len([one for one in memory._store.tally("default", "taken ") if one]) == BATCH


def test_t07_two_memories_of_one_file_add_up(tmp_path: Path) -> None:
    clock = Hands()
    with opened(tmp_path / "m.db", clock) as one, opened(tmp_path / "m.db", clock) as other:
        id = told(one)
        for memory, times in ((one, 2), (other, 3), (one, 1)):
            for _ in range(times):
                memory.search("walnuts", kinds="fact")
            memory.flush()
        other.flush()
        assert [memory.fact(id).access_count for memory in (one, other)] == [6, 6]


def test_t07_an_access_is_in_the_decay() -> None:
    clock = Hands()
    with opened(clock=clock) as memory:
        id = told(memory)
        clock.on(60)
        assert memory.fact(id).decay == 0.25
        memory.search("walnuts", kinds="fact")
        assert memory.fact(id).decay == 1.0
        clock.on(30)
        assert memory.fact(id).decay == 0.6


def test_looking_at_a_fact_is_no_access() -> None:
    with opened() as memory:
        id = told(memory)
        memory.fact(id)
        memory.facts()
        memory.relations(id)
        assert (memory.fact(id).access_count, memory.fact(id).last_access) == (0, None)


def test_a_prompt_of_the_past_is_no_access() -> None:
    clock = Hands()
    with opened(clock=clock, profile="tiered") as memory:
        id = told(memory)
        memory.session("s").add_many([("user", "Is Ana allergic to walnuts?"), ("user", "Is Ben allergic?")])
        clock.on(3)
        assert "walnuts" in str(memory.session("s").context("Walnuts?", as_of=day(2)))
        assert memory.fact(id).access_count == 0
        memory.session("s").context("Walnuts?")
        assert memory.fact(id).access_count > 0


def test_counters_hold_no_word() -> None:
    with opened() as memory:
        told(memory)
        memory.search("walnuts", kinds="fact")
        memory.flush()
        names = " ".join(memory._store.tally("default"))
        assert "taken fact_" in names
        assert "walnut" not in names
