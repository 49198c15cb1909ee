"""What lies where in a folder, and what of it is ours.

onrecord.json                  says that this is a memory, and of which form
memory.db                       the memory: an SQLite file, with what SQLite keeps beside it
<space>/<conversation>.jsonl    a sheet: the conversation's part of an export, without the closing line
"""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from onrecord import former
from onrecord.errors import StoreVersion
from onrecord.journal.transfer import FORMATS
from onrecord.records import digest
from onrecord.stores.locks import hold_lock
from onrecord.stores.new_files import PART, replace_file, sync_folder

__all__ = ["DATABASE", "LOCK", "find_sheets", "find_strangers", "open_folder", "sheet_path"]

DATABASE = "memory.db"
MANIFEST = "onrecord.json"
FORM = {"format": "onrecord-folder", "version": 3}
LOCK = ".lock"  # held by the process that looks at the sheets
IGNORED = ".gitignore"
OURS = {".git", DATABASE, LOCK, *(DATABASE + end for end in ("-wal", "-shm", "-journal", "-damaged"))}
OURS |= {name + end for name in (MANIFEST, f"{former.NAME}.json", IGNORED) for end in ("", PART)}
TAKEN = "con prn aux nul".split()  # names that mean something else on some system
_PLAIN = re.compile("[a-z0-9]+(-[a-z0-9]+)*")
_DIGESTED = re.compile("(.*-)?[0-9a-f]{12}")  # the end of a name that was made


def open_folder(root: Path, patience: float, durable: bool) -> None:
    """Make the folder, or see that it is one of ours. Raises StoreVersion if it is not, and leaves it as it is."""
    if root.is_file():
        raise StoreVersion(f"{root} is a file, not a folder.", "Give its path without a slash at the end.")
    _refuse_other(root)
    if (root / MANIFEST).exists():
        return
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with hold_lock(root / LOCK, patience):
        if not (root / IGNORED).exists():
            replace_file(root / IGNORED, f"{DATABASE}*\n{LOCK}\n*{PART}\n".encode(), durable)
        replace_file(root / MANIFEST, json.dumps(FORM).encode() + b"\n", durable)
    if durable:
        sync_folder(root)


def _refuse_other(root: Path) -> None:
    """Raise if the folder is not one of ours, or of another form."""
    try:
        form = json.loads((root / MANIFEST).read_bytes())
    except (FileNotFoundError, ValueError):
        form = None
    if (root / DATABASE).exists() or form == FORM:
        return
    if (root / ".machinery").exists() or isinstance(form, dict):
        raise StoreVersion(
            f"{root} is a folder of another version, which this one does not read; nothing was changed.",
            "Export it with the version that wrote it (`onrecord export`), and import that into a new folder.",
        )
    names = os.listdir(root) if root.exists() else []
    if any(name not in OURS and not name.startswith(".") for name in names) and not any(find_sheets(root)):
        what = f"{root} holds other things and no memory, so nothing was changed."
        raise StoreVersion(what, "Give another path, or an empty folder.")


# Names


def sheet_path(root: Path, space: str, session: str) -> Path:
    """Where the sheet of a conversation lies."""
    return root / plain_name(space) / f"{plain_name(session)}.jsonl"


def plain_name(name: str) -> str:
    """A name for a file or folder: the name itself where it is safe on every system, otherwise what can be read of it
    with enough of a digest to be its own."""
    if len(name) <= 40 and _PLAIN.fullmatch(name) and not _DIGESTED.fullmatch(name) and name not in TAKEN:
        return name
    readable = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    slug = re.sub("[^a-z0-9]+", "-", readable)[:40].strip("-")
    return f"{slug}-{digest(name)[:12]}".lstrip("-")


def find_sheets(root: Path) -> Iterator[Path]:
    """The sheets that are there, in order. Links to other folders are not followed."""
    for folder in sorted(root.iterdir()) if root.exists() else ():
        if folder.is_dir() and not folder.is_symlink():
            for path in sorted(folder.glob("*.jsonl")):
                if path.is_file() and _begins_as_ours(path):
                    yield path


def _begins_as_ours(path: Path) -> bool:
    with path.open("rb") as file:
        line = file.readline(1_000)
    return any(f'"{name}"'.encode() in line for name in FORMATS)


def find_strangers(root: Path) -> Iterator[str]:
    """What lies in the folder and is not ours."""
    sheets = set(find_sheets(root))
    folders = {path.parent for path in sheets}
    for path in sorted(root.iterdir()):
        if path in folders:
            yield from (f"{path.name}/{one.name}" for one in sorted(path.iterdir()) if one not in sheets)
        elif path.name not in OURS and not path.name.startswith(f"{DATABASE}-kept-"):
            yield path.name
