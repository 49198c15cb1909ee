"""What a search follows: the feed of arrivals, how far a space is, and the blocks of its index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, cast

import pytest

from recollect.ports import Revision, Store
from recollect.records import BLOCK, Arrival, Block
from recollect.testing.conformance.case import (
    PLACE,
    RICH,
    StoreCase,
    derive,
    derived,
    draft,
    fed,
    forget,
    node,
    put,
    read,
)

__all__ = ["Following"]


def whole_feed(store: Store, space: str = "s", limit: int = 500) -> list[Arrival]:
    """All pages of the feed."""
    found: list[Arrival] = []
    while page := store.feed(space, found[-1].number if found else 0, limit):
        assert len(page) <= limit
        found += page
    return found


def save(store: Store, *blocks: Block, plan: str = "p", space: str = "s") -> bool:
    return store.save_blocks(space, plan, blocks, store.revision(space))


def block(number: int, body: bytes | None = None) -> Block:
    return Block(number=number, body=b"\0block %d\xff\r\n" % number if body is None else body)


def held(store: Store, plan: str = "p", space: str = "s") -> list[int]:
    return [block.number for block in store.blocks(space, plan)]


class Following(StoreCase):
    """`feed`, `revision`, `blocks`, `plans`, `save_blocks` and `drop_blocks`."""

    # The feed

    def test_the_feed_has_everything_in_order_of_arrival(self, store: Store) -> None:
        put(store, "one", "two", session="b")
        derive(store, node("n", 1), node("p", kind="pin"), drafts=[draft("one"), draft("two")])
        put(store, "three", session="b")
        derive(store, node("m", session="b"), session="b")
        put(store, "three")
        expected = ["b 1", "b 2", "a 1", "a 2", "a summary n", "a pin p", "b 3", "b summary m", "a 3"]
        assert fed(store) == expected
        numbers = [arrival.number for arrival in store.feed("s", 0)]
        assert numbers[0] >= 1
        assert numbers == sorted(set(numbers))
        assert store.revision("s").newest == numbers[-1]
        for place, number in enumerate(numbers, 1):
            assert fed(store, after=number) == expected[place:]
            assert fed(store, after=number - 1, limit=2) == expected[place - 1 : place + 1]

    def test_the_feed_gives_whole_items(self, store: Store) -> None:
        put(store, *RICH)
        pin = node("p", 1, 2, kind="pin", locked=True, recipe="r", body={"text": "é\ud800", "list": [1, {"a": None}]})
        derive(store, pin, node("i", kind="important"), node("m", kind="mark"))
        assert [arrival.item for arrival in store.feed("s", 0)] == [*read(store), pin]
        cast(Any, store.feed("s", 0)[-1].item).body["list"].append("changed")
        assert store.feed("s", 0)[-1].item == pin

    def test_pages_of_any_length(self, store: Store) -> None:
        for number in range(1, 9):
            drafts = [draft(f"text {number}"), draft("more")]
            derive(store, node(f"{number}", session=f"{number % 3}"), session=f"{number % 3}", drafts=drafts)
        forget(store, 1, 2, 3, 4, session="1")
        forget(store, 3, session="2")
        whole = store.feed("s", 0)
        assert len(whole) == 19
        for limit in (1, 2, 3, 7, 18, 19, 20):
            assert whole_feed(store, limit=limit) == whole

    def test_many_of_one_kind_hide_none_of_the_other(self, store: Store) -> None:
        for number in range(10):
            derive(store, node(f"n{number}"))
        put(store, *(f"text {number}" for number in range(10)))
        for number in range(10):
            derive(store, node(f"m{number}"))
        whole = store.feed("s", 0)
        assert len(whole) == 30
        for limit in (1, 4, 9, 10, 11, 25):
            assert whole_feed(store, limit=limit) == whole

    def test_the_feed_of_some_kinds(self, store: Store) -> None:
        kinds = ("fact", "episode", "change", "relation", "pin", "summary")
        for number in range(4):
            put(store, f"text {number}")
            derive(store, *(node(f"{kind}{number}", kind=kind) for kind in (*kinds, "mark", "important")))
        whole = store.feed("s", 0)
        assert len(whole) == 28
        for wanted in (("fact",), ("relation", "change"), ("message", "fact"), ("message",), ("none",), kinds):
            expected = [one for one in whole if getattr(one.item, "kind", "message") in wanted]
            assert store.feed("s", 0, 500, wanted) == expected
            assert [one for one in whole if store.feed("s", one.number - 1, 1, wanted)[:1] == [one]] == expected

    def test_a_page_is_empty_only_at_the_end(self, store: Store) -> None:
        put(store, *(f"text {number}" for number in range(600)), "last")
        forget(store, *range(1, 601))
        assert fed(store, limit=1) == ["a 601"]
        assert fed(store, after=store.feed("s", 0)[-1].number) == []
        forget(store, 601)
        assert fed(store) == []

    def test_a_record_that_is_written_again_comes_again(self, store: Store) -> None:
        derive(store, node("n"), node("m"))
        put(store, "one")
        first = store.revision("s").newest
        derive(store, node("n", body={"text": "other"}))
        assert fed(store) == ["a summary m", "a 1", "a summary n"]
        assert fed(store, after=first) == ["a summary n"]
        derive(store, node("n", body={"text": "other"}))
        again = store.feed("s", 0)[-1]
        assert again.number > first + 1
        assert again.item == node("n", body={"text": "other"})

    def test_what_is_not_there_does_not_come(self, store: Store) -> None:
        put(store, "one", "two", "three")
        derive(store, node("fixed", 1, 2, fixed=True), node("loose", 2), node("drop"), node("empty", body=None))
        derive(store, node("i", kind="important"), node("m", kind="mark"), drops=[("summary", "drop")])
        assert fed(store) == ["a 1", "a 2", "a 3", "a summary fixed", "a summary loose"]
        forget(store, 2)
        assert fed(store) == ["a 1", "a 3"]
        seen = store.revision("s").newest
        derive(store, node("fixed", 1, 2, fixed=True))
        assert fed(store) == ["a 1", "a 3", "a summary fixed"]
        assert fed(store, after=seen) == ["a summary fixed"]

    def test_whoever_follows_misses_nothing(self, store: Store) -> None:
        """What follows the revision alone knows at each step what the feed has."""
        at, followed = Revision(), list[Arrival]()
        steps: list[Callable[[], object]] = [
            lambda: put(store, "one", "two"),
            lambda: derive(store, node("n", 1), node("m", kind="mark")),
            lambda: derive(store, drops=[("mark", "m")]),
            lambda: put(store, "three"),
            lambda: derive(store, drops=[("summary", "n")]),
            lambda: put(store, "four"),
            lambda: derive(store, node("e", 4, fixed=True)),
            lambda: forget(store, 4),
            lambda: derive(store, drops=[("summary", "e")]),
            lambda: put(store, "five"),
            lambda: put(store, "one", session="b"),
            lambda: forget(store, session="b"),
            lambda: put(store, "two", session="b"),
            lambda: derive(store, node("m", kind="mark"), node("i", kind="important")),
            lambda: derive(store, node("m", kind="mark"), drafts=[draft("six")]),
            lambda: derive(store, scores={1: 1.0}),
            lambda: forget(store, session=None),
            lambda: put(store, "anew"),
        ]
        for step in steps:
            step()
            now = store.revision("s")
            if (now.born, now.removed) != (at.born, at.removed):
                followed = []
            followed += store.feed("s", followed[-1].number if followed else 0) if now != at else []
            assert followed == store.feed("s", 0)
            at = now

    def test_everyone_follows_one_line(self, store: Store) -> None:
        def work(session: str) -> None:
            for number in range(10):
                derive(store, node(f"{number}", session=session), session=session, drafts=[draft(f"{number}")])

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, "abcd"))
        whole = store.feed("s", 0)
        assert len({arrival.number for arrival in whole}) == len(whole) == 80
        for session in "abcd":
            own = [place for place in fed(store) if place.startswith(session)]
            assert own == [place for n in range(10) for place in (f"{session} {n + 1}", f"{session} summary {n}")]

    # The revision

    def test_the_revision_of_nothing(self, store: Store) -> None:
        assert store.revision("s") == Revision()
        assert (store.feed("s", 0), store.blocks("s", "p"), store.plans("s")) == ([], [], [])
        store.drop_blocks("s", "p")
        assert not store.save_blocks("s", "p", [block(0)], Revision())
        assert store.spaces() == []

    def test_what_only_arrives_changes_the_newest_alone(self, store: Store) -> None:
        put(store, "one")
        last = store.revision("s")
        assert (last.newest, last.removed) == (1, 0)
        assert last.born > 0
        steps: list[Callable[[], object]] = [
            lambda: put(store, "two", "three"),
            lambda: put(store, "one", session="b"),
            lambda: derive(store, node("n", 1)),
            lambda: derive(store, node("p", kind="pin"), drafts=[draft("four")]),
        ]
        for step in steps:
            step()
            now = store.revision("s")
            assert now == store.revision("s") == last._replace(newest=store.feed("s", 0)[-1].number)
            assert now.newest > last.newest
            last = now

    def test_what_removes_nothing_that_is_searched(self, store: Store) -> None:
        put(store, "one", "two")
        derive(store, node("n", 1), node("m", kind="mark"), node("i", kind="important"))
        before = store.revision("s")
        steps: list[Callable[[], object]] = [
            lambda: put(store, title="T"),
            lambda: derive(store, node("m", kind="mark", body={"at": 2}), node("i", kind="important")),
            lambda: derive(store, drops=[("mark", "m"), ("important", "i"), ("summary", "unknown")]),
            lambda: derive(store, node("m", kind="mark")),
            lambda: forget(store, 99),
            lambda: forget(store, session="unknown"),
            lambda: forget(store, session=None, space="t"),
            lambda: put(store, "one", space="t"),
            lambda: forget(store, session=None, space="t"),
        ]
        for step in steps:
            step()
            now = store.revision("s")
            assert (now.born, now.removed) == (before.born, before.removed)

    def test_what_makes_earlier_arrivals_untrue(self, store: Store) -> None:
        put(store, *(["text"] * 6))
        put(store, "one", session="b")
        derive(store, node("n", 1), node("f", 2, fixed=True), node("p", kind="pin"), node("g", 3))
        steps: list[Callable[[], object]] = [
            lambda: derive(store, node("n", 1)),
            lambda: derive(store, node("p", kind="pin", body={"other": 1})),
            lambda: derive(store, drops=[("summary", "n")]),
            lambda: derive(store, scores={1: 0.75}),
            lambda: forget(store, 2),
            lambda: derive(store, node("f", 2, fixed=True)),
            lambda: forget(store, 4, 5),
            lambda: forget(store, session="b"),
        ]
        for step in steps:
            before = store.revision("s")
            step()
            now = store.revision("s")
            assert now.removed > before.removed
            assert now.born == before.born

    def test_a_space_of_the_same_name_is_another(self, store: Store) -> None:
        seen = set()
        for session in (None, "a", None):
            put(store, "one")
            seen.add(store.revision("s").born)
            forget(store, session=session)
            assert store.revision("s") == Revision()
        assert len(seen) == 3

    # Blocks

    def test_blocks_come_back_as_they_were_given(self, store: Store) -> None:
        put(store, "one")
        bodies = (b"", b"\0", bytes(range(256)) * 5, b"x" * 300_000, b"\n{}")
        given = [block(number, body) for number, body in enumerate(bodies)]
        assert save(store, *given[::-1])
        assert store.blocks("s", "p") == given
        assert save(store, block(1, b"other"), block(9))
        assert store.blocks("s", "p") == [given[0], block(1, b"other"), *given[2:], block(9)]
        assert store.plans("s") == ["p"]
        assert save(store)
        assert store.check(lambda n: None).ok

    def test_pages_of_blocks(self, store: Store) -> None:
        put(store, "one")
        numbers = [0, 2, 3, 9, 10, 11, 100]
        assert save(store, *(block(number) for number in numbers))
        assert held(store) == numbers
        for limit in (0, 1, 3, 7, 8):
            assert [one.number for one in store.blocks("s", "p", limit=limit)] == numbers[:limit]
        assert [one.number for one in store.blocks("s", "p", 2, 3)] == [3, 9, 10]
        assert [one.number for one in store.blocks("s", "p", after=1)] == numbers[1:]
        assert store.blocks("s", "p", after=100) == []

    def test_plans_and_spaces_have_their_own(self, store: Store) -> None:
        plans = ["B", "a", "a-b", "é 文/..", "é"]
        for space in ("s", "S"):
            put(store, "one", space=space)
            for plan in plans:
                assert save(store, block(0, f"{space} {plan}".encode()), block(1), plan=plan, space=space)
        for space in ("s", "S"):
            assert store.plans(space) == sorted(plans)
            for plan in plans:
                assert store.blocks(space, plan)[0].body.decode() == f"{space} {plan}"
        store.drop_blocks("s", "a")
        store.drop_blocks("s", "unknown")
        assert store.plans("s") == sorted({*plans} - {"a"})
        assert (held(store, "a"), held(store, "a-b"), held(store, "a", "S")) == ([], [0, 1], [0, 1])
        forget(store, 1, space="S")
        assert (held(store, "B", "S"), held(store, "B")) == (self.left([0, 1], 0), [0, 1])
        forget(store, session=None)
        assert (store.plans("s"), held(store, "B")) == ([], [])

    def test_blocks_of_what_is_gone_are_refused(self, store: Store) -> None:
        put(store, "one", "two")
        derive(store, node("n", 1))
        steps: list[Callable[[], object]] = [
            lambda: derive(store, node("n", 1)),
            lambda: derive(store, drops=[("summary", "n")]),
            lambda: derive(store, scores={1: 1.0}),
            lambda: forget(store, 2),
            lambda: forget(store, session=None),
            lambda: put(store, "anew"),
        ]
        for step in steps:
            at = store.revision("s")
            step()
            assert not store.save_blocks("s", "p", [block(0)], at)
            assert held(store) == []
        at = store.revision("s")
        put(store, "two")
        derive(store, node("n"), node("m", kind="mark"))
        assert store.save_blocks("s", "p", [block(0)], at)
        assert held(store) == [0]

    def test_what_goes_takes_its_blocks_along(self, store: Store) -> None:
        put(store, *(["text"] * (3 * BLOCK)))
        put(store, "one", session="b")
        derive(store, node("n", 1), node("f", 2 * BLOCK + 9, fixed=True))
        steps: list[tuple[Callable[[], object], set[int]]] = [
            (lambda: forget(store, 2 * BLOCK + 9), {2, 3}),
            (lambda: forget(store, BLOCK - 1, 3 * BLOCK - 1), {0, 2}),
            (lambda: derive(store, node("n", 3)), {3}),
            (lambda: derive(store, drops=[("summary", "n")]), {3}),
            (lambda: forget(store, session="b"), {3}),
            (lambda: forget(store), set(range(4))),
        ]
        for step, gone in steps:
            for plan in ("p", "q"):
                assert save(store, *(block(number) for number in range(4)), plan=plan)
            step()
            assert held(store) == held(store, "q") == self.left(range(4), *gone)
            assert store.plans("s") == (["p", "q"] if held(store) else [])

    def test_blocks_stay_while_nothing_goes(self, store: Store) -> None:
        put(store, "one", "two")
        derive(store, node("m", kind="mark"))
        assert save(store, block(0), block(1))
        derive(store, node("m", kind="mark"), scores={1: 0.5}, drafts=[draft("three")])
        put(store, title="T")
        derive(store, node("n", 1), node("i", kind="important"))
        forget(store, 99)
        assert store.settle()
        assert held(store) == [0, 1]

    def test_blocks_are_there_when_it_is_opened_again(self, tmp_path: Path) -> None:
        if not self.persistent:
            pytest.skip("nothing is meant to survive")
        store = self.open(tmp_path / PLACE)
        put(store, *(["text"] * BLOCK), session="b")
        derive(store, node("p", kind="pin"), node("n"), drafts=[draft("one")])
        put(store, "two", session="b")
        assert save(store, block(0), block(1, b"x" * 9_999), plan="é 文")
        before, kept = store.feed("s", 0), store.blocks("s", "é 文")
        for _ in range(3):
            store.close()
            store = self.open(tmp_path / PLACE)
            assert store.plans("s") == ["é 文"]
            assert store.blocks("s", "é 文") == kept
            assert store.feed("s", 0) == before
            assert save(store, *kept, plan="é 文")
            put(store, "more", session="c")
            assert store.blocks("s", "é 文") == kept
            before = store.feed("s", 0)
        forget(store, 1, session="c")
        store.close()
        store = self.open(tmp_path / PLACE)
        assert held(store, "é 文") == self.left([0, 1], 1)
        assert len(derived(store)) == 1
        store.close()

    def test_a_backup_has_the_blocks(self, store: Store, tmp_path: Path) -> None:
        if not self.persistent or self.on_a_server:
            pytest.skip("there is nothing to copy")
        put(store, "one")
        assert save(store, block(0), block(1))
        store.backup(tmp_path / "copies" / PLACE)
        copy = self.open(tmp_path / "copies" / PLACE)
        assert copy.blocks("s", "p") == [block(0), block(1)]
        forget(store, 1)
        assert copy.blocks("s", "p") == [block(0), block(1)]
        copy.close()

    def left(self, numbers: Sequence[int], *gone: int) -> list[int]:
        """The blocks that stay when something goes of these."""
        return [number for number in numbers if number not in gone]
