"""Files that were changed: memories, folders, exports and archives. They are read as far as they can be proved, or
refused by an error of ours; what can be rescued is sound."""

from __future__ import annotations

import json
import logging
import os
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from onrecord import Memory, doctor
from onrecord.importers import import_file
from tests.hostile.messages import asked
from tests.hostile.requests import NUMBERS, TEXTS
from tests.hostile.trial import Trial

__all__ = ["WEIGHT", "case"]

WEIGHT = 0.35
CHANGES = 8  # of one file, from the whole one each time
PAGE = 4096
LONG = 5.0  # seconds for what reads a whole file
GONE = "zqgoneqz"
PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)


def case(trial: Trial) -> None:
    """Some changes of a file of one kind."""
    logging.disable(logging.CRITICAL)
    trial.random.choice((_stores, _exports, _archives))(trial)


def _stores(trial: Trial) -> None:
    random = trial.random
    name = random.choice(("memory.db", "memory/"))
    whole, place = trial.folder / "whole", trial.folder / "changed"
    whole.mkdir()
    texts = _made(f"{whole}/{name}", closed=random.random() < 0.5)
    for _ in range(CHANGES):
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(whole, place)
        for path in random.choices(
            [path for path in sorted(place.rglob("*")) if path.is_file()], k=random.choice((1, 3))
        ):
            data = path.read_bytes()
            pages = path.name.startswith("memory.db")
            path.write_bytes(_other_pages(data, random) if pages else _other_lines(data, random))
        if random.random() < 0.5:
            _rescue(trial, f"{place}/{name}", texts)
        _use(trial, f"{place}/{name}", texts)


def _made(address: str, closed: bool) -> set[str]:
    """Make a memory with something of everything; unless it is closed, a process that died has left its log."""
    said = {chat: [f"I live in {chat}town, {number}. " + "And so on. " * 20 for number in range(12)] for chat in "stu"}
    pid = os.fork()
    if not pid:
        try:
            memory = _opened(address)
            for session, texts in said.items():
                memory.session(session).add_many([("user", text) for text in texts])
                memory.session(session).add("user", f"My codeword is {GONE}.")
                memory.session(session).forget(13)
                memory.session(session).pin(f"I am called {session}.")
                memory.session(session).summarize(1, 5)
            memory.facts(), memory.search("live"), memory.flush()
            if closed:
                memory.close()
        finally:
            os._exit(0)
    os.waitpid(pid, 0)
    return {text for texts in said.values() for text in texts}


def _opened(address: str) -> Memory:
    return Memory(address, embedder=None, summarize="inline", durability="process")


def _texts(memory: Memory) -> list[str]:
    every = [memory.session(info.id).history() for info in memory.sessions()]
    return [message.text or "" for some in every for message in some if message.state == "kept"]


def _use(trial: Trial, address: str, texts: set[str]) -> None:
    memory = trial.ask(_opened, address, long=LONG)
    if memory is None:
        return
    served = set(trial.ask(_texts, memory, long=LONG) or ())
    trial.ensure(served <= texts or address.endswith("/"), "a changed message is served as whole")
    health = trial.ask(memory.check, long=LONG)
    trial.ensure(health is None or bool(health.findings) or served == texts, "damaged, and check() finds nothing")
    for ask in trial.ask(asked, memory) or ():
        trial.ask(ask, long=LONG)
    folder = Path(address).parent
    for ask in (
        lambda: memory.session("s").add("user", "And more."),
        lambda: memory.session("s").forget(1),
        lambda: memory.export(folder / "export.jsonl"),
        lambda: memory.backup(f"{folder}/backup" + address[len(address.rstrip("/")) :]),
        lambda: memory.forget(session="t"),
        memory.close,
    ):
        trial.ask(ask, long=LONG)


def _rescue(trial: Trial, address: str, texts: set[str]) -> None:
    rescued = Path(address).parent.parent / f"rescued-{trial.inputs}.db"
    if trial.ask(doctor, address, rescue_to=rescued, long=LONG) is None:
        return
    with _opened(str(rescued)) as memory:
        found = [message for info in memory.sessions() for message in memory.session(info.id).history()]
        whole = {message.text for message in found if not (message.meta or {}).get("damaged")}
        trial.ensure(address.endswith("/") or whole <= texts, "a changed message was rescued as whole")
        trial.ensure(memory.check().ok, "what was rescued is damaged")


