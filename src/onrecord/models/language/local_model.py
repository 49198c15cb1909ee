"""A language model in this process: a GGUF file, run by llama.cpp through the package xllamacpp.

The file is loaded when the first question comes, and it answers one question at a time. The library was written to be
a server of its own, which takes some care here: it logs nothing, the door that it opens is shut before anyone can find
it, and signals stay with Python. After a fork the child loads its own, because threads do not survive a fork.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from ctypes import CDLL, PYFUNCTYPE, c_int, c_void_p, cast, py_object, pythonapi
from pathlib import Path
from queue import Empty, SimpleQueue
from signal import SIGINT, SIGTERM
from tempfile import TemporaryDirectory
from threading import Event, Lock
from time import monotonic
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from onrecord.errors import ModelError
from onrecord.models.language.answers import LONGEST, UNREADABLE, joined, piece_of, reply_of, schema_format, sendable
from onrecord.models.model_server import INSTALL

if TYPE_CHECKING:
    from onrecord.ports import Reply

__all__ = ["LocalModel"]

Take = Callable[[Any], bool]

_STEP = 512  # tokens of a question that are read at once; in between it can be stopped


class _Refused(ModelError):
    """The library did not take a request."""


class _ModelRuntime:
    """The model as one process has it."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.server: Any = None


_engines: WeakSet[_ModelRuntime] = WeakSet()


