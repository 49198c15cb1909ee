"""The blocks of a JSON folder's search index: a file each, in a folder of their own, for programs and not for people.

A file begins with a line that says what it is about. The bytes of the block follow, as `recall` gave them. A block can
always be made again, so one that does not fit the rest of the folder any more is simply left out: its bytes were
changed, or the folder was taken back to an earlier state or merged with another. Whatever removes something from a
space first removes all blocks of the space.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zlib import crc32

from recollect.records import Block, Finding, digest
from recollect.stores.json_folder.disk import ASIDE, listed, replace_file, scrub, set_aside, sync_folder
from recollect.stores.json_folder.files import seal, unseal
from recollect.stores.json_folder.manifest import INDEX

__all__ = ["BlockFolder"]

ENDING = ".block"
DIGITS = 16  # of the digests that make a file's name

Outline = Callable[[str, int, int], int]
"""A checksum over what came to a space under the numbers of a block, as far as a number: see FolderState."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _KeptBlock:
    """A block as its file says it."""

    space: str
    plan: str
    block: Block
    until: int  # the newest arrival that the space had when it was made
    outline: int  # checksum over what the block was about then

    @property
    def name(self) -> str:
        return f"{_start(self.space)}{_start(self.plan)}{self.block.number}{ENDING}"

    def to_bytes(self) -> bytes:
        head = {
            "space": self.space,
            "plan": self.plan,
            "number": self.block.number,
            "until": self.until,
            "outline": self.outline,
            "sum": crc32(self.block.body),
        }
        return seal(head) + b"\n" + self.block.body

    @classmethod
    def from_bytes(cls, raw: bytes) -> _KeptBlock | None:
        """The block, or None if the file was changed."""
        line, _, body = raw.partition(b"\n")
        head: dict[str, Any] | None = unseal(line)
        if head is None or head.pop("sum") != crc32(body):
            return None
        return cls(block=Block(number=head.pop("number"), body=body), **head)


def _start(name: str) -> str:
    return digest(name)[:DIGITS] + "-"


class BlockFolder:
    """The files of all blocks."""

    def __init__(self, home: Path) -> None:
        self._folder = home / INDEX

    def blocks(self, space: str, plan: str, after: int, outline: Outline) -> Iterator[Block]:
        """The blocks of a plan with numbers over `after`, in order, as far as they are sound and fit."""
        for number, name in sorted(self._names(space, plan)):
            kept = self._read(name) if number > after else None
            if kept is not None and kept.outline == outline(space, number, kept.until):
                yield kept.block

    def plans(self, space: str) -> list[str]:
        """The plans of which there are sound blocks, sorted."""
        first = dict(reversed([(name[: 2 * DIGITS + 1], name) for _, name in self._names(space)]))
        return sorted(kept.plan for name in first.values() if (kept := self._read(name)) is not None)

    def write(self, space: str, plan: str, blocks: Sequence[Block], until: int, outline: Outline) -> None:
        """Put blocks in place of those with their numbers, whose bytes are overwritten."""
        self._folder.mkdir(exist_ok=True)
        for block in blocks:
            about = outline(space, block.number, until)
            kept = _KeptBlock(space=space, plan=plan, block=block, until=until, outline=about)
            path = self._folder / kept.name
            set_aside(path)
            replace_file(path, kept.to_bytes())
            scrub(path.with_name(path.name + ASIDE))
        sync_folder(self._folder)

    def drop(self, space: str, plan: str | None = None) -> None:
        """Overwrite and remove the blocks of a plan, or of the whole space."""
        for _, name in self._names(space, plan):
            self._remove(name)

    def drop_others(self, spaces: Collection[str]) -> None:
        """Overwrite and remove the blocks of all spaces but these."""
        starts = tuple(_start(space) for space in spaces)
        for name in listed(self._folder):
            if name.endswith(ENDING) and not name.startswith(starts):
                self._remove(name)

    def _remove(self, name: str) -> None:
        """Overwrite and remove a file, under a name that is no block's: stopped halfway, no block was changed."""
        path, aside = self._folder / name, self._folder / (name + ASIDE)
        scrub(aside)
        with suppress(FileNotFoundError):
            path.replace(aside)
        scrub(aside)

    def names(self) -> list[str]:
        """The files of all blocks."""
        return [name for name in listed(self._folder) if name.endswith(ENDING)]

    def findings(self) -> list[Finding]:
        """The files that were changed."""
        broken = [name for name in self.names() if self._read(name) is None and (self._folder / name).exists()]
        what = "was changed; it is left out, and made again by itself."
        return [Finding(kind="index", what=f"{INDEX}/{name} {what}") for name in broken]

    def _names(self, space: str, plan: str | None = None) -> list[tuple[int, str]]:
        start = _start(space) + ("" if plan is None else _start(plan))
        found = [name for name in self.names() if name.startswith(start)]
        numbers = [name.removesuffix(ENDING).rpartition("-")[2] for name in found]
        return [(int(number), name) for number, name in zip(numbers, found, strict=True) if number.isdecimal()]

    def _read(self, name: str) -> _KeptBlock | None:
        with suppress(FileNotFoundError):  # a writer goes on meanwhile
            kept = _KeptBlock.from_bytes((self._folder / name).read_bytes())
            return kept if kept is not None and kept.name == name else None
        return None
