"""The PostgreSQL store: the same memory for any number of processes on any number of machines.

`store` is the port; `server` hands out each `connection`, and tries again when one breaks (`failing` says what an error
means); `schema` has the versions of the schema, `rows` the columns; `reading`, `writing` and `erasing` are an operation
each; `care` checks, and sees to the bytes that deleting leaves behind. The schema is in `migrations`, statements are in
`statements.sql`.
"""

from onrecord.stores.postgres.postgres_store import PostgresStore

__all__ = ["PostgresStore"]
