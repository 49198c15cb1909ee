"""Other memory libraries, behind one small protocol, so that our latency is printed beside theirs from the same run.

Each adapter takes the fastest path its own documentation gives that keeps messages in a file. None of them does the
same work as another, or as we do: `note` says what differs and belongs in every table that shows a figure, `about` the
same of searches. A peer whose searches need no model of its own is given free vectors for them. Peers are
optional (`requirements-peers.txt`), imported only when asked for, and kept off the network from `open` to `close`.
Open one peer at a time: what silences and isolates it is set for the whole process.
"""

import asyncio
import importlib.metadata
import logging
import os
import socket
import sys
import tempfile
import warnings
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from typing import Any, ClassVar, Protocol, runtime_checkable
from unittest import mock

from benchmarks.texts import FreeEmbedder

# Two peers bind five values a row in one statement, and SQLite allows 32 766 a statement.
_ROWS_A_STATEMENT = 5000
_SESSION = "bench"

# Packages that fetch a model when first used. Hidden, a peer takes its documented way without them.
_DOWNLOADERS = ("fastembed", "spacy")
_LOGGERS = ("httpx", "langgraph", "llama_index", "mem0", "openai", "posthog", "qdrant_client")
_ENVIRONMENT = {
    "HF_HUB_OFFLINE": "1",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGSMITH_TRACING": "false",
    "MEM0_TELEMETRY": "False",
    "OPENAI_AGENTS_DISABLE_TRACING": "1",
}


class Peer(Protocol):
    """One library that keeps messages, as the benchmark drives it."""

    name: str  # with the installed version
    note: str  # what is and is not comparable: durability, index, file or memory

    def open(self, folder: Path) -> None:
        """Start an empty conversation kept under `folder`."""

    def add(self, role: str, text: str) -> None:
        """Keep one message, as durably as the peer does it."""

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        """Keep many messages by the peer's own bulk call."""

    def page(self, limit: int) -> int:
        """Read the newest `limit` messages; return how many came."""

    def close(self) -> None:
        """Release files, threads and loops."""


@runtime_checkable
class Finder(Protocol):
    """One library that finds messages, as the benchmark drives it."""

    name: str
    about: str  # what is and is not comparable about its searches

    def search(self, text: str, limit: int) -> int:
        """Find the best `limit` messages; return how many came."""


class Index(Finder, Protocol):
    """One that does nothing else; kept as a peer is."""

    def open(self, folder: Path) -> None: ...
    def add_many(self, messages: list[tuple[str, str]]) -> None: ...
    def close(self) -> None: ...


def installed() -> list[Peer]:
    """The peers whose packages import here, not yet opened."""
    return [adapter() for adapter in _ADAPTERS if _imports(adapter)]


def indexes() -> list[Index]:
    """What only searches, of the libraries that import here, not yet opened."""
    return [adapter() for adapter in _INDEXES if _imports(adapter)]


def missing() -> list[str]:
    """The packages of the peers that do not import here."""
    return [adapter.package for adapter in _ADAPTERS if not _imports(adapter)]


def _imports(adapter: type["_Isolated"]) -> bool:
    with tempfile.TemporaryDirectory() as folder, _isolated(Path(folder)):
        try:
            importlib.metadata.version(adapter.package)
            for module in adapter.modules:
                importlib.import_module(module)
        except ImportError:  # PackageNotFoundError is one
            return False
    return True


@contextmanager
def _isolated(home: Path) -> Iterator[None]:
    """No network, no download, no telemetry, no chatter; what a peer keeps for itself goes under `home`."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {**_ENVIRONMENT, "MEM0_DIR": str(home / "mem0-home")}))
        # LlamaIndex carries its token ranks, and looks elsewhere (then on the network) when this is set.
        os.environ.pop("TIKTOKEN_CACHE_DIR", None)
        for owner, call in ((socket.socket, "connect"), (socket.socket, "connect_ex"), (socket, "getaddrinfo")):
            stack.enter_context(mock.patch.object(owner, call, _refuse))
        for name in _DOWNLOADERS:
            if name not in sys.modules:
                # A None entry makes the import fail. Not patch.dict, which would drop all that is imported meanwhile.
                sys.modules[name] = None  # type: ignore[assignment]
                stack.callback(sys.modules.pop, name, None)
        for name in _LOGGERS:
            logger = logging.getLogger(name)
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL + 1)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        yield


def _refuse(*_: object, **__: object) -> None:
    raise ConnectionRefusedError("the benchmark keeps peers off the network")


class _Isolated:
    """What the adapters share: name, isolation, and closing in reverse order."""

    package: ClassVar[str]
    modules: ClassVar[tuple[str, ...]]
    title: ClassVar[str]

    def __init__(self) -> None:
        self.name = f"{self.title} {importlib.metadata.version(self.package)}"
        self._open = ExitStack()

    def open(self, folder: Path) -> None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._open.enter_context(_isolated(folder))
            self._start(folder)
        except BaseException:
            self._open.close()  # else a peer that fails to start leaves the process without a network
            raise

    def close(self) -> None:
        self._open.close()

    def _start(self, folder: Path) -> None:
        """Open the peer's files, and leave to `self._open` how they are closed."""


