"""`onrecord copy` as people run it: between a file and a folder and back, again, killed, and where it cannot work."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from cli_tools import Cli
from warm_tools import warm

from onrecord import Memory

PROGRAM = (sys.executable, "-W", "error", "-m", "onrecord")
MANY = 8_000


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("ONRECORD_", "FORCE_COLOR"))}
    return kept | {"ONRECORD_EMBEDDER": "none", "XDG_DATA_HOME": str(tmp_path / "data"), "HOME": str(tmp_path)}


class Shell:
    """Runs the program in a folder of its own."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        self.folder = folder
        self._environment = dict(environment)

    def __call__(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [*warm(), "-m", "onrecord", *arguments],
            cwd=self.folder,
            env=self._environment | more,
            capture_output=True,
            encoding="utf-8",
            timeout=120,
            check=False,
        )

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen([*PROGRAM, *arguments], cwd=self.folder, env=self._environment)

    def exported(self, db: str, space: str = "default") -> list[str]:
        done = self("export", "--db", db, "--space", space)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@pytest.fixture
def shell(tmp_path: Path, environment: dict[str, str]) -> Shell:
    return Shell(tmp_path, environment)


def fill(path: Path, many: int = 60) -> None:
    with Memory(path, summarize="inline", embedder=None, durability="process") as memory:
        for number in range(0, many, 20):
            texts = [
                {"role": "user", "text": f"We talked about place {at} of the trip."}
                for at in range(number, number + 20)
            ]
            memory.session(f"chat {number // 20 % 3}").add_many(texts)
        memory.session("chat 0").pin("Allergic to penicillin")
        memory.space("ana").session("own").add("user", "I live in Lisbon.")
        memory.forget(session="chat 1", messages=[3])


def test_to_a_folder_and_back(shell: Shell) -> None:
    fill(shell.folder / "memory.db")
    done = shell("copy", "memory.db", "notes/")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("2 spaces with 4 sessions copied from memory.db to notes/:\n  messages copied: 61\n")
    assert shell("copy", "notes/", "back.db").returncode == 0
    for space in ("default", "ana"):
        lines = shell.exported("memory.db", space)
        assert lines == shell.exported("notes/", space) == shell.exported("back.db", space)
    assert len(shell.exported("back.db")) > 60
    healthy = shell("doctor", "--db", "back.db")
    assert (healthy.returncode, "Nothing is wrong" in healthy.stdout) == (0, True)


def test_again_there_is_nothing_to_do(shell: Shell) -> None:
    fill(shell.folder / "memory.db")
    first = json.loads(shell("copy", "memory.db", "copy.db", "--json").stdout)
    assert (first["changed"], first["messages"], first["present"], first["sessions"]) == (True, 61, 0, 4)
    again = shell("copy", "memory.db", "copy.db")
    assert again.stdout.splitlines() == [
        "Nothing to do: copy.db has all of memory.db already (2 spaces with 4 sessions).",
        "  messages there already: 61",
    ]
    assert (again.returncode, again.stderr) == (0, "")
    assert json.loads(shell("copy", "memory.db", "copy.db", "--json").stdout)["changed"] is False


def test_what_happened_since_follows(shell: Shell) -> None:
    fill(shell.folder / "memory.db")
    shell("copy", "memory.db", "copy.db")
    shell("add", "chat 2", "One more thing.", "--db", "memory.db")
    shell("forget", "--session", "chat 0", "--message", "1", "--yes", "--db", "memory.db")
    shell("add", "another", "Only here.", "--db", "copy.db")
    done = shell("copy", "memory.db", "copy.db")
    assert "  messages copied: 1\n" in done.stdout
    assert "  messages forgotten at the target, as at the source, with what came of them: 1\n" in done.stdout
    assert "  sessions only at the target, left alone" in done.stdout
    shell("forget", "--session", "another", "--yes", "--db", "copy.db")
    assert shell.exported("memory.db") == shell.exported("copy.db")
    assert b"place 0 of the trip" not in b"".join(path.read_bytes() for path in shell.folder.glob("copy.db*"))


def test_one_space_and_only_if_it_is_named(shell: Shell) -> None:
    fill(shell.folder / "memory.db")
    assert shell("copy", "memory.db", "one.db", "--space", "ana").stdout.startswith("1 space with 1 session copied")
    assert shell("--space", "default", "copy", "memory.db", "two.db").stdout.startswith("1 space with 3 sessions")
    assert shell("copy", "memory.db", "all.db", ONRECORD_SPACE="ana").stdout.startswith("2 spaces")
    unknown = shell("copy", "memory.db", "none.db", "--space", "bob")
    assert (unknown.returncode, "There is no space 'bob' in memory.db." in unknown.stderr) == (1, True)
    assert "ana, default" in unknown.stderr
    assert not (shell.folder / "none.db").exists()


