"""What was forgotten is gone from the bytes on disk: file, log, index, and whatever lies beside them."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from disk_tools import forms, hold_reader, read_files

from onrecord import Memory
from onrecord.ports import Batch, Target
from onrecord.records import EPOCH, Block, Message, Query, Record, Role
from onrecord.settings import Settings
from onrecord.stores import open_store
from onrecord.testing.faults import FaultVfs

pytestmark = pytest.mark.usefixtures("disk")

SETTINGS = Settings(durability="process", busy_timeout=5.0)
ALPHABETS = {
    "ascii": "abcdefghijklmnopqrstuvwxyz",
    "digits": "0123456789abcdef",
    "cyrillic": "абвгдежзиклмнопрстуфхцчшщ",
    "cjk": "".join(map(chr, range(0x4E00, 0x5800))),
    "emoji": "".join(map(chr, range(0x1F300, 0x1F5FF))),
}
MESSAGE_WORDS = {
    "text": "zyxomma Quixotry 鳳梨酥甜味 🧠🦑🪆🛸 Ягодник",
    "name": "nameblorptz",
    "id": "idvexmorq",
    "key": "keyplinthq",
    "model": "modelzarquon",
    "meta": "metafnordle 秘密檔案 🪲🧿",
    "call": "callgrumbix",
    "arguments": "argumentsvoop ünïqüe",
    "tool": "toolsnarkle",
    "broken": "brokenwumpus",
}
SESSION_WORDS = {
    "id": "sessionquop 機密會話",
    "title": "titlemizzle 🪐🫧",
    "system": "systemgrawlix Ünwörd",
    "model": "modelblatherskite",
    "meta": "metaskookum 暗號",
}

RECORD_WORDS = {
    "body": "summarywhelk Quibblefrotz 摘要內容物 🪀🪁",
    "key": "recordkeyzibble",
    "broken": "brokendrabble",
}


def lying_about(folder: Path, words: Iterable[str]) -> list[str]:
    """Those words, or single parts of them, that some file still holds in any form."""
    files = list(read_files(folder).values())
    parts = {part for word in words for part in (word, *word.split())}
    return sorted(part for part in parts if any(form in data for form in forms(part) for data in files))


def keeping(path: Path, size: int) -> Memory:
    """A memory for so many messages; where they are many, it is their pages that matter, not what is made of them."""
    return Memory(path, summarize="manual" if size > 1000 else "inline")


def filler(rng: random.Random, count: int) -> Iterator[tuple[Role, str]]:
    for number in range(count):
        yield "user", f"line {number} " + " ".join(f"common{rng.randrange(400)}" for _ in range(rng.randrange(20)))


def plant(memory: Memory, session: str) -> list[int]:
    """Messages that hold the planted words in every place a caller can put one; answers their numbers."""
    chat, words = memory.session(session), MESSAGE_WORDS
    call = {"id": words["call"], "name": words["tool"], "arguments": words["arguments"]}
    first = chat.add(
        "assistant",
        words["text"],
        name=words["name"],
        id=words["id"],
        key=words["key"],
        model=words["model"],
        tool_calls=[call],
        meta={words["meta"]: [words["meta"]]},
    )
    second = chat.add("tool", f"{words['broken']}\0\ud800 end", tool_call_id=words["call"])
    long = chat.add("user", (words["text"] + " ") * 500)
    return [first.seq, second.seq, long.seq]


def write(memory: Memory, session: str, *records: Record, drops: Iterable[str] = ()) -> None:
    """Write derived records, and drop summaries by their keys."""
    gone = [("summary", key) for key in drops]
    memory._store.commit(Batch(space=memory.name, session=session, records=records, drops=gone, time=EPOCH))


def summary(session: str, key: str, first: int, last: int, text: str, fixed: bool = False) -> Record:
    body = {"text": text, "data": {"facts": [text]}}
    record = Record(session=session, kind="summary", plan="p", level=1, key=key, fixed=fixed, body=body)
    return replace(record, first=first, last=last, until=last)


def plant_records(memory: Memory, session: str, seqs: list[int]) -> list[str]:
    """Derived records that quote the planted messages, or say what came of them in other words."""
    words = RECORD_WORDS
    write(
        memory,
        session,
        summary(session, words["key"], seqs[0], seqs[-1], words["body"]),
        summary(session, "fixed", seqs[0], seqs[0], f"{MESSAGE_WORDS['text']} and {words['body']}", fixed=True),
        summary(session, "long", seqs[1], seqs[2], f"{words['body']} " * 300, fixed=True),
        summary(session, "surrogate", seqs[0], seqs[-1], f"{words['broken']}\ud800"),
    )
    return [*MESSAGE_WORDS.values(), *words.values()]


def fill_records(rng: random.Random, memory: Memory, session: str, count: int) -> None:
    """Free records beside them, so that pages are split and merged."""
    for number in range(count):
        text = " ".join(f"common{rng.randrange(400)}" for _ in range(rng.randrange(60)))
        write(memory, session, summary(session, f"filler {rng.randrange(count)} {number % 7}", 0, 0, text))


def fed(path: Path, space: str, word: str) -> int:
    """How many messages with a word the feed of the space has."""
    with closing(open_store(str(path), SETTINGS)) as store:
        found = [arrival.item for arrival in store.feed(space, 0, 100_000)]
        return sum(isinstance(item, Message) and word in item.text for item in found)


@pytest.mark.parametrize("size", [1, 100, 1500])
def test_messages(tmp_path: Path, size: int) -> None:
    path, rng = tmp_path / "memory.db", random.Random(size)
    with keeping(path, size) as memory:
        chat = memory.session("chat")
        chat.add_many(filler(rng, size // 2))
        seqs = plant(memory, "chat")
        memory.session("beside").add_many([("user", "unrelated neighbour"), *filler(rng, size)])
        chat.add_many([("user", "unrelated successor"), *filler(rng, size // 2)])
        assert len(lying_about(tmp_path, MESSAGE_WORDS.values())) > len(MESSAGE_WORDS)
        report = chat.forget(*seqs)
        assert (report.messages, report.pending) == (3, False)
        assert lying_about(tmp_path, MESSAGE_WORDS.values()) == []
        assert len(list(chat.history())) == size // 2 * 2 + 1
        assert memory.check().findings == ()
    assert fed(path, "default", "unrelated") == 2
    assert fed(path, "default", "zyxomma") == 0
    assert lying_about(tmp_path, MESSAGE_WORDS.values()) == []


@pytest.mark.parametrize("size", [1, 100, 1500])
@pytest.mark.parametrize("whole", ["session", "space"])
def test_sessions_and_spaces(tmp_path: Path, size: int, whole: str) -> None:
    path, rng, words = tmp_path / "memory.db", random.Random(size), SESSION_WORDS
    with keeping(path, size) as memory:
        memory.session("stays").add_many([("user", "unrelated neighbour"), *filler(rng, size)])
        inner = memory.space("spacexylograph 空間名") if whole == "space" else memory
        chat = inner.session(words["id"])
        chat.update(title=words["title"], system=words["system"] * 300, model=words["model"], meta={"a": words["meta"]})
        for part in range(4):  # interleaved with another session's
            chat.add_many(filler(rng, size // 4 + 1))
            plant(inner, words["id"]) if part == 2 else None
            memory.session("stays").add_many(filler(rng, size // 4))
        planted = [*words.values(), *MESSAGE_WORDS.values(), *(["spacexylograph 空間名"] if whole == "space" else [])]
        report = memory.forget(space=inner.name) if whole == "space" else memory.forget(session=words["id"])
        assert (report.sessions, report.spaces, report.pending) == (1, int(whole == "space"), False)
        assert report.messages == 4 * (size // 4 + 1) + 3
        assert lying_about(tmp_path, planted) == []
        assert memory.check().findings == ()
        assert memory.session("stays").info().last_seq == 1 + size + 4 * (size // 4)
    assert fed(path, "default", "unrelated") == 1


@pytest.mark.parametrize("size", [1, 100, 1000])
@pytest.mark.parametrize("forgetting", ["message", "session", "space"])
def test_derived_records(tmp_path: Path, size: int, forgetting: str) -> None:
    """What was derived from a message goes with it: summaries that quote it, or say it in other words."""
    path, rng = tmp_path / "memory.db", random.Random(size)
    with Memory(path, durability="process") as whole:
        memory = whole.space("ana")
        fill_records(rng, memory, "chat", size // 2)
        memory.session("chat").add_many(filler(rng, size // 2))
        seqs = plant(memory, "chat")
        planted = plant_records(memory, "chat", seqs)
        fill_records(rng, memory, "chat", size)
        fill_records(rng, memory, "beside", size)
        assert set(RECORD_WORDS.values()) <= set(lying_about(tmp_path, planted))
        report = memory.forget(**target(forgetting, seqs))
        assert report.records >= 4
        assert not report.pending
        assert lying_about(tmp_path, planted) == []
        assert whole.check().findings == ()
        left = [
            record.key for record in memory._store.records("ana", "chat", Query(kind="summary", plan="p", empty=True))
        ]
        assert left == (["fixed", "long"] if forgetting == "message" else [])
    assert lying_about(tmp_path, planted) == []


@pytest.mark.parametrize("size", [1, 50, 400])
@pytest.mark.parametrize("way", ["replaced", "dropped", "emptied"])
def test_what_stood_in_a_record_before_is_gone_too(tmp_path: Path, size: int, way: str) -> None:
    """A text that was replaced, or went, before the message was forgotten: its copies on split pages do not outlive
    the message either, though nobody knows the text any more."""
    rng = random.Random(size)
    with Memory(tmp_path / "memory.db", durability="process") as memory:
        memory.session("chat").add_many([("user", "first"), ("user", "second")])
        words = ["".join(rng.choices(ALPHABETS["ascii"], k=12)) for _ in range(size)]
        for number, word in enumerate(words):
            write(memory, "chat", summary("chat", f"{number}", 1, 1, word * rng.choice((1, 5, 30)), fixed=True))
            write(memory, "chat", *(summary("chat", f"{rng.randrange(size)}", 1, 1, word * 9) for _ in range(3)))
        if way == "emptied":
            memory.session("chat").forget(1)
        elif way == "dropped":
            write(memory, "chat", drops=map(str, range(size)))
        else:
            write(memory, "chat", *(summary("chat", f"{number}", 2, 2, "harmless") for number in range(size)))
        memory.session("chat").forget(1, 2)
        assert lying_about(tmp_path, words) == []
        assert memory.check().findings == ()


@pytest.mark.parametrize("forgetting", ["message", "session", "space"])
def test_derived_records_in_a_folder(tmp_path: Path, forgetting: str) -> None:
    with Memory(f"{tmp_path}/folder/") as whole:
        memory = whole.space("ana")
        seqs = plant(memory, "chat")
        planted = plant_records(memory, "chat", seqs)
        memory.flush()
        write(memory, "chat", summary("chat", "again", seqs[0], seqs[0], RECORD_WORDS["body"]))
        assert set(RECORD_WORDS.values()) <= set(lying_about(tmp_path, planted))
        assert memory.forget(**target(forgetting, seqs)).records >= 4
        assert lying_about(tmp_path, planted) == []


def test_a_reader_delays_it_for_derived_records_too(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        seqs = plant(memory, "chat")
        planted = plant_records(memory, "chat", seqs)
        with hold_reader(path):
            erased = memory._store.erase(Target(space="default", session="chat", seqs=tuple(seqs), time=EPOCH))
            assert (erased.records, erased.pending) == (4, True)
        assert memory.flush()
        assert lying_about(tmp_path, planted) == []


def save_blocks(memory: Memory, word: str, sizes: list[int]) -> None:
    """Index blocks of two plans: the first holds a word, the others stand beside it."""
    texts = [word, *(f"neighbour{number}" for number in range(1, len(sizes)))]
    bodies = [(f"{text} ".encode() * size)[:size] for text, size in zip(texts, sizes, strict=True)]
    for plan in ("one", "two"):
        blocks = [Block(number=number, body=body) for number, body in enumerate(bodies)]
        assert memory._store.save_blocks(memory.name, plan, blocks, memory._store.revision(memory.name))


@pytest.mark.parametrize("place", ["memory.db", "folder/"])
@pytest.mark.parametrize("forgetting", ["message", "session", "space", "pin"])
def test_index_blocks(tmp_path: Path, place: str, forgetting: str) -> None:
    """They go with what they are about, and those that they replaced before as well."""
    sizes, rng = [60, 300, 900, 1_500, 4_080, 5_000, 20_000, 300_000], random.Random(1)
    words = [f"blockword{number}zyx" for number in range(12)]
    pin = Record(session="chat", kind="pin", plan="p", key="pin", body={"text": "pinned"})
    with Memory(f"{tmp_path}/{place}", durability="process", summarize="manual") as whole:
        memory = whole.space("ana")
        memory.session("chat").add("user", "hello")
        write(memory, "chat", pin)
        memory.session("beside").add("user", "stays")
        for word in words:  # grown and shrunk in turn, which moves their neighbours
            save_blocks(memory, word, rng.sample(sizes, len(sizes)))
            write(memory, "beside", replace(pin, session="beside", key=word[-5:], body={"text": "x" * 500}))
        assert lying_about(tmp_path, words[-1:]) == words[-1:]
        if forgetting == "pin":
            write(memory, "chat", replace(pin, body={"text": "other"}))
            assert memory.flush()
        else:
            assert not memory.forget(**target(forgetting, [1])).pending
        assert lying_about(tmp_path, words) == []
        stay = [] if forgetting == "space" else list(range(1, len(sizes)))
        assert [block.number for block in memory._store.blocks("ana", "two")] == stay
        assert whole.check().findings == ()


@pytest.mark.parametrize("place", ["memory.db", "folder/"])
def test_an_old_title_is_gone_with_its_session(tmp_path: Path, place: str) -> None:
    """What was replaced before the session was forgotten does not outlive it either."""
    with Memory(f"{tmp_path}/{place}") as memory:
        chat = memory.session("chat")
        for words in (SESSION_WORDS["title"], SESSION_WORDS["system"], "last"):
            chat.update(title=words, system=words * 500)
        chat.add("user", "hello")
        memory.forget(session="chat")
        assert lying_about(tmp_path, SESSION_WORDS.values()) == []


def test_a_reader_delays_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with Memory(path) as memory:
        seqs = plant(memory, "chat")
        memory.session("chat").add("user", "stays")
        with hold_reader(path):
            assert memory.session("chat").forget(*seqs).pending
            assert not memory.flush()
            assert [message.text for message in memory.session("chat").history()] == ["stays"]
        assert memory.flush()
        assert lying_about(tmp_path, MESSAGE_WORDS.values()) == []


@pytest.mark.parametrize("forgetting", ["message", "session", "space"])
def test_a_reader_outlives_the_process(tmp_path: Path, forgetting: str) -> None:
    """Nobody flushes, the memory is closed with the reader still there: the next who flushes finishes it."""
    path = tmp_path / "memory.db"
    with hold_reader_of_new(path), Memory(path) as memory:
        seqs = plant(memory.space("ana"), "chat")
        memory.space("ana").forget(**target(forgetting, seqs))
    with Memory(path) as memory:
        assert memory.flush()
        assert lying_about(tmp_path, MESSAGE_WORDS.values()) == []


def hold_reader_of_new(path: Path) -> Any:
    """A reader from before anything was written."""
    Memory(path).close()
    return hold_reader(path)


def leave_copy(path: Path, text: str) -> None:
    """Put a text where SQLite leaves one when rows move: into the unused middle of a page. The file must be closed."""
    data, page = bytearray(path.read_bytes()), 4096
    for start in range(page, len(data), page):
        begin = start + 8 + 2 * int.from_bytes(data[start + 3 : start + 5])
        end = start + int.from_bytes(data[start + 5 : start + 7])
        if data[start] == 13 and end - begin > len(text.encode()):
            data[end - len(text.encode()) : end] = text.encode()
            path.write_bytes(data)
            return
    raise AssertionError("no page has room")


def with_copies(path: Path) -> list[int]:
    """A memory whose planted words also lie in unused parts; answers the numbers of the messages that hold them."""
    with Memory(path) as memory:
        seqs = plant(memory.space("ana"), "chat")
        memory.space("ana").session("chat").add("user", "stays")
    leave_copy(path, f"{MESSAGE_WORDS['text']} and {MESSAGE_WORDS['name']} {MESSAGE_WORDS['id']}")
    return seqs


@pytest.mark.parametrize("forgetting", ["message", "session", "space"])
def test_copies_in_unused_parts_go_too(tmp_path: Path, forgetting: str) -> None:
    path = tmp_path / "memory.db"
    seqs = with_copies(path)
    with Memory(path, space="ana") as memory:
        assert not memory.forget(**target(forgetting, seqs)).pending
        assert lying_about(tmp_path, MESSAGE_WORDS.values()) == []


@pytest.mark.parametrize("said", [False, True])
def test_a_single_word_that_is_left(tmp_path: Path, said: bool) -> None:
    """It goes too, unless another message says it as well: then it tells nothing, and the file is not rebuilt."""
    path = tmp_path / "memory.db"
    with Memory(path, summarize="manual") as memory:
        memory.session("chat").add_many([("user", "this is zyxomma, they say"), ("user", "and this stays")])
        memory.session("beside").add("user", "more zyxommata" if said else "nothing")
    leave_copy(path, "\0zyxomma\0")
    with Memory(path) as memory:
        assert not memory.session("chat").forget(1).pending
        data = path.read_bytes()
        assert (b"\0zyxomma\0" in data, b"zyxomma" in data) == (said, said)


@pytest.mark.parametrize("way", ["there", "replaced", "dropped"])
@pytest.mark.parametrize("forgetting", ["message", "session", "space"])
def test_copies_of_derived_texts_in_unused_parts_go_too(tmp_path: Path, forgetting: str, way: str) -> None:
    """Also those of texts that were replaced or dropped before, which nobody knows any more."""
    path, text = tmp_path / "memory.db", RECORD_WORDS["body"]
    with Memory(path, space="ana") as memory:
        memory.session("chat").add_many([("user", "first"), ("user", "second")])
        write(memory, "chat", summary("chat", "node", 1, 2, text, fixed=True))
        if way == "replaced":
            write(memory, "chat", summary("chat", "node", 1, 2, "harmless", fixed=True))
        elif way == "dropped":
            write(memory, "chat", drops=["node"])
    leave_copy(path, f"{text} {text}")
    with Memory(path, space="ana") as memory:
        assert memory.flush()  # nothing was forgotten yet
        assert not memory.forget(**target(forgetting, [1])).pending
        assert lying_about(tmp_path, [text]) == []
        assert memory.check().findings == ()


@pytest.mark.parametrize("field", ["title", "system", "meta", "model"])
def test_copies_of_what_a_session_was_called_before_go_too(tmp_path: Path, field: str) -> None:
    """A value that `update` replaced is not known any more when its session is forgotten."""
    path, text = tmp_path / "memory.db", SESSION_WORDS["title"]
    with Memory(path, space="ana") as memory:
        chat = memory.session("chat")
        chat.add("user", "first")
        chat.update(**{field: {"old": text} if field == "meta" else text})
        chat.update(**{field: {"new": 1} if field == "meta" else "harmless"})
    leave_copy(path, f"{text} {text}")
    with Memory(path, space="ana") as memory:
        assert not memory.forget(session="chat").pending
        assert lying_about(tmp_path, [text]) == []


def test_prompts_that_were_replaced_while_pages_split_are_gone_with_their_sessions(tmp_path: Path) -> None:
    for seed in (6, 10, 15, 21, 24):  # with these, splits left copies
        path, rng = tmp_path / f"{seed}.db", random.Random(seed)
        with Memory(path, embedder=None, summarize="manual") as memory:
            sessions = [memory.session(f"s{number}") for number in range(60)]
            secrets = ["".join(rng.choices(ALPHABETS["ascii"], k=170)) for _ in sessions]
            for session, secret in zip(sessions, secrets, strict=True):
                session.update(system=f"You serve {secret}")
            for session in sessions[::4]:
                session.update(meta={"a": "".join(rng.choices(ALPHABETS["ascii"], k=rng.randint(900, 1500)))})
            for number, session in enumerate(sessions):
                if number % 4:
                    session.update(system="You are kind.")
            gone = [number for number in range(12) if number % 4]
            for number in gone:
                assert not memory.forget(session=f"s{number}").pending
            assert lying_about(tmp_path, [secrets[number][:26] for number in gone]) == []


@pytest.mark.parametrize("finisher", ["itself", "another", "another that forgets too", "the next"])
def test_an_unfinished_forget_is_finished(tmp_path: Path, finisher: str) -> None:
    """A reader stood in the way; whoever flushes next must look for what was forgotten before its time as well."""
    path = tmp_path / "memory.db"
    seqs = with_copies(path)
    with Memory(path, space="ana") as memory, Memory(path, space="ana") as other:
        with hold_reader(path):
            assert memory.session("chat").forget(*seqs).pending
        if finisher == "another that forgets too":
            assert not other.session("chat").forget(4).pending
        if finisher == "the next":
            memory.close()
            other.close()
            other = Memory(path, space="ana")
            other.session("chat").forget(4)
        assert (memory if finisher == "itself" else other).flush()
        assert lying_about(tmp_path, MESSAGE_WORDS.values()) == []
        other.close()


def target(forgetting: str, seqs: list[int]) -> dict[str, Any]:
    targets: dict[str, dict[str, Any]] = {"message": {"session": "chat", "messages": seqs}}
    targets |= {"session": {"session": "chat"}, "space": {"space": "ana"}}
    return targets[forgetting]


class Stress:
    """Random adds and forgets of words that occur once, on messages, ids, names, sessions, titles and records."""

    def __init__(self, memory: Memory, script: str, seed: int) -> None:
        self.memory = memory
        self.rng = random.Random(f"{script} {seed}")
        self.letters = ALPHABETS[script]
        self.sessions: dict[str, dict[int, list[str]]] = {}  # the words of each message by session and number
        self.own: dict[str, list[str]] = {}  # the words of the sessions themselves
        self.records: dict[str, dict[str, tuple[Record, list[str]]]] = {}  # and of what was derived, by session and key
        self.stale: list[
            str
        ] = []  # words of records that were replaced or dropped: they go with what is forgotten next

    def word(self) -> str:
        return "".join(self.rng.choices(self.letters, k=self.rng.choice((8, 12, 20))))

    def step(self) -> list[str]:
        """Do something; answers the words that must be gone now."""
        choice = self.rng.random()
        if choice < 0.08 or not self.sessions:
            return self.new_session()
        if choice < 0.5:
            return self.add()
        if choice < 0.72:
            return self.derive()
        return self.forget_messages() if choice < 0.93 else self.forget_session()

    def new_session(self) -> list[str]:
        words = [self.word(), self.word(), self.word()]
        self.memory.session(words[0]).update(title=words[1], system=words[2])
        self.sessions[words[0]], self.own[words[0]], self.records[words[0]] = {}, words, {}
        return []

    def add(self) -> list[str]:
        session = self.rng.choice(list(self.sessions)[-8:])
        words = [self.word() for _ in range(self.rng.choice((5, 7, 30)))]
        receipt = self.memory.session(session).add(
            "user", " ".join(words[4:]), id=words[0], name=words[1], model=words[2], meta={"a": words[3]}
        )
        self.sessions[session][receipt.seq] = words
        return []

    def derive(self) -> list[str]:
        """Write a record over some messages, anew or in place of another, which may be dropped as well."""
        session = self.rng.choice(list(self.sessions)[-8:])
        known, last = self.records[session], max(self.sessions[session], default=0)
        first = self.rng.randint(1, last) if last else 0
        words = [self.word() for _ in range(self.rng.choice((2, 12, 60)))]
        old = self.rng.choice(sorted(known)) if known and self.rng.random() < 0.4 else None
        key = words[0] if old is None or self.rng.random() < 0.3 else old
        record = summary(
            session, key, first, self.rng.randint(first, last), " ".join(words[1:]), self.rng.random() < 0.5
        )
        write(self.memory, session, record, drops=[] if old in (None, key) else [old])
        if old is not None:
            self.stale += known.pop(old)[1] if old != key else known.pop(old)[1][1:]
        known[key] = record, [key, *words[1:]]
        return []

    def forget_messages(self) -> list[str]:
        session = self.rng.choice(list(self.sessions))
        messages = self.sessions[session]
        seqs = self.rng.sample(sorted(messages), min(len(messages), self.rng.choice((1, 1, 4))))
        if not seqs:
            return []
        assert not self.memory.session(session).forget(*seqs).pending
        return [*(word for seq in seqs for word in messages.pop(seq)), *self.derived_gone(session, sorted(seqs))]

    def derived_gone(self, session: str, seqs: list[int]) -> list[str]:
        """The words that went with messages: of the records that came from them, and of those replaced before."""
        gone, self.stale = self.stale, []
        for key, (record, words) in list(self.records[session].items()):
            if record.comes_from(seqs):
                self.records[session][key] = record, words[:1]
                gone += words[1:]
                if not record.fixed:
                    del self.records[session][key]
                    gone.append(key)
        return gone

    def forget_session(self) -> list[str]:
        session = self.rng.choice(list(self.sessions))
        assert not self.memory.forget(session=session).pending
        gone, self.stale = self.stale, []
        gone += [word for _, words in self.records.pop(session).values() for word in words]
        gone += self.own.pop(session)
        return gone + [word for words in self.sessions.pop(session).values() for word in words]


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("script", ALPHABETS)
def test_many_adds_and_forgets(tmp_path: Path, disk: FaultVfs, kills: int, script: str, seed: int) -> None:
    """Pages are split, merged and moved meanwhile: no copy of a forgotten word stays behind on one."""
    path, gone = tmp_path / "memory.db", set[bytes]()
    Memory(path).close()
    # opened before the memory and closed after it: closing drops the locks that this process has on the file
    with path.open("rb", buffering=0) as file, Memory(path, durability="process") as memory:
        stress = Stress(memory, script, seed)
        for operation in range(10 * kills if kills >= 50 else 300):
            words = {form for word in stress.step() for form in (word.encode(), json.dumps(word)[1:-1].encode())}
            if words:
                file.seek(0)
                data = file.read()
                left = [word.decode() for word in words if word in data and word not in _living(stress, memory)]
                assert left == [], f"operation {operation} of seed {script} {seed}"
                gone |= words
        everything = b"".join(read_files(tmp_path).values())
        living = _living(stress, memory)
        left = [word.decode() for word in gone if word in everything and word not in living]
        assert left == [], f"seed {script} {seed}"
        assert memory.check().findings == ()
        assert {
            (session, key): set(words[1:])
            for session, known in stress.records.items()
            for key, (_, words) in known.items()
        } == {
            (info.id, record.key): set(str(record.body["text"]).split()) if record.body else set()
            for info in memory.sessions()
            for record in memory._store.records("default", info.id, Query(kind="summary", plan="p"))
        }
        kept = {(name, seq): words for name, chat in stress.sessions.items() for seq, words in chat.items()}
        assert kept == {
            (info.id, message.seq): [message.id, message.name, message.model, message.meta["a"], *message.text.split()]
            for info in memory.sessions()
            for message in memory.session(info.id).history()
        }


def _living(stress: Stress, memory: Memory) -> bytes:
    """All words that are kept: a short one that is gone may by chance be a part of one of them."""
    kept = [word for chat in stress.sessions.values() for words in chat.values() for word in words]
    kept += [word for known in stress.records.values() for _, words in known.values() for word in words]
    kept += [str(info.to_dict()) for info in memory.sessions()]
    return " ".join(str(word) for word in kept).encode("utf-8", "surrogatepass")


def test_short_messages_become_longer_tombstones(tmp_path: Path, disk: FaultVfs, kills: int) -> None:
    """A tombstone may need more room than its message did, which moves the neighbours: they leave no copy either."""
    path, rng = tmp_path / "memory.db", random.Random(1)
    Memory(path).close()
    with path.open("rb", buffering=0) as file, Memory(path, durability="process") as memory:
        chat = memory.session("chat")
        ids = [f"{rng.getrandbits(40):010x}" for _ in range(1500)]
        texts = [chr(0x1F300 + number // 700) + chr(0x1F300 + number % 700) + "🜚🜛" for number in range(1500)]
        chat.add_many({"role": "user", "text": text, "id": id} for text, id in zip(texts, ids, strict=True))
        for number in rng.sample(range(1500), 600 if kills >= 50 else 200):
            assert not chat.forget(number + 1).pending
            file.seek(0)
            data = file.read()
            assert texts[number].encode() not in data, f"message {number + 1}"
            assert ids[number].encode() not in data, f"id of message {number + 1}"