class _Adapter(_Isolated, Peer):
    """A peer that keeps messages in a file."""


class _AsyncAdapter(_Adapter):
    """A peer with awaited calls, on one loop from `open` to `close`: its start is not charged to the calls."""

    def open(self, folder: Path) -> None:
        # Before the isolation: on some systems a loop wakes itself through a local socket.
        self._loop = self._open.enter_context(asyncio.Runner()).get_loop()
        super().open(folder)

    def _wait(self, call: Coroutine[Any, Any, Any]) -> Any:
        # Not Runner.run, which also swaps the signal handler at every call.
        return self._loop.run_until_complete(call)


class Mem0(_Adapter):
    """mem0 with raw messages (no model), its default store (Qdrant, local) and a free embedder."""

    package = "mem0ai"
    modules = ("mem0", "qdrant_client")
    title = "mem0"
    note = (
        "infer=False: no model, no facts. File: local Qdrant and a history, both SQLite with rollback journal, "
        "synchronous=FULL; two commits a message, in bulk too. Dense vectors from a free hash embedder "
        "(384 dimensions); its keyword index is off (it needs a download). Reads scan all in memory, in id "
        "order: there is no newest-first read, so a page is any messages. Skips system messages. (Its FAISS store "
        "lists faster, but rewrites its files at every message.)"
    )
    about = (
        "local Qdrant compares all vectors in memory, for at least 60 candidates; keywords and entities are off (they "
        "need downloads). At the smallest size only, because adding is slow"
    )

    def _start(self, folder: Path) -> None:
        from mem0 import Memory

        unused = {"provider": "openai", "config": {"api_key": "unused"}}  # constructed, never called
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": FreeEmbedder.dimension, "on_disk": True}
        settings = {
            "vector_store": {"provider": "qdrant", "config": {"collection_name": _SESSION, **store}},
            "history_db_path": str(folder / "history.db"),
            "embedder": unused,
            "llm": unused,
        }
        self._memory: Any = Memory.from_config(settings)
        self._open.callback(self._memory.vector_store.client.close)
        self._open.callback(self._memory.close)
        self._memory.embedding_model = _FreeEmbedder()

    def add(self, role: str, text: str) -> None:
        self._memory.add([{"role": role, "content": text}], user_id=_SESSION, infer=False)

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        self._memory.add([{"role": role, "content": text} for role, text in messages], user_id=_SESSION, infer=False)

    def page(self, limit: int) -> int:
        # Nothing expires here, and not asking for that spares mem0 reading four times the page.
        return len(self._memory.get_all(filters={"user_id": _SESSION}, top_k=limit, show_expired=True)["results"])

    def search(self, text: str, limit: int) -> int:
        # Without a threshold: free vectors are all far from each other.
        return len(self._memory.search(text, filters={"user_id": _SESSION}, top_k=limit, threshold=0.0)["results"])


class LlamaIndexMemory(_AsyncAdapter):
    """LlamaIndex Memory without memory blocks, on a SQLite file."""

    package = "llama-index-core"
    modules = ("llama_index.core.memory", "sqlalchemy.ext.asyncio", "aiosqlite")
    title = "LlamaIndex Memory"
    note = (
        "File: SQLite through SQLAlchemy and aiosqlite, rollback journal, synchronous=FULL; one commit a message or "
        "bulk. No search index. At its default of 30 000 tokens each put reads and counts the whole active queue again "
        "(up to 21 000 tokens, older messages are archived); a page reads that queue and takes its end"
    )

    def _start(self, folder: Path) -> None:
        from llama_index.core.llms import ChatMessage
        from llama_index.core.memory import Memory
        from sqlalchemy.ext.asyncio import create_async_engine

        # An engine of ours instead of the same URI, so that it can be disposed of.
        engine = create_async_engine(f"sqlite+aiosqlite:///{folder / 'memory.db'}")
        self._open.callback(lambda: self._wait(engine.dispose()))
        self._memory: Any = Memory.from_defaults(session_id=_SESSION, async_engine=engine)
        self._message: Any = ChatMessage

    def add(self, role: str, text: str) -> None:
        self._wait(self._memory.aput(self._message(role=role, content=text)))

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        for part in _parts(messages):
            self._wait(self._memory.aput_messages([self._message(role=role, content=text) for role, text in part]))

    def page(self, limit: int) -> int:
        return len(self._wait(self._memory.aget())[-limit:])


