"""What a service is installed from: one version of each package, with hashes, that fits what we ask for."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
LOCKED = ROOT / "requirements.lock"
EXTRAS = "server postgres models mcp".split()
OURS = {"onrecord", "onrecord-encoder"}


def locked() -> dict[str, list[Requirement]]:
    found: dict[str, list[Requirement]] = {}
    for entry in re.split(r"\n(?=\S)", LOCKED.read_text(encoding="utf-8").strip()):
        wanted, *hashes = entry.split(" \\\n")
        assert hashes, wanted
        assert all(re.fullmatch(r"\s+--hash=sha256:[0-9a-f]{64}", line) for line in hashes), wanted
        one = Requirement(wanted)
        assert [part.operator for part in one.specifier] == ["=="], wanted
        found.setdefault(one.name.lower(), []).append(one)
    return found


def test_every_package_of_a_service_is_locked_by_version_and_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *(one for name in EXTRAS for one in project["optional-dependencies"][name])]
    held = locked()
    for one in map(Requirement, wanted):
        if one.name not in OURS:
            versions = [next(iter(pin.specifier)).version for pin in held[one.name.lower()]]
            assert any(version in one.specifier for version in versions), one


def test_the_lock_names_no_place_to_get_it_from() -> None:
    assert "://" not in LOCKED.read_text(encoding="utf-8")
    assert "--index" not in LOCKED.read_text(encoding="utf-8")
