"""What lies on the disk: the bytes of all files, the forms of a text among them, and a reader that does not end."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from onrecord.policy.terms import terms

__all__ = ["forms", "hold_reader", "read_files", "search_bytes", "telling_text"]


@contextmanager
def hold_reader(path: Path) -> Iterator[apsw.Connection]:
    """A connection in the middle of reading the file: what is in the write-ahead log now cannot leave it meanwhile."""
    db = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        db.execute("BEGIN; SELECT count(*) FROM sqlite_schema").fetchall()
        yield db
    finally:
        db.close(force=True)


_READER = """
import pathlib, pickle, sys
files = [path for path in pathlib.Path(sys.argv[1]).rglob("*") if path.is_file()]
pickle.dump({str(path): path.read_bytes() for path in files}, sys.stdout.buffer)
"""


def read_files(folder: Path) -> dict[Path, bytes]:
    """The bytes of all files under a folder, read by another process: closing a file here would drop the locks that
    SQLite holds on it in this process."""
    command = [sys.executable, "-I", "-S", "-c", _READER, str(folder)]
    found: dict[str, bytes] = pickle.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
    return {Path(name): data for name, data in found.items()}


def forms(text: str) -> set[bytes]:
    """The ways in which a text may lie in a file: UTF-8, UTF-16, JSON with escapes; as given, folded, and as terms."""
    spelled = {text, text.casefold(), text.lower(), " ".join(terms(text)) or text}
    escaped = {json.dumps(word)[1:-1] for word in spelled}
    escaped |= {re.sub(r"\\u[0-9a-f]{4}", lambda found: "\\u" + found[0][2:].upper(), word) for word in escaped}
    wide = {word.encode(codec, "surrogatepass") for word in spelled for codec in ("utf-16-le", "utf-16-be")}
    return wide | {word.encode("utf-8", "surrogatepass") for word in spelled | escaped}


def search_bytes(folder: Path, text: str) -> list[Path]:
    """The files under a folder in which the text lies, in any of its forms, deleted or not."""
    wanted = forms(text)
    return sorted(path for path, data in read_files(folder).items() if any(form in data for form in wanted))


def telling_text(session: str, seq: int) -> str:
    """What message `seq` of a session says in a test, so that anyone can tell whether it is whole; some are long."""
    return f"{session} says {seq} with word{seq}x " + "filler " * (900 if seq % 13 == 5 else seq % 7)
