"""Recall against budget, as one HTML page that needs nothing else: a drawing for each set, in light and dark."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from math import log2

from benchmarks.recall import ALL, BUDGETS, CONTEXT, OURS, WHOLE, Figure
from benchmarks.recall_baselines import CEILING, FUSION
from benchmarks.recall_report import methods

__all__ = ["page"]

WIDTH, HEIGHT = 460, 340
LEFT, RIGHT, TOP, BOTTOM = 52, 14, 14, 44
STEPS = range(0, 101, 20)
# Who, colour in light and in dark, width, dashes, and the mark at each budget.
STYLES = {
    OURS: ("ours", "#0b63ce", "#6cb2ff", 3.0, "", "circle"),
    WHOLE: ("whole", "#0b63ce", "#6cb2ff", 1.5, "2 4", "none"),
    CONTEXT: ("prompt", "#c2410c", "#ff9d5c", 3.0, "", "square"),
    "BM25": ("words", "#15803d", "#5fce8a", 1.6, "", "triangle"),
    "dense": ("dense", "#9333a8", "#dd92ee", 1.6, "", "diamond"),
    FUSION: ("fusion", "#8a6100", "#e5bd55", 2.0, "", "circle"),
    "newest first": ("newest", "#71717a", "#a1a1aa", 1.6, "5 4", "square"),
    CEILING: ("ceiling", "#71717a", "#a1a1aa", 1.4, "1 3", "none"),
}

_STYLE = """
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c1c1f; --soft: #5f5f68; --line: #e2e2e7; }
body { margin: 0; padding: 28px; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main { max-width: 1480px; margin: 0 auto; }
h1 { font-size: 20px; margin: 0 0 4px; } h2 { font-size: 15px; margin: 0 0 4px; }
p { margin: 0 0 14px; color: var(--soft); max-width: 68em; }
.sets { display: flex; flex-wrap: wrap; gap: 26px 30px; }
figure { margin: 0; flex: 1 1 400px; max-width: 620px; }
svg { width: 100%; height: auto; display: block; }
text { fill: var(--soft); font-size: 12px; }
.grid { stroke: var(--line); stroke-width: 1; }
.key { display: flex; flex-wrap: wrap; gap: 4px 20px; margin: 0 0 18px; padding: 0; list-style: none; }
.key li { display: flex; align-items: center; gap: 7px; }
.key svg { width: 34px; height: 14px; }
"""


def page(figures: Sequence[Figure]) -> str:
    """The page, as HTML."""
    shown = [figure for figure in figures if figure.category == ALL]
    names = [who for who in methods(shown) if who in STYLES]
    drawings = "\n".join(_drawing(name, shown, names) for name in dict.fromkeys(figure.set for figure in shown))
    keys = "\n".join(f"<li>{_sample(who)}{escape(who)}</li>" for who in names)
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Recall against budget</title>
<style>{_STYLE}{_colours()}</style>
</head>
<body>
<main>
<h1>Recall against budget</h1>
<p>How much of the evidence for a question stands within so many tokens. Bars at 2,000 are 95 % intervals.</p>
<ul class="key">
{keys}
</ul>
<div class="sets">
{drawings}
</div>
</main>
</body>
</html>
"""


def _colours() -> str:
    light = "".join(f".{name} {{ --c: {colour}; }} " for name, colour, *_ in STYLES.values())
    dark = "".join(f".{name} {{ --c: {colour}; }} " for name, _, colour, *_ in STYLES.values())
    paper = ":root { --paper: #17171a; --ink: #ececf1; --soft: #a4a4ae; --line: #333339; }"
    lines = "".join(
        f".{name} .path {{ stroke-width: {width}; stroke-dasharray: {dashes or 'none'}; }} "
        for name, _, _, width, dashes, _ in STYLES.values()
    )
    common = ".path, .bar { fill: none; stroke: var(--c); stroke-linejoin: round; stroke-linecap: round; } "
    common += ".bar { stroke-width: 1.4; } .mark { fill: var(--c); stroke: var(--paper); stroke-width: 1; } "
    return f"{light}{lines}{common}\n@media (prefers-color-scheme: dark) {{ {paper} {dark}}}\n"


def _drawing(name: str, figures: Sequence[Figure], names: Sequence[str]) -> str:
    found = {figure.who: figure for figure in figures if figure.set == name}
    questions = next(iter(found.values())).questions
    lines = [line for who in reversed(names) if who in found for line in _line(found[who])]
    return f"""<figure>
<h2>{escape(name)}, {questions:,} questions</h2>
<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(name)}: evidence found by budget">
{chr(10).join([*_axes(), *lines])}
</svg>
</figure>"""


def _axes() -> Iterator[str]:
    right, low = WIDTH - RIGHT, HEIGHT - BOTTOM
    for step in STEPS:
        y = _y(step)
        yield f'<line class="grid" x1="{LEFT}" y1="{y}" x2="{right}" y2="{y}"/>'
        yield f'<text x="{LEFT - 8}" y="{y + 4}" text-anchor="end">{step} %</text>'
    for budget in BUDGETS:
        x = _x(budget)
        yield f'<line class="grid" x1="{x}" y1="{low}" x2="{x}" y2="{low + 5}"/>'
        yield f'<text x="{x}" y="{low + 20}" text-anchor="middle">{budget:,}</text>'
    yield f'<text x="{(LEFT + right) / 2}" y="{HEIGHT - 6}" text-anchor="middle">tokens (each step doubles them)</text>'


def _line(figure: Figure) -> Iterator[str]:
    name, *_, mark = STYLES[figure.who]
    points = [(budget, figure.scores[f"{budget} tokens"]) for budget in BUDGETS]
    path = " ".join(f"{_x(budget)},{_y(score)}" for budget, score in points)
    yield f'<g class="{name}"><polyline class="path" points="{path}"/>'
    if figure.who in (OURS, CONTEXT):
        low, high = figure.intervals["2000 tokens"]
        x = _x(2_000) + (3 if figure.who == CONTEXT else -3)  # beside each other, where they would cover each other
        ends = f"M{x - 4},{_y(low)}h8M{x - 4},{_y(high)}h8"
        yield f'<path class="bar" d="M{x},{_y(low)}V{_y(high)}{ends}"/>'
    for budget, score in points:
        title = f"<title>{escape(figure.who)}, {budget:,} tokens: {score:.1f} %</title>"
        yield _mark(mark, _x(budget), _y(score), title)
    yield "</g>"


def _mark(kind: str, x: float, y: float, title: str = "") -> str:
    shapes = {
        "circle": f'<circle class="mark" cx="{x}" cy="{y}" r="4.2">{title}</circle>',
        "square": f'<rect class="mark" x="{x - 3.8}" y="{y - 3.8}" width="7.6" height="7.6">{title}</rect>',
        "triangle": f'<path class="mark" d="M{x},{y - 4.8}l4.8,8.4h-9.6z">{title}</path>',
        "diamond": f'<path class="mark" d="M{x},{y - 5.2}l5.2,5.2l-5.2,5.2l-5.2,-5.2z">{title}</path>',
    }
    return shapes.get(kind, "")


def _sample(who: str) -> str:
    name, *_, mark = STYLES[who]
    line = '<polyline class="path" points="1,7 33,7"/>'
    return f'<svg viewBox="0 0 34 14" class="{name}" aria-hidden="true">{line}{_mark(mark, 17, 7)}</svg>'


def _x(budget: int) -> float:
    first, last = log2(BUDGETS[0]), log2(BUDGETS[-1])
    inner = 26  # between the axis and the first budget, and at the other end
    room = WIDTH - LEFT - RIGHT - 2 * inner
    return round(LEFT + inner + (log2(budget) - first) / (last - first) * room, 1)


def _y(score: float) -> float:
    return round(TOP + (100 - score) / 100 * (HEIGHT - TOP - BOTTOM), 1)
