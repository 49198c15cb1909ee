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
from io import TextIOBase
from pathlib import Path
from typing import IO, BinaryIO

from onrecord.errors import InvalidInput, NotFound
from onrecord.ports import Progress

__all__ = ["Document", "documents_of"]

CHUNK = 1_048_576  # bytes read at once
PACKED = 200  # bytes of text that one byte of a .zip may stand for; conversations pack into a tenth or a twentieth
HARMLESS = 64 * 1024 * 1024  # bytes up to which a .zip may hold anything

_MEMBER = re.compile(r"(?:.*/)?conversations(?:[-_]\d+)?\.json", re.IGNORECASE | re.DOTALL)
_MARKS = {codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}


class Document:
    """One text; what was looked at before is read again from the beginning."""

    def __init__(self, name: str, size: int | None, open: Callable[[], IO[bytes]], progress: Progress) -> None:
        self.name = name
        self.size = size  # bytes, where it is known
        self._unread = _decoded(open, name, progress)
        self._kept: list[str] = []

    def peek(self) -> Iterator[str]:
        """The text, without taking it."""
        at = 0
        while at < len(self._kept) or self._keep():
            yield self._kept[at]
            at += 1

    def _keep(self) -> bool:
        chunk = next(self._unread, None)
        if chunk is not None:
            self._kept.append(chunk)
        return chunk is not None

    def chunks(self) -> Iterator[str]:
        """The text; it can be taken once."""
        kept, self._kept = self._kept[::-1], []
        while kept:
            yield kept.pop()
        yield from self._unread


@contextmanager
def documents_of(source: str | Path | BinaryIO, progress: Progress) -> Iterator[list[Document]]:
    """The texts of a file, or of a stream; progress is told of the bytes that were read of them."""
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
            yield [Document(name, _size(file), lambda: file, progress)]
            return
        if not file.seekable():
            raise InvalidInput("A .zip cannot be read from a pipe.", "Give the file's name.")
        try:
            archive = stack.enter_context(zipfile.ZipFile(file))
        except Exception:  # noqa: BLE001 - see _blocks
            raise InvalidInput(f"{name} is a damaged .zip.", "Download it again.") from None
        yield [_member(archive, info, progress) for info in _members(archive, name)]


@contextmanager
def _opened(path: str | Path) -> Iterator[BinaryIO]:
    try:
        file = open(path, "rb")  # noqa: SIM115 - it is closed below, and only opening it may fail like this
    except FileNotFoundError:
        raise NotFound(f"There is no {path}.", "Check the path.") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{path}: {getattr(error, 'strerror', None) or error}.", "Check the path.") from None
    with file:
        yield file


def _head(file: BinaryIO) -> bytes:
    """The first bytes, which stay to be read."""
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
    """The conversations of an archive, which large exports have in several parts."""
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


def _member(archive: zipfile.ZipFile, info: zipfile.ZipInfo, progress: Progress) -> Document:
    return Document(info.filename, info.file_size, lambda: archive.open(info), progress)


def _decoded(open: Callable[[], IO[bytes]], name: str, progress: Progress) -> Iterator[str]:
    decoder: codecs.IncrementalDecoder | None = None
    for block in _blocks(open, name):
        if decoder is None:
            encoding = _MARKS.get(block[:2], "utf-8-sig")
            errors = "surrogateescape" if encoding == "utf-8-sig" else "replace"
            decoder = codecs.getincrementaldecoder(encoding)(errors)
        progress(len(block))
        if text := decoder.decode(block):
            yield text
    if decoder is not None and (text := decoder.decode(b"", final=True)):
        yield text


def _blocks(open: Callable[[], IO[bytes]], name: str) -> Iterator[bytes]:
    try:
        file = open()
        while block := file.read(CHUNK):
            yield block
    except OSError as error:
        raise InvalidInput(f"{name} cannot be read: {error.strerror or error}.", "Check the file.") from None
    except Exception as error:  # noqa: BLE001 - a damaged archive makes its reader raise anything, MemoryError too
        raise InvalidInput(f"{name} cannot be read: {error or 'it is cut off'}.", "Download it again.") from None
