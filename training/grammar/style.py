"""How a speaker writes: small letters, missing stops, emoji, fillers, slips of the keyboard.

Each speaker of a talk has one manner, so that a talk reads as if two people had typed it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from random import Random

__all__ = ["OPEN", "PLAIN", "Manner", "ask_style", "manner"]

LEADS = (
    "Btw, ", "So, ", "Honestly, ", "Oh, and ", "Anyway, ", "Fun fact: ", "You know, ", "Guess what, ", "Actually, ",
    "Well, ", "To be honest, ", "By the way, ", "Not sure I told you, but ", "Oh, by the way, ", "Haha so ", "Ok so ",
    "Speaking of which, ", "I forgot to say, ", "Hmm, ", "Random, but ", "Did I tell you? ", "Also, ", "News from me: ",
)  # fmt: skip
USER_LEADS = (
    "Hi, ", "Hello! ", "For context, ", "FYI, ", "Some background: ", "By the way, ", "Also, ", "Ok, ", "Hey, ",
    "Before I ask: ", "So, ", "One thing to know: ", "Thanks! Btw, ", "Great, thanks. ",
)  # fmt: skip
ENDS = (" haha", " lol", " :)", " 😅", " 😊", " 🎉", " tbh", " 🙈", " ❤️", " 😂", " :D", " xx", " 🤞")
SHORT = {
    "because": "cuz", "you": "u", "are": "r", "I am": "im", "going to": "gonna", "want to": "wanna", "really": "rly",
    "though": "tho", "please": "pls", "with": "w/", "about": "abt", "and": "&", "tomorrow": "tmrw", "birthday": "bday",
}  # fmt: skip
OPEN = re.compile(r"(I|I'm|I've|I'd|I'll|My|We|We're|We've|There|It|The|Our)\b")


@dataclass(frozen=True, slots=True)
class Manner:
    """One speaker's rates."""

    lower: bool
    bare: bool  # no full stop at the end
    ends: float
    leads: float
    slips: float
    short: float
    bangs: float
    formal: bool = False

    def dress(self, text: str, rng: Random) -> str:
        """A first sentence with a filler before it, at this speaker's rate."""
        if rng.random() < self.leads and OPEN.match(text):
            lead = rng.choice(USER_LEADS if self.formal else LEADS)
            if lead.rstrip()[-1] in ",:" or lead.endswith(("but ", "and ", "so ")):
                text = text if text.startswith("I") and not text.startswith("It") else text[0].lower() + text[1:]
            return lead + text
        return text

    def write(self, text: str, rng: Random) -> str:
        """A whole turn as this speaker would type it."""
        if rng.random() < self.bangs:
            text = re.sub(r"\.$", "!", text)
        if self.bare:
            text = re.sub(r"(?<=[\w)])\.$", "", text)
        if self.short and rng.random() < self.short:
            for long, brief in SHORT.items():
                if rng.random() < 0.5:
                    text = re.sub(rf"\b{long}\b", brief, text)
        if rng.random() < self.slips:
            text = _slip(text, rng)
        if self.lower:
            text = text.lower()
        if self.lower and rng.random() < 0.4:
            text = text.replace("'", "")
        if rng.random() < self.ends and len(text) < 260:
            end = rng.choice(ENDS)
            text = text + end if self.bare or end[1] not in "haltyx" else re.sub(r"\.$", "", text) + end
        return text


PLAIN = Manner(False, False, 0.0, 0.0, 0.0, 0.0, 0.0)


def manner(rng: Random, formal: bool = False) -> Manner:
    """A manner at random: half of the speakers write plainly."""
    plain = rng.random() < 0.5
    if plain:
        return Manner(False, False, 0.02, 0.12, 0.01, 0.0, 0.08, formal)
    lower, bare = rng.random() < 0.35, rng.random() < 0.5
    ends, leads = rng.choice((0.0, 0.1, 0.25)), rng.choice((0.05, 0.2, 0.4))
    slips, short = rng.choice((0.0, 0.03, 0.1)), rng.choice((0.0, 0.0, 0.2))
    return Manner(lower, bare, ends, leads, slips, short, rng.choice((0.05, 0.3)), formal)


def _slip(text: str, rng: Random) -> str:
    """One slip inside a longer word in small letters: two letters swapped, one lost or one doubled."""
    places = [found.span() for found in re.finditer(r"\b[a-z]{5,}\b", text)]
    if not places:
        return text
    begin, end = rng.choice(places)
    at = rng.randint(begin + 1, end - 3)
    first, second = text[at], text[at + 1]
    new = rng.choice((second + first, first, first + first + second))
    return text[:at] + new + text[at + 2 :]


def ask_style(text: str, rng: Random) -> str:
    """A question as typed: mostly clean."""
    draw = rng.random()
    if draw < 0.06:
        return text.lower().rstrip("?")
    if draw < 0.09:
        return text.rstrip("?")
    if draw < 0.12 and text.endswith("?"):
        lead = rng.choice(("Remind me: ", "Do you remember: ", "Quick question: ", "Just checking: "))
        return lead + text[0].lower() + text[1:] if re.match(r"(Wh|How|D[oi]|Is|Ha|Ar|Can)", text) else text
    return text
