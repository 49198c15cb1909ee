"""Bytes that are not what was written: said to be damaged, never served as if they were whole, and the rest goes on."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import apsw
import pytest
from disk_tools import read_files, telling_text

from onrecord import Memory, Message, OnrecordError, StoreDamaged, StoreVersion, doctor
from onrecord.ports import Batch
from onrecord.records import EPOCH, Block, ImportReport, Query, Record
from onrecord.settings import Settings
from onrecord.stores import open_store
from onrecord.stores.sqlite.pages import table_rows

pytestmark = pytest.mark.usefixtures("disk")  # thousands of small files: syncing them all would take minutes

Place = tuple[str, str, int]  # space, session, number
Kept = dict[Place, Message]

SETTINGS = Settings(durability="process", busy_timeout=5.0)
PAGE = 4096
SESSIONS = {("default", "chat"): 14, ("default", "beside"): 9, ("other", "chat"): 7}
GONE = ("default", "chat", 3)
COLUMNS = {
    "spaces": ["no", "name", "removed", "sum"],
    "sessions": [
        *("no", "space", "id", "title", "status", "model", "system", "meta", "created", "ended", "changes", "sum"),
    ],
    "messages": [
        *("doc", "session", "seq", "id", "role", "name", "text", "tokens", "overhead", "encoding", "importance"),
        *("time", "key", "more", "sum"),
    ],
    "records": [
        *("no", "session", "kind", "plan", "level", "first", "last", "until", "key", "keep", "recipe", "time", "body"),
        "sum",
    ],
    "sqlite_sequence": ["name", "seq"],
    "blocks": ["no", "space", "plan", "number", "zeros", "body", "sum"],
}
VALUES = {
    "null": "NULL",
    "number": "7",
    "negative": "-1",
    "huge": "1 << 40",
    "real": "1.5",
    "empty": "''",
    "text": "'other'",
    "none": "'None'",
    "long": f"'{'x' * 600}'",
    "blob": "x'ff00'",
    "not utf-8": "CAST(x'ff' AS TEXT)",
    "half a character": "CAST(x'e9b3' AS TEXT)",
}


def fill(memory: Memory, space: str, session: str, count: int) -> None:
    chat = memory.space(space).session(session)
    chat.update(title=f"about {session}", system="be kind", model="some-model", meta={"a": [1, 2]})
    for seq in range(1, count + 1):
        call = {"id": f"call {seq}", "name": "look", "arguments": "{}"}
        chat.add(
            "assistant",
            telling_text(f"{space} {session}", seq),
            name="Ana",
            id=f"own {space} {session} {seq}",
            key=f"key {seq}",
            tool_calls=[call],
            meta={"n": seq},
        )
    derive(memory, space, session, range(1, count - 2, 4))


def derive(memory: Memory, space: str, session: str, starts: Iterable[int]) -> None:
    """A summary of four messages from each of these numbers on, and what says which they are."""
    records = [
        Record(
            session=session,
            kind="summary",
            plan="p",
            key=f"{space} {session} {first}",
            level=1,
            first=first,
            last=first + 3,
            until=first + 3,
            fixed=first % 8 == 1,
            body={"text": telling_text(f"{space} {session} summary", first)},
        )
        for first in starts
    ]
    memory._store.commit(Batch(space=space, session=session, records=records, time=EPOCH))


def derived(memory: Memory) -> set[tuple[str, str]]:
    """All derived records of these tests that are served, by their keys and texts."""
    return {
        (record.key, str((record.body or {}).get("text")))
        for space in memory.spaces()
        for info in memory.space(space).sessions()
        for record in memory._store.records(space, info.id, Query(kind="summary", plan="p", limit=10_000))
        if record.body is not None
    }


def told(records: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
    """Of derived records, those that say what they should."""
    return {(key, text) for key, text in records if text == telling_text(_summary_of(key), int(key.split()[-1]))}


def _summary_of(key: str) -> str:
    return f"{key.rpartition(' ')[0]} summary"


def everything(memory: Memory) -> Kept:
    """All messages that are served as whole, by every name there is; reading must not fail."""
    found: Kept = {}
    for space in memory.spaces():
        for info in memory.space(space).sessions():
            for message in memory.space(space).session(info.id).history():
                if message.state == "kept":
                    found[space, info.id, message.seq] = message
    return found


def known(memory: Memory) -> Kept:
    """The same by the names that were given: damage may have made them into something that is no name at all."""
    found: Kept = {}
    for space, session in SESSIONS:
        for message in memory.space(space).session(session).history():
            if message.state == "kept":
                found[space, session, message.seq] = message
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Kept]:
    """A file with a little of everything, and what it holds."""
    path = tmp_path_factory.mktemp("whole") / "memory.db"
    with Memory(path, durability="process") as memory:
        for (space, session), count in SESSIONS.items():
            fill(memory, space, session, count)
        memory.session(GONE[1]).forget(GONE[2])
        for space in ("default", "other"):
            at = memory._store.revision(space)
            assert memory._store.save_blocks(space, "plan", [index_block(space, number) for number in range(3)], at)
        return path, everything(memory)


def index_block(space: str, number: int) -> Block:
    return Block(number=number, body=f"{space} {number} ".encode() * 100)


def fresh(path: Path, folder: Path) -> Path:
    """A copy in a folder of its own, which is empty again each time."""
    shutil.rmtree(folder / "copy", ignore_errors=True)
    (folder / "copy").mkdir()
    return Path(shutil.copy(path, folder / "copy" / "memory.db"))


# One value of one row


def rows_of(db: apsw.Connection, table: str) -> list[int]:
    """Which rows of a table to damage: the first, one in the middle and the last."""
    count = int(str(db.execute(f"SELECT count(*) FROM {table}").fetchall()[0][0]))
    return sorted({0, count // 2, count - 1} & set(range(count)))


def damage(path: Path, table: str, column: str, value: str, row: int) -> list[object] | None:
    """Put another value into one column of one row; answers the row as it was, or None if SQLite refuses to."""
    with closing(apsw.Connection(str(path))) as db:
        keys = [str(info[1]) for info in db.execute(f"PRAGMA table_info({table})") if info[5]] or ["rowid"]
        key = ", ".join(keys)
        chosen = f"({key}) = (SELECT {key} FROM {table} ORDER BY {key} LIMIT 1 OFFSET {row})"
        before = list(db.execute(f"SELECT * FROM {table} WHERE {chosen}").fetchall()[0])
        try:
            db.execute(f"UPDATE {table} SET {column} = {value} WHERE {chosen} AND {column} IS NOT {value}")
        except (apsw.ConstraintError, apsw.MismatchError):
            return None
        return before if db.changes() else None


def damages(whole: Path, folder: Path, table: str, column: str) -> Iterator[tuple[Path, list[object], str]]:
    with closing(apsw.Connection(str(fresh(whole, folder)))) as db:
        rows = rows_of(db, table)
    for name, value in VALUES.items():
        for row in rows:
            path = fresh(whole, folder)
            before = damage(path, table, column, value, row)
            if before is not None:
                yield path, before, f"{name} in row {row}"


def untouched(kept: Kept, table: str, column: str, before: list[object]) -> Kept:
    """The messages that must be served although this row was damaged."""
    if table == "messages":
        return {place: message for place, message in kept.items() if message.id != before[3]}
    if table == "sessions" and column in ("no", "space", "id"):
        return {place: kept[place] for place in kept if (place[0], place[1]) != owner(before)}
    if table == "spaces" and column in ("no", "name"):
        return {place: kept[place] for place in kept if place[0] != before[1]}
    return kept


def owner(session_row: list[object]) -> tuple[str, str]:
    return ("default", "other")[int(str(session_row[1])) - 1], str(session_row[2])


def use(path: Path) -> None:
    """Everything else that can be asked for: it may be refused, by an error of ours."""
    asked: list[Callable[[Memory], object]] = [
        lambda memory: memory.session("chat").add("user", "one more"),
        lambda memory: memory.session("beside").add("user", "again", key="key 5"),
        lambda memory: memory.session("chat").update(title="new"),
        lambda memory: memory.session("chat").forget(1, 5, "own default chat 7"),
        lambda memory: memory.session("beside").info(),
        lambda memory: list(memory.session("chat").history(last=4)),
        lambda memory: list(memory.session("chat").history(limit=1)),
        lambda memory: list(memory.session("chat").history(role="assistant", since="2020-01-01", forgotten=True)),
        lambda memory: memory.export(path.with_name("export.jsonl")),
        lambda memory: memory.backup(path.with_name("backup.db")),
        lambda memory: memory.flush(),
        lambda memory: memory.forget(session="chat"),
        lambda memory: memory.forget(space="default"),
        lambda memory: memory.check(),
    ]
    with Memory(path) as memory:
        for ask in asked:
            with suppress(OnrecordError):
                ask(memory)


@pytest.mark.parametrize(
    ("table", "column"), [(table, name) for table in ("spaces", "sessions", "messages") for name in COLUMNS[table]]
)
def test_damaged_rows_are_told(whole: tuple[Path, Kept], tmp_path: Path, table: str, column: str) -> None:
    original, kept = whole
    for number, (path, before, case) in enumerate(damages(original, tmp_path, table, column)):
        expected = untouched(kept, table, column, before)
        with Memory(path) as memory:
            served = known(memory)
            assert {place: served.get(place) for place in expected} == expected, case
            assert {place: kept.get(place) for place in served} == served, case
            listed = [info for space in ("default", "other") for info in memory.space(space).sessions()]
            assert len(listed) == len(SESSIONS) or table == "spaces" or column == "space", case
            assert memory.spaces(), case
            assert memory.check().findings != (), case
        if number % 2 == 0:
            use(path)


@pytest.mark.parametrize(("table", "column"), [("messages", name) for name in COLUMNS["messages"]])
def test_a_damaged_message_is_flagged_in_its_history(
    whole: tuple[Path, Kept], tmp_path: Path, table: str, column: str
) -> None:
    """Someone who only reads the session is told as well, unless the row can no longer be known as the session's."""
    original, kept = whole
    for path, before, case in damages(original, tmp_path, table, column):
        place = next((place for place, message in kept.items() if message.id == before[3]), GONE)
        last = place[2] == SESSIONS[place[:2]]
        if last and column in ("session", "seq"):
            continue
        with Memory(path) as memory:
            history = memory.space(place[0]).session(place[1]).history(forgotten=True)
            assert {message.seq: message.state for message in history}[place[2]] == "damaged", case


