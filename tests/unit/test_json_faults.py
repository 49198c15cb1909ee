"""A folder of JSON on a failing disk, erased from, and killed at every step: nothing is lost, nothing left behind."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from json_tools import FILE, HOME, SETTINGS, failing, files, folder_root, folder_store, killed, opened

from recollect.errors import StoreError, StoreFull
from recollect.ports import Store, Target
from recollect.records import Block, Page
from recollect.stores.json_folder import JsonFolderStore, disk
from recollect.testing.conformance.case import LATER, draft, everything, put, texts

__all__ = ["folder_root", "folder_store"]


def test_a_part_of_the_index_that_was_going_is_no_changed_one(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "one")
    assert store.save_blocks("s", "p", [Block(number=0, body=b"secret")], store.revision("s"))
    with monkeypatch.context() as patch:
        patch.setattr(disk, "_sync", failing)
        with pytest.raises(StoreError):
            store.drop_blocks("s", "p")
    killed(store, root)
    assert opened(root).check(lambda n: None).ok
    put(opened(root), "two")
    assert not [raw for raw in files(root).values() if b"secret" in raw]


# Failing disks


@pytest.mark.parametrize(
    ("number", "kind"),
    [(errno.ENOSPC, StoreFull), (errno.EDQUOT, StoreFull), (errno.EFBIG, StoreFull), (errno.EIO, StoreError)],
)
@pytest.mark.parametrize("function", ["write", "fsync"])
def test_a_failed_commit_changes_nothing(
    store: JsonFolderStore,
    root: Path,
    monkeypatch: pytest.MonkeyPatch,
    function: str,
    number: int,
    kind: type[StoreError],
) -> None:
    put(store, "one")
    before, raw = everything(store), files(root)
    real = os.write

    def fail(handle: int, *data: memoryview) -> int:
        if data and len(data[0]) > 10:
            return real(handle, data[0][:10])  # a full disk first takes a part
        raise OSError(number, "no")

    with monkeypatch.context() as patch:
        patch.setattr(os, function, fail if function == "write" else lambda handle: fail(handle))
        with pytest.raises(kind) as caught:
            put(store, "two", session="b")
        assert type(caught.value) is kind
    assert (everything(store), files(root)) == (before, raw)
    put(store, "two")
    assert texts(store) == ["one", "two"]


def test_a_failed_flush_loses_nothing(store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, "one")
    store.settle()
    put(store, "two")
    for function in ("replace", "link"):
        with monkeypatch.context() as patch:
            patch.setattr(os, function, failing)
            with pytest.raises(StoreFull):
                store.settle()
        assert texts(store) == texts(opened(root)) == ["one", "two"]
        assert not list(root.rglob("*.tmp"))
    assert store.settle()
    assert f"{HOME}/sessions/{FILE}" in files(root)
    assert not [name for name in files(root) if name.endswith((".tmp", ".gone")) or "journal" in name]


def test_an_interrupt_between_disk_and_memory(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "one")
    for name in ("FolderState.apply", "FolderState.settled"):
        with monkeypatch.context() as patch:
            patch.setattr(f"recollect.stores.json_folder.store.{name}", _interrupted)
            with pytest.raises(KeyboardInterrupt):
                put(store, "two") if "apply" in name else store.settle()
        assert texts(store) == ["one", "two"]
    assert [place.seq for place in put(store, "three")] == [3]
    store.close()
    assert texts(opened(root)) == ["one", "two", "three"]


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def test_without_fsync_a_commit_survives_the_process(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = JsonFolderStore(root, replace(SETTINGS, durability="process"))
    put(store, "one")
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", failing)
        put(store, "two")
    assert texts(opened(root)) == ["one", "two"]
    store.close()


# Erasing


PLANTED = "geheim 🔑 “Ω”\n"


def hidden(root: Path, text: str) -> list[str]:
    """The files, or names of files, that hold a text in some form."""
    forms = [text.encode(code) for code in ("utf-8", "utf-16-le", "utf-16-be")]
    forms += [json.dumps(text)[1:-1].encode(), json.dumps(text, ensure_ascii=False)[1:-1].encode()]
    paths = list(root.rglob("*"))
    return [str(path) for path in paths if any(form in os.fsencode(path.name) for form in forms)] + [
        str(path) for path in paths if path.is_file() and any(form in path.read_bytes() for form in forms)
    ]


@pytest.mark.parametrize("settled", [False, True])
@pytest.mark.parametrize("target", [{"seqs": (1, 2)}, {}, {"session": None}], ids=["messages", "session", "space"])
def test_erased_text_is_in_no_file(store: JsonFolderStore, root: Path, target: dict[str, None], settled: bool) -> None:
    put(store, draft(PLANTED, id=PLANTED.strip(), name=PLANTED.strip(), meta={"k": PLANTED}), draft("x\0" + PLANTED))
    put(store, "stays", session="b")
    if settled:
        store.settle()
        put(store, "three")
    assert hidden(root, PLANTED)
    inode = [path for path in root.rglob("*") if path.is_file() and str(path) in hidden(root, PLANTED)]
    handles = [path.open("rb") for path in inode]
    chosen = {"session": "a", "seqs": None} | target
    report = store.erase(Target(space="s", time=LATER, **chosen))  # type: ignore[arg-type]
    assert report.messages >= 2
    assert not report.pending
    for word in (PLANTED, "geheim"):
        assert hidden(root, word) == []
    for handle in handles:  # the old files' bytes, not only their names
        assert not handle.read().strip(b"\0")
        handle.close()
    assert store.settle()
    assert texts(store, session="b") == ([] if "session" in target else ["stays"])


def test_an_erasure_that_could_not_finish_is_pending(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "planted", "other")
    store.settle()
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", failing)
        assert store.erase(Target(space="s", session="a", seqs=(1,), time=LATER)).pending
    assert texts(store, Page()) == ["other"]
    reader = opened(root)
    assert not reader.settle()
    put(store, "three")
    killed(store, root)
    assert reader.settle()
    assert hidden(root, "planted") == []
    assert texts(reader, Page()) == ["other", "three"]
    again = opened(root)
    put(again, "four")
    again.close()


def test_a_session_made_again_before_the_flush(
    store: JsonFolderStore, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, "planted", "old")
    store.settle()
    with monkeypatch.context() as patch:
        patch.setattr(os, "link", failing)
        assert store.erase(Target(space="s", session="a", time=LATER)).pending
        put(store, "new")
    killed(store, root)
    again = opened(root)
    assert texts(again) == ["new"]
    put(again, "more")
    assert hidden(root, "planted") == []
    again.close()
    assert texts(opened(root)) == ["new", "more"]


# Killed at every step

STEPS = """
import os, signal, sys
from itertools import count
from pathlib import Path
from recollect.settings import Settings
from recollect.stores.json_folder import JsonFolderStore, disk
from recollect.testing.conformance.case import forget, put

