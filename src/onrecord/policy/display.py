"""Foreign text made fit to be shown: without what nobody sees, and without lines that could pass for our own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from unicodedata import normalize

__all__ = ["enclosed", "indented", "untagged", "visible"]

# What a terminal would obey, and what ends a line or leaves it blank.
_ESCAPES = re.compile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b\n]*(?:\x07|\x1b\\\\)?)")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u2800]")
_BREAKS = re.compile("\r\n?|[\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")

# Scripts whose letters join, or are kept from it, by a joiner; and what a picture is put together of.
_JOINING = (
    "\u0600-\u0dff\u1000-\u109f\u1780-\u18af\ua800-\uabff\ufb50-\ufdff\ufe70-\ufefc"
    "\U00010a00-\U00011fff\U0001e900-\U0001e95f"
)
_PICTURES = "\xa9\xae\u203c\u2049\u2122\u2139\u2194-\u2bff\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
# Unicode's "default ignorable" characters: a text can be written in them that people do not see and models read.
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    f"|\ufe0f(?<![{_PICTURES}#*0-9]\ufe0f)"
    f"|\u200c(?:(?<![{_JOINING}]\u200c)|(?![{_JOINING}]))"
    f"|\u200d(?:(?<![{_JOINING}{_PICTURES}\ufe0f]\u200d)|(?![{_JOINING}{_PICTURES}]))"
)

# What looks like the signs that our tags are written in; other forms of a letter are found by its decomposition.
_LOOKALIKES = {
    sign: plain
    for plain, signs in {
        "<": "‹«〈《〈⟨⟪❬❮❰˂ᐸ≪≺⋖⦑⧼",
        "a": "аαɑᴀ",
        "c": "сϲᴄ",
        "e": "еєҽεᴇə",
        "i": "іιı",
        "m": "мᴍϻ",
        "n": "пηոɴ",
        "o": "оοσօөᴏ",
        "r": "гᴦʀя",
        "s": "ѕꜱ",
        "t": "тτᴛ",
        "v": "νѵᴠ",
        "y": "уүγʏ",
    }.items()
    for sign in signs
}


def visible(text: str) -> str:
    """Return the text without control characters, escape sequences, and characters that nobody sees. Joiners stay
    between letters that they join, and within emoji."""
    if text.isascii() and text.isprintable():
        return text
    text = _ESCAPES.sub("", text.replace("\r\n", "\n").encode(errors="replace").decode())
    return _UNSEEN.sub("", _CONTROLS.sub(" ", text))


def indented(text: str, by: str = " ") -> str:
    """Return the text with `by` before each line but the first, whatever ends a line: none can pass for a turn's
    beginning. A space takes no token of its own in most vocabularies."""
    return re.sub(r"\n(?!\n|\Z)", f"\n{by}", _BREAKS.sub("\n", text))


def untagged(text: str, *tags: str) -> str:
    """Return the text with a round bracket where it has an angle bracket, or a sign like one, before anything that
    reads like one of the tags."""
    folded = text
    if not text.isascii():
        folded = text.translate({ord(sign): _plain(sign) for sign in set(text) if not sign.isascii()})
    if "<" not in folded and "&lt;" not in folded:
        return text
    parts, at = [], 0
    for match in _tag(tags).finditer(folded):
        parts += [text[at : match.start()], "("]
        at = match.start() + 1
    return "".join([*parts, text[at:]])


def enclosed(tag: str, texts: Iterable[str]) -> str:
    """Return texts of a conversation as a block of a model's prompt: none can close it, nor begin another's line."""
    lines = (indented(untagged(visible(text), *_BLOCKS)) for text in texts)
    return "\n".join((f"<{tag}>", *lines, f"</{tag}>"))


_BLOCKS = ("conversation", "note")  # of the prompts


def _plain(sign: str) -> str:
    base = normalize("NFKD", sign)[0].lower()[0]
    return _LOOKALIKES.get(base, base)


@cache
def _tag(tags: tuple[str, ...]) -> re.Pattern[str]:
    words = "|".join("[\\W_]{0,2}".join(tag) for tag in tags)
    return re.compile(rf"(?:<|&lt;)(?=[\W_]{{0,4}}(?:{words}))", re.IGNORECASE)