@pytest.mark.parametrize(("table", "column"), [(table, name) for table in list(COLUMNS)[3:] for name in COLUMNS[table]])
def test_damage_beside_messages_hides_none(whole: tuple[Path, Kept], tmp_path: Path, table: str, column: str) -> None:
    original, kept = whole
    right = searched(original)
    for path, _, case in damages(original, tmp_path, table, column):
        with Memory(path) as memory:
            assert everything(memory) == kept, case
            assert derived(memory) == told(derived(memory)), case
            findings = memory.check().findings
        found = searched(path)
        assert found == right if not findings else found <= right, case
        use(path)


def searched(path: Path) -> set[tuple[str, object]]:
    """What the feeds and the blocks of these tests give: messages and derived records by id and text, and blocks."""
    found: set[tuple[str, object]] = set()
    with closing(open_store(str(path), SETTINGS)) as store:
        for space in ("default", "other"):
            for item in (arrival.item for arrival in store.feed(space, 0)):
                named = (item.id, item.text) if isinstance(item, Message) else (item.key, str(item.body))
                found.add((space, named))
            found |= {(space, (block.number, block.body)) for block in store.blocks(space, "plan")}
    return found


@pytest.mark.parametrize("column", ["plan", "number", "body", "sum"])
def test_a_damaged_block_is_made_again(whole: tuple[Path, Kept], tmp_path: Path, column: str) -> None:
    """It is left out and told; a new one takes its place, or it goes with its plan."""
    for path, _, case in damages(whole[0], tmp_path, "blocks", column):
        with closing(open_store(str(path), SETTINGS)) as store:
            assert {finding.kind for finding in store.check(lambda _: None).findings} == {"index"}, case
            for space in ("default", "other"):
                given = [index_block(space, number) for number in range(3)]
                assert {block.number: block for block in given} | {
                    block.number: block for block in store.blocks(space, "plan")
                } == {block.number: block for block in given}, case
                assert store.save_blocks(space, "plan", given, store.revision(space)), case
                assert store.blocks(space, "plan") == given, case
                for plan in store.plans(space):
                    store.drop_blocks(space, plan)
                assert store.blocks(space, "plan") == [], case


