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
    StoreVersion,
    TooLarge,
)
from recollect.memory import Memory, doctor
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
from recollect.version import __version__ as __version__

if TYPE_CHECKING:
    from recollect.aio import AsyncMemory, AsyncSession
    from recollect.context.prompt import Context
    from recollect.integrations.openai import wrap
    from recollect.recall.hits import Hits

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
    "StoreVersion",
    "Summaries",
    "Summary",
    "TooLarge",
    "ToolCall",
    "doctor",
    "wrap",
]


def __getattr__(name: str) -> Any:
    """What not everyone needs: the asynchronous door, which loads asyncio, and the names of what `context` and `search`
    answer."""
    if name == "Context":
        from recollect.context.prompt import Context

        return Context
    if name == "Hits":
        from recollect.recall.hits import Hits

        return Hits
    if name == "wrap":
        try:
            from recollect.integrations.openai import wrap
        except ModuleNotFoundError as missing:
            raise InvalidSetting(
                f"wrap needs the package {missing.name}, which is not there.", "Run: pip install 'recollect[openai]'"
            ) from None
        return wrap
    if name in ("AsyncMemory", "AsyncSession"):
        from recollect import aio

        return getattr(aio, name)
    raise AttributeError(f"module 'recollect' has no attribute {name!r}")
