"""Everything onrecord raises on purpose.

    OnrecordError
    ├── InvalidInput          what was passed in cannot be taken as it is
    │   ├── InvalidSetting    a setting is unknown or out of range
    │   └── TooLarge          a message is over the size limit
    ├── Conflict              the id or key is taken by other content
    │   ├── Forgotten         the id or key belongs to a message that was forgotten
    │   └── Outrun            someone else changed the session meanwhile
    ├── Denied                a service wants a key, or the key does not allow this
    ├── Limited               a service was asked too often; it says when to ask again
    ├── ModelError            a model, or the server it runs on, did not do what was asked
    │   └── ModelUnreachable  it could not be asked at all: refused, not found, timed out
    ├── NotFound              there is no such message, session or space
    └── StoreError            the place where the data lie
        ├── StoreBusy         another process or thread holds it
        ├── StoreClosed       it was closed before this call
        ├── StoreDamaged      its bytes are not what was written
        ├── StoreFull         there is no room left on the disk
        ├── StoreReadOnly     it can be read and not written
        └── StoreVersion      another version of onrecord made it

Each says what happened, then what to do about it; the two parts are also there as `what` and `hint`.
"""

from __future__ import annotations

__all__ = [
    "Conflict",
    "Denied",
    "Forgotten",
    "InvalidInput",
    "InvalidSetting",
    "Limited",
    "ModelError",
    "ModelUnreachable",
    "NotFound",
    "OnrecordError",
    "Outrun",
    "StoreBusy",
    "StoreClosed",
    "StoreDamaged",
    "StoreError",
    "StoreFull",
    "StoreReadOnly",
    "StoreVersion",
    "TooLarge",
]


def shown(value: object) -> str:
    """A value as an error names it, whatever it is: a number of too many digits has no text."""
    try:
        return repr(value)
    except ValueError:
        return f"a value of type {type(value).__name__}"


class OnrecordError(Exception):
    """The root of the tree: catch this to catch all of them."""

    def __init__(self, what: str, hint: str) -> None:
        super().__init__(what, hint)
        self.what = what
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.what} {self.hint}"


class InvalidInput(OnrecordError, ValueError):
    """What was passed in cannot be taken as it is."""


class InvalidSetting(InvalidInput):
    """A setting is unknown or out of range."""


class TooLarge(InvalidInput):
    """A message is over the size limit."""


class Conflict(OnrecordError):
    """The id or idempotency key is taken by other content."""


class Forgotten(Conflict):
    """The id or idempotency key belongs to a message that was forgotten; it is not added again."""


class Outrun(Conflict):
    """Someone else changed the session after it was read for this write; nothing was written, and it may be tried
    again."""


class Denied(OnrecordError):
    """A service wants a key and was given none that it knows, or the key does not allow what was asked."""

    def __init__(self, what: str, hint: str, *, known: bool = True) -> None:
        super().__init__(what, hint)
        self.known = known  # False: there was no key, or none that is known


class Limited(OnrecordError):
    """A service was asked more often than it allows; its hint says when to ask again."""

    def __init__(self, what: str, hint: str, *, seconds: int = 1) -> None:
        super().__init__(what, hint)
        self.seconds = seconds  # until it may be asked again


class ModelError(OnrecordError):
    """A model is not installed or not the one it should be, or the server it runs on failed; what is kept is
    unchanged."""


class ModelUnreachable(ModelError):
    """The server of a model could not be asked at all: it refused, was not found, or took too long."""


class NotFound(OnrecordError, LookupError):
    """There is no such message, session or space."""


class StoreError(OnrecordError):
    """The place where the data lie could not do what was asked; what it holds is unchanged."""


class StoreBusy(StoreError):
    """Another process or thread holds the store; trying again later may work."""


class StoreClosed(StoreError):
    """The store was closed before this call."""


class StoreDamaged(StoreError):
    """The bytes of the store are not what was written; it can be read in part and not written."""


class StoreFull(StoreError):
    """There is no room left on the disk; what was acknowledged is safe."""


class StoreReadOnly(StoreError):
    """The disk, or the permissions there, let the store be read and not written."""


class StoreVersion(StoreError):
    """Another version of onrecord, or another program, made the store."""
