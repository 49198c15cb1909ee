"""Every command, with all its options, through `main` in this process: what it prints, stores, and ends with."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import apsw
import pytest
from cli_tools import Cli
from typer.main import get_command

from onrecord import Memory
from onrecord.cli.output import as_json, printable, size
from onrecord.cli.program import app

HOSTILE = "\x1b[31mred\x1b[0m \x9b2J \x07 [bold]b[/bold] :smile: \u202egnp.exe\r\nsecond line"


def _damage(db: Path, sql: str) -> None:
    connection = apsw.Connection(str(db))
    connection.execute(sql)
    connection.close()


# add


def test_add_answers_one_line(cli: Cli, db: Path) -> None:
    done = cli("add", "trip", "We fly on 5 May.", "--role", "assistant", "--name", "Ana", "--time", "2026-05-05")
    assert done.code == 0
    assert done.out.startswith("trip 1 added: 7 tokens, importance 0.")
    assert done.out.count("\n") == 1
    assert done.err == ""
    with Memory(db) as memory:
        (message,) = memory.session("trip").history()
    assert (message.role, message.name, message.text) == ("assistant", "Ana", "We fly on 5 May.")
    assert message.time.isoformat() == "2026-05-05T00:00:00+00:00"


def test_add_gives_the_receipt_and_repeats_safely(cli: Cli) -> None:
    first, again = (cli("add", "trip", "Hi", "--id", "mine", "--key", "k", "--json") for _ in range(2))
    assert first.json == {"id": "mine", "seq": 1, "tokens": 1, "repeated": False, "repaired": False} | {
        "importance": first.json["importance"]
    }
    assert again.json == first.json | {"repeated": True}
    assert "was there already" in cli("add", "trip", "Hi", "--key", "k").out
    other = cli("add", "trip", "Other", "--key", "k", "--json")
    assert (other.code, other.error["code"], other.out) == (2, "Conflict", "")


@pytest.mark.parametrize(
    ("given", "kept"),
    [
        (b"Hello\n", "Hello"),
        (b"two\r\nlines\r\n", "two\r\nlines"),
        ("é\n\n".encode(), "é\n"),
        (b"caf\xe9 \x00", "caf\ufffd \ufffd"),
    ],
)
@pytest.mark.parametrize("place", [(), ("-",)])
def test_add_reads_standard_input_to_the_byte(cli: Cli, given: bytes, kept: str, place: tuple[str, ...]) -> None:
    assert cli("add", "trip", *place, stdin=given).code == 0
    assert cli("history", "trip", "--json").json["text"] == kept


def test_add_tells_of_broken_characters(cli: Cli) -> None:
    assert "the original is kept" in cli("add", "trip", stdin=b"\xff").out


def test_add_refuses_silence_but_takes_an_empty_text(cli: Cli) -> None:
    silent = cli("add", "trip")
    assert (silent.code, silent.out) == (2, "")
    assert "Nothing came from standard input." in silent.err
    assert cli("add", "trip", "").code == 0


def test_add_many_lines(cli: Cli) -> None:
    lines = b'{"role": "assistant", "text": "Hi"}\n\n{"content": "Ho", "name": "Ana"}\n'
    assert cli("add", "trip", "--jsonl", stdin=lines).out == "trip: 2 messages added, 2 tokens\n"
    more = cli("add", "trip", "-", "--jsonl", "--role", "system", "--json", stdin=b'{"text": "S"}\n' + lines)
    assert [receipt["seq"] for receipt in more.lines] == [3, 4, 5]
    found = cli("history", "trip", "--json").lines
    assert [line["role"] for line in found] == ["assistant", "user", "system", "assistant", "system"]
    assert found[1]["name"] == "Ana"


def test_add_many_lines_repeats_by_key(cli: Cli) -> None:
    lines = b'{"text": "Hi", "key": "a"}\n{"text": "Ho", "key": "b"}'
    cli("add", "trip", "--jsonl", stdin=lines)
    assert cli("add", "trip", "--jsonl", stdin=lines).out.startswith("trip: 0 messages added, 2 were there already")


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (b'{"text": "a"}\nnonsense\n', "Line 2 is not a JSON object."),
        (b"[1]\n", "Line 1 is not a JSON object."),
        (b'{"text": "a"}\n{"text": "b", "colour": "red"}\n', "Lines 1 to 2, of which none was added"),
        (b'{"text": "a", "role": "boss"}\n', "role 'boss' is not known."),
    ],
)
def test_add_many_refuses_bad_lines_whole(cli: Cli, lines: bytes, says: str) -> None:
    done = cli("add", "trip", "--jsonl", stdin=lines)
    assert done.code == 2
    assert says in done.err
    assert cli("history", "trip").code == 1


def test_add_many_says_what_stays(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.cli.message_commands.BATCH", 2)
    done = cli("add", "trip", "--jsonl", stdin=b'{"text": "a"}\n' * 3 + b'{"role": "boss"}\n')
    assert "Lines 3 to 4" in done.err
    assert "2 messages before them stay." in done.err
    assert len(cli("history", "trip", "--json").lines) == 2


def test_add_many_takes_nothing_beside_the_lines(cli: Cli) -> None:
    for extra in (["text"], ["--name", "Ana"], ["--key", "k"]):
        assert cli("add", "trip", *extra, "--jsonl", stdin=b'{"text": "a"}').code == 2


# history


@pytest.fixture
def trip(cli: Cli) -> Cli:
    roles = ("user", "assistant", "user", "tool")
    lines = "".join(
        json.dumps({"role": role, "text": f"text {number}", "time": f"2026-05-0{number}"}) + "\n"
        for number, role in enumerate(roles, 1)
    )
    assert cli("add", "trip", "--jsonl", stdin=lines.encode()).code == 0
    return cli


@pytest.mark.parametrize(
    ("options", "numbers"),
    [
        ([], [1, 2, 3, 4]),
        (["--limit", "2"], [1, 2]),
        (["--last", "2"], [3, 4]),
        (["--after", "1", "--before", "4"], [2, 3]),
        (["--since", "2026-05-02", "--until", "2026-05-04T00:00:00Z"], [2, 3]),
        (["--role", "tool"], [4]),
        (["--role", "user", "--role", "tool"], [1, 3, 4]),
    ],
)
def test_history_chooses(trip: Cli, options: list[str], numbers: list[int]) -> None:
    found = trip("history", "trip", "--json", *options)
    assert [line["seq"] for line in found.lines] == numbers
    people = trip("history", "trip", *options)
    assert [int(line.split()[0]) for line in people.out.splitlines()] == numbers
    assert (people.code, people.err) == (0, "")


def test_history_shows_what_people_want_to_know(cli: Cli) -> None:
    cli("add", "trip", "first\nsecond", "--name", "Ana", "--time", "2026-05-05T09:30Z")
    assert cli("history", "trip").out == ("    1  2026-05-05 09:30  user/Ana            3  first\n       second\n")


def test_history_shows_tool_calls(cli: Cli) -> None:
    call = {"id": "c", "function": {"name": "find", "arguments": '{"to": "LIS"}'}}
    cli("add", "trip", "--jsonl", stdin=json.dumps({"role": "assistant", "text": "", "tool_calls": [call]}).encode())
    assert cli("history", "trip").out.endswith('  → find({"to": "LIS"})\n')


def test_history_of_nothing(trip: Cli) -> None:
    missing = trip("history", "nowhere", "--json")
    assert (missing.code, missing.out, missing.error["code"]) == (1, "", "NotFound")
    none = trip("history", "trip", "--after", "9")
    assert (none.code, none.out, none.err) == (0, "", "No message fits.\n")


@pytest.mark.parametrize(
    "options",
    [
        ["--limit", "1", "--last", "1"],
        ["--role", "boss"],
        ["--since", "soon"],
        ["--limit", "-1"],
        ["--x"],
        ["--after", "9" * 20],
        [],
    ],
)
def test_history_refuses(trip: Cli, options: list[str]) -> None:
    done = trip("history", *(["trip", *options] if options else []))
    assert done.code == 2
    assert done.out == ""
    assert done.err.startswith("Error: ")
    assert "\n Hint: " in done.err


def test_history_marks_the_forgotten(trip: Cli) -> None:
    trip("forget", "--session", "trip", "--message", "2", "--yes")
    assert [line["seq"] for line in trip("history", "trip", "--json").lines] == [1, 3, 4]
    assert "(forgotten)" in trip("history", "trip", "--forgotten").out
    assert trip("history", "trip", "--forgotten", "--json").lines[1]["state"] == "forgotten"


def test_history_marks_the_damaged(trip: Cli, db: Path) -> None:
    _damage(db, "UPDATE messages SET text = 'other' WHERE seq = 2")
    people, program = trip("history", "trip"), trip("history", "trip", "--json")
    assert people.code == program.code == 1
    assert "(damaged) other" in people.out
    assert people.err.startswith("1 message shown above cannot be trusted any more.")
    assert [line.get("state") for line in program.lines] == [None, "damaged", None, None]


def test_hostile_text_does_not_reach_the_terminal(cli: Cli, db: Path) -> None:
    cli("add", "trip", HOSTILE)
    with Memory(db) as memory:
        memory.session("trip").update(title="[red]t[/red] \u202e")
    people, lines = cli("history", "trip").out, cli("history", "trip", "--json")
    assert "\\x1b[31mred\\x1b[0m \\x9b2J \\x07 [bold]b[/bold] :smile: \\u202egnp.exe\n       second line\n" in people
    assert lines.json["text"] == HOSTILE
    assert "[red]t[/red] \\u202e" in cli("sessions").out
    exported = cli("export")
    assert [line["message"]["text"] for line in exported.lines if "message" in line] == [HOSTILE]
    for shown in (people, lines.out, exported.out, cli("sessions").out, cli("sessions", "--json").out):
        assert not set("\x1b\x9b\x07\r\u202e") & set(shown)


def test_hostile_names_do_not_reach_the_terminal(trip: Cli) -> None:
    for arguments in (("history", "\x1b[31m"), ("add", "\x9b", "x"), ("\x1b[31m",), ("history", "t", "--\x1b")):
        done = trip(*arguments)
        assert done.code in (1, 2)
        assert "\x1b" not in done.err + done.out
        assert "\x9b" not in done.err + done.out


def test_printable_and_json_keep_what_is_harmless() -> None:
    text = "naïve 👩‍👩‍👧 日本\tالعربية\nline"
    assert printable(text) == text
    assert as_json({"text": text}) == json.dumps({"text": text}, ensure_ascii=False)
    assert printable("\ud800") == "\\ud800"


# sessions


def test_sessions(trip: Cli, db: Path) -> None:
    with Memory(db) as memory:
        memory.session("trip").update(title="Lisbon", status="paused")
    trip("add", "work", "Hi", "--space", "ben")
    table = trip("sessions")
    assert [line.split()[:4] for line in table.out.splitlines() if "Lisbon" in line] == [
        ["trip", "Lisbon", "paused", "4"]
    ]
    assert table.code == 0
    (line,) = trip("sessions", "--json").lines
    assert (line["id"], line["title"], line["last_seq"]) == ("trip", "Lisbon", 4)
    assert [(row["space"], row["id"]) for row in trip("sessions", "--all-spaces", "--json").lines] == [
        ("ben", "work"),
        ("default", "trip"),
    ]
    assert "ben" in trip("sessions", "--all-spaces").out
    none = trip("sessions", "--space", "nobody")
    assert (none.code, none.out) == (0, "")
    assert "No sessions yet." in none.err


def test_a_long_session_id_is_not_cut(cli: Cli) -> None:
    name = "x" * 300
    cli("add", name, "Hi")
    assert name in cli("sessions").out


# export, import, backup


def test_export_and_import(trip: Cli, tmp_path: Path) -> None:
    trip("add", "work", "Hi")
    piped = trip("export")
    lines = len(piped.lines)
    assert (piped.code, piped.err) == (0, f"{lines} lines exported.\n")
    assert trip("export", "all.jsonl").out == f"{lines} lines exported to all.jsonl.\n"
    assert (tmp_path / "all.jsonl").read_text() == piped.out
    assert trip("export", "one.jsonl", "--session", "trip", "--json").json == {"file": "one.jsonl", "lines": lines - 2}
    assert [path.name for path in tmp_path.glob("*.part")] == []

    counts = {"sessions": 2, "added": 5, "present": 0, "forgotten": 0, "records": 0}
    assert trip("import", "all.jsonl", "--db", "new.db", "--json").json == counts
    assert trip("import", "-", "--db", "newer.db", "--json", stdin=piped.out.encode()).json == counts
    again = trip("import", "all.jsonl", "--db", "new.db")
    assert again.out.startswith("0 messages added in 2 sessions; 5 were there already")
    assert trip("export", "--db", "newer.db").out == piped.out

    trip("add", "work", "The wifi password is hunter2-blue.")
    assert "hunter2-blue" in trip("export").out
    assert "hunter2" not in trip("export", "--mask-secrets").out
    assert trip("export", "masked.jsonl", "--mask-secrets").code == 0
    assert "is hun••••." in (tmp_path / "masked.jsonl").read_text()


def test_export_keeps_the_earlier_file_when_it_fails(trip: Cli, tmp_path: Path) -> None:
    (tmp_path / "all.jsonl").write_text("earlier")
    assert trip("export", "all.jsonl", "--session", "nowhere").code == 1
    assert (tmp_path / "all.jsonl").read_text() == "earlier"
    missing = trip("export", "no/such/folder/all.jsonl", "--json")
    assert (missing.code, missing.error["code"]) == (1, "NotFound")
    assert not list(tmp_path.glob("*.part"))


def test_export_writes_to_devices_and_through_links(trip: Cli, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
    assert trip("export", "pipe").code == 0
    assert os.read(reader, 1_000_000).decode() == trip("export").out
    os.close(reader)
    assert (tmp_path / "pipe").is_fifo()
    (tmp_path / "link").symlink_to(tmp_path / "file")
    assert trip("export", "link").code == 0
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_text() == trip("export").out


@pytest.mark.parametrize("ending", ["", "-wal", "-shm", "-damaged"])
def test_export_does_not_write_over_the_memory(trip: Cli, db: Path, ending: str) -> None:
    before = db.read_bytes()
    (db.parent / "link").symlink_to(f"{db}{ending}")
    for target in (f"{db}{ending}", "link"):
        done = trip("export", target, "--json")
        assert (done.code, done.error["code"]) == (2, "InvalidInput")
    assert db.read_bytes() == before
    trip("add", "trip", "x", "--db", "folder/")
    assert trip("export", "folder/out.jsonl", "--db", "folder/").code == 2
    assert not (db.parent / "folder" / "out.jsonl").exists()


def test_import_refuses(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "bad.jsonl").write_text('{"format": "other"}\n')
    assert cli("import", "bad.jsonl").code == 2
    missing = cli("import", "nowhere.jsonl")
    assert (missing.code, missing.err) == (
        1,
        "Error: There is no readable file nowhere.jsonl.\n Hint: Check the path.\n",
    )
    for source in ("nowhere.jsonl", "."):
        assert cli("import", source, "--db", "new.db").code == 1
        assert not (tmp_path / "new.db").exists()


def test_backup(trip: Cli, tmp_path: Path) -> None:
    done = trip("backup", "copy.db")
    assert done.code == 0
    assert done.out.startswith(f"{tmp_path / 'memory.db'} copied to copy.db (")
    assert trip("export", "--db", "copy.db").out == trip("export").out
    assert trip("backup", "copy.db").code == 2
    report = trip("backup", "again.db", "--json").json
    assert report == {"file": "again.db", "bytes": (tmp_path / "again.db").stat().st_size}


def test_sizes_in_words() -> None:
    assert [size(count) for count in (0, 999, 1500, 2_000_000, 3 * 10**9)] == [
        "0 bytes",
        "999 bytes",
        "1.5 kB",
        "2.0 MB",
        "3.0 GB",
    ]


# doctor


def test_doctor_finds_it_whole(trip: Cli) -> None:
    done = trip("doctor")
    assert done.code == 0
    assert ": 1 space, 1 session, 4 messages, 0 forgotten, " in done.out
    assert done.out.endswith("Everything was checked. Nothing is wrong.\nForgotten bytes are gone.\n")
    report = trip("doctor", "--json").json
    assert (report["ok"], report["messages"], report["findings"], report["pending"]) == (True, 4, [], False)


def test_doctor_finds_and_rescues(trip: Cli, db: Path) -> None:
    _damage(db, "UPDATE messages SET text = 'other' WHERE seq = 2")
    done = trip("doctor")
    assert done.code == 1
    assert re.search(r"\n\w+ +default  trip +2\n    ", done.out)
    assert f"onrecord doctor --db {db} --rescue rescued.db" in done.out
    assert [finding["seq"] for finding in trip("doctor", "--json").json["findings"]] == [2]
    assert trip("doctor", "--rescue", "rescued.db", "--json").json["added"] == 4
    assert "text 4" in trip("history", "trip", "--db", "rescued.db").out
    again = trip("doctor", "--rescue", "rescued.db")
    assert again.code == 2
    people = trip("doctor", "--rescue", "more.db")
    assert (people.code, people.out) == (0, "4 messages of 1 session read into more.db.\n")


def test_doctor_shortens_a_long_list(cli: Cli, db: Path) -> None:
    cli("add", "trip", "--jsonl", stdin=b'{"text": "a"}\n' * 30)
    _damage(db, "UPDATE messages SET text = 'b'")
    assert "and 10 more; --json lists them all\n" in cli("doctor").out


def test_doctor_takes_a_file_that_cannot_be_opened_as_a_finding(trip: Cli, db: Path) -> None:
    db.write_bytes(b"not a database at all" * 100)
    done = trip("doctor", "--json")
    assert (done.code, done.json["ok"], done.json["findings"][0]["kind"]) == (1, False, "unreadable")
    assert trip("history", "trip").code == 3
    assert trip("add", "trip", "x", "--json").error["code"] == "StoreDamaged"
    nothing = trip("doctor", "--rescue", "rescued.db")
    assert (nothing.code, nothing.out) == (1, "")
    assert nothing.err == "Nothing could be read. rescued.db was not made.\n"
    assert trip("doctor", "--rescue", "folder/").code == 1
    program = trip("doctor", "--rescue", "rescued.db", "--json")
    assert (program.code, program.json["added"], program.err) == (1, 0, "")
    assert sorted(path.name for path in db.parent.iterdir() if not path.name.startswith("memory.db")) == []


# forget


def test_forget_messages_by_number_and_id(trip: Cli, db: Path) -> None:
    trip("add", "trip", "platypus", "--id", "mine")
    done = trip("forget", "--session", "trip", "--message", "1", "--message", "mine", "-y")
    assert (done.code, done.out) == (0, "Forgotten: 2 messages.\n")
    assert b"platypus" not in b"".join(path.read_bytes() for path in db.parent.glob("memory.db*"))
    assert [line["seq"] for line in trip("history", "trip", "--json").lines] == [2, 3, 4]
    again = trip("forget", "--session", "trip", "--message", "1", "-y")
    assert again.code == 1
    assert again.err.startswith("There was nothing to forget: ")
    assert trip("forget", "--session", "trip", "--message", "nobody", "-y").code == 1


def test_forget_a_session_and_a_space(trip: Cli) -> None:
    trip("add", "work", "Hi", "--space", "ben")
    report = trip("forget", "--session", "trip", "--yes", "--json").json
    assert report == {"messages": 4, "sessions": 1, "spaces": 0, "records": 0, "pending": False}
    assert trip("forget", "--whole-space", "ben", "--yes").out == "Forgotten: 1 message, 1 session, 1 space.\n"
    assert trip("forget", "--whole-space", "ben", "--yes").code == 1
    assert trip("forget", "--session", "trip", "--yes").code == 1
    assert trip("sessions", "--all-spaces", "--json").out == ""


@pytest.mark.parametrize(
    "options",
    [
        [],
        ["--session", "trip", "--whole-space", "default"],
        ["--whole-space", "default", "--message", "1"],
        ["--message", "1"],
    ],
)
def test_forget_needs_to_know_what(trip: Cli, options: list[str]) -> None:
    assert trip("forget", *options, "--yes").code == 2
    assert len(trip("history", "trip", "--json").lines) == 4


def test_forget_does_not_go_on_unasked(trip: Cli) -> None:
    done = trip("forget", "--session", "trip", "--json")
    assert (done.code, done.out, done.error["hint"]) == (2, "", "Add --yes to do it without being asked.")
    assert len(trip("history", "trip", "--json").lines) == 4


def test_forget_says_when_bytes_linger_and_doctor_finishes_it(trip: Cli, db: Path) -> None:
    trip("add", "trip", "platypus")
    reader = apsw.Connection(str(db))
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM messages").fetchall()
    done = trip("forget", "--session", "trip", "--yes", "--json")
    assert (done.code, done.json["pending"], done.json["messages"]) == (3, True, 5)
    assert done.err.endswith(f"then run: onrecord doctor --db {db}\n")
    early = trip("doctor", "--json")
    assert (early.code, early.json["ok"], early.json["pending"]) == (3, True, True)
    people = trip("doctor")
    assert (people.code, people.err, "bytes are gone" in people.out) == (3, done.err, False)
    reader.close()
    late = trip("doctor")
    assert (late.code, late.out.endswith("Forgotten bytes are gone.\n")) == (0, True)
    assert b"platypus" not in b"".join(path.read_bytes() for path in db.parent.glob("memory.db*"))


@pytest.mark.parametrize("message", ["9" * 20, "9" * 5000, "\udcff", "\x1b[31m"])
def test_forget_refuses_what_is_no_message(trip: Cli, message: str) -> None:
    done = trip("forget", "--session", "trip", "--message", message, "--yes", "--json")
    assert (done.code, done.error["code"], len(done.err) < 300) == (2, "InvalidInput", True)


# where the memory lies


def test_path(cli: Cli, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli("path").out == f"{db}\n"
    assert cli("path", "--db", "sub/x.db").out == f"{tmp_path / 'sub' / 'x.db'}\n"
    assert cli("path", "--db", ":memory:").out == ":memory:\n"
    monkeypatch.delenv("ONRECORD_DB")
    default = tmp_path / "data" / "onrecord" / "memory.db"
    monkeypatch.setattr(sys, "platform", "linux")
    assert cli("path", "--json").json == {"path": str(default), "exists": False}
    assert cli("add", "trip", "Hi").code == 0
    assert default.exists()
    assert default.parent.stat().st_mode & 0o077 == 0
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert cli("path").out == f"{tmp_path}/home/.local/share/onrecord/memory.db\n"
    assert cli("path", "--db", "~/x.db").out == f"{tmp_path}/home/x.db\n"
    monkeypatch.setattr(sys, "platform", "darwin")
    assert cli("path").out == f"{tmp_path}/home/Library/Application Support/onrecord/memory.db\n"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "Local"))
    assert cli("path").out == f"{tmp_path}/Local/onrecord/memory.db\n"


@pytest.mark.parametrize(
    "command",
    [
        ("history", "t"),
        ("sessions",),
        ("export",),
        ("backup", "b"),
        ("doctor",),
        ("forget", "--session", "t", "--yes"),
        ("search", "t"),
        ("context", "t"),
        ("explain", "t"),
        ("pin", "t", "--remove", "p"),
        ("pins", "t"),
        ("summarize", "t"),
        ("summaries", "t"),
        ("summaries", "t", "s"),
        ("rebuild",),
        ("rebuild", "--vectors"),
    ],
)
def test_reading_does_not_make_a_memory(cli: Cli, db: Path, command: tuple[str, ...]) -> None:
    done = cli(*command)
    assert done.code == 1
    assert done.err.startswith(f"Error: There is no memory at {db} yet.\n Hint: ")
    assert not db.exists()


def test_shared_options_stand_before_or_after(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("--db", "a.db", "--space", "ana", "add", "trip", "in a")
    cli("add", "trip", "in b", "--db", "b.db", "--space", "ana")
    monkeypatch.setenv("ONRECORD_SPACE", "ana")
    assert cli("--json", "--db", "a.db", "history", "trip").json["text"] == "in a"
    assert cli("--db", "a.db", "history", "trip", "--db", "b.db", "--json").json["text"] == "in b"
    monkeypatch.setenv("ONRECORD_DB", "b.db")
    assert cli("history", "trip", "--json").json["text"] == "in b"
    assert cli("history", "trip", "--space", "default").code == 1


def test_model_and_profile(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cli("add", "trip", "Hello there", "--model", "gpt-4")
    monkeypatch.setenv("ONRECORD_MODEL", "nobody-knows-this")
    cli("add", "trip", "Hello there")
    assert [line["encoding"] for line in cli("history", "trip", "--json").lines] == ["cl100k_base", "estimate"]
    assert cli("add", "trip", "x", "--profile", "hybrid").code == 0
    assert cli("add", "trip", "x", "--profile", "best").code == 2
    monkeypatch.setenv("ONRECORD_PROFILE", "best")
    assert cli("add", "trip", "x").code == 2


# help, version, errors


COMMANDS = tuple(get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", [*((name,) for name in COMMANDS), ()])
def test_help_opens_with_a_sentence_and_an_example(cli: Cli, command: tuple[str, ...]) -> None:
    done = cli(*command, "--help")
    assert done.code == 0
    usage, sentence, example = re.split(r"\n\s*\n", done.out.strip())[:3]
    assert usage.startswith(" ".join(("Usage: onrecord", *command)))
    assert sentence.rstrip().endswith(".")
    assert example.lstrip().startswith(" ".join(("Example: onrecord", *command)))


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_the_shared_options_last_and_once(cli: Cli, command: str) -> None:
    shown = cli(command, "--help").out
    own, shared = shown.split("─ Shared options ")
    assert "--help" in own
    for option in ("--db", "--space", "--profile", "--model", "--embedder", "--json"):
        assert f"│ {option} " not in own
        assert shared.count(f"│ {option} ") == 1


def test_help_names_all_commands_and_exit_codes(cli: Cli) -> None:
    done = cli()
    assert done.code == 0
    assert done.out.rstrip() == cli("-h").out.rstrip()
    shown = {line.split()[1] for line in done.out.splitlines() if line.startswith("│ ") and line.split()[1] in COMMANDS}
    assert shown == set(COMMANDS)
    assert "Exit codes:" in done.out
    assert "ONRECORD_PROFILE" in done.out
    assert "ONRECORD_DB" in cli("history", "--help").out


def test_usage_errors_are_json_too(cli: Cli) -> None:
    done = cli("history", "--json")
    assert (done.code, done.out) == (2, "")
    assert set(done.error) == {"code", "message", "hint"}
    assert done.error["hint"] == "See onrecord history --help"
    assert cli("nonsense").code == 2
    assert cli("history", "--nonsense", "--", "--json").err.startswith("Error: ")


# restore


def test_restore_puts_a_backup_back(trip: Cli, db: Path) -> None:
    assert trip("backup", "monday.db").code == 0
    trip("add", "trip", "a mistake")
    refused = trip("restore", "monday.db")
    assert refused.code == 2
    assert "--yes" in refused.err
    done = trip("restore", "monday.db", "--yes")
    assert (done.code, done.err) == (0, "")
    assert done.out.startswith(f"{db} (version ")
    assert "a mistake" not in trip("history", "trip").out
    assert trip("restore", "monday.db", "--yes", "--json").json["ok"]
    assert trip("restore", "nowhere.db", "--yes").code == 1
