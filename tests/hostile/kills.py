"""Kills: a process dies at any call that touches a file, in the middle of whatever writes.

A child carries out orders and says each that is done; at a call of the system that chance has chosen it kills itself.
Afterwards all that was acknowledged is there, nothing is there by half, and what was forgotten is nowhere in the bytes.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import traceback
from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from onrecord import Memory, restore
from onrecord.profiles import PROFILES
from onrecord.testing.faults import FaultVfs, File, Operation
from tests.hostile.trial import Trial

__all__ = ["WEIGHT", "case"]

WEIGHT = 0.8
KILLS = 25  # of one memory
POINTS = (8, 30)  # calls until it dies, at most
HANGS = 60  # seconds until a child is ended
WORD = re.compile(rb"zq\d{6}qz")
CALLS = (
    "open write fsync rename replace unlink remove mkdir rmdir ftruncate truncate sendfile copy_file_range chmod close"
).split()
COPY, EXPORT = "copy", "copy.jsonl"


class Order(NamedTuple):
    """What to do, in which session, with which words or number."""

    kind: str
    session: str = ""
    words: Sequence[str] = ()
    seq: int = 0


@dataclass
class State:
    """What a memory should hold: the words of each session's messages, "" where one is forgotten."""

    said: dict[str, list[str]] = field(default_factory=dict)
    others: dict[str, list[str]] = field(default_factory=dict)  # titles and pins, former ones too
    gone: set[str] = field(default_factory=set)
    copy: State | None = None

    @property
    def kept(self) -> dict[str, list[str]]:
        found = {session: [word for word in words if word] for session, words in self.said.items()}
        return {session: words for session, words in found.items() if words}

    def after(self, order: Order) -> State:
        """Return the state once an order is carried out."""
        if order.kind == "restore":
            assert self.copy is not None
            return State(**vars(deepcopy(self.copy)) | {"copy": self.copy})
        state = State(deepcopy(self.said), deepcopy(self.others), set(self.gone), self.copy)
        said = state.said.setdefault(order.session, []) if order.session else []
        match order.kind:
            case "add" | "add_many" | "import":
                said += order.words
            case "title" | "pin":
                state.others.setdefault(order.session, []).extend(order.words)
            case "forget":
                state.gone.add(said[order.seq - 1])
                said[order.seq - 1] = ""
            case "forget session":
                state.gone |= {*state.said.pop(order.session), *state.others.pop(order.session, ())}
            case "backup":
                state.copy = State(self.said, self.others, self.gone)
        return state


def case(trial: Trial) -> None:
    """A memory that is written, by process after process, each of which is killed."""
    random = trial.random
    path = f"{trial.folder}/{random.choice(('memory.db', 'memory/'))}"
    settings = {
        "durability": random.choice(("power", "process")),
        "profile": random.choice(list(PROFILES)),
        "summarize": random.choice(("inline", "manual")),
    }
    state, words = State(), iter(range(10**6))
    for _ in range(KILLS):
        orders = _orders(random, state, words)
        point = random.randrange(random.choice(POINTS))
        done, said = _killed(trial, path, settings, orders, point)
        trial.inputs += len(done)
        shown = f"{path}, {settings}, point {point}, after {orders[: len(done) + 1]}"
        trial.ensure("!" not in said, f"{said}\n{shown}")
        for order in orders[: len(done)]:
            state = state.after(order)
        begun = orders[len(done)] if len(done) < len(orders) else None
        if "p" not in done and (begun is None or begun.kind != "restore"):
            _ensure_gone(trial, state, f"forgotten, acknowledged and on the disk: {shown}")
        states = [state, state.after(begun)] if begun else [state]
        _check_copies(trial, path, states, shown)
        state = _check(trial, path, settings, states, shown)
        state.copy = None


