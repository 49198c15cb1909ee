"""What is read of each format: which messages, in which order, with which times, and what is left out."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from importer_tools import BEGUN, chatgpt, claude, node, read, said, trees, write, write_zip

from onrecord.importers import ImportedChat, ImportFailure, open_chats


def one(tmp_path: Path, value: Any, **how: Any) -> ImportedChat:
    (found,) = read(write(tmp_path / "file", value), **how)
    assert isinstance(found, ImportedChat), found
    return found


def failing(tmp_path: Path, value: Any, **how: Any) -> str:
    (found,) = read(write(tmp_path / "file", value), **how)
    assert isinstance(found, ImportFailure), found
    return found.what


# ChatGPT


def test_chatgpt_keeps_the_branch_that_was_shown(tmp_path: Path) -> None:
    tree = trees(
        node("q", "root", create_time=BEGUN + 1),
        node("old", "q", "assistant", create_time=BEGUN + 2),
        node("new", "q", "assistant", create_time=BEGUN + 3),
        node("then", "new", create_time=None),
        node("aside", "old"),
        current="then",
    )
    found = one(tmp_path, [tree])
    assert [message.id for message in found.messages] == ["q", "new", "then"]
    assert [message.role for message in found.messages] == ["user", "assistant", "user"]
    assert [message.model for message in found.messages] == [None, "gpt-4o", None]
    times = [datetime.fromtimestamp(BEGUN + at, UTC) for at in (1, 3, 3)]
    assert [message.time for message in found.messages] == times  # without one of its own: that before it
    assert (found.session, found.title, found.left_out) == ("chatgpt:c1", "A trip", {"other branches": 2})
    assert found.meta == {"origin": "chatgpt", "id": "c1", "created": "2023-11-14T22:13:20+00:00"}


@pytest.mark.parametrize("current", [None, ""])
def test_chatgpt_without_a_current_node_takes_the_newest_leaf(tmp_path: Path, current: str | None) -> None:
    tree = trees(node("a", "root"), node("b", "a", create_time=BEGUN + 9), node("c", "a", create_time=BEGUN + 5))
    found = one(tmp_path, [tree | {"current_node": current}])
    assert [message.id for message in found.messages] == ["a", "b"]


def test_chatgpt_a_parent_that_is_not_there_is_the_root(tmp_path: Path) -> None:
    assert said(one(tmp_path, [trees(node("a", "nowhere"), node("b", "a"))])) == ["Text of a.", "Text of b."]


def test_chatgpt_leaves_out_what_was_not_said(tmp_path: Path) -> None:
    found = one(
        tmp_path,
        [
            trees(
                node("s", "root", "system", "", metadata={"is_visually_hidden_from_conversation": True}),
                node("i", "s", "user", content={"content_type": "user_editable_context", "user_profile": "Ana"}),
                node("m", "i", "system", content={"content_type": "model_editable_context", "model_set_context": "x"}),
                node("u", "m", "system", "Be kind.", metadata={"is_user_system_message": True}),
                node("w", "u", "tool", "Not shown.", weight=0),
                node("q", "w", "user", "How far is it?"),
                node("t", "q", "assistant", content={"content_type": "thoughts", "thoughts": [{"summary": "Hm"}]}),
                node("r", "t", "assistant", content={"content_type": "reasoning_recap", "content": "Thought"}),
                node("b", "r", "tool", content={"content_type": "tether_browsing_display", "result": "A page"}),
                node("e", "b", "assistant", "  "),
                node("x", "e", "critic", "Well done."),
                node("a", "x", "assistant", "300 km."),
            )
        ],
    )
    assert said(found) == ["How far is it?", "300 km."]
    assert found.left_out == {"hidden": 5, "reasoning": 2, "fetched pages": 1, "empty": 1, "other roles": 1}


def test_chatgpt_marks_what_is_no_text(tmp_path: Path) -> None:
    picture = {"content_type": "image_asset_pointer", "asset_pointer": "file-service://file-1", "width": 10}
    spoken = {"content_type": "audio_transcription", "text": "Hello there.", "direction": "in"}
    sound = {"content_type": "real_time_user_audio_video_asset_pointer", "audio_asset_pointer": {}}
    files = [{"name": "plan [1].pdf", "mime_type": "application/pdf"}, {"name": "me.png", "mime_type": "image/png"}]
    found = one(
        tmp_path,
        [
            trees(
                node(
                    "p",
                    "root",
                    content={"content_type": "multimodal_text", "parts": [picture, "What is this?", None, {"a": 1}]},
                    metadata={"attachments": files},
                ),
                node("v", "p", content={"content_type": "multimodal_text", "parts": [spoken, sound]}),
                node("c", "v", "assistant", content={"content_type": "code", "language": "python", "text": "1 + 1"}),
                node("d", "c", "assistant", content={"content_type": "code", "language": "unknown", "text": "find()"}),
                node(
                    "o",
                    "d",
                    "tool",
                    author={"role": "tool", "name": "python"},
                    content={"content_type": "execution_output", "text": "2"},
                ),
                node("y", "o", "assistant", content={"content_type": "of_tomorrow", "text": "Still a text."}),
            )
        ],
    )
    assert said(found) == [
        "[file: plan (1).pdf]\n[image]\nWhat is this?\n[attachment]",
        "Hello there.\n[audio]",
        "```python\n1 + 1\n```",
        "```\nfind()\n```",
        "2",
        "Still a text.",
    ]
    assert [message.name for message in found.messages] == [None, None, None, None, "python", None]


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"conversation_id": None, "id": None}, "It has no id."),
        ({"conversation_id": ["c"]}, "conversation_id is a list, not a text."),
        ({"conversation_id": "c" * 600}, "conversation_id has 600 characters, more than 512."),
        ({"conversation_id": "\ud800"}, "conversation_id '\\ud800' has control characters or broken Unicode."),
        ({"mapping": []}, "mapping is a list, not an object."),
        ({"mapping": {"n": 5}}, "Node 'n' is a number, not an object."),
        ({"current_node": 3}, "current_node is a number, not a text."),
        ({"current_node": "gone"}, "Its current_node 'gone' is not in its mapping."),
        ({"create_time": "noon"}, "create_time 'noon' is not a time."),
        ({"create_time": True}, "create_time is true or false, not a time."),
        ({"create_time": 1e300}, "create_time is out of range."),
        ({"create_time": 10**400}, "create_time is out of range."),
        ({"create_time": float("nan")}, "create_time is out of range."),
    ],
)
def test_chatgpt_conversations_that_cannot_be_read(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    assert failing(tmp_path, [chatgpt("c1", ["Hello"]) | change]) == what


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"author": "me"}, "author is a text, not an object."),
        ({"author": {"role": 1}}, "author.role is a number, not a text."),
        ({"content": "Hi"}, "content is a text, not an object."),
        ({"content": {"content_type": 1}}, "content_type is a number, not a text."),
        ({"content": {"content_type": "text", "parts": "Hi"}}, "parts is a text, not a list."),
        ({"content": {"content_type": "text", "parts": [3]}}, "A part is a number, not an object."),
        ({"metadata": 1}, "metadata is a number, not an object."),
        ({"metadata": {"attachments": [1]}}, "An attachment is a number, not an object."),
        ({"metadata": {"attachments": 1}}, "attachments is a number, not a list."),
        ({"id": {}}, "id is an object, not a text."),
        ({"create_time": []}, "create_time is a list, not a time."),
    ],
)
def test_chatgpt_messages_that_cannot_be_read(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    assert failing(tmp_path, [trees(node("a", "root", **change))]) == what


def test_chatgpt_trees_that_run_in_a_circle(tmp_path: Path) -> None:
    ring = trees(node("a", "b"), node("b", "a"))
    assert failing(tmp_path, [ring]) == "Its tree of messages runs in a circle, at 'b'."
    ring["mapping"].pop("root")
    assert failing(tmp_path, [ring | {"current_node": None}]) == "Its tree of messages runs in a circle."


def test_chatgpt_a_tree_as_deep_as_it_likes(tmp_path: Path) -> None:
    many = 5_000  # far beyond what Python may call in each other
    assert len(one(tmp_path, [chatgpt("c1", ["x"] * many)]).messages) == many


# Claude


def test_claude(tmp_path: Path) -> None:
    found = one(tmp_path, [claude("u1", ["Where is it?", "In Lisbon."])])
    assert said(found) == ["Where is it?", "In Lisbon."]
    assert [message.role for message in found.messages] == ["user", "assistant"]
    assert [message.id for message in found.messages] == ["u1-0", "u1-1"]
    assert found.messages[1].time == datetime(2026, 3, 1, 10, 0, 1, tzinfo=UTC)
    assert (found.session, found.title) == ("claude:u1", "Chat u1")
    assert found.meta == {"origin": "claude", "id": "u1", "created": "2026-03-01T10:00:00+00:00"}


def test_claude_keeps_what_was_given_along(tmp_path: Path) -> None:
    chat = claude("u1", ["Read this.", "", "Old."])
    first, second, third = chat["chat_messages"]
    first["attachments"] = [{"file_name": "notes.txt", "extracted_content": "Line one."}, {"file_name": "b.bin"}]
    first["files"] = [{"file_name": "me.png", "file_kind": "image"}, {"file_name": "plan.pdf"}]
    second["text"] = "This block is not supported on your current device yet."
    second["content"] = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "I looked."},
        {"type": "tool_use", "name": "web_search", "input": {"query": "x"}},
        {"type": "tool_result", "name": "web_search", "content": []},
        {"type": "tool_use", "name": "artifacts", "input": {"title": "A poem", "content": "Roses."}},
        {"type": "image", "source": {}},
        {"type": "token_budget"},
    ]
    del third["content"]  # as it was in older exports
    found = one(tmp_path, [chat])
    assert said(found) == [
        "Read this.\n\n[file: notes.txt]\nLine one.\n\n[file: b.bin]\n\n[image: me.png]\n\n[file: plan.pdf]",
        "I looked.\n\n[tool: web_search]\n\n[artifact: A poem]\nRoses.\n\n[image]",
        "Old.",
    ]
    assert found.left_out == {"reasoning": 1, "answers of tools": 1}


def test_claude_leaves_out_other_branches_where_the_export_tells_them(tmp_path: Path) -> None:
    chat = claude("u1", ["A", "B", "C", ""])
    for message, parent in zip(chat["chat_messages"], [None, "u1-0", "u1-0", "u1-2"], strict=True):
        message["parent_message_uuid"] = parent
    assert said(one(tmp_path, [chat])) == ["A", "B", "C"]
    found = one(tmp_path, [chat | {"current_leaf_message_uuid": "u1-3"}])
    assert (said(found), found.left_out) == (["A", "C"], {"other branches": 1, "empty": 1})


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"uuid": None}, "It has no uuid."),
        ({"chat_messages": {}}, "chat_messages is an object, not a list."),
        ({"chat_messages": [1]}, "A message is a number, not an object."),
        ({"chat_messages": [{"sender": "human"}]}, "A message has no uuid."),
        ({"chat_messages": [{"uuid": "m", "sender": "cat"}]}, "sender 'cat' is not known."),
        ({"chat_messages": [{"uuid": "m", "sender": "human", "text": 1}]}, "text is a number, not a text."),
        ({"chat_messages": [{"uuid": "m", "sender": "human", "content": 1}]}, "content is a number, not a list."),
        ({"chat_messages": [{"uuid": "m", "sender": "human", "files": [1]}]}, "A file is a number, not an object."),
        ({"created_at": "yesterday"}, "created_at 'yesterday' is not a time."),
    ],
)
def test_claude_conversations_that_cannot_be_read(tmp_path: Path, change: dict[str, Any], what: str) -> None:
    assert failing(tmp_path, [claude("u1", ["Hello"]) | change]) == what


# Plain JSON


def line(role: Any = "user", content: Any = "Hello", **more: Any) -> dict[str, Any]:
    return {"role": role, "content": content, **more}


def lines(*values: Any) -> list[str]:
    return [json.dumps(value) for value in values]


def test_lines_of_messages_are_gathered_by_session(tmp_path: Path) -> None:
    turns = lines(
        line(session="a", id=1, time="2026-05-05T09:30:00"),
        line("assistant", "Hi", session="b", timestamp=1_770_000_000),
        line("human", "More", conversation={"id": "a"}, created_at=1_770_000_000_000),
        {"role": "ai", "text": "Yes", "thread_id": 7, "name": "Bo", "model": "m1"},
    )
    found = {one.session: one for one in read(write(tmp_path / "f", turns)) if isinstance(one, ImportedChat)}
    assert [said(found[name]) for name in ("a", "b", "7")] == [["Hello", "More"], ["Hi"], ["Yes"]]
    first, second = found["a"].messages
    assert (first.id, first.time) == ("1", datetime(2026, 5, 5, 9, 30, tzinfo=UTC))
    assert second.time == datetime.fromtimestamp(1_770_000_000, UTC)
    assert (found["7"].messages[0].role, found["7"].messages[0].name, found["7"].messages[0].model) == (
        "assistant",
        "Bo",
        "m1",
    )


def test_messages_without_an_id_get_one_of_what_they_say(tmp_path: Path) -> None:
    turns = [line(content="ok"), line(content="no"), line(content="ok"), line(content="ok", time=1)]
    first = one(tmp_path, lines(*turns), session="s").messages
    again = one(tmp_path, turns, session="s").messages  # as one list: the same messages
    longer = one(tmp_path, lines(line(content="new"), *turns), session="s").messages
    ids = [message.id for message in first]
    assert len(set(ids)) == 4
    assert [message.id for message in again] == ids
    assert [message.id for message in longer][1:] == ids


def test_conversations_by_line(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "See"}, {"type": "image_url", "image_url": {"url": "data:…"}}, "here"]
    call = {"id": "t1", "type": "function", "function": {"name": "find", "arguments": "{}"}}
    chats = lines(
        {"messages": [line("developer", "Be kind."), line(content=parts)], "id": "x", "title": "One\ntwo"},
        {"messages": [line("assistant", None, tool_calls=[call]), line("tool", "7", tool_call_id="t1"), line("", "")]},
        {"messages": [line("user", ""), line("assistant", "Hi")]},
    )
    broken, named, nameless = read(write(tmp_path / "f", chats))
    assert isinstance(named, ImportedChat)
    assert (named.session, named.title, said(named)) == ("x", "One two", ["Be kind.", "See\n[image]\nhere"])
    assert isinstance(broken, ImportFailure)
    assert (broken.where, broken.what) == ("line 2", "role '' is not known.")
    assert isinstance(nameless, ImportedChat)
    assert nameless.session.startswith("jsonl:")
    assert (said(nameless), nameless.left_out) == (["Hi"], {"empty": 1})


def test_tool_calls_are_kept(tmp_path: Path) -> None:
    call = {"id": "t1", "type": "function", "function": {"name": "find", "arguments": '{"a": 1}'}}
    turns = [line("assistant", None, tool_calls=[call]), line("tool", "7", tool_call_id="t1")]
    asked, told = one(tmp_path, {"messages": turns, "id": "x"}).messages
    assert asked.tool_calls == ({"id": "t1", "name": "find", "arguments": '{"a": 1}'},)
    assert (told.tool_call_id, told.text) == ("t1", "7")


@pytest.mark.parametrize(
    ("value", "what"),
    [
        (line(role=None), "role None is not known."),
        (line(role=["user"]), "role ['user'] is not known."),
        (line(content=5), "content is a number, not a list."),
        (line(content=[5]), "A part of content is a number, not an object."),
        (line(time={}), "time is an object, not a time."),
        (line(time="x" * 500), "time is a text, not a time."),
        (line(id=[]), "id is a list, not a text."),
        (line(session=1.5), "session is a number, not a text."),
        (line(tool_calls=[1]), "tool_calls holds something that is not a tool call."),
        (line(tool_calls=[{"id": "a", "name": "b"}]), "tool_calls stand in a user message."),
        ({"messages": 5}, "messages is a number, not a list."),
        ([line()], "It is a list, not an object."),
        ("text", "It is neither an object nor a list."),
    ],
)
def test_messages_that_cannot_be_read(tmp_path: Path, value: Any, what: str) -> None:
    found = read(write(tmp_path / "file", [line(), value, line()]), format="jsonl", session="s")
    assert [len(one.messages) for one in found if isinstance(one, ImportedChat)] == [2]
    assert [(one.where, one.what) for one in found if isinstance(one, ImportFailure)] == [("item 2", what)]


# Several files in one archive, several layouts


def test_an_archive_in_parts_is_read_in_order(tmp_path: Path) -> None:
    import zipfile

    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        for number in (1, 0):
            archive.writestr(f"x/conversations-00{number}.json", json.dumps([chatgpt(f"c{number}", ["Hello"]), 5]))
    first, bad, second, _ = read(tmp_path / "export.zip")
    assert isinstance(first, ImportedChat)
    assert isinstance(second, ImportedChat)
    assert (first.session, second.session) == ("chatgpt:c0", "chatgpt:c1")
    assert isinstance(bad, ImportFailure)
    assert bad.where == "conversation 2 of x/conversations-000.json"


def test_one_conversation_by_itself_and_lines_of_them(tmp_path: Path) -> None:
    spread = tmp_path / "spread.json"
    spread.write_text(json.dumps(chatgpt("c1", ["Hello"]), indent=2))
    assert [said(found) for found in read(spread)] == [["Hello"]]
    spread.write_text(json.dumps({"messages": [line(), line()]}, indent=1))
    assert [said(found) for found in read(spread)] == [["Hello", "Hello"]]
    rows = write(tmp_path / "rows", lines(claude("u1", ["A"]), claude("u2", ["B"])))
    assert [said(found) for found in read(rows)] == [["A"], ["B"]]


def test_how_much_was_read_adds_up(tmp_path: Path) -> None:
    for path in (
        write(tmp_path / "f.json", [chatgpt("c", ["Hello"] * 50)]),
        write_zip(tmp_path / "f.zip", [chatgpt("c", ["Hello"] * 50)]),
    ):
        with open_chats(path) as chats:
            list(chats)
            assert chats.read == chats.size
