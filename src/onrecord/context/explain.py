"""A context's manifest as a table that people can read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from onrecord.records import Candidate, Section

__all__ = ["explained", "rows_of"]

WIDTH = 48  # characters of a text


def rows_of(manifest: Iterable[Candidate]) -> list[tuple[str, ...]]:
    """A row per candidate: in or out, section, messages, tokens, value, reason, text."""
    return [
        (
            "in" if one.included else "out",
            one.section,
            _messages(one),
            str(one.tokens),
            f"{one.value:.2f}",
            one.reason + (", shortened" if one.shortened else ""),
            " ".join(one.text.split())[:WIDTH],
        )
        for one in manifest
    ]


def explained(manifest: Sequence[Candidate], sections: Sequence[Section], summary: str, warnings: Sequence[str]) -> str:
    """The whole explanation: the sum, the sections, the candidates, the warnings."""
    parts = [
        summary,
        _table(("section", "tokens", "in", "out"), [_section(one) for one in sections if one.tokens or one.left_out]),
        _table(("", "section", "messages", "tokens", "value", "why", "text"), rows_of(manifest)),
    ]
    return "\n\n".join(parts + [f"Warning: {warning}" for warning in warnings])


def _section(one: Section) -> tuple[str, ...]:
    return one.name, str(one.tokens), str(one.items), str(one.left_out)


def _messages(one: Candidate) -> str:
    if not one.first:
        return ""
    numbers = str(one.first) if one.first == one.last else f"{one.first}-{one.last}"
    return f"{one.session} {numbers}" if one.session else numbers


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [head, *rows]]
    return "\n".join(line.rstrip() for line in lines)
