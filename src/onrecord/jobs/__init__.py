"""Work in the background: a thread, and the queue on PostgreSQL."""
