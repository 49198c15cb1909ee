"""Other memory libraries behind one small class, so that our latency is printed beside theirs from the same run.

Each adapter takes the fastest path its own documentation gives that keeps messages in a file. None of them does the
same work as another, or as we do: docs/benchmarks.md says of each what differs. Peers are optional
(`requirements-peers.txt`), imported only when asked for, and kept off the network while they are open. Open one peer at
a time: what isolates it is set for the whole process.
"""

import asyncio
import importlib
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
from types import SimpleNamespace
from typing import Any, ClassVar
from unittest import mock

from benchmarks.texts import FreeEmbedder

SESSION = "bench"
DOWNLOADERS = ("fastembed", "spacy")  # they fetch a model when first used; hidden, a peer does without
LOGGERS = ("httpx", "langgraph", "llama_index", "mem0", "openai", "posthog", "qdrant_client")
SILENCED = dict.fromkeys(("LANGCHAIN_TRACING_V2", "LANGSMITH_TRACING", "MEM0_TELEMETRY"), "False")
ENVIRONMENT = {"HF_HUB_OFFLINE": "1", "OPENAI_AGENTS_DISABLE_TRACING": "1", **SILENCED}

Messages = Sequence[tuple[str, str]]


class Peer:
    """One library that keeps or finds messages, as the benchmark drives it."""

    package: ClassVar[str]
    modules: ClassVar[tuple[str, ...]]
    title: ClassVar[str]
    journal: ClassVar[bool] = True  # whether it keeps messages in a file
    searches: ClassVar[bool] = False
    add: Any  # role, text: keeps one message, as durably as the peer does it
    add_many: Any  # messages: by the peer's own bulk call
    page: Any  # limit: reads the newest, returns how many came
    search: Any  # text, limit: finds the best, returns how many came
    _start: Any  # folder, stack: opens the peer, and leaves to the stack how it is closed

    @property
    def name(self) -> str:
        """The title, with the version that is installed."""
        return f"{self.title} {importlib.metadata.version(self.package)}"

    @contextmanager
    def opened(self, folder: Path) -> Iterator[None]:
        """An empty conversation under `folder`, while the `with` block lasts."""
        folder.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            # Before the isolation: on some systems a loop wakes itself through a local socket.
            self._loop = stack.enter_context(asyncio.Runner()).get_loop()
            stack.enter_context(isolated(folder))
            self._start(folder, stack)
            yield

    def _wait(self, call: Coroutine[Any, Any, Any]) -> Any:
        return self._loop.run_until_complete(call)  # not Runner.run, which swaps the signal handler at every call


def installed() -> list[Peer]:
    """The peers whose packages import here."""
    return [peer() for peer in PEERS if _imports(peer)]


def _imports(peer: type[Peer]) -> bool:
    with tempfile.TemporaryDirectory() as folder, isolated(Path(folder)):
        try:
            importlib.metadata.version(peer.package)
            for module in peer.modules:
                importlib.import_module(module)
        except ImportError:  # PackageNotFoundError is one
            return False
    return True


