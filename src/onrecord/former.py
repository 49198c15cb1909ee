"""The name that onrecord had at first, which stands in files, folders and databases of that time.

SQLite files need nothing of this: the mark in their header is a number, and has stayed.
"""

from __future__ import annotations

__all__ = ["EXPORT", "NAME"]

NAME = "recollect"

EXPORT = f"{NAME}-export"
"""The format that an export's first line names."""
