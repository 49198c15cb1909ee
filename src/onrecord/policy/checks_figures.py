"""Numbers in words as figures, so that "half past nine" and 9:30, "twenty-five" and 25 can be compared.

A language's table is only used for texts that are mostly in that language: "once" is eleven in Spanish alone.
"""

from __future__ import annotations

import re
from functools import cache

__all__ = ["figured"]

_UNITS = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
_UNITS += "seventeen eighteen nineteen"
NUMBER_WORDS: dict[str, dict[str, int]] = {
    "en": {word: value for value, word in enumerate(_UNITS.split()) if word != "one"}  # "one" mostly is no number
    | {
        word: value * 10
        for value, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)
    }
    | {"hundred": 100, "thousand": 1000, "million": 1_000_000, "billion": 1_000_000_000, "dozen": 12},
    "de": {
        word: value
        for value, word in enumerate(
            "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn".split()
        )
    }
    | {"zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "hundert": 100, "tausend": 1000},
    "es": {
        word: value
        for value, word in enumerate(
            "cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince".split()
        )
    }
    | {"veinte": 20, "treinta": 30, "cuarenta": 40, "cincuenta": 50, "cien": 100, "mil": 1000},
    "fr": {
        word: value
        for value, word in enumerate(
            "zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze".split()
        )
        if word != "un"
    }
    | {"vingt": 20, "trente": 30, "quarante": 40, "cinquante": 50, "cent": 100, "mille": 1000},
}
_ORDINALS = dict(
    zip(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split(),
        (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12),
        strict=True,
    )
)
_HALF_OR_QUARTER = re.compile("half|quarter", re.IGNORECASE)
_KANJI = "一二三四五六七八九"
_BY_KANJI = {mark: value for value, mark in enumerate(_KANJI, 1)}


def figured(text: str, spoken: str) -> str:
    """The text with its number words as figures, and "half past nine" as 9:30."""
    text = _with_figures(text, spoken if spoken in NUMBER_WORDS else "en")
    if _HALF_OR_QUARTER.search(text):
        text = re.sub(r"\b(\d+) and (?:a|one) half\b", r"\1.5", text, flags=re.IGNORECASE)
        text = re.sub(r"(?:a )?\b(half|quarter) (past|to) (\d{1,2})\b", _as_time, text, flags=re.IGNORECASE)
    if spoken == "de":
        text = re.sub(r"\bhalb (\d{1,2})\b", lambda found: f"{(int(found[1]) - 1) % 24}:30", text)
    return text if text.isascii() else re.sub(f"[{_KANJI}十]+(?=[月日時人泊歳年週分円つ個回])", _of_kanji, text)


def _with_figures(text: str, name: str) -> str:
    low = text.lower()
    parts, end = [], 0
    for found in _number_words(name).finditer(low if len(low) == len(text) else text):
        parts += [text[end : found.start()], _as_figures(found)]
        end = found.end()
    return "".join((*parts, text[end:]))


@cache
def _number_words(name: str) -> re.Pattern[str]:
    """Of small letters: a pattern for any is ten times slower."""
    table = NUMBER_WORDS[name] | (_ORDINALS if name == "en" else {})
    word = "(?:" + "|".join(sorted(table, key=lambda word: -len(word))) + ")"
    first = r"(?!second\b(?! of))"  # alone, mostly a length of time
    return re.compile(rf"\b(?<![0-9] ){first}{word}(?:(?:[ -]| and ){word})*\b")


def _as_figures(found: re.Match[str]) -> str:
    """The value of number words in a row; words that do not make one number stand side by side."""
    whole, part, done = 0, 0, []
    mark = ""
    for word in re.split(r"[ -]+(?:and )?", found.group().lower()):
        value, mark = _value(word)
        if value >= 1000:
            whole, part = whole + max(part, 1) * value, 0
        elif value == 100 and part < 100:
            part = max(part, 1) * 100
        elif part and not (part % 100 == 0 or (part % 10 == 0 and value < 10 and part % 100 >= 20)):
            done.append(whole + part)
            whole, part = 0, value
        else:
            part += value
    return " ".join(map(str, [*done, whole + part])) + mark


def _value(word: str) -> tuple[int, str]:
    if word in _ORDINALS:
        return _ORDINALS[word], "th"
    return next((table[word] for table in NUMBER_WORDS.values() if word in table), 0), ""


def _as_time(found: re.Match[str]) -> str:
    hour = int(found[3])
    if found[1].lower() == "half":
        return f"{hour}:30"
    return f"{hour}:15" if found[2].lower() == "past" else f"{(hour - 1) % 24}:45"


def _of_kanji(found: re.Match[str]) -> str:
    tens, ten, units = found.group().rpartition("十")
    value = (_BY_KANJI.get(tens, 1) * 10 if ten else 0) + _BY_KANJI.get(units[-1:], 0)
    return str(value)
