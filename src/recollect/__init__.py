"""Memory for conversations with language models: keeps every message, and finds what matters again.

>>> from recollect import Memory
>>> chat = Memory(":memory:").session("trip")
>>> chat.add("user", "We fly to Lisbon on 5 May.").seq
1
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from recollect.errors import (
    Conflict,
    Forgotten,
    InvalidInput,
    InvalidSetting,
    NotFound,
    RecollectError,
    StoreBusy,
    StoreClosed,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreVersion,
    TooLarge,
)
from recollect.memory import Memory, Session, doctor
from recollect.records import Erased, Finding, Health, ImportReport, Message, Receipt, SessionInfo, ToolCall

if TYPE_CHECKING:
    from recollect.aio import AsyncMemory, AsyncSession

__version__ = "0.1.0"

__all__ = [
    "AsyncMemory",
    "AsyncSession",
    "Conflict",
    "Erased",
    "Finding",
    "Forgotten",
    "Health",
    "ImportReport",
    "InvalidInput",
    "InvalidSetting",
    "Memory",
    "Message",
    "NotFound",
    "Receipt",
    "RecollectError",
    "Session",
    "SessionInfo",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreVersion",
    "TooLarge",
    "ToolCall",
    "doctor",
]


def __getattr__(name: str) -> Any:
    """The asynchronous door loads asyncio, which not everyone needs."""
    if name in ("AsyncMemory", "AsyncSession"):
        from recollect import aio

        return getattr(aio, name)
    raise AttributeError(f"module 'recollect' has no attribute {name!r}")
