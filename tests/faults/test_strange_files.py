"""Files of somebody else, or that somebody else changed: refused, without running or changing anything of them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import apsw
import pytest

from onrecord import Memory, StoreDamaged, StoreError, StoreVersion, doctor, restore
from onrecord.records import ImportReport

FOREIGN = """
import os, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.execute("PRAGMA journal_mode = wal")
for statement in sys.argv[2:]:
    db.execute(statement)
    db.commit()
os._exit(0)
"""


def opened(path: Path) -> Memory:
    return Memory(path, embedder=None, summarize="manual")


def made(path: Path) -> Path:
    with opened(path) as memory:
        memory.session("trip").add_many([("user", "one"), ("user", "two")])
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def change(path: Path, *statements: str) -> None:
    db = apsw.Connection(str(path))
    for statement in statements:
        db.execute(statement).fetchall()
    db.close()


@pytest.mark.parametrize(
    "statements",
    [
        ["CREATE TABLE notes (text)"],
        ["CREATE TABLE notes (text)", "PRAGMA wal_checkpoint(TRUNCATE)", "INSERT INTO notes VALUES ('a')"],
        ["PRAGMA application_id = 77"],
        ["PRAGMA application_id = 77", "PRAGMA wal_checkpoint(TRUNCATE)", "CREATE TABLE notes (text)"],
    ],
)
def test_another_programs_log_stays_as_it_is(tmp_path: Path, statements: list[str]) -> None:
    path = tmp_path / "other.db"
    subprocess.run([sys.executable, "-c", FOREIGN, str(path), *statements], check=True)
    before = contents(tmp_path)
    assert before["other.db-wal"]
    with pytest.raises(StoreVersion, match="belongs to another program"):
        opened(path)
    assert contents(tmp_path) == before


def test_a_memory_that_is_in_its_log_alone_is_one(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    code = "import os, sys, onrecord\nonrecord.Memory(sys.argv[1]).session('trip').add('user', 'one')\nos._exit(0)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    with opened(path) as memory:
        assert memory.session("trip").info().last_seq == 1


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TRIGGER gone AFTER INSERT ON messages BEGIN DELETE FROM messages WHERE doc < new.doc; END",
        "CREATE VIEW more AS SELECT * FROM messages",
        "CREATE TABLE more (text)",
        "CREATE INDEX more ON messages (abs(doc))",
        "ALTER TABLE messages ADD COLUMN rest",
        "DROP TABLE counters",
    ],
)
def test_other_definitions_are_refused_and_can_be_rescued(tmp_path: Path, statement: str) -> None:
    path = made(tmp_path / "memory.db")
    change(path, statement)
    before = path.read_bytes()
    with pytest.raises(StoreDamaged, match="other definitions"):
        opened(path)
    assert path.read_bytes() == before
    assert not path.with_name("memory.db-damaged").exists()
    report = doctor(path, rescue_to=tmp_path / "rescued.db")
    assert isinstance(report, ImportReport)
    assert report.added == 2 or "COLUMN" in statement


def test_a_definition_in_place_of_ours_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    change(path, "DROP TABLE counters", "CREATE VIEW counters AS SELECT 1 AS space, 'a' AS name, 2 AS value")
    with pytest.raises(StoreDamaged, match="other definitions"):
        opened(path)


def test_figures_and_spaces_do_no_harm(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    change(path, "ANALYZE")
    with opened(path) as memory:
        assert memory.check().ok


@pytest.mark.skipif(not hasattr(os, "link"), reason="no links")
def test_a_second_name_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "memory.db")
    os.link(path, tmp_path / "other.db")
    for name in ("memory.db", "other.db"):
        with pytest.raises(StoreError, match="second name"):
            opened(tmp_path / name)
    (tmp_path / "other.db").unlink()
    assert opened(path).session("trip").info().last_seq == 2


def test_nothing_is_written_once_another_made_the_schema_newer(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with opened(path) as memory:
        memory.session("trip").add("user", "one")
        change(path, "PRAGMA user_version = 99")
        with pytest.raises(StoreVersion, match="has version 99"):
            memory.session("trip").add("user", "two")
        change(path, "PRAGMA user_version = 2")
        assert memory.session("trip").add("user", "two").seq == 2


def crowd(path: Path, start: int, count: int, *, dies: bool = False) -> None:
    """Add messages in another process, which may leave its log behind."""
    code = (
        "import os, sys, onrecord\n"
        "memory = onrecord.Memory(sys.argv[1], summarize='manual', embedder='none')\n"
        "start, count = int(sys.argv[2]), int(sys.argv[3])\n"
        "said = [('user', f'number {n} ' + 'word ' * 30) for n in range(start, start + count)]\n"
        "memory.session('trip').add_many(said)\n" + ("os._exit(0)" if dies else "memory.close()")
    )
    subprocess.run([sys.executable, "-c", code, str(path), str(start), str(count)], check=True)


def test_a_copy_that_was_laid_over_a_file_with_a_log_is_seen(tmp_path: Path) -> None:
    path, copy = tmp_path / "memory.db", tmp_path / "copy.db"
    crowd(path, 0, 500)
    copy.write_bytes(path.read_bytes())  # as `cp` does: it has used a log itself
    crowd(path, 500, 3_000)
    crowd(path, 3_500, 60, dies=True)
    path.write_bytes(copy.read_bytes())
    log = path.with_name("memory.db-wal").read_bytes()
    with pytest.raises(StoreError, match="is the log of another file"):
        opened(path)
    assert (path.read_bytes(), path.with_name("memory.db-wal").read_bytes()) == (copy.read_bytes(), log)
    assert restore(copy, path).ok
    with opened(path) as memory:
        assert memory.check().ok
        assert memory.session("trip").info().last_seq == 500


def test_a_file_that_only_looks_newer_than_its_log_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    crowd(path, 0, 500)
    crowd(path, 500, 60, dies=True)
    path.touch()
    with opened(path) as memory:
        assert memory.check().ok
        assert memory.session("trip").info().last_seq == 560


def test_the_log_of_another_file_is_not_applied(tmp_path: Path) -> None:
    path, backup = tmp_path / "memory.db", tmp_path / "monday.db"
    with opened(path) as memory:
        memory.session("trip").add("user", "monday")
        memory.backup(backup)
    code = "import os, sys, onrecord\nonrecord.Memory(sys.argv[1]).session('trip').add('user', 'more')\nos._exit(0)"
    subprocess.run([sys.executable, "-c", code, str(path)], check=True)
    backup.replace(path)
    before = contents(tmp_path)
    with pytest.raises(StoreError, match="is the log of another file"):
        opened(path)
    assert contents(tmp_path) == before
    path.with_name("memory.db-wal").unlink()
    with opened(path) as memory:
        assert [message.text for message in memory.session("trip").history()] == ["monday"]
