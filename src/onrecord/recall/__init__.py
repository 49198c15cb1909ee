"""From a question to what was said about it: an index per space that follows the store, signals, one ranking."""
