"""The library over HTTP: `Memory("http://…", key=…)` has the same methods, and a service keeps what it holds."""

from __future__ import annotations

from recollect.client.memory import RemoteMemory
from recollect.client.session import RemoteSession

__all__ = ["RemoteMemory", "RemoteSession"]