class LocalModel:
    """The model in a file, as a `Model`. Safe to share between threads.

    `context` is how many tokens it holds, those of the question and of the answer together. `threads` left out: half
    as many as the machine has, because they slow each other down where they have to share one. `timeout` is how many
    seconds `complete` takes at most, loading and the wait for its turn included; then the model is stopped, which it
    is after its next token or the next few hundred of a question that it still reads.
    """

    local = True

    def __init__(
        self,
        path: Path | str,
        *,
        name: str | None = None,
        context: int = 4096,
        threads: int | None = None,
        timeout: float = 120.0,
    ) -> None:
        self._path = Path(path).absolute()
        self.name = name or f"local/{path}"
        self._context = context
        self._threads = threads or max(1, (os.cpu_count() or 2) // 2)
        self._timeout = timeout
        self._by_process: dict[int, _ModelRuntime] = {}

    def __repr__(self) -> str:
        return f"<LocalModel: {self.name}>"

    def complete(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokens: int,
        temperature: float = 0.1,
        schema: Mapping[str, Any] | None = None,
    ) -> Reply:
        """Return an answer; with `schema` every token is chosen so that it fits."""
        request = _request(messages, tokens, temperature) | {"stream_options": {"include_usage": True}}
        held = {} if schema is None else {"response_format": schema_format(schema)}
        ends = monotonic() + self._timeout
        try:
            chunks = list(self._chunks(request | held, ends))
        except _Refused:
            if not held:
                raise
            chunks = list(self._chunks(request, ends))  # not every schema can be followed
        try:
            return reply_of(joined(chunks), messages, self.name)
        except UNREADABLE:
            raise self._failed(chunks[-1] if chunks else None) from None

    def stream(
        self, messages: Sequence[Mapping[str, Any]], *, tokens: int = 2_048, temperature: float = 0.7
    ) -> Iterator[str]:
        """Yield the answer as it is made. A reader that stops, stops the model too."""
        length = 0
        with closing(self._chunks(_request(messages, tokens, temperature))) as chunks:
            for chunk in chunks:
                try:
                    text, _ = piece_of(chunk)
                except UNREADABLE:
                    raise self._failed(chunk) from None
                length += len(text)
                if length > LONGEST:
                    raise self._failed(None)
                if text:
                    yield text

    def close(self) -> None:
        """Free the memory (in the child of a fork, when it ends); the next question loads the model again."""
        engine = self._by_process.pop(os.getpid(), None)
        if engine is not None:
            with engine.lock:
                engine.server = None

    def _chunks(self, request: dict[str, Any], ends: float | None = None) -> Generator[Any]:
        """Yield what the model says, piece by piece, until `ends`. A reader that stops, stops the model."""
        chunks: SimpleQueue[Any] = SimpleQueue()
        stopped = Event()

        def take(chunk: Any) -> bool:
            chunks.put(chunk)
            return stopped.is_set()

        # In a thread, because the library calls back, and loses what is raised then. It never waits for the reader, who
        # may ask something else; nor does the reader for its end.
        pool = ThreadPoolExecutor(1)
        try:
            work = pool.submit(self._ask, request, take, stopped)
            work.add_done_callback(lambda _: chunks.put(None))
            while (chunk := self._next(chunks, ends)) is not None:
                yield chunk
            work.result()
        finally:
            stopped.set()
            pool.shutdown(wait=False)

    def _next(self, chunks: SimpleQueue[Any], ends: float | None) -> Any:
        left = None if ends is None else ends - monotonic()
        try:
            if left is None or left > 0:
                return chunks.get(timeout=left)
        except Empty:
            pass
        raise ModelError(
            f"{self.name} was still answering after {self._timeout:g} s.",
            "Ask for less at a time; use a smaller model.",
        )

    def _ask(self, request: dict[str, Any], take: Take, stopped: Event) -> None:
        engine = self._by_process.setdefault(os.getpid(), _ModelRuntime())
        with engine.lock:
            if stopped.is_set():  # while it waited for its turn
                return
            if engine.server is None:
                engine.server = self._load()
                _engines.add(engine)
                if _inherited:
                    _keep_for_ever(engine.server)
            try:
                engine.server.handle_chat_completions(request, take)
            except (RuntimeError, ValueError, IndexError, MemoryError):  # its words may be those of the question
                raise _Refused(f"{self.name} cannot be asked this.", "Check the messages; use another model.") from None

    def _load(self) -> Any:
        try:
            import xllamacpp  # type: ignore[import-untyped]
        except ModuleNotFoundError:
            raise ModelError(f"{self.name} needs the package xllamacpp, which is not there.", INSTALL) from None
        if not self._path.is_file():
            raise ModelError(f"The file of {self.name} is not there.", "Put it back, or name another one.")
        params = xllamacpp.CommonParams()
        params.model.path = str(self._path)
        params.n_ctx = self._context
        params.n_parallel = 1
        params.n_batch = _STEP
        params.cache_ram_mib = 0  # would keep up to 8 GiB of earlier prompts
        params.warmup = False
        params.verbosity = -1  # nothing at all
        params.cpuparams.n_threads = params.cpuparams_batch.n_threads = self._threads
        # It insists on listening somewhere: in a folder that no other user may enter, and that is gone right after.
        with TemporaryDirectory(prefix="onrecord-") as folder, _signals_kept():
            params.hostnames = [f"{folder}/door.sock"]
            try:
                return xllamacpp.Server(params)
            except RuntimeError:
                raise ModelError(
                    f"The file of {self.name} is not a model that can be run here.",
                    "See whether it is a whole GGUF file of a chat model, and whether there is memory for it.",
                ) from None

    def _failed(self, answer: Any) -> ModelError:
        error = answer.get("error") if isinstance(answer, dict) else None
        if isinstance(error, dict) and error.get("type") == "exceed_context_size_error":
            return ModelError(
                f"The question does not fit into the {self._context} tokens that {self.name} holds.",
                "Ask for less at a time.",
            )
        return ModelError(f"{self.name} gave no answer.", "Try again; if it stays so, use another model.")


def _request(messages: Sequence[Mapping[str, Any]], tokens: int, temperature: float) -> dict[str, Any]:
    asked = {"messages": sendable(messages), "max_tokens": tokens, "temperature": temperature}
    # In pieces, also of a question that is being read: what says nothing for long cannot be stopped.
    return asked | {"stream": True, "return_progress": True}


_get_handler = PYFUNCTYPE(c_void_p, c_int)(("PyOS_getsig", pythonapi))
_set_handler = PYFUNCTYPE(c_void_p, c_int, c_void_p)(("PyOS_setsig", pythonapi))


@contextmanager
def _signals_kept() -> Iterator[None]:
    """The library takes the signals that end a program for itself, from whichever thread; the module `signal` could
    give them back in the main thread only."""
    before = {number: _get_handler(number) for number in (SIGINT, SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            _set_handler(number, handler)


_inherited = False  # whether this process is the child of one that had the library running


def _leave_to_the_parent() -> None:
    """In the child of a fork: take nothing apart, because that waits for threads which only the parent has, whether
    the parent loaded it or, with the same library, the child."""
    global _inherited
    if "xllamacpp" not in sys.modules:
        return
    _inherited = True
    for engine in _engines:
        if engine.server is not None:
            _keep_for_ever(engine.server)
    system = CDLL(None)
    if hasattr(system, "on_exit"):  # the library's last steps would wait too; Python itself is through by then
        system.on_exit(cast(system._exit, c_void_p), None)


def _keep_for_ever(server: Any) -> None:
    pythonapi.Py_IncRef(py_object(server))


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_the_parent)
