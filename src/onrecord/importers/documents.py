"""The texts of a file: the file itself, or the conversations in a .zip, which is never unpacked to the disk.

Text is read chunk by chunk. Bytes that are not UTF-8 become broken characters, which a memory keeps as such beside what
it shows, so that one of them costs nothing else. A .zip says how large its members are and gives no byte more; one that
says it holds far more than text can be packed into so few bytes is refused.
"""

from __future__ import annotations

import codecs
import os
import re
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from io import TextIOBase
from pathlib import Path
from typing import IO, BinaryIO

from onrecord.errors import InvalidInput, NotFound

__all__ = ["Document", "open_documents"]

CHUNK = 1_048_576  # bytes read at once
PACKED = 200  # bytes of text that one byte of a .zip may stand for; conversations pack into a tenth or a twentieth
HARMLESS = 64 * 1024 * 1024  # bytes up to which a .zip may hold anything

_MEMBER = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json", re.IGNORECASE | re.DOTALL)
_UTF16 = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Document:
    """A text that is read once; what was peeked at comes again."""

    def __init__(self, name: str, size: int | None, open: Callable[[], IO[bytes]]) -> None:
        self.name = name
        self.size = size  # bytes, where it is known
        self.read = 0  # bytes so far
        self._open = open
        self._unread = self._decoded()
        self._peeked: list[str] = []

    def peek(self) -> Iterator[str]:
        """Yield the text's chunks without taking them."""
        yield from self._peeked
        for chunk in self._unread:
            self._peeked.append(chunk)
            yield chunk

    def chunks(self) -> Iterator[str]:
        """Yield the text's chunks, once."""
        peeked, self._peeked = self._peeked[::-1], []
        while peeked:
            yield peeked.pop()
        yield from self._unread

    def _decoded(self) -> Iterator[str]:
        decoder: codecs.IncrementalDecoder | None = None
        for block in self._blocks():
            if decoder is None:
                wide = block.startswith(_UTF16)
                decoder = codecs.getincrementaldecoder("utf-16" if wide else "utf-8-sig")(
                    "replace" if wide else "surrogateescape"
                )
            self.read += len(block)
            yield decoder.decode(block, final=not block)

    def _blocks(self) -> Iterator[bytes]:
        """Yield the bytes, at last none."""
        try:
            file = self._open()
            while block := file.read(CHUNK):
                yield block
            yield b""
        except OSError as error:
            raise InvalidInput(f"{self.name} cannot be read: {error.strerror or error}.", "Check the file.") from None
        except Exception as error:  # noqa: BLE001 - a damaged archive makes its reader raise anything, MemoryError too
            what = f"{self.name} cannot be read: {error or 'it is cut off'}."
            raise InvalidInput(what, "Download it again.") from None


@contextmanager
def open_documents(source: str | Path | BinaryIO) -> Iterator[list[Document]]:
    """Open the texts of a file, or of a stream of bytes."""
    with ExitStack() as stack:
        if isinstance(source, (str, Path)):
            name = str(source)
            file: BinaryIO = stack.enter_context(_opened(source))
        elif isinstance(source, TextIOBase) or not hasattr(source, "read"):
            raise InvalidInput(
                f"source is of type {type(source).__name__}.", 'Pass a path, or a file opened with "rb".'
            )
        else:
            name, file = "standard input", source
        if not _head(file).startswith(b"PK"):
            yield [Document(name, _size(file), lambda: file)]
            return
        if not file.seekable():
            raise InvalidInput("A .zip cannot be read from a pipe.", "Give the file's name.")
        try:
            archive = stack.enter_context(zipfile.ZipFile(file))
        except Exception:  # noqa: BLE001 - see _blocks
            raise InvalidInput(f"{name} is a damaged .zip.", "Download it again.") from None
        yield [Document(info.filename, info.file_size, partial(archive.open, info)) for info in _members(archive, name)]


def _opened(path: str | Path) -> BinaryIO:
    try:
        return open(path, "rb")
    except FileNotFoundError:
        raise NotFound(f"There is no {path}.", "Check the path.") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path}: {getattr(error, 'strerror', None) or error}.", "Check the path.") from None


def _head(file: BinaryIO) -> bytes:
    """Return the first bytes, which stay to be read."""
    peek = getattr(file, "peek", None)
    if peek is not None:
        return bytes(peek(4)[:4])
    if not file.seekable():
        return b""
    head = file.read(4)
    file.seek(-len(head), os.SEEK_CUR)
    return head


def _size(file: BinaryIO) -> int | None:
    if not file.seekable():
        return None
    at = file.tell()
    size = file.seek(0, os.SEEK_END) - at
    file.seek(at)
    return size


def _members(archive: zipfile.ZipFile, name: str) -> list[zipfile.ZipInfo]:
    """Return the conversations of an archive, which large exports have in several parts, in order."""
    found = [info for info in archive.infolist() if _MEMBER.fullmatch(info.filename)]
    if not found:
        raise InvalidInput(
            f"{name} holds no conversations.json.",
            "Give the .zip that ChatGPT or Claude sent, or unpack it and name the file with the conversations.",
        )
    for info in found:
        if info.flag_bits & 1:
            raise InvalidInput(f"{name} is locked with a password.", "Unpack it, and give the file inside.")
        if info.file_size > HARMLESS and info.file_size > PACKED * info.compress_size:
            raise InvalidInput(
                f"{info.filename} in {name} would unpack to {info.file_size:,} bytes, "
                f"over {PACKED} times what it has: that is no export.",
                "If it is yours, unpack it and give the file inside.",
            )
    return sorted(found, key=lambda info: info.filename)
