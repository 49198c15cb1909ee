"""The stores agree: the same operations in any order give the same answers, errors included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from postgres_tools import empty_store_url

from onrecord.errors import OnrecordError
from onrecord.ports import Batch, Store, Target
from onrecord.records import Arrival, Block, Draft, Erased, Page, Query, Record
from onrecord.settings import Settings
from onrecord.stores.folder import FolderStore
from onrecord.stores.postgres import PostgresStore
from onrecord.stores.sqlite import SqliteStore
from onrecord.testing.conformance.case import LATER, NOON, draft, node
from tests.reference_store import ReferenceStore

QUICK = Settings(durability="process", busy_timeout=10)
TIMES = (NOON, LATER)
WORDS = ("lisbon", "porto", "里斯本", "Zoë's 3.5", "", "broken \ud800")

names = st.sampled_from(("a", "b", "ü"))
numbers = st.integers(1, 6)
drafts = st.builds(
    lambda text, role, id, key, seq, time: draft(text, role, id=id, key=key, seq=seq, time=time, state="kept"),
    st.sampled_from(WORDS),
    st.sampled_from(("user", "assistant")),
    st.none() | st.sampled_from(("i", "j", "k")),
    st.none() | st.sampled_from(("i", "j")),
    st.none() | st.none() | numbers,
    st.sampled_from(TIMES),
)
tombstones = st.builds(
    lambda id, seq: draft("", id=id, seq=seq, state="forgotten", tokens=64, overhead=0, encoding="", importance=0.5),
    st.sampled_from(("i", "d1", "d2")),
    numbers,
)
infos = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from((None, "T", "Ü")),
        "status": st.sampled_from(("active", "ended")),
        "meta": st.sampled_from(({}, {"a": [1, "é"]})),
        "created": st.sampled_from(TIMES),
        "ended": st.sampled_from((None, *TIMES)),
    },
)
kinds = st.sampled_from(("summary", "pin", "mark"))
keys = st.sampled_from(("k", "l", "ü"))
plans = st.sampled_from(("p", "q", "里"))
levels = st.integers(0, 2)
records = st.builds(
    lambda kind, key, plan, level, range, fixed, locked, body: node(
        key,
        range[0],
        range[1],
        until=range[2],
        kind=kind,
        plan=plan,
        level=level,
        fixed=fixed,
        locked=locked,
        body=body,
    ),
    kinds,
    keys,
    plans,
    levels,
    st.lists(st.integers(0, 6), min_size=3, max_size=3).map(sorted),
    st.booleans(),
    st.booleans(),
    st.sampled_from((None, {}, {"text": "里斯本 \ud800", "list": [1, {"a": None}]})),
)
counts = st.dictionaries(
    st.sampled_from(("in", "in", "out", "out", "里", "n" * 201)),
    st.integers(-2, 2) | st.sampled_from((2**63 - 1, -(2**63))),
    max_size=2,
)
places = st.tuples(plans, levels, st.integers(0, 6), keys)
queries = st.builds(
    Query,
    kind=kinds,
    plan=st.none() | plans,
    level=st.none() | levels,
    key=st.none() | st.none() | keys,
    after=st.integers(0, 4),
    before=st.none() | st.integers(0, 6),
    empty=st.booleans(),
    limit=st.integers(0, 3),
    newest=st.booleans(),
    beyond=st.none() | places,
)
pages = st.builds(
    Page,
    after=st.integers(0, 5),
    before=st.none() | st.integers(0, 8),
    limit=st.integers(0, 4),
    newest=st.booleans(),
    since=st.sampled_from((None, *TIMES)),
    until=st.sampled_from((None, *TIMES)),
    roles=st.sampled_from(((), ("user",), ("assistant", "tool"))),
    forgotten=st.booleans(),
)


class Agreement(RuleBasedStateMachine):
    """Stores side by side."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        self.openers: tuple[Callable[[Path], Store], ...] = (
            lambda path: SqliteStore(path / "memory.db", QUICK),
            lambda path: FolderStore(path / "memory", QUICK),
        )
        self.stores: list[Store] = [ReferenceStore(), *self.opened()]
        self.reader: Store = FolderStore(Path(self.folder.name) / "memory", QUICK)

    def opened(self) -> list[Store]:
        return [opener(Path(self.folder.name)) for opener in self.openers]

    def teardown(self) -> None:
        if hasattr(self, "stores"):
            for store in (*self.stores, self.reader):
                store.close()
            self.folder.cleanup()

    def agree(self, ask: Callable[[Store], Any]) -> Any:
        """The answer, or the kind of error, that all stores give."""
        first, *others = [_answer(ask, store) for store in self.stores]
        for other in others:
            assert other == first
        return first

    @rule(space=names, session=names, given=st.lists(drafts | tombstones, max_size=4), info=infos)
    def commit(self, space: str, session: str, given: list[Draft], info: dict[str, Any]) -> None:
        self.agree(lambda store: store.commit(Batch(space=space, session=session, drafts=given, info=info, time=NOON)))

    @rule(
        space=names,
        session=names,
        given=st.lists(records, max_size=4),
        drops=st.lists(st.tuples(kinds, keys), max_size=2),
        scores=st.dictionaries(st.integers(0, 6), st.sampled_from((0.0, 0.5, 1.0)), max_size=2),
        seen=st.none() | st.integers(0, 3),
        text=st.none() | st.sampled_from(WORDS),
    )
    def derive(
        self,
        space: str,
        session: str,
        given: list[Record],
        drops: list[tuple[str, str]],
        scores: dict[int, float],
        seen: int | None,
        text: str | None,
    ) -> None:
        batch = Batch(
            space=space,
            session=session,
            drafts=[] if text is None else [draft(text)],
            records=[replace(record, session=session) for record in given],
            drops=drops,
            scores=scores,
            unless_changed=seen,
            time=NOON,
        )
        self.agree(lambda store: store.commit(batch))

    @rule(space=names, session=names, texts=st.lists(st.sampled_from(WORDS), min_size=1, max_size=4))
    def append(self, space: str, session: str, texts: list[str]) -> None:
        given = [draft(text) for text in texts]
        self.agree(lambda store: store.commit(Batch(space=space, session=session, drafts=given, time=NOON)))

    @rule(space=names, session=names, seqs=st.none() | st.lists(st.integers(0, 8)).map(tuple))
    def erase(self, space: str, session: str, seqs: tuple[int, ...] | None) -> None:
        target = Target(space=space, session=session, seqs=seqs, time=LATER)
        erased = self.agree(lambda store: replace(store.erase(target), pending=False))
        assert isinstance(erased, Erased)

    @rule(space=names)
    def erase_space(self, space: str) -> None:
        self.agree(lambda store: replace(store.erase(Target(space=space, time=LATER)), pending=False))

    @rule(again=st.booleans())
    def settle(self, again: bool) -> None:
        assert self.agree(lambda store: store.settle()) is True
        if again:
            for store in self.stores[1:]:
                store.close()
            self.stores[1:] = self.opened()

    @rule(space=names, session=names, page=pages)
    def read(self, space: str, session: str, page: Page) -> None:
        self.agree(lambda store: store.messages(space, session, page))

    @rule(space=names, session=names, query=queries)
    def read_records(self, space: str, session: str, query: Query) -> None:
        self.agree(lambda store: store.records(space, session, query))

    @rule(space=names, after=st.sampled_from(("", "a", "aa", "b")), limit=st.integers(0, 3))
    def list_sessions(self, space: str, after: str, limit: int) -> None:
        self.agree(lambda store: store.sessions(space, after, limit))

    @rule(space=names, session=names, id=st.sampled_from(("i", "j", "k", "d1", "none")))
    def find(self, space: str, session: str, id: str) -> None:
        self.agree(lambda store: store.find(space, session, id))

    @rule(space=names, after=st.integers(0, 6), limit=st.integers(1, 3))
    def follow(self, space: str, after: int, limit: int) -> None:
        """Numbers may differ, where some went: the items behind so many others, page by page."""
        self.agree(lambda store: _followed(store, space, limit)[after:])

    @rule(space=names, plan=plans, numbers=st.lists(st.integers(0, 2), unique=True))
    def save_blocks(self, space: str, plan: str, numbers: list[int]) -> None:
        """Blocks themselves may differ: some stores drop more of them than others."""
        given = [Block(number=number, body=f"{plan} {number}".encode()) for number in sorted(numbers)]
        if self.agree(lambda store: store.save_blocks(space, plan, given, store.revision(space))):
            found = self.agree(lambda store: [one for one in store.blocks(space, plan) if one.number in numbers])
            assert found == given

    @rule(space=names, plan=plans)
    def drop_blocks(self, space: str, plan: str) -> None:
        self.agree(lambda store: store.drop_blocks(space, plan))

    @rule(space=names, given=counts)
    def count(self, space: str, given: dict[str, int]) -> None:
        self.agree(lambda store: store.count(space, given))

    @rule(space=names)
    def tally(self, space: str) -> None:
        self.agree(lambda store: store.tally(space))

    @rule()
    def check(self) -> None:
        self.agree(lambda store: replace(store.check(lambda n: None), store="", version=0, bytes=0))

    @invariant()
    def same_content(self) -> None:
        if hasattr(self, "stores"):
            content = self.agree(_everything)
            assert _everything(self.reader) == content


