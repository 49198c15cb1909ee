"""A folder: an SQLite store inside, and a sheet of each conversation that people can read, edit and put into git.

`store` is the port: SQLite's, and which sheets to write when. `layout` is what lies where and what is ours; `sheets`
makes a sheet and tells whether it was edited; `edits` reads one that was.
"""

from onrecord.stores.folder.folder_store import FolderStore

__all__ = ["FolderStore"]
