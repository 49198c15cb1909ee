"""Processes that are not to outlive the one that started them, and how to find their children."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

__all__ = ["Watch", "children_of", "still_there"]

# The end of the input is the end of whoever holds its other side, even when it was killed. The number of a process is
# not given to another one before its parent has heard of its end: so it is still the same process.
_SCRIPT = """
trap '' INT TERM HUP
read -r watched || exit 0
read -r word && exit 0
kill -QUIT "$watched"
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    kill -0 "$watched" 2>/dev/null || break
    sleep 0.5
done
kill -KILL "$watched"
[ $# -eq 0 ] || rm -rf "$@"
"""


class Watch:
    """A small process that ends another one, and removes folders, when this one is gone without having done so."""

    def __init__(self, folders: Iterable[Path] = ()) -> None:
        self._process = subprocess.Popen(
            ["/bin/sh", "-c", _SCRIPT, "sh", *folders],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            cwd="/",
        )

    def over(self, process: int) -> None:
        """The process to end."""
        self._say(f"{process}\n")

    def end(self) -> None:
        """Nothing is left to watch."""
        self._say("done\n")
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        self._process.wait()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        with suppress(OSError, ValueError):
            self._process.stdin.write(line.encode())
            self._process.stdin.flush()


def children_of(process: int) -> list[int]:
    """The processes that it started, and that are still there."""
    return [child for child, parent, state in _processes() if parent == process and state != "Z"]


def still_there(processes: Iterable[int]) -> bool:
    """Whether one of them has not ended; one that nobody has asked for its result has."""
    sought = set(processes)
    return bool(sought) and any(number in sought and state != "Z" for number, _, state in _processes())


def _processes() -> Iterator[tuple[int, int, str]]:
    """Number, parent's number and state of all."""
    if not Path("/proc/self/stat").exists():
        listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid=,state="], capture_output=True, text=True, check=True)
        yield from (
            (int(own), int(parent), state[0]) for own, parent, state in map(str.split, listed.stdout.splitlines())
        )
        return
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it may be gone meanwhile
            own, _, rest = place.read_text(errors="replace").partition(" (")
            state, parent = rest.rpartition(") ")[2].split()[:2]
            yield int(own), int(parent), state