@pytest.mark.parametrize(
    ("table", "column"),
    [
        *(("spaces", name) for name in COLUMNS["spaces"]),
        *(("sessions", name) for name in ("no", "space", "id", "created", "sum")),
        *(("messages", name) for name in ("doc", "session", "seq", "id", "name", "text", "more", "sum")),
    ],
)
def test_rescue_from_damaged_rows(whole: tuple[Path, Kept], tmp_path: Path, table: str, column: str) -> None:
    """Every other message comes back under its number, and its session where that can still be known."""
    original, kept = whole
    for path, before, case in damages(original, tmp_path, table, column):
        expected = untouched(kept, table, column, before)
        doctor(path, rescue_to=path.with_name("rescued.db"))
        with Memory(path.with_name("rescued.db")) as memory:
            verify_rescue(everything(memory), expected, table == "spaces", case)
            assert sum(info.last_seq for space in memory.spaces() for info in memory.space(space).sessions()) < 60
            assert memory.check().findings == (), case


def test_a_table_whose_rows_are_in_no_order_ends(tmp_path: Path) -> None:
    """The first page of a table lies in the place of others too: SQLite would give its rows without end."""
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        memory.session("chat").add_many(("user", telling_text("chat", seq)) for seq in range(1, 2_000))
    leaves = [row.page for row in table_rows(path) if len(row.values) == len(COLUMNS["messages"])]
    data = bytearray(path.read_bytes())
    first, *others = (PAGE * (leaf - 1) for leaf in dict.fromkeys(leaves[:-100]))
    for page in others:
        data[page : page + PAGE] = data[first : first + PAGE]
    path.write_bytes(data)
    with Memory(path) as memory:
        assert {"structure", "unreadable"} & {finding.kind for finding in memory.check().findings}
        with suppress(OnrecordError):
            memory.facts()


