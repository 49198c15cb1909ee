"""Whether people can read what a page says: the contrast of every text with what is behind it, as WCAG's level AA asks
for."""

from __future__ import annotations

from browser_tools import Page

__all__ = ["too_faint"]

_LOOK = """() => {
  const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    return [...pen.getImageData(0, 0, 1, 1).data];
  };
  const over = (top, below) => [0, 1, 2].map((at) => (top[at] * top[3] + below[at] * (255 - top[3])) / 255);
  const above = (one) => { const all = []; for (let at = one; at; at = at.parentElement) all.push(at); return all; };
  const paper = (one) => rgba(getComputedStyle(one).backgroundColor);
  const ground = (one) => above(one).reverse().reduce((below, at) => over(paper(at), below), [255, 255, 255]);
  const light = (colour) => {
    const [r, g, b] = colour.map((part) => part / 255)
      .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const one = texts.currentNode.parentElement;
    const said = texts.currentNode.textContent.trim();
    if (!said || one.closest("svg, script, noscript, option, datalist, .hidden, .skip, #say")) continue;
    if (!one.checkVisibility() || !one.getClientRects().length) continue;
    const style = getComputedStyle(one);
    const below = ground(one);
    const ink = rgba(style.color);
    ink[3] *= above(one).reduce((seen, at) => seen * Number(getComputedStyle(at).opacity), 1);
    const [high, low] = [light(over(ink, below)), light(below)].sort((a, b) => b - a);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    const name = one.className || one.tagName;
    if (ratio < (large ? 3 : 4.5)) found.push(`${name} ${ratio.toFixed(2)}: ${said.slice(0, 40)}`);
  }
  return found;
}"""


def too_faint(page: Page) -> list[str]:
    """What is hard to read on a page: which element, its contrast, and what it says."""
    found: list[str] = page.evaluate(_LOOK)
    return found
