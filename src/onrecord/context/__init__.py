"""The read path: from a question to a prompt that fits its budget, and why."""