def test_forgetting_a_damaged_message_takes_its_words_along(whole: tuple[Path, Kept], tmp_path: Path) -> None:
    path = fresh(whole[0], tmp_path)
    damage(path, "messages", "sum", "7", 4)
    with Memory(path) as memory:
        memory.session("chat").forget(5)
        assert memory.flush()
        text = telling_text("default chat", 5).encode()
        assert not any(text[:40] in data for data in read_files(path.parent).values())


@pytest.mark.parametrize(
    ("column", "value"),
    [("sum", "number"), ("seq", "text"), ("seq", "negative"), ("seq", "huge"), ("id", "not utf-8"), ("text", "text")],
)
def test_forgetting_a_session_takes_its_damaged_messages_along(
    whole: tuple[Path, Kept], tmp_path: Path, column: str, value: str
) -> None:
    path = fresh(whole[0], tmp_path)
    with Memory(path) as memory:
        memory.session("chat").add("user", "unforgettable zyxomma")
    assert damage(path, "messages", column, VALUES[value], SESSIONS["default", "chat"] + SESSIONS["default", "beside"])
    with Memory(path) as memory:
        memory.forget(session="chat")
        assert memory.flush()
        assert not any(b"zyxomma" in data for data in read_files(path.parent).values())


def test_rescue_where_two_messages_have_one_id(whole: tuple[Path, Kept], tmp_path: Path) -> None:
    """Damage made one id into another: neither message is lost for it."""
    original, kept = whole
    path = fresh(original, tmp_path)
    data = path.read_bytes()
    for name in (b"own default chat 7assistant", b"own default beside 4assistant"):
        assert data.count(name) == 1
        data = data.replace(name, name.replace(b"7a", b"6a").replace(b"4a", b"5a"))
    path.write_bytes(data)
    doctor(path, rescue_to=path.with_name("rescued.db"))
    expected = {place: kept[place] for place in kept if place not in (("default", "chat", 7), ("default", "beside", 4))}
    with Memory(path.with_name("rescued.db")) as memory:
        verify_rescue(everything(memory), expected, False, "")


