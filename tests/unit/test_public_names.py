"""What stands above the library uses its public names: no attribute and no import with an underscore of another module.

A name with an underscore may be used of `self` and `cls`, and within the module that defines it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "src" / "onrecord"
PUBLIC = ("_asdict", "_exit", "_fields", "_make", "_replace")  # of the standard library
CLEAN = ("ui", "service", "cli")  # rooms above the library; a room that is clean stays so


def is_private(name: str) -> bool:
    return name.startswith("_") and not name.endswith("__") and name not in ("_", *PUBLIC)


def defined(tree: ast.Module) -> set[str]:
    """Return the names that a module defines: of functions, classes, fields and attributes of `self`."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            names.add(node.attr)
    return names


def foreign(source: str) -> Iterator[str]:
    tree = ast.parse(source)
    own = defined(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from (name.name for name in node.names if is_private(name.name))
        elif isinstance(node, ast.Attribute) and is_private(node.attr) and node.attr not in own:
            held = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            yield from () if held else (ast.unparse(node),)


@pytest.mark.parametrize("room", CLEAN)
def test_a_room_uses_public_names_of_others_only(room: str) -> None:
    found = {
        file.relative_to(PACKAGE).as_posix(): names
        for file in sorted((PACKAGE / room).rglob("*.py"))
        if (names := list(foreign(file.read_text(encoding="utf-8"))))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("memory._store.sessions()", ["memory._store"]),
        ("from onrecord.memory import _now", ["_now"]),
        ("class A:\n    def _b(self): return self._c, other._b", []),
        ("x = [one.__dict__ for one in ()]", []),
    ],
)
def test_a_foreign_name_is_found(source: str, names: list[str]) -> None:
    assert list(foreign(source)) == names
