"""The PostgreSQL store: the same memory for any number of processes on any number of machines.

`store` is the port; `server` the connections and what happens when one breaks; `schema` the versions of the schema;
`rows` the columns; `reading`, `writing` and `erasing` one operation each; `care` checks, and the bytes that deleting
leaves behind. The schema is in `migrations`, every statement in `statements.sql`.
"""

from recollect.stores.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
