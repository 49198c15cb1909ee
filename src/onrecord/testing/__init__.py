"""What others need to test against onrecord, and to write a store of their own: shipped, never loaded by itself."""
