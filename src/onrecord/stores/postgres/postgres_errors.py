"""What an error of PostgreSQL means: whether the same may go well a moment later, and what people are told."""

from __future__ import annotations

import psycopg

from onrecord.errors import InvalidInput, OnrecordError, StoreBusy, StoreError, StoreFull, StoreReadOnly

__all__ = ["cause", "is_broken", "is_gone", "said"]

# Beginnings of codes. Where there is none, the connection broke, or was never made.
BROKEN = ("08", "57P")  # the server, or the way to it, is gone
PASSING = ("53300", "40001", "40P01", "25P03", "25P04", "55P03")  # another transaction was in the way
FULL = ("53100", "53200")
REFUSED = (
    *("does not exist", "authentication failed", "no password", "pg_hba.conf", "permission denied"),
    *("sslmode", "does not support SSL", "could not translate", "failed to resolve", "certificate"),
)


def cause(error: psycopg.Error) -> psycopg.Error:
    """Why a statement failed, where all that is said is that one before it did."""
    before = error.__context__
    aborted = isinstance(error, psycopg.errors.PipelineAborted)
    return before if aborted and isinstance(before, psycopg.Error) else error


def is_broken(error: psycopg.Error) -> bool:
    """Whether the connection is gone, and others most likely too."""
    if error.sqlstate is None:
        return isinstance(error, (psycopg.OperationalError, psycopg.InterfaceError)) and not _is_refused(error)
    return error.sqlstate.startswith(BROKEN)


def is_gone(error: psycopg.Error) -> bool:
    """Whether the same may go well a moment later."""
    return is_broken(error) or (error.sqlstate or "").startswith(PASSING)


def _is_refused(error: psycopg.Error) -> bool:
    """Whether the server let us not in, and will not the next time: all that is known of it then is what it says."""
    text = str(error)
    return error.sqlstate is None and "connection failed" in text and any(part in text for part in REFUSED)


def said(error: psycopg.Error, name: str, patience: float) -> OnrecordError:
    """The error that people see, of the server of this name."""
    text = " ".join(str(error).split()) or type(error).__name__
    code = error.sqlstate or ""
    if isinstance(error, psycopg.DataError) and "NUL" in text:  # the driver's own: no text with one is ever kept
        return InvalidInput("What is looked for holds NUL.", "Leave it out.")
    if code in FULL:
        return StoreFull(f"{name} has no room left: {text}.", "Free some; what was acknowledged is safe.")
    if code == "25006":
        return StoreReadOnly(f"{name} is read, not written: {text}.", "Give the address of the primary server.")
    if code == "42501":
        hint = "Let the owner of the tables run `onrecord migrate --grant ROLE`."
        return StoreError(f"This role may not do that on {name}: {text}.", hint)
    if code in ("3F000", "42P01"):
        return StoreError(f"{name} holds no memory: {text}.", "Run `onrecord migrate` first.")
    if _is_refused(error):
        return StoreError(f"{name} refused the connection: {text}.", "Check its user, password and database.")
    if code.startswith(PASSING) or "wait timeout" in text:
        return StoreBusy(f"Others held {name} for {patience:g} s: {text}.", "Try again, or raise busy_timeout.")
    if is_gone(error):
        hint = "See whether it runs, then try again; a message that is added with the same key is added once."
        return StoreBusy(f"{name} could not be reached for {patience:g} s: {text.rstrip('.?')}.", hint)
    return StoreError(f"{name} refused: {text}.", "See the server's log.")
