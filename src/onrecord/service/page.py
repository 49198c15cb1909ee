"""The API's description as a page that needs nothing from outside: no scripts, no fonts, no network."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Any

__all__ = ["page"]

_STYLE = """
:root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 18%, transparent); }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; border-bottom: 1px solid var(--line); }
details { border: 1px solid var(--line); border-radius: 6px; margin: .4rem 0; padding: .3rem .8rem; }
summary { cursor: pointer; overflow-wrap: anywhere; }
code, .path { font-family: ui-monospace, monospace; font-size: .92em; }
.method { display: inline-block; min-width: 4.2rem; font-weight: 600; }
.name { float: right; opacity: .65; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0; }
td, th { text-align: left; vertical-align: top; padding: .2rem .8rem .2rem 0; border-top: 1px solid var(--line); }
"""


def page(found: Mapping[str, Any]) -> str:
    """The whole page."""
    schemas = found["components"]["schemas"]
    by_tag: dict[str, list[str]] = {}
    for path, methods in found["paths"].items():
        for method, operation in methods.items():
            by_tag.setdefault(operation["tags"][0], []).append(_operation(path, method, operation, schemas))
    rooms = "".join(f"<h2>{escape(tag)}</h2>{''.join(made)}" for tag, made in by_tag.items())
    title = f"{found['info']['title']} {found['info']['version']}"
    about = "".join(f"<p>{escape(part)}</p>" for part in found["info"]["description"].split("\n\n"))
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{escape(title)}</title>"
        "<meta name=viewport content='width=device-width, initial-scale=1'>"
        f"<style>{_STYLE}</style><h1>{escape(title)}</h1>{about}"
        f"<p>For programs: <a href='openapi.json'>openapi.json</a>.</p>{rooms}</html>"
    )


def _operation(path: str, method: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    head = (
        f"<span class=method>{method.upper()}</span> <span class=path>{escape(path)}</span>"
        f"<span class=name>{escape(operation['operationId'])}</span>"
    )
    given = _table("Parameters", _parameters(operation)) + _table("Body", _body(operation, schemas))
    answers = [(status, "", one.get("description", "")) for status, one in operation["responses"].items()]
    said = f"<p>{escape(operation.get('description', ''))}</p>{given}{_table('Answers', answers)}"
    return f"<details id={escape(operation['operationId'])}><summary>{head}</summary>{said}</details>"


def _parameters(operation: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for one in operation.get("parameters", ()):
        needed = ", required" if one.get("required") else ""
        yield one["name"], f"{_kind(one.get('schema', {}))} in {one['in']}{needed}", one.get("description", "")


def _body(operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        schema = content.get("schema", {})
        schema = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
        if "properties" not in schema:
            yield media, _kind(schema), schema.get("description", "")
        for name, part in schema.get("properties", {}).items():
            needed = ", required" if name in schema.get("required", ()) else ""
            yield name, f"{_kind(part)}{needed}", part.get("description", "")


def _kind(schema: Mapping[str, Any]) -> str:
    """What a value may be, in a word or two."""
    if "$ref" in schema:
        return str(schema["$ref"]).rpartition("/")[2]
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(_kind(one) for one in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def _table(title: str, rows: Any) -> str:
    lines = [f"<tr><td><code>{escape(name)}</code><td>{escape(kind)}<td>{escape(text)}" for name, kind, text in rows]
    return f"<table><tr><th colspan=3>{title}{''.join(lines)}</table>" if lines else ""
