"""What each room of the package may weigh: the table in pyproject.toml."""

from __future__ import annotations

import ast
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "onrecord"
ROOMS: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["onrecord"][
    "rooms"
]
MEAN = 47  # characters of a line
MOST_COMPLEX = 12


def modules(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_weighs_no_more_than_it_may(name: str) -> None:
    files = [file for part in ROOMS[name]["holds"] for file in modules(PACKAGE / part)]
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    assert len(lines) <= ROOMS[name]["lines"], f"{name} has {len(lines):,} lines"
    assert sum(map(len, lines)) <= MEAN * len(lines), f"the lines of {name} are longer than {MEAN} characters"


def test_every_module_has_a_room_and_one_only() -> None:
    held = [file for room in ROOMS.values() for part in room["holds"] for file in modules(PACKAGE / part)]
    assert sorted(held) == modules(PACKAGE)


def test_a_ceiling_is_near_what_a_room_weighs() -> None:
    """A table that nobody keeps up bounds nothing."""
    for name, room in ROOMS.items():
        files = [file for part in room["holds"] for file in modules(PACKAGE / part)]
        weighs = sum(len(file.read_text(encoding="utf-8").splitlines()) for file in files)
        assert room["lines"] <= max(room["aim"], weighs + 100 + weighs // 20), f"{name} weighs {weighs:,}"


@pytest.mark.parametrize("name", ROOMS)
def test_functions_are_simple(name: str) -> None:
    trees = [
        ast.parse(file.read_text(encoding="utf-8")) for part in ROOMS[name]["holds"] for file in modules(PACKAGE / part)
    ]
    functions = [
        node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    found = [function.name for function in functions if complexity(function) > MOST_COMPLEX]
    assert len(found) == ROOMS[name].get("complex", 0), f"{name} has {len(found)}: {', '.join(found)}"


def complexity(function: ast.AST) -> int:
    """Return the number of ways through a function, each operand of a boolean operator counted as one."""
    branches = (
        ast.If,
        ast.For,
        ast.AsyncFor,
        ast.While,
        ast.IfExp,
        ast.ExceptHandler,
        ast.comprehension,
        ast.match_case,
    )
    nodes = list(ast.walk(function))
    conditions = sum(len(node.ifs) for node in nodes if isinstance(node, ast.comprehension))
    operands = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return 1 + sum(isinstance(node, branches) for node in nodes) + conditions + operands


def test_a_class_has_a_name_of_its_own() -> None:
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in modules(PACKAGE)]
    names = Counter(
        part.name.lstrip("_") for tree in trees for part in ast.walk(tree) if isinstance(part, ast.ClassDef)
    )
    assert not [name for name, times in names.items() if times > 1]


def test_a_module_has_a_name_of_its_own() -> None:
    names = Counter(file.stem for file in modules(PACKAGE) if file.stem != "__init__")
    assert not [name for name, times in names.items() if times > 1]
