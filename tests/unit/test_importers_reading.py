"""How files are read: in pieces, out of archives, with anything wrong in them; and how their format is found."""

from __future__ import annotations

import io
import json
import os
import random
import struct
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from importer_tools import FORMATS, JSON, WHOLE, chatgpt, claude, damages, read, said, write, write_zip

from onrecord import InvalidInput, NotFound, TooLarge
from onrecord.importers import ImportedChat, ImportFailure, documents, open_chats
from onrecord.importers.chat_jsonl import PlainChats
from onrecord.importers.json_values import Broken, JsonArray, line_values
from onrecord.importers.reading import READERS, format_of, read_chat


def cut(text: str, size: int) -> list[str]:
    return [text[at : at + size] for at in range(0, len(text), size)]


# Values


@given(st.lists(JSON.filter(lambda one: isinstance(one, (dict, list))), max_size=5), st.integers(1, 40), st.booleans())
def test_a_list_is_read_in_pieces_of_any_size(values: list[Any], size: int, spread: bool) -> None:
    text = json.dumps(values, indent=1 if spread else None)
    found = [value for _, value in JsonArray(cut(text, size)).values()]
    assert repr(found) == repr(values)  # NaN is not itself


@given(st.lists(JSON.filter(lambda one: isinstance(one, dict)), max_size=5), st.integers(1, 40))
def test_so_are_lines_and_values_one_after_the_other(values: list[Any], size: int) -> None:
    for text in ("\r\n".join(map(json.dumps, values)), " ".join(json.dumps(value, indent=1) for value in values)):
        assert repr([value for _, value in line_values(cut(text, size))]) == repr(values)


@given(st.text('[]{}",:\\ \n1ax\ud800', max_size=60), st.integers(1, 30))
def test_nonsense_ends(text: str, size: int) -> None:
    """And says what it is; nothing else than values and Brokens comes of it."""
    for number, value in (*JsonArray(cut(text, size)).values(), *line_values(cut(text, size))):
        assert number >= 1
        assert not isinstance(value, Broken) or value.why


BAD = {
    '{"a": }': "It is not JSON: expecting value.",
    '{"a": "\\q ]}"}': "It is not JSON: invalid \\escape.",
    '{"a": "]" "b": [1, 2]}': "It is not JSON: expecting ',' delimiter.",
    '{"n": ' + "9" * 5_000 + "}": "It holds a number that is too long.",
    "[" * 100_000 + "]" * 100_000: "It is nested too deeply.",
    "12": "It is neither an object nor a list.",
    '"a, ]text"': "It is neither an object nor a list.",
    "null": "It is neither an object nor a list.",
}


@pytest.mark.parametrize("bad", BAD, ids=range(len(BAD)))
@pytest.mark.parametrize("size", [1, 7, 1_000_000])
def test_behind_something_broken_reading_goes_on(bad: str, size: int) -> None:
    found = list(JsonArray(cut(f'[{{"a": 1}}, {bad}, {{"b": 2}}]', size)).values())
    assert found == [(1, {"a": 1}), (2, Broken(BAD[bad])), (3, {"b": 2})]


def test_what_is_too_long_is_passed_over() -> None:
    long = json.dumps({"text": 'x"]}\\' * 100})
    text = f'[{{"a": 1}}, {long}, {{"b": 2}}]'
    why = Broken("It has more than 100 characters.")
    assert [value for _, value in JsonArray(cut(text, 10), 100).values()] == [{"a": 1}, why, {"b": 2}]
    rows = '{"a": 1}\n' + long + '\n{"b": 2}'
    assert list(line_values(cut(rows, 10), 100)) == [(1, {"a": 1}), (2, why), (3, {"b": 2})]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('[{"a": 1}, {"b": ', "The file ends in the middle of it."),
        ('[{"a": 1}, {"b": "\\', "The file ends in the middle of it."),
        ('[{"a": 1}', "The file ends too early: it was cut off."),
        ('[{"a": 1}, ', "The file ends too early: it was cut off."),
    ],
)
def test_a_list_that_was_cut_off(text: str, why: str) -> None:
    first, *others = JsonArray([text]).values()
    assert (first, others[0][1]) == ((1, {"a": 1}), Broken(why))


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ('{"a": 1}', [1]),
        ('{"a": 1}\n\n{"b": 2}', [1, 3]),
        ('{"a": 1} {"a": 2},\n{"b": 2}', [1, 1, 2]),
        ('{"a": \n{"b": 2}\n', [-1, 2]),
        ('{"a": ["\n7\n{"b": 2}\n', [-1, -2, 3]),
        ('{\n "a": [\n  {"b": 1}\n ]\n}\n{\n\t"b": 2\n}', [1, 6]),
        ('{"a": 1', [-1]),
    ],
)
def test_values_that_begin_a_line_each(text: str, numbers: list[int]) -> None:
    """The number of each line where one begins; below zero: it is broken."""
    found = [-number if isinstance(value, Broken) else number for number, value in line_values(cut(text, 3))]
    assert found == numbers


