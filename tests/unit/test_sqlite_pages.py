"""Rows come out of a SQLite file without SQLite: all of them when it is whole, all that can be when it is not."""

from __future__ import annotations

import random
import shutil
import struct
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from onrecord.stores.sqlite.pages import StoredRow, Value, table_rows

SIZES = (512, 1024, 2048, 4096, 8192, 16384, 32768, 65536)
EDGES = sorted(
    {sign * (1 << bits) + step for bits in (0, 7, 15, 23, 31, 47, 62) for sign in (1, -1) for step in (-1, 0)}
)
ROWIDS = (-(1 << 63), -1, 0, 127, 128, 16383, 16384, (1 << 56) - 1, 1 << 56, (1 << 63) - 1)
SAMPLES: tuple[Value, ...] = (
    None,
    *EDGES,
    -(1 << 63),
    (1 << 63) - 1,
    0.5,
    -1e300,
    float("inf"),
    "",
    "plain",
    "emoji 🧠👩‍🚀 and \0 inside",
    b"",
    b"\x00\xff\r",
)
Found = Counter[tuple[int, str]]
"""Rows by rowid and the written-out values, so that 1, 1.0 and "1" differ."""

steady = settings(deadline=None, derandomize=True, max_examples=40, database=None)


def found(path: Path) -> Found:
    return Counter((row.rowid, repr(row.values)) for row in table_rows(path))


def expected(db: apsw.Connection) -> Found:
    rows: Found = Counter()
    names = [
        str(name) for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0")
    ]
    for name in ["sqlite_schema", *names]:
        keys = [bool(key) and kind == "INTEGER" for _, _, kind, _, _, key in db.execute(f'PRAGMA table_info("{name}")')]
        for rowid, *values in db.execute(f'SELECT _rowid_, * FROM "{name}"'):
            stored = tuple(None if key else value for key, value in zip(keys, values, strict=True))
            rows[(int(str(rowid)), repr(stored))] += 1
    return rows


def create(
    path: Path, size: int = 4096, mode: str = "delete", encoding: str = "UTF-8", reserved: int = 0
) -> apsw.Connection:
    db = apsw.Connection(str(path))
    db.reserve_bytes("main", reserved)
    db.execute(f"PRAGMA page_size = {size}; PRAGMA encoding = '{encoding}'; PRAGMA journal_mode = {mode}").fetchall()
    # each by itself: a statement that answers with a row would hold back those after it
    for setting in ("wal_autocheckpoint = 0", "secure_delete = ON", "synchronous = OFF"):
        db.execute(f"PRAGMA {setting}").fetchall()
    db.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, a, b, c); CREATE TABLE bare(x); CREATE INDEX i ON notes(a)")
    return db


def fill(db: apsw.Connection, rows: int = 300, seed: int = 1) -> None:
    """Short rows with now and then one that needs a chain of overflow pages, and gaps where rows were removed."""
    rng = random.Random(seed)
    with db:
        for number in range(rows):
            text = "é" * rng.randrange(3000, 90000) if number % 50 == 7 else "text " * rng.randrange(12)
            db.execute("INSERT INTO notes(a, b, c) VALUES (?, ?, ?)", (number, text, SAMPLES[number % len(SAMPLES)]))
        db.execute("DELETE FROM notes WHERE id % 11 = 3")


def copy(path: Path, to: str = "copy.db") -> Path:
    """The files as they lie while a connection is open; reading the originals would drop that connection's locks."""
    target = path.with_name(to)
    shutil.copy(path, target)
    if log(path).exists():
        shutil.copy(log(path), log(target))
    return target


def log(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def chains(db: apsw.Connection) -> dict[int, set[int]]:
    """The overflow pages that hang on each leaf."""
    leaves: dict[tuple[str, str], int] = {}
    hanging: dict[int, set[int]] = {}
    for name, path, page in db.execute("SELECT name, path, pageno FROM dbstat ORDER BY name, path"):
        leaf = leaves.setdefault((str(name), str(path).rpartition("/")[0]), int(str(page)))
        hanging.setdefault(leaf, set()).update({int(str(page))} - {leaf})
    return hanging


@pytest.mark.parametrize("mode", ["delete", "wal"])
@pytest.mark.parametrize("size", SIZES)
def test_all_rows_come_back(tmp_path: Path, size: int, mode: str) -> None:
    with closing(create(tmp_path / "a.db", size, mode)) as db:
        fill(db)
        with db:
            db.executemany("INSERT INTO bare VALUES (?)", [(value,) for value in SAMPLES])
            db.executemany("INSERT OR REPLACE INTO bare(rowid, x) VALUES (?, 'edge')", [(rowid,) for rowid in ROWIDS])
        want = expected(db)
        assert found(copy(tmp_path / "a.db")) == want
    assert found(tmp_path / "a.db") == want


value = st.one_of(
    st.none(),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(exclude_categories=["Cs"]), max_size=40),
    st.binary(max_size=40),
    st.integers(0, 9000).map(lambda length: "ab" * length),
    st.integers(0, 9000).map(bytes),
)


