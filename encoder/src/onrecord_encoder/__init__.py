"""A sentence encoder for remembered conversation, described by `encoder.json` beside this file. There is no code."""
