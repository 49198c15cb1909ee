"""ChatGPT's data export: conversations.json, a list of conversations, each a tree of messages.

The branch that ends at `current_node` is what was last shown; other branches are answers that were made again and
questions that were edited, and are left out. So are messages that were hidden (context, instructions, memory), what a
model thought, pages that a tool fetched, and messages without any content. A picture becomes "[image]", and so on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any

from onrecord.errors import InvalidInput
from onrecord.importers.chats import ChatMessage, ImportedChat
from onrecord.importers.fields import (
    HINT,
    branch,
    expect,
    mark,
    name_in,
    objects_in,
    shown,
    text_in,
    time_in,
    title_in,
)
from onrecord.journal.clean import clean_name
from onrecord.records import EPOCH, ROLES

__all__ = ["chatgpt_chat"]

LEFT_OUT = {
    "user_editable_context": "hidden",
    "model_editable_context": "hidden",
    "thoughts": "reasoning",
    "reasoning_recap": "reasoning",
    "tether_browsing_display": "fetched pages",
    "tether_browsing_code": "fetched pages",
    "tether_quote": "fetched pages",
    "sonic_webpage": "fetched pages",
    "browser_window": "fetched pages",
}
"""Why messages with content of a type are left out."""

Nodes = Mapping[str, Mapping[str, Any]]


def chatgpt_chat(value: Mapping[str, Any], where: str) -> ImportedChat:
    """Return a conversation of the export. Raises `InvalidInput` if something in it is not as it should be."""
    own = name_in(value, "conversation_id") or name_in(value, "id")
    if own is None:
        raise InvalidInput("It has no id.", HINT)
    nodes = {
        id: expect(dict, node, f"Node {shown(id)}")
        for id, node in expect(dict, value.get("mapping"), "mapping").items()
    }
    begun = time_in(value, "create_time")
    ids = _last_shown(value, nodes)
    left_out: Counter[str] = Counter()
    messages = tuple(_messages({id: nodes[id] for id in ids}, begun, left_out))
    if aside := sum(1 for id in nodes.keys() - set(ids) if nodes[id].get("message")):
        left_out["other branches"] = aside
    return ImportedChat(
        session=f"chatgpt:{own}",
        where=where,
        messages=messages,
        title=title_in(value, "title"),
        meta={"origin": "chatgpt", "id": own} | ({"created": begun.isoformat()} if begun else {}),
        left_out=left_out,
    )


def _last_shown(value: Mapping[str, Any], nodes: Nodes) -> list[str]:
    """Return the nodes of the branch that was last shown, from the root on."""
    parents = {id: node.get("parent") for id, node in nodes.items()}
    leaf = text_in(value, "current_node")
    if leaf and leaf not in nodes:
        raise InvalidInput(f"Its current_node {shown(leaf)} is not in its mapping.", HINT)
    return branch(leaf or _newest(nodes, parents), parents) if nodes else []


def _newest(nodes: Nodes, parents: Mapping[str, object]) -> str:
    """Return the newest of the nodes that nothing follows; of those of one time, the last."""
    followed = {parent for parent in parents.values() if isinstance(parent, str)}
    leaves = [id for id in nodes if id not in followed]
    if not leaves:
        raise InvalidInput("Its tree of messages runs in a circle.", HINT)
    return max(leaves[::-1], key=lambda id: time_in(_message(nodes[id]), "create_time") or EPOCH)


def _message(node: Mapping[str, Any]) -> Mapping[str, Any]:
    return expect(dict, node.get("message"), "message")


def _messages(nodes: Nodes, begun: datetime | None, left_out: Counter[str]) -> Iterator[ChatMessage]:
    """Yield the messages of a branch; one without a time was said when the one before it was."""
    time = begun
    for id, node in nodes.items():
        message = _message(node)
        if not message:
            continue  # the root, and other nodes that only hold the tree together
        time = time_in(message, "create_time") or time
        author, content, metadata = (expect(dict, message.get(key), key) for key in ("author", "content", "metadata"))
        named = expect(str, author.get("role"), "author.role")
        role = next((role for role in ROLES if role == named), None)
        if role is None:
            left_out["other roles"] += 1
            continue
        if reason := _hidden(message, metadata) or LEFT_OUT.get(str(content.get("content_type"))):
            left_out[reason] += 1
            continue
        text = _text(content, objects_in(metadata, "attachments", "An attachment"))
        if not text.strip():
            left_out["empty"] += 1
            continue
        yield ChatMessage(
            id=name_in(message, "id") or clean_name(id, "id"),
            role=role,
            text=text,
            time=time,
            name=name_in(author, "name") if role == "tool" else None,
            model=name_in(metadata, "model_slug") if role == "assistant" else None,
        )


def _hidden(message: Mapping[str, Any], metadata: Mapping[str, Any]) -> str:
    flags = ("is_visually_hidden_from_conversation", "is_user_system_message")
    return "hidden" if message.get("weight") == 0 or any(metadata.get(flag) is True for flag in flags) else ""


def _text(content: Mapping[str, Any], attachments: Iterable[Mapping[str, Any]]) -> str:
    """Return what a message says, with marks for what is no text."""
    text = text_in(content, "text")
    if text_in(content, "content_type") == "code" and text.strip():
        language = content.get("language")
        known = isinstance(language, str) and language.isalnum() and language != "unknown"
        return f"```{language if known else ''}\n{text}\n```"
    files = [
        mark("file", file.get("name"))
        for file in attachments
        if not str(file.get("mime_type")).startswith("image/")  # a picture is among the parts too
    ]
    parts = [_part(part) for part in expect(list, content.get("parts"), "parts")]
    return "\n".join(part for part in (*files, text, *parts) if part)


def _part(part: object) -> str:
    if part is None or isinstance(part, str):
        return part or ""
    value = expect(dict, part, "A part")
    if isinstance(text := value.get("text"), str):  # a transcript of what was spoken
        return text
    type = text_in(value, "content_type")
    return mark(next((kind for kind in ("image", "audio", "video") if kind in type), "attachment"))
