"""A memory over the wire that names no space has the key's, or the service's own."""

from __future__ import annotations

from pathlib import Path

from service_tools import key_of, serving

from onrecord import Memory


def test_a_key_for_one_space_needs_no_name(tmp_path: Path) -> None:
    key = key_of(tmp_path / "m.db", "read", "write", tenant="acme", space="ana")
    with serving(tmp_path / "m.db") as served:
        with Memory(f"{served.url}/v1", key=key) as memory:
            memory.session("s").add("user", "Hello.")
        assert [one.text for one in served.memory.space("acme/ana").session("s").history()] == ["Hello."]


def test_the_service_says_what_is_usual(tmp_path: Path) -> None:
    with serving(tmp_path / "m.db", space="bob") as served:
        with Memory(served.url) as memory:
            memory.session("s").add("user", "Hello.")
        assert served.memory.spaces() == ["bob"]
