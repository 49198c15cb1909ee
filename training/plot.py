"""The course of a run as a drawing: what is lost at each step, and how much is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

__all__ = ["drawn"]

_WIDTH, _HEIGHT, _EDGE = 640, 320, 48
_COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#6b46c1")


def drawn(title: str, steps: Sequence[float], lines: Mapping[str, Sequence[float]]) -> str:
    """An SVG with a line for each name, each scaled to its own greatest value, which stands beside the name."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" font-size="13">',
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="white"/><text x="{_EDGE}" y="20">{title}</text>',
        f'<path d="M{_EDGE} 30V{_HEIGHT - 30}H{_WIDTH - 10}" fill="none" stroke="#999"/>',
        f'<text x="{_WIDTH - 90}" y="{_HEIGHT - 10}">step {steps[-1]:.0f}</text>',
    ]
    for number, (name, values) in enumerate(lines.items()):
        most = max(values)
        places = " ".join(
            f"{_EDGE + (_WIDTH - _EDGE - 10) * step / steps[-1]:.1f},{_HEIGHT - 30 - (_HEIGHT - 70) * value / most:.1f}"
            for step, value in zip(steps, values, strict=True)
        )
        colour = _COLOURS[number % len(_COLOURS)]
        parts.append(f'<polyline points="{places}" fill="none" stroke="{colour}" stroke-width="2"/>')
        label = f"{name}: {values[0]:.3g} to {values[-1]:.3g}"
        parts.append(f'<text x="{_WIDTH - 230}" y="{50 + 18 * number}" fill="{colour}">{label}</text>')
    return "\n".join([*parts, "</svg>\n"])