def test_a_value_on_many_lines_has_an_end() -> None:
    text = "{\n" + '  "a": 1,\n' * 50 + '}\n{"b": 2}'
    why = Broken("It has more than 100 characters.")
    assert list(line_values(cut(text, 10), 100)) == [(1, why), (53, {"b": 2})]


# Anything that is wrong with a value


@given(st.data(), FORMATS)
def test_damage_is_told_and_nothing_else_happens(data: st.DataObject, format: str) -> None:
    value = data.draw(damages(WHOLE[format]))
    format_of(value)
    chat = read_chat(value, "conversation 1", READERS.get(format) or PlainChats("s").chat)
    if isinstance(chat, ImportFailure):
        assert (chat.what, chat.where) != ("", "")
        return
    assert all(isinstance(message.text, str) for message in chat.messages)
    assert all(message.id for message in chat.messages)
    assert chat.session


# Files


def test_any_name_will_do(tmp_path: Path) -> None:
    plain = {"role": "user", "content": "A", "session": "s"}
    for value, name in ((chatgpt("c", ["A"]), "claude.txt"), (claude("u", ["A"]), "chatgpt"), (plain, "x")):
        for path in (write(tmp_path / name, [value]), write_zip(tmp_path / "z.bin", [value])):
            assert [said(found) for found in read(path)] == [["A"]]


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "holds no conversations: it is empty, or not JSON."),
        ("Dear diary", "holds no conversations: it is empty, or not JSON."),
        ("[]", "holds no conversations."),
        ("[1, 2]", "Number 1 of it cannot be read: It is neither an object nor a list."),
        ('{"format": "other"}', "is not of a kind that can be imported."),
        ('[{"a": 1}]', "is not of a kind that can be imported."),
        ('[{"a": 1', "Number 1 of it cannot be read: The file ends in the middle of it."),
    ],
)
def test_what_is_not_understood_says_what_is(tmp_path: Path, text: str, what: str) -> None:
    (tmp_path / "f").write_text(text)
    with pytest.raises(InvalidInput) as error:
        read(tmp_path / "f")
    assert what in error.value.what
    assert "ChatGPT" in error.value.hint


def test_a_line_of_an_own_export_has_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("onrecord.importers.reading.LONGEST", 1_000)
    head = json.dumps({"format": "onrecord-export", "version": 1, "space": "default"})
    with open_chats(io.BytesIO(f"{head}\n{'a' * 2_000}".encode())) as chats:
        lines = chats.lines()
        assert next(lines) == head
        with pytest.raises(TooLarge, match=r"^Line 2 has more than 1,000 characters"):
            next(lines)


def test_own_exports_and_sessions(tmp_path: Path) -> None:
    with open_chats(write(tmp_path / "f", {"format": "onrecord-export", "version": 1})) as chats:
        assert (chats.format, list(chats.lines())) == ("onrecord", ['{"format": "onrecord-export", "version": 1}'])
    with pytest.raises(InvalidInput, match="names its own"):
        read(write(tmp_path / "f", [chatgpt("c", ["A"])]), session="s")
    with pytest.raises(InvalidInput, match="format 'gemini' is not known"):
        read(tmp_path / "f", format="gemini")
    with pytest.raises(NotFound):
        read(tmp_path / "nowhere")
    with pytest.raises(InvalidInput):
        read(tmp_path)


def test_a_message_without_a_session_ends_it_there(tmp_path: Path) -> None:
    rows = [json.dumps({"role": "user", "content": "A", "session": "s"}), json.dumps({"role": "user", "content": "B"})]
    with open_chats(write(tmp_path / "f", rows)) as chats, pytest.raises(InvalidInput, match="Line 2 names no session"):
        list(chats)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    (tmp_path / "f").write_bytes(json.dumps([chatgpt("c", ["Olá, Ana"])], ensure_ascii=False).encode(encoding))
    assert [said(found) for found in read(tmp_path / "f")] == [["Olá, Ana"]]


