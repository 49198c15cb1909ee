"""The real program from outside: processes, pipes, a terminal, signals, the environment.

Where how it starts is not the subject, it is forked from a process that has started already.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from warm_tools import warm

from onrecord import Memory, __version__

pty = pytest.importorskip("pty", reason="terminals of this kind are POSIX")

MODULE = (sys.executable, "-W", "error", "-m", "onrecord")
SCRIPT = (str(Path(sys.executable).with_name("onrecord")),)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    unwanted = ("ONRECORD_", "FORCE_COLOR", "PY_COLORS", "GITHUB_ACTIONS", "NO_COLOR", "COLUMNS", "TERM")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(unwanted)}
    ours = {"ONRECORD_DB": str(tmp_path / "memory.db"), "ONRECORD_EMBEDDER": "none"}
    return kept | ours | {"TERM": "xterm-256color", "HOME": str(tmp_path)}


def _run(
    environment: dict[str, str], *arguments: str, stdin: bytes = b"", program: tuple[str, ...] = ()
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*(program or _warm()), *arguments], input=stdin, env=environment, capture_output=True, timeout=60, check=False
    )


def _warm() -> tuple[str, ...]:
    return *warm(), "-m", "onrecord"


def _fill(environment: dict[str, str], count: int) -> None:
    with Memory(environment["ONRECORD_DB"], durability="process") as memory:
        memory.session("trip").add_many([("user", f"message {number} \x1b[31m") for number in range(count)])


def test_a_conversation_through_the_installed_script(environment: dict[str, str]) -> None:
    added = _run(environment, "add", "trip", stdin="Olá [red]Lisboa[/red]!\n".encode(), program=SCRIPT)
    assert (added.returncode, added.stderr) == (0, b"")
    assert added.stdout.startswith(b"trip 1 added: ")
    shown = _run(environment, "history", "trip", program=SCRIPT)
    assert (shown.returncode, shown.stderr) == (0, b"")
    assert shown.stdout.decode().endswith("  Olá [red]Lisboa[/red]!\n")
    lines = _run(environment | {"LC_ALL": "C", "PYTHONUTF8": "0"}, "history", "trip", "--json", program=SCRIPT)
    assert json.loads(lines.stdout)["text"] == "Olá [red]Lisboa[/red]!"
    assert _run(environment, "--version", program=SCRIPT).stdout.decode() == f"onrecord {__version__}\n"


def test_errors_are_words_on_standard_error(environment: dict[str, str]) -> None:
    done = _run(environment, "history", "trip", program=MODULE)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.startswith(b"Error: There is no memory at ")
    assert b"\n Hint: " in done.stderr
    done = _run(environment, "add", "trip", "x", "--db", "mysql://x", "--json")
    assert (done.returncode, done.stdout) == (2, b"")
    assert json.loads(done.stderr)["error"]["code"] == "InvalidInput"


@pytest.mark.parametrize("extra", [[], ["--json"]])
def test_a_reader_that_leaves_early_is_no_error(environment: dict[str, str], extra: list[str]) -> None:
    _fill(environment, 5000)
    command = [*(_warm() if extra else MODULE), "history", "trip", *extra]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"message 0" in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(60) == 141


@pytest.mark.parametrize(
    ("program", "command"),
    [
        (MODULE, ["sessions", "--json"]),
        ((), ["sessions", "--json"]),
        ((), ["search", "message", "--explain"]),
        ((), ["export"]),
        ((), ["add", "trip", "x"]),
        ((), ["--help"]),
    ],
)
def test_a_standard_output_that_is_closed_or_full(
    environment: dict[str, str], program: tuple[str, ...], command: list[str]
) -> None:
    _fill(environment, 2)
    command = [*(program or _warm()), *command]
    closed = _in_a_shell(environment, ">&-", command)
    assert (closed.returncode, closed.stderr) == (141, b"")
    full = _in_a_shell(environment, ">/dev/full", command)
    assert full.returncode == 3
    assert b"No space left on device." in full.stderr
    assert b"Traceback" not in full.stderr
    assert b"Exception" not in full.stderr
    for others in ("2>&-", "2>/dev/full", "<&-"):
        assert _in_a_shell(environment, others, command).returncode in (0, 3)
    assert _in_a_shell(environment, "<&- >&- 2>&-", command).returncode == 141


def _in_a_shell(environment: dict[str, str], streams: str, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    return _run(environment, "-c", f'"$@" {streams}', "sh", *command, program=("sh",))


@pytest.mark.parametrize(
    "command",
    [
        ["add", "trip", "x", "--db", "BAD.db"],
        ["history", "trip", "--db", "BAD.db"],
        ["backup", "BAD.db"],
        ["import", "BAD.jsonl"],
        ["doctor", "--rescue", "BAD.db"],
        ["forget", "--session", "trip", "--message", "BAD", "--yes"],
        ["export", "--session", "BAD"],
        ["history", "BAD"],
        ["search", "x", "--session", "BAD"],
        ["search", "x", "--embedder", "BAD"],
        ["context", "BAD"],
        ["explain", "trip", "--db", "BAD.db"],
        ["pin", "trip", "x", "--source", "BAD"],
        ["summaries", "trip", "BAD"],
        ["rebuild", "BAD"],
    ],
)
def test_arguments_that_are_no_text(environment: dict[str, str], tmp_path: Path, command: list[str]) -> None:
    _fill(environment, 2)
    given = [os.fsdecode(part.encode().replace(b"BAD", b"bad\xff")) for part in command]
    done = _run(environment, *given, program=MODULE if command[0] == "add" else ())
    assert done.returncode in (1, 2)
    assert done.stderr.startswith(b"Error: ")
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""
    assert not list(tmp_path.glob("bad*"))
    if command[0] == "add":
        assert done.returncode == 2


def test_an_interrupt_is_no_traceback(environment: dict[str, str]) -> None:
    command, pipe = [*MODULE, "add", "trip", "--jsonl", "--json"], subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdin=pipe, stdout=pipe, stderr=pipe) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(b'{"text": "Hello"}\n' * 501)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["seq"] == 1  # so it is at work, and wants more
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 130
        assert b"Traceback" not in process.stderr.read()


def test_completion_is_offered(environment: dict[str, str]) -> None:
    asked = {"_ONRECORD_COMPLETE": "complete_bash", "COMP_WORDS": "onrecord hi", "COMP_CWORD": "1"}
    assert b"history" in _run(environment | asked, program=SCRIPT).stdout


def _at_a_terminal(
    environment: dict[str, str], *arguments: str, typed: bytes = b"", program: tuple[str, ...] = ()
) -> tuple[int, str]:
    """Run it with a terminal as all three streams; what it wrote there."""
    ours, theirs = pty.openpty()
    command = [*(program or _warm()), *arguments]
    try:
        with subprocess.Popen(command, env=environment, stdin=theirs, stdout=theirs, stderr=theirs) as process:
            os.close(theirs)
            os.write(ours, typed)
            shown = b""
            try:
                while piece := os.read(ours, 65536):
                    shown += piece
            except OSError:
                pass  # Linux says so when the other side is closed
            return process.wait(60), shown.decode()
    finally:
        os.close(ours)


def test_at_a_terminal_foreign_text_stays_harmless(environment: dict[str, str]) -> None:
    _fill(environment, 2)
    code, shown = _at_a_terminal(environment, "history", "trip", program=MODULE)
    assert code == 0
    assert "\x1b[32m" in shown  # our own colour
    assert "\x1b[31m" not in shown  # the message's
    assert "message 1 \\x1b[31m" in shown
    for command in (["context", "trip"], ["explain", "trip"], ["search", "message", "--explain"]):
        code, shown = _at_a_terminal(environment, *command)
        assert (code, "\x1b[31m" in shown, "message 1 \\x1b[31m" in shown) == (0, False, True)
    code, plain = _at_a_terminal(environment | {"NO_COLOR": "1"}, "history", "trip")
    assert (code, "\x1b" in plain) == (0, False)


def test_at_a_terminal_forget_asks(environment: dict[str, str]) -> None:
    _fill(environment, 2)
    command = ("forget", "--session", "trip", "--message", "1")
    code, shown = _at_a_terminal(environment, *command, typed=b"n\n")
    assert (code, "for ever? [y/N]" in shown, "Nothing was forgotten." in shown) == (1, True, True)
    code, shown = _at_a_terminal(environment, *command, typed=b"y\n")
    assert (code, "Forgotten: 1 message." in shown) == (0, True)
    code, shown = _at_a_terminal(environment, *command, typed=b"\x04", program=MODULE)
    assert (code, "Traceback" in shown) == (130, False)


def test_at_a_terminal_work_shows_its_progress(environment: dict[str, str], tmp_path: Path) -> None:
    _fill(environment, 1200)
    code, shown = _at_a_terminal(environment, "export", str(tmp_path / "all.jsonl"))
    assert (code, "Exporting" in shown, " lines exported to " in shown) == (0, True, True)
    code, shown = _at_a_terminal(environment, "rebuild")
    assert (code, "Rebuilding" in shown, " made from 1,200 messages of 1 session." in shown) == (0, True, True)
    code, shown = _at_a_terminal(environment, "add", "trip", typed=b"Typed by hand\n\x04")
    assert (code, "Type the text" in shown, "trip 1201 added" in shown) == (0, True, True)