@contextmanager
def isolated(home: Path) -> Iterator[None]:
    """No network, no download, no telemetry, no chatter; what a peer keeps for itself goes under `home`."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, {**ENVIRONMENT, "MEM0_DIR": str(home / "mem0-home")}))
        # LlamaIndex carries its token ranks, and looks elsewhere (then on the network) when this is set.
        os.environ.pop("TIKTOKEN_CACHE_DIR", None)
        for owner, call in ((socket.socket, "connect"), (socket.socket, "connect_ex"), (socket, "getaddrinfo")):
            stack.enter_context(mock.patch.object(owner, call, _refuse))
        for name in DOWNLOADERS:
            if name not in sys.modules:
                # A None entry makes the import fail. Not patch.dict, which would drop all that is imported meanwhile.
                sys.modules[name] = None  # type: ignore[assignment]
                stack.callback(sys.modules.pop, name, None)
        for name in LOGGERS:
            logger = logging.getLogger(name)
            stack.callback(logger.setLevel, logger.level)
            logger.setLevel(logging.CRITICAL + 1)
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")
        yield


def _refuse(*_: object, **__: object) -> None:
    raise ConnectionRefusedError("the benchmark keeps peers off the network")


class Mem0(Peer):
    package, modules, title, searches = "mem0ai", ("mem0", "qdrant_client"), "mem0", True

    def _start(self, folder: Path, stack: ExitStack) -> None:
        from mem0 import Memory

        unused = {"provider": "openai", "config": {"api_key": "unused"}}  # constructed, never called
        store = {"path": str(folder / "qdrant"), "embedding_model_dims": FreeEmbedder.dimension, "on_disk": True}
        settings = {
            "vector_store": {"provider": "qdrant", "config": {"collection_name": SESSION, **store}},
            "history_db_path": str(folder / "history.db"),
            "embedder": unused,
            "llm": unused,
        }
        self._memory: Any = Memory.from_config(settings)
        stack.callback(self._memory.vector_store.client.close)
        stack.callback(self._memory.close)
        self._memory.embedding_model = SimpleNamespace(embed=lambda text, _=None: vectors([text])[0])

    def add(self, role: str, text: str) -> None:
        self.add_many([(role, text)])

    def add_many(self, messages: Messages) -> None:
        self._memory.add([{"role": role, "content": text} for role, text in messages], user_id=SESSION, infer=False)

    def page(self, limit: int) -> int:
        # Nothing expires here, and not asking for that spares mem0 reading four times the page.
        return len(self._memory.get_all(filters={"user_id": SESSION}, top_k=limit, show_expired=True)["results"])

    def search(self, text: str, limit: int) -> int:
        # Without a threshold: free vectors are all far from each other.
        return len(self._memory.search(text, filters={"user_id": SESSION}, top_k=limit, threshold=0.0)["results"])


class LlamaIndexMemory(Peer):
    package, title = "llama-index-core", "LlamaIndex Memory"
    modules = ("llama_index.core.memory", "sqlalchemy.ext.asyncio", "aiosqlite")

    def _start(self, folder: Path, stack: ExitStack) -> None:
        from llama_index.core.llms import ChatMessage
        from llama_index.core.memory import Memory
        from sqlalchemy.ext.asyncio import create_async_engine

        # An engine of ours instead of the same URI, so that it can be disposed of.
        engine = create_async_engine(f"sqlite+aiosqlite:///{folder / 'memory.db'}")
        stack.callback(lambda: self._wait(engine.dispose()))
        self._memory: Any = Memory.from_defaults(session_id=SESSION, async_engine=engine)
        self._message: Any = ChatMessage

    def add(self, role: str, text: str) -> None:
        self._wait(self._memory.aput(self._message(role=role, content=text)))

    def add_many(self, messages: Messages) -> None:
        self._wait(self._memory.aput_messages([self._message(role=role, content=text) for role, text in messages]))

    def page(self, limit: int) -> int:
        return len(self._wait(self._memory.aget())[-limit:])


class LangGraphStore(Peer):
    package, title = "langgraph-checkpoint-sqlite", "LangGraph SqliteStore"
    modules: ClassVar[tuple[str, ...]] = ("langgraph.store.sqlite",)

    def _start(self, folder: Path, stack: ExitStack) -> None:
        from langgraph.store.sqlite import SqliteStore

        self._store: Any = stack.enter_context(SqliteStore.from_conn_string(str(folder / "store.db")))
        self._store.setup()
        self._keys = (f"{number:012}" for number in count(1))

    def add(self, role: str, text: str) -> None:
        self._store.put((SESSION,), next(self._keys), {"role": role, "text": text})

    def add_many(self, messages: Messages) -> None:
        from langgraph.store.base import PutOp

        self._store.batch([PutOp((SESSION,), next(self._keys), {"role": r, "text": t}) for r, t in messages])

    def page(self, limit: int) -> int:
        return len(self._store.search((SESSION,), limit=limit))


class OpenAIAgentsSession(Peer):
    package, modules, title = "openai-agents", ("agents",), "OpenAI Agents SQLiteSession"

    def _start(self, folder: Path, stack: ExitStack) -> None:
        from agents import SQLiteSession

        self._session: Any = SQLiteSession(SESSION, folder / "session.db")
        stack.callback(self._session.close)

    def add(self, role: str, text: str) -> None:
        self.add_many([(role, text)])

    def add_many(self, messages: Messages) -> None:
        self._wait(self._session.add_items([{"role": role, "content": text} for role, text in messages]))

    def page(self, limit: int) -> int:
        return len(self._wait(self._session.get_items(limit=limit)))


class LangGraphSearch(LangGraphStore):
    package, title, journal, searches = "langgraph-checkpoint", "LangGraph InMemoryStore", False, True
    modules = ("langgraph.store.memory",)

    def _start(self, folder: Path, stack: ExitStack) -> None:
        from langgraph.store.memory import InMemoryStore

        self._store = InMemoryStore(index={"dims": FreeEmbedder.dimension, "embed": vectors, "fields": ["text"]})
        self._keys = (f"{number:012}" for number in count(1))

    def search(self, text: str, limit: int) -> int:
        return len(self._store.search((SESSION,), query=text, limit=limit))


class LlamaIndexSearch(Peer):
    package, title, journal, searches = "llama-index-core", "LlamaIndex VectorStoreIndex", False, True
    modules = ("llama_index.core", "llama_index.core.embeddings")

    def _start(self, folder: Path, stack: ExitStack) -> None:
        from llama_index.core import VectorStoreIndex
        from llama_index.core.embeddings import MockEmbedding

        class Free(MockEmbedding):  # type: ignore[misc]
            def _get_query_embedding(self, query: str) -> list[float]:
                return vectors([query])[0]

        self._index: Any = VectorStoreIndex([], embed_model=Free(embed_dim=FreeEmbedder.dimension))

    def add_many(self, messages: Messages) -> None:
        from llama_index.core.schema import TextNode

        self._finder: Any = None  # a retriever knows what was there when it was made
        made = zip(messages, vectors([text for _, text in messages]), strict=True)
        self._index.insert_nodes([TextNode(text=text, embedding=vector) for (_, text), vector in made])

    def search(self, text: str, limit: int) -> int:
        self._finder = self._finder or self._index.as_retriever(similarity_top_k=limit)
        return len(self._finder.retrieve(text))


PEERS: tuple[type[Peer], ...] = (
    Mem0,
    LlamaIndexMemory,
    LangGraphStore,
    OpenAIAgentsSession,
    LangGraphSearch,
    LlamaIndexSearch,
)


def vectors(texts: Sequence[str]) -> list[list[float]]:
    """Free vectors as lists."""
    rows: list[list[float]] = FreeEmbedder().embed(texts).tolist()
    return rows
