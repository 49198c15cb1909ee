"""The suite that every store must pass. It needs pytest, and nothing else in onrecord does.

Subclass it in a test module and say how your store is opened; each test gets a path of its own:

    import pytest

    pytest.register_assert_rewrite("onrecord.testing.conformance")  # so that a failure shows its values

    from onrecord.testing.conformance import StoreSuite

    class TestMyStore(StoreSuite):
        def open(self, path: Path) -> Store:
            return MyStore(path)

Set `persistent = False` if nothing is meant to survive `close`, and `on_a_server = True` if erased bytes and backups
are the matter of the server's operator.
"""

from __future__ import annotations

from onrecord.testing.conformance.deriving import Deriving
from onrecord.testing.conformance.following import FollowingCases
from onrecord.testing.conformance.keeping import Keeping
from onrecord.testing.conformance.message_cases import Messages

__all__ = ["StoreSuite"]


class StoreSuite(Messages, Deriving, FollowingCases, Keeping):
    """Tests of the port. What a method must do is said in `onrecord.ports.Store`."""
