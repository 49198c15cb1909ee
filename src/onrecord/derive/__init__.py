"""The derive path: from messages to summaries, pins and important data."""
