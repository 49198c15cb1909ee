"""Memory for conversations with language models: keeps every message, and finds what matters again.

>>> from recollect import Memory
>>> chat = Memory(":memory:").session("trip")
>>> chat.add("user", "We fly to Lisbon on 5 May.").seq
1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from recollect.errors import (
    Conflict,
    Denied,
    Forgotten,
    InvalidInput,
    InvalidSetting,
    Limited,
    ModelError,
    ModelUnreachable,
    NotFound,
    Outrun,
    RecollectError,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreVersion,
    TooLarge,
)
from recollect.version import __version__ as __version__

if TYPE_CHECKING:
    from recollect.aio import AsyncMemory, AsyncSession
    from recollect.context.prompt import Context
    from recollect.integrations.openai import wrap
    from recollect.memory import Memory, doctor, restore
    from recollect.recall.hits import Hits
    from recollect.records import (
        Candidate,
        Compression,
        Conversation,
        Erased,
        Estimate,
        Finding,
        Health,
        Hit,
        ImportantData,
        ImportReport,
        Message,
        Pin,
        Receipt,
        Section,
        SessionInfo,
        Spent,
        Summaries,
        Summary,
        ToolCall,
    )
    from recollect.session import Session

__all__ = [
    "AsyncMemory",
    "AsyncSession",
    "Candidate",
    "Compression",
    "Conflict",
    "Context",
    "Conversation",
    "Denied",
    "Erased",
    "Estimate",
    "Finding",
    "Forgotten",
    "Health",
    "Hit",
    "Hits",
    "ImportReport",
    "ImportantData",
    "InvalidInput",
    "InvalidSetting",
    "Limited",
    "Memory",
    "Message",
    "ModelError",
    "ModelUnreachable",
    "NotFound",
    "Outrun",
    "Pin",
    "Receipt",
    "RecollectError",
    "Section",
    "Session",
    "SessionInfo",
    "Spent",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreVersion",
    "Summaries",
    "Summary",
    "TooLarge",
    "ToolCall",
    "doctor",
    "restore",
    "wrap",
]

_ROOMS = {
    "AsyncMemory": "recollect.aio",
    "AsyncSession": "recollect.aio",
    "Context": "recollect.context.prompt",
    "Hits": "recollect.recall.hits",
    "Memory": "recollect.memory",
    "Session": "recollect.session",
    "doctor": "recollect.memory",
    "restore": "recollect.memory",
    "wrap": "recollect.integrations.openai",
}
"""The rooms of those public names that are no records."""

if not TYPE_CHECKING:  # a type checker sees the names above, and refuses any other

    def __getattr__(name: str) -> Any:
        """A public name, taken from its room when it is first asked for: then an import alone costs next to nothing."""
        if name not in __all__:
            raise AttributeError(f"module 'recollect' has no attribute {name!r}")
        try:
            room = import_module(_ROOMS.get(name, "recollect.records"))
        except ModuleNotFoundError as missing:
            if name != "wrap":
                raise
            raise InvalidSetting(
                f"wrap needs the package {missing.name}, which is not there.", "Run: pip install 'recollect[openai]'"
            ) from None
        value = globals()[name] = getattr(room, name)
        return value

    def __dir__() -> list[str]:
        """The names to look at one after another: not `wrap`, which not everybody has the package for."""
        return sorted({*globals(), *__all__} - {"wrap"})
