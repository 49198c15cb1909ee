"""What the operator of a service decides: where the memory lies, what callers may send, and whom the proxy asks."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from ipaddress import ip_address
from typing import Any, Literal

from onrecord.errors import InvalidSetting
from onrecord.memory import Memory
from onrecord.stores import is_server

__all__ = ["HANDED_OVER", "Serving", "is_loopback"]

HANDED_OVER = "ONRECORD_SERVING"
"""The variable of the environment in which `onrecord serve` tells its processes what was decided."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Serving:
    """The settings of a service."""

    db: str  # where the memory lies
    space: str = "default"  # of callers who name none
    host: str = "127.0.0.1"  # the address that is listened on
    port: int = 8787
    processes: int = 1
    upstream: str | None = None  # the server that chat requests are passed on to, such as https://api.openai.com/v1
    upstream_key: str | None = field(default=None, repr=False)  # the key for it; without one, the caller's own is sent
    budget: int | None = None  # tokens of a prompt that the proxy builds; None: as many as were sent, and some more
    body_bytes: int = 8_388_608  # the largest request
    import_bytes: int = 1_073_741_824  # the largest import
    rate: float = 100.0  # requests that a key may make in a second, where keys are needed; 0: any number
    log: Literal["text", "json"] = "text"  # how it is logged: text or json
    memory: Mapping[str, Any] = field(default_factory=dict)  # further keywords of Memory

    @property
    def waits(self) -> bool:
        """Whether what is read of the memory may have to come from elsewhere: a database's server, or an embedder's."""
        embedder = str(self.memory.get("embedder") or "")
        return is_server(self.db) or "/" in embedder.partition(":")[0]

    def open(self) -> Memory:
        """The memory that is served."""
        return Memory(self.db, space=self.space, **self.memory)

    def hand_over(self) -> None:
        """Tell the processes that this one starts. The key stays in its own variable, where the operator put it."""
        values = asdict(self) | {"upstream_key": None, "memory": {**self.memory, "upstream_key": None}}
        os.environ[HANDED_OVER] = json.dumps(values)

    @classmethod
    def handed_over(cls) -> Serving:
        """Return the settings that this process was started with."""
        values = json.loads(os.environ[HANDED_OVER])
        key = os.environ.get("ONRECORD_UPSTREAM_KEY")
        if values["memory"].get("upstream") or _asks_upstream(values["memory"]):
            values["memory"]["upstream_key"] = key
        return cls(**values | {"upstream_key": key})


def _asks_upstream(memory: Mapping[str, Any]) -> bool:
    return any(str(memory.get(name) or "").startswith("openai/") for name in ("model", "embedder"))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("localhost"), is_loopback("0.0.0.0"), is_loopback("::1")
    (True, True, False, True)
    """
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def refuse_open_door(host: str, keys: bool) -> None:
    """Raise if other machines could reach a service that needs no key."""
    if not keys and not is_loopback(host):
        raise InvalidSetting(
            f"{host} can be reached from other machines, and there are no keys.",
            "Make one first: onrecord keys create --scope read --scope write; or listen on 127.0.0.1.",
        )
