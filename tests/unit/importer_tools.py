"""Exports of others, made by hand: what they hold is said in a line."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from onrecord.importers import ImportedChat, ImportFailure, open_chats

__all__ = [
    "BEGUN",
    "FORMATS",
    "JSON",
    "WHOLE",
    "chatgpt",
    "claude",
    "damages",
    "node",
    "read",
    "said",
    "trees",
    "write",
    "write_zip",
]

BEGUN = 1_700_000_000.0


def node(id: str, parent: str | None, role: str = "user", text: str | None = None, /, **more: Any) -> dict[str, Any]:
    """A node of a ChatGPT conversation; `more` are parts of its message."""
    message = {
        "id": id,
        "author": {"role": role, "name": None, "metadata": {}},
        "create_time": BEGUN,
        "content": {"content_type": "text", "parts": [f"Text of {id}." if text is None else text]},
        "status": "finished_successfully",
        "weight": 1.0,
        "metadata": {"model_slug": "gpt-4o"} if role == "assistant" else {},
        "recipient": "all",
    }
    return {"id": id, "parent": parent, "children": [], "message": message | more}


def trees(*nodes: dict[str, Any], current: str | None = None, **more: Any) -> dict[str, Any]:
    """A ChatGPT conversation of these nodes, below a root without a message."""
    mapping: dict[str, Any] = {"root": {"id": "root", "parent": None, "children": [], "message": None}}
    mapping |= {one["id"]: one for one in nodes}
    last = nodes[-1]["id"] if nodes else "root"
    whole = {"title": "A trip", "create_time": BEGUN, "mapping": mapping, "current_node": current or last}
    return whole | {"conversation_id": "c1", "id": "c1"} | more


def chatgpt(id: str, texts: Sequence[str], **more: Any) -> dict[str, Any]:
    """A ChatGPT conversation in which these texts were said in turn, one a second."""
    nodes = []
    for at, text in enumerate(texts):
        parent, role = f"{id}-{at - 1}" if at else "root", "assistant" if at % 2 else "user"
        nodes.append(node(f"{id}-{at}", parent, role, text, create_time=BEGUN + at))
    return trees(*nodes, title=f"Chat {id}", conversation_id=id, id=id, **more)


def claude(id: str, texts: Sequence[str], **more: Any) -> dict[str, Any]:
    """The same as Claude has it."""
    listed = [
        {
            "uuid": f"{id}-{at}",
            "sender": "assistant" if at % 2 else "human",
            "text": text,
            "content": [{"type": "text", "text": text}],
            "created_at": f"2026-03-01T10:00:{at % 60:02}.000000Z",
            "attachments": [],
            "files": [],
        }
        for at, text in enumerate(texts)
    ]
    made = {"uuid": id, "name": f"Chat {id}", "created_at": "2026-03-01T10:00:00.000000Z"}
    return made | {"account": {"uuid": "a"}, "chat_messages": listed} | more


def write(path: Path, value: Any) -> Path:
    """A file with this as JSON; of texts, with each in a line."""
    lines = isinstance(value, list) and value and all(isinstance(one, str) for one in value)
    path.write_text("\n".join(value) if lines else json.dumps(value), encoding="utf-8")
    return path


def write_zip(path: Path, value: Any, name: str = "conversations.json") -> Path:
    """The same inside an archive, beside other things."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("user.json", "{}")
        archive.writestr(name, json.dumps(value))
    return path


def read(path: Path, **how: Any) -> list[ImportedChat | ImportFailure]:
    with open_chats(path, **how) as chats:
        return list(chats)


def said(found: ImportedChat | ImportFailure) -> list[str]:
    """What was said in a conversation."""
    assert isinstance(found, ImportedChat), found
    return [message.text for message in found.messages]


JSON: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters(), max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)

FORMATS = st.sampled_from(["chatgpt", "claude", "jsonl"])
WHOLE: dict[str, dict[str, Any]] = {
    "chatgpt": chatgpt("c1", ["Hello", "Hi", "Bye"]),
    "claude": claude("u1", ["Hello", "Hi", "Bye"]),
    "jsonl": {"messages": [{"role": "user", "content": "Hello", "time": 1}, {"role": "tool", "content": [{}]}]},
}
"""A conversation of each."""


@st.composite
def damages(draw: st.DrawFn, value: Any) -> Any:
    """A value with something else in one place, or a few."""
    for _ in range(draw(st.integers(1, 3))):
        value = _with(value, draw(st.sampled_from(_places(value))), draw(JSON))
    return value


def _places(value: Any, here: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [here, *(place for key, one in inner for place in _places(one, (*here, key)))]


def _with(value: Any, place: tuple[Any, ...], other: Any) -> Any:
    if not place:
        return other
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[place[0]] = _with(value[place[0]], place[1:], other)
    return copy
