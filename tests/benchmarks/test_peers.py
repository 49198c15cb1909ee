"""The peers' adapters, as far as they can be tried without any peer installed."""

import logging
import os
import socket
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from benchmarks import peers


class _Echo(peers._AsyncAdapter):
    """An adapter around a list, installed wherever the tests run."""

    package = "pytest"
    modules = ("pytest",)
    title = "echo"
    note = "in memory"

    def _start(self, folder: Path) -> None:
        self.kept: list[str] = []

    def add(self, role: str, text: str) -> None:
        async def keep() -> None:
            self.kept.append(text)

        self._wait(keep())

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        for role, text in messages:
            self.add(role, text)

    def page(self, limit: int) -> int:
        return len(self.kept[-limit:])


class _Absent(_Echo):
    package = "recollect-peer-that-does-not-exist"


class _Broken(_Echo):
    modules = ("recollect_module_that_does_not_exist",)


class _Failing(_Echo):
    def _start(self, folder: Path) -> None:
        raise RuntimeError("cannot start")


class _Finder(peers._Isolated):
    """Finds by the free vectors."""

    package = "pytest"
    modules = ("pytest",)
    title = "finder"
    about = "in memory"

    def _start(self, folder: Path) -> None:
        self.vectors: list[list[float]] = []

    def add_many(self, messages: list[tuple[str, str]]) -> None:
        self.vectors += peers._lists([text for _, text in messages])

    def search(self, text: str, limit: int) -> int:
        (asked,) = peers._lists([text])
        return len(sorted(np.array(self.vectors) @ np.array(asked))[-limit:])


class _FinderThatIsAbsent(_Finder):
    package = "recollect-peer-that-does-not-exist"


@pytest.mark.parametrize("absent", [_Absent, _Broken])
def test_a_peer_that_does_not_import_is_named_as_missing(absent: type[_Echo], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_ADAPTERS", (_Echo, absent))
    assert [peer.name for peer in peers.installed()] == [f"echo {pytest.__version__}"]
    assert peers.missing() == [absent.package]


def test_the_protocol_is_driven_from_open_to_close(tmp_path: Path) -> None:
    peer: peers.Peer = _Echo()
    peer.open(tmp_path / "new" / "folder")
    peer.add("user", "one")
    peer.add_many([("assistant", "two"), ("user", "three")])
    assert (peer.page(2), peer.page(20)) == (2, 3)
    peer.close()
    peer.open(tmp_path)
    assert peer.page(20) == 0
    peer.close()


def test_those_that_search_are_found_and_driven(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "_INDEXES", (_Finder, _FinderThatIsAbsent))
    (peer,) = peers.indexes()
    assert peer.name == f"finder {pytest.__version__}"
    assert isinstance(peer, peers.Finder)
    assert not isinstance(_Echo(), peers.Finder)
    peer.open(tmp_path)
    peer.add_many([("user", "one"), ("assistant", "two"), ("user", "three")])
    assert (peer.search("two", 2), peer.search("two", 20)) == (2, 3)
    with pytest.raises(ConnectionRefusedError, match="off the network"):
        socket.create_connection(("127.0.0.1", 9))
    peer.close()


def test_every_peer_that_searches_says_how() -> None:
    assert [adapter for adapter in peers._ADAPTERS if hasattr(adapter, "search")] == [peers.Mem0]
    for adapter in (peers.Mem0, *peers._INDEXES):
        assert "vectors" in adapter.about
        assert "memory" in adapter.about


@pytest.mark.parametrize(
    "reach",
    [
        lambda: socket.create_connection(("127.0.0.1", 9)),
        lambda: socket.getaddrinfo("example.org", 443),
        lambda: socket.socket().connect(("127.0.0.1", 9)),
        lambda: socket.socket().connect_ex(("127.0.0.1", 9)),
    ],
)
def test_an_open_peer_cannot_reach_the_network(reach: Callable[[], object], tmp_path: Path) -> None:
    with peers._isolated(tmp_path), pytest.raises(ConnectionRefusedError, match="off the network"):
        reach()


def test_an_open_peer_cannot_download_report_or_chatter(tmp_path: Path) -> None:
    with peers._isolated(tmp_path):
        assert os.environ["MEM0_TELEMETRY"] == "False"
        assert os.environ["MEM0_DIR"].startswith(str(tmp_path))
        assert not logging.getLogger("mem0.memory").isEnabledFor(logging.CRITICAL)
        warnings.warn("a peer's deprecation", DeprecationWarning, stacklevel=1)
        with pytest.raises(ImportError):
            __import__("fastembed")


@pytest.mark.parametrize("peer", [_Echo, _Failing])
def test_the_process_is_left_as_it_was(peer: type[_Echo], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", "ranks")

    def state() -> tuple[object, ...]:
        level = logging.getLogger("mem0").level
        hidden = sorted(name for name in ("fastembed", "spacy") if sys.modules.get(name, ...) is None)
        return dict(os.environ), socket.socket.connect, socket.getaddrinfo, level, hidden, list(warnings.filters)

    before = state()
    driven = peer()
    if peer is _Failing:
        with pytest.raises(RuntimeError, match="cannot start"):
            driven.open(tmp_path)
    else:
        driven.open(tmp_path)
        assert state() != before
        driven.close()
    assert state() == before
    assert driven._loop.is_closed()


def test_every_peer_says_what_is_not_comparable() -> None:
    for adapter in peers._ADAPTERS:
        assert "synchronous=" in adapter.note
        assert "index" in adapter.note


def test_the_free_embedder_is_deterministic_and_tells_texts_apart() -> None:
    embedder = peers._FreeEmbedder()
    one, two = embedder.embed("one"), embedder.embed("two")
    assert one == embedder.embed("one", "search") != two
    assert len(one) == 384
    assert all(-1 <= value <= 1 for value in one)
    assert sum(value * value for value in one) == pytest.approx(1)
    assert np.array(peers._lists(["one", "two"])).tolist() == [one, two]


def test_bulk_parts_keep_order_and_stay_below_the_statement_limit() -> None:
    messages = [("user", str(number)) for number in range(12_001)]
    parts = list(peers._parts(messages))
    assert [len(part) for part in parts] == [5000, 5000, 2001]
    assert [message for part in parts for message in part] == messages
