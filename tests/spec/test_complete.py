"""No behaviour of the four designs is without a test: each has an id, and a test is named after it."""

from __future__ import annotations

import ast
from pathlib import Path

DESIGNS = {"h": 21, "t": 20, "p": 14, "r": 7}
"""How many behaviours each design lists: h01 to h21 of the hybrid one, and so on."""


def test_every_behaviour_of_the_four_designs_has_a_test() -> None:
    wanted = {f"{design}{number:02}" for design, many in DESIGNS.items() for number in range(1, many + 1)}
    named = {name.split("_")[1] for path in Path(__file__).parent.glob("test_*.py") for name in _tests(path)}
    assert sorted(wanted - named) == []


def _tests(path: Path) -> list[str]:
    """The tests of a file that run: functions of the module whose names begin as pytest wants."""
    body = ast.parse(path.read_text(encoding="utf-8")).body
    return [one.name for one in body if isinstance(one, ast.FunctionDef) and one.name.startswith("test_")]