def test_broken_characters_cost_nothing_else(tmp_path: Path) -> None:
    text = json.dumps([chatgpt("c", ["A \ud83d here"]), chatgpt("d", ["B"])]).encode().replace(b'"B"', b'"B\xff"')
    (tmp_path / "f").write_bytes(text)
    assert [said(found) for found in read(tmp_path / "f")] == [["A \ud83d here"], ["B\udcff"]]


def test_from_a_pipe_and_from_streams(tmp_path: Path) -> None:
    text = json.dumps([chatgpt("c", ["A"])]).encode()
    os.mkfifo(tmp_path / "pipe")
    writer = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(text,))
    writer.start()
    assert [said(found) for found in read(tmp_path / "pipe")] == [["A"]]
    writer.join()
    with open_chats(io.BytesIO(text)) as chats:
        assert [said(found) for found in chats] == [["A"]]
    with open_chats(io.BytesIO(write_zip(tmp_path / "z", [chatgpt("c", ["A"])]).read_bytes())) as chats:
        assert [said(found) for found in chats] == [["A"]]
    os.mkfifo(tmp_path / "packed")
    writer = threading.Thread(target=(tmp_path / "packed").write_bytes, args=((tmp_path / "z").read_bytes(),))
    writer.start()
    with pytest.raises(InvalidInput, match=r"A \.zip cannot be read from a pipe"):
        read(tmp_path / "packed")
    writer.join()


# Archives


def test_archives_that_hold_something_else(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"holds no conversations\.json"):
        read(write_zip(tmp_path / "z", [], name="chats.json"))
    (tmp_path / "z").write_bytes(b"PK\x03\x04 and then nothing")
    with pytest.raises(InvalidInput, match=r"is a damaged \.zip"):
        read(tmp_path / "z")


def test_a_damaged_member_is_told(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z", [chatgpt(f"c{at}", [os.urandom(300).hex()] * 5) for at in range(200)])
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] + bytes(200) + whole[len(whole) // 2 + 200 :])
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(path)


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_an_archive_with_changed_bytes_is_read_or_refused(method: int) -> None:
    rng = random.Random(method)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt(f"c{at}", ["Where?"]) for at in range(20)]))
    whole = packed.getvalue()
    refused = 0
    for _ in range(400):
        changed = bytearray(whole)
        for _ in range(rng.choice((1, 2, 9))):
            # Headers stand at both ends; damage in the middle is mostly found by the checksum.
            at = rng.choice((rng.randrange(90), rng.randrange(len(whole)), len(whole) - 1 - rng.randrange(110)))
            changed[at] = rng.randrange(256)
        try:
            with open_chats(io.BytesIO(changed)) as chats:
                list(chats)
        except InvalidInput:
            refused += 1
    assert refused > 200


def test_an_archive_with_a_password(tmp_path: Path) -> None:
    path = write_zip(tmp_path / "z", [])
    whole = bytearray(path.read_bytes())
    at = whole.rindex(b"PK\x01\x02")
    whole[at + 8] |= 1  # says that it is encrypted
    path.write_bytes(whole)
    with pytest.raises(InvalidInput, match="locked with a password"):
        read(path)


def test_an_archive_that_would_never_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "HARMLESS", 100_000)
    with zipfile.ZipFile(tmp_path / "z", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", "[" + " " * 10_000_000 + "]")
    with pytest.raises(InvalidInput, match="would unpack to 10,000,002 bytes"):
        read(tmp_path / "z")


def test_an_archive_gives_no_more_than_it_says(tmp_path: Path) -> None:
    """One whose directory lies about the size is cut off there, and its checksum does not fit."""
    path = tmp_path / "z"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("conversations.json", json.dumps([chatgpt("c", ["A"])]) + " " * 10_000_000)
    whole = bytearray(path.read_bytes())
    at = whole.rindex(b"PK\x01\x02")
    whole[at + 24 : at + 28] = struct.pack("<I", 5_000)
    path.write_bytes(whole)
    with pytest.raises(InvalidInput, match="cannot be read"):
        read(path)


def test_conversations_are_handed_on_before_the_file_ends(tmp_path: Path) -> None:
    """What is behind does not matter: each conversation is given as soon as it is read."""
    (tmp_path / "f").write_text(json.dumps([chatgpt("c", ["A"])])[:-1] + ", " + "x" * 100)
    with open_chats(tmp_path / "f") as chats:
        first = next(iter(chats))
    assert isinstance(first, ImportedChat)
