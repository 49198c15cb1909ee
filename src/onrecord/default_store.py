"""The memory that is opened where none is named, by the library and by the command line: `memory.db` in the folder
where this platform keeps a user's data."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from onrecord import former

__all__ = ["default_path", "prepare_default"]


def default_path() -> str:
    """Return the path of the default memory; the one that was made under the former name, if it is the only one."""
    current, previous = (_data_folder() / name / "memory.db" for name in ("onrecord", former.NAME))
    return str(previous if previous.exists() and not current.exists() else current)


def prepare_default() -> str:
    """Make the folder of the default memory, for its owner alone; return the memory's path."""
    path = default_path()
    Path(path).parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def _data_folder() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    given = os.environ.get("XDG_DATA_HOME", "")
    # The XDG specification says to ignore a relative path here.
    return Path(given) if os.path.isabs(given) else Path.home() / ".local" / "share"