@pytest.mark.parametrize("target", ["copy.db", "notes/"])
def test_killed_in_the_middle_it_goes_on(shell: Shell, target: str) -> None:
    with Memory(shell.folder / "memory.db", summarize="manual", embedder=None, durability="process") as memory:
        for start in range(0, MANY, 25):
            texts = [
                {"role": "user", "text": f"Message {number} of a long history."} for number in range(start, start + 25)
            ]
            memory.session(f"chat {start // 25 % 3}").add_many(texts)
        for number in range(20):
            memory.session("chat 1").pin(f"Pin {number}")
    process = shell.start("copy", "memory.db", target)
    while _count(shell.folder, target) < 2_000:
        assert process.poll() is None, "it ended before it could be killed"
    process.send_signal(signal.SIGKILL)
    assert process.wait(60) == -signal.SIGKILL
    kept = _count(shell.folder, target)
    assert 2_000 <= kept < MANY
    done = json.loads(shell("copy", "memory.db", target, "--json").stdout)
    assert (done["present"], done["messages"]) == (kept, MANY - kept)
    assert shell.exported("memory.db") == shell.exported(target)
    assert json.loads(shell("copy", "memory.db", target, "--json").stdout)["changed"] is False
    assert shell("doctor", "--db", target).returncode == 0


def _count(folder: Path, target: str) -> int:
    """The messages that the target has by now; of a folder, those of the file inside, which writes no sheets."""
    path = folder / target / "memory.db" if target.endswith("/") else folder / target
    if not path.exists():
        return 0
    with Memory(path, embedder=None, summarize="manual") as memory:
        return sum(info.last_seq for info in memory.sessions())


def test_another_message_under_a_number_stops_it(shell: Shell) -> None:
    fill(shell.folder / "memory.db")
    shell("add", "own", "Something else.", "--db", "other.db", "--space", "ana")
    before = shell.exported("other.db", "ana")
    done = shell("copy", "memory.db", "other.db")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Message 1 of session 'own' in space 'ana' is another one at the target" in done.stderr
    assert "Hint: Copy to a new place" in done.stderr
    assert shell.exported("other.db", "ana") == before


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("missing.db", "new.db"), 1, "There is no memory at missing.db."),
        (("missing/", "new.db"), 1, "There is no memory at missing/."),
        (("memory.db", "memory.db"), 2, "are the same memory"),
        (("memory.db", "./memory.db"), 2, "are the same memory"),
        (("memory.db", "memory.db-wal"), 2, "are the same memory"),
        (("memory.db", ":memory:"), 2, "gone when this command ends"),
        ((":memory:", "new.db"), 2, "gone when this command ends"),
        (("memory.db", ""), 2, "cannot be a path"),
        (("memory.db", "nowhere://host/db"), 2, "This version cannot open nowhere:// addresses."),
        (("nowhere://host/db", "new.db"), 2, "This version cannot open nowhere:// addresses."),
        (("memory.db", "plain.txt"), 3, "plain.txt"),
        (("memory.db", "new.db", "--db", "other.db"), 2, "copy does not use --db."),
        (("memory.db",), 2, "Missing argument"),
    ],
)
def test_what_cannot_be_copied(cli: Cli, tmp_path: Path, arguments: tuple[str, ...], code: int, told: str) -> None:
    fill(tmp_path / "memory.db")
    (tmp_path / "plain.txt").write_text("This is a text that somebody wrote, and no memory. " * 40)
    before = _names(tmp_path)
    done = cli("copy", *arguments)
    assert (done.code, done.out) == (code, "")
    assert told in " ".join(done.err.split())
    assert _names(tmp_path) == before


def _names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if not path.name.startswith("memory.db-"))


def test_an_empty_memory(shell: Shell) -> None:
    (shell.folder / "empty").mkdir()
    done = shell("copy", "empty", "new.db")
    assert done.stdout == "empty holds nothing yet, so there is nothing to do.\n"
    assert (done.returncode, (shell.folder / "new.db").exists()) == (0, False)


def test_the_help_begins_with_an_example(shell: Shell) -> None:
    shown = shell("copy", "--help", COLUMNS="100").stdout
    assert shown.index("Example: onrecord copy memory.db notes/") < shown.index("Arguments")
