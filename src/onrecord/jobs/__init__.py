"""Work that nobody waits for."""