def _other_pages(data: bytes, random: Random) -> bytes:
    """A few pages changed, or the end missing."""
    for _ in range(random.choice((1, 1, 3, 10))):
        start = random.randrange(max(1, len(data) // PAGE)) * PAGE
        page, other = data[start : start + PAGE], random.randrange(max(1, len(data) // PAGE)) * PAGE
        at = random.randrange(len(page)) if page else 0
        ways = (
            random.randbytes(len(page)),
            bytes(len(page)),
            data[other : other + PAGE],
            page[:at] + random.randbytes(4) + page[at + 4 :],
            bytes(byte ^ 1 << at % 8 if random.random() < 0.01 else byte for byte in page),
            page[: at // 40] + random.randbytes(20) + page[at:],
        )
        data = data[:start] + random.choice(ways)[: len(page)].ljust(len(page), b"\0") + data[start + PAGE :]
    return data[: random.randrange(len(data) + 1)] if random.random() < 0.1 else data


def _other_lines(data: bytes, random: Random) -> bytes:
    """A few lines or bytes changed."""
    lines = data.split(b"\n")
    for _ in range(random.choice((1, 1, 3))):
        at = random.randrange(len(lines))
        line = lines[at]
        middle = random.randrange(len(line) + 1)
        ways: tuple[list[bytes], ...] = (
            [],
            [line, line],
            [random.choice(lines)],
            [line[:middle] + random.randbytes(2) + line[middle + 2 :]],
            [line[:middle]],
            [_other_json(line, random)],
        )
        lines[at : at + 1] = random.choice(ways)
        lines = lines or [b""]
    return b"\n".join(lines)


def _other_json(line: bytes, random: Random) -> bytes:
    try:
        return json.dumps(_other_value(json.loads(line), random)).encode()
    except ValueError:
        return line


def _other_value(value: Any, random: Random) -> Any:
    """The value with one place in it that is another."""
    if value and isinstance(value, (dict, list)) and random.random() < 0.9:
        at: Any = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
        if random.random() < 0.1:
            del value[at]
        else:
            value[at] = _other_value(value[at], random)
        return value
    return random.choice((random.choice(TEXTS), random.choice(NUMBERS), None, True, [], {}, [value], {"a": value}))


def _exports(trial: Trial) -> None:
    """Exports into a memory that holds something already, which stays."""
    random = trial.random
    _made(f"{trial.folder}/memory.db", closed=True)
    with _opened(f"{trial.folder}/memory.db") as memory:
        memory.export(trial.folder / "export.jsonl")
    whole = (trial.folder / "export.jsonl").read_bytes()
    for number in range(CHANGES):
        path = trial.folder / f"{number}.jsonl"
        path.write_bytes(_other_lines(whole, random))
        _bring(trial, number, lambda memory, path=path: memory.import_(path))  # type: ignore[misc]


def _archives(trial: Trial) -> None:
    """What other programs export: as JSON, as lines, and packed."""
    random = trial.random
    for number in range(CHANGES):
        chats = [random.choice((_of_chatgpt, _of_claude))(name) for name in ("c1", "c2")]
        for _ in range(random.choice((0, 1, 3, 20))):
            chats = _other_value(chats, random) if isinstance(chats, list) else chats
        data = json.dumps(chats).encode()
        if random.random() < 0.3:
            lines = [{"session": "x", "role": "user", "content": "Hello.", "id": str(one)} for one in range(5)]
            data = _other_lines(b"\n".join(json.dumps(line).encode() for line in lines), random)
        path = trial.folder / f"{number}.json"
        path.write_bytes(_other_lines(data, random) if random.random() < 0.3 else data)
        if random.random() < 0.5:
            packed = trial.folder / f"{number}.zip"
            with zipfile.ZipFile(packed, "w", random.choice(PACKED)) as archive:
                archive.write(path, "conversations.json")
            path = packed
            if random.random() < 0.7:
                path.write_bytes(_other_pages(path.read_bytes(), random))
        _bring(trial, number, lambda memory, path=path: import_file(memory, path))  # type: ignore[misc]


def _of_chatgpt(name: str) -> dict[str, Any]:
    nodes = {
        str(number): {
            "id": str(number),
            "parent": str(number - 1) if number else None,
            "children": [str(number + 1)],
            "message": {
                "id": f"{name} {number}",
                "author": {"role": ("user", "assistant")[number % 2], "metadata": {}},
                "create_time": 1_700_000_000.0 + number,
                "content": {"content_type": "text", "parts": [f"I live in {name}."]},
                "metadata": {},
            },
        }
        for number in range(4)
    }
    return {
        "title": "A",
        "create_time": 1_700_000_000.0,
        "mapping": nodes,
        "current_node": "3",
        "conversation_id": name,
    }


def _of_claude(name: str) -> dict[str, Any]:
    time = "2026-05-05T10:00:00Z"
    said = [{"uuid": f"{name}{n}", "sender": "human", "text": "I live.", "created_at": time} for n in range(4)]
    return {"uuid": name, "name": "A", "created_at": time, "updated_at": time, "chat_messages": said}


def _bring(trial: Trial, number: int, bring: Callable[[Memory], object]) -> None:
    place = trial.random.choice((":memory:", f"{trial.folder}/into{number}.db", f"{trial.folder}/into{number}/"))
    with _opened(place) as memory:
        good = memory.session("good")
        good.add_many([("user", f"I live in Porto, number {number}.") for number in range(5)])
        before = list(good.history())
        trial.ask(bring, memory, long=LONG)
        refused = trial.refused
        for ask in asked(memory):
            trial.ask(ask, long=LONG)
            trial.ensure(trial.refused == refused, f"{ask} was refused")
        trial.ensure(list(good.history()) == before, "what was there was changed")
        findings = [one for one in memory.check().findings if one.kind != "skipped"]
        trial.ensure(not findings, f"{findings}")
