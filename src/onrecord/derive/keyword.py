"""The plainest summary there is: how many messages, and what a table of keywords finds in the user's.

Always the same for the same messages, needs nothing, cannot fail. Keywords are looked for anywhere in the text, as the
hybrid design does: "prefix" holds "fix". Without a topic, the first and the last user message are quoted instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

__all__ = ["found_topics", "keyword_summary", "offline_summary"]

MOST_TOPICS = 3
QUOTED, QUOTED_OFFLINE = 30, 50  # characters

TABLE = (
    ("programming", ("code", "programming", "function")),
    ("database", ("database", "sql", "table")),
    ("API", ("api", "endpoint", "request")),
    ("troubleshooting", ("bug", "error", "fix")),
    ("poetry", ("poetry", "poem", "verse")),
    ("creative writing", ("story", "narrative", "character")),
    ("music", ("song", "lyrics", "music")),
    ("help/explanation", ("help", "how to", "explain")),
    ("project work", ("project", "build", "create")),
    ("Q&A", ("question", "what is", "why")),
)


def found_topics(turns: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Up to three topics of the user's messages, in the order they come up; within a message, in the table's."""
    found: dict[str, None] = {}
    for role, text in turns:
        if role == "user":
            low = text.lower()
            found.update(dict.fromkeys(topic for topic, words in TABLE if any(word in low for word in words)))
    return tuple(found)[:MOST_TOPICS]


def keyword_summary(turns: Sequence[tuple[str, str]]) -> str:
    """One or two sentences about messages given as (role, text)."""
    roles = Counter(role for role, _ in turns)
    counted = ", ".join(f"{count} {role}" for role, count in roles.items())
    opening = f"{len(turns)} message{'' if len(turns) == 1 else 's'}" + (f" ({counted})" if counted else "")
    topics = found_topics(turns)
    if topics:
        return f"{opening}, mostly about {', '.join(topics)}."
    asked = [" ".join(text.split()) for role, text in turns if role == "user" and text.strip()]
    if not asked:
        return f"{opening}."
    first, last = _quoted(asked[0]), _quoted(asked[-1])
    return (
        f"{opening}. The user began with {first} and came to {last}."
        if len(asked) > 1
        else f"{opening}. The user said {first}."
    )


def offline_summary(turns: Sequence[tuple[str, str]]) -> str:
    """What stands for messages while the model cannot be reached: how many they are, and how they begin and end."""
    count = f"{len(turns)} message{'' if len(turns) == 1 else 's'}"
    said = [" ".join(text.split()) for _, text in turns if text.strip()]
    if not said:
        return f"Offline: {count}."
    return f"Offline: {count}, from {_quoted(said[0], QUOTED_OFFLINE)} to {_quoted(said[-1], QUOTED_OFFLINE)}."


def _quoted(text: str, most: int = QUOTED) -> str:
    return f'"{text[:most]}{"…" if len(text) > most else ""}"'
