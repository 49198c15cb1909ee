"""Writes docs/reference.md from the code: `make docs`. A test fails when the page is not what this would write."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import typer

import recollect
from recollect.cli.app import app
from recollect.errors import RecollectError
from recollect.settings import SETTINGS

PAGE = Path(__file__).with_name("reference.md")


def reference() -> str:
    """The whole page."""
    parts = [
        "# Reference",
        "Generated from the code by `make docs`.",
        *_names(),
        *_settings(),
        *_errors(),
        *_commands(),
    ]
    return "\n\n".join(parts) + "\n"


def _names() -> Iterator[str]:
    yield "## Python"
    for name in recollect.__all__:
        value = getattr(recollect, name)
        if inspect.isclass(value) and issubclass(value, RecollectError):
            continue
        if inspect.isclass(value) and is_dataclass(value):
            yield f"### {name}\n\n{inspect.getdoc(value)}"
            yield _fields(value)
        elif inspect.isclass(value):
            yield f"### {name}{_signature(value)}\n\n{inspect.getdoc(value)}"
            if not name.startswith("Async"):
                yield "\n".join(_methods(value))
        else:
            yield f"### {name}{_signature(value)}\n\n{inspect.getdoc(value)}"


def _signature(value: object) -> str:
    signature = inspect.signature(value)  # type: ignore[arg-type]
    kept = [part for part in signature.parameters.values() if part.name != "self"]
    return "(" + ", ".join(str(part.replace(annotation=part.empty)) for part in kept if part.name != "clock") + ")"


def _methods(kind: type) -> Iterator[str]:
    for name, value in vars(kind).items():
        if name.startswith("_"):
            continue
        text = " ".join((inspect.getdoc(value) or "").split())
        shown = name if isinstance(value, property) else name + _signature(value)
        yield f"- `{shown}` — {text}"


def _fields(kind: type) -> str:
    """Each field with the comment beside it in the source."""
    comments = {}
    for line in inspect.getsource(kind).splitlines():
        name, colon, rest = line.strip().partition(":")
        if colon and name.isidentifier():
            comments[name] = rest.partition("  # ")[2]
    rows = [f"| `{part.name}` | {comments.get(part.name, '')} |" for part in fields(kind)]
    return "\n".join(["| Field | |", "|---|---|", *rows])


def _settings() -> Iterator[str]:
    yield "## Settings"
    yield (
        "Keywords of `Memory(…)`. The environment variables are read by the command line only; "
        "the library takes what it is given."
    )
    rows = [
        f"| `{row.name}` | {_default(row.default)} | {row.help}{_choices(row.choices)} | {_code(row.environment)} |"
        for row in SETTINGS
    ]
    yield "\n".join(["| Name | Default | | Environment |", "|---|---|---|---|", *rows])


def _default(value: object) -> str:
    return "none" if value is None else f"`{value}`"


def _choices(choices: tuple[str, ...]) -> str:
    return f" One of {', '.join(_code(choice) for choice in choices)}." if choices else ""


def _code(value: str | None) -> str:
    return f"`{value}`" if value else ""


def _errors() -> Iterator[str]:
    yield "## Errors"
    yield "All are `RecollectError`s, with `what` happened and a `hint` what to do."
    errors = sys.modules["recollect.errors"]
    rows = [f"| `{name}` | {inspect.getdoc(getattr(errors, name))} |" for name in errors.__all__]
    yield "\n".join(["| Name | |", "|---|---|", *rows])


def _commands() -> Iterator[str]:
    yield "## Commands"
    root = typer.main.get_command(app)
    yield from _command(root, "recollect")


def _command(command: Any, path: str) -> Iterator[str]:
    lines = [f"### {path}", inspect.cleandoc(command.help or "").replace("\f", "").replace("\b", "").strip()]
    rows = [f"| `{_option(part)}` | {' '.join((part.help or '').split())} |" for part in command.params if _shown(part)]
    if rows:
        lines.append("\n".join(["| Option | |", "|---|---|", *rows]))
    yield "\n\n".join(lines)
    for name, part in sorted(getattr(command, "commands", {}).items()):
        yield from _command(part, f"{path} {name}")


def _option(part: Any) -> str:
    return ", ".join([*part.opts, *part.secondary_opts]) if part.opts[0].startswith("-") else part.name.upper()


def _shown(part: Any) -> bool:
    return not getattr(part, "hidden", False) and not any("completion" in name for name in part.opts)


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