def _orders(random: Random, state: State, numbers: Any) -> list[Order]:
    """Orders that can be carried out one after the other."""
    orders: list[Order] = []
    for _ in range(random.choice((1, 1, 2, 3))):
        session = random.choice("abc")
        words = [f"zq{next(numbers):06d}qz" for _ in range(random.choice((1, 3, 12)))]
        order = Order(random.choice(list(_KINDS)), session, words[:1])
        kept = [seq for seq, word in enumerate(state.said.get(session, ()), 1) if word]
        match order.kind:
            case "add_many":
                order = order._replace(words=words)
            case "import":
                order = order._replace(words=words, session=f"i{next(numbers)}")
            case "forget" | "forget session" | "title" | "pin" | "summarize" if not kept:
                order = order._replace(kind="add")
            case "forget":
                order = order._replace(seq=random.choice(kept), words=())
            case "backup" if state.copy:
                order = order._replace(kind="restore")
            case "restore" if not state.copy:
                orders.append(Order("backup"))
                state = state.after(orders[-1])
        state = state.after(order)
        orders.append(order)
    return orders


def _text(word: str) -> str:
    more = "and tea, and more of it " * (900 if word[7] in "37" else 0)
    return f"I live in {word}, I like {word}, and my dog is called {word}. {more}"


def _lines(order: Order) -> list[str]:
    """An export that holds one session."""
    messages = [
        {"session": order.session, "seq": seq, "id": f"{order.session} {seq}", "role": "user", "text": _text(word)}
        for seq, word in enumerate(order.words, 1)
    ]
    items: list[dict[str, Any]] = [{"format": "onrecord-export", "version": 1}, {"session": {"id": order.session}}]
    items += [{"message": message | {"time": "2026-05-05T10:00:00Z"}} for message in messages]
    return [json.dumps(item) for item in (*items, {"end": {"sessions": 1, "messages": len(messages)}})]


def _copy_of(memory: Memory) -> str:
    path = Path(memory._address)
    return str(path.with_name(COPY)) + ("/" if memory._address.endswith("/") else "")


def _restored(memory: Memory) -> None:
    memory.close()
    restore(_copy_of(memory), memory._address)


_KINDS: dict[str, Callable[[Memory, Order], Any]] = {
    "add": lambda memory, order: memory.session(order.session).add("user", _text(order.words[0])),
    "add_many": lambda memory, order: memory.session(order.session).add_many(
        ("assistant" if number % 2 else "user", _text(word)) for number, word in enumerate(order.words)
    ),
    "title": lambda memory, order: memory.session(order.session).update(title=order.words[0], system=order.words[0]),
    "pin": lambda memory, order: memory.session(order.session).pin(_text(order.words[0])),
    "forget": lambda memory, order: memory.session(order.session).forget(order.seq),
    "forget session": lambda memory, order: memory.forget(session=order.session),
    "summarize": lambda memory, order: memory.session(order.session).summarize(1),
    "rebuild": lambda memory, order: memory.rebuild(),
    "consolidate": lambda memory, order: memory.consolidate(),
    "flush": lambda memory, order: (memory.facts(), memory.search("dog"), memory.flush()),
    "import": lambda memory, order: memory.import_(_lines(order)),
    "export": lambda memory, order: memory.export(Path(memory._address).with_name(EXPORT)),
    "backup": lambda memory, order: memory.backup(_copy_of(memory)),
    "restore": lambda memory, order: _restored(memory),
}


def _opened(path: str, settings: dict[str, Any]) -> Memory:
    return Memory(path, embedder=None, **settings)