def test_rescue_where_ids_look_like_ours(tmp_path: Path) -> None:
    """A caller's own ids may be those that the rescue would choose for lost messages."""
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        chat = memory.session("chat")
        ids = [f"lost_{201 - seq}" for seq in range(1, 201)]
        chat.add_many({"role": "user", "text": telling_text("chat", 201 - n), "id": id} for n, id in enumerate(ids, 1))
        kept = everything(memory)
    places, _ = pages_of(path, kept)
    page = wipe_leaf(path, kept["default", "chat", 60])
    doctor(path, rescue_to=tmp_path / "rescued.db")
    with Memory(tmp_path / "rescued.db") as memory:
        safe = {place: message for place, message in kept.items() if page not in places[place]}
        assert 100 < len(safe) < 200
        verify_rescue(everything(memory), safe, False, "")


# Any byte of the file


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Kept]:
    """A file of some hundred pages."""
    path = tmp_path_factory.mktemp("large") / "memory.db"
    with Memory(path, durability="process") as memory:
        for turn in range(6):
            for space, session in SESSIONS:
                chat = memory.space(space).session(session)
                numbers = range(turn * 40 + 1, turn * 40 + 41)
                chat.add_many(("user", telling_text(f"{space} {session}", seq)) for seq in numbers)
                derive(memory, space, session, numbers[::4])
        return path, everything(memory)


def pages_of(path: Path, kept: Kept) -> tuple[dict[Place, set[int]], set[int]]:
    """On which pages each message lies, with all that hangs on its leaf; and those of the spaces and sessions."""
    hanging: dict[str, set[int]] = {}
    leaves: dict[int, str] = {}
    with closing(apsw.Connection(str(path))) as db:
        for number, where in db.execute("SELECT pageno, path FROM dbstat WHERE name = 'messages'"):
            leaf = str(where) if str(where).endswith("/") else str(where).rpartition("/")[0] + "/"
            hanging.setdefault(leaf, set()).add(int(str(number)))
            if str(where).endswith("/"):
                leaves[int(str(number))] = leaf
    rows = list(table_rows(path))
    ids = {message.id: place for place, message in kept.items()}
    places = {
        ids[str(row.values[3])]: hanging[leaves[row.page]]
        for row in rows
        if len(row.values) == len(COLUMNS["messages"])
    }
    return places, {row.page for row in rows if len(row.values) in (len(COLUMNS["spaces"]), len(COLUMNS["sessions"]))}


def wipe_leaf(path: Path, message: Message) -> int:
    """Make zeros of the page on which a message begins; answers its number."""
    pages = [row.page for row in table_rows(path) if row.values[3:4] == (message.id,)]
    data = path.read_bytes()
    path.write_bytes(data[: (pages[0] - 1) * PAGE] + bytes(PAGE) + data[pages[0] * PAGE :])
    return pages[0]


