"""The SQLite store: one file, many threads and processes.

`store` is the port; `file` the connections, `forks` what becomes of them in a child, `failures` what their errors mean;
`inspection` refuses files of others, `replaced` keeps what a file held that is gone; `rows` the columns and checksums,
`derived` what is derived from messages, `arrivals` the order in which all came, `blocks` the search index, `counters`
what was spent; `scrub` what deleting leaves behind; `care` checking, copying and rescue, `pages` reading a damaged file
without SQLite. The schema is in `migrations`, every statement in `statements.sql`.
"""

from onrecord.stores.sqlite.sqlite_store import SqliteStore

__all__ = ["SqliteStore"]
