"""What the benchmark of recall found, as tables and as plain dictionaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from benchmarks.recall import (
    ALL,
    BUDGETS,
    CONTEXT,
    DENSE_BESIDE,
    HEADLINES,
    OURS,
    OURS_BESIDE,
    TOPS,
    WHOLE,
    Figure,
    Latency,
    Measured,
    PromptCost,
)
from benchmarks.recall_baselines import CEILING, FUSION

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["methods", "plain", "tables"]

_ORDER = (OURS, WHOLE, CONTEXT, OURS_BESIDE, "BM25", "dense", DENSE_BESIDE, FUSION, "newest first", CEILING)


def plain(measured: Measured) -> dict[str, object]:
    """All of it, for JSON."""
    return asdict(measured)


def methods(figures: Sequence[Figure]) -> list[str]:
    """The methods in the order in which they are shown; one that adds nothing is left out."""
    found = {figure.who for figure in figures}
    scores = {(figure.set, figure.category, figure.who): figure.scores for figure in figures}
    if all(scores[figure.set, figure.category, OURS] == figure.scores for figure in figures if figure.who == WHOLE):
        found.discard(WHOLE)  # no message was so long that only a part of it was shown
    return [who for who in _ORDER if who in found]


def tables(measured: Measured) -> Iterator[Table]:
    """For each set the methods, then the categories; at the end how long it took."""
    for name in dict.fromkeys(figure.set for figure in measured.figures):
        own = [figure for figure in measured.figures if figure.set == name]
        yield _by_method(name, [figure for figure in own if figure.category == ALL])
        yield _by_category(name, own)
    if measured.sent:
        yield _sent(measured.sent)
    yield _latency(measured.latency)


def _by_method(name: str, figures: Sequence[Figure]) -> Table:
    from rich.table import Table

    found = {figure.who: figure for figure in figures}
    title = f"{name}, {figures[0].questions} questions: % of the evidence found (95 % interval)"
    shown = Table(title=title, title_justify="left")
    shown.add_column("method", no_wrap=True)
    for head in _heads():
        shown.add_column(head, justify="right", no_wrap=True)
    for who in methods(figures):
        shown.add_row(who, *(_cell(found[who], kind) for kind in _kinds()))
    return shown


def _kinds() -> list[str]:
    found = [f"top {many}" for many in TOPS]
    return found + [f"{budget} tokens" for budget in BUDGETS] + [f"all in {budget}" for budget in BUDGETS]


def _heads() -> list[str]:
    budgets = [_short(budget) for budget in BUDGETS]
    return [f"top {many}" for many in TOPS] + budgets + [f"all {budget}" for budget in budgets]


def _short(budget: int) -> str:
    return f"{budget // 1000}k" if budget % 1000 == 0 else str(budget)


def _cell(figure: Figure, kind: str) -> str:
    if kind not in figure.scores:
        return "–"
    score = f"{figure.scores[kind]:.1f}"
    if kind not in figure.intervals:
        return score
    low, high = figure.intervals[kind]
    return f"{score} ({low:.0f}–{high:.0f})"


def _by_category(name: str, figures: Sequence[Figure]) -> Table:
    from rich.table import Table

    shown = Table(title=f"{name} by category: {HEADLINES[0]} / {HEADLINES[1]}", title_justify="left")
    shown.add_column("category", no_wrap=True)
    shown.add_column("n", justify="right")
    names = methods(figures)
    for who in names:
        shown.add_column(who, justify="right")
    found = {(figure.category, figure.who): figure for figure in figures}
    for category in dict.fromkeys(figure.category for figure in figures):
        row = [found[category, who] for who in names]
        shown.add_row(category, str(row[0].questions), *(_headlines(figure) for figure in row))
    return shown


def _headlines(figure: Figure) -> str:
    shown = " / ".join(f"{figure.scores[kind]:.0f}" if kind in figure.scores else "–" for kind in HEADLINES)
    if figure.who != OURS:
        return shown
    return shown + "\n" + " / ".join(f"{low:.0f}–{high:.0f}" for low, high in figure.intervals.values())


def _sent(sent: Sequence[PromptCost]) -> Table:
    from rich.table import Table

    shown = Table(title="Prompts: tokens sent, and % of the evidence found", title_justify="left")
    for head in ("set", "budget", "sent", "of it recalled", "found", "found per 1,000 sent"):
        shown.add_column(head, justify="left" if head == "set" else "right")
    for row in sent:
        cells = (f"{row.tokens:,.0f}", f"{row.recalled:,.0f}", f"{row.found:.1f}", f"{row.found_per_1000:.1f}")
        shown.add_row(row.set, f"{row.budget:,}", *cells)
    return shown


def _latency(latency: Sequence[Latency]) -> Table:
    from rich.table import Table

    shown = Table(title="Milliseconds; prompts find the question embedded", title_justify="left")
    for head in ("set", "what", "p50", "p95", "of a search"):
        shown.add_column(head, justify="left" if head in ("set", "what") else "right")
    whole = {one.set: one.p50 for one in latency if one.what == "search"}
    for one in latency:
        share = f"{one.p50 / whole[one.set]:.0%}" if one.what == "embedding" else ""
        shown.add_row(one.set, one.what, f"{one.p50:.1f}", f"{one.p95:.1f}", share)
    return shown
