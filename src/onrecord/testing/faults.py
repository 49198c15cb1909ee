"""Faults on command: a disk that fails at its n-th write, or is full.

`FaultVfs` is a layer between SQLite and the real files. A store is given its name, or everything that is opened goes
through it while it is the default:

>>> with FaultVfs() as disk:
...     disk.fail("write", on=3)
...     disk.done["write"]
0
"""

from __future__ import annotations

import uuid
from collections import Counter
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

import apsw

if TYPE_CHECKING:
    from typing_extensions import Buffer

__all__ = ["FaultVfs", "File", "Operation"]

Operation = Literal["open", "read", "write", "sync", "truncate", "delete"]
"""What a disk is asked to do."""

File = Literal["db", "wal", "other"]
"""The database, its write-ahead log, or a journal or temporary file."""

_KINDS: dict[int, File] = {apsw.SQLITE_OPEN_MAIN_DB: "db", apsw.SQLITE_OPEN_WAL: "wal"}


@dataclass(slots=True)
class _Fault:
    """One planned failure, and how often what it waits for has happened."""

    operations: frozenset[Operation]
    file: File | None
    on: int
    lasting: bool
    torn: bool
    error: type[apsw.Error]
    met: int = 0

    def strikes(self, operation: Operation, file: File) -> bool:
        if operation not in self.operations or self.file not in (None, file):
            return False
        self.met += 1
        return self.met == self.on or (self.lasting and self.met > self.on)


def _ignore(self: object, etype: object, evalue: object, etraceback: object) -> bool:
    """Ignore what SQLite does not ask about, such as a failed delete while closing; it was counted."""
    return True


class FaultVfs(apsw.VFS, AbstractContextManager["FaultVfs"]):
    """Passes everything on to the real disk, counts it, and fails as `fail` says.

    With `default=True` every connection that is opened meanwhile uses it. With `sync=False` syncs are counted and
    left out, which makes long tests fast where nothing is about power.
    """

    def __init__(self, *, default: bool = False, sync: bool = True) -> None:
        self.name = f"faults-{uuid.uuid4().hex[:8]}"
        self.done: Counter[Operation] = Counter()  # operations asked for, failed ones too
        self.failed = 0  # how many of them were made to fail
        self._faults: list[_Fault] = []
        self._syncs = sync
        self.base = apsw.vfs_names()[0]  # by its name: as the default, "the default one" would be this one itself
        super().__init__(self.name, self.base, default)

    def fail(
        self,
        *operations: Operation,
        on: int = 1,
        file: File | None = None,
        error: type[apsw.Error] = apsw.IOError,
        lasting: bool = False,
        torn: bool = False,
    ) -> None:
        """Fail the `on`-th of these operations from now (all kinds, if none is named); `lasting`: and all after it.

        A `torn` write leaves its first half on the disk.
        """
        wanted = frozenset(operations or get_args(Operation))
        self._faults.append(_Fault(wanted, file, on, lasting, torn, error))

    def fill(self, after: int = 0) -> None:
        """No room any more, once `after` more writes are through."""
        self.fail("write", on=after + 1, error=apsw.FullError, lasting=True, torn=True)

    def heal(self) -> None:
        """Forget all planned failures: the disk works again."""
        self._faults.clear()

    def meet(self, operation: Operation, file: File) -> _Fault | None:
        """Count an operation, and return the fault that must befall it, if any."""
        self.done[operation] += 1
        struck = [fault for fault in self._faults if fault.strikes(operation, file)]
        self.failed += bool(struck)
        return struck[0] if struck else None

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        kind: File = "other"
        for flag, file in _KINDS.items():
            kind = file if flags[0] & flag else kind
        _refuse(self.meet("open", kind), "open")
        return _FaultFile(self, kind, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        _refuse(self.meet("delete", "wal" if filename.endswith("-wal") else "other"), "delete")
        super().xDelete(filename, syncdir and self._syncs)

    def sync(self, file: _FaultFile, flags: int) -> None:
        """Sync a file, unless that is left out."""
        if self._syncs:
            apsw.VFSFile.xSync(file, flags)

    excepthook = _ignore

    def __exit__(self, *error: object) -> None:
        self.heal()
        self.unregister()


class _FaultFile(apsw.VFSFile):
    """One open file. Locks and shared memory pass through by inheritance."""

    def __init__(self, disk: FaultVfs, kind: File, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        self._disk = disk
        self._kind = kind
        super().__init__(disk.base, name, flags)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        _refuse(self._disk.meet("read", self._kind), "read")
        return super().xRead(amount, offset)

    def xWrite(self, data: Buffer, offset: int) -> None:  # noqa: N802
        fault = self._disk.meet("write", self._kind)
        if fault and fault.torn:
            whole = bytes(data)
            super().xWrite(whole[: len(whole) // 2], offset)
        _refuse(fault, "write")
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        _refuse(self._disk.meet("sync", self._kind), "sync")
        self._disk.sync(self, flags)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        _refuse(self._disk.meet("truncate", self._kind), "truncate")
        super().xTruncate(newsize)

    excepthook = _ignore


def _refuse(fault: _Fault | None, operation: Operation) -> None:
    if fault is not None:
        raise fault.error(f"planned failure of {operation}")
