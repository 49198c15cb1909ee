"""Writes docs/reference.md and docs/openapi.json from the code: `make docs`. Tests fail when they differ from that."""

from __future__ import annotations

import inspect
import json
import re
import sys
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import typer

import onrecord
from onrecord.cli.program import app
from onrecord.errors import OnrecordError
from onrecord.profiles import PROFILES, Profile, options_of
from onrecord.settings import SETTINGS

PAGE = Path(__file__).with_name("reference.md")
API = Path(__file__).with_name("openapi.json")

OPENED = ("AsyncMemory", "Memory")
"""The classes that users construct; methods return the others."""

PLANS = {
    "adaptive": "a node is due after 10 messages if they are technical or long",
    "again": "messages behind the window that start another round",
    "every": "messages of a node",
    "fan": "nodes that a node of the next level covers",
    "from_messages": "messages at which the first summary is due",
    "from_tokens": "estimated tokens at which the first summary is due, if that comes first",
    "keep": "what stays as it was said: messages in `rolling`, tokens in `progressive`",
    "least": "units of a node before a topic may end it in `balanced`; tokens that stay in any case in `progressive`",
    "most": "nodes before the oldest two merge",
    "over": "threshold of a node: messages not covered in `tiered`, tokens in `progressive`",
    "size": "messages of a node",
    "topics": "a node also ends early where another topic begins",
    "units": "size of a node: a message counts one, and one more for every 64 tokens",
}
"""The options of summary plans; those of a profile have their comments in the code."""


def reference() -> str:
    """The whole page."""
    parts = [
        "# Reference",
        "Generated from the code by `make docs`.",
        *_names(),
        *_settings(),
        *_profiles(),
        *_errors(),
        *_commands(),
    ]
    return "\n\n".join(parts) + "\n"


def _names() -> Iterator[str]:
    yield "## Python"
    for name in onrecord.__all__:
        value = getattr(onrecord, name)
        if inspect.isclass(value) and issubclass(value, OnrecordError):
            continue
        if inspect.isclass(value) and is_dataclass(value):
            yield f"### {name}\n\n{inspect.getdoc(value)}"
            yield _fields(value)
        elif inspect.isclass(value):
            yield f"### {name}{_signature(value) if name in OPENED else ''}\n\n{inspect.getdoc(value)}"
            if not name.startswith("Async"):
                yield "\n".join(_methods(value))
        else:
            yield f"### {name}{_signature(value)}\n\n{inspect.getdoc(value)}"


def _signature(value: object) -> str:
    signature = inspect.signature(value)  # type: ignore[arg-type]
    kept = [part for part in signature.parameters.values() if part.name != "self"]
    return "(" + ", ".join(str(part.replace(annotation=part.empty)) for part in kept if part.name != "clock") + ")"


def _methods(kind: type) -> Iterator[str]:
    for name, text in _attributes(kind):
        yield f"- `{name}` — {text}"
    own = {name: value for base in reversed(kind.__mro__) if _is_ours(base) for name, value in vars(base).items()}
    for name, value in own.items():
        if name.startswith("_"):
            continue
        shown = name + _signature(value) if inspect.isfunction(value) else name
        yield f"- `{shown}` — {' '.join((inspect.getdoc(value) or '').split())}"


def _is_ours(kind: type) -> bool:
    """Return whether the class is part of the package, unlike a base class of the standard library."""
    return kind.__module__.startswith("onrecord")


def _attributes(kind: type) -> Iterator[tuple[str, str]]:
    """What the constructor sets, with the text below it."""
    if "__init__" in vars(kind):
        source = inspect.getsource(vars(kind)["__init__"])
        for name, text in re.findall(r'self\.([a-z]\w*) = [^\n]*\n\s*"""(.*?)"""', source, re.DOTALL):
            yield name, " ".join(text.split())


def _comments(kind: type) -> dict[str, str]:
    """The comment beside each field in the source."""
    comments = {}
    for line in inspect.getsource(kind).splitlines():
        name, colon, rest = line.strip().partition(":")
        if colon and name.isidentifier():
            comments[name] = rest.partition("  # ")[2]
    return comments


def _fields(kind: type) -> str:
    comments = _comments(kind)
    rows = [f"| `{part.name}` | {comments.get(part.name, '')} |" for part in fields(kind)]
    return "\n".join(["| Field | Meaning |", "|---|---|", *rows])


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
    yield "\n".join(["| Name | Default | Meaning | Environment |", "|---|---|---|---|", *rows])


def _default(value: object) -> str:
    return "none" if value is None else f"`{value}`"


def _choices(choices: tuple[str, ...]) -> str:
    return f" One of {', '.join(_code(choice) for choice in choices)}." if choices else ""


def _code(value: str | None) -> str:
    return f"`{value}`" if value else ""


def _profiles() -> Iterator[str]:
    yield "## Options of profiles"
    yield (
        'Values of a profile that `Memory(…, options={"recent": 6})` changes, with their defaults; a dash where a '
        "profile has no such option. [profiles](profiles/README.md) says how each profile uses them."
    )
    options = {name: options_of(profile) for name, profile in PROFILES.items()}
    listed = {name for mine in options.values() for name in mine}
    meanings = {name: text for name, text in _comments(Profile).items() if name in listed} | PLANS
    rows = [
        f"| `{name}` | {' | '.join(_value(mine.get(name)) for mine in options.values())} | {text} |"
        for name, text in meanings.items()
    ]
    heads = "".join(f" `{name}` |" for name in options)
    yield "\n".join([f"| Option |{heads} Meaning |", "|---|" + "--:|" * len(options) + "---|", *rows])
    assert set(meanings) == listed, "an option is not described"


def _value(value: float | None) -> str:
    return "–" if value is None else f"`{value}`" if isinstance(value, (bool, float)) else f"{value:,}"


def _errors() -> Iterator[str]:
    yield "## Errors"
    yield "All are `OnrecordError`s, with `what` happened and a `hint` what to do."
    errors = sys.modules["onrecord.errors"]
    rows = [
        f"| `{name}` | {' '.join((inspect.getdoc(getattr(errors, name)) or '').split())} |" for name in errors.__all__
    ]
    yield "\n".join(["| Name | Meaning |", "|---|---|", *rows])


def _commands() -> Iterator[str]:
    yield "## Commands"
    root = typer.main.get_command(app)
    yield from _command(root, "onrecord")


def _command(command: Any, path: str) -> Iterator[str]:
    lines = [f"### {path}", inspect.cleandoc(command.help or "").replace("\f", "").replace("\b", "").strip()]
    rows = [f"| `{_option(part)}` | {' '.join((part.help or '').split())} |" for part in command.params if _shown(part)]
    if rows:
        lines.append("\n".join(["| Option | Meaning |", "|---|---|", *rows]))
    yield "\n\n".join(lines)
    for name, part in sorted(getattr(command, "commands", {}).items()):
        yield from _command(part, f"{path} {name}")


def _option(part: Any) -> str:
    return ", ".join([*part.opts, *part.secondary_opts]) if part.opts[0].startswith("-") else part.name.upper()


def _shown(part: Any) -> bool:
    return not getattr(part, "hidden", False) and not any("completion" in name for name in part.opts)


def described() -> str:
    """The service's API, as OpenAPI has it."""
    from onrecord.service.app import described

    return json.dumps(described(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    PAGE.write_text(reference(), encoding="utf-8")
    API.write_text(described(), encoding="utf-8")
