"""A network that fails on command: a door on this machine that passes everything on to a server, until it does not.

    with Server() as server, Proxy(server.port) as network:
        url = server.url(port=network.port)
        network.when(b"COMMIT", network.drop_answers)  # it is committed, and nobody hears of it

One thread owns all its connections, so that what is asked for has happened when the call returns. All of it may be
called from any thread, and from an action that waits for bytes.
"""

from __future__ import annotations

import selectors
import socket
import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field
from struct import pack
from types import TracebackType

__all__ = ["Proxy"]

_CHUNK = 65_536  # bytes read at once
_MOST = 1_048_576  # bytes kept for one direction; then its sender waits
_SOON = 5.0  # seconds to reach the server


@dataclass(slots=True, eq=False)
class _Stream:
    """One direction of a connection."""

    to_server: bool
    source: socket.socket
    sink: socket.socket
    waiting: deque[tuple[float, bytes]] = field(default_factory=deque)  # what is to be sent, and from when on
    size: int = 0  # its bytes
    ended: bool = False  # its sender has sent the last byte
    closed: bool = False  # the receiver has heard so


@dataclass(slots=True, eq=False)
class _Pair:
    """One connection: the two sockets it consists of."""

    client: socket.socket
    server: socket.socket | None = None  # None: not yet asked for, since nothing goes through
    streams: tuple[_Stream, ...] = ()
    lossy: bool = False  # bytes were thrown away: it must not go on as if nothing had happened


@dataclass(slots=True, eq=False)
class _Wish:
    """What is to happen on the way to the server."""

    action: Callable[[], object]
    left: int | None = None  # after that many bytes
    text: bytes = b""  # or before the piece with this text


