"""A real fork, for tests of what a child inherits."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from typing import TypeVar

import pytest

__all__ = ["forks", "in_child"]

LONG = 60  # seconds until a child that hangs is ended


_Test = TypeVar("_Test", bound=Callable[..., None])


def forks(test: _Test) -> _Test:
    """A test that forks this process, which Python warns of where threads run."""
    pytest.mark.skipif(not hasattr(os, "fork"), reason="only where there are forks")(test)
    pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")(test)
    return test


def in_child(work: Callable[[], object]) -> int:
    """What a forked process that does this ends with: 0 unless it raises or hangs."""
    child = os.fork()
    if child == 0:
        signal.alarm(LONG)
        try:
            work()
        except BaseException:  # noqa: BLE001 - the parent must hear of it, whatever it is
            os._exit(1)
        os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
