"""What a search follows: the feed of arrivals, how far a space is, and the blocks of its index."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, cast

from onrecord.ports import Revision, Store
from onrecord.records import BLOCK, Arrival, Block
from onrecord.testing.conformance.case import RICH, StoreCase, derive, draft, fed, forget, node, put, read

__all__ = ["FollowingCases"]

Steps = list[Callable[[], object]]


def whole_feed(store: Store, limit: int) -> list[Arrival]:
    """All pages of the feed."""
    found: list[Arrival] = []
    while page := store.feed("s", found[-1].number if found else 0, limit):
        assert len(page) <= limit
        found += page
    return found


def block(number: int, body: bytes | None = None) -> Block:
    return Block(number=number, body=b"\0block %d\xff\r\n" % number if body is None else body)


def save(store: Store, *blocks: Block | int, plan: str = "p", space: str = "s") -> bool:
    whole = [block(item) if isinstance(item, int) else item for item in blocks]
    return store.save_blocks(space, plan, whole, store.revision(space))


def held(store: Store, plan: str = "p", space: str = "s", **page: int) -> list[int]:
    return [block.number for block in store.blocks(space, plan, **page)]


class FollowingCases(StoreCase):
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
        assert numbers == sorted(set(numbers))
        assert (numbers[0] >= 1, numbers[-1]) == (True, store.revision("s").newest)
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

    def test_pages_of_any_length_and_kind(self, store: Store) -> None:
        kinds = ("fact", "episode", "change", "relation", "pin", "summary")
        for number in range(6):
            session, drafts = f"{number % 3}", [draft(f"text {number}"), draft("more")]
            every = (*kinds, "mark", "important") if number % 2 else ("summary",) * (number < 4)
            nodes = [node(f"{kind}{number}", kind=kind, session=session) for kind in every]
            derive(store, *nodes, session=session, drafts=drafts)
        put(store, *(f"text {number}" for number in range(9)))  # many of one kind hide none of the other
        forget(store, 1, 2, session="1")
        forget(store, 3, session="2")
        whole = store.feed("s", 0)
        assert len(whole) == 2 + 18 + 12 + 9 - 3
        for limit in (1, 2, 3, 7, len(whole) - 1, len(whole), len(whole) + 1):
            assert whole_feed(store, limit) == whole
        for wanted in (("fact",), ("relation", "change"), ("message", "fact"), ("message",), ("none",), kinds):
            expected = [item for item in whole if getattr(item.item, "kind", "message") in wanted]
            assert store.feed("s", 0, 500, wanted) == expected
            assert [item for item in whole if store.feed("s", item.number - 1, 1, wanted)[:1] == [item]] == expected

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
        other = node("n", body={"text": "other"})
        derive(store, other)
        assert fed(store) == ["a summary m", "a 1", "a summary n"]
        assert fed(store, after=first) == ["a summary n"]
        derive(store, other)
        again = store.feed("s", 0)[-1]
        assert (again.number > first + 1, again.item) == (True, other)

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

    def test_a_follower_misses_nothing(self, store: Store) -> None:
        """What follows the revision alone knows at each step what the feed has."""
        at, followed = Revision(), list[Arrival]()
        steps: Steps = [
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
            lambda: put(store, "again"),
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

    def test_the_revision_says_what_arrived_and_what_went(self, store: Store) -> None:
        """And blocks are saved unless something went since the revision that they were made at."""
        put(store, *(["text"] * 6))
        put(store, "one", session="b")
        last = store.revision("s")
        assert (last.newest, last.removed, last.born > 0) == (7, 0, True)
        arriving: Steps = [
            lambda: put(store, "two", "three"),
            lambda: derive(store, node("n", 1), node("f", 2, fixed=True), node("g", 3)),
            lambda: derive(store, node("p", kind="pin"), node("m", kind="mark"), drafts=[draft("four")]),
        ]
        idle: Steps = [
            lambda: put(store, title="T"),
            lambda: derive(store, node("m", kind="mark", body={"at": 2}), node("i", kind="important")),
            lambda: derive(store, drops=[("mark", "m"), ("important", "i"), ("summary", "unknown")]),
            lambda: derive(store, node("m", kind="mark")),
            lambda: forget(store, 99),
            lambda: forget(store, session="unknown"),
            lambda: put(store, "one", space="t"),
            lambda: forget(store, session=None, space="t"),
        ]
        removing: Steps = [
            lambda: derive(store, node("n", 1)),
            lambda: derive(store, node("p", kind="pin", body={"other": 1})),
            lambda: derive(store, drops=[("summary", "n")]),
            lambda: derive(store, scores={1: 0.75}),
            lambda: forget(store, 2),
            lambda: derive(store, node("f", 2, fixed=True)),
            lambda: forget(store, 4, 5),
            lambda: forget(store, session="b"),
        ]
        for steps in (arriving, idle, removing):
            for step in steps:
                step()
                now = store.revision("s")
                assert now == store.revision("s")
                assert (now.born, now.removed > last.removed) == (last.born, steps is removing)
                if steps is arriving:
                    assert now.newest == store.feed("s", 0)[-1].number > last.newest
                assert store.save_blocks("s", "p", [block(0)], last) is (steps is not removing)
                last = now

    def test_a_space_of_the_same_name_is_another(self, store: Store) -> None:
        seen = [Revision()]
        for session in (None, "a", None):
            put(store, "one")
            assert not store.save_blocks("s", "p", [block(0)], seen[-1])
            seen.append(store.revision("s"))
            forget(store, session=session)
            assert store.revision("s") == Revision()
            assert not store.save_blocks("s", "p", [block(0)], seen[-1])
        assert len({revision.born for revision in seen}) == 4

    # Blocks

    def test_blocks_come_back_as_they_were_given(self, store: Store) -> None:
        put(store, "one")
        bodies = (b"", b"\0", bytes(range(256)) * 5, b"x" * 300_000, b"\n{}")
        given = [block(number, body) for number, body in enumerate(bodies)]
        assert save(store, *given[::-1])
        assert store.blocks("s", "p") == given
        assert save(store, block(1, b"other"), 9)
        assert store.blocks("s", "p") == [given[0], block(1, b"other"), *given[2:], block(9)]
        assert save(store)
        assert (store.plans("s"), store.check(lambda n: None).ok) == (["p"], True)

    def test_pages_of_blocks(self, store: Store) -> None:
        put(store, "one")
        numbers = [0, 2, 3, 9, 10, 11, 100]
        assert save(store, *numbers)
        for limit in (0, 1, 3, 7, 8):
            assert held(store, limit=limit) == numbers[:limit]
        assert (held(store, after=2, limit=3), held(store, after=1)) == ([3, 9, 10], numbers[1:])
        assert (held(store), held(store, after=100)) == (numbers, [])

    def test_plans_and_spaces_have_their_own(self, store: Store) -> None:
        plans = ["B", "a", "a-b", "é", "é 文/.."]
        for space in ("s", "S"):
            put(store, "one", space=space)
            for plan in plans:
                assert save(store, block(0, f"{space} {plan}".encode()), 1, plan=plan, space=space)
        for space in ("s", "S"):
            assert store.plans(space) == plans
            assert [store.blocks(space, plan)[0].body.decode() for plan in plans] == [
                f"{space} {plan}" for plan in plans
            ]
        store.drop_blocks("s", "a")
        store.drop_blocks("s", "unknown")
        assert store.plans("s") == sorted({*plans} - {"a"})
        assert (held(store, "a"), held(store, "a-b"), held(store, "a", "S")) == ([], [0, 1], [0, 1])
        forget(store, 1, space="S")
        assert (held(store, "B", "S"), held(store, "B")) == ([1], [0, 1])
        forget(store, session=None)
        assert (store.plans("s"), held(store, "B")) == ([], [])

    def test_what_goes_takes_its_blocks_along(self, store: Store) -> None:
        put(store, *(["text"] * (3 * BLOCK)))
        put(store, "one", session="b")
        derive(store, node("n", 1), node("f", 2 * BLOCK + 9, fixed=True), node("m", kind="mark"))
        steps: list[tuple[Callable[[], object], set[int]]] = [
            (lambda: derive(store, node("m", kind="mark"), scores={1: 0.5}, drafts=[draft("more")]), set()),
            (lambda: put(store, title="T"), set()),
            (lambda: derive(store, node("o", 1), node("i", kind="important")), set()),
            (lambda: forget(store, 99 * BLOCK), set()),
            (lambda: forget(store, 2 * BLOCK + 9), {2, 3}),
            (lambda: forget(store, BLOCK - 1, 3 * BLOCK - 1), {0, 2}),
            (lambda: derive(store, node("n", 3)), {3}),
            (lambda: derive(store, drops=[("summary", "n")]), {3}),
            (lambda: forget(store, session="b"), {3}),
            (lambda: forget(store), set(range(4))),
        ]
        for step, gone in steps:
            for plan in ("p", "q"):
                assert save(store, *range(4), plan=plan)
            step()
            assert held(store) == held(store, "q") == sorted({0, 1, 2, 3} - gone)
            assert store.plans("s") == (["p", "q"] if held(store) else [])
