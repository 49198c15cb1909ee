"""The peers' adapters, as far as they can be tried without any peer installed."""

import logging
import os
import socket
import sys
import warnings
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from benchmarks import peers


class _Echo(peers.Peer):
    """A peer around a list, installed wherever the tests run."""

    package, modules, title = "pytest", ("pytest",), "echo"

    def _start(self, folder: Path, stack: ExitStack) -> None:
        self.kept: list[str] = []

    def add_many(self, messages: peers.Messages) -> None:
        async def keep() -> None:
            self.kept.extend(text for _, text in messages)

        self._wait(keep())


class _Absent(_Echo):
    package = "onrecord-peer-that-does-not-exist"


class _Broken(_Echo):
    modules = ("onrecord_module_that_does_not_exist",)


class _Failing(_Echo):
    def _start(self, folder: Path, stack: ExitStack) -> None:
        raise RuntimeError("cannot start")


@pytest.mark.parametrize("absent", [_Absent, _Broken])
def test_a_peer_that_does_not_import_is_left_out(absent: type[_Echo], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "PEERS", (_Echo, absent))
    assert [peer.name for peer in peers.installed()] == [f"echo {pytest.__version__}"]


def test_a_peer_is_empty_whenever_it_is_opened(tmp_path: Path) -> None:
    peer = _Echo()
    for folder in (tmp_path / "new" / "folder", tmp_path):
        with peer.opened(folder):
            assert peer.kept == []
            peer.add_many([("assistant", "two"), ("user", "three")])
            assert peer.kept == ["two", "three"]


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
    with peers.isolated(tmp_path), pytest.raises(ConnectionRefusedError, match="off the network"):
        reach()


def test_an_open_peer_cannot_download_report_or_chatter(tmp_path: Path) -> None:
    with peers.isolated(tmp_path):
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
    with suppress(RuntimeError), peer().opened(tmp_path):
        assert state() != before
    assert state() == before


def test_the_docs_say_of_every_peer_what_is_not_comparable() -> None:
    lines = (Path(__file__).parents[2] / "docs" / "benchmarks.md").read_text("utf-8").splitlines()
    for peer in peers.PEERS:
        assert any(line.startswith(f"| {peer.title} ") for line in lines)
        remarks = [line for line in lines if line.startswith(f"- {peer.title} ")]
        assert len(remarks) == peer.journal + peer.searches
        assert all("synchronous=" in remark or "in memory" in remark for remark in remarks)


def test_the_free_embedder_is_deterministic_and_tells_texts_apart() -> None:
    one, two = peers.vectors(["one", "two"])
    assert one == peers.vectors(["one"])[0] != two
    assert len(one) == 384
    assert sum(value * value for value in one) == pytest.approx(1)