def spoil(path: Path, rng: random.Random) -> set[int]:
    """Change some bytes, near to each other or all over; answers the numbers of the pages they are on."""
    size = path.stat().st_size
    data = bytearray(path.read_bytes())
    kind = rng.choice(("bit", "byte", "few", "page", "zeros"))
    page = rng.randrange(size // PAGE) * PAGE
    if kind in ("page", "zeros"):
        data[page : page + PAGE] = rng.randbytes(PAGE) if kind == "page" else bytes(PAGE)
        offsets = [page]
    else:
        offsets = [rng.randrange(size) for _ in range({"bit": 1, "byte": 1, "few": 12}[kind])]
        for offset in offsets:
            data[offset] = data[offset] ^ (1 << rng.randrange(8)) if kind == "bit" else rng.randrange(256)
    path.write_bytes(data)
    return {offset // PAGE + 1 for offset in offsets}


def served_in_spite(path: Path) -> tuple[Kept, bool]:
    """What the damaged file serves as whole, and whether its structure was found damaged."""
    found: Kept = {}
    try:
        with Memory(path) as memory:
            for space, session in SESSIONS:
                with suppress(OnrecordError):
                    for message in memory.space(space).session(session).history():
                        if message.state == "kept":
                            found[space, session, message.seq] = message
            structural = {"structure", "unreadable"} & {finding.kind for finding in memory.check().findings}
            if structural:
                with pytest.raises(StoreDamaged):
                    memory.session("chat").add("user", "more")
            return found, bool(structural)
    except OnrecordError:
        return found, True


@pytest.mark.parametrize("seed", range(16))
def test_any_byte_may_change(large: tuple[Path, Kept], tmp_path: Path, kills: int, seed: int) -> None:
    original, kept = large
    places, names = pages_of(original, kept)
    for turn in range(max(2, kills // 20)):
        path, rng = fresh(original, tmp_path), random.Random(f"{seed} {turn}")
        hit = spoil(path, rng)
        found, _ = served_in_spite(path)
        assert {place: kept.get(place) for place in found} == found, f"seed {seed} {turn}"
        doctor(path, rescue_to=path.with_name("rescued.db"))
        with Memory(path.with_name("rescued.db")) as memory:
            rescued = everything(memory)
            safe = {place: message for place, message in kept.items() if not places[place] & hit}
            verify_rescue(rescued, safe, bool(names & hit), f"seed {seed} {turn}")
            assert memory.check().findings == (), f"seed {seed} {turn}"
            records = derived(memory)
            assert records == told(records), f"seed {seed} {turn}"
            assert len(records) > 100 or names & hit, f"seed {seed} {turn}"


def verify_rescue(rescued: Kept, safe: Kept, names_lost: bool, case: str) -> None:
    """Each safe message is back, under its number; in its session too, unless the names were hit."""
    if not names_lost:
        assert {place: rescued.get(place) for place in safe} == safe, case
        return
    texts = {(place[2], message.text) for place, message in rescued.items()}
    assert {(place[2], message.text) for place, message in safe.items()} <= texts, case


def test_rescue_of_what_was_derived(whole: tuple[Path, Kept], tmp_path: Path) -> None:
    """All of it comes back, but for what came from a message that is forgotten or lost: that may hold its text."""
    path = fresh(whole[0], tmp_path)
    lost = ("default", "beside", 6)
    with Memory(path) as memory:
        assert len(derived(memory)) == 2 + 2 + 1
        derive(memory, *GONE[:2], [1])  # made again since 3 was forgotten
        before = derived(memory)
    with closing(apsw.Connection(str(path))) as db:
        db.execute("DELETE FROM messages WHERE id = ?", (f"own default beside {lost[2]}",))
        db.execute("UPDATE records SET body = replace(body, 'other', 'orher') WHERE key = 'other chat 1'")
    report = doctor(path, rescue_to=path.with_name("rescued.db"))
    assert isinstance(report, ImportReport)
    with Memory(path.with_name("rescued.db")) as memory:
        gone = {"default chat 1", "default beside 5", "other chat 1"}
        assert derived(memory) == {(key, text) for key, text in before if key not in gone}
        emptied = memory._store.records("default", "chat", Query(kind="summary", plan="p", empty=True))
        assert [record.key for record in emptied] == ["default chat 1"]  # its place only, to be made again
        assert memory.check().records == report.records >= 4


@pytest.mark.parametrize("number", [1, 199, 200, 201])
@pytest.mark.parametrize("value", ["seq + 0.5", "seq - 0.5", "-seq", "seq << 40", "'other'"])
def test_a_damaged_number_at_the_edge_of_a_page(
    large: tuple[Path, Kept], tmp_path: Path, number: int, value: str
) -> None:
    """History is read two hundred at a time: a number that is none hides nothing of what comes after it."""
    original, kept = large
    path = fresh(original, tmp_path)
    with closing(apsw.Connection(str(path))) as db:
        db.execute(f"UPDATE messages SET seq = {value} WHERE seq = {number}")
    with Memory(path) as memory:
        assert known(memory) == {place: message for place, message in kept.items() if place[2] != number}
        states = {message.seq: message.state for message in memory.session("chat").history()}
        assert states[number] == "damaged"
        assert len(list(memory.session("chat").history(last=240))) >= 239


def test_lost_numbers_stay_taken(large: tuple[Path, Kept], tmp_path: Path) -> None:
    """A page of messages is gone: what is left keeps its numbers, and tombstones stand for the rest."""
    original, kept = large
    places, _ = pages_of(original, kept)
    path = fresh(original, tmp_path)
    page = wipe_leaf(path, kept["default", "chat", 100])
    doctor(path, rescue_to=path.with_name("rescued.db"))
    with Memory(path.with_name("rescued.db")) as memory:
        states = {message.seq: message.state for message in memory.session("chat").history(forgotten=True)}
        assert list(states) == list(range(1, 241))
        assert states[100] == "forgotten"
        for seq, state in states.items():
            if not places["default", "chat", seq] & {page}:
                assert state == "kept"


# Files that are no longer, or never were, ours


def unchanged(path: Path, error: type[OnrecordError] | tuple[type[OnrecordError], ...]) -> None:
    """Opening is refused, and leaves every byte as it was, with nothing beside it."""
    before = read_files(path.parent)
    with pytest.raises(error):
        Memory(path)
    assert read_files(path.parent) == before


@pytest.mark.parametrize("content", [b"x", b"hello, world\n" * 500, b"SQLite format 2\0" + bytes(5000), bytes(8192)])
def test_not_a_database(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(content)
    unchanged(path, StoreDamaged)
    doctor(path, rescue_to=tmp_path / "rescued.db")
    assert path.read_bytes() == content


def test_another_programs_database(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with closing(apsw.Connection(str(path))) as db:
        db.execute("CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)")
    unchanged(path, StoreVersion)


@pytest.mark.parametrize("file", ["empty", "missing"])
def test_the_log_without_its_file(tmp_path: Path, file: str) -> None:
    """All that was added lies in the log: it is not thrown away, and can be rescued."""
    (tmp_path / "live").mkdir()
    with Memory(tmp_path / "live" / "memory.db") as memory:
        memory.session("chat").add_many(("user", telling_text("chat", seq)) for seq in range(1, 31))
        files = read_files(tmp_path / "live")
    path = tmp_path / "lost" / "memory.db"
    path.parent.mkdir()
    path.with_name("memory.db-wal").write_bytes(files[tmp_path / "live" / "memory.db-wal"])
    if file == "empty":
        path.touch()
    unchanged(path, StoreDamaged)
    doctor(path, rescue_to=tmp_path / "rescued.db")
    with Memory(tmp_path / "rescued.db") as memory:
        texts = [message.text for message in memory.session("chat").history()]
    assert texts == [telling_text("chat", seq) for seq in range(1, 31)]


@pytest.mark.parametrize("size", [100, PAGE, 10 * PAGE + 1000, -1, -PAGE])
def test_a_file_cut_short(large: tuple[Path, Kept], tmp_path: Path, size: int) -> None:
    original, kept = large
    path = fresh(original, tmp_path)
    length = size if size > 0 else path.stat().st_size + size
    with path.open("r+b") as file:
        file.truncate(length)
    before = path.read_bytes()
    found, _ = served_in_spite(path)
    assert {place: kept.get(place) for place in found} == found
    assert path.read_bytes() == before
    doctor(path, rescue_to=path.with_name("rescued.db"))
    places, names = pages_of(original, kept)
    safe = {place: kept[place] for place, pages in places.items() if max(pages) * PAGE <= length}
    with Memory(path.with_name("rescued.db")) as memory:
        verify_rescue(everything(memory), safe, max(names) * PAGE > length, f"cut to {length}")


@pytest.mark.parametrize("size", [1, 16, 100, PAGE])
def test_a_destroyed_header(large: tuple[Path, Kept], tmp_path: Path, size: int) -> None:
    original, kept = large
    path = fresh(original, tmp_path)
    with path.open("r+b") as file:
        file.write(b"\xee" * size)
    unchanged(path, StoreDamaged)
    doctor(path, rescue_to=path.with_name("rescued.db"))
    with Memory(path.with_name("rescued.db")) as memory:
        assert everything(memory) == kept


def test_damage_is_remembered_until_the_file_is_whole(large: tuple[Path, Kept], tmp_path: Path) -> None:
    original, kept = large
    path = fresh(original, tmp_path)
    data = path.read_bytes()
    wipe_leaf(path, kept["default", "chat", 100])
    with Memory(path) as memory:
        assert not memory.check().ok
    with Memory(path) as memory, pytest.raises(StoreDamaged):
        memory.session("chat").add("user", "more")
    path.write_bytes(data)
    with Memory(path) as memory:
        assert memory.check().ok
        assert memory.session("chat").add("user", "more").seq == 241
