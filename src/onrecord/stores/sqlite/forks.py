"""Connections over a fork.

SQLite's locks belong to a process, and what it knows of them lies in memory, which a child inherits with the open
connections: a new connection beside them would believe in locks that the child does not hold. So a fork waits until no
operation is under way, and the child closes what it inherited before it opens anything of its own.
"""

from __future__ import annotations

import os
import threading
from typing import Protocol
from weakref import WeakSet

__all__ = ["Gate", "watch_forks"]

PATIENCE = 10.0  # seconds a fork waits for operations of other threads to end


class Gate:
    """Counts the operations under way, so that a fork can wait until there are none, and lets none begin meanwhile."""

    __slots__ = ("_awaited", "_inside", "_left", "_lock")

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._left = threading.Condition(self._lock)
        self._awaited = False  # telling nobody costs time in every operation, so it is only done for a fork
        self._inside = 0

    def __enter__(self) -> None:
        with self._lock:
            while self._awaited:
                self._left.wait()
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if self._awaited:
                self._left.notify_all()

    def shut(self, patience: float) -> bool:
        """Let nobody in any more, wait until nobody is inside, and keep the gate; False if somebody stayed."""
        self._lock.acquire()
        self._awaited = True
        return self._left.wait_for(lambda: self._inside == 0, patience)

    def open(self) -> None:
        self._awaited = False
        self._left.notify_all()
        self._lock.release()


class Forkable(Protocol):
    """What has connections."""

    gate: Gate

    def after_fork_in_child(self, idle: bool) -> None: ...


_watching = threading.Lock()  # a set must not change while it is listed
_watched: WeakSet[Forkable] = WeakSet()
_shut: list[tuple[Forkable, bool]] = []


def watch_forks(item: Forkable) -> None:
    """Have `item` told when this process forks, for as long as it lives."""
    with _watching:
        _watched.add(item)


def _before() -> None:
    with _watching:
        watched = list(_watched)
    _shut.extend((item, item.gate.shut(PATIENCE)) for item in watched)


def _after_in_parent() -> None:
    for item, _ in _shut:
        item.gate.open()
    _shut.clear()


def _after_in_child() -> None:
    for item, idle in _shut:
        item.after_fork_in_child(idle)
    _shut.clear()


if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
    os.register_at_fork(before=_before, after_in_parent=_after_in_parent, after_in_child=_after_in_child)