class Proxy(AbstractContextManager["Proxy"]):
    """Listens at `port` of this machine while the `with` block lasts, and passes everything on to `target`."""

    def __init__(self, target: int) -> None:
        self.target = target  # the server's port; may be changed, for connections to come
        self.connections = 0  # made so far
        self.refused = 0  # not let in so far
        self._seconds = 0.0
        self._frozen = self._refusing = self._deaf = self._closed = False
        self._wishes: list[_Wish] = []
        self._pairs: dict[_Pair, None] = {}
        self._asked: deque[tuple[Callable[[], object], Future[None]]] = deque()
        self._selector = selectors.DefaultSelector()
        self._door = socket.create_server(("127.0.0.1", 0), backlog=256)
        self._door.setblocking(False)
        self._bell, self._ear = socket.socketpair()
        self._selector.register(self._door, selectors.EVENT_READ, self._admit)
        self._selector.register(self._ear, selectors.EVENT_READ, self._hear)
        self._thread = threading.Thread(target=self._run, name="proxy", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._door.getsockname()[1])

    @property
    def alive(self) -> int:
        """Connections that are open now."""
        return len(self._pairs)

    # What may go wrong

    def cut(self) -> None:
        """Reset all connections; new ones are welcome."""
        self._ask(self._cut)

    def delay(self, seconds: float) -> None:
        """From now on each piece waits that long, in both directions."""
        self._ask(lambda: setattr(self, "_seconds", seconds))

    def freeze(self) -> None:
        """Nothing goes through any more, and no connection ends; new ones are made and get no answer."""
        self._ask(lambda: setattr(self, "_frozen", True))

    def drop_answers(self) -> None:
        """What is sent to the server arrives; what it answers is lost, and so is its end."""
        self._ask(self._lose_answers)

    def thaw(self) -> None:
        """End `freeze` and `drop_answers`. What was held goes on; a connection that lost bytes is reset."""
        self._ask(self._thaw)

    def refuse(self) -> None:
        """Let nobody in: new connections are reset."""
        self._ask(lambda: setattr(self, "_refusing", True))

    def allow(self) -> None:
        """End `refuse`."""
        self._ask(lambda: setattr(self, "_refusing", False))

    def after(self, count: int, action: Callable[[], object]) -> None:
        """Do this once, when that many bytes more have gone to the server, over all connections."""
        self._ask(lambda: self._wishes.append(_Wish(action, left=count)))

    def when(self, text: bytes, action: Callable[[], object]) -> None:
        """Do this once, before a piece with this text goes to the server. Clients send short statements in one."""
        self._ask(lambda: self._wishes.append(_Wish(action, text=text)))

    def __enter__(self) -> Proxy:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._ask(lambda: setattr(self, "_closed", True))
        self._thread.join()

    # Its thread

    def _ask(self, change: Callable[[], object]) -> None:
        """Let the thread do this, and wait for it."""
        if threading.current_thread() is self._thread or not self._thread.is_alive():
            change()
            return
        done: Future[None] = Future()
        self._asked.append((change, done))
        with suppress(OSError):
            self._bell.send(b".")
        done.result(_SOON * 2)

    def _run(self) -> None:
        try:
            while not self._closed:
                for key, events in self._selector.select(self._tell_selector()):
                    with suppress(Exception):  # whatever befalls one connection, or an action, the others go on
                        key.data(key.fileobj, events)
        finally:
            self._cut()
            self._do_asked()
            self._selector.close()
            for one in (self._door, self._bell, self._ear):
                one.close()

    def _hear(self, ear: socket.socket, events: int) -> None:
        ear.recv(_CHUNK)
        self._do_asked()

    def _do_asked(self) -> None:
        while self._asked:
            change, done = self._asked.popleft()
            change()
            done.set_result(None)

    def _admit(self, door: socket.socket, events: int) -> None:
        client, _ = door.accept()
        if self._refusing:
            self.refused += 1
            _reset(client)
            return
        self.connections += 1
        pair = _Pair(client)
        self._pairs[pair] = None
        if not self._frozen:
            self._connect(pair)

    def _connect(self, pair: _Pair) -> None:
        try:
            pair.server = socket.create_connection(("127.0.0.1", self.target), timeout=_SOON)
        except OSError:
            self._drop(pair)
            return
        for one in (pair.client, pair.server):
            one.setblocking(False)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        pair.streams = (_Stream(True, pair.client, pair.server), _Stream(False, pair.server, pair.client))

    def _serve(self, pair: _Pair, one: socket.socket, events: int) -> None:
        if self._frozen or pair not in self._pairs:  # since the selector saw it
            return
        try:
            for stream in pair.streams:
                if stream.source is one and events & selectors.EVENT_READ:
                    self._read(pair, stream)
                if stream.sink is one and events & selectors.EVENT_WRITE:
                    self._write(stream)
        except BlockingIOError:
            pass
        except OSError:  # one side was reset: so is the other
            self._drop(pair)

    def _read(self, pair: _Pair, stream: _Stream) -> None:
        data = stream.source.recv(_CHUNK)
        if self._deaf and not stream.to_server:
            pair.lossy = True
            stream.ended = stream.closed = stream.ended or not data
            return
        if data:
            stream.waiting.append((time.monotonic() + self._seconds, data))
            stream.size += len(data)
            if not self._seconds:
                self._write(stream)
        else:
            stream.ended = True

    def _write(self, stream: _Stream) -> None:
        """Send what is due."""
        while stream.waiting and stream.waiting[0][0] <= time.monotonic() and self._is_open(stream):
            due, data = stream.waiting[0]
            count = self._let_happen(data) if stream.to_server else len(data)
            if not self._is_open(stream):
                return
            sent = stream.sink.send(data[:count])
            stream.size -= sent
            stream.waiting.popleft()
            if sent < len(data):
                stream.waiting.appendleft((due, data[sent:]))
            if stream.to_server:
                self._count(sent)

    def _is_open(self, stream: _Stream) -> bool:
        """Whether bytes may go through; an action may have changed that."""
        return not self._frozen and stream.sink.fileno() >= 0

    def _let_happen(self, data: bytes) -> int:
        """Do what was to happen before this, and say how many bytes of it may go until the next such thing."""
        for wish in [wish for wish in self._wishes if wish.text and wish.text in data]:
            self._wishes.remove(wish)
            wish.action()
        return min([wish.left for wish in self._wishes if wish.left is not None], default=len(data))

    def _count(self, sent: int) -> None:
        for wish in [wish for wish in self._wishes if wish.left is not None]:
            wish.left = (wish.left or 0) - sent
            if wish.left <= 0:
                self._wishes.remove(wish)
                wish.action()

    # Its connections

    def _tell_selector(self) -> float | None:
        """What each connection waits for now, and how many seconds it is until more is due; None: nothing is."""
        now = time.monotonic()
        later: list[float] = []
        for pair in list(self._pairs):
            self._finish(pair)
            for stream in pair.streams if pair in self._pairs else ():
                self._listen(pair, stream, now)
                if stream.waiting and stream.waiting[0][0] > now:
                    later.append(stream.waiting[0][0] - now)
        return min(later, default=None)

    def _finish(self, pair: _Pair) -> None:
        """Pass on that a side has sent its last byte; after both, close."""
        for stream in pair.streams:
            if stream.ended and not stream.waiting and not stream.closed and not self._frozen:
                stream.closed = True
                with suppress(OSError):
                    stream.sink.shutdown(socket.SHUT_WR)
        if pair.streams and all(stream.closed for stream in pair.streams):
            self._drop(pair, gently=True)

    def _listen(self, pair: _Pair, stream: _Stream, now: float) -> None:
        """Tell the selector what the stream's source is waited for: bytes from it, and room for bytes to it."""
        back = next(other for other in pair.streams if other is not stream)
        events = 0
        if not self._frozen:
            if not stream.ended and stream.size < _MOST:
                events |= selectors.EVENT_READ
            if back.waiting and back.waiting[0][0] <= now:
                events |= selectors.EVENT_WRITE
        known = self._selector.get_map().get(stream.source)
        if known is not None and events:
            if known.events != events:
                self._selector.modify(stream.source, events, known.data)
        elif known is not None:
            self._selector.unregister(stream.source)
        elif events:
            self._selector.register(stream.source, events, lambda one, seen: self._serve(pair, one, seen))

    def _lose_answers(self) -> None:
        self._deaf = True
        for pair in self._pairs:
            for stream in pair.streams:
                if stream.waiting and not stream.to_server:
                    pair.lossy = True
                    stream.waiting.clear()
                    stream.size = 0

    def _thaw(self) -> None:
        self._frozen = self._deaf = False
        for pair in list(self._pairs):
            if pair.lossy:
                self._drop(pair)
            elif pair.server is None:
                self._connect(pair)

    def _cut(self) -> None:
        for pair in list(self._pairs):
            self._drop(pair)

    def _drop(self, pair: _Pair, *, gently: bool = False) -> None:
        self._pairs.pop(pair, None)
        for one in (pair.client, pair.server):
            if one is not None and one.fileno() >= 0:
                with suppress(KeyError):
                    self._selector.unregister(one)
                if gently:
                    one.close()
                else:
                    _reset(one)


def _reset(one: socket.socket) -> None:
    """Close it so that the other side does not think it was meant."""
    with suppress(OSError):
        one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, pack("ii", 1, 0))
    one.close()
