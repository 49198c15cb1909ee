"""Memory for conversations with language models: keeps every message, and finds what matters again.

>>> from onrecord import Memory
>>> chat = Memory(":memory:").session("trip")
>>> chat.add("user", "We fly to Lisbon on 5 May.").seq
1
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from onrecord.errors import (
    Conflict,
    Denied,
    Forgotten,
    InvalidInput,
    InvalidSetting,
    Limited,
    ModelError,
    ModelUnreachable,
    NotFound,
    OnrecordError,
    Outrun,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreVersion,
    TooLarge,
)
from onrecord.version import __version__ as __version__

if TYPE_CHECKING:
    from onrecord.aio import AsyncMemory, AsyncSession
    from onrecord.context.prompt import Context
    from onrecord.integrations.openai import wrap
    from onrecord.memory import Memory, doctor, restore
    from onrecord.recall.hits import Hits
    from onrecord.records import (
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
    from onrecord.session import Session

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
    "OnrecordError",
    "Outrun",
    "Pin",
    "Receipt",
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
    "AsyncMemory": "onrecord.aio",
    "AsyncSession": "onrecord.aio",
    "Context": "onrecord.context.prompt",
    "Hits": "onrecord.recall.hits",
    "Memory": "onrecord.memory",
    "Session": "onrecord.session",
    "doctor": "onrecord.memory",
    "restore": "onrecord.memory",
    "wrap": "onrecord.integrations.openai",
}
"""The rooms of those public names that are no records."""

if not TYPE_CHECKING:  # a type checker sees the names above, and refuses any other

    def __getattr__(name: str) -> Any:
        """A public name, taken from its room when it is first asked for: then an import alone costs next to nothing."""
        if name not in __all__:
            raise AttributeError(f"module 'onrecord' has no attribute {name!r}")
        try:
            room = import_module(_ROOMS.get(name, "onrecord.records"))
        except ModuleNotFoundError as missing:
            if name != "wrap":
                raise
            raise InvalidSetting(
                f"wrap needs the package {missing.name}, which is not there.", "Run: pip install 'onrecord[models]'"
            ) from None
        value = globals()[name] = getattr(room, name)
        return value

    def __dir__() -> list[str]:
        """The names to look at one after another: not `wrap`, which not everybody has the package for."""
        return sorted({*globals(), *__all__} - {"wrap"})
