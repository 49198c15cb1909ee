"""The library over HTTP: `Memory("http://…", key=…)` has the same methods, and a service keeps what it holds."""

from __future__ import annotations

from onrecord.client.remote_memory import RemoteMemory
from onrecord.client.remote_session import RemoteSession

__all__ = ["RemoteMemory", "RemoteSession"]