def _killed(trial: Trial, path: str, settings: dict[str, Any], orders: Sequence[Order], point: int) -> tuple[str, str]:
    """Have a child carry out orders and die; a letter for each that it did, "p" where bytes remain, and its fault."""
    ours, theirs = os.pipe()
    pid = os.fork()
    if not pid:
        try:
            signal.alarm(HANGS)
            countdown = _Countdown(point, begun=point % 5 == 0)
            memory = _opened(path, settings)
            for order in orders:
                countdown.begun |= order is orders[-1]
                answer = _KINDS[order.kind](memory, order)
                if order.kind == "restore":
                    memory = _opened(path, settings)
                os.write(theirs, b"p" if getattr(answer, "pending", False) else b".")
            memory.close()
        except BaseException:  # noqa: BLE001 - the parent tells of it, whatever it is
            os.write(theirs, f"!{traceback.format_exc()[-2_000:]}".encode())
        finally:
            os._exit(0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        done, mark, fault = pipe.read().decode().partition("!")
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    trial.kills += status == -signal.SIGKILL
    if status not in (0, -signal.SIGKILL):
        mark, fault = "!", f"the child ended with {status}"
    return done, mark + fault


class _Countdown(FaultVfs):
    """Kills this process at one of its calls that change a file, once it has begun to count."""

    def __init__(self, calls: int, begun: bool) -> None:
        self.begun = begun
        self._left = iter(range(calls))
        super().__init__(default=True, sync=False)
        for name in CALLS:
            setattr(os, name, self._counted(getattr(os, name)))

    def meet(self, operation: Operation, file: File) -> Any:
        if operation != "read":
            self._tick()
        return super().meet(operation, file)

    def _tick(self) -> None:
        if self.begun and next(self._left, None) is None:
            os.kill(os.getpid(), signal.SIGKILL)

    def _counted(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def counting(*args: Any, **named: Any) -> Any:
            self._tick()
            return call(*args, **named)

        return counting


def _ensure_gone(trial: Trial, state: State, shown: str) -> None:
    for place in sorted(trial.folder.rglob("*")):
        if place.is_file() and place.relative_to(trial.folder).parts[0] not in _copies():
            data = place.read_bytes()
            found = {word.decode() for word in WORD.findall(data) + WORD.findall(data.replace(b"\0", b""))}
            left = sorted(found & state.gone)
            trial.ensure(not left, f"{left[:3]} in {place.name}, {shown}")


def _copies() -> tuple[str, ...]:
    return EXPORT, COPY, *(COPY + end for end in ("-wal", "-shm", "-damaged"))


def _check_copies(trial: Trial, path: str, states: Sequence[State], shown: str) -> None:
    """A backup is whole, or none; then it goes."""
    copy, export = trial.folder / COPY, trial.folder / EXPORT
    if copy.exists():
        with Memory(f"{copy}/" if path.endswith("/") else copy, embedder=None, summarize="manual") as memory:
            found = _found(memory)
            trial.ensure(any(one.copy and found == one.copy.kept for one in states), f"another backup: {shown}")
            trial.ensure(memory.check().ok, f"the backup is damaged: {shown}")
        shutil.rmtree(copy) if copy.is_dir() else copy.unlink()
    if export.exists():
        with Memory(":memory:", embedder=None, summarize="manual") as memory:
            memory.import_(export)
        export.unlink()


def _found(memory: Memory) -> dict[str, list[str]]:
    found = {}
    for info in memory.sessions():
        texts = [message.text or "" for message in memory.session(info.id).history()]
        words = [text.split()[3].strip(",") for text in texts]
        if words:
            found[info.id] = words if texts == [_text(word) for word in words] else ["other texts"]
    return found


def _check(trial: Trial, path: str, settings: dict[str, Any], states: Sequence[State], shown: str) -> State:
    """Which of the states it is: all of it, sound, and nothing else anywhere."""
    with _opened(path, settings) as memory:
        found = _found(memory)
        memory.facts(), memory.episodes(), memory.search("dog")
        findings = memory.check().findings
        trial.ensure(not findings, f"{findings}: {shown}")
        trial.ensure(memory.flush(), f"forgotten texts linger: {shown}")
    matching = [state for state in reversed(states) if state.kept == found]
    trial.ensure(bool(matching), f"acknowledged {states[0].kept}, but there is {found}: {shown}")
    (state, *_) = matching
    if len(matching) == 2:  # a title, or nothing that shows: what was forgotten before is gone in either
        state = states[1]
    _ensure_gone(trial, states[0] if states[0].kept == found else state, shown)
    left = [place.name for place in trial.folder.iterdir() if place.name.endswith("part") or "-replaced-" in place.name]
    trial.ensure(not left, f"{left}: {shown}")
    return state
