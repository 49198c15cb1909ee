"""A service that is started to be measured: `recollect serve`, as anybody would start it, in processes of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from time import monotonic, sleep

from recollect.errors import StoreError

__all__ = ["Served", "served"]

PATIENCE = 120.0  # seconds in which it must be there
LOOK = 0.05  # seconds between two looks
GRACE = 30.0  # seconds in which it must end
SAID = 2_000  # characters of its log that are shown where it fails
FIGURES = "PROMETHEUS_MULTIPROC_DIR"  # several processes leave files there as soon as they work

_ADDRESS = re.compile(r" is served at http://127\.0\.0\.1:(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A service that answers."""

    port: int
    process: int  # its number; that of whoever watches over the others, where there are several

    def resident(self) -> float | None:
        """Megabytes of memory that the process has; None where there is no /proc."""
        with suppress(OSError):
            for line in Path(f"/proc/{self.process}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) * 1024 / 1e6
        return None

    def seconds(self) -> float | None:
        """Processor time that its processes have taken; None where there is no /proc."""
        try:
            children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()
            return sum(_seconds(process) for process in (str(self.process), *children))
        except OSError:
            return None


def _seconds(process: str) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(
    address: str, *, processes: int = 1, upstream: str | None = None, index_bytes: int | None = None
) -> Iterator[Served]:
    """Serve the memory at an address while the `with` block lasts: no vectors, no limit of requests, a log in JSON."""
    words = ["serve", "--port", "0", "--processes", str(processes), "--rate", "0", "--log", "json"]
    command = [sys.executable, "-m", "recollect", *words, "--embedder", "none"]
    with tempfile.TemporaryDirectory(prefix="recollect-served-") as name:
        folder, log = Path(name, "figures"), Path(name, "log")
        folder.mkdir()
        with log.open("wb") as out:
            # The address may hold a password, which a command line would show to everyone.
            environment = _environment(address, folder if processes > 1 else None, upstream, index_bytes)
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        try:
            port = _answering(process, log, folder, processes)
            yield Served(port=port, process=process.pid)
        finally:
            process.terminate()
            try:
                process.wait(GRACE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _environment(address: str, figures: Path | None, upstream: str | None, indexes: int | None) -> dict[str, str]:
    """The one we have, without settings of ours that are meant for others."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("RECOLLECT_")}
    kept.pop(FIGURES, None)
    told = {
        "RECOLLECT_DB": address,
        "RECOLLECT_UPSTREAM": upstream,
        "RECOLLECT_INDEX_BYTES": indexes,
        FIGURES: figures,
    }
    return kept | {name: str(value) for name, value in told.items() if value is not None}


def _answering(process: subprocess.Popen[bytes], log: Path, folder: Path, processes: int) -> int:
    """Wait until it answers, and all of its processes work; its port."""
    end = monotonic() + PATIENCE
    while process.poll() is None and monotonic() < end:
        found = _ADDRESS.search(log.read_text("utf-8", "replace"))
        if found and _working(process.pid, folder, processes) and _healthy(int(found[1])):
            return int(found[1])
        sleep(LOOK)
    raise StoreError(
        f"The service {'does not answer' if process.poll() is None else 'ended'}.",
        f"It said: {log.read_text('utf-8', 'replace')[-SAID:].strip()}",
    )


def _working(parent: int, folder: Path, processes: int) -> bool:
    own = f"counter_{parent}.db"
    return processes == 1 or sum(one.name != own for one in folder.glob("counter_*.db")) >= processes


def _healthy(port: int) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except (OSError, HTTPException):
        return False
    finally:
        connection.close()
