"""`onrecord import` with exports of others, as people run it: again, killed, newer, damaged, piped and served."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_tools import Cli
from importer_tools import chatgpt, claude, node, trees, write, write_zip
from service_tools import serving

from onrecord import Memory

PROGRAM = (sys.executable, "-W", "error", "-m", "onrecord")
MANY = 300


def texts(db: Path | str, session: str, space: str = "default") -> list[str]:
    with Memory(db, space=space, embedder=None) as memory:
        return [message.text for message in memory.session(session).history()]


@pytest.mark.parametrize("pack", [write, write_zip])
def test_a_chatgpt_export(cli: Cli, db: Path, tmp_path: Path, pack: Any) -> None:
    hidden = node("h", "root", "system", "x", metadata={"is_visually_hidden_from_conversation": True})
    export = pack(
        tmp_path / "export",
        [chatgpt("c1", ["Where?", "In Lisbon."]), trees(hidden, node("q", "h"), conversation_id="c2")],
    )
    done = cli("import", export, "--space", "ana")
    assert (done.code, done.out) == (
        0,
        "ChatGPT: 3 messages added in 2 conversations; 0 were there already.\n",
    )
    assert done.err == "Left out: 1 hidden.\n"
    assert texts(db, "chatgpt:c1", "ana") == ["Where?", "In Lisbon."]
    listed = cli("sessions", "--space", "ana").out
    assert "Chat c1" in listed
    again = cli("import", export, "--space", "ana", "--json").json
    assert again == {
        "format": "chatgpt",
        "conversations": 2,
        "added": 0,
        "present": 3,
        "changed": 0,
        "forgotten": 0,
        "failed": 0,
        "dry_run": False,
        "left_out": {"hidden": 1},
        "failures": [],
    }


def test_a_newer_export_of_claude(cli: Cli, db: Path, tmp_path: Path) -> None:
    cli("import", write_zip(tmp_path / "old.zip", [claude("u1", ["A", "B"])]))
    cli("forget", "--session", "claude:u1", "--message", "1", "--yes")
    newer = write_zip(tmp_path / "new.zip", [claude("u1", ["A", "Changed", "C"]), claude("u2", ["D"])])
    done = cli("import", newer)
    assert done.out == "Claude: 2 messages added in 2 conversations; 0 were there already.\n"
    assert done.err.splitlines() == [
        "1 message reads differently now; what was here first stays.",
        "1 message was forgotten here, and not brought back.",
    ]
    assert texts(db, "claude:u1") == ["B", "C"]


def test_plain_lines(cli: Cli, db: Path, tmp_path: Path) -> None:
    rows = [json.dumps({"role": role, "content": f"Said by {role}"}) for role in ("user", "assistant")]
    path = write(tmp_path / "chat.jsonl", rows)
    unsure = cli("import", path)
    assert unsure.code == 2
    assert "Line 1 names no session." in unsure.err
    assert "--session ID" in unsure.err
    assert cli("import", path, "--session", "trip").out.startswith("JSON: 2 messages added in 1 conversation;")
    piped = cli("import", "-", "--session", "trip", "--json", stdin=path.read_bytes())
    assert (piped.json["added"], piped.json["present"]) == (0, 2)
    assert texts(db, "trip") == ["Said by user", "Said by assistant"]


def test_our_own_export_through_a_named_pipe_is_read_once(db: Path, tmp_path: Path) -> None:
    with Memory(tmp_path / "other.db", embedder=None) as memory:
        memory.session("trip").add("user", "We fly to Lisbon.")
        memory.export(tmp_path / "export.jsonl")
    os.mkfifo(tmp_path / "pipe")
    command = [*PROGRAM, "import", str(tmp_path / "pipe"), "--db", str(db)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        (tmp_path / "pipe").write_bytes((tmp_path / "export.jsonl").read_bytes())
        try:
            assert process.wait(30) == 0
        finally:
            process.kill()
    assert texts(db, "trip") == ["We fly to Lisbon."]


def test_a_dry_run_makes_nothing(cli: Cli, db: Path, tmp_path: Path) -> None:
    export = write(tmp_path / "e.json", [chatgpt("c1", ["A", "B"])])
    done = cli("import", export, "--dry-run")
    assert done.out == "ChatGPT: 2 messages would be added in 1 conversation; 0 were there already.\n"
    assert cli("import", "-", "--dry-run", stdin=export.read_bytes()).out == done.out
    assert not db.exists()
    cli("import", export)
    assert cli("import", export, "--dry-run", "--json").json["present"] == 2


def test_what_cannot_be_read_is_listed(cli: Cli, db: Path, tmp_path: Path) -> None:
    bad = [chatgpt(f"b{at}", ["A"]) | {"mapping": "\x1b[31m"} for at in range(25)]
    export = write(tmp_path / "e.json", [*bad, chatgpt("c1", ["Good"])])
    done = cli("import", export)
    assert (done.code, done.out.startswith("ChatGPT: 1 message added in 1 conversation;")) == (1, True)
    lines = done.err.splitlines()
    assert lines[0] == "Not read: conversation 1 (Chat b0): mapping is a text, not an object."
    assert (len(lines), lines[-1]) == (21, "and 5 more; --json lists them")
    told = cli("import", export, "--json")
    assert (told.code, told.json["failed"], len(told.json["failures"])) == (1, 25, 25)
    assert texts(db, "chatgpt:c1") == ["Good"]


@pytest.mark.parametrize(
    ("content", "arguments", "code", "what"),
    [
        ("Dear diary", (), 2, "it is empty, or not JSON"),
        ("[]", (), 2, "holds no conversations"),
        ('[{"a": 1}]', (), 2, "is not of a kind that can be imported"),
        ('[{"mapping": {}}]', ("--session", "s"), 2, "chatgpt names its own"),
        ('{"format": "onrecord-export"}', ("--dry-run",), 2, "--dry-run is for exports of others"),
        ("[]", ("--from", "gemini"), 2, "gemini"),
        ('{"role": "user", "content": "x"}', ("--from", "onrecord"), 2, "onrecord export"),
    ],
)
def test_what_is_refused_makes_no_memory(
    cli: Cli, db: Path, tmp_path: Path, content: str, arguments: tuple[str, ...], code: int, what: str
) -> None:
    (tmp_path / "file").write_text(content)
    done = cli("import", "file", *arguments)
    assert (done.code, done.out) == (code, "")
    assert what in " ".join(done.err.split())
    if "onrecord" not in arguments:  # that is found out by the memory itself
        assert not db.exists()


def test_over_a_service(cli: Cli, tmp_path: Path) -> None:
    export = write_zip(tmp_path / "e.zip", [chatgpt("c1", ["Where?", "In Lisbon."]), chatgpt("c2", ["x" * 5_000] * 50)])
    with serving(tmp_path / "served.db", body_bytes=200_000) as served:  # less than one batch: then one by one
        place = ("--db", served.url, "--space", "ana")
        assert cli("import", export, *place, "--json").json["added"] == 52
        again = cli("import", export, *place)
        assert (again.code, again.out) == (
            0,
            "ChatGPT: 0 messages added in 2 conversations; 52 were there already.\n",
        )
        assert "Lisbon" in cli("history", "chatgpt:c1", *place).out


def _count(db: Path) -> int:
    if not db.exists():
        return 0
    with Memory(db, embedder=None, summarize="manual") as memory:
        return sum(info.last_seq for info in memory.sessions())


def test_killed_in_the_middle_it_goes_on(cli: Cli, db: Path, tmp_path: Path) -> None:
    said = [f"Message {at} of a long history, about the trip." for at in range(30)]
    export = write_zip(tmp_path / "e.zip", [chatgpt(f"c{at}", said) for at in range(MANY)])
    process = subprocess.Popen([*PROGRAM, "import", str(export)], env=os.environ | {"ONRECORD_SUMMARIZE": "manual"})
    while _count(db) < 600:
        assert process.poll() is None, "it ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    assert process.wait(60) == -signal.SIGKILL
    kept = _count(db)
    assert 600 <= kept < 30 * MANY
    environment = os.environ | {"ONRECORD_SUMMARIZE": "manual"}
    told = subprocess.run([*PROGRAM, "import", str(export), "--json"], env=environment, capture_output=True, check=True)
    done = json.loads(told.stdout)
    assert (done["present"], done["added"]) == (kept, 30 * MANY - kept)
    assert texts(db, f"chatgpt:c{MANY - 1}") == said
    assert texts(db, "chatgpt:c0") == said


def test_stopped_by_a_person_it_says_how_to_go_on(
    cli: Cli, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stopped(*given: Any, **more: Any) -> None:
        raise KeyboardInterrupt

    (tmp_path / "chat.jsonl").write_text('{"role": "user", "content": "Hello"}\n')
    with monkeypatch.context() as patch:
        patch.setattr("onrecord.cli.transfer_commands._show", stopped)
        done = cli("import", "chat.jsonl", "--session", "trip")
    assert (done.code, done.out) == (130, "")
    assert done.err == "What came in is kept. The same command goes on from there.\nInterrupted.\n"
    assert (
        "0 messages added in 1 conversation; 1 were there already."
        in cli("import", "chat.jsonl", "--session", "trip").out
    )


def test_summaries_that_an_earlier_run_did_not_come_to_are_made(
    cli: Cli, db: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    export = write(tmp_path / "e", [chatgpt("c1", [f"We talked about place {at} of the trip." for at in range(60)])])
    with monkeypatch.context() as patch:
        patch.setenv("ONRECORD_SUMMARIZE", "manual")
        cli("import", export)
        assert cli("summaries", "chatgpt:c1", "--json").out == ""
    assert cli("import", export, "--json").json["added"] == 0
    assert cli("summaries", "chatgpt:c1", "--json").lines


def test_on_a_terminal_it_shows_how_far_it_is(db: Path, tmp_path: Path) -> None:
    export = write(tmp_path / "e", [chatgpt(f"c{at}", ["x" * 2_000] * 2) for at in range(20)])
    ours, theirs = pty.openpty()
    environment = os.environ | {"TERM": "xterm", "COLUMNS": "100"}
    process = subprocess.Popen(
        [*PROGRAM, "import", str(export)], env=environment, stdout=subprocess.PIPE, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    try:
        while block := os.read(ours, 65_536):
            shown += block
    except OSError:  # the other end is closed
        pass
    out, _ = process.communicate()
    os.close(ours)
    assert process.returncode == 0
    assert b"Reading" in shown
    assert b"Summarising" in shown
    assert out.startswith(b"ChatGPT: 40 messages added in 20 conversations;")
