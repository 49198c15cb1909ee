"""Pure rules: no clock, no disk, no network, no randomness. The same input gives the same answer, always."""
