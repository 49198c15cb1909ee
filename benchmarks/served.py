"""A service that is started to be measured: `onrecord serve`, as a user would start it, in processes of its own."""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic, sleep
from urllib.request import urlopen

from onrecord.errors import StoreError

PATIENCE = 120.0  # seconds in which it must be there
GRACE = 30.0  # seconds in which it must end
SHOWN = 2_000  # characters of its log that are shown where it fails
METRICS = "PROMETHEUS_MULTIPROC_DIR"  # several processes leave files there as soon as they work

_ADDRESS = re.compile(r" is served at http://127\.0\.0\.1:(\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A service that answers."""

    port: int
    process: int  # its number; that of the one that watches over the others, where there are several

    def resident(self) -> float | None:
        """Megabytes of memory that the process has; None where there is no /proc."""
        with suppress(OSError):
            status = Path(f"/proc/{self.process}/status").read_text()
            return int(status.partition("VmRSS:")[2].split()[0]) * 1024 / 1e6
        return None

    def seconds(self) -> float:
        """Processor time that its processes have taken; 0 where there is no /proc."""
        with suppress(OSError):
            children = Path(f"/proc/{self.process}/task/{self.process}/children").read_text().split()
            return sum(_seconds(process) for process in (str(self.process), *children))
        return 0.0


def _seconds(process: str) -> float:
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def served(address: str, *, processes: int = 1, **settings: object) -> Iterator[Served]:
    """Serve the memory at an address while the `with` block lasts: no vectors, no limit of requests, a log in JSON.
    `settings` are those of the environment, in small letters."""
    words = ["serve", "--port", "0", "--processes", str(processes), "--rate", "0", "--log", "json"]
    command = [sys.executable, "-m", "onrecord", *words, "--embedder", "none"]
    with tempfile.TemporaryDirectory(prefix="onrecord-served-") as name:
        folder, log = Path(name, "metrics"), Path(name, "log")
        folder.mkdir()
        # Without settings of ours that are meant for others. The address may hold a password, which a command line
        # would show to everyone.
        environment = {key: value for key, value in os.environ.items() if not key.startswith(("ONRECORD_", METRICS))}
        environment |= {f"ONRECORD_{key.upper()}": str(value) for key, value in {"db": address, **settings}.items()}
        environment |= {METRICS: str(folder)} if processes > 1 else {}
        with log.open("wb") as out:
            process = subprocess.Popen(command, env=environment, stdout=out, stderr=out)
        try:
            yield Served(port=_answering(process, log, folder, processes), process=process.pid)
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(GRACE)
            process.kill()
            process.wait()


def _answering(process: subprocess.Popen[bytes], log: Path, folder: Path, processes: int) -> int:
    """Wait until it answers, and all of its processes work; its port."""
    end = monotonic() + PATIENCE
    while process.poll() is None and monotonic() < end:
        match = _ADDRESS.search(log.read_text("utf-8", "replace"))
        working = sum(file.name != f"counter_{process.pid}.db" for file in folder.glob("counter_*.db"))
        if match and (processes == 1 or working >= processes) and _healthy(int(match[1])):
            return int(match[1])
        sleep(0.05)
    raise StoreError(
        f"The service {'does not answer' if process.poll() is None else 'ended'}.",
        f"Its log: {log.read_text('utf-8', 'replace')[-SHOWN:].strip()}",
    )


def _healthy(port: int) -> bool:
    try:
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False
