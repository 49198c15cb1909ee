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
from onrecord.importers.taking import HINT, a_list, a_moment, a_name, a_text, an_object, branch, mark, shown, title_of
from onrecord.records import Role

__all__ = ["conversation"]

SENDERS: Mapping[str, Role] = {"human": "user", "user": "user", "assistant": "assistant", "system": "system"}
_KINDS = ("image", "document", "file", "audio")


def conversation(value: Mapping[str, Any], where: str) -> ImportedChat:
    """A conversation of the export; an error says what is wrong with it."""
    own = a_name(value.get("uuid"), "uuid")
    if own is None:
        raise InvalidInput("It has no uuid.", HINT)
    begun = a_moment(value.get("created_at"), "created_at")
    listed = [an_object(one, "A message") for one in a_list(value.get("chat_messages"), "chat_messages")]
    spoken, aside = _shown(value.get("current_leaf_message_uuid"), listed)
    left_out: Counter[str] = Counter({"other branches": aside} if aside else {})
    return ImportedChat(
        session=f"claude:{own}",
        where=where,
        messages=tuple(_messages(spoken, begun, left_out)),
        title=title_of(value.get("name")),
        meta={"origin": "claude", "id": own} | ({"created": begun.isoformat()} if begun else {}),
        left_out=left_out,
    )


def _shown(leaf: object, listed: list[Mapping[str, Any]]) -> tuple[list[Mapping[str, Any]], int]:
    """The messages of the branch that was last shown, where the export tells it, and how many others there are."""
    nodes = {one["uuid"]: one for one in listed if isinstance(one.get("uuid"), str)}
    if not isinstance(leaf, str) or leaf not in nodes:
        return listed, 0
    parents = {id: one.get("parent_message_uuid") for id, one in nodes.items()}
    found = [nodes[id] for id in branch(leaf, parents)]
    return found, len(listed) - len(found)


def _messages(listed: list[Mapping[str, Any]], begun: datetime | None, left_out: Counter[str]) -> Iterator[ChatMessage]:
    """The messages; one without a time was said when the one before it was."""
    time = begun
    for message in listed:
        time = a_moment(message.get("created_at"), "created_at") or time
        id = a_name(message.get("uuid"), "uuid")
        if id is None:
            raise InvalidInput("A message has no uuid.", HINT)
        sender = a_text(message.get("sender"), "sender")
        if sender not in SENDERS:
            raise InvalidInput(f"sender {shown(sender)} is not known.", HINT)
        text = _text(message, left_out)
        if not text.strip():
            left_out["empty"] += 1
            continue
        yield ChatMessage(id=id, role=SENDERS[sender], text=text, time=time)


def _text(message: Mapping[str, Any], left_out: Counter[str]) -> str:
    """What a message says, with what was given along."""
    blocks = [an_object(one, "A block") for one in a_list(message.get("content"), "content")]
    said = [_block(one, left_out) for one in blocks]
    if not any(isinstance(one.get("text"), str) and one["text"].strip() for one in blocks):
        said.insert(0, a_text(message.get("text"), "text"))  # older exports have it here alone
    given = [_attachment(an_object(one, "An attachment")) for one in a_list(message.get("attachments"), "attachments")]
    files = [_file(an_object(one, "A file")) for one in a_list(message.get("files"), "files")]
    return "\n\n".join(part for part in (*said, *given, *files) if part.strip())


def _block(block: Mapping[str, Any], left_out: Counter[str]) -> str:
    kind = a_text(block.get("type"), "type")
    if kind in ("text", "voice_note"):
        return a_text(block.get("text"), "text")
    if kind == "tool_use":
        return _call(block)
    if kind in ("thinking", "redacted_thinking"):
        left_out["reasoning"] += 1
    elif kind == "tool_result":
        left_out["answers of tools"] += 1
    return mark(kind) if kind in _KINDS else ""


def _call(block: Mapping[str, Any]) -> str:
    """A call of a tool: of an artifact, what was written; of any other, its name."""
    given = an_object(block.get("input"), "input")
    written = given.get("content")
    if block.get("name") == "artifacts" and isinstance(written, str) and written.strip():
        return f"{mark('artifact', given.get('title'))}\n{written}"
    return mark("tool", block.get("name"))


def _attachment(value: Mapping[str, Any]) -> str:
    text = a_text(value.get("extracted_content"), "extracted_content")
    name = mark("file", value.get("file_name"))
    return f"{name}\n{text}" if text.strip() else name


def _file(value: Mapping[str, Any]) -> str:
    picture = value.get("file_kind") == "image"
    return mark("image" if picture else "file", value.get("file_name"))
