"""The file of a JSON folder that holds counters: a line for each, sealed as the lines of a session's file are.

A line that was changed, or holds no number, is left out: that counter begins again at 0, and nothing else is touched.
"""

from __future__ import annotations

from collections.abc import Iterable

from recollect.stores.counting import countable
from recollect.stores.json_folder.files import listed_lines, seal, unseal

__all__ = ["Counted", "counters_bytes", "read_counters"]

START, END = [b"{", b'"counters": ['], [b"]", b"}", b""]  # the lines around them

Counted = tuple[str, str, int]
"""A space, and the name and value of one of its counters."""


def counters_bytes(counters: Iterable[Counted]) -> bytes:
    """The file; nothing where there are none."""
    lines = [seal({"space": space, "name": name, "value": value}) for space, name, value in sorted(counters)]
    return b'{\n  "counters": [\n' + listed_lines(lines) + b"  ]\n}\n" if lines else b""


def read_counters(raw: bytes) -> tuple[list[Counted], bool]:
    """The counters in a file, and whether it is as it was written."""
    if not raw:
        return [], True
    lines = [line.strip(b" ,\r") for line in raw.split(b"\n")]
    inside = lines[2:-3] if (lines[:2], lines[-3:]) == (START, END) else None
    found = [_counter(line) for line in (lines if inside is None else inside) if line.startswith(b'{"')]
    sound = [counter for counter in found if counter is not None]
    return sound, inside is not None and len(sound) == len(inside)


def _counter(line: bytes) -> Counted | None:
    data = unseal(line) or {}
    if isinstance(data.get("space"), str) and countable(data.get("name"), data.get("value")):
        return data["space"], data["name"], data["value"]
    return None
