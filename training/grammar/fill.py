"""Filling forms: slot values, choices, a or an, and the person a question speaks of.

A fact's values are drawn once and kept in its binding, so that what was said and what is asked agree.
"""

from __future__ import annotations

import re
from random import Random

from training.grammar.dates import MAKERS
from training.grammar.kinds import SLOT
from training.grammar.vocab import VOCAB

__all__ = ["Binding", "Person", "choose", "fill", "tidy"]

CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
ARTICLE = re.compile(
    r"\b([Aa]) (?=[aeiouAEIOU]|8\b|18\b|11\b|hour\b|honest|heir|MRI|MBA|SUV|X-ray|SLR)"
    r"(?!uni|use|eu|one\b|One|once|uku|ut|UK|US\b|Uni|Eu|U-)"
)


class Binding:
    """The values of one fact."""

    def __init__(self, rng: Random, values: dict[str, tuple[str, ...]], taken: frozenset[str] = frozenset()) -> None:
        """`taken`: values that another fact of the talk holds."""
        self.rng = rng
        self.values = values
        self.taken = taken
        self.bound: dict[str, str] = {}

    def get(self, slot: str, general: bool) -> str:
        """The value of a slot, or the general word for it."""
        if slot not in self.bound:
            self.bound[slot] = self._draw(slot)
        left, _, right = self.bound[slot].partition(">")
        return right if general and right else left

    def _draw(self, slot: str) -> str:
        name = slot.rstrip("0123456789")
        pool = self.values.get(name) or VOCAB.get(name)
        if pool is None:
            return MAKERS[name](self.rng)
        # the same value twice would make two facts one
        used = self.taken | set(self.bound.values())
        for _ in range(20):
            value = self.rng.choice(pool)
            if value not in used:
                break
        return value


class Person:
    """Whom a question speaks of: by name, as "I", or as "the user"."""

    def __init__(self, name: str, other: str, gender: str, manner: str = "name") -> None:
        """`manner`: "name", "I" or "the user"."""
        self.manner = manner
        me = {"N": "I", "Ns": "my", "Nm": "me", "K": "my", "does": "do", "is": "am", "has": "have"}
        me |= {"his": "my", "he": "I", "him": "me", "was": "was"}
        it = {"N": name, "Ns": f"{name}'s", "Nm": name, "K": name, "does": "does", "is": "is", "has": "has"}
        it |= {"his": "her", "he": "she", "him": "her", "was": "was"}
        if gender == "m":
            it |= {"his": "his", "he": "he", "him": "him"}
        if manner == "the user":
            it |= {"N": "the user", "Ns": "the user's", "Nm": "the user", "K": "user"}
            it |= {"his": "their", "he": "they", "him": "them"}
        self.words = me if manner == "I" else it
        if manner == "name":
            self.words |= {"M": other, "Ms": f"{other}'s"}


def choose(rng: Random, form: str) -> str:
    """A form with its choices made."""
    while CHOICE.search(form):
        form = CHOICE.sub(lambda found: rng.choice(found[1].split("|")), form)
    return form


def fill(form: str, binding: Binding, person: Person | None = None) -> str:
    """A form with its choices made and its slots filled."""
    form = choose(binding.rng, form)
    words = person.words if person else {}

    def value(found: re.Match[str]) -> str:
        if found[1] in words:
            return words[found[1]]
        drawn = binding.get(found[1], bool(found[2]))
        # values are in the speaker's words: "biting my nails"
        return re.sub(r"\bmy\b", words["his"], drawn) if words else drawn

    return tidy(SLOT.sub(value, form))


def tidy(text: str) -> str:
    """Mends what filling leaves: a before a vowel, double spaces and stops, a small letter at the beginning."""
    text = ARTICLE.sub(r"\1n ", text)
    text = re.sub(r" +([,.?!;])", r"\1", re.sub(r"  +", " ", text.strip()))
    text = re.sub(r"\.\.(?!\.)", ".", text) if "..." not in text else text
    text = re.sub(r"\?\.", "?", text)
    text = re.sub(r"([.?!] )([a-z])", lambda found: found[1] + found[2].upper(), text)
    return text[:1].upper() + text[1:]