def killing(real):
    def counted(*values, **names):
        global left
        left -= 1
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*values, **names)
    return counted

def work(root):
    with open(root + ".done", "ab", buffering=0) as done:
        store = JsonFolderStore(Path(root), Settings(durability="power", busy_timeout=0))
        os.fsync = lambda handle: None  # a kill loses nothing that was written
        for name in ("replace", "link", "unlink", "fsync", "write", "ftruncate", "open", "mkdir", "close"):
            setattr(os, name, killing(getattr(os, name)))
        for step in (
            lambda: put(store, "planted", "one", title="T"),
            lambda: put(store, "b one", session="b"),
            lambda: store.count("s", {"n": 1, "m": 1}),
            store.settle,
            lambda: put(store, "two"),
            lambda: put(store, "b planted", session="b"),
            lambda: forget(store, 1),
            lambda: store.count("s", {"n": 1, "m": -1}),
            lambda: put(store, "three"),
            store.settle,
            lambda: forget(store, session="b"),
            lambda: put(store, "b new", session="b"),
            store.close,
        ):
            step()
            done.write(b".")

for left in count(1, int(sys.argv[2])):
    child = os.fork()
    if not child:
        work(f"{sys.argv[1]}/{left}")
        os._exit(0)
    if os.waitpid(child, 0)[1] == 0:
        break
"""

ONCE, TWICE = {"counted": ["m 1", "n 1"]}, {"counted": ["n 2"]}
STATES: list[dict[str, list[str]]] = [
    {},
    {"a": ["planted", "one"]},
    {"a": ["planted", "one"], "b": ["b one"]},
    {"a": ["planted", "one"], "b": ["b one"]} | ONCE,
    {"a": ["planted", "one"], "b": ["b one"]} | ONCE,
    {"a": ["planted", "one", "two"], "b": ["b one"]} | ONCE,
    {"a": ["planted", "one", "two"], "b": ["b one", "b planted"]} | ONCE,
    {"a": ["", "one", "two"], "b": ["b one", "b planted"]} | ONCE,
    {"a": ["", "one", "two"], "b": ["b one", "b planted"]} | TWICE,
    {"a": ["", "one", "two", "three"], "b": ["b one", "b planted"]} | TWICE,
    {"a": ["", "one", "two", "three"], "b": ["b one", "b planted"]} | TWICE,
    {"a": ["", "one", "two", "three"]} | TWICE,
    {"a": ["", "one", "two", "three"], "b": ["b new"]} | TWICE,
    {"a": ["", "one", "two", "three"], "b": ["b new"]} | TWICE,
]


def state_of(store: Store) -> dict[str, list[str]]:
    """Texts by session, and what was counted, if anything was."""
    counted = [f"{name} {value}" for name, value in sorted(store.tally("s").items())]
    said = {info.id: texts(store, session=info.id) for info in store.sessions("s")}
    return said | ({"counted": counted} if counted else {})


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
def test_killed_at_every_step(tmp_path: Path) -> None:
    stride = 1 if "RECOLLECT_KILLS" in os.environ else 2  # each second step, unless there is time
    subprocess.run([sys.executable, "-c", STEPS, str(tmp_path), str(stride)], check=True)
    runs = {int(path.stem): path.stat().st_size for path in tmp_path.glob("*.done")}
    assert max(runs) > 100
    assert runs.pop(max(runs)) == len(STATES) - 1  # the last was not killed
    for run, done in runs.items():
        check_survivor(tmp_path / str(run), done)


def check_survivor(root: Path, done: int) -> None:
    """What was acknowledged is there; what was under way is there whole or not at all; nothing erased comes back."""
    reader, writer = opened(root), opened(root)
    found = state_of(reader)
    assert found in STATES[done : done + 2]
    assert reader.check(lambda n: None).ok
    put(writer, "after", session="c")
    assert state_of(opened(root)) == {**found, "c": ["after"]}
    writer.settle()
    assert state_of(reader) == state_of(writer) == {**found, "c": ["after"]}
    if found == STATES[-1]:
        assert hidden(root, "planted") == []
    names = files(root).keys() - {"lock", f"{HOME}/.gitattributes", f"{HOME}/manifest.json"}
    assert all(name.endswith(".json") for name in names)
    assert (f"{HOME}/counters.json" in names) == ("counted" in found)
    sheets = {f"s/conversations/{session}.json" for session in {**found, "c": []} if session != "counted"}
    assert {name for name in names if name.startswith("s/")} == {"s/conversations.json", *sheets}
    writer.close()
    assert state_of(opened(root)) == {**found, "c": ["after"]}
