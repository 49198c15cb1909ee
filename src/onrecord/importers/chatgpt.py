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
from onrecord.importers.taking import (
    HINT,
    a_list,
    a_moment,
    a_name,
    a_text,
    an_object,
    branch,
    mark,
    shown,
    title_of,
)
from onrecord.journal.clean import clean_name
from onrecord.records import EPOCH, ROLES, Role

__all__ = ["conversation"]

HIDDEN = ("user_editable_context", "model_editable_context")
REASONING = ("thoughts", "reasoning_recap")
FETCHED = ("tether_browsing_display", "tether_browsing_code", "tether_quote", "sonic_webpage", "browser_window")
_KINDS = ("image", "audio", "video")


def conversation(value: Mapping[str, Any], where: str) -> ImportedChat:
    """A conversation of the export; an error says what is wrong with it."""
    own = a_name(value.get("conversation_id"), "conversation_id") or a_name(value.get("id"), "id")
    if own is None:
        raise InvalidInput("It has no id.", HINT)
    mapping = an_object(value.get("mapping"), "mapping")
    nodes = {id: an_object(node, f"Node {shown(id)}") for id, node in mapping.items()}
    begun = a_moment(value.get("create_time"), "create_time")
    ids = _shown(value.get("current_node"), nodes)
    left_out: Counter[str] = Counter()
    messages = tuple(_messages({id: nodes[id] for id in ids}, begun, left_out))
    aside = sum(1 for id in nodes.keys() - set(ids) if nodes[id].get("message"))
    left_out.update({"other branches": aside} if aside else {})
    return ImportedChat(
        session=f"chatgpt:{own}",
        where=where,
        messages=messages,
        title=title_of(value.get("title")),
        meta={"origin": "chatgpt", "id": own} | ({"created": begun.isoformat()} if begun else {}),
        left_out=left_out,
    )


def _shown(current: object, nodes: Mapping[str, Any]) -> list[str]:
    """The nodes of the branch that was last shown, from the root on."""
    parents = {id: node.get("parent") for id, node in nodes.items()}
    if current is None or current == "":
        return branch(_newest(nodes, parents), parents) if nodes else []
    leaf = a_text(current, "current_node")
    if leaf not in nodes:
        raise InvalidInput(f"Its current_node {shown(leaf)} is not in its mapping.", HINT)
    return branch(leaf, parents)


def _newest(nodes: Mapping[str, Any], parents: Mapping[str, object]) -> str:
    """The newest of the nodes that nothing follows; of those of one time, the last."""
    followed = {parent for parent in parents.values() if isinstance(parent, str)}
    leaves = [id for id in nodes if id not in followed]
    if not leaves:
        raise InvalidInput("Its tree of messages runs in a circle.", HINT)
    return max(enumerate(leaves), key=lambda leaf: (_time_of(nodes[leaf[1]]), leaf[0]))[1]


def _time_of(node: Mapping[str, Any]) -> datetime:
    return a_moment(an_object(node.get("message"), "message").get("create_time"), "create_time") or EPOCH


def _messages(
    nodes: Mapping[str, Mapping[str, Any]], begun: datetime | None, left_out: Counter[str]
) -> Iterator[ChatMessage]:
    """The messages of a branch; one without a time was said when the one before it was."""
    time = begun
    for id, node in nodes.items():
        message = an_object(node.get("message"), "message")
        if not message:
            continue  # the root, and other nodes that only hold the tree together
        time = a_moment(message.get("create_time"), "create_time") or time
        author = an_object(message.get("author"), "author")
        role = _role(author)
        content = an_object(message.get("content"), "content")
        metadata = an_object(message.get("metadata"), "metadata")
        if role is None:
            left_out["other roles"] += 1
            continue
        if reason := _reason(message, metadata, content):
            left_out[reason] += 1
            continue
        text = _text(content, a_list(metadata.get("attachments"), "attachments"))
        if not text.strip():
            left_out["empty"] += 1
            continue
        yield ChatMessage(
            id=a_name(message.get("id"), "id") or clean_name(id, "id"),
            role=role,
            text=text,
            time=time,
            name=_tool(author, role),
            model=a_name(metadata.get("model_slug"), "model_slug") if role == "assistant" else None,
        )


def _role(author: Mapping[str, Any]) -> Role | None:
    said = a_text(author.get("role"), "author.role")
    return next((role for role in ROLES if role == said), None)


def _tool(author: Mapping[str, Any], role: Role) -> str | None:
    """The name of a tool; people and models have none."""
    return a_name(author.get("name"), "author.name") if role == "tool" else None


def _reason(message: Mapping[str, Any], metadata: Mapping[str, Any], content: Mapping[str, Any]) -> str:
    """Why a message is left out, if it is."""
    kind = content.get("content_type")
    flags = ("is_visually_hidden_from_conversation", "is_user_system_message")
    if kind in HIDDEN or any(metadata.get(flag) is True for flag in flags) or message.get("weight") == 0:
        return "hidden"
    if kind in REASONING:
        return "reasoning"
    return "fetched pages" if kind in FETCHED else ""


def _text(content: Mapping[str, Any], attachments: Iterable[object]) -> str:
    """What a message says, with marks for what is no text."""
    kind = a_text(content.get("content_type"), "content_type")
    said = a_text(content.get("text"), "text")
    if kind == "code" and said.strip():
        return _fenced(said, content.get("language"))
    parts = [_part(part) for part in a_list(content.get("parts"), "parts")]
    files = [_file(an_object(one, "An attachment")) for one in attachments]
    return "\n".join(part for part in (*files, said, *parts) if part)


def _fenced(code: str, language: object) -> str:
    known = isinstance(language, str) and language.isalnum() and language != "unknown"
    return f"```{language if known else ''}\n{code}\n```"


def _file(attachment: Mapping[str, Any]) -> str:
    """The mark of a file; a picture is among the parts too."""
    picture = str(attachment.get("mime_type")).startswith("image/")
    return "" if picture else mark("file", attachment.get("name"))


def _part(part: object) -> str:
    if part is None or isinstance(part, str):
        return part or ""
    value = an_object(part, "A part")
    if isinstance(text := value.get("text"), str):  # a transcript of what was spoken
        return text
    kind = a_text(value.get("content_type"), "content_type")
    return mark(next((one for one in _KINDS if one in kind), "attachment"))
