"""Claude's data export: conversations.json, a list of conversations, each a list of messages.

The text of a message is that of its text blocks. The text of a file that was given along stands below it, behind a mark
with the file's name, and what was written as an artifact too; of a file whose text is not in the export the mark alone.
A call of another tool becomes a mark; what tools answered and a model's reasoning are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.importers.chats import ChatMessage, ImportedChat
from onrecord.importers.fields import HINT, branch, expect, mark, name_in, objects_in, shown, text_in, time_in, title_in
from onrecord.records import Role

__all__ = ["claude_chat"]

SENDERS: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant", "system": "system"}
LEFT_OUT = {"thinking": "reasoning", "redacted_thinking": "reasoning", "tool_result": "answers of tools"}


def claude_chat(value: Mapping[str, Any], where: str) -> ImportedChat:
    """Return a conversation of the export. Raises `InvalidInput` if something in it is not as it should be."""
    own = name_in(value, "uuid")
    if own is None:
        raise InvalidInput("It has no uuid.", HINT)
    begun = time_in(value, "created_at")
    listed = objects_in(value, "chat_messages", "A message")
    last_shown = _last_shown(value.get("current_leaf_message_uuid"), listed)
    left_out: Counter[str] = Counter()
    if aside := len(listed) - len(last_shown):
        left_out["other branches"] = aside
    return ImportedChat(
        session=f"claude:{own}",
        where=where,
        messages=tuple(_messages(last_shown, begun, left_out)),
        title=title_in(value, "name"),
        meta={"origin": "claude", "id": own} | ({"created": begun.isoformat()} if begun else {}),
        left_out=left_out,
    )


def _last_shown(leaf: object, listed: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the messages of the branch that was last shown, or all where the export does not name it."""
    nodes = {message["uuid"]: message for message in listed if isinstance(message.get("uuid"), str)}
    if not isinstance(leaf, str) or leaf not in nodes:
        return listed
    parents = {id: message.get("parent_message_uuid") for id, message in nodes.items()}
    return [nodes[id] for id in branch(leaf, parents)]


def _messages(listed: list[dict[str, Any]], begun: datetime | None, left_out: Counter[str]) -> Iterator[ChatMessage]:
    """Yield the messages; one without a time was said when the one before it was."""
    time = begun
    for message in listed:
        time = time_in(message, "created_at") or time
        id = name_in(message, "uuid")
        if id is None:
            raise InvalidInput("A message has no uuid.", HINT)
        sender = text_in(message, "sender")
        if sender not in SENDERS:
            raise InvalidInput(f"sender {shown(sender)} is not known.", HINT)
        text = _text(message, left_out)
        if not text.strip():
            left_out["empty"] += 1
            continue
        yield ChatMessage(id=id, role=SENDERS[sender], text=text, time=time)


def _text(message: Mapping[str, Any], left_out: Counter[str]) -> str:
    """Return what a message says, with what was given along."""
    blocks = objects_in(message, "content", "A block")
    said = [_block(block, left_out) for block in blocks]
    if not any(isinstance(block.get("text"), str) and block["text"].strip() for block in blocks):
        said.insert(0, text_in(message, "text"))  # older exports have it here alone
    attachments = [
        _with_text(mark("file", file.get("file_name")), text_in(file, "extracted_content"))
        for file in objects_in(message, "attachments", "An attachment")
    ]
    files = [
        mark("image" if file.get("file_kind") == "image" else "file", file.get("file_name"))
        for file in objects_in(message, "files", "A file")
    ]
    return "\n\n".join(part for part in (*said, *attachments, *files) if part.strip())


def _block(block: Mapping[str, Any], left_out: Counter[str]) -> str:
    kind = text_in(block, "type")
    if kind in LEFT_OUT:
        left_out[LEFT_OUT[kind]] += 1
    if kind in ("text", "voice_note"):
        return text_in(block, "text")
    if kind == "tool_use":
        return _call(block)
    return mark(kind) if kind in ("image", "document", "file", "audio") else ""


def _call(block: Mapping[str, Any]) -> str:
    """Return the mark of a tool's call; of an artifact, with what was written."""
    given = expect(dict, block.get("input"), "input")
    written = given.get("content")
    if block.get("name") == "artifacts" and isinstance(written, str) and written.strip():
        return _with_text(mark("artifact", given.get("title")), written)
    return mark("tool", block.get("name"))


def _with_text(mark: str, text: str) -> str:
    return f"{mark}\n{text}" if text.strip() else mark