class PostgresAgreement(Agreement):
    """A server's store beside the one in memory. Another connection reads along."""

    @initialize()
    def begin(self) -> None:
        self.folder = TemporaryDirectory()
        url = empty_store_url("agreement")
        self.openers = (lambda path: PostgresStore(url, QUICK),)
        self.stores = [ReferenceStore(), *self.opened()]
        self.reader = self.openers[0](Path(self.folder.name))

    @rule(again=st.booleans())
    def settle(self, again: bool) -> None:
        """Erased bytes leave the disk when the server's operator says so, not here."""
        if again:
            self.stores[1].close()
            self.stores[1:] = self.opened()


def _answer(ask: Callable[[Store], Any], store: Store) -> Any:
    try:
        return ask(store)
    except OnrecordError as error:
        return type(error)


def _everything(store: Store) -> list[Any]:
    whole = Page(forgotten=True)
    return [
        (
            space,
            info,
            store.session(space, info.id),
            store.messages(space, info.id, whole),
            [store.records(space, info.id, Query(kind=kind)) for kind in ("summary", "pin", "mark")],
            _followed(store, space, 500),
            store.tally(space),
        )
        for space in store.spaces()
        for info in store.sessions(space)
    ]


def _followed(store: Store, space: str, limit: int) -> list[Any]:
    """The feed's items in order, read in pages."""
    found: list[Arrival] = []
    while page := store.feed(space, found[-1].number if found else 0, limit):
        found += page
    return [arrival.item for arrival in found]


TestAgreement = Agreement.TestCase
TestAgreement.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, derandomize=True, database=None
)

TestPostgresAgreement = PostgresAgreement.TestCase
TestPostgresAgreement.settings = settings(
    max_examples=15, stateful_step_count=30, deadline=None, derandomize=True, database=None
)
