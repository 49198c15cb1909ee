"""The layout of a JSON folder, and the small file that says which of its files belong together."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from recollect.errors import StoreVersion
from recollect.records import Finding
from recollect.stores.json_folder.disk import ASIDE, PART, listed
from recollect.stores.json_folder.files import BROKEN, FORMAT, VERSION, unseal

__all__ = [
    "COUNTERS",
    "INDEX",
    "LOCK",
    "MANIFEST",
    "SESSIONS",
    "Manifest",
    "journal_name",
    "journals",
    "leftovers",
    "read_manifest",
]

MANIFEST = "recollect.json"
SESSIONS = "sessions"
INDEX = "index"
COUNTERS = "counters.json"
LOCK = "lock"
_JOURNAL = re.compile(r"journal-([0-9]{1,18})\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What `recollect.json` says, and the journals that count."""

    raw: bytes = b""  # empty where there is no folder yet
    stamp: tuple[int, int] = (0, 0)  # the file's number and time: a folder made anew is another folder
    generation: int = 1
    journals: tuple[str, ...] = ()  # this generation's, if there is one; of a damaged folder all
    findings: tuple[Finding, ...] = ()


def journal_name(generation: int) -> str:
    return f"journal-{generation}.jsonl"


def journals(root: Path) -> dict[int, str]:
    """The journals that are there, by generation."""
    found = {int(match[1]): name for name in listed(root) if (match := _JOURNAL.fullmatch(name))}
    return dict(sorted(found.items()))


def leftovers(root: Path, manifest: Manifest) -> list[Path]:
    """Files that no generation needs any more."""
    old = [root / name for number, name in journals(root).items() if number < manifest.generation]
    old += [root / name for name in (COUNTERS + ASIDE, COUNTERS + PART) if (root / name).exists()]
    folders = (root / SESSIONS, root / INDEX)
    return old + [folder / name for folder in folders for name in listed(folder) if name.endswith((ASIDE, PART))]


def read_manifest(root: Path) -> Manifest:
    """What belongs together; raises if the folder is not ours, and changes nothing."""
    try:
        with (root / MANIFEST).open("rb") as file:
            stat = os.fstat(file.fileno())
            raw = file.read()
    except FileNotFoundError:
        _refuse_foreign(root)
        return Manifest()
    except NotADirectoryError:
        raise StoreVersion(f"{root} is a file, not a folder.", "Give its path without a slash at the end.") from None
    _refuse_other_version(root, raw)
    data = unseal(raw.strip())
    generation = (data or {}).get("generation")
    there = journals(root)
    if isinstance(generation, int):
        later = [name for number, name in there.items() if number > generation]
        damage = tuple(Finding(kind="structure", what=f"{name} is newer than {MANIFEST}.") for name in later)
    else:
        generation = 1
        damage = (Finding(kind="checksum", what=f"{MANIFEST} was changed."),)
    return Manifest(
        raw=raw,
        stamp=(stat.st_ino, stat.st_mtime_ns),
        generation=generation,
        journals=tuple(there.values()) if damage else (journal_name(generation),),
        findings=damage,
    )


def _refuse_foreign(root: Path) -> None:
    """An empty folder will do, and one in which the first write was interrupted."""
    foreign = set(listed(root)) - {LOCK, MANIFEST + PART, SESSIONS} or listed(root / SESSIONS)
    if foreign and not (root / MANIFEST).exists():  # it may have been made just now
        raise StoreVersion(
            f"{root} is not empty and has no {MANIFEST}, so it is not a memory; nothing was changed.",
            "Give another path; if this was a memory, run `recollect doctor --rescue NEW/` on it.",
        )


def _refuse_other_version(root: Path, raw: bytes) -> None:
    try:
        data = json.loads(raw)
    except BROKEN:
        return  # damaged, which is for the caller to say
    if not isinstance(data, dict) or not {"format", "generation", "crc"} & data.keys():
        raise StoreVersion(f"{root} belongs to another program.", "Give another path; nothing was changed.")
    version = data.get("version")
    if data.get("format") == FORMAT and isinstance(version, int) and version > VERSION:
        raise StoreVersion(f"{root} has version {version}; this recollect knows up to {VERSION}.", "Upgrade recollect.")
