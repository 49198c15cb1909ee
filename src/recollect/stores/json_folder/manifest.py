"""Where the files of a JSON folder that are for programs lie, and the small one that says which belong together.

They lie in a folder of their own, out of sight. In folders of version 1 they stood where people looked; such a folder
is read where it is, and copied into place by the first that writes.
"""

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
from recollect.stores.json_folder.sheets import CONVERSATIONS

__all__ = [
    "COUNTERS",
    "INDEX",
    "LOCK",
    "MACHINERY",
    "MANIFEST",
    "OLD_MANIFEST",
    "SESSIONS",
    "WRITTEN",
    "Manifest",
    "journal_name",
    "journals",
    "leftovers",
    "read_manifest",
]

MACHINERY = ".machinery"
MANIFEST = "manifest.json"
OLD_MANIFEST = "recollect.json"  # stood in the folder itself, as did all the others
SESSIONS = "sessions"
INDEX = "index"
WRITTEN = "written"
COUNTERS = "counters.json"
LOCK = "lock"
_JOURNAL = re.compile(r"journal-([0-9]{1,18})\.jsonl")


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """What the small file says, and the journals that count."""

    home: Path  # the folder of the files that it speaks of
    raw: bytes = b""  # empty where there is no folder yet
    stamp: tuple[int, int] = (0, 0)  # the file's number and time: a folder made anew is another folder
    generation: int = 1
    journals: tuple[str, ...] = ()  # this generation's, if there is one; of a damaged folder all
    findings: tuple[Finding, ...] = ()


def journal_name(generation: int) -> str:
    return f"journal-{generation}.jsonl"


def journals(home: Path) -> dict[int, str]:
    """The journals that are there, by generation."""
    found = {int(match[1]): name for name in listed(home) if (match := _JOURNAL.fullmatch(name))}
    return dict(sorted(found.items()))


def leftovers(root: Path, manifest: Manifest) -> list[Path]:
    """Files that no generation needs any more."""
    old = [manifest.home / name for number, name in journals(manifest.home).items() if number < manifest.generation]
    if manifest.home != root and (root / OLD_MANIFEST).exists():
        old += [path for name in (SESSIONS, INDEX) for path in (root / name).glob("*") if path.is_file()]
        old += [root / name for name in (*journals(root).values(), COUNTERS, COUNTERS + ASIDE, COUNTERS + PART)]
        old += [root / OLD_MANIFEST]  # last: whatever stops in between goes on
    return [path for path in old if path.exists()] + [
        path for ending in (ASIDE, PART) for path in root.rglob(f"*.*{ending}") if path.is_file()
    ]


def read_manifest(root: Path) -> Manifest:
    """What belongs together; raises if the folder is not ours, and changes nothing."""
    for home, name in ((root / MACHINERY, MANIFEST), (root, OLD_MANIFEST), (root / MACHINERY, MANIFEST)):
        try:
            with (home / name).open("rb") as file:
                return _read(root, home, file.read(), os.fstat(file.fileno()))
        except FileNotFoundError:
            continue  # the old one may have been replaced by the new one just now
        except NotADirectoryError:
            break
    if root.is_file():
        raise StoreVersion(f"{root} is a file, not a folder.", "Give its path without a slash at the end.")
    _refuse_foreign(root)
    return Manifest(home=root / MACHINERY)


def _read(root: Path, home: Path, raw: bytes, stat: os.stat_result) -> Manifest:
    _refuse_other_version(root, raw)
    data = unseal(raw.strip())
    generation = (data or {}).get("generation")
    there = journals(home)
    if isinstance(generation, int):
        later = [name for number, name in there.items() if number > generation]
        damage = tuple(Finding(kind="structure", what=f"{name} is newer than {MANIFEST}.") for name in later)
    else:
        generation = 1
        damage = (Finding(kind="checksum", what=f"{MANIFEST} was changed."),)
    return Manifest(
        home=home,
        raw=raw,
        stamp=(stat.st_ino, stat.st_mtime_ns),
        generation=generation,
        journals=tuple(there.values()) if damage else (journal_name(generation),),
        findings=damage,
    )


def _refuse_foreign(root: Path) -> None:
    """An empty folder will do, one in which the first write was interrupted, and one of files for people alone."""
    begun = {LOCK, MACHINERY, MACHINERY + PART}
    foreign = [name for name in listed(root) if name not in begun and not _is_shelf(root / name)]
    if (foreign or listed(root / MACHINERY / SESSIONS)) and not (root / MACHINERY / MANIFEST).exists():
        raise StoreVersion(
            f"{root} is not empty and has no {MACHINERY}/{MANIFEST}, so it is not a memory; nothing was changed.",
            "Give another path; if this was a memory, run `recollect doctor --rescue NEW/` on it.",
        )


def _is_shelf(folder: Path) -> bool:
    """Whether it holds what people see of a space."""
    return (folder / f"{CONVERSATIONS}.json").is_file() or (folder / CONVERSATIONS).is_dir()


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