@steady
@given(
    rows=st.lists(st.tuples(value, value, value), max_size=25),
    size=st.sampled_from(SIZES),
    mode=st.sampled_from(["delete", "wal"]),
    encoding=st.sampled_from(["UTF-8", "UTF-16le", "UTF-16be"]),
    reserved=st.sampled_from([0, 0, 8, 32]),
)
def test_any_values_come_back(
    rows: list[tuple[Value, ...]], size: int, mode: str, encoding: str, reserved: int
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        with closing(create(path, size, mode, encoding, reserved)) as db:
            db.executemany("INSERT INTO notes(a, b, c) VALUES (?, ?, ?)", rows)
            want = expected(db)
            assert found(copy(path)) == want
        assert path.read_bytes()[20] == reserved
        assert found(path) == want


def test_many_columns_whose_header_is_on_an_overflow_page(tmp_path: Path) -> None:
    with closing(create(tmp_path / "a.db", 512)) as db:
        db.execute(f"CREATE TABLE wide({', '.join(f'c{number}' for number in range(900))})")
        db.execute(f"INSERT INTO wide VALUES ({', '.join('?' * 900)})", ["x" * (number % 90) for number in range(900)])
        want = expected(db)
    assert found(tmp_path / "a.db") == want


def test_full_text_and_auto_vacuum_do_not_disturb(tmp_path: Path) -> None:
    with closing(apsw.Connection(str(tmp_path / "a.db"))) as db:
        db.execute("PRAGMA auto_vacuum = FULL").fetchall()
        db.execute("CREATE TABLE t(a, b); CREATE VIRTUAL TABLE f USING fts5(a)")
        with db:
            db.executemany("INSERT INTO t VALUES (?, ?)", [(number, "word " * number) for number in range(1500)])
            db.executemany("INSERT INTO f VALUES (?)", [(f"word{number % 70} more",) for number in range(500)])
        want = [(rowid, (a, b)) for rowid, a, b in db.execute("SELECT rowid, a, b FROM t")]
        texts = [(rowid, (None, a)) for rowid, a in db.execute("SELECT rowid, a FROM f")]
    got = [(row.rowid, row.values) for row in table_rows(tmp_path / "a.db")]
    assert {*want, *texts} <= set(got)


def test_text_that_is_not_utf8_stays_bytes(tmp_path: Path) -> None:
    with closing(create(tmp_path / "a.db")) as db:
        db.execute("INSERT INTO bare VALUES (CAST(x'66ff' AS TEXT)), ('fine')")
    assert [row.values for row in table_rows(tmp_path / "a.db") if len(row.values) == 1] == [(b"f\xff",), ("fine",)]


# --- the log ---


@pytest.fixture
def wal_db(tmp_path: Path) -> Iterator[apsw.Connection]:
    """A database whose file holds the first rows, and whose log alone holds the later ones."""
    with closing(create(tmp_path / "a.db", 1024, "wal")) as db:
        fill(db, 100)
        db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        fill(db, 60, seed=2)
        db.execute("UPDATE notes SET c = 'newer' WHERE id % 5 = 0")
        yield db


def test_rows_only_in_the_log(wal_db: apsw.Connection, tmp_path: Path) -> None:
    got = copy(tmp_path / "a.db")
    assert found(got) == expected(wal_db)
    log(got).unlink()
    assert found(got) != expected(wal_db)


def test_frames_from_before_a_restart_of_the_log_do_not_count(wal_db: apsw.Connection, tmp_path: Path) -> None:
    wal_db.execute("PRAGMA wal_checkpoint(RESTART)").fetchall()
    before = log(tmp_path / "a.db").stat().st_size
    wal_db.execute("INSERT INTO bare VALUES ('first frames of the log anew')")
    assert log(tmp_path / "a.db").stat().st_size == before
    assert found(copy(tmp_path / "a.db")) == expected(wal_db)


def test_an_uncommitted_tail_does_not_show(wal_db: apsw.Connection, tmp_path: Path) -> None:
    want, before = expected(wal_db), log(tmp_path / "a.db").stat().st_size
    wal_db.execute("PRAGMA cache_size = 5").fetchall()
    wal_db.execute("BEGIN")
    wal_db.executemany("INSERT INTO notes(a, b) VALUES (?, ?)", [(n, "not yet " * 20) for n in range(500)])
    assert log(tmp_path / "a.db").stat().st_size > before
    assert found(copy(tmp_path / "a.db")) == want
    wal_db.execute("ROLLBACK")
    assert found(copy(tmp_path / "a.db")) == want


@pytest.mark.parametrize("cut", [1, 500, 1024, 1030, 1047])
def test_a_torn_last_frame_loses_only_its_commit(wal_db: apsw.Connection, tmp_path: Path, cut: int) -> None:
    want = expected(wal_db)
    wal_db.execute("INSERT INTO bare VALUES ('torn')")
    got = copy(tmp_path / "a.db")
    data = log(got).read_bytes()
    log(got).write_bytes(data[:-cut])
    assert found(got) == want
    log(got).write_bytes(data[:-cut] + bytes(byte ^ 1 for byte in data[-cut:]))
    assert found(got) == want


def test_a_bad_frame_ends_the_log(wal_db: apsw.Connection, tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    wal_db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    wants, ends = [expected(wal_db)], [32]
    for number in range(6):
        wal_db.execute("INSERT INTO bare VALUES (?)", (f"commit {number}",))
        wants.append(expected(wal_db))
        ends.append(log(path).stat().st_size)
    for number, offset in enumerate(ends[:-1]):
        got = copy(path)
        flipped = log(got).read_bytes()[offset + 40] ^ 4
        overwrite(log(got), offset + 40, bytes([flipped]))
        assert found(got) == wants[number]


def test_a_log_with_checksums_in_the_other_byte_order(wal_db: apsw.Connection, tmp_path: Path) -> None:
    got = copy(tmp_path / "a.db")
    data = bytearray(log(got).read_bytes())

    def checksum(part: bytes, one: int, two: int) -> tuple[int, int]:
        words = struct.unpack(f">{len(part) // 4}I", part)
        for left, right in zip(words[::2], words[1::2], strict=True):
            one = (one + left + two) % (1 << 32)
            two = (two + right + one) % (1 << 32)
        return one, two

    data[:4] = struct.pack(">I", 0x377F0683)
    total = checksum(bytes(data[:24]), 0, 0)
    struct.pack_into(">2I", data, 24, *total)
    for at in range(32, len(data), 24 + 1024):
        total = checksum(bytes(data[at : at + 8] + data[at + 24 : at + 24 + 1024]), *total)
        struct.pack_into(">2I", data, at + 16, *total)
    log(got).write_bytes(data)
    assert found(got) == expected(wal_db)


def test_pages_cut_off_by_a_vacuum_still_in_the_log_do_not_show(wal_db: apsw.Connection, tmp_path: Path) -> None:
    wal_db.execute("PRAGMA secure_delete = OFF").fetchall()
    wal_db.execute("DELETE FROM notes WHERE id > 20")
    before = copy(tmp_path / "a.db").stat().st_size
    wal_db.execute("VACUUM")
    assert copy(tmp_path / "a.db").stat().st_size == before
    assert found(copy(tmp_path / "a.db")) == expected(wal_db)


@pytest.mark.parametrize("left", [0, 100])
def test_a_lost_file_beside_a_good_log(tmp_path: Path, left: int) -> None:
    with closing(create(tmp_path / "a.db", 2048, "wal")) as db:
        fill(db)
        got = copy(tmp_path / "a.db")
        got.write_bytes(bytes(left))
        assert found(got) == expected(db)


# --- damage ---


@steady
@given(size=st.sampled_from([512, 1024, 4096, 16384]), seed=st.integers(0, 1 << 32), share=st.floats(0, 0.9))
@example(size=16384, seed=43270209, share=0.125)  # leaves that also read as the start of larger pages
def test_rows_beside_destroyed_pages_come_back(size: int, seed: int, share: float) -> None:
    rng = random.Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        with closing(create(path, size)) as db:
            fill(db, 120, seed)
            hanging = chains(db)
        rows = list(table_rows(path))
        count = path.stat().st_size // size
        destroyed = {page for page in range(2, count + 1) if rng.random() < share}
        for page in destroyed:
            garbage = rng.choice([bytes(size), b"\xff" * size, b"\r" + rng.randbytes(size - 1), rng.randbytes(size)])
            overwrite(path, (page - 1) * size, garbage)
        want = {row for row in rows if not destroyed & {row.page, *hanging[row.page]}}
        got = set(table_rows(path))
        assert want <= got
        long = {row.rowid for row in rows if len(repr(row.values)) > size // 8}
        assert all(row.page in destroyed or row.rowid in long for row in got - set(rows))


@pytest.mark.parametrize("garbage", ["zeros", "noise", "start"])
@pytest.mark.parametrize("size", SIZES)
def test_a_destroyed_header_page_loses_only_itself(tmp_path: Path, size: int, garbage: str) -> None:
    with closing(create(tmp_path / "a.db", size)) as db:
        fill(db)
    rows = [row for row in table_rows(tmp_path / "a.db") if row.page > 1]
    noise = {"zeros": bytes(size), "noise": random.Random(size).randbytes(size), "start": bytes(100)}
    overwrite(tmp_path / "a.db", 0, noise[garbage])
    assert [row for row in table_rows(tmp_path / "a.db") if row.page > 1] == rows


@pytest.mark.parametrize("size", SIZES)
def test_the_page_size_is_found_when_the_rows_at_the_end_of_pages_are_gone(tmp_path: Path, size: int) -> None:
    with closing(create(tmp_path / "a.db", size)) as db:
        db.executemany("INSERT INTO bare VALUES (?)", [("x" * 20 + str(number),) for number in range(16)])
        db.execute("DELETE FROM bare WHERE rowid IN (1, 2, 5)")
    rows = [row for row in table_rows(tmp_path / "a.db") if row.page > 1]
    assert len(rows) == 13
    overwrite(tmp_path / "a.db", 0, bytes(size))
    assert list(table_rows(tmp_path / "a.db")) == rows


def test_a_header_that_states_a_wrong_page_size_is_not_believed(tmp_path: Path) -> None:
    with closing(create(tmp_path / "a.db", 1024)) as db:
        fill(db)
        want = expected(db)
    for stated in (512, 2048, 4096, 32768, 1, 0, 1000):
        overwrite(tmp_path / "a.db", 16, struct.pack(">H", stated))
        assert found(tmp_path / "a.db") == want


@pytest.mark.parametrize(("offset", "data"), [(0, b"\x77"), (0, b"\xff" * 8), (8, b"\0\0"), (3, b"\xff\xff")])
def test_cells_behind_a_damaged_page_header_are_tried(tmp_path: Path, offset: int, data: bytes) -> None:
    with closing(create(tmp_path / "a.db")) as db:
        fill(db, 100)
    rows = list(table_rows(tmp_path / "a.db"))
    page = max(row.page for row in rows)
    overwrite(tmp_path / "a.db", (page - 1) * 4096 + offset, data)
    missing = set(rows) - set(table_rows(tmp_path / "a.db"))
    assert len(missing) == (1 if offset == 8 else 0)


@pytest.mark.parametrize("target", ["itself", "leaf", "outside", "zero"])
def test_a_broken_chain_loses_only_its_row(tmp_path: Path, target: str) -> None:
    with closing(create(tmp_path / "a.db", 1024)) as db:
        db.executemany("INSERT INTO bare VALUES (?)", [("short",), ("long " * 5000,), ("end",)])
        (first,), *_ = db.execute("SELECT pageno FROM dbstat WHERE name = 'bare' AND path LIKE '%+000000'")
    page = int(str(first))
    number = {"itself": page, "leaf": 1, "outside": 1 << 31, "zero": 0}[target]
    overwrite(tmp_path / "a.db", (page - 1) * 1024, struct.pack(">I", number))
    assert [row.values for row in table_rows(tmp_path / "a.db") if len(row.values) == 1] == [("short",), ("end",)]


@steady
@given(seed=st.integers(0, 1 << 32), flips=st.integers(1, 400), size=st.sampled_from([512, 4096]), cut=st.booleans())
def test_nothing_raises_on_scattered_damage(seed: int, flips: int, size: int, cut: bool) -> None:
    rng = random.Random(seed)
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        with closing(create(path, size, "wal")) as db:
            fill(db, 40, seed)
            db.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
            fill(db, 20, seed)
            path = copy(path)
        for file in (path, log(path)):
            data = bytearray(file.read_bytes())
            for _ in range(flips):
                data[rng.randrange(len(data))] = rng.choice([0, 0x0D, 0xFF, rng.randrange(256)])
            file.write_bytes(data[: rng.randrange(len(data))] if cut else data)
        assert all(isinstance(row, StoredRow) and row.values for row in table_rows(path))


@steady
@given(data=st.data())
def test_a_truncated_file_keeps_its_first_pages(data: st.DataObject) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "a.db")
        with closing(create(path, 1024)) as db:
            fill(db, 60)
            hanging = chains(db)
        rows = list(table_rows(path))
        length = data.draw(st.one_of(st.integers(0, 120), st.integers(0, path.stat().st_size)))
        path.write_bytes(path.read_bytes()[:length])
        want = {row for row in rows if max(row.page, *hanging[row.page], 0) * 1024 <= length}
        assert want <= set(table_rows(path)) <= set(rows)


def test_nothing_raises_wherever_the_header_is_cut_off(tmp_path: Path) -> None:
    with closing(create(tmp_path / "a.db", 512, "wal")) as db:
        fill(db, 5)
        db.execute("PRAGMA wal_checkpoint(FULL)").fetchall()
        got = copy(tmp_path / "a.db")
    first, frames = got.read_bytes()[:600], log(got).read_bytes()
    log(got).unlink()
    for length in range(0, len(first), 3):
        got.write_bytes(first[:length])
        assert len(list(table_rows(got))) <= 3
    for length in range(0, 200, 3):
        log(got).write_bytes(frames[:length])
        assert len(list(table_rows(got))) <= 3


NOISE: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "one byte": lambda: b"\r",
    "text": lambda: b"\r\nA line of text, with a number 12345.\r\n" * 20000,
    "returns": lambda: b"\r" * 300000,
    "zeros": lambda: bytes(300000),
    "noise": lambda: random.Random(5).randbytes(2_000_000),
    "magic only": lambda: b"SQLite format 3\0",
    "header of nothing": lambda: b"SQLite format 3\0\x10\0\1\1\0\x40\x20\x20" + bytes(5000),
}


@pytest.mark.parametrize("beside", [False, True], ids=["file", "log"])
@pytest.mark.parametrize("kind", NOISE)
def test_a_file_of_something_else_yields_nothing(tmp_path: Path, kind: str, beside: bool) -> None:
    (tmp_path / "a.db").write_bytes(NOISE[kind]())
    if beside:
        log(tmp_path / "a.db").write_bytes(NOISE[kind]())
    assert list(table_rows(tmp_path / "a.db")) == []


def test_noise_beside_a_good_file_is_not_a_log(tmp_path: Path) -> None:
    with closing(create(tmp_path / "a.db")) as db:
        fill(db, 20)
        want = expected(db)
    for noise in NOISE.values():
        log(tmp_path / "a.db").write_bytes(noise())
        assert found(tmp_path / "a.db") == want


def test_a_missing_file_has_no_rows_but_its_log_may(tmp_path: Path) -> None:
    assert list(table_rows(tmp_path / "none.db")) == []
    with closing(create(tmp_path / "a.db", mode="wal")) as db:
        fill(db, 5)
        want = expected(db)
        log(tmp_path / "b.db").write_bytes(log(tmp_path / "a.db").read_bytes())
    assert found(tmp_path / "b.db") == want


def test_memory_does_not_grow_with_the_file_and_progress_counts_pages(tmp_path: Path) -> None:
    with closing(create(tmp_path / "a.db", 8192)) as db:
        fill(db, 50)
        want = expected(db)
    with (tmp_path / "a.db").open("r+b") as file:
        file.truncate(64 << 20)
    told = 0

    def tell(pages: int) -> None:
        nonlocal told
        told += pages

    tracemalloc.start()
    try:
        count = sum(1 for _ in table_rows(tmp_path / "a.db", tell))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert (count, told) == (want.total(), (64 << 20) // 8192)
    assert peak < 4 << 20
