"""The project's former name: what was written under it opens, and it stands nowhere else."""

from __future__ import annotations

import gzip
import subprocess
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from postgres_tools import fresh_database, plain_role_url
from typer.testing import CliRunner

from onrecord import Memory, former
from onrecord.cli.program import app
from onrecord.jobs.queue_schema import SCHEMA, check, prepare
from onrecord.stores.unfinished import sweep

ROOT = Path(__file__).parents[2]
SAID = ["I live in Lisbon and I am allergic to nuts.", "Noted. The ferry to Cacilhas leaves at nine."]
NAMED = {"CHANGELOG.md", "src/onrecord/former.py"}


@pytest.fixture
def written(tmp_path: Path) -> Path:
    """A memory that was written under the former name."""
    path = tmp_path / "memory.db"
    path.write_bytes(gzip.decompress((Path(__file__).parent / "former" / "memory.db.gz").read_bytes()))
    return path


def test_it_stands_nowhere_else() -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    files = [name for name in listed.split("\0") if name and (ROOT / name).is_file()]
    assert len(files) > 500
    assert not [name for name in files if former.NAME in name.lower()]
    texts = {name: (ROOT / name).read_bytes().lower() for name in files}
    assert {name for name, text in texts.items() if former.NAME.encode() in text} <= NAMED


def test_a_file_opens(written: Path) -> None:
    with Memory(written, space="ana") as memory:
        assert [message.text for message in memory.session("trip").history()] == SAID
        assert {fact.value for fact in memory.facts()} >= {"Lisbon", "1 October"}
        assert memory.search("when does the ferry leave?")[0].text == SAID[1]
        assert memory.session("trip").add("user", "Thanks.").seq == 3
        assert memory.check().ok


def test_an_export_and_a_folder_of_its_sheets_are_read(written: Path, tmp_path: Path) -> None:
    export, sheets = tmp_path / "export.jsonl", tmp_path / "sheets"
    with Memory(written, space="ana") as memory:
        memory.export(export, session="trip")
    first, *lines = export.read_text().splitlines(keepends=True)
    lines = [first.replace("onrecord-export", former.EXPORT), *lines]
    assert former.EXPORT in lines[0]
    export.write_text("".join(lines))
    with Memory(":memory:") as memory:
        assert memory.import_(export).added == 2
    (sheets / "ana").mkdir(parents=True)
    (sheets / "ana" / "trip.jsonl").write_text("".join(lines[:-1]))
    (sheets / f"{former.NAME}.json").write_text("{}")
    with Memory(sheets, space="ana") as memory:
        assert [message.text for message in memory.session("trip").history()] == SAID


def test_the_default_place_is_still_looked_at(written: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("sys.platform", "linux")
    assert CliRunner().invoke(app, ["path"]).output.strip() == str(tmp_path / "onrecord" / "memory.db")
    (tmp_path / former.NAME).mkdir()
    written.rename(tmp_path / former.NAME / "memory.db")
    assert CliRunner().invoke(app, ["path"]).output.strip() == str(tmp_path / former.NAME / "memory.db")


def test_copies_that_killed_processes_left_are_swept(tmp_path: Path) -> None:
    left = tmp_path / f"memory.db.0123abcd.{former.NAME}-part"
    left.mkdir()
    sweep(tmp_path)
    assert not left.exists()


def test_a_database_gets_the_new_name_once() -> None:
    with fresh_database() as name:
        url = plain_role_url(name)
        with Memory(url, space="ana") as memory:
            memory.session("trip").add("user", SAID[0])
        prepare(url)
        with psycopg.connect(url, autocommit=True) as db:
            for schema, old in (("onrecord", former.NAME), (SCHEMA, f"{former.NAME}_jobs")):
                db.execute(f"ALTER SCHEMA {schema} RENAME TO {old}".encode())
            policies = "SELECT tablename, qual FROM pg_policies WHERE schemaname = %s"
            for table, condition in db.execute(policies, (former.NAME,)).fetchall():
                condition = condition.replace("'onrecord.", f"'{former.NAME}.")
                db.execute(f"ALTER POLICY of_space ON {former.NAME}.{table} USING ({condition})".encode())
        for _ in range(2):
            with Memory(url, space="ana") as memory:
                assert [message.text for message in memory.session("trip").history()][:1] == SAID[:1]
                memory.session("trip").add("user", SAID[1])
            with Memory(url, space="ben") as memory:
                assert not list(memory.sessions())
            check(url)
        with closing(psycopg.connect(url, autocommit=True)) as db:
            left = db.execute("SELECT 1 FROM pg_namespace WHERE nspname LIKE %s", (f"{former.NAME}%",)).fetchall()
            assert not left