class LangGraphStore(_Adapter):
    """LangGraph's SqliteStore, one item a message, without a vector index."""

    package = "langgraph-checkpoint-sqlite"
    modules = ("langgraph.store.sqlite",)
    title = "LangGraph SqliteStore"
    note = (
        "File: SQLite, rollback journal (WAL is left to the caller, and faster), synchronous=FULL; one commit a "
        "message or bulk. A key-value store: no search index here, no order but updated_at (whole seconds, not "
        "indexed), so a page sorts all items and is the newest only to the second"
    )

    def _start(self, folder: Path) -> None:
        from langgraph.store.base import PutOp
        from langgraph.store.sqlite import SqliteStore

        self._store: Any = self._open.enter_context(SqliteStore.from_conn_string(str(folder / "store.db")))
        self._store.setup()
        self._put: Any = PutOp
        self._keys = (f"{number:012}" for number in count(1))

    def add(self, role: str, text: str) -> None:
        self._store.put((_SESSION,), next(self._keys), {"role": role, "text": text})

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        for part in _parts(messages):
            self._store.batch([self._put((_SESSION,), next(self._keys), {"role": r, "text": t}) for r, t in part])

    def page(self, limit: int) -> int:
        return len(self._store.search((_SESSION,), limit=limit))


class OpenAIAgentsSession(_AsyncAdapter):
    """The SQLiteSession of the OpenAI Agents SDK."""

    package = "openai-agents"
    modules = ("agents",)
    title = "OpenAI Agents SQLiteSession"
    note = (
        "File: SQLite, WAL, synchronous=FULL; one commit a message or bulk. Pages the newest messages by an indexed "
        "id. No search index, no token counts. Each call hops to a worker thread and back"
    )

    def _start(self, folder: Path) -> None:
        from agents import SQLiteSession

        self._session: Any = SQLiteSession(_SESSION, folder / "session.db")
        self._open.callback(self._session.close)

    def add(self, role: str, text: str) -> None:
        self._wait(self._session.add_items([{"role": role, "content": text}]))

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        self._wait(self._session.add_items([{"role": role, "content": text} for role, text in messages]))

    def page(self, limit: int) -> int:
        return len(self._wait(self._session.get_items(limit=limit)))


class LangGraphSearch(_Isolated):
    """LangGraph's InMemoryStore with a vector index."""

    package = "langgraph-checkpoint"
    modules = ("langgraph.store.memory",)
    title = "LangGraph InMemoryStore"
    about = (
        "vectors only, in memory only, made an array again at each search; no keywords. Its SqliteStore searches "
        "through an extension of SQLite, which not every Python can load"
    )

    def _start(self, folder: Path) -> None:
        from langgraph.store.base import PutOp
        from langgraph.store.memory import InMemoryStore

        self._store: Any = InMemoryStore(index={"dims": FreeEmbedder.dimension, "embed": _lists, "fields": ["text"]})
        self._put: Any = PutOp
        self._keys = (f"{number:012}" for number in count(1))

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        self._store.batch([self._put((_SESSION,), next(self._keys), {"role": r, "text": t}) for r, t in messages])

    def search(self, text: str, limit: int) -> int:
        return len(self._store.search((_SESSION,), query=text, limit=limit))


class LlamaIndexSearch(_Isolated):
    """LlamaIndex's VectorStoreIndex on its own simple store."""

    package = "llama-index-core"
    modules = ("llama_index.core", "llama_index.core.embeddings")
    title = "LlamaIndex VectorStoreIndex"
    about = "vectors only, in memory (a file only when asked to persist), compared one by one; no keywords"

    def _start(self, folder: Path) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.embeddings import MockEmbedding
        from llama_index.core.schema import TextNode

        class Free(MockEmbedding):  # type: ignore[misc]
            def _get_query_embedding(self, query: str) -> list[float]:
                return _lists([query])[0]

        self._node: Any = TextNode
        self._index: Any = VectorStoreIndex([], embed_model=Free(embed_dim=FreeEmbedder.dimension))

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        self._finder: Any = None  # a retriever knows what was there when it was made
        made = zip(messages, _lists([text for _, text in messages]), strict=True)
        self._index.insert_nodes(
            [self._node(text=text, metadata={"role": role}, embedding=vector) for (role, text), vector in made]
        )

    def search(self, text: str, limit: int) -> int:
        if self._finder is None:
            self._finder = self._index.as_retriever(similarity_top_k=limit)
        return len(self._finder.retrieve(text))


class _FreeEmbedder:
    """Free vectors as mem0 asks for them."""

    def embed(self, text: str, memory_action: str | None = None) -> list[float]:
        return _lists([text])[0]


def _lists(texts: Sequence[str]) -> list[list[float]]:
    rows: list[list[float]] = FreeEmbedder().embed(texts).tolist()
    return rows


def _parts(messages: Sequence[tuple[str, str]]) -> Iterator[Sequence[tuple[str, str]]]:
    return (messages[start : start + _ROWS_A_STATEMENT] for start in range(0, len(messages), _ROWS_A_STATEMENT))


_ADAPTERS: tuple[type[_Adapter], ...] = (Mem0, LlamaIndexMemory, LangGraphStore, OpenAIAgentsSession)
_INDEXES: tuple[type[LangGraphSearch | LlamaIndexSearch], ...] = (LangGraphSearch, LlamaIndexSearch)
